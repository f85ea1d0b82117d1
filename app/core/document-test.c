/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests[] and runs[] of a document. */
#include "app/core/document-private.h"

#include <math.h>

static void
parse_samples (GPtrArray *owned, json_t *samples, guint64 **ret_samples, guint *ret_n,
               guint64 *ret_step_ns)
{
    const gchar *axis = json_string_value (json_object_get (samples, "axis"));
    guint64 step = dg_json_u64 (samples, "step");
    guint n = dg_json_array_size (samples, "bytes");
    if (g_strcmp0 (axis, "time") != 0 || step == 0 || step == DG_DOC_UNKNOWN || n == 0)
        return;
    json_t *bytes = json_object_get (samples, "bytes");
    *ret_samples = dg_json_new (owned, n, sizeof **ret_samples);
    for (guint i = 0; i < n; i++) {
        guint64 value = dg_json_u64_value (json_array_get (bytes, i));
        (*ret_samples)[i] = value == DG_DOC_UNKNOWN ? 0 : value;
    }
    *ret_n = n;
    *ret_step_ns = step;
}

static void
parse_error (GPtrArray *owned, json_t *object, DgDocError *error)
{
    error->operation = dg_json_text (owned, object, "operation");
    error->text = dg_json_text (owned, object, "text");
    error->offset_bytes = dg_json_u64 (object, "offset_bytes");
    error->length_bytes = dg_json_u64 (object, "length_bytes");
    error->count = dg_json_u64 (object, "count");
    json_t *code = json_object_get (object, "os_code");
    gint64 number = json_is_integer (code) ? json_integer_value (code) : 0;
    error->os_code = number > G_MININT && number < G_MAXINT ? (gint) number : 0;
}

static void
parse_run (GPtrArray *owned, json_t *object, DgDocRun *run)
{
    run->started_ns = dg_json_u64 (object, "started_ns");
    run->bytes = dg_json_u64 (object, "bytes");
    run->ios = dg_json_u64 (object, "ios");
    run->elapsed_ns = dg_json_u64 (object, "elapsed_ns");
    run->bandwidth_bytes_per_s = dg_json_double (object, "bandwidth_bytes_per_s");
    run->iops = dg_json_double (object, "iops");

    json_t *latency = json_object_get (object, "latency");
    run->latency_mean_ns = dg_json_double (latency, "mean_ns");
    run->min_ns = dg_json_u64 (latency, "min_ns");
    run->p50_ns = dg_json_u64 (latency, "p50_ns");
    run->p95_ns = dg_json_u64 (latency, "p95_ns");
    run->p99_ns = dg_json_u64 (latency, "p99_ns");
    run->p99_9_ns = dg_json_u64 (latency, "p99_9_ns");
    run->max_ns = dg_json_u64 (latency, "max_ns");

    json_t *read = json_object_get (object, "read"), *write = json_object_get (object, "write");
    run->read_bytes = dg_json_u64 (read, "bytes");
    run->read_ios = dg_json_u64 (read, "ios");
    run->read_latency_mean_ns = dg_json_double (json_object_get (read, "latency"), "mean_ns");
    run->write_bytes = dg_json_u64 (write, "bytes");
    run->write_ios = dg_json_u64 (write, "ios");
    run->write_latency_mean_ns = dg_json_double (json_object_get (write, "latency"), "mean_ns");

    parse_samples (owned, json_object_get (object, "samples"), &run->samples, &run->n_samples,
                   &run->sample_step_ns);

    run->backend = dg_json_text (owned, object, "backend");
    run->backend_reason = dg_json_text (owned, object, "backend_reason");
    run->direct = dg_json_text (owned, object, "direct");
    run->direct_reason = dg_json_text (owned, object, "direct_reason");
    run->queue_depth_engine = dg_json_double (object, "queue_depth_engine");
    run->queue_depth_device = dg_json_double (object, "queue_depth_device");
    run->inflight_max = dg_json_u64 (object, "inflight_max");
    run->cpu_ns = dg_json_u64 (object, "cpu_ns");
    run->kernel_worker_cpu_ns = dg_json_u64 (object, "kernel_worker_cpu_ns");
    run->run_wait_ns = dg_json_u64 (object, "run_wait_ns");
    run->first_io_ns = dg_json_u64 (object, "first_io_ns");
    run->suspended_ns = dg_json_u64 (object, "suspended_ns");
    run->device_bytes = dg_json_u64 (object, "device_bytes");
    run->foreign_bytes = dg_json_u64 (object, "foreign_bytes");
    run->touched_bytes = dg_json_u64 (object, "touched_bytes");
    run->unfinished = dg_json_u64 (object, "unfinished");
    run->oldest_unfinished_ns = dg_json_u64 (object, "oldest_unfinished_ns");
    run->complete = dg_json_truth (object, "complete");
    run->used = dg_json_truth (object, "used") == 1;

    run->n_errors = dg_json_array_size (object, "errors");
    run->errors = dg_json_new (owned, run->n_errors, sizeof *run->errors);
    json_t *errors = json_object_get (object, "errors");
    for (guint i = 0; i < run->n_errors; i++)
        parse_error (owned, json_array_get (errors, i), &run->errors[i]);
}

static DgDocState
parse_state (const gchar *text)
{
    if (g_strcmp0 (text, "done") == 0)
        return DG_DOC_DONE;
    if (g_strcmp0 (text, "stopped") == 0)
        return DG_DOC_STOPPED;
    return g_strcmp0 (text, "failed") == 0 ? DG_DOC_FAILED : DG_DOC_NOT_RUN;
}

static void
parse_shown (json_t *shown, DgDocTest *test)
{
    guint64 run = dg_json_u64 (shown, "run");
    test->shown = run < test->n_runs ? (gint) run : -1;
    test->spread_percent = dg_json_double (shown, "spread_percent");
    test->shown_best =
        g_strcmp0 (json_string_value (json_object_get (shown, "statistic")), "best") == 0;
}

void
dg_document_parse_test (GPtrArray *owned, json_t *object, DgDocTest *test)
{
    test->kind = dg_json_text (owned, object, "kind");
    test->name = dg_json_text (owned, object, "name");
    const gchar *direction = json_string_value (json_object_get (object, "direction"));
    test->direction = g_strcmp0 (direction, "write") == 0 ? DG_DIRECTION_WRITE
                      : g_strcmp0 (direction, "mix") == 0 ? DG_DIRECTION_MIX
                                                          : DG_DIRECTION_READ;
    test->state = parse_state (json_string_value (json_object_get (object, "state")));
    test->reason = dg_json_text (owned, object, "reason");
    test->started = dg_json_text (owned, object, "started");

    json_t *warmup = json_object_get (object, "warmup");
    test->warmup_started_ns = dg_json_u64 (warmup, "started_ns");
    test->warmup_elapsed_ns = dg_json_u64 (warmup, "elapsed_ns");
    guint64 step_ns = 0;
    parse_samples (owned, json_object_get (warmup, "samples"), &test->warmup_samples,
                   &test->n_warmup_samples, &step_ns);

    test->flush_ns = dg_json_u64 (object, "flush_ns");
    test->block_size_bytes = dg_json_u64 (object, "block_size_bytes");
    test->queue_depth = dg_json_u64 (object, "queue_depth");
    test->threads = dg_json_u64 (object, "threads");
    test->access = g_strcmp0 (json_string_value (json_object_get (object, "access")), "random") == 0
                       ? DG_ACCESS_RANDOM
                       : DG_ACCESS_SEQUENTIAL;
    test->read_percent = dg_json_u64 (object, "read_percent");
    test->shown = -1;
    test->spread_percent = NAN;

    /* What the runs of another kind of test mean is not known here: it is listed by its name only.
     */
    if (g_strcmp0 (test->kind, "speed") != 0)
        return;
    test->n_runs = dg_json_array_size (object, "runs");
    test->runs = dg_json_new (owned, test->n_runs, sizeof *test->runs);
    json_t *runs = json_object_get (object, "runs");
    for (guint i = 0; i < test->n_runs; i++)
        parse_run (owned, json_array_get (runs, i), &test->runs[i]);
    parse_shown (json_object_get (object, "shown"), test);
}
