/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests[] and runs[] from the engine's numbers. */
#include "app/core/document-build.h"

#include "app/core/numbers.h"
#include "app/core/test-spec.h"

#include <math.h>

static const gchar *
direction_name (guint read_percent)
{
    return read_percent == 100 ? "read" : read_percent == 0 ? "write" : "mix";
}

static json_t *
build_latency (const DgFlowCount *flow)
{
    json_t *latency = json_object ();
    gboolean any = flow->ios > 0;
    /* of a run that was given up only the histogram is known */
    guint64 least_ns = flow->min_ns == DG_UNKNOWN_U64 ? 0 : flow->min_ns;
    dg_build_real (
        latency, "mean_ns",
        any && flow->sum_ns != DG_UNKNOWN_U64 ? (gdouble) flow->sum_ns / (gdouble) flow->ios : NAN);
    dg_build_u64 (latency, "min_ns", any ? flow->min_ns : DG_DOC_UNKNOWN);
    static const struct {
        const gchar *key;
        guint per_mille;
    } percentiles[] = {
        { "p50_ns", 500 }, { "p95_ns", 950 }, { "p99_ns", 990 }, { "p99_9_ns", 999 }
    };
    for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
        dg_build_u64 (latency, percentiles[i].key,
                      any && flow->histogram != NULL ? dg_histogram_percentile_ns (
                          flow->histogram, percentiles[i].per_mille, least_ns, flow->max_ns)
                                                     : DG_DOC_UNKNOWN);
    dg_build_u64 (latency, "max_ns", any ? flow->max_ns : DG_DOC_UNKNOWN);
    return latency;
}

static json_t *
build_histogram (const DgHistogram *histogram)
{
    json_t *object = json_object (), *counts = json_array ();
    json_object_set_new (object, "sub_bits", json_integer (DG_HISTOGRAM_SUB_BITS));
    for (guint i = 0; i < DG_HISTOGRAM_BUCKETS; i++)
        if (histogram->counts[i] > 0)
            json_array_append_new (
                counts, json_pack ("[I, I]", (json_int_t) i, (json_int_t) histogram->counts[i]));
    json_object_set_new (object, "counts", counts);
    return object;
}

static json_t *
build_samples (const guint64 *bytes, guint n)
{
    json_t *array = json_array ();
    for (guint i = 0; i < n; i++)
        json_array_append_new (array, json_integer ((json_int_t) bytes[i]));
    return json_pack ("{s:s, s:I, s:o}", "axis", "time", "step", (json_int_t) DG_SAMPLE_NS, "bytes",
                      array);
}

static json_t *
build_flow (const DgFlowCount *flow)
{
    json_t *object = json_object ();
    dg_build_u64 (object, "bytes", flow->bytes);
    dg_build_u64 (object, "ios", flow->ios);
    json_object_set_new (object, "latency", build_latency (flow));
    return object;
}

static json_t *
build_errors (const DgRunResult *run)
{
    json_t *array = json_array ();
    for (guint i = 0; i < MIN (run->n_errors, DG_MAX_RUN_ERRORS); i++) {
        const DgRunError *error = &run->errors[i];
        gchar text[256] = "";
        if (error->os_code != 0)
            dg_error_os_text (error->os_code, text, sizeof text);
        g_autofree gchar *clean =
            dg_text_sanitize (error->os_code != 0 ? text : "The drive returned no data");
        json_t *object = json_object ();
        dg_build_text (object, "operation", error->operation);
        dg_build_u64 (object, "offset_bytes", error->offset_bytes);
        dg_build_u64 (object, "length_bytes", error->length_bytes);
        json_object_set_new (object, "os_code", json_integer (error->os_code));
        dg_build_text (object, "text", clean);
        dg_build_u64 (object, "count", error->count);
        json_array_append_new (array, object);
    }
    return array;
}

static const gchar *
directness_name (DgDirectness direct)
{
    return direct == DG_DIRECT_PROVED    ? "proved"
           : direct == DG_DIRECT_REFUTED ? "refuted"
                                         : "unknown";
}

static json_t *
build_run (const DgRunResult *run, const DgStep *step, guint64 offset_ns)
{
    json_t *object = json_object ();
    dg_build_u64 (object, "started_ns", offset_ns + run->started_ns);
    dg_build_u64 (object, "bytes", run->total.bytes);
    dg_build_u64 (object, "ios", run->total.ios);
    dg_build_u64 (object, "elapsed_ns", run->elapsed_ns);
    dg_build_real (object, "bandwidth_bytes_per_s", dg_run_bandwidth (run));
    dg_build_real (object, "iops", dg_run_iops (run));
    json_object_set_new (object, "latency", build_latency (&run->total));
    json_object_set_new (object, "histogram",
                         run->total.histogram == NULL ? json_null ()
                                                      : build_histogram (run->total.histogram));
    guint read_percent = step->streams[0].read_percent;
    if (read_percent > 0 && read_percent < 100) {
        json_object_set_new (object, "read", build_flow (&run->read));
        json_object_set_new (object, "write", build_flow (&run->write));
    }
    if (run->per_target != NULL && step->n_streams > 1) {
        json_t *array = json_array ();
        for (guint i = 0; i < step->n_streams; i++) {
            json_t *flow = build_flow (&run->per_target[step->streams[i].target]);
            dg_build_u64 (flow, "target", step->streams[i].target);
            json_array_append_new (array, flow);
        }
        json_object_set_new (object, "per_target", array);
    }
    json_object_set_new (object, "samples", build_samples (run->samples, run->n_samples));
    dg_build_text (object, "backend", dg_backend_id_name (run->backend));
    dg_build_text (object, "backend_reason", run->backend_reason);
    dg_build_text (object, "direct", directness_name (run->direct));
    dg_build_text (object, "direct_reason", run->direct_reason);
    dg_build_real (object, "queue_depth_engine", run->queue_depth_engine);
    dg_build_real (object, "queue_depth_device", run->queue_depth_device);
    dg_build_u64 (object, "inflight_max", run->inflight_max);
    dg_build_u64 (object, "cpu_ns", run->cpu_ns);
    dg_build_u64 (object, "kernel_worker_cpu_ns", run->kernel_worker_cpu_ns);
    dg_build_u64 (object, "run_wait_ns", run->run_wait_ns);
    dg_build_u64 (object, "first_io_ns", run->first_io_ns);
    dg_build_u64 (object, "suspended_ns", run->suspended_ns);
    dg_build_u64 (object, "device_bytes", run->device_bytes);
    dg_build_u64 (object, "foreign_bytes", run->foreign_bytes);
    dg_build_u64 (object, "touched_bytes", run->touched_bytes);
    dg_build_u64 (object, "unfinished", run->unfinished);
    dg_build_u64 (object, "oldest_unfinished_ns", run->oldest_unfinished_ns);
    dg_build_truth (object, "extended", run->extended);
    dg_build_truth (object, "complete", run->is_complete);
    dg_build_truth (object, "used", run->is_used);
    json_object_set_new (object, "errors", build_errors (run));
    return object;
}

static json_t *
build_shown (const DgStepResult *step, gboolean best)
{
    int shown = dg_step_shown_run (step, best);
    if (shown < 0)
        return json_null ();
    const DgRunResult *run = &step->runs[shown];
    json_t *object = json_object ();
    json_object_set_new (object, "run", json_integer (shown));
    dg_build_text (object, "statistic", best ? "best" : "median");
    dg_build_real (object, "bandwidth_bytes_per_s", dg_run_bandwidth (run));
    dg_build_real (object, "iops", dg_run_iops (run));
    dg_build_real (object, "latency_mean_ns",
                   run->total.ios > 0 ? (gdouble) run->total.sum_ns / (gdouble) run->total.ios
                                      : NAN);
    dg_build_real (object, "spread_percent", dg_step_spread_percent (step));
    return object;
}

static json_t *
build_stop (const DgPlan *plan, const DgStep *step)
{
    json_t *object = json_object ();
    if (step->stop == DG_STOP_BYTES)
        dg_build_u64 (object, "bytes", step->stop_bytes);
    else if (step->stop == DG_STOP_FULL)
        json_object_set_new (object, "full", json_true ());
    else
        dg_build_u64 (object, "time_ns", plan->duration_ns);
    return object;
}

static json_t *
build_streams (const DgStep *step)
{
    json_t *array = json_array ();
    for (guint i = 0; i < step->n_streams; i++) {
        const DgStream *stream = &step->streams[i];
        json_t *object = json_object ();
        dg_build_u64 (object, "target", stream->target);
        dg_build_u64 (object, "region_start_bytes", stream->region_start_bytes);
        dg_build_u64 (object, "region_bytes",
                      stream->region_bytes == 0 ? DG_DOC_UNKNOWN : stream->region_bytes);
        dg_build_text (object, "access",
                       stream->access == DG_ACCESS_RANDOM ? "random" : "sequential");
        dg_build_u64 (object, "block_size_bytes", stream->block_bytes);
        dg_build_u64 (object, "queue_depth", stream->queue_depth);
        dg_build_u64 (object, "threads", stream->threads);
        dg_build_u64 (object, "read_percent", stream->read_percent);
        dg_build_text (object, "data", stream->data == DG_DATA_ZERO ? "zero" : "random");
        json_array_append_new (array, object);
    }
    return array;
}

static json_t *
build_head (const DgPlan *plan, guint index, const gchar *state, const gchar *reason,
            const gchar *started)
{
    const DgStep *step = &plan->steps[index];
    const DgStream *stream = &step->streams[0];
    DgTestSpec spec = { stream->access, stream->block_bytes, stream->queue_depth, stream->threads };
    g_autofree gchar *name = dg_test_spec_dup_name (&spec);
    json_t *targets = json_array (), *test = json_object ();
    for (guint i = 0; i < step->n_streams; i++) {
        gboolean listed = FALSE;
        for (guint k = 0; k < i; k++)
            listed |= step->streams[k].target == step->streams[i].target;
        if (!listed)
            json_array_append_new (targets, json_integer (step->streams[i].target));
    }
    dg_build_text (test, "kind", "speed");
    json_object_set_new (test, "group", json_null ());
    dg_build_text (test, "name", name);
    dg_build_text (test, "direction", direction_name (stream->read_percent));
    dg_build_text (test, "state", state);
    dg_build_text (test, "reason", reason);
    dg_build_text (test, "started", started);
    json_object_set_new (test, "targets", targets);
    dg_build_u64 (test, "block_size_bytes", stream->block_bytes);
    dg_build_u64 (test, "queue_depth", stream->queue_depth);
    dg_build_u64 (test, "threads", stream->threads);
    dg_build_text (test, "access", stream->access == DG_ACCESS_RANDOM ? "random" : "sequential");
    dg_build_u64 (test, "read_percent", stream->read_percent);
    json_object_set_new (test, "stop", build_stop (plan, step));
    if (step->n_streams > 1)
        json_object_set_new (test, "streams", build_streams (step));
    return test;
}

json_t *
dg_build_test_not_run (const DgPlan *plan, guint index, const gchar *reason)
{
    json_t *test = build_head (plan, index, "not-run", reason, NULL);
    json_object_set_new (test, "warmup", json_null ());
    json_object_set_new (test, "flush_ns", json_null ());
    json_object_set_new (test, "runs", json_array ());
    json_object_set_new (test, "shown", json_null ());
    return test;
}

json_t *
dg_build_test (const DgPlan *plan, guint index, gboolean statistic_best, GDateTime *at,
               guint64 offset_ns, const DgStepResult *step)
{
    static const gchar *const states[] = { [DG_STEP_NOT_RUN] = "not-run",
                                           [DG_STEP_DONE] = "done",
                                           [DG_STEP_STOPPED] = "stopped",
                                           [DG_STEP_FAILED] = "failed" };
    if (step->state == DG_STEP_NOT_RUN)
        return dg_build_test_not_run (plan, index, step->reason);

    g_autoptr (GDateTime) moment = g_date_time_add (at, (GTimeSpan) (step->started_ns / 1000u));
    g_autofree gchar *started = dg_build_time (moment);
    json_t *test = build_head (plan, index, states[step->state], step->reason, started);
    if (step->warmup_elapsed_ns > 0) {
        json_t *warmup = json_object ();
        dg_build_u64 (warmup, "started_ns", offset_ns + step->warmup_started_ns);
        dg_build_u64 (warmup, "elapsed_ns", step->warmup_elapsed_ns);
        json_object_set_new (warmup, "samples",
                             build_samples (step->warmup_samples, step->n_warmup_samples));
        json_object_set_new (test, "warmup", warmup);
    } else {
        json_object_set_new (test, "warmup", json_null ());
    }
    dg_build_u64 (test, "flush_ns", step->flush_ns);
    json_t *runs = json_array ();
    for (guint i = 0; i < step->n_runs; i++)
        json_array_append_new (runs, build_run (&step->runs[i], &plan->steps[index], offset_ns));
    json_object_set_new (test, "runs", runs);
    json_object_set_new (test, "shown", build_shown (step, statistic_best));
    return test;
}
