/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each finding: made by the smallest document that shows it, and not made just below its threshold.
 */
#include "tests/app/finding-cases.h"

#include <errno.h>
#include <string.h>

/* One plain sentence or two, whole, with what to do; nothing half filled in. */
static void
assert_reads_well (const DgDocView *view, const DgDocFinding *finding)
{
    g_autofree gchar *title = NULL, *sentence = NULL;
    dg_finding_describe (view, finding, &title, &sentence);
    g_assert_true (g_str_has_suffix (title, ":") || g_str_has_suffix (title, "."));
    g_assert_true (g_str_has_suffix (sentence, "."));
    g_assert_cmpint (g_utf8_strlen (sentence, -1), >, 40);
    g_assert_cmpint (g_utf8_strlen (sentence, -1), <, 330);
    g_assert_null (strstr (sentence, "null"));
    g_assert_null (strstr (sentence, "nan"));
    g_assert_null (strstr (sentence, "  "));
    g_assert_true (g_str_has_prefix (finding->text, title));
}

static void
test_case (gconstpointer data)
{
    const FindingCase *c = data;
    json_t *root = make_base (c->n_runs);
    for (guint i = 0; i < G_N_ELEMENTS (c->changes) && c->changes[i] != NULL; i++)
        edit (root, c->changes[i]);
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    g_autoptr (GString) found = g_string_new (NULL);
    for (guint i = 0; i < view->n_findings; i++) {
        g_string_append_printf (found, "%s%s", i > 0 ? " " : "", view->findings[i].id);
        assert_reads_well (view, &view->findings[i]);
        g_test_message ("%s", view->findings[i].text);
    }
    g_assert_cmpstr (found->str, ==, c->id);
    if (c->severity != NULL) {
        json_t *finding = json_array_get (json_object_get (root, "findings"), 0);
        g_assert_cmpstr (json_string_value (json_object_get (finding, "severity")), ==,
                         c->severity);
    }
    json_decref (root);
}

/* ---- the course of a test ---- */

static void
set_samples (json_t *root, guint run, guint n, guint64 before, guint border, guint64 after)
{
    json_t *object = json_array_get (
               json_object_get (json_array_get (json_object_get (root, "tests"), 0), "runs"), run),
           *bytes = json_array ();
    for (guint i = 0; i < n; i++)
        json_array_append_new (bytes, json_integer ((json_int_t) (i < border ? before : after)));
    json_object_set_new (json_object_get (object, "samples"), "bytes", bytes);
    json_object_set_new (object, "elapsed_ns", json_integer ((json_int_t) n * 100000000));
}

static const DgDocFinding *
find (const DgDocView *view, const gchar *id)
{
    for (guint i = 0; i < view->n_findings; i++)
        if (strcmp (view->findings[i].id, id) == 0)
            return &view->findings[i];
    return NULL;
}

static gboolean
has_cache_ended (guint64 before, guint border, guint64 after, gboolean is_write,
                 gboolean comes_back)
{
    json_t *root = make_base (1);
    edit (root, is_write ? "tests.0.direction = 'write'" : "tests.0.direction = 'read'");
    edit (root, "tests.0.shown.spread_percent = null");
    set_samples (root, 0, 20, before, border, after);
    if (comes_back) {
        json_t *bytes = json_object_get (
            json_object_get (
                json_array_get (
                    json_object_get (json_array_get (json_object_get (root, "tests"), 0), "runs"),
                    0),
                "samples"),
            "bytes");
        for (guint i = 14; i < 17; i++)
            json_array_set_new (bytes, i, json_integer ((json_int_t) before));
    }
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocFinding *finding = find (dg_document_view (document), "cache-ended");
    if (finding != NULL) {
        assert_reads_well (dg_document_view (document), finding);
        g_assert_cmpuint (
            (guint64) json_integer_value (json_object_get (finding->values, "written_bytes")), ==,
            before * border);
    }
    json_decref (root);
    return finding != NULL;
}

static void
test_cache_ended (void)
{
    g_assert_true (has_cache_ended (100000000, 10, 70000000, TRUE, FALSE));
    g_assert_false (has_cache_ended (100000000, 10, 70000001, TRUE, FALSE));
    g_assert_false (has_cache_ended (100000000, 10, 70000000, FALSE, FALSE));
    g_assert_false (has_cache_ended (100000000, 10, 30000000, TRUE, TRUE));
    g_assert_false (has_cache_ended (70000000, 10, 100000000, TRUE, FALSE));
    g_assert_true (has_cache_ended (100000000, 5, 30000000, TRUE, FALSE));
    /* A moment before, or too short after it, is no step. */
    g_assert_false (has_cache_ended (100000000, 4, 30000000, TRUE, FALSE));
    g_assert_false (has_cache_ended (100000000, 11, 30000000, TRUE, FALSE));
}

/* Copies are sequential: such a test is named though a random one fell deeper, and only of it is
 * anything said about copies. */
static void
test_cache_of_which (void)
{
    json_t *root = make_base (1);
    edit (root, "tests.0.direction = 'write'");
    edit (root, "tests.0.shown.spread_percent = null");
    set_samples (root, 0, 20, 100000000, 10, 60000000);
    json_t *tests = json_object_get (root, "tests");
    json_array_append_new (tests, json_deep_copy (json_array_get (tests, 0)));
    edit (root, "tests.0.access = 'random'");
    edit (root, "tests.0.name = 'RND4K Q32T1'");
    set_samples (root, 0, 20, 100000000, 10, 20000000);
    g_autoptr (DgDocument) both = make_document (root);
    const DgDocFinding *finding = find (dg_document_view (both), "cache-ended");
    g_assert_cmpstr (
        finding->text, ==,
        "The cache ended. SEQ1M Q4T1 write fell from 1000 MB/s to 600.0 MB/s after 954 MiB of this "
        "test: expect the lower figure for long copies. 1 other test shows it too.");
    json_array_remove (tests, 1);
    g_autoptr (DgDocument) one = make_document (root);
    finding = find (dg_document_view (one), "cache-ended");
    g_assert_nonnull (finding);
    g_assert_true (g_str_has_prefix (finding->text, "The cache ended. RND4K Q32T1 write fell"));
    g_assert_null (strstr (finding->text, "copies"));
    assert_reads_well (dg_document_view (one), finding);
    json_decref (root);
}

static gboolean
is_found (json_t *root, const gchar *bytes)
{
    g_autofree gchar *change = g_strdup_printf ("tests.0.runs.0.samples.bytes = %s", bytes);
    edit (root, "tests.0.direction = 'write'");
    edit (root, "tests.0.runs.0.elapsed_ns = 3000000000");
    edit (root, change);
    g_autoptr (DgDocument) document = make_document (root);
    return find (dg_document_view (document), "cache-ended") != NULL;
}

/* Real courses: what counts is that it is one step, and that nothing else explains it. */
static void
test_cache_noise (void)
{
    /* A slow drive: one or two transfers of 1 MiB in each sample, four before. */
    static const gchar slow[] = "[4,4,5,4,4,3,5,4,4,4,4,5,4,1,1,2,1,0,1,1,1,2,1,1,1,0,1,1,1,1]";
    /* The fast part wavers, and the slow one too. */
    static const gchar wavering[] = "[420,390,450,410,370,440,400,430,385,415,420,150,180,120,160,"
                                    "140,170,130,155,165,110,150,140,160,175,145,150,135,160,150]";
    /* A busy machine: down, up and down again. */
    static const gchar noise[] = "[420,390,250,410,370,140,400,230,385,115,420,150,380,120,260,"
                                 "340,170,230,155,365,110,250,140,260,175,345,150,235,160,250]";
    /* Slower and slower: no step. */
    static const gchar slope[] = "[400,390,380,370,360,350,340,330,320,310,300,290,280,270,260,"
                                 "250,240,230,220,210,200,190,180,170,160,150,140,130,120,110]";
    /* One second of a pause at the end of a run that was even. */
    static const gchar pause[] = "[400,400,400,400,400,400,400,400,400,400,400,400,400,400,400,"
                                 "400,400,400,400,400,400,400,400,400,400,20,20,20,20,20]";
    static const struct {
        const gchar *bytes;
        gboolean is_expected;
    } courses[] = {
        { slow, TRUE }, { wavering, TRUE }, { noise, FALSE }, { slope, FALSE }, { pause, FALSE }
    };
    for (guint i = 0; i < G_N_ELEMENTS (courses); i++) {
        json_t *root = make_base (1);
        if (is_found (root, courses[i].bytes) != courses[i].is_expected)
            g_error ("course %u", i);
        json_decref (root);
    }

    static const gchar *const disturbed[] = {
        "tests.0.runs.0.foreign_bytes = 60000000",
        "tests.0.runs.0.cpu_ns = 2900000000",
        "tests.0.runs.0.run_wait_ns = 2900000000",
    };
    for (guint i = 0; i < G_N_ELEMENTS (disturbed); i++) {
        json_t *root = make_base (1);
        edit (root, disturbed[i]);
        g_assert_false (is_found (root, wavering));
        json_decref (root);
    }
}

/* The last sample of a run is shorter than the others and must not look like a step; nor does the
 * pause between two runs. */
static void
test_incomplete_sample (void)
{
    json_t *root = make_base (2);
    edit (root, "tests.0.direction = 'write'");
    for (guint run = 0; run < 2; run++) {
        set_samples (root, run, 10, 100000000, 9, 1000);
        edit (root, run == 0 ? "tests.0.runs.0.elapsed_ns = 950000000"
                             : "tests.0.runs.1.elapsed_ns = 950000000");
    }
    g_autoptr (DgDocument) document = make_document (root);
    g_assert_null (find (dg_document_view (document), "cache-ended"));
    json_decref (root);
}

/* Which of the two is found: a fall to `last` of 100 MB, at once or slowly, in a test of two
 * seconds that begins at one second; temperatures at its beginning and at `at_ms`. */
static const gchar *
fall (gboolean is_write, gboolean is_slow, guint64 last, gdouble first_celsius,
      gdouble last_celsius, gdouble limit, guint at_ms)
{
    json_t *root = make_base (1);
    if (is_write)
        edit (root, "tests.0.direction = 'write'");
    set_samples (root, 0, 20, 100000000, 10, last);
    if (is_slow) {
        json_t *bytes = json_array ();
        for (guint i = 0; i < 20; i++)
            json_array_append_new (
                bytes, json_integer ((json_int_t) (100000000 - (100000000 - last) * i / 16)));
        json_t *run = json_array_get (
            json_object_get (json_array_get (json_object_get (root, "tests"), 0), "runs"), 0);
        json_object_set_new (json_object_get (run, "samples"), "bytes", bytes);
    }
    json_t *temperatures = json_pack (
        "[{s:i, s:I, s:f, s:f}, {s:i, s:I, s:f, s:f}]", "target", 0, "at_ns",
        (json_int_t) 1000000000, "celsius", first_celsius, "limit_celsius", limit, "target", 0,
        "at_ns", (json_int_t) at_ms * 1000000, "celsius", last_celsius, "limit_celsius", limit);
    json_object_set_new (root, "temperatures", temperatures);
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    const gchar *found = "";
    for (guint i = 0; i < view->n_findings; i++) {
        const DgDocFinding *finding = &view->findings[i];
        assert_reads_well (view, finding);
        g_assert_cmpstr (found, ==, ""); /* never both */
        found = strcmp (finding->id, "cache-ended") == 0                ? "cache"
                : g_str_has_prefix (finding->text, "Too hot:")          ? "hot"
                : g_str_has_prefix (finding->text, "Slower when warm:") ? "warm"
                                                                        : "?";
    }
    json_decref (root);
    return found;
}

static void
test_throttled (void)
{
    static const struct {
        gboolean is_write, is_slow;
        guint64 last;
        gdouble from, to, limit;
        guint at_ms;
        const gchar *found;
    } cases[] = {
        /* Reads have no write cache. */
        { FALSE, FALSE, 79000000, 40.0, 45.0, 80.0, 2900, "warm" },
        { FALSE, FALSE, 80000000, 40.0, 45.0, 80.0, 2900, "" },
        { FALSE, FALSE, 79000000, 40.0, 44.9, 80.0, 2900, "" },
        { FALSE, FALSE, 79000000, 79.0, 80.0, 80.0, 2900, "hot" },
        /* Slower and slower. */
        { TRUE, TRUE, 40000000, 40.0, 60.0, 80.0, 2900, "warm" },
        { TRUE, TRUE, 40000000, 60.0, 80.0, 80.0, 2900, "hot" },
        /* One step: the cache, though writing warms the drive; its limit explains it only when it
         * had been reached by then. */
        { TRUE, FALSE, 30000000, 38.0, 46.0, 82.0, 2900, "cache" },
        { TRUE, FALSE, 30000000, 38.0, 46.0, 82.0, 1900, "cache" },
        { TRUE, FALSE, 30000000, 70.0, 82.0, 82.0, 1900, "hot" },
        { TRUE, FALSE, 30000000, 70.0, 82.0, 82.0, 3001, "cache" },
        /* Too small a step for a cache. */
        { TRUE, FALSE, 79000000, 40.0, 45.0, 80.0, 2900, "warm" },
        /* Read after the test, it tells of what came next. */
        { FALSE, FALSE, 50000000, 40.0, 80.0, 80.0, 4001, "" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_test_message ("%u", i);
        g_assert_cmpstr (fall (cases[i].is_write, cases[i].is_slow, cases[i].last, cases[i].from,
                               cases[i].to, cases[i].limit, cases[i].at_ms),
                         ==, cases[i].found);
    }
}

/* ---- order, indices, old documents ---- */

static void
test_order (void)
{
    json_t *root = make_base (3);
    static const gchar *const changes[] = {
        "host.on_battery = true",           "plan.data = 'zero'",
        "targets.0.filesystem = 'btrfs'",   "tests.0.shown.spread_percent = 9.0",
        "targets.0.link.protocol = 'bot'",  "targets.0.link.uas_offered = true",
        "tests.0.runs.0.direct = 'refuted'"
    };
    for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
        edit (root, changes[i]);
    edit (root, "tests.0.runs.0.errors = [{'operation': 'write', 'offset_bytes': 0, 'os_code': 5, "
                "'text': 'E', 'count': 1}]");
    g_autoptr (DgDocument) document = make_document (root);
    static const gchar *const expected[] = { "io-errors", "not-direct", "bot-not-uas",  "unstable",
                                             "zero-data", "on-battery", "copy-on-write" };
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, G_N_ELEMENTS (expected));
    for (guint i = 0; i < view->n_findings; i++)
        g_assert_cmpstr (view->findings[i].id, ==, expected[i]);
    /* Made again, they are the same. */
    json_t *before = json_deep_copy (json_object_get (root, "findings"));
    dg_document_renew_findings (document);
    g_assert_true (json_equal (before, json_object_get (root, "findings")));
    json_decref (before);
    json_decref (root);
}

static void
test_concerns (void)
{
    json_t *root = make_base (3);
    json_array_append_new (json_object_get (root, "tests"),
                           json_deep_copy (json_array_get (json_object_get (root, "tests"), 0)));
    json_array_append_new (json_object_get (root, "tests"),
                           json_deep_copy (json_array_get (json_object_get (root, "tests"), 0)));
    edit (root, "tests.0.shown.spread_percent = 6.0");
    edit (root, "tests.2.shown.spread_percent = 9.0");
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, 1);
    g_assert_cmpint (view->findings[0].test, ==, 2);
    g_assert_true (dg_findings_concerns (&view->findings[0], 0));
    g_assert_false (dg_findings_concerns (&view->findings[0], 1));
    g_assert_true (dg_findings_concerns (&view->findings[0], 2));
    g_assert_true (g_str_has_suffix (view->findings[0].text, "1 other test shows it too."));
    json_decref (root);
}

#ifdef G_OS_WIN32
#define DISK_FULL 112 /* ERROR_DISK_FULL */
#else
#define DISK_FULL ENOSPC
#endif

static void
test_sentences (void)
{
    json_t *root = make_base (3);
    edit (root, "targets.0.link.best_possible = {'name': 'USB 3.2 Gen 2', 'speed_bits_per_s': "
                "10000000000}");
    edit (root, "targets.0.link.speed_bits_per_s = 480000000");
    edit (root, "targets.0.link.path = [{'kind': 'drive'}, {'kind': 'bridge', 'up_bits_per_s': "
                "480000000}, {'kind': 'port', 'name': 'Port 3'}]");
    edit (root, "targets.0.link.practical_low_bytes_per_s = 33000000");
    edit (root, "targets.0.link.ceiling_bytes_per_s = 43000000");
    edit (root, "targets.0.link.after_coding_bytes_per_s = null");
    edit (root, "tests.0.runs.0.bandwidth_bytes_per_s = 20000000.0");
    edit (root, "tests.0.runs.0.errors = [{'operation': 'read', 'offset_bytes': 327155712, "
                "'os_code': 5, 'text': 'Input/output error', 'count': 14}]");
    edit (root, "tests.0.runs.0.ios = 31186");
    edit (root, "tests.0.runs.1.ios = 0");
    edit (root, "tests.0.runs.2.ios = 0");
    edit (root, "tests.0.runs.1.used = false");
    edit (root, "tests.0.runs.2.used = false");
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, 2);
    g_assert_cmpstr (view->findings[0].text, ==,
                     "Read errors: 14 of 31200 transfers failed (Input/output error), the first at "
                     "312 MiB. Copy your data before you go on.");
    g_assert_cmpstr (view->findings[1].text, ==,
                     "Slow port: this drive can do 10 Gb/s but is plugged into a USB 2 port: "
                     "expect 33 to 43 MB/s. Try another port or cable.");
    json_decref (root);
}

/* A full file system is no damage: data need no saving, room is needed. */
static void
test_full (void)
{
    json_t *root = make_base (1);
    g_autofree gchar *errors =
        g_strdup_printf ("tests.0.runs.0.errors = [{'operation': 'write', 'offset_bytes': 6291456, "
                         "'os_code': %d, 'text': 'No space left on device', 'count': 1}]",
                         DISK_FULL);
    edit (root, errors);
    edit (root, "tests.0.runs.0.ios = 1640");
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, 1);
    assert_reads_well (view, &view->findings[0]);
    g_assert_cmpstr (view->findings[0].text, ==,
                     "Write errors: 1 of 1641 transfers failed: the file system had no room left. "
                     "Free some space, or choose a smaller size.");
    json_decref (root);
}

/* The values of a document that came from elsewhere are anybody's. */
static void
test_hostile_values (void)
{
    static const struct {
        const gchar *id, *key;
    } cases[] = { { "shared-hub", "hub" },         { "slow-port", "place_name" },
                  { "narrow-link", "place_name" }, { "narrow-link", "best_name" },
                  { "fuse-target", "filesystem" }, { "io-errors", "error" } };
    g_autoptr (GString) evil = g_string_new ("\u202e\x1b[31m<b>\u2066");
    while (evil->len < 100000)
        g_string_append (evil, "x");
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        json_t *root = make_base (1);
        json_t *values = json_pack ("{s:i, s:s, s:s}", "other_drives", 1, "place_kind", "hub",
                                    cases[i].key, evil->str);
        json_object_set_new (values, "bits_per_s", json_integer (480000000));
        json_object_set_new (values, "practical_low_bytes_per_s", json_integer (33000000));
        json_object_set_new (values, "ceiling_bytes_per_s", json_integer (43000000));
        json_object_set_new (root, "findings",
                             json_pack ("[{s:s, s:s, s:o}]", "id", cases[i].id, "severity", "info",
                                        "values", values));
        g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
        const DgDocView *view = dg_document_view (document);
        g_autofree gchar *title = NULL, *sentence = NULL;
        g_test_message ("%s %s", cases[i].id, cases[i].key);
        g_assert_cmpuint (view->n_findings, ==, 1);
        dg_finding_describe (view, &view->findings[0], &title, &sentence);
        g_assert_null (strstr (sentence, "\u202e"));
        g_assert_null (strstr (sentence, "\u2066"));
        g_assert_null (strchr (sentence, '\x1b'));
        g_assert_cmpint (g_utf8_strlen (sentence, -1), <, 1024);
        json_decref (root);
    }
}

static void
test_proof (void)
{
    json_t *root = make_base (3);
    g_autoptr (DgDocument) document = make_document (root);
    g_assert_true (dg_findings_direct_proved (dg_document_view (document)));
    edit (root, "tests.0.runs.2.direct = 'unknown'");
    g_autoptr (DgDocument) other = make_document (root);
    g_assert_false (dg_findings_direct_proved (dg_document_view (other)));
    json_decref (root);
    json_t *none = make_base (0);
    g_autoptr (DgDocument) empty = make_document (none);
    g_assert_false (dg_findings_direct_proved (dg_document_view (empty)));
    json_decref (none);
}

/* What cannot be proved is said in the tick's place, by its reason, and is no finding. */
static void
test_doubt (void)
{
    static const struct {
        const gchar *reason, *says;
    } doubts[] = { { DG_REASON_NO_MEANS, "counters" },
                   { DG_REASON_TOO_FEW, "larger file" },
                   { DG_REASON_FUSE, "lies between" },
                   { DG_REASON_LOOP_CACHES, "lies between" },
                   { "", "nothing in this result" } };
    json_t *root = make_base (3);
    g_autoptr (DgDocument) proved = make_document (root);
    g_assert_false (dg_findings_direct_unproved (dg_document_view (proved), NULL));
    edit (root, "tests.0.runs.1.direct = 'unknown'");
    for (guint i = 0; i < G_N_ELEMENTS (doubts); i++) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        g_autofree gchar *line =
            g_strdup_printf ("tests.0.runs.1.direct_reason = '%s'", doubts[i].reason);
        const gchar *reason = NULL;
        edit (root, line);
        g_autoptr (DgDocument) document = make_document (root);
        g_assert_true (dg_findings_direct_unproved (dg_document_view (document), &reason));
        g_assert_cmpstr (reason, ==, doubts[i].reason);
        g_assert_cmpuint (dg_document_view (document)->n_findings, ==, 0);
        dg_findings_describe_doubt (dg_document_view (document), &title, &sentence);
        g_assert_cmpstr (title, ==, "Direct I/O not proven:");
        g_assert_nonnull (strstr (sentence, doubts[i].says));
    }
    /* One that is refuted has its finding; nothing run, nothing said. */
    edit (root, "tests.0.runs.2.direct = 'refuted'");
    g_autoptr (DgDocument) refuted = make_document (root);
    g_assert_false (dg_findings_direct_unproved (dg_document_view (refuted), NULL));
    json_decref (root);
    json_t *none = make_base (0);
    g_autoptr (DgDocument) empty = make_document (none);
    g_assert_false (dg_findings_direct_unproved (dg_document_view (empty), NULL));
    json_decref (none);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < n_finding_cases; i++) {
        g_autofree gchar *name = g_strdup_printf (
            "/findings/%s/%u", finding_cases[i].id[0] == '\0' ? "none" : finding_cases[i].id, i);
        g_test_add_data_func (name, &finding_cases[i], test_case);
    }
    g_test_add_func ("/findings/cache-ended", test_cache_ended);
    g_test_add_func ("/findings/cache-of-which", test_cache_of_which);
    g_test_add_func ("/findings/cache-noise", test_cache_noise);
    g_test_add_func ("/findings/incomplete-sample", test_incomplete_sample);
    g_test_add_func ("/findings/throttled", test_throttled);
    g_test_add_func ("/findings/order", test_order);
    g_test_add_func ("/findings/concerns", test_concerns);
    g_test_add_func ("/findings/sentences", test_sentences);
    g_test_add_func ("/findings/full", test_full);
    g_test_add_func ("/findings/hostile-values", test_hostile_values);
    g_test_add_func ("/findings/proof", test_proof);
    g_test_add_func ("/findings/doubt", test_doubt);
    return g_test_run ();
}
