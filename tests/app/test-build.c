/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the engine's numbers to a document: nothing rounded, nothing invented, nothing that names
 * the drive's owner. */
#include "app/core/document-build.h"
#include "app/core/numbers.h"
#include "tests/app/private.h"

#include <math.h>
#include <string.h>

#define MIB 1048576u

static DgLinkNode nodes[] = {
    { .kind = DG_NODE_DRIVE, .name = (char *) "T7", .up_bits_per_s = 0 },
    { .kind = DG_NODE_HUB,
      .name = (char *) "Hub\x1b[31m",
      .up_bits_per_s = 480000000,
      .up_name = (char *) "480 Mb/s",
      .other_drives = 2,
      .is_narrowest = true },
    { .kind = DG_NODE_CONTROLLER },
};
static DgLink link_ = { .kind = DG_LINK_USB,
                        .name = (char *) "USB 2.0",
                        .protocol = (char *) "bot",
                        .speed_bits_per_s = 480000000,
                        .path = nodes,
                        .n_path = 3,
                        .after_coding_bytes_per_s = 53248000,
                        .practical_low_bytes_per_s = 33000000,
                        .ceiling_bytes_per_s = 43000000 };
static DgDrive drive = { .name = (char *) "sda",
                         .model = (char *) "Stick",
                         .serial = (char *) "SECRET-77",
                         .size_bytes = 64000000000,
                         .rotational = -1,
                         .removable = 1,
                         .is_encrypted = -1,
                         .link = &link_ };
static uint32_t drive_index = 0;
static DgTarget target = { .mount = (char *) "/media/u/STICK",
                           .folder = (char *) "/media/u/STICK",
                           .filesystem = (char *) "exfat",
                           .label = (char *) "STICK",
                           .size_bytes = 64000000000,
                           .free_bytes = 32000000000,
                           .partition_start_bytes = UINT64_MAX,
                           .drives = &drive_index,
                           .n_drives = 1,
                           .use = DG_TARGET_USABLE };
static DgTargetList list = { .drives = &drive, .n_drives = 1, .targets = &target, .n_targets = 1 };

static void
set_options (DgOptions *options)
{
    static const DgTestSpec tests[] = { { DG_ACCESS_SEQUENTIAL, MIB, 8, 1 },
                                        { DG_ACCESS_RANDOM, 4096, 1, 1 } };
    g_autoptr (DgProfile) profile =
        dg_profile_new_custom ("mine", "Mine", tests, G_N_ELEMENTS (tests));
    dg_options_init (options);
    dg_options_set_profile (options, profile);
    options->directions[DG_DIRECTION_MIX] = TRUE;
    options->mix_read_percent = 30;
    options->statistic_best = TRUE;
}

/* A run of `ios` I/Os of `block` bytes that took 1 ms but for one of 5 ms, in 1.000000007 s. */
static void
fill_run (DgRunResult *run, guint64 ios, guint64 block, guint64 started_ns)
{
    static uint64_t samples[] = { 11, 22, 33 };
    run->started_ns = started_ns;
    run->elapsed_ns = 1000000007;
    run->total = (DgFlowCount){ .ios = ios,
                                .bytes = ios * block,
                                .sum_ns = (ios - 1) * 1000000 + 5000000,
                                .min_ns = 1000000,
                                .max_ns = 5000000,
                                .histogram = g_new0 (DgHistogram, 1) };
    run->total.histogram->counts[dg_histogram_index (1000000)] = ios - 1;
    run->total.histogram->counts[dg_histogram_index (5000000)] = 1;
    run->samples = samples;
    run->n_samples = G_N_ELEMENTS (samples);
    run->backend = DG_BACKEND_IO_URING;
    run->backend_reason = DG_REASON_DEFAULT;
    run->direct = DG_DIRECT_UNKNOWN;
    run->direct_reason = DG_REASON_FUSE;
    run->queue_depth_device = NAN;
    run->inflight_max = run->cpu_ns = run->kernel_worker_cpu_ns = run->run_wait_ns =
        run->device_bytes = run->foreign_bytes = DG_UNKNOWN_U64;
    run->is_used = run->is_complete = true;
}

static void
clear_step (DgStepResult *step)
{
    for (guint i = 0; i < step->n_runs; i++) {
        g_free (step->runs[i].total.histogram);
        g_free (step->runs[i].read.histogram);
        g_free (step->runs[i].write.histogram);
    }
    g_free (step);
}

static DgStepResult *
new_step (guint64 block, guint n_runs)
{
    DgStepResult *step = g_new0 (DgStepResult, 1);
    step->state = DG_STEP_DONE;
    step->started_ns = 5000000000;
    step->flush_ns = DG_UNKNOWN_U64;
    step->n_runs = n_runs;
    for (guint i = 0; i < n_runs; i++)
        fill_run (&step->runs[i], 1000 + i * 10, block, 6000000000 + i * 1100000000ull);
    return step;
}

static json_t *
key (json_t *object, const gchar *path)
{
    g_auto (GStrv) steps = g_strsplit (path, ".", -1);
    for (guint i = 0; steps[i] != NULL; i++)
        object = json_is_array (object)
                     ? json_array_get (object, (gsize) g_ascii_strtoull (steps[i], NULL, 10))
                     : json_object_get (object, steps[i]);
    return object;
}

static void
assert_null (json_t *root, const gchar *path)
{
    json_t *value = key (root, path);
    if (!json_is_null (value))
        g_error ("%s is not null", path);
}

static void
test_numbers (void)
{
    DgOptions options;
    set_options (&options);
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    DgStepResult *step = new_step (MIB, 3);
    dg_builder_add_step (builder, 0, step);
    g_autoptr (DgDocument) document = dg_builder_make (builder);
    json_t *root = dg_document_json (document);
    const DgDocView *view = dg_document_view (document);

    g_assert_cmpint (view->state_code, ==, DG_DOC_RUNNING);
    g_assert_cmpuint (view->n_tests, ==, 1);
    json_t *run = key (root, "tests.0.runs.0");
    g_assert_cmpint (json_integer_value (key (run, "bytes")), ==, 1048576000);
    g_assert_cmpfloat (json_real_value (key (run, "bandwidth_bytes_per_s")), ==,
                       1048576000.0 * 1e9 / 1000000007.0);
    g_assert_cmpfloat (json_real_value (key (run, "iops")), ==, 1000.0 * 1e9 / 1000000007.0);
    g_assert_cmpfloat (json_real_value (key (run, "latency.mean_ns")), ==, 1004000.0);
    g_assert_cmpint (json_integer_value (key (run, "latency.min_ns")), ==, 1000000);
    g_assert_cmpint (json_integer_value (key (run, "latency.max_ns")), ==, 5000000);
    /* From the bucket's middle, never below the least: within 1.6 %. */
    g_assert_cmpfloat_with_epsilon ((gdouble) json_integer_value (key (run, "latency.p50_ns")), 1e6,
                                    16000.0);
    g_assert_cmpint (json_integer_value (key (run, "latency.p50_ns")), >=, 1000000);
    g_assert_cmpint (json_integer_value (key (run, "histogram.sub_bits")), ==, 6);
    g_assert_cmpint (json_integer_value (key (run, "histogram.counts.0.0")), ==,
                     dg_histogram_index (1000000));
    g_assert_cmpint (json_integer_value (key (run, "histogram.counts.0.1")), ==, 999);
    g_assert_cmpint (json_integer_value (key (run, "samples.bytes.2")), ==, 33);
    g_assert_cmpint (json_integer_value (key (run, "started_ns")), ==, 6000000000);
    g_assert_cmpstr (json_string_value (key (run, "direct")), ==, "unknown");
    static const gchar *const unknown[] = { "queue_depth_device",   "inflight_max", "cpu_ns",
                                            "kernel_worker_cpu_ns", "run_wait_ns",  "device_bytes",
                                            "foreign_bytes" };
    for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
        assert_null (run, unknown[i]);
    assert_null (root, "tests.0.flush_ns");
    assert_null (root, "tests.0.warmup");

    /* Best of runs was asked for. */
    g_assert_cmpint (view->tests[0].shown, ==, 2);
    g_assert_cmpstr (json_string_value (key (root, "tests.0.shown.statistic")), ==, "best");
    g_assert_cmpfloat_with_epsilon (view->tests[0].spread_percent, 10.0 / 1010.0 * 100.0, 1e-9);

    /* The test began five seconds after the document. */
    g_autoptr (GDateTime) began = g_date_time_new_from_iso8601 (view->tests[0].started, NULL),
                          started = g_date_time_new_from_iso8601 (view->started, NULL);
    g_assert_cmpint (ABS (g_date_time_difference (began, started) - 5 * G_TIME_SPAN_SECOND), <=,
                     1000);

    clear_step (step);
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

/* Of a run that was given up only the histogram is known. */
static void
test_given_up (void)
{
    DgOptions options;
    set_options (&options);
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    DgStepResult *step = new_step (MIB, 1);
    DgRunResult *result = &step->runs[0];
    result->total.sum_ns = result->total.min_ns = result->total.max_ns = DG_UNKNOWN_U64;
    result->queue_depth_engine = NAN;
    result->is_used = FALSE;
    dg_builder_add_step (builder, 0, step);
    g_autoptr (DgDocument) document = dg_builder_make (builder);
    json_t *run = key (dg_document_json (document), "tests.0.runs.0");
    assert_null (run, "latency.mean_ns");
    assert_null (run, "latency.min_ns");
    assert_null (run, "latency.max_ns");
    assert_null (run, "queue_depth_engine");
    g_assert_cmpfloat_with_epsilon ((gdouble) json_integer_value (key (run, "latency.p50_ns")), 1e6,
                                    16000.0);
    clear_step (step);
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

static void
test_target (void)
{
    DgOptions options;
    set_options (&options);
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    g_autoptr (DgDocument) document = dg_builder_make (builder);
    json_t *root = dg_document_json (document);
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    g_assert_null (strstr (text, "SECRET"));
    g_assert_cmpuint (strlen (json_string_value (key (root, "targets.0.drive.identity"))), ==, 32);
    static const gchar *const unknown[] = { "targets.0.drive.rotational",
                                            "targets.0.drive.vendor",
                                            "targets.0.drive.encrypted",
                                            "targets.0.drive.queue_limit",
                                            "targets.0.drive.physical_block_bytes",
                                            "targets.0.partition_start_bytes",
                                            "targets.0.also_running",
                                            "targets.0.file",
                                            "targets.0.link.path.0.up_bits_per_s",
                                            "targets.0.link.path.2.name",
                                            "targets.0.link.best_possible",
                                            "bytes_written" };
    for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
        assert_null (root, unknown[i]);
    g_assert_true (json_is_true (key (root, "targets.0.drive.removable")));
    g_assert_cmpstr (json_string_value (key (root, "targets.0.link.path.1.name")), ==,
                     "Hub\uFFFD[31m");
    g_assert_cmpstr (json_string_value (key (root, "targets.0.link.path.1.kind")), ==, "hub");
    g_assert_true (json_is_true (key (root, "targets.0.link.path.1.narrowest")));
    g_assert_cmpint (json_integer_value (key (root, "targets.0.link.ceiling_bytes_per_s")), ==,
                     43000000);
    g_assert_cmpint (json_integer_value (key (root, "plan.mix_read_percent")), ==, 30);
    g_assert_cmpstr (json_string_value (key (root, "plan.runs")), ==, "auto");
    g_assert_cmpstr (json_string_value (key (root, "plan.profile.id")), ==, "mine");
    g_assert_cmpint (json_integer_value (key (root, "plan.size_bytes")), ==, 1073741824);

    DgFileResult file = { .size_bytes = 1073741824,
                          .extents = DG_UNKNOWN_U64,
                          .prepare_ns = 30000000000,
                          .prepare_bytes = 1073741824,
                          .name_visible = true,
                          .is_direct = true,
                          .logical_block_bytes = 512,
                          .physical_block_bytes = DG_UNKNOWN_U64 };
    dg_builder_set_file (builder, &file);
    dg_builder_set_also_running (builder, FALSE);
    dg_builder_add_temperature (builder, "drivetemp", 7, 41.5, NAN);
    g_autoptr (DgDocument) later = dg_builder_make (builder);
    g_assert_null (dg_document_view (document)->targets[0].drive.vendor);
    /* The earlier document has not changed under its reader. */
    assert_null (root, "targets.0.file");
    g_assert_cmpuint (dg_document_view (document)->n_temperatures, ==, 0);
    const DgDocView *view = dg_document_view (later);
    g_assert_cmpfloat (view->targets[0].file_prepare_bytes_per_s, ==, 1073741824.0 * 1e9 / 30e9);
    g_assert_cmpuint (view->targets[0].file_extents, ==, DG_DOC_UNKNOWN);
    assert_null (dg_document_json (later), "targets.0.file.missing_bytes");
    file.missing_bytes = 12582912;
    dg_builder_set_file (builder, &file);
    g_autoptr (DgDocument) with_holes = dg_builder_make (builder);
    g_assert_cmpuint (dg_document_view (with_holes)->targets[0].file_missing_bytes, ==, 12582912);
    g_assert_cmpint (view->targets[0].also_running, ==, 0);
    g_assert_cmpfloat (view->temperatures[0].celsius, ==, 41.5);
    assert_null (dg_document_json (later), "temperatures.0.limit_celsius");
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

static void
test_failed (void)
{
    DgOptions options;
    set_options (&options);
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    DgStepResult *good = new_step (MIB, 2), *bad = new_step (4096, 1), *mix = new_step (MIB, 1);
    bad->state = DG_STEP_FAILED;
    bad->runs[0].is_used = bad->runs[0].is_complete = false;
    bad->runs[0].n_errors = 2;
    bad->runs[0].errors[0] = (DgRunError){ "read", 327155712, 4096, TEST_IO_ERROR, 14 };
    bad->runs[0].errors[1] = (DgRunError){ "read", 0, 4096, 0, 1 };
    mix->runs[0].read = (DgFlowCount){
        .ios = 300, .bytes = 300 * MIB, .sum_ns = 600000000, .min_ns = 1, .max_ns = 5000000
    };
    mix->runs[0].write = (DgFlowCount){ .ios = 700, .bytes = 700 * MIB, .sum_ns = 0 };
    dg_builder_add_step (builder, 0, good);
    dg_builder_add_step (builder, 1, bad);
    dg_builder_add_step (builder, 2,
                         mix); /* a write step that is no mix: its directions are not kept apart */
    dg_builder_add_step (builder, 3, mix);
    dg_builder_add_step (builder, 4, mix);
    DgPlanResult result = { .state = DG_STATE_FAILED,
                            .error = DG_ERROR_GONE,
                            .bytes_written = 12345,
                            .bytes_read = DG_UNKNOWN_U64 };
    dg_builder_finish (builder, &result);
    g_autoptr (DgDocument) document = dg_builder_make (builder);
    const DgDocView *view = dg_document_view (document);
    json_t *root = dg_document_json (document);
    g_assert_cmpstr (view->state, ==, "failed");
    g_assert_cmpuint (view->n_tests, ==, 6);
    g_assert_cmpint (view->tests[1].state, ==, DG_DOC_FAILED);
    g_assert_cmpint (view->tests[1].shown, ==, -1);
    assert_null (root, "tests.1.shown");
    g_assert_cmpuint (view->tests[1].runs[0].n_errors, ==, 2);
    gchar system_text[256];
    g_autofree gchar *expected = NULL;
    dg_error_os_text (TEST_IO_ERROR, system_text, sizeof system_text);
    expected = dg_text_sanitize (system_text);
    g_assert_cmpuint (strlen (expected), >, 5);
    g_assert_cmpstr (view->tests[1].runs[0].errors[0].text, ==, expected);
    g_assert_cmpstr (view->tests[1].runs[0].errors[1].text, ==, "The drive returned no data");
    g_assert_null (key (root, "tests.2.runs.0.read"));
    g_assert_cmpuint (view->tests[4].runs[0].read_bytes, ==, 300 * MIB);
    g_assert_cmpuint (view->tests[4].runs[0].write_ios, ==, 700);
    g_assert_cmpfloat (view->tests[4].runs[0].read_latency_mean_ns, ==, 2000000.0);
    g_assert_cmpuint (view->tests[4].read_percent, ==, 30);
    g_assert_cmpint (view->tests[5].state, ==, DG_DOC_NOT_RUN);
    g_assert_cmpstr (view->tests[5].reason, ==, "failed-before");
    g_assert_null (view->tests[5].started);
    g_assert_cmpuint (view->bytes_written, ==, 12345);
    g_assert_cmpuint (view->bytes_read, ==, DG_DOC_UNKNOWN);
    g_assert_cmpstr (view->findings[0].id, ==, "io-errors");
    clear_step (good);
    clear_step (bad);
    clear_step (mix);
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

/* A clock that was set back since must not make the new test overlap the copied ones. */
static void
test_previous (void)
{
    DgOptions options;
    set_options (&options);
    options.directions[DG_DIRECTION_WRITE] = options.directions[DG_DIRECTION_MIX] = FALSE;
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    DgStepResult *first = new_step (MIB, 2), *second = new_step (4096, 2);
    DgPlanResult result = { .state = DG_STATE_DONE, .bytes_written = 1000, .bytes_read = 2000 };
    dg_builder_add_step (builder, 0, first);
    dg_builder_add_step (builder, 1, second);
    dg_builder_set_comment (builder, "Rear port");
    dg_builder_add_temperature (builder, "nvme", 9, 30.0, 80.0);
    dg_builder_finish (builder, &result);
    g_autoptr (DgDocument) before = dg_builder_make (builder);
    json_object_set_new (dg_document_json (before), "started",
                         json_string ("2126-01-01T00:00:00Z"));
    g_autoptr (DgDocument) future = dg_document_new_from_json (dg_document_json (before), NULL);
    dg_builder_free (builder);
    dg_options_plan_free (plan);

    options.only_test = 1;
    plan = dg_options_make_plan (&options, target.folder);
    builder = dg_builder_new (&options, plan, &list, 0, future);
    dg_builder_add_step (builder, 0, second);
    dg_builder_finish (builder, &result);
    g_autoptr (DgDocument) after = dg_builder_make (builder);
    const DgDocView *view = dg_document_view (after), *old = dg_document_view (future);
    g_assert_cmpuint (view->n_tests, ==, 2);
    g_assert_cmpuint (view->tests[1].runs[0].started_ns, >=,
                      old->tests[1].runs[1].started_ns + old->tests[1].runs[1].elapsed_ns);
    g_assert_cmpuint (view->tests[1].runs[0].started_ns, ==,
                      dg_builder_offset_ns (builder) + second->runs[0].started_ns);
    g_assert_cmpuint (view->bytes_written, ==, 2000);
    g_assert_cmpuint (view->bytes_read, ==, 4000);
    g_assert_cmpuint (view->n_temperatures, ==, 1);
    g_assert_cmpstr (view->comment, ==, "Rear port");
    g_assert_cmpstr (view->id, !=, old->id);
    clear_step (first);
    clear_step (second);
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

/* What may be said against the copied figures is still said. */
static void
test_copied_doubts (void)
{
    DgOptions options;
    set_options (&options);
    options.directions[DG_DIRECTION_WRITE] = options.directions[DG_DIRECTION_MIX] = FALSE;
    DgStepResult *step = new_step (MIB, 2);
    DgPlanResult result = { .state = DG_STATE_DONE };
    DgFileResult pieces = { .size_bytes = 1 << 30, .extents = 5000 },
                 whole = { .size_bytes = 1 << 30, .extents = 1 };
    for (guint copies = 0; copies < 2; copies++) {
        const DgTarget kept = target;
        options.only_test = -1;
        DgPlan *plan = dg_options_make_plan (&options, target.folder);
        target.free_bytes = 1000000000;
        DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
        dg_builder_add_step (builder, 0, step);
        dg_builder_add_step (builder, 1, step);
        dg_builder_set_file (builder, &pieces);
        dg_builder_set_also_running (builder, TRUE);
        dg_builder_finish (builder, &result);
        g_autoptr (DgDocument) first = dg_builder_make (builder);
        json_object_set_new (json_object_get (dg_document_json (first), "host"), "on_battery",
                             json_true ());
        g_autoptr (DgDocument) before = dg_document_new_from_json (dg_document_json (first), NULL);
        dg_builder_free (builder);
        dg_options_plan_free (plan);

        target.free_bytes = kept.free_bytes;
        options.only_test = 1;
        plan = dg_options_make_plan (&options, target.folder);
        builder = dg_builder_new (&options, plan, &list, 0, copies == 1 ? before : NULL);
        dg_builder_add_step (builder, 0, step);
        dg_builder_set_file (builder, &whole);
        dg_builder_set_also_running (builder, FALSE);
        dg_builder_finish (builder, &result);
        g_autoptr (DgDocument) after = dg_builder_make (builder);
        static const gchar *const ids[] = { "also-running", "nearly-full", "fragmented",
                                            "on-battery" };
        const DgDocView *view = dg_document_view (after);
        g_assert_cmpuint (view->n_tests, ==, copies + 1);
        for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
            gboolean is_found = FALSE;
            for (guint k = 0; k < view->n_findings; k++)
                is_found |= g_str_equal (view->findings[k].id, ids[i]);
            if (i == 3 && copies == 0)
                continue; /* as this computer is */
            if (is_found != (copies == 1))
                g_error ("%s, %u copies", ids[i], copies);
        }
        dg_builder_free (builder);
        dg_options_plan_free (plan);
        target = kept;
    }
    clear_step (step);
    dg_options_clear (&options);
}

/* The same file system, back on another port: its old figures are those of the old port. */
static void
test_another_port (void)
{
    DgOptions options;
    set_options (&options);
    options.directions[DG_DIRECTION_WRITE] = options.directions[DG_DIRECTION_MIX] = FALSE;
    DgPlan *plan = dg_options_make_plan (&options, target.folder);
    DgBuilder *builder = dg_builder_new (&options, plan, &list, 0, NULL);
    DgStepResult *step = new_step (MIB, 2);
    DgPlanResult result = { .state = DG_STATE_DONE, .bytes_written = 1000, .bytes_read = 2000 };
    DgFileResult file = { .size_bytes = 1 << 30, .prepare_ns = 1, .prepare_bytes = 1 };
    dg_builder_add_step (builder, 0, step);
    dg_builder_add_step (builder, 1, step);
    dg_builder_set_file (builder, &file);
    dg_builder_set_also_running (builder, FALSE);
    dg_builder_finish (builder, &result);
    g_autoptr (DgDocument) before = dg_builder_make (builder);
    dg_builder_free (builder);
    dg_options_plan_free (plan);
    options.only_test = 1;
    plan = dg_options_make_plan (&options, target.folder);

    static const struct {
        const gchar *what;
        gboolean is_same;
    } changes[] = { { "nothing", TRUE },  { "name", TRUE },      { "free", TRUE },
                    { "speed", FALSE },   { "protocol", FALSE }, { "hub", FALSE },
                    { "serial", FALSE },  { "folder", FALSE },   { "scheduler", FALSE },
                    { "options", FALSE }, { "link", FALSE } };
    for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
        const DgLink kept_link = link_;
        const DgDrive kept_drive = drive;
        const DgTarget kept_target = target;
        const DgLinkNode kept_node = nodes[1];
        const gchar *what = changes[i].what;
        if (g_str_equal (what, "name"))
            drive.name = (char *) "sdb";
        else if (g_str_equal (what, "free"))
            target.free_bytes -= 1 << 30;
        else if (g_str_equal (what, "speed"))
            link_.speed_bits_per_s = 10000000000;
        else if (g_str_equal (what, "protocol"))
            link_.protocol = (char *) "uas";
        else if (g_str_equal (what, "hub"))
            nodes[1].other_drives = 0;
        else if (g_str_equal (what, "serial"))
            drive.serial = (char *) "SECRET-78";
        else if (g_str_equal (what, "folder"))
            target.folder = (char *) "/media/u/STICK/in";
        else if (g_str_equal (what, "scheduler"))
            drive.scheduler = (char *) "bfq";
        else if (g_str_equal (what, "options"))
            target.options = (char *) "sync";
        else if (g_str_equal (what, "link"))
            link_ = (DgLink){ .kind = DG_LINK_UNKNOWN };
        builder = dg_builder_new (&options, plan, &list, 0, before);
        dg_builder_add_step (builder, 0, step);
        dg_builder_finish (builder, &result);
        g_autoptr (DgDocument) after = dg_builder_make (builder);
        const DgDocView *view = dg_document_view (after);
        g_test_message ("%s", what);
        g_assert_cmpuint (view->n_tests, ==, changes[i].is_same ? 2 : 1);
        g_assert_cmpuint (view->bytes_written, ==, changes[i].is_same ? 2000 : 1000);
        dg_builder_free (builder);
        link_ = kept_link;
        drive = kept_drive;
        target = kept_target;
        nodes[1] = kept_node;
    }
    clear_step (step);
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/build/numbers", test_numbers);
    g_test_add_func ("/build/given-up", test_given_up);
    g_test_add_func ("/build/target", test_target);
    g_test_add_func ("/build/failed", test_failed);
    g_test_add_func ("/build/previous", test_previous);
    g_test_add_func ("/build/copied-doubts", test_copied_doubts);
    g_test_add_func ("/build/another-port", test_another_port);
    return g_test_run ();
}
