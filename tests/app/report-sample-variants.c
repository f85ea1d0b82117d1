/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes one sample differ from the others. */
#include "tests/app/report-sample-private.h"

#include <string.h>

static const gchar *const names[] = { "usb",        "mix",     "read-only", "peak",
                                      "real-world", "demo",    "virtio",    "russian",
                                      "findings",   "broken",  "buffered",  "slow-port",
                                      "above-link", "nvme",    "many",      "hostile",
                                      "cache",      "unknown", NULL };

const gchar *const *
report_sample_names (void)
{
    return names;
}

static void
add_finding (json_t *document, const gchar *id, const gchar *severity, gint test,
             json_t *values /* (transfer full) */, const gchar *text)
{
    json_array_append_new (json_object_get (document, "findings"),
                           json_pack ("{s:s, s:s, s:i, s:o, s:o, s:s}", "id", id, "severity",
                                      severity, "target", 0, "test",
                                      test < 0 ? json_null () : json_integer (test), "values",
                                      values, "text", text));
}

static json_t *
test_at (json_t *document, guint i)
{
    return json_array_get (json_object_get (document, "tests"), i);
}

static json_t *
drop_link (json_t *document)
{
    json_t *target = json_array_get (json_object_get (document, "targets"), 0);
    json_object_set_new (target, "link", json_null ());
    return target;
}

static void
make_virtio (json_t *document)
{
    json_t *target = drop_link (document);
    json_object_set_new (target, "label", json_null ());
    json_object_set_new (target, "filesystem", json_string ("ext4"));
    json_object_set_new (target, "size_bytes", json_integer (21474836480));
    json_object_set_new (target, "free_bytes", json_integer (9000000000));
    json_t *drive = json_object_get (target, "drive");
    json_object_set_new (drive, "model", json_null ());
    json_object_set_new (drive, "vendor", json_null ());
    json_object_set_new (drive, "firmware", json_null ());
    json_object_set_new (drive, "size_bytes", json_integer (21474836480));
    json_object_set_new (document, "comment", json_null ());
    json_object_set_new (document, "temperatures", json_array ());
}

static void
make_russian (json_t *document)
{
    json_t *target = json_array_get (json_object_get (document, "targets"), 0);
    json_object_set_new (target, "label", json_string ("Семейный архив фотографий"));
    json_object_set_new (
        json_object_get (target, "drive"), "model",
        json_string ("Накопитель переносной твердотельный «Скорость» с очень длинным названием"));
    json_object_set_new (json_object_get (target, "drive"), "vendor", json_string ("Завод"));
    json_object_set_new (
        document, "comment",
        json_string ("Передний порт, через концентратор монитора; кабель из комплекта, длина один "
                     "метр, радиатор снят, окно открыто, температура в комнате 22 °C"));
    json_object_set_new (
        json_object_get (document, "host"), "os",
        json_string ("Альт Рабочая станция 11.0 (Mendelevium) для образовательных учреждений"));
    add_finding (
        document, "a-note-of-another-version", "info", -1,
        json_pack ("{s:f, s:f, s:s}", "bytes_per_s", 1036.4e6, "ceiling_bytes_per_s", 1050e6,
                   "direction", "read"),
        "Чтение достигло 99 % того, что передаёт 10 Гбит/с; мост самого накопителя заканчивается "
        "там же, поэтому быстрее по этому "
        "кабелю не станет, даже если подключить накопитель к другому порту этого же компьютера.");
}

static void
make_findings (json_t *document)
{
    add_finding (document, "io-errors", "invalid", 0,
                 json_pack ("{s:i, s:i, s:i, s:s, s:s}", "failed", 14, "transfers", 31200,
                            "offset_bytes", 327155712, "error", "Input/output error", "direction",
                            "read"),
                 "Read errors: 14 of 31 200 transfers failed, the first at 312 MiB. Copy your data "
                 "before you go on.");
    add_finding (document, "slow-port", "warning", -1,
                 json_pack ("{s:s, s:s}", "best_name", "USB 3.2 Gen 2 (10 Gb/s)", "segment_name",
                            "USB 2.0 (480 Mb/s)"),
                 "Slow port: the drive can do 10 Gb/s but hangs on USB 2.0. Plug it into a 10 Gb/s "
                 "port to see its own speed.");
    add_finding (document, "link-is-limit", "info", 0,
                 json_pack ("{s:f, s:f, s:s}", "bytes_per_s", 1036.4e6, "ceiling_bytes_per_s",
                            1050e6, "direction", "read"),
                 "The link is the limit. Reading reached 99 % of what 10 Gb/s carries; the drive’s "
                 "own bridge ends there too.");
    add_finding (
        document, "unstable", "warning", 6, json_pack ("{s:f}", "spread_percent", 4.2),
        "Unstable: RND4K Q32T1 write did not settle in nine runs; their spread is ±4.2 %.");
    add_finding (document, "busy-drive", "warning", 1,
                 json_pack ("{s:f, s:f}", "percent", 3.1, "foreign_bytes_per_s", 31.4e6),
                 "Busy drive: something else moved 3.1 % of the bytes.");
    add_finding (document, "on-battery", "info", -1, json_object (),
                 "On battery: the computer may have saved power.");
    add_finding (
        document, "nearly-full", "info", -1,
        json_pack ("{s:f, s:I}", "used_percent", 93.0, "free_bytes", (json_int_t) 140000000000ll),
        "Nearly full: 93 % of the file system is used.");
}

static void
make_broken (json_t *document)
{
    json_object_set_new (document, "state", json_string ("stopped"));
    json_t *failed = test_at (document, 0);
    json_object_set_new (failed, "state", json_string ("failed"));
    json_object_set_new (failed, "reason", json_string ("io-error"));
    json_object_set_new (failed, "shown", json_null ());
    json_t *run = json_array_get (json_object_get (failed, "runs"), 2);
    json_object_set_new (run, "used", json_false ());
    json_object_set_new (run, "errors",
                         json_pack ("[{s:s, s:I, s:I, s:i, s:s, s:i}]", "operation", "read",
                                    "offset_bytes", (json_int_t) 327155712, "length_bytes",
                                    (json_int_t) 1048576, "os_code", 5, "text",
                                    "Input/output error", "count", 14));
    json_t *stopped = test_at (document, 1);
    json_object_set_new (stopped, "state", json_string ("stopped"));
    json_array_remove (json_object_get (stopped, "runs"), 2);
    json_array_remove (json_object_get (stopped, "runs"), 1);
    json_object_set_new (json_object_get (stopped, "shown"), "spread_percent", json_null ());
    for (guint i = 2; i < 8; i++) {
        json_t *test = test_at (document, i);
        json_object_set_new (test, "state", json_string ("not-run"));
        json_object_set_new (
            test, "reason",
            json_string (i == 5 ? "threads-cannot-queue-writes" : "stopped-before"));
        json_object_set_new (test, "shown", json_null ());
        json_object_set_new (test, "warmup", json_null ());
        json_object_set_new (test, "runs", json_array ());
    }
    add_finding (document, "io-errors", "invalid", 0,
                 json_pack ("{s:i, s:i, s:i, s:s, s:s}", "failed", 14, "transfers", 31200,
                            "offset_bytes", 327155712, "error", "Input/output error", "direction",
                            "read"),
                 "Read errors: 14 of 31 200 transfers failed, the first at 312 MiB. Copy your data "
                 "before you go on.");
}

static void
for_each_run (json_t *document, const gchar *key, const gchar *value)
{
    for (guint i = 0; i < json_array_size (json_object_get (document, "tests")); i++) {
        json_t *runs = json_object_get (test_at (document, i), "runs");
        for (guint k = 0; k < json_array_size (runs); k++)
            json_object_set_new (json_array_get (runs, k), key, json_string (value));
    }
}

static gint64
sum_of (json_t *bytes, gsize n)
{
    gint64 sum = 0;
    for (gsize i = 0; i < MIN (n, json_array_size (bytes)); i++)
        sum += json_integer_value (json_array_get (bytes, i));
    return sum;
}

/* The first write falls to a third in the middle of its second run; the third is said to have been
 * too hot. */
static void
make_cache (json_t *document)
{
    json_t *test = test_at (document, 4), *runs = json_object_get (test, "runs");
    json_t *warmup =
        json_object_get (json_object_get (json_object_get (test, "warmup"), "samples"), "bytes");
    gint64 written = sum_of (warmup, G_MAXSIZE);
    for (guint k = 0; k < 3; k++) {
        json_t *bytes =
            json_object_get (json_object_get (json_array_get (runs, k), "samples"), "bytes");
        written += k == 0 ? sum_of (bytes, G_MAXSIZE) : k == 1 ? sum_of (bytes, 8) : 0;
        for (gsize i = k == 1 ? 8 : 0; k > 0 && i < json_array_size (bytes); i++)
            json_array_set_new (bytes, i,
                                json_integer (json_integer_value (json_array_get (bytes, i)) / 3));
    }
    add_finding (document, "cache-ended", "warning", 4,
                 json_pack ("{s:f, s:f, s:I}", "before_bytes_per_s", 987e6, "after_bytes_per_s",
                            329e6, "written_bytes", (json_int_t) written),
                 "The cache ended: after 2.6 GiB SEQ1M Q8T1 write fell from 987 to 329 MB/s.");
    add_finding (document, "throttled", "warning", 6,
                 json_pack ("{s:f, s:f, s:f}", "first_bytes_per_s", 240e6, "last_bytes_per_s",
                            180e6, "to_celsius", 51.0),
                 "Too hot: RND4K Q32T1 write fell from 240 to 180 MB/s at 51 °C.");
}

static void
make_hostile (json_t *document)
{
    static const gchar evil[] =
        "=HYPERLINK(\"http://evil.example\")|`x` [url=http://evil.example]a[/url] <b>*_ @all "
        "www.evil.example, \"q\"";
    json_t *target = json_array_get (json_object_get (document, "targets"), 0);
    json_object_set_new (target, "label", json_string ("+cmd|' /C calc'!A0"));
    json_object_set_new (target, "filesystem", json_string ("@ext4"));
    json_object_set_new (json_object_get (target, "drive"), "model", json_string (evil));
    json_object_set_new (json_object_get (target, "drive"), "vendor", json_string ("../../etc"));
    json_object_set_new (json_object_get (target, "drive"), "firmware",
                         json_string ("[/code][img]http://evil.example/x.png[/img]"));
    json_object_set_new (json_object_get (target, "link"), "name", json_string ("-2+3\n| a | b |"));
    json_object_set_new (
        document, "comment",
        json_string ("<span size='999999'>&amp; ]] \u202e [b]bold\n\n# head\n---\n~~~"));
    json_object_set_new (test_at (document, 0), "name", json_string ("[/code]=1+1|x"));
    json_object_set_new (test_at (document, 0), "block_size_bytes", json_null ());
    for_each_run (document, "backend", "[/code]@x");
}

static void
make_many (Sample *sample, json_t *document)
{
    json_t *copies = json_array ();
    json_t *tests = json_object_get (document, "tests");
    for (guint d = 0; d < 2; d++)
        for (guint i = 0; i < 10; i++) {
            json_t *copy = json_deep_copy (json_array_get (tests, d * 4 + i % 4));
            g_autofree gchar *name = g_strdup_printf ("%s%uK Q%uT%u", i % 4 < 2 ? "SEQ" : "RND",
                                                      4u << i, 1u << (i % 6), 1u << (i % 5));
            json_object_set_new (copy, "name", json_string (name));
            json_object_set_new (copy, "block_size_bytes", json_integer (4096ll << i));
            json_array_append_new (copies, copy);
        }
    json_object_set_new (document, "tests", copies);
    json_object_set_new (json_object_get (json_object_get (document, "plan"), "profile"), "id",
                         json_string ("custom"));
}

/* Only what the format requires; all else is not known. */
static json_t *
make_unknown (void)
{
    return json_pack ("{s:s, s:i, s:s, s:s, s:s, s:s, s:{}, s:{}, s:[{}], s:{}, s:[{s:s}, {s:s, "
                      "s:s, s:s, s:[{}], s:{s:i}}]}",
                      "format", "drivegauge-result", "version", 1, "id",
                      "3f2b8f0e-6c1d-4c57-9a55-0d3c1f0b7a11", "started", "2025-11-30T14:32:07Z",
                      "state", "done", "origin", "measured", "program", "host", "targets", "plan",
                      "tests", "kind", "speed", "kind", "speed", "direction", "write", "state",
                      "done", "runs", "shown", "run", 0);
}

static void
adapt (Sample *sample, json_t *document)
{
    const gchar *name = sample->name;
    if (strcmp (name, "usb") == 0 || strcmp (name, "mix") == 0) {
        add_finding (document, "link-is-limit", "info", 0,
                     json_pack ("{s:f, s:f, s:s}", "bytes_per_s", 1036.4e6, "ceiling_bytes_per_s",
                                1050e6, "direction", "read"),
                     "The link is the limit. Reading reached 99 % of what 10 Gb/s carries; the "
                     "drive’s own bridge ends there too.");
        add_finding (
            document, "unstable", "warning", 6, json_pack ("{s:f}", "spread_percent", 4.2),
            "Unstable: RND4K Q32T1 write did not settle in nine runs; their spread is ±4.2 %.");
    } else if (strcmp (name, "virtio") == 0) {
        make_virtio (document);
    } else if (strcmp (name, "russian") == 0) {
        make_russian (document);
    } else if (strcmp (name, "findings") == 0) {
        make_findings (document);
    } else if (strcmp (name, "broken") == 0) {
        make_broken (document);
    } else if (strcmp (name, "buffered") == 0) {
        json_t *target = drop_link (document);
        json_object_set_new (json_object_get (target, "file"), "missing_bytes",
                             json_integer (12582912));
        json_object_set_new (json_object_get (target, "file"), "direct", json_false ());
        for_each_run (document, "direct", "refuted");
        for_each_run (document, "direct_reason", "refused-o-direct");
        add_finding (document, "not-direct", "invalid", -1,
                     json_pack ("{s:s}", "reason", "refused-o-direct"),
                     "Not direct: the file system refused direct I/O; the figures are those of the "
                     "system’s cache as well.");
    } else if (strcmp (name, "slow-port") == 0) {
        json_t *target = drop_link (document);
        json_object_set_new (
            target, "link",
            report_sample_usb_link (0.48, "USB 2.0 (480 Mb/s), UAS", "USB 2.0", "480 Mb/s", 43));
        add_finding (document, "slow-port", "warning", -1,
                     json_pack ("{s:s, s:s}", "best_name", "USB 3.2 Gen 2 (10 Gb/s)",
                                "segment_name", "USB 2.0 (480 Mb/s)"),
                     "Slow port: the drive can do 10 Gb/s but hangs on USB 2.0. Plug it into a 10 "
                     "Gb/s port to see its own speed.");
    } else if (strcmp (name, "above-link") == 0) {
        json_t *run = json_array_get (json_object_get (test_at (document, 0), "runs"), 0);
        json_object_set_new (run, "bandwidth_bytes_per_s", json_real (3240e6));
        add_finding (
            document, "above-link", "warning", 0,
            json_pack ("{s:f, s:f}", "bytes_per_s", 3240e6, "after_coding_bytes_per_s", 1207e6),
            "Above the link: SEQ1M Q8T1 read is faster than the link can be: a cache, not the "
            "drive.");
    } else if (strcmp (name, "many") == 0) {
        make_many (sample, document);
    } else if (strcmp (name, "cache") == 0) {
        make_cache (document);
    } else if (strcmp (name, "hostile") == 0) {
        make_hostile (document);
    }
}

json_t *
report_sample_new (const gchar *name)
{
    Sample sample = { .name = name,
                      .profile = "default",
                      .tests = report_sample_usb,
                      .n_tests = G_N_ELEMENTS (report_sample_usb),
                      .directions = { TRUE, TRUE, FALSE },
                      .noise = 7 };
    if (strcmp (name, "unknown") == 0)
        return make_unknown ();
    if (strcmp (name, "mix") == 0)
        sample.directions[2] = TRUE;
    if (strcmp (name, "read-only") == 0)
        sample.directions[1] = FALSE;
    static const SampleTest peak[2] = {
        { "SEQ1M Q8T1",
          1 << 20,
          8,
          1,
          { 1036.4, 987.2, 964.1 },
          { 0.4, 0.9, 0.7 },
          { 8080, 8410, 8570 },
          { 8310, 11900, 10700 },
          { 0 },
          { 3, 3, 3 } },
        { "RND4K Q32T1",
          4096,
          32,
          1,
          { 248.7, 231.5, 236.9 },
          { 0.8, 4.2, 0.8 },
          { 519, 541, 532 },
          { 781, 1120, 980 },
          { 0 },
          { 3, 9, 3 } },
    };
    static const SampleTest real_world[2] = {
        { "SEQ1M Q1T1",
          1 << 20,
          1,
          1,
          { 842.6, 801.3, 768.5 },
          { 0.6, 0.8, 0.9 },
          { 1230, 1290, 1340 },
          { 1420, 1880, 1790 },
          { 0 },
          { 3, 3, 3 } },
        { "RND4K Q1T1",
          4096,
          1,
          1,
          { 27.84, 58.31, 33.42 },
          { 0.5, 0.7, 0.6 },
          { 142, 66.8, 118 },
          { 214, 138, 226 },
          { 0, 1, 0 },
          { 3, 1, 3 } },
    };
    if (strcmp (name, "peak") == 0 || strcmp (name, "real-world") == 0) {
        sample.profile = name;
        sample.tests = strcmp (name, "peak") == 0 ? peak : real_world;
        sample.n_tests = 2;
    }
    if (strcmp (name, "demo") == 0) {
        sample.profile = name;
        sample.n_tests = 1;
    }
    if (strcmp (name, "nvme") == 0) {
        sample.profile = name;
        sample.tests = report_sample_nvme;
    }
    if (strcmp (name, "slow-port") == 0)
        sample.tests = report_sample_slow;
    json_t *document = report_sample_build (&sample);
    adapt (&sample, document);
    return document;
}
