/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/findings-private.h"

#include <math.h>
#include <string.h>

typedef struct {
    const gchar *id;
    const gchar *title;
    gchar *(*sentence) (const DgWording *w);
} FindingRow;

/* In the order shown among findings of equal severity class: errors, what limits, doubts,
 * information. A title that ends in a colon is continued by its sentence, one that ends in a full
 * stop is followed by it. */
/* clang-format off */
static const FindingRow rows[] = {
    { "io-errors", NULL, dg_sentence_io_errors },
    { "not-direct", N_ ("Not direct:"), dg_sentence_not_direct },
    { "memory-target", N_ ("This is memory."), dg_sentence_memory_target },

    { "slow-port", N_ ("Slow port:"), dg_sentence_slow_port },
    { "narrow-link", N_ ("Narrow link:"), dg_sentence_narrow_link },
    { "link-is-limit", N_ ("The link is the limit."), dg_sentence_link_is_limit },
    { "bot-not-uas", N_ ("One command at a time:"), dg_sentence_bot_not_uas },
    { "shared-hub", N_ ("Shared hub:"), dg_sentence_shared_hub },
    { "cache-ended", N_ ("The cache ended."), dg_sentence_cache_ended },
    { "throttled", NULL, dg_sentence_throttled },
    { "cpu-limited", N_ ("The processor is the limit."), dg_sentence_cpu_limited },
    { "queue-not-reached", N_ ("Queue not reached:"), dg_sentence_queue_not_reached },
    { "kernel-threads", N_ ("Kernel threads:"), dg_sentence_kernel_threads },

    { "above-link", N_ ("Faster than the link:"), dg_sentence_above_link },
    { "unstable", N_ ("Unstable:"), dg_sentence_unstable },
    { "busy-drive", N_ ("Busy drive:"), dg_sentence_busy_drive },
    { "also-running", N_ ("Two measurements at once:"), dg_sentence_also_running },
    { "too-few-ios", N_ ("Too few transfers:"), dg_sentence_too_few_ios },
    { "zero-data", N_ ("Zeros written:"), dg_sentence_zero_data },
    { "network-target", N_ ("Network:"), dg_sentence_network_target },
    { "fuse-target", N_ ("Program in between:"), dg_sentence_fuse_target },
    { "nearly-full", N_ ("Nearly full:"), dg_sentence_nearly_full },
    { "fragmented", N_ ("Fragmented:"), dg_sentence_fragmented },
    { "misaligned", N_ ("Misaligned:"), dg_sentence_misaligned },
    { "sub-sector", N_ ("Smaller than a sector:"), dg_sentence_sub_sector },
    { "fallback-backend", N_ ("Other way of access:"), dg_sentence_fallback_backend },
    { "was-asleep", N_ ("Was asleep:"), dg_sentence_was_asleep },
    { "suspended", N_ ("Suspended:"), dg_sentence_suspended },
    { "on-battery", N_ ("On battery:"), dg_sentence_on_battery },

    { "compressed", N_ ("Compression:"), dg_sentence_compressed },
    { "copy-on-write", N_ ("Copy on write:"), dg_sentence_copy_on_write },
    { "encrypted", N_ ("Encrypted:"), dg_sentence_encrypted },
};
/* clang-format on */

static gint
find_row (const gchar *id)
{
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        if (g_strcmp0 (id, rows[i].id) == 0)
            return (gint) i;
    return -1;
}

gboolean
dg_findings_is_known (const gchar *id)
{
    return find_row (id) >= 0;
}

/* ---- making ---- */

const DgDocRun *
dg_findings_shown (const DgDocTest *test)
{
    return test->shown >= 0 && (guint) test->shown < test->n_runs ? &test->runs[test->shown] : NULL;
}

/* All of a test's streams go to one target as long as only such plans are offered. */
guint
dg_findings_target_of (const DgDocView *view, const DgDocTest *test)
{
    return 0;
}

void
dg_findings_add (DgFindings *self, const gchar *id, DgSeverity severity, gint target, gint test,
                 GArray *tests, json_t *values)
{
    static const gchar *const severities[] = { [DG_SEVERITY_INFO] = "info",
                                               [DG_SEVERITY_WARNING] = "warning",
                                               [DG_SEVERITY_INVALID] = "invalid" };
    if (tests != NULL) {
        json_t *array = json_array ();
        for (guint i = 0; i < tests->len; i++)
            json_array_append_new (array, json_integer (g_array_index (tests, guint, i)));
        json_object_set_new (values, "tests", array);
        g_array_unref (tests);
    }
    json_t *object = json_object ();
    json_object_set_new (object, "id", json_string (id));
    json_object_set_new (object, "severity", json_string (severities[severity]));
    json_object_set_new (object, "target", target < 0 ? json_null () : json_integer (target));
    json_object_set_new (object, "test", test < 0 ? json_null () : json_integer (test));
    json_object_set_new (object, "values", values);
    json_array_append_new (self->out, object);
}

static gint
rank_of (json_t *finding)
{
    gint rank = find_row (json_string_value (json_object_get (finding, "id")));
    gboolean invalid =
        g_strcmp0 (json_string_value (json_object_get (finding, "severity")), "invalid") == 0;
    return invalid ? rank - (gint) G_N_ELEMENTS (rows) : rank;
}

static gint
compare_rank (gconstpointer a, gconstpointer b)
{
    return rank_of (*(json_t *const *) a) - rank_of (*(json_t *const *) b);
}

static void describe (const DgWording *w, gchar **ret_title, gchar **ret_sentence);

static void
add_text (const DgDocView *view, json_t *object)
{
    json_t *test = json_object_get (object, "test");
    DgDocFinding finding = { .id = (gchar *) json_string_value (json_object_get (object, "id")),
                             .target = -1,
                             .test = json_is_integer (test) ? (gint) json_integer_value (test) : -1,
                             .values = json_object_get (object, "values") };
    g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
    DgWording w = { view, &finding, FALSE, DG_FOR_FILE, owned };
    g_autofree gchar *title = NULL, *sentence = NULL;
    describe (&w, &title, &sentence);
    g_autofree gchar *text = g_strdup_printf ("%s %s", title, sentence);
    json_object_set_new (object, "text", json_string (text));
}

json_t *
dg_findings_make (const DgDocView *view)
{
    DgFindings self = { view, json_array () };
    dg_findings_make_link (&self);
    dg_findings_make_runs (&self);
    dg_findings_make_course (&self);
    dg_findings_make_target (&self);

    g_autoptr (GPtrArray) order = g_ptr_array_new ();
    for (gsize i = 0; i < json_array_size (self.out); i++)
        g_ptr_array_add (order, json_array_get (self.out, i));
    g_ptr_array_sort (order, compare_rank);
    json_t *sorted = json_array ();
    for (guint i = 0; i < order->len; i++) {
        add_text (view, order->pdata[i]);
        json_array_append (sorted, order->pdata[i]);
    }
    json_decref (self.out);
    return sorted;
}

gboolean
dg_findings_concerns (const DgDocFinding *finding, gint test)
{
    json_t *tests = json_object_get (finding->values, "tests");
    for (gsize i = 0; i < json_array_size (tests); i++)
        if (json_integer_value (json_array_get (tests, i)) == test)
            return TRUE;
    return finding->test == test && test >= 0;
}

/* ---- describing ---- */

/* Of the rows without one. */
static const gchar *
title_of (const DgWording *w)
{
    if (strcmp (w->finding->id, "throttled") == 0)
        return dg_word_is_at_limit (w)            ? dg_word (w, N_ ("Too hot:"))
                                                  : dg_word (w, N_ ("Slower when warm:"));
    const gchar *direction = dg_word_value (w, "direction");
    if (g_strcmp0 (direction, "read") == 0)
        return dg_word (w, N_ ("Read errors:"));
    return g_strcmp0 (direction, "write") == 0            ? dg_word (w, N_ ("Write errors:"))
                                                          : dg_word (w, N_ ("Errors:"));
}

/* A sentence after a full stop begins with a capital, unless a name as the system writes it stands
 * there. */
static gchar *
begin_large (const DgWording *w, gchar *sentence /* (transfer full) */)
{
    if (!g_str_has_prefix (sentence, dg_word (w, N_ ("a test")))
                           && !g_str_has_prefix (sentence, dg_word (w, N_ ("this file system"))))
        return sentence;
    gchar first[7] = { 0 };
    g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (sentence)), first);
    gchar *whole = g_strconcat (first, g_utf8_next_char (sentence), NULL);
    g_free (sentence);
    return whole;
}

static void
describe (const DgWording *w, gchar **ret_title, gchar **ret_sentence)
{
    gint row = find_row (w->finding->id);
    *ret_title = g_strdup (rows[row].title == NULL ? title_of (w) : dg_word (w, rows[row].title));
    *ret_sentence = rows[row].sentence (w);
    if (g_str_has_suffix (*ret_title, "."))
        *ret_sentence = begin_large (w, *ret_sentence);
    gsize others = json_array_size (json_object_get (w->finding->values, "tests"));
    if (others < 2)
        return;
    others--;
    /* translators: follows the sentence of a finding that names one test */
    g_autofree gchar *more = g_strdup_printf (
        dg_words (w, "%lu other test shows it too.", "%lu other tests show it too.", others),
        (gulong) others);
    gchar *whole = g_strdup_printf ("%s %s", *ret_sentence, more);
    g_free (*ret_sentence);
    *ret_sentence = whole;
}

void
dg_finding_describe (const DgDocView *view, const DgDocFinding *finding, gchar **ret_title,
                     gchar **ret_sentence)
{
    if (find_row (finding->id) < 0 || finding->values == NULL) {
        *ret_title = g_strdup (finding->id);
        *ret_sentence = g_strdup (finding->text);
        return;
    }
    g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
    DgWording w = { view, finding, TRUE, DG_FOR_WINDOW, owned };
    describe (&w, ret_title, ret_sentence);
}

gboolean
dg_findings_direct_proved (const DgDocView *view)
{
    gboolean any = FALSE;
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            if (g_strcmp0 (view->tests[i].runs[k].direct, "proved") != 0)
                return FALSE;
            any = TRUE;
        }
    return any;
}

void
dg_findings_describe_proof (const DgDocView *view, gchar **ret_title, gchar **ret_sentence)
{
    *ret_title = g_strdup (_ ("Direct I/O proven:"));
    *ret_sentence = g_strdup (_ ("nothing came out of the system’s cache."));
}

gboolean
dg_findings_direct_unproved (const DgDocView *view, const gchar **ret_reason)
{
    const gchar *reason = NULL;
    gboolean any = FALSE;
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            const DgDocRun *run = &view->tests[i].runs[k];
            if (g_strcmp0 (run->direct, "refuted") == 0)
                return FALSE;
            if (g_strcmp0 (run->direct, "proved") == 0)
                continue;
            reason = any ? reason : run->direct_reason;
            any = TRUE;
        }
    if (any && ret_reason != NULL)
        *ret_reason = reason;
    return any;
}

static const gchar *
doubt_sentence (const gchar *reason)
{
    static const gchar *const between[] = { DG_REASON_LOOP_CACHES,
                                            DG_REASON_NETWORK,
                                            DG_REASON_FUSE,
                                            DG_REASON_OVERLAY,
                                            DG_REASON_ZFS,
                                            DG_REASON_9P,
                                            NULL };
    if (g_strcmp0 (reason, DG_REASON_NO_MEANS) == 0)
        return _ ("it was asked for, but this system shows neither its cache nor the drive’s own counters, so a cache may have taken part unseen.");
    if (g_strcmp0 (reason, DG_REASON_TOO_FEW) == 0)
        return _ ("too little was moved to tell whether a cache took part. Measure longer or with a larger file.");
    if (reason != NULL && g_strv_contains (between, reason))
        return _ ("what lies between this program and the drive may have a cache of its own, into which nobody can look from here.");
    return _ ("nothing in this result shows whether a cache took part.");
}

void
dg_findings_describe_doubt (const DgDocView *view, gchar **ret_title, gchar **ret_sentence)
{
    const gchar *reason = NULL;
    dg_findings_direct_unproved (view, &reason);
    *ret_title = g_strdup (_ ("Direct I/O not proven:"));
    *ret_sentence = g_strdup (doubt_sentence (reason));
}
