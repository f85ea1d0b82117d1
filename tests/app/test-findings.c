/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each finding: made by the smallest document that shows it, and not made just below its threshold.
 */
#include "app/core/document.h"
#include "app/core/findings.h"

#include <string.h>

/* A good result: nothing to find. One read of 1000 MB/s and three runs. */
static const gchar run_text[] =
    "{'started_ns': 1000000000, 'bytes': 2000000000, 'ios': 2000, 'elapsed_ns': 2000000000,"
    " 'bandwidth_bytes_per_s': 1000000000.0, 'iops': 1000.0, 'latency': {'mean_ns': 4000000.0, "
    "'min_ns': 3000000, 'p50_ns': 4000000,"
    " 'p95_ns': 5000000, 'p99_ns': 5000000, 'p99_9_ns': 5000000, 'max_ns': 6000000},"
    " 'samples': {'axis': 'time', 'step': 100000000, 'bytes': [100000000, 100000000, 100000000, "
    "100000000, 100000000]},"
    " 'backend': 'io_uring', 'backend_reason': 'default', 'direct': 'proved', 'direct_reason': "
    "null, 'queue_depth_engine': 4.0,"
    " 'inflight_max': 4, 'cpu_ns': 200000000, 'kernel_worker_cpu_ns': 0, 'run_wait_ns': 0, "
    "'first_io_ns': 4000000, 'suspended_ns': 0,"
    " 'device_bytes': 2000000000, 'foreign_bytes': 0, 'used': true, 'errors': []}";
static const gchar base_text[] =
    "{'format': 'drivegauge-result', 'version': 1, 'id': '5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11', "
    "'started': '2025-11-30T14:32:00Z', 'state': 'done',"
    " 'origin': 'measured', 'program': {'name': 'Drive Gauge', 'version': '1'}, 'host': {'cpus': "
    "4, 'on_battery': false},"
    " 'targets': [{'filesystem': 'ext4', 'options': 'rw,relatime', 'size_bytes': 1000000000000, "
    "'free_bytes': 500000000000, 'layers': [],"
    "   'partition_start_bytes': 1048576, 'also_running': false, 'file': {'size_bytes': "
    "1073741824, 'extents': 1},"
    "   'drive': {'name': 'sda', 'model': 'A', 'queue_limit': 64, 'physical_block_bytes': 4096, "
    "'encrypted': false},"
    "   'link': {'kind': 'usb', 'protocol': 'uas', 'speed_bits_per_s': 20000000000, 'path': "
    "[{'kind': 'drive', 'up_bits_per_s': 32000000000},"
    "      {'kind': 'bridge', 'name': 'B', 'up_bits_per_s': 20000000000}, {'kind': 'hub', 'name': "
    "'H', 'other_drives': 0, 'up_bits_per_s': 20000000000},"
    "      {'kind': 'controller', 'name': 'C'}],"
    "     'after_coding_bytes_per_s': 2424000000, 'practical_low_bytes_per_s': 1900000000, "
    "'ceiling_bytes_per_s': 2100000000, 'best_possible': null}}],"
    " 'plan': {'runs': 3, 'statistic': 'median', 'data': 'random', 'directions': ['read']},"
    " 'tests': [{'kind': 'speed', 'name': 'SEQ1M Q4T1', 'direction': 'read', 'state': 'done', "
    "'block_size_bytes': 1048576, 'queue_depth': 4, 'threads': 1,"
    "   'access': 'sequential', 'read_percent': 100, 'runs': [], 'shown': {'run': 0, 'statistic': "
    "'median', 'spread_percent': 1.0}}], 'temperatures': []}";

static json_t *
parse (const gchar *text)
{
    g_autofree gchar *copy = g_strdelimit (g_strdup (text), "'", '"');
    json_error_t error;
    json_t *value = json_loads (copy, JSON_DECODE_ANY, &error);
    if (value == NULL)
        g_error ("%s: %s", copy, error.text);
    return value;
}

static json_t *
make_base (guint n_runs)
{
    json_t *root = parse (base_text);
    json_t *runs = json_object_get (json_array_get (json_object_get (root, "tests"), 0), "runs");
    for (guint i = 0; i < n_runs; i++) {
        json_t *run = parse (run_text);
        json_object_set_new (run, "started_ns",
                             json_integer (1000000000 + (json_int_t) i * 2100000000));
        json_array_append_new (runs, run);
    }
    return root;
}

/* "tests.0.direction = 'write'" */
static void
edit (json_t *root, const gchar *change)
{
    g_auto (GStrv) sides = g_strsplit (change, " = ", 2);
    g_auto (GStrv) steps = g_strsplit (sides[0], ".", -1);
    json_t *at = root;
    guint last = g_strv_length (steps) - 1;
    for (guint i = 0; i < last; i++)
        at = json_is_array (at) ? json_array_get (at, (gsize) g_ascii_strtoull (steps[i], NULL, 10))
                                : json_object_get (at, steps[i]);
    g_assert_nonnull (at);
    if (json_is_array (at))
        json_array_set_new (at, (gsize) g_ascii_strtoull (steps[last], NULL, 10), parse (sides[1]));
    else
        json_object_set_new (at, steps[last], parse (sides[1]));
}

typedef struct {
    const gchar *id; /* one id, "" for none */
    const gchar *severity;
    guint n_runs;
    const gchar *changes[8];
} Case;

static const Case cases[] = {
    { "", NULL, 3, { NULL } },

    { "not-direct",
      "invalid",
      3,
      { "tests.0.runs.1.direct = 'refuted'",
        "tests.0.runs.1.direct_reason = 'refused-o-direct'" } },
    { "", NULL, 3, { "tests.0.runs.1.direct = 'unknown'" } },

    { "above-link", "warning", 3, { "tests.0.runs.0.bandwidth_bytes_per_s = 2472480001.0" } },
    { "link-is-limit", "info", 3, { "tests.0.runs.0.bandwidth_bytes_per_s = 2472480000.0" } },
    { "link-is-limit", "info", 3, { "tests.0.runs.0.bandwidth_bytes_per_s = 1767000000.0" } },
    { "", NULL, 3, { "tests.0.runs.0.bandwidth_bytes_per_s = 1766999999.0" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.bandwidth_bytes_per_s = 9e9",
        "targets.0.link.after_coding_bytes_per_s = null",
        "targets.0.link.practical_low_bytes_per_s = null" } },

    { "slow-port",
      "warning",
      3,
      { "targets.0.link.best_possible = {'name': 'USB 3.2 Gen 2', 'speed_bits_per_s': 10000000000}",
        "targets.0.link.speed_bits_per_s = 480000000",
        "targets.0.link.practical_low_bytes_per_s = null",
        "targets.0.link.after_coding_bytes_per_s = null" } },
    { "",
      NULL,
      3,
      { "targets.0.link.best_possible = {'name': 'USB4', 'speed_bits_per_s': 20000000000}" } },
    { "narrow-link",
      "warning",
      3,
      { "targets.0.link.kind = 'pcie'", "targets.0.link.protocol = 'nvme'",
        "targets.0.link.path.1.up_bits_per_s = 32000000000",
        "targets.0.link.path.2.up_bits_per_s = 32000000000",
        "targets.0.link.speed_bits_per_s = 32000000000",
        "targets.0.link.path.0.up_max_bits_per_s = 64000000000" } },
    { "narrow-link",
      "warning",
      3,
      { "targets.0.link.path.2.kind = 'bridge'",
        "targets.0.link.path.2.up_bits_per_s = 8000000000" } },
    { "slow-port", "warning", 3, { "targets.0.link.path.2.up_bits_per_s = 5000000000" } },
    /* The mark of the document, made from the rates after coding, counts more than the line rate.
     */
    { "",
      NULL,
      3,
      { "targets.0.link.path.2.up_bits_per_s = 19000000000",
        "targets.0.link.path.1.narrowest = true" } },
    { "",
      NULL,
      3,
      { "targets.0.link.kind = 'pcie'", "targets.0.link.protocol = 'nvme'",
        "targets.0.link.path.1.up_bits_per_s = 32000000000",
        "targets.0.link.path.2.up_bits_per_s = 32000000000",
        "targets.0.link.speed_bits_per_s = 32000000000",
        "targets.0.link.path.0.up_max_bits_per_s = 32000000000" } },
    { "bot-not-uas",
      "info",
      3,
      { "targets.0.link.protocol = 'bot'", "targets.0.link.uas_offered = true" } },
    { "", NULL, 3, { "targets.0.link.protocol = 'bot'", "targets.0.link.uas_offered = false" } },
    { "", NULL, 3, { "targets.0.link.protocol = 'bot'" } },
    { "",
      NULL,
      3,
      { "targets.0.link.protocol = 'bot'", "targets.0.link.uas_offered = true",
        "targets.0.link.speed_bits_per_s = 480000000" } },
    { "shared-hub", "info", 3, { "targets.0.link.path.2.other_drives = 1" } },

    { "unstable", "warning", 3, { "tests.0.shown.spread_percent = 5.01" } },
    { "", NULL, 3, { "tests.0.shown.spread_percent = 5.0" } },
    { "unstable",
      "warning",
      9,
      { "plan.runs = 'auto'", "tests.0.runs.8.bandwidth_bytes_per_s = 1020000001.0" } },
    { "",
      NULL,
      9,
      { "plan.runs = 'auto'", "tests.0.runs.8.bandwidth_bytes_per_s = 1020000000.0" } },
    { "",
      NULL,
      8,
      { "plan.runs = 'auto'", "tests.0.runs.7.bandwidth_bytes_per_s = 1100000000.0" } },

    { "was-asleep", "info", 3, { "tests.0.runs.0.first_io_ns = 500000001" } },
    { "", NULL, 3, { "tests.0.runs.0.first_io_ns = 500000000" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.first_io_ns = 500000001", "tests.0.runs.0.latency.p50_ns = 50000000" } },

    { "busy-drive", "warning", 3, { "tests.0.runs.2.foreign_bytes = 40000001" } },
    { "", NULL, 3, { "tests.0.runs.2.foreign_bytes = 40000000" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.2.foreign_bytes = 2000000", "tests.0.runs.2.bytes = 10000000" } },
    { "", NULL, 3, { "tests.0.runs.2.foreign_bytes = 40000001", "tests.0.runs.2.used = false" } },

    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.cpu_ns = 1000000000", "tests.0.runs.0.run_wait_ns = 800000001" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.cpu_ns = 1000000000", "tests.0.runs.0.run_wait_ns = 800000000" } },
    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.cpu_ns = 7200000001", "tests.0.threads = 16",
        "tests.0.runs.0.inflight_max = 64" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.cpu_ns = 7200000000", "tests.0.threads = 16",
        "tests.0.runs.0.inflight_max = 64" } },

    { "queue-not-reached", "warning", 3, { "tests.0.runs.0.inflight_max = 1" } },
    { "", NULL, 3, { "tests.0.runs.0.inflight_max = 2" } },
    { "", NULL, 3, { "tests.0.runs.0.inflight_max = 1", "tests.0.queue_depth = 3" } },
    { "", NULL, 3, { "tests.0.runs.0.inflight_max = 1", "targets.0.drive.queue_limit = 2" } },
    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.cpu_ns = 1900000000" } },

    { "kernel-threads", "info", 3, { "tests.0.runs.0.kernel_worker_cpu_ns = 40000001" } },
    { "", NULL, 3, { "tests.0.runs.0.kernel_worker_cpu_ns = 40000000" } },
    { "too-few-ios", "warning", 3, { "tests.0.runs.0.ios = 99" } },
    { "", NULL, 3, { "tests.0.runs.0.ios = 100" } },
    { "fallback-backend",
      "info",
      3,
      { "tests.0.runs.0.backend = 'libaio'",
        "tests.0.runs.0.backend_reason = 'io-uring-refused'" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.backend = 'libaio'", "tests.0.runs.0.backend_reason = 'asked'" } },
    { "suspended", "info", 3, { "tests.0.runs.0.suspended_ns = 100000000" } },
    { "", NULL, 3, { "tests.0.runs.0.suspended_ns = 99999999" } },
    { "io-errors",
      "invalid",
      3,
      { "tests.0.runs.1.errors = [{'operation': 'read', 'offset_bytes': 327155712, 'length_bytes': "
        "4096, 'os_code': 5, 'text': 'Input/output error', 'count': 14}]" } },

    { "fragmented", "warning", 3, { "targets.0.file.extents = 129" } },
    { "", NULL, 3, { "targets.0.file.extents = 128" } },
    { "", NULL, 3, { "targets.0.file.extents = 1", "targets.0.file.size_bytes = 1048576" } },
    { "misaligned", "warning", 3, { "targets.0.partition_start_bytes = 32256" } },
    { "misaligned",
      "warning",
      3,
      { "targets.0.partition_start_bytes = 4096", "targets.0.drive.physical_block_bytes = 8192" } },
    { "", NULL, 3, { "targets.0.partition_start_bytes = 4096" } },
    { "sub-sector", "warning", 3, { "tests.0.block_size_bytes = 2048" } },
    { "", NULL, 3, { "tests.0.block_size_bytes = 4096" } },
    { "zero-data", "warning", 3, { "plan.data = 'zero'" } },
    { "compressed", "info", 3, { "targets.0.options = 'rw,compress=zstd:3'" } },
    { "compressed", "info", 3, { "targets.0.compressed = true" } },
    { "", NULL, 3, { "targets.0.options = 'rw,nocompress'" } },
    { "copy-on-write", "info", 3, { "targets.0.filesystem = 'btrfs'" } },
    { "", NULL, 3, { "targets.0.filesystem = 'btrfs'", "targets.0.options = 'rw,nodatacow'" } },
    { "", NULL, 3, { "targets.0.filesystem = 'btrfs'", "targets.0.file.no_cow = true" } },
    { "encrypted", "info", 3, { "targets.0.layers = ['lvm dm-1', 'crypt dm-0 (luks)']" } },
    { "", NULL, 3, { "targets.0.layers = ['lvm dm-1']" } },
    { "network-target", "warning", 3, { "targets.0.filesystem = 'nfs4'" } },
    { "memory-target", "invalid", 3, { "targets.0.filesystem = 'tmpfs'" } },
    { "fuse-target", "warning", 3, { "targets.0.filesystem = 'fuse.rclone'" } },
    { "fuse-target",
      "warning",
      3,
      { "targets.0.filesystem = 'odd'", "targets.0.filesystem_kind = 'fuse'" } },
    { "nearly-full", "warning", 3, { "targets.0.free_bytes = 99999999999" } },
    { "", NULL, 3, { "targets.0.free_bytes = 100000000000" } },
    { "also-running", "warning", 3, { "targets.0.also_running = true" } },
    { "on-battery", "info", 3, { "host.on_battery = true" } },
    { "", NULL, 3, { "host.on_battery = null" } },
};

static DgDocument *
make_document (json_t *root)
{
    g_autoptr (GError) error = NULL;
    DgDocument *document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    dg_document_renew_findings (document);
    return document;
}

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
    const Case *c = data;
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

static gboolean
has_throttled (guint64 last, gdouble first_celsius, gdouble last_celsius, gdouble limit)
{
    json_t *root = make_base (1);
    edit (root, "tests.0.direction = 'write'");
    set_samples (root, 0, 20, 100000000, 15, last);
    json_t *temperatures = json_pack (
        "[{s:i, s:I, s:f, s:f}, {s:i, s:I, s:f, s:f}]", "target", 0, "at_ns",
        (json_int_t) 1000000000, "celsius", first_celsius, "limit_celsius", limit, "target", 0,
        "at_ns", (json_int_t) 2900000000, "celsius", last_celsius, "limit_celsius", limit);
    json_object_set_new (root, "temperatures", temperatures);
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocFinding *finding = find (dg_document_view (document), "throttled");
    if (finding != NULL) {
        assert_reads_well (dg_document_view (document), finding);
        /* Heat explains the step. */
        g_assert_null (find (dg_document_view (document), "cache-ended"));
    }
    json_decref (root);
    return finding != NULL;
}

static void
test_throttled (void)
{
    g_assert_true (has_throttled (79000000, 40.0, 45.0, 80.0));
    g_assert_false (has_throttled (80000000, 40.0, 45.0, 80.0));
    g_assert_false (has_throttled (79000000, 40.0, 44.9, 80.0));
    g_assert_true (has_throttled (79000000, 79.0, 80.0, 80.0));
    g_assert_true (has_throttled (50000000, 40.0, 60.0, 80.0));
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

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree gchar *name =
            g_strdup_printf ("/findings/%s/%u", cases[i].id[0] == '\0' ? "none" : cases[i].id, i);
        g_test_add_data_func (name, &cases[i], test_case);
    }
    g_test_add_func ("/findings/cache-ended", test_cache_ended);
    g_test_add_func ("/findings/cache-noise", test_cache_noise);
    g_test_add_func ("/findings/incomplete-sample", test_incomplete_sample);
    g_test_add_func ("/findings/throttled", test_throttled);
    g_test_add_func ("/findings/order", test_order);
    g_test_add_func ("/findings/concerns", test_concerns);
    g_test_add_func ("/findings/sentences", test_sentences);
    g_test_add_func ("/findings/proof", test_proof);
    return g_test_run ();
}
