/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the workers' results to one run's. */
#include "engine/plan-run-pass.h"

#include <math.h>
#include <stdlib.h>

#include "engine/clock.h"

static void
add_known (uint64_t *sum, uint64_t value)
{
    if (value == DG_UNKNOWN_U64)
        *sum = DG_UNKNOWN_U64;
    else if (*sum != DG_UNKNOWN_U64)
        *sum += value;
}

void
dg__meters_read (DgStepRun *s, DgMeters *ret_meters)
{
    DgMeters m = { .drive = { .inflight = DG_UNKNOWN_U64, .is_one_to_one = true } };
    const DgPlanRun *run = s->run;
    for (uint32_t t = 0; t < run->plan->n_targets; t++) {
        if (!s->targets[t])
            continue;
        DgDriveCounters one;
        run->ops->drive_counters (run->targets[t].file, &one);
        m.drive.is_one_to_one &= one.is_one_to_one;
        add_known (&m.drive.read_bytes, one.read_bytes);
        add_known (&m.drive.written_bytes, one.written_bytes);
        add_known (&m.drive.queue_time_ns, one.queue_time_ns);
    }
    m.stamp_ns = dg__stamp_ns ();
    DgPassCounts counts;
    dg__pass_counts (s, &counts);
    m.our_bytes = counts.all_read_bytes + counts.all_written_bytes;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        add_known (&m.wait_ns, dg__thread_wait_ns (dg__worker_thread (s->workers[i])));
        add_known (&m.kernel_cpu_ns, dg__worker_kernel_cpu_ns (s->workers[i]));
    }
    *ret_meters = m;
}

static uint64_t
growth (uint64_t before, uint64_t after)
{
    return before == DG_UNKNOWN_U64 || after == DG_UNKNOWN_U64 || after < before ? DG_UNKNOWN_U64
                                                                                 : after - before;
}

static void
add_flow (DgFlowCount *sum, const DgFlowCount *one)
{
    if (one->ios == 0)
        return;
    if (sum->ios == 0 || one->min_ns == DG_UNKNOWN_U64)
        sum->min_ns = one->min_ns;
    else if (one->min_ns < sum->min_ns && sum->min_ns != DG_UNKNOWN_U64)
        sum->min_ns = one->min_ns;
    if (one->max_ns > sum->max_ns) /* unknown is the greatest */
        sum->max_ns = one->max_ns;
    sum->ios += one->ios;
    sum->bytes += one->bytes;
    add_known (&sum->sum_ns, one->sum_ns);
    if (sum->histogram != NULL && one->histogram != NULL)
        dg_histogram_merge (sum->histogram, one->histogram);
}

/* Of a worker's stream, to all that it is part of. */
static void
add_flows (const DgStream *stream, const DgFlowCount *total, const DgFlowCount *read,
           const DgFlowCount *write, DgRunResult *run)
{
    add_flow (&run->total, total);
    if (run->read.histogram != NULL) {
        add_flow (&run->read, stream->read_percent == 100 ? total : read);
        add_flow (&run->write, stream->read_percent == 0 ? total : write);
    }
    if (run->per_target != NULL)
        add_flow (&run->per_target[stream->target], total);
}

static void
add_error (DgRunResult *run, const DgRunError *error)
{
    for (uint32_t i = 0; i < run->n_errors; i++)
        if (run->errors[i].operation == error->operation
            && run->errors[i].os_code == error->os_code) {
            run->errors[i].count += error->count;
            return;
        }
    if (run->n_errors == DG_MAX_RUN_ERRORS)
        run->errors[DG_MAX_RUN_ERRORS - 1].count += error->count;
    else
        run->errors[run->n_errors++] = *error;
}

void
dg__collect_errors (const DgStepRun *s, DgRunResult *run)
{
    for (uint32_t i = 0; i < s->n_workers; i++) {
        DgWorkerResult result;
        if (atomic_load_explicit (&dg__worker_counters (s->workers[i])->is_ended,
                                  memory_order_acquire)
            == 0)
            continue;
        dg__worker_result (s->workers[i], &result);
        for (uint32_t k = 0; k < result.n_errors; k++)
            add_error (run, &result.errors[k]);
    }
}

/* What can be read while it runs: how many and how they were spread, but neither sum nor ends. */
static void
read_lost_flow (const DgWorker *worker, DgDirection direction, uint64_t block_bytes,
                DgFlowCount *flow)
{
    dg__worker_add_live_histogram (worker, direction, flow->histogram);
    flow->ios = dg_histogram_total (flow->histogram);
    flow->bytes = flow->ios * block_bytes;
    flow->sum_ns = flow->min_ns = flow->max_ns = DG_UNKNOWN_U64;
}

/* A worker that has not come back. */
static void
add_lost_worker (const DgStepRun *s, uint32_t index, DgRunResult *run)
{
    const DgStream *stream = s->setups[index].stream;
    DgHistogram *histograms = calloc (3, sizeof *histograms);
    if (histograms != NULL) {
        DgFlowCount flows[3] = { { .histogram = &histograms[0] },
                                 { .histogram = &histograms[1] },
                                 { .histogram = &histograms[2] } };
        static const DgDirection directions[3] = { DG_DIRECTION_MIX, DG_DIRECTION_READ,
                                                   DG_DIRECTION_WRITE };
        for (int i = 0; i < 3; i++)
            read_lost_flow (s->workers[index], directions[i], stream->block_bytes, &flows[i]);
        add_flows (stream, &flows[0], &flows[1], &flows[2], run);
        free (histograms);
    }
    run->cpu_ns = DG_UNKNOWN_U64;
    uint32_t in_flight;
    uint64_t oldest = dg__worker_oldest_submit_ns (s->workers[index], &in_flight);
    uint64_t now = dg__stamp_ns ();
    if (oldest != 0 && now > oldest) {
        run->unfinished += in_flight;
        if (now - oldest > run->oldest_unfinished_ns)
            run->oldest_unfinished_ns = now - oldest;
    }
}

static void
add_worker (const DgStepRun *s, uint32_t index, DgRunResult *run)
{
    DgWorkerResult result;
    dg__worker_result (s->workers[index], &result);
    add_flows (s->setups[index].stream, &result.total, &result.read, &result.write, run);
    run->unfinished += result.unfinished;
    if (result.oldest_unfinished_ns > run->oldest_unfinished_ns)
        run->oldest_unfinished_ns = result.oldest_unfinished_ns;
    add_known (&run->cpu_ns, result.cpu_ns);
}

/* What the pass moved on each target. Distinct bytes stream by stream: the workers of one stand
 * side by side. */
static void
note_moved (DgStepRun *s, DgRunResult *run)
{
    for (uint32_t t = 0; t < s->run->plan->n_targets; t++)
        s->moved[t] = (DgMoved){ 0 };
    for (uint32_t i = 0; i < s->n_workers; i++) {
        const DgWorkerCounters *c = dg__worker_counters (s->workers[i]);
        DgMoved *moved = &s->moved[s->setups[i].stream->target];
        moved->read_bytes += atomic_load_explicit (&c->all_read_bytes, memory_order_relaxed);
        moved->written_bytes += atomic_load_explicit (&c->all_written_bytes, memory_order_relaxed);
    }
    for (uint32_t i = 0, n; i < s->n_workers; i += n) {
        const DgStream *stream = s->setups[i].stream;
        for (n = 1; i + n < s->n_workers && s->setups[i + n].stream == stream;)
            n++;
        uint64_t touched = dg__workers_touched_bytes (&s->workers[i], n),
                 region = dg__step_region (s, stream);
        touched = touched < region ? touched : region;
        s->moved[stream->target].touched_bytes += touched;
        run->touched_bytes += touched;
    }
}

/* What the drive moved in the window. */
static void
note_drive (const DgStepRun *s, DgRunResult *run)
{
    const DgMeters *a = &s->opening, *b = &s->closing;
    uint64_t span = b->stamp_ns - a->stamp_ns, ours = b->our_bytes - a->our_bytes;
    uint64_t read = growth (a->drive.read_bytes, b->drive.read_bytes),
             written = growth (a->drive.written_bytes, b->drive.written_bytes);
    run->device_bytes = run->foreign_bytes = DG_UNKNOWN_U64;
    if (read != DG_UNKNOWN_U64 && written != DG_UNKNOWN_U64) {
        /* the readings come a moment after t0 and t1: our own bytes between say by how much */
        uint64_t moved = read + written, counted = run->total.bytes;
        run->device_bytes = moved + counted > ours ? moved + counted - ours : 0;
        if (b->drive.is_one_to_one) /* a mirror's second copy is not another program's */
            run->foreign_bytes = moved > ours ? moved - ours : 0;
    }
    uint64_t queue_time = growth (a->drive.queue_time_ns, b->drive.queue_time_ns);
    if (queue_time != DG_UNKNOWN_U64 && span > 0)
        run->queue_depth_device = (double) queue_time / (double) span;
    /* the coordinator was kept from looking: what it saw is not the window's */
    bool is_late = span < run->elapsed_ns / 2 || span / 2 > run->elapsed_ns;
    run->run_wait_ns = is_late ? DG_UNKNOWN_U64 : growth (a->wait_ns, b->wait_ns);
    run->kernel_worker_cpu_ns =
        is_late ? DG_UNKNOWN_U64 : growth (a->kernel_cpu_ns, b->kernel_cpu_ns);
    add_known (&run->cpu_ns, run->kernel_worker_cpu_ns);
}

void
dg__collect (DgStepRun *s, DgRunResult *run, uint64_t end_ns)
{
    uint64_t t0 = atomic_load (&s->control->t0_ns), t1 = atomic_load (&s->control->t1_ns);
    bool has_t1 = t1 < DG_EDGE_OPEN;
    bool all_back = true;
    run->cpu_ns = s->has_jumped ? DG_UNKNOWN_U64 : 0;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        bool is_back = atomic_load_explicit (&dg__worker_counters (s->workers[i])->is_ended,
                                             memory_order_acquire)
                       != 0;
        all_back &= is_back;
        if (s->has_jumped)
            continue; /* counted, but by no clock */
        if (is_back)
            add_worker (s, i, run);
        else
            add_lost_worker (s, i, run);
    }
    dg__collect_errors (s, run);
    if (t0 < DG_EDGE_OPEN && (has_t1 || t0 < end_ns) && !s->has_jumped) {
        run->elapsed_ns = (has_t1 ? t1 : end_ns) - t0;
        run->started_ns = t0 - (dg__stamp_ns () - dg__run_now_ns (s->run));
        if (s->sampler.start_ns == 0) /* a stop came before the coordinator had seen t0 */
            dg__sampler_start (&s->sampler, t0);
        dg__sampler_add (&s->sampler, t0 + run->elapsed_ns, run->total.bytes);
        run->n_samples = dg__sampler_count (&s->sampler, t0 + run->elapsed_ns);
        atomic_store (&s->run->n_live_samples, run->n_samples);
    } else {
        run->started_ns = dg__run_now_ns (s->run);
        run->n_samples = 0;
    }
    run->is_complete = has_t1 && !s->is_cut && !s->is_dead && !s->has_jumped && all_back;
    uint64_t duration = s->run->plan->duration_ns;
    bool is_late = s->step->stop != DG_STOP_BYTES && run->elapsed_ns > duration + duration / 10;
    run->extended = s->is_extended || is_late;
    bool has_depth =
        run->elapsed_ns > 0 && run->total.ios > 0 && run->total.sum_ns != DG_UNKNOWN_U64;
    run->queue_depth_engine =
        has_depth ? (double) run->total.sum_ns / (double) run->elapsed_ns : NAN;
    run->queue_depth_device = NAN;
    run->inflight_max = s->inflight_max;
    note_moved (s, run);
    if (s->closing.stamp_ns != 0 && !s->has_jumped)
        note_drive (s, run);
    else
        run->device_bytes = run->foreign_bytes = run->run_wait_ns = run->kernel_worker_cpu_ns =
            DG_UNKNOWN_U64;
}
