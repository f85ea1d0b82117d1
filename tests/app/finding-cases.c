/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/app/finding-cases.h"

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

json_t *
parse (const gchar *text)
{
    g_autofree gchar *copy = g_strdelimit (g_strdup (text), "'", '"');
    json_error_t error;
    json_t *value = json_loads (copy, JSON_DECODE_ANY, &error);
    if (value == NULL)
        g_error ("%s: %s", copy, error.text);
    return value;
}

json_t *
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
void
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

const FindingCase finding_cases[] = {
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
      1,
      { "tests.0.runs.0.cpu_ns = 7200000001", "tests.0.threads = 16",
        "tests.0.runs.0.inflight_max = 64", "tests.0.runs.0.queue_depth_engine = 64.0" } },
    { "",
      NULL,
      1,
      { "tests.0.runs.0.cpu_ns = 7200000000", "tests.0.threads = 16",
        "tests.0.runs.0.inflight_max = 64", "tests.0.runs.0.queue_depth_engine = 64.0" } },

    { "cache-ended",
      "warning",
      1,
      { "tests.0.direction = 'write'", "tests.0.shown.spread_percent = null",
        "tests.0.runs.0.samples.bytes = [10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, "
        "10000, 10000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000]" } },
    { "throttled",
      "warning",
      1,
      { "tests.0.shown.spread_percent = null",
        "tests.0.runs.0.samples.bytes = [10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, "
        "10000, 10000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000]",
        "temperatures = [{'target': 0, 'at_ns': 1000000000, 'celsius': 60.0, 'limit_celsius': "
        "80.0}, "
        "{'target': 0, 'at_ns': 2900000000, 'celsius': 80.0, 'limit_celsius': 80.0}]" } },
    { "throttled",
      "warning",
      1,
      { "tests.0.shown.spread_percent = null",
        "tests.0.runs.0.samples.bytes = [10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, "
        "10000, 10000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000]",
        "temperatures = [{'target': 0, 'at_ns': 1000000000, 'celsius': 60.0, 'limit_celsius': "
        "null}, "
        "{'target': 0, 'at_ns': 2900000000, 'celsius': 80.0, 'limit_celsius': null}]" } },
    /* Four threads keep its queue: three processors' work of the four is not all. */
    { "", NULL, 3, { "tests.0.runs.0.cpu_ns = 6000000000", "tests.0.runs.0.backend = 'threads'" } },
    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.cpu_ns = 7200000001", "tests.0.runs.0.backend = 'threads'" } },
    /* Two processors carry no more than two. */
    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.cpu_ns = 3600000001", "tests.0.runs.0.backend = 'threads'",
        "host.cpus = 2" } },

    { "queue-not-reached", "warning", 3, { "tests.0.runs.0.inflight_max = 1" } },
    { "", NULL, 3, { "tests.0.runs.0.inflight_max = 2" } },
    /* By the drive's own clock there were two on average, or hardly one because it is fast. */
    { "",
      NULL,
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.queue_depth_device = 2.0" } },
    { "",
      NULL,
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.queue_depth_device = 0.49" } },
    { "queue-not-reached",
      "warning",
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.queue_depth_device = 0.51" } },
    /* What did not reach the drive was answered in between. */
    { "queue-not-reached",
      "warning",
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.queue_depth_device = 0.1",
        "tests.0.runs.0.device_bytes = 1000000" } },
    { "",
      NULL,
      1,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.queue_depth = 3",
        "tests.0.runs.0.queue_depth_engine = 3.0" } },
    { "", NULL, 3, { "tests.0.runs.0.inflight_max = 1", "targets.0.drive.queue_limit = 2" } },
    { "cpu-limited",
      "warning",
      3,
      { "tests.0.runs.0.inflight_max = 1", "tests.0.runs.0.cpu_ns = 1900000000" } },

    { "kernel-threads", "info", 3, { "tests.0.runs.0.kernel_worker_cpu_ns = 33333334" } },
    { "", NULL, 3, { "tests.0.runs.0.kernel_worker_cpu_ns = 33333333" } },
    { "too-few-ios", "warning", 3, { "tests.0.runs.0.ios = 99" } },
    { "", NULL, 3, { "tests.0.runs.0.ios = 100" } },
    /* of 4 under way */
    { "too-few-ios", "warning", 3, { "tests.0.runs.2.queue_depth_engine = 3.79" } },
    { "", NULL, 3, { "tests.0.runs.2.queue_depth_engine = 3.81" } },
    { "too-few-ios", "warning", 3, { "tests.0.runs.2.queue_depth_engine = 4.13" } },
    { "", NULL, 3, { "tests.0.runs.2.queue_depth_engine = 4.11" } },
    { "", NULL, 3, { "tests.0.runs.2.queue_depth_engine = 3.1", "tests.0.runs.2.used = false" } },
    { "too-few-ios",
      "warning",
      3,
      { "tests.0.access = 'random'", "tests.0.runs.1.queue_depth_engine = 2.99" } },
    { "", NULL, 3, { "tests.0.access = 'random'", "tests.0.runs.1.queue_depth_engine = 3.01" } },
    { "too-few-ios",
      "warning",
      1,
      { "tests.0.access = 'random'", "tests.0.queue_depth = 1",
        "tests.0.runs.0.queue_depth_engine = 0.94" } },
    { "",
      NULL,
      1,
      { "tests.0.access = 'random'", "tests.0.queue_depth = 1",
        "tests.0.runs.0.queue_depth_engine = 0.96" } },
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

DgDocument *
make_document (json_t *root)
{
    g_autoptr (GError) error = NULL;
    DgDocument *document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    dg_document_renew_findings (document);
    return document;
}

const guint n_finding_cases = G_N_ELEMENTS (finding_cases);

DgDocument *
finding_case_document (const FindingCase *c)
{
    json_t *root = make_base (c->n_runs);
    for (guint i = 0; i < G_N_ELEMENTS (c->changes) && c->changes[i] != NULL; i++)
        edit (root, c->changes[i]);
    DgDocument *document = make_document (root);
    json_decref (root);
    return document;
}
