/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One timed pass of a step: barrier, warm-up or window, drain. */
#include "engine/plan-run-pass.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"

#define OPEN_MAX_NS  30000000000u
#define T0_AGE_SHARE 40u                                 /* of the window: see engine/worker.h */
#define INFLIGHT_NS  (DG_RUN_TICK_NS - DG_RUN_MARGIN_NS) /* between two looks at the drive's own */
#define T1_WAIT_NS   100000000u

static uint64_t
get (const _Atomic uint64_t *counter)
{
    return atomic_load_explicit (counter, memory_order_relaxed);
}

void
dg__pass_counts (const DgStepRun *s, DgPassCounts *ret_counts)
{
    DgPassCounts sum = { 0 };
    for (uint32_t i = 0; i < s->n_workers; i++) {
        const DgWorkerCounters *c = dg__worker_counters (s->workers[i]);
        sum.all_ios += get (&c->all_ios);
        sum.all_read_bytes += get (&c->all_read_bytes);
        sum.all_written_bytes += get (&c->all_written_bytes);
        sum.ios += get (&c->ios);
        sum.bytes += get (&c->bytes);
        sum.slots_cycled += get (&c->slots_cycled);
        sum.failed_ios += get (&c->failed_ios);
        uint64_t first = get (&c->first_io_ns);
        if (first > sum.first_io_ns)
            sum.first_io_ns = first;
        sum.n_ready += atomic_load_explicit (&c->is_ready, memory_order_acquire) != 0;
        sum.n_ended += atomic_load_explicit (&c->is_ended, memory_order_acquire) != 0;
    }
    *ret_counts = sum;
}

/* Median, p99 and depth of the present run so far. */
static void
note_latencies (DgStepRun *s, uint64_t elapsed_ns)
{
    DgHistogram *sum = calloc (1, sizeof *sum);
    if (sum == NULL)
        return;
    for (uint32_t i = 0; i < s->n_workers; i++)
        dg__worker_add_live_histogram (s->workers[i], DG_DIRECTION_MIX, sum);
    double total_ns = 0.0;
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++)
        total_ns += (double) sum->counts[i] * (double) dg_histogram_middle_ns (i);
    DgSnapshot *now = &s->run->now;
    now->p50_ns = dg_histogram_percentile_ns (sum, 500, 0, UINT64_MAX);
    now->p99_ns = dg_histogram_percentile_ns (sum, 990, 0, UINT64_MAX);
    now->queue_depth = elapsed_ns > 0 ? total_ns / (double) elapsed_ns : 0.0;
    free (sum);
}

static void
note_cpu (DgStepRun *s, uint64_t now_ns)
{
    /* the first figure of a pass comes sooner */
    uint64_t span_ns = s->run->now.cpu_permille == 0 ? 250000000u : 1000000000u;
    if (now_ns - s->cpu_at_ns < span_ns && s->cpu_at_ns != 0)
        return;
    uint64_t cpu = 0;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        uint64_t one = dg__thread_cpu_ns (dg__worker_thread (s->workers[i]));
        cpu += one == DG_UNKNOWN_U64 ? 0 : one;
    }
    if (s->cpu_at_ns != 0 && cpu >= s->cpu_ns)
        s->run->now.cpu_permille = (uint32_t) ((cpu - s->cpu_ns) * 1000 / (now_ns - s->cpu_at_ns));
    s->cpu_at_ns = now_ns;
    s->cpu_ns = cpu;
}

void
dg__pass_tick (DgStepRun *s, const DgPassCounts *counts, bool has_window)
{
    DgPlanRun *run = s->run;
    uint64_t now = dg__stamp_ns (), all = counts->all_read_bytes + counts->all_written_bytes;
    if (has_window && now - s->inflight_ns >= INFLIGHT_NS) {
        DgDriveCounters drive;
        s->inflight_ns = now;
        for (uint32_t t = 0; t < run->plan->n_targets; t++) {
            if (!s->targets[t])
                continue;
            run->ops->drive_counters (run->targets[t].file, &drive);
            if (drive.inflight != DG_UNKNOWN_U64
                && (s->inflight_max == DG_UNKNOWN_U64 || drive.inflight > s->inflight_max))
                s->inflight_max = drive.inflight;
        }
    }
    if (s->sampler.start_ns != 0) {
        dg__sampler_add (&s->sampler, now, has_window ? counts->bytes : all);
        atomic_store (&run->n_live_samples, dg__sampler_count (&s->sampler, now));
    }
    if (dg__clock_ns () - run->published_ns < DG_SAMPLE_NS - DG_RUN_MARGIN_NS)
        return;
    uint64_t elapsed = now - (has_window ? s->sampler.start_ns : s->go_ns);
    run->now.run_bytes = has_window ? counts->bytes : all;
    run->now.run_ios = has_window ? counts->ios : counts->all_ios;
    run->now.run_ns = elapsed;
    if (now > s->recent_ns)
        run->now.recent_bytes_per_s =
            (uint64_t) ((double) (all - s->recent_bytes) * 1e9 / (double) (now - s->recent_ns));
    s->recent_ns = now;
    s->recent_bytes = all;
    run->now.bytes_read = run->passed_read_bytes + counts->all_read_bytes;
    run->now.bytes_written = run->passed_written_bytes + counts->all_written_bytes;
    run->now.errors = run->passed_errors + counts->failed_ios;
    uint64_t age = dg__pass_oldest_ns (s, now);
    run->now.oldest_io_ns = age > DG_RUN_LATE_NS ? age : 0;
    if (has_window)
        note_latencies (s, elapsed);
    note_cpu (s, now);
    dg__run_publish (run);
}

static void
reset (DgStepRun *s)
{
    atomic_store (&s->control->t0_ns, DG_EDGE_NEVER);
    atomic_store (&s->control->t1_from_ns, UINT64_MAX);
    atomic_store (&s->control->t1_ns, DG_EDGE_NEVER);
    atomic_store (&s->control->t0_ages_ns, UINT64_MAX);
    atomic_store (&s->control->t1_latest_ns, UINT64_MAX);
    atomic_store (&s->control->phase, DG_WORKER_WAIT);
    s->sampler = (DgSampler){ 0 };
    s->opening = (DgMeters){ 0 };
    s->closing = (DgMeters){ 0 };
    s->inflight_max = DG_UNKNOWN_U64;
    s->is_extended = s->is_dead = s->is_cut = s->has_jumped = false;
    s->good_ns = s->good_bytes = s->inflight_ns = 0;
    s->recent_ns = s->recent_bytes = s->cpu_at_ns = s->cpu_ns = 0;
    s->open_error = DG_OK;
    s->open_detail = (DgErrorDetail){ 0 };
    DgSnapshot *now = &s->run->now;
    now->run_bytes = now->run_ios = now->run_ns = now->p50_ns = now->p99_ns =
        now->recent_bytes_per_s = 0;
    now->queue_depth = 0.0;
    now->cpu_permille = 0;
}

/* Starts the workers and waits until each stands behind the barrier. */
static DgPassEnd
start_workers (DgStepRun *s)
{
    uint32_t n_all = s->n_workers;
    s->n_workers = 0;
    for (uint32_t i = 0; i < n_all; i++) {
        s->setups[i].backend = s->backend;
        s->setups[i].run = s->run->n_passes;
        int error = dg__worker_start (&s->setups[i], s->control, &s->workers[i]);
        if (error != DG_OK) {
            s->open_error = error;
            s->open_detail.operation = error == DG_ERROR_NO_MEMORY ? "malloc" : "pthread_create";
            return DG_PASS_SYSTEM;
        }
        s->n_workers++;
    }
    for (uint64_t started = dg__clock_ns ();;) {
        DgPassCounts counts;
        dg__pass_counts (s, &counts);
        if (counts.n_ended > 0)
            return DG_PASS_NO_QUEUE;
        if (counts.n_ready == s->n_workers)
            return DG_PASS_DONE;
        if (dg__run_is_stopped (s->run))
            return DG_PASS_STOPPED;
        if (dg__clock_ns () - started > OPEN_MAX_NS) {
            s->open_error = DG_ERROR_TIMED_OUT;
            return DG_PASS_NO_QUEUE;
        }
        dg__sleep_until_ns (dg__clock_ns () + 200000u);
    }
}

static void
warm_up (DgStepRun *s)
{
    uint64_t end = s->go_ns + s->run->plan->warmup_ns;
    for (;;) {
        DgPassCounts counts;
        dg__pass_counts (s, &counts);
        dg__pass_tick (s, &counts, false);
        uint64_t now = dg__stamp_ns ();
        if (now >= end || dg__pass_has_jumped (s) || counts.n_ended > 0
            || dg__run_is_stopped (s->run))
            return;
        if (counts.failed_ios > 0 && counts.all_read_bytes + counts.all_written_bytes == 0
            && now - s->go_ns >= DG_RUN_DEAD_NS)
            return;
        uint64_t sample = s->go_ns + ((now - s->go_ns) / DG_SAMPLE_NS + 1) * DG_SAMPLE_NS;
        dg__pass_sleep (s, sample < end ? sample : end);
    }
}

/* What the workers moved in total, where their streams stopped, and why a queue could not be
 * opened. */
static void
take_over (DgStepRun *s)
{
    DgPassCounts counts;
    dg__pass_counts (s, &counts);
    DgPlanRun *run = s->run;
    run->passed_read_bytes += counts.all_read_bytes;
    run->passed_written_bytes += counts.all_written_bytes;
    run->passed_errors += counts.failed_ios;
    run->now.bytes_read = run->passed_read_bytes;
    run->now.bytes_written = run->passed_written_bytes;
    run->now.errors = run->passed_errors;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        if (atomic_load (&dg__worker_counters (s->workers[i])->is_ended) == 0)
            continue;
        DgWorkerResult result;
        dg__worker_result (s->workers[i], &result);
        s->setups[i].sequence_start_bytes = result.sequence_end_bytes;
        if (result.open_error != DG_OK && s->open_error == DG_OK) {
            s->open_error = result.open_error;
            s->open_detail = result.open_detail;
        }
    }
}

static DgPassEnd
end_of_drain (DgDrain drained, DgPassEnd otherwise)
{
    return drained == DG_DRAIN_GOES_ON  ? DG_PASS_UNDRAINED
           : drained == DG_DRAIN_SILENT ? DG_PASS_ABANDONED
                                        : otherwise;
}

static DgPassEnd
carry_out (DgStepRun *s, DgRunResult *run)
{
    DgPassEnd end = start_workers (s);
    if (end != DG_PASS_DONE)
        return end_of_drain (dg__pass_drain (s), end);

    bool is_warmup = run == NULL;
    s->control->workers = s->workers;
    s->control->n_workers = s->n_workers;
    /* a read through the page cache is one pass over the file: none of it is let go by */
    s->control->t0_age_ns =
        s->is_buffered && !s->has_writes ? UINT64_MAX : s->run->plan->duration_ns / T0_AGE_SHARE;
    s->control->t0_latest_ns = DG_RUN_RAMP_MAX_NS;
    uint64_t quarter = s->run->plan->duration_ns / 4;
    s->control->t1_wait_ns = quarter > T1_WAIT_NS ? quarter : T1_WAIT_NS;
    s->sampler.samples = is_warmup ? s->result->warmup_samples : run->samples;
    s->sampler.capacity = is_warmup ? s->n_warmup_samples : run->n_samples;
    dg__run_move (s->run, is_warmup ? DG_STATE_WARMING : DG_STATE_MEASURING,
                  is_warmup ? s->run->plan->warmup_ns : s->run->plan->duration_ns + DG_RUN_RAMP_NS);
    dg__pass_clock_start (s);
    atomic_store_explicit (&s->control->phase, DG_WORKER_GO, memory_order_release);
    s->recent_ns = s->go_ns;
    uint64_t elapsed;
    if (is_warmup) {
        s->result->warmup_started_ns = dg__run_now_ns (s->run);
        dg__sampler_start (&s->sampler, s->go_ns);
        dg__run_publish_samples (s->run, s->sampler.samples, true);
        warm_up (s);
        elapsed = dg__stamp_ns () - s->go_ns;
        s->result->warmup_elapsed_ns = elapsed;
        s->result->n_warmup_samples = dg__sampler_count (&s->sampler, s->go_ns + elapsed);
    } else {
        dg__window (s);
        dg__pass_has_jumped (s);
        elapsed = dg__stamp_ns ();
        run->suspended_ns = dg__away_ns (s->run, &s->away);
    }
    bool was_cut = dg__run_is_stopped (s->run) && (is_warmup || s->is_cut);
    DgDrain drained = dg__pass_drain (s);
    /* only now: the first I/O may take longer than the whole pass */
    DgPassCounts counts;
    dg__pass_counts (s, &counts);
    uint64_t first_io_ns = counts.first_io_ns != 0 ? counts.first_io_ns : DG_UNKNOWN_U64;
    if (counts.first_io_ns != 0 && s->probe_read_ns > counts.first_io_ns) /* it woke the drive */
        first_io_ns = s->probe_read_ns;
    s->probe_read_ns = 0;
    if (is_warmup) {
        s->first_io_ns = first_io_ns;
        dg__collect_errors (s, &s->warmup);
    } else {
        run->first_io_ns = first_io_ns;
        dg__collect (s, run, elapsed);
    }
    return end_of_drain (drained, was_cut ? DG_PASS_STOPPED : DG_PASS_DONE);
}

DgPassEnd
dg__pass (DgStepRun *s, DgRunResult *run)
{
    uint32_t n_all = s->n_workers;
    reset (s);
    dg__stamp_init ();
    s->run->n_passes++;
    DgPassEnd end = carry_out (s, run);
    take_over (s);
    if (end == DG_PASS_ABANDONED)
        s->run->result.abandoned_age_ns = dg__pass_oldest_ns (s, dg__stamp_ns ());
    if (end == DG_PASS_ABANDONED || end == DG_PASS_UNDRAINED)
        return end; /* the workers stay as they are: see plan-run-drain.c */
    s->run->now.oldest_io_ns = 0;
    dg__pass_free_workers (s);
    s->n_workers = n_all;
    return end;
}
