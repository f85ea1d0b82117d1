/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/app/report-sample-private.h"

#include <math.h>
#include <string.h>

/* clang-format off */
const SampleTest report_sample_usb[4] = {
    { "SEQ1M Q8T1", 1 << 20, 8, 1, { 1036.4, 987.2, 964.1 }, { 0.4, 0.9, 0.7 }, { 8080, 8410, 8570 }, { 8310, 11900, 10700 }, { 0 }, { 3, 3, 3 } },
    { "SEQ1M Q1T1", 1 << 20, 1, 1, { 842.6, 801.3, 768.5 }, { 0.6, 0.8, 0.9 }, { 1230, 1290, 1340 }, { 1420, 1880, 1790 }, { 0 }, { 3, 3, 3 } },
    { "RND4K Q32T1", 4096, 32, 1, { 248.7, 231.5, 236.9 }, { 0.8, 4.2, 0.8 }, { 519, 541, 532 }, { 781, 1120, 980 }, { 0 }, { 3, 9, 3 } },
    { "RND4K Q1T1", 4096, 1, 1, { 27.84, 58.31, 33.42 }, { 0.5, 0.7, 0.6 }, { 142, 66.8, 118 }, { 214, 138, 226 }, { 0, 1, 0 }, { 3, 3, 3 } },
};

const SampleTest report_sample_slow[4] = {
    { "SEQ1M Q8T1", 1 << 20, 8, 1, { 42.31, 38.72, 37 }, { 0.1, 0.9, 0.7 }, { 198000, 216000, 220000 }, { 201000, 241000, 250000 }, { 0 }, { 3, 3, 3 } },
    { "SEQ1M Q1T1", 1 << 20, 1, 1, { 40.9, 36.4, 35 }, { 0.2, 0.8, 0.9 }, { 25600, 28800, 29000 }, { 26000, 33100, 34000 }, { 0 }, { 3, 3, 3 } },
    { "RND4K Q32T1", 4096, 32, 1, { 22.6, 19.9, 20 }, { 0.3, 1.2, 0.8 }, { 5790, 6570, 6600 }, { 6020, 8110, 8200 }, { 0 }, { 3, 3, 3 } },
    { "RND4K Q1T1", 4096, 1, 1, { 8.214, 9.876, 8.4 }, { 0.5, 0.7, 0.6 }, { 498, 414, 480 }, { 512, 431, 500 }, { 0 }, { 3, 3, 3 } },
};

const SampleTest report_sample_nvme[4] = {
    { "SEQ1M Q8T1", 1 << 20, 8, 1, { 7046, 6571, 6200 }, { 0.1, 1.9, 0.7 }, { 1180, 1270, 1300 }, { 1320, 2900, 2700 }, { 0 }, { 3, 3, 3 } },
    { "SEQ128K Q32T1", 1 << 17, 32, 1, { 6980, 6540, 6100 }, { 0.2, 0.6, 0.9 }, { 590, 640, 660 }, { 720, 980, 990 }, { 0 }, { 3, 3, 3 } },
    { "RND4K Q32T16", 4096, 32, 16, { 4210, 3897, 3600 }, { 0.8, 1.2, 0.8 }, { 480, 520, 532 }, { 1281, 1720, 1480 }, { 0 }, { 3, 3, 3 } },
    { "RND4K Q1T1", 4096, 1, 1, { 84.12, 251.3, 110.2 }, { 0.5, 0.7, 0.6 }, { 47.2, 14.9, 31 }, { 62, 21.8, 58 }, { 0 }, { 3, 3, 3 } },
};
/* clang-format on */

/* A small generator of its own: the samples must be the same everywhere. */
static gdouble
noise (Sample *sample)
{
    sample->noise = sample->noise * 1664525u + 1013904223u;
    return (gdouble) (sample->noise >> 8) / (1 << 24) - 0.5;
}

static json_t *
make_samples (Sample *sample, guint n, gdouble rate, gdouble unrest, gdouble dip)
{
    json_t *bytes = json_array ();
    guint where = 4 + (guint) ((noise (sample) + 0.5) * 10);
    for (guint i = 0; i < n; i++) {
        gdouble value = rate * (1 + noise (sample) * unrest) / 10;
        if (i == where)
            value *= dip;
        json_array_append_new (bytes, json_integer ((json_int_t) value));
    }
    return json_pack ("{s:s, s:I, s:o}", "axis", "time", "step", (json_int_t) (100 * MS), "bytes",
                      bytes);
}

static json_t *
make_warmup (Sample *sample, gdouble rate)
{
    json_t *bytes = json_array ();
    for (guint i = 0; i < 5; i++)
        json_array_append_new (
            bytes, json_integer ((json_int_t) (rate / 10 * (1 - 0.5 * exp (-(gdouble) i / 1.2)))));
    json_t *warmup =
        json_pack ("{s:I, s:I, s:{s:s, s:I, s:o}}", "started_ns", (json_int_t) sample->clock_ns,
                   "elapsed_ns", (json_int_t) (500 * MS), "samples", "axis", "time", "step",
                   (json_int_t) (100 * MS), "bytes", bytes);
    sample->clock_ns += 500 * MS;
    return warmup;
}

static json_t *
make_run (Sample *sample, const SampleTest *test, guint d, gdouble rate, gboolean used)
{
    gdouble elapsed_s = 2, bytes = rate * elapsed_s;
    gdouble unrest = (test->spread[d] / 50 + 0.004) * (d == 1 ? 2.2 : 1);
    json_t *run =
        json_pack ("{s:I, s:I, s:I, s:I, s:f, s:f}", "started_ns", (json_int_t) sample->clock_ns,
                   "bytes", (json_int_t) bytes, "ios", (json_int_t) (bytes / (gdouble) test->block),
                   "elapsed_ns", (json_int_t) (2000 * MS), "bandwidth_bytes_per_s", rate, "iops",
                   rate / (gdouble) test->block);
    gdouble mean_ns = test->queue * test->threads / (rate / (gdouble) test->block) * 1e9;
    json_object_set_new (run, "latency",
                         json_pack ("{s:f, s:I, s:I, s:I, s:I, s:I, s:I}", "mean_ns", mean_ns,
                                    "min_ns", (json_int_t) (test->p50_us[d] * 600), "p50_ns",
                                    (json_int_t) (test->p50_us[d] * 1000), "p95_ns",
                                    (json_int_t) (test->p99_us[d] * 930), "p99_ns",
                                    (json_int_t) (test->p99_us[d] * 1000), "p99_9_ns",
                                    (json_int_t) (test->p99_us[d] * 1400), "max_ns",
                                    (json_int_t) (test->p99_us[d] * 2100)));
    json_object_set_new (
        run, "samples",
        make_samples (sample, 20, rate, unrest, d == 1 && test->queue < 32 ? 0.86 : 1));
    if (d == 2) {
        json_object_set_new (run, "read",
                             json_pack ("{s:I, s:I}", "bytes", (json_int_t) (bytes * 0.7), "ios",
                                        (json_int_t) (bytes * 0.7 / (gdouble) test->block)));
        json_object_set_new (run, "write",
                             json_pack ("{s:I, s:I}", "bytes", (json_int_t) (bytes * 0.3), "ios",
                                        (json_int_t) (bytes * 0.3 / (gdouble) test->block)));
    }
    json_object_update_new (
        run, json_pack ("{s:s, s:s, s:s, s:n, s:f, s:f, s:I, s:b, s:[]}", "backend", "io_uring",
                        "backend_reason", "default", "direct", "proved", "direct_reason",
                        "queue_depth_engine", (gdouble) (test->queue * test->threads),
                        "queue_depth_device", (gdouble) (test->queue * test->threads) * 0.98,
                        "cpu_ns", (json_int_t) (60 * MS), "used", used, "errors"));
    sample->clock_ns += 2000 * MS;
    return run;
}

static void
add_test (Sample *sample, const SampleTest *test, guint d)
{
    static const gchar *const directions[] = { "read", "write", "mix" };
    gdouble rate = test->rate[d] * 1e6;
    guint n = test->runs[d], early = test->early[d], shown = early;
    json_t *object = json_pack ("{s:s, s:I, s:s, s:s, s:s, s:n, s:s}", "kind", "speed", "group",
                                (json_int_t) 0, "name", test->name, "direction", directions[d],
                                "state", "done", "reason", "started", "2025-11-30T14:32:08+01:00");
    sample->clock_ns += 1000 * MS;
    json_object_set_new (object, "warmup", make_warmup (sample, rate));
    json_object_set_new (object, "flush_ns", d == 0 ? json_null () : json_integer (12300000));
    json_object_update_new (
        object, json_pack ("{s:[I], s:I, s:I, s:I, s:s, s:I, s:{s:I}}", "targets", (json_int_t) 0,
                           "block_size_bytes", (json_int_t) test->block, "queue_depth",
                           (json_int_t) test->queue, "threads", (json_int_t) test->threads,
                           "access", test->name[0] == 'S' ? "sequential" : "random", "read_percent",
                           (json_int_t) (d == 0   ? 100
                                         : d == 1 ? 0
                                                  : 70),
                           "stop", "time_ns", (json_int_t) (2000 * MS)));
    json_t *runs = json_array ();
    for (guint i = 0; i < early; i++)
        json_array_append_new (runs, make_run (sample, test, d, rate * 0.96, FALSE));
    for (guint i = 0; i < n; i++) {
        /* From the slowest to the fastest with the median first, so that the spread is the one
         * stated. */
        gdouble place = n == 1 ? 0 : i == 0 ? 0 : i == 1 ? -1 : i == 2 ? 1 : noise (sample);
        json_array_append_new (
            runs, make_run (sample, test, d, rate * (1 + place * test->spread[d] / 100), TRUE));
    }
    json_object_set_new (object, "runs", runs);
    json_object_set_new (object, "shown",
                         json_pack ("{s:I, s:s, s:f, s:f, s:o}", "run", (json_int_t) shown,
                                    "statistic", "median", "bandwidth_bytes_per_s", rate, "iops",
                                    rate / (gdouble) test->block, "spread_percent",
                                    n > 1 ? json_real (test->spread[d]) : json_null ()));
    json_array_append_new (sample->tests_array, object);
}

static json_t *
make_node (const gchar *kind, const gchar *name, gdouble up_gbit, const gchar *up_name,
           gboolean narrowest)
{
    json_t *node = json_pack ("{s:s, s:s?, s:s?, s:b}", "kind", kind, "name", name, "up_name",
                              up_name, "narrowest", narrowest);
    json_object_set_new (node, "up_bits_per_s",
                         up_gbit > 0 ? json_integer ((json_int_t) (up_gbit * 1e9)) : json_null ());
    return node;
}

json_t *
report_sample_usb_link (gdouble gbit, const gchar *name, const gchar *short_name,
                        const gchar *up_name, gdouble ceiling_mb)
{
    json_t *link = json_pack (
        "{s:s, s:s, s:s, s:I, s:s, s:I, s:I, s:I, s:{s:s, s:I}}", "kind", "usb", "name", name,
        "short_name", short_name, "speed_bits_per_s", (json_int_t) (gbit * 1e9), "protocol", "uas",
        "after_coding_bytes_per_s", (json_int_t) (ceiling_mb * 1.15e6), "practical_low_bytes_per_s",
        (json_int_t) (ceiling_mb * 0.97e6), "ceiling_bytes_per_s", (json_int_t) (ceiling_mb * 1e6),
        "best_possible", "name", "USB 3.2 Gen 2 (10 Gb/s)", "speed_bits_per_s",
        (json_int_t) 10000000000ll);
    json_t *path = json_array ();
    json_array_append_new (path, make_node ("drive", "T7 Shield", 15.8, "PCIe 3.0 ×2", FALSE));
    json_array_append_new (path, make_node ("bridge", "ASM2362", gbit, up_name, TRUE));
    json_array_append_new (path, make_node ("hub", "GL3590", gbit, up_name, TRUE));
    json_array_append_new (path, make_node ("port", "Port 3", 20, "20 Gb/s", FALSE));
    json_array_append_new (path, make_node ("controller", "ASM3242", 0, NULL, FALSE));
    json_object_set_new (link, "path", path);
    return link;
}

static json_t *
make_nvme_link (void)
{
    json_t *link = json_pack ("{s:s, s:s, s:s, s:I, s:s, s:I, s:I, s:I, s:n}", "kind", "pcie",
                              "name", "PCIe 4.0 ×4, NVMe", "short_name", "PCIe 4.0 ×4",
                              "speed_bits_per_s", (json_int_t) 63000000000ll, "protocol", "nvme",
                              "after_coding_bytes_per_s", (json_int_t) 7877000000ll,
                              "practical_low_bytes_per_s", (json_int_t) 6900000000ll,
                              "ceiling_bytes_per_s", (json_int_t) 7200000000ll, "best_possible");
    json_t *path = json_array ();
    json_array_append_new (path, make_node ("drive", "990 PRO", 63, "PCIe 4.0 ×4", TRUE));
    json_array_append_new (path, make_node ("controller", NULL, 0, NULL, FALSE));
    json_object_set_new (link, "path", path);
    return link;
}

static json_t *
make_target (const Sample *sample)
{
    gboolean is_nvme = strcmp (sample->name, "nvme") == 0;
    json_t *target =
        json_pack ("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:[], s:I, s:b}", "path",
                   "/run/media/ann/secret/folder", "label", "Photos", "mount", "/run/media/ann",
                   "filesystem", is_nvme ? "ext4" : "exfat", "options", "rw", "size_bytes",
                   (json_int_t) 2000394000000ll, "free_bytes", (json_int_t) 1220240000000ll,
                   "layers", "partition_start_bytes", (json_int_t) 1048576, "also_running", 0);
    json_object_set_new (
        target, "drive",
        json_pack (
            "{s:s, s:s, s:s, s:s, s:I, s:b, s:b, s:s, s:I, s:I, s:s, s:s, s:I, s:b}", "name",
            is_nvme ? "nvme0n1" : "sda", "model", is_nvme ? "Samsung SSD 990 PRO" : "T7 Shield",
            "vendor", is_nvme ? "" : "Samsung", "firmware", is_nvme ? "4B2QJXD7" : "0100",
            "size_bytes", (json_int_t) 2000398934016ll, "rotational", 0, "removable", 0, "identity",
            "0123456789abcdef0123456789abcdef", "logical_block_bytes", (json_int_t) 512,
            "physical_block_bytes", (json_int_t) 4096, "write_cache", "write back", "scheduler",
            "none", "queue_limit", (json_int_t) 30, "encrypted", 0));
    json_object_set_new (target, "link",
                         is_nvme ? make_nvme_link ()
                                 : report_sample_usb_link (10, "USB 3.2 Gen 2 (10 Gb/s), UAS",
                                                           "USB 3.2 Gen 2", "10 Gb/s", 1050));
    json_object_set_new (target, "file",
                         json_pack ("{s:I, s:I, s:I, s:f, s:b}", "size_bytes",
                                    (json_int_t) 1073741824, "extents", (json_int_t) 3,
                                    "prepare_ns", (json_int_t) (1090 * MS), "prepare_bytes_per_s",
                                    985e6, "name_visible", 1));
    return target;
}

static json_t *
make_temperatures (const Sample *sample)
{
    json_t *array = json_array ();
    for (gint64 t = 0; t <= sample->clock_ns; t += 1000 * MS) {
        gdouble s = (gdouble) t / 1e9;
        json_array_append_new (array,
                               json_pack ("{s:I, s:s, s:I, s:f, s:f}", "target", (json_int_t) 0,
                                          "sensor", "Composite", "at_ns", (json_int_t) t, "celsius",
                                          34 + 18.5 * (1 - exp (-s / 30)) + sin (s / 4) * 0.3,
                                          "limit_celsius", 84.0));
    }
    return array;
}

json_t *
report_sample_build (Sample *sample)
{
    json_t *document = json_pack (
        "{s:s, s:i, s:s, s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s, s:s, s:s, s:i, s:I, s:b}}", "format",
        "drivegauge-result", "version", 1, "id", "3f2b8f0e-6c1d-4c57-9a55-0d3c1f0b7a11", "started",
        "2025-11-30T14:32:07+01:00", "state", "done", "origin", "measured", "program", "name",
        "Drive Gauge", "version", "1.0", "host", "os", "Debian GNU/Linux 13", "kernel", "6.12.8",
        "cpu", "Ryzen 7 7700", "cpus", 16, "memory_bytes", (json_int_t) 33554432000ll, "on_battery",
        0);
    sample->tests_array = json_array ();
    for (guint d = 0; d < 3; d++)
        for (guint i = 0; i < sample->n_tests; i++)
            if (sample->directions[d])
                add_test (sample, &sample->tests[i], d);
    json_object_set_new (document, "targets", json_pack ("[o]", make_target (sample)));
    json_object_set_new (
        document, "plan",
        json_pack (
            "{s:{s:s, s:i}, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:o, s:s, s:i, s:b, s:b, s:b}",
            "profile", "id", sample->profile, "version", 1, "statistic", "median", "runs", "auto",
            "warmup_ns", (json_int_t) (500 * MS), "duration_ns", (json_int_t) (2000 * MS),
            "interval_ns", (json_int_t) (1000 * MS), "size_bytes", (json_int_t) 1073741824,
            "backend", "auto", "mix_read_percent",
            sample->directions[2] ? json_integer (70) : json_null (), "data", "random", "seed", 1,
            "include_flush", 0, "no_cow", 0, "write_through", 0));
    json_t *directions = json_array ();
    static const gchar *const words[] = { "read", "write", "mix" };
    for (guint d = 0; d < 3; d++)
        if (sample->directions[d])
            json_array_append_new (directions, json_string (words[d]));
    json_object_set_new (json_object_get (document, "plan"), "directions", directions);
    json_object_set_new (document, "tests", sample->tests_array);
    json_object_set_new (document, "bytes_written", json_integer (17501992140));
    json_object_set_new (document, "bytes_read", json_integer (13958643712));
    json_object_set_new (document, "temperatures", make_temperatures (sample));
    json_object_set_new (document, "findings", json_array ());
    json_object_set_new (document, "comment",
                         json_string ("Front port, through the monitor’s hub"));
    return document;
}
