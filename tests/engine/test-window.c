/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured window on the fake clock, to the nanosecond. */
#include "engine/data.h"
#include "null-run.h"

static void
edges_are_exact (void)
{
    NullRun n;
    null_run_init (&n, 1);
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_DONE);
    CHECK_U64 (step->n_runs, 1);
    const DgRunResult *run = &step->runs[0];
    /* a completion falls on t0 and is not counted, one on t1 and is */
    CHECK_U64 (run->elapsed_ns, 200 * MS);
    CHECK_U64 (run->total.ios, 200);
    CHECK_U64 (run->total.bytes, 200 * 4096);
    CHECK_U64 (run->total.min_ns, 1 * MS);
    CHECK_U64 (run->total.max_ns, 1 * MS);
    CHECK_U64 (run->total.sum_ns, 200 * MS);
    CHECK_NEAR (run->queue_depth_engine, 1.0, 1e-9);
    CHECK_NEAR (dg_run_iops (run), 1000.0, 1e-6);
    CHECK_U64 (run->unfinished, 0);
    CHECK (run->is_used && run->is_complete && !run->extended);
    CHECK_U64 (run->n_samples, 2);
    CHECK_NEAR (run->samples[0], 100 * 4096, 4096);
    CHECK_NEAR (run->samples[0] + run->samples[1], 200 * 4096, 0);
    CHECK_U64 (run->first_io_ns, 1 * MS);
    CHECK_U64 (run->backend, DG_BACKEND_NULL);
    CHECK_TEXT (run->backend_reason, "asked");
    /* the counters may be read just before or after a completion of the same moment */
    CHECK_NEAR (run->device_bytes, run->total.bytes, 4096);
    CHECK_NEAR (run->foreign_bytes, 0, 4096);
    null_run_done (&n);
}

/* ---- every completion of one worker, written down by the drive's side ---- */

#define MAX_LOG 200000

typedef struct {
    uint64_t due_ns, latency_ns;
    uint32_t pass;
} Logged;

typedef struct {
    Logged *log;
    uint32_t n;
    DgRandom random;
    uint64_t least_ns, spread_ns;
} Log;

static void
log_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    Log *log = script->data;
    answer->latency_ns = log->least_ns + dg__random_next (&log->random) % log->spread_ns;
    if (log->n < MAX_LOG)
        log->log[log->n++] =
            (Logged){ io->now_ns + answer->latency_ns, answer->latency_ns, io->pass };
}

static int
compare_u64 (const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
    return x < y ? -1 : x > y;
}

static uint64_t
count_between (const Log *log, uint64_t from_ns, uint64_t to_ns, uint64_t *ret_latencies)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < log->n; i++)
        if (log->log[i].due_ns > from_ns && log->log[i].due_ns <= to_ns)
            ret_latencies[n++] = log->log[i].latency_ns;
    qsort (ret_latencies, n, sizeof *ret_latencies, compare_u64);
    return n;
}

static void
against_the_log (uint32_t queue_depth, DgAccess access, uint32_t read_percent)
{
    NullRun n;
    null_run_init (&n, 1);
    static Logged entries[MAX_LOG];
    static uint64_t latencies[MAX_LOG];
    Log log = { .log = entries, .least_ns = 20000, .spread_ns = 3 * MS };
    dg__random_seed (&log.random, 11, queue_depth);
    n.script.answer = log_cb;
    n.script.data = &log;
    n.streams[0].queue_depth = queue_depth;
    n.streams[0].access = access;
    n.streams[0].read_percent = read_percent;
    n.plan.duration_ns = 500 * MS;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (log.n < MAX_LOG);
    uint64_t t0 = DG_NULL_START_NS + run->started_ns, t1 = t0 + run->elapsed_ns;
    uint64_t count = count_between (&log, t0, t1, latencies), sum = 0;
    CHECK (run->elapsed_ns >= 500 * MS && run->elapsed_ns < 504 * MS);
    CHECK_U64 (run->total.ios, count);
    CHECK_U64 (run->total.bytes, count * 4096);
    CHECK (count > 100);
    for (uint64_t i = 0; i < count; i++)
        sum += latencies[i];
    CHECK_U64 (run->total.sum_ns, sum);
    CHECK_U64 (run->total.min_ns, latencies[0]);
    CHECK_U64 (run->total.max_ns, latencies[count - 1]);
    CHECK_U64 (dg_histogram_total (run->total.histogram), count);
    static const uint32_t per_mille[] = { 500, 950, 990, 999 };
    for (int i = 0; i < 4; i++) {
        uint64_t exact = latencies[(count * per_mille[i] + 999) / 1000 - 1];
        CHECK_NEAR (dg_histogram_percentile_ns (run->total.histogram, per_mille[i],
                                                run->total.min_ns, run->total.max_ns),
                    exact, (double) exact * 0.016);
    }
    CHECK_NEAR (run->queue_depth_engine, queue_depth, 0.05 * queue_depth);
    /* one slot is free at t1, the others were under way */
    CHECK_U64 (run->unfinished, queue_depth - 1);
    CHECK (run->oldest_unfinished_ns <= 4 * MS);
    if (read_percent > 0 && read_percent < 100) {
        CHECK_U64 (run->read.ios + run->write.ios, count);
        CHECK_U64 (run->read.sum_ns + run->write.sum_ns, sum);
        CHECK_NEAR ((double) run->read.ios / (double) count, read_percent / 100.0, 0.05);
        CHECK_U64 (dg_histogram_total (run->read.histogram), run->read.ios);
        CHECK_U64 (dg_histogram_total (run->write.histogram), run->write.ios);
    } else {
        CHECK_U64 (run->read.ios + run->write.ios, 0);
    }
    uint64_t all = 0;
    for (uint32_t i = 0; i < run->n_samples; i++)
        all += run->samples[i];
    CHECK_U64 (run->n_samples, 5);
    CHECK_NEAR (all, run->total.bytes, 4096.0 * (queue_depth + 4));
    null_run_done (&n);
}

static void
counts_agree_with_the_drive (void)
{
    against_the_log (1, DG_ACCESS_RANDOM, 100);
    against_the_log (1, DG_ACCESS_SEQUENTIAL, 0);
    against_the_log (32, DG_ACCESS_RANDOM, 100);
    against_the_log (8, DG_ACCESS_SEQUENTIAL, 100);
    against_the_log (16, DG_ACCESS_RANDOM, 70);
}

static void
edges_between_completions (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.latency_ns = 700000; /* 200 ms are no multiple of it */
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK_U64 (run->elapsed_ns, 286 * 700000); /* the first completion at or after 200 ms */
    CHECK_U64 (run->total.ios, 286);
    null_run_done (&n);
}

static void
slow_drive_is_extended (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.latency_ns = 5 * MS; /* 100 take 500 ms */
    n.steps[1].streams = &n.streams[1];
    n.plan.duration_ns = 200 * MS;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->extended && run->is_complete);
    CHECK (run->total.ios >= 100 && run->total.ios <= 102);
    CHECK_U64 (run->elapsed_ns, run->total.ios * 5 * MS);
    null_run_done (&n);

    null_run_init (&n, 1);
    n.script.latency_ns = 30 * MS; /* 100 would take 3 s: 4 x the duration is the end */
    null_run (&n);
    run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->extended && run->is_complete && run->is_used);
    CHECK_U64 (run->total.ios, 27);
    CHECK_U64 (run->elapsed_ns, 810 * MS);
    null_run_done (&n);
}

static void
slow_then_fast_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    answer->latency_ns = io->pass == 0 && io->number < 8 ? 400 * MS : 1 * MS;
}

static void
ramp_waits_for_every_slot (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].queue_depth = 4;
    n.script.answer = slow_then_fast_cb; /* each slot twice: 0.8 s */
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->started_ns >= 800 * MS && run->started_ns < 810 * MS);
    CHECK_U64 (run->total.max_ns, 1 * MS);
    CHECK_U64 (run->first_io_ns, 400 * MS);
    null_run_done (&n);
}

/* A disk that has to spin up. The first I/O takes longer than the warm-up, and only it. */
static void
asleep_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    answer->latency_ns = io->pass == 0 && io->number == 0 ? 6 * SEC : 1 * MS;
}

static void
first_io_outlasts_the_warm_up (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.plan.warmup_ns = 500 * MS;
    n.plan.runs = 3;
    n.script.answer = asleep_cb;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_DONE);
    CHECK_U64 (step->n_runs, 3);
    CHECK_U64 (step->runs[0].first_io_ns, 6 * SEC);
    CHECK_U64 (step->runs[0].total.max_ns, 1 * MS);
    CHECK_U64 (step->runs[1].first_io_ns, 1 * MS);
    null_run_done (&n);
}

static void
very_slow_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    answer->latency_ns = 8 * SEC;
}

static void
ramp_ends_after_ten_seconds (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.answer = very_slow_cb;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK_U64 (run->started_ns / SEC, 16); /* the first completion after 10 s is the second */
    CHECK_U64 (run->total.ios, 1);
    CHECK_U64 (run->elapsed_ns, 8 * SEC);
    CHECK (run->is_complete && run->extended);
    null_run_done (&n);
}

static void
warm_up_is_kept_apart (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.plan.warmup_ns = 500 * MS;
    n.plan.interval_ns = 1 * SEC;
    n.plan.runs = 2;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 2);
    CHECK_U64 (step->n_warmup_samples, 5);
    CHECK_U64 (step->warmup_elapsed_ns, 500 * MS);
    CHECK (step->warmup_started_ns >= 1 * SEC && step->warmup_started_ns < 1 * SEC + 20 * MS);
    uint64_t sum = 0;
    for (int i = 0; i < 5; i++)
        sum += step->warmup_samples[i];
    CHECK_NEAR (sum, 500 * 4096, 2 * 4096);
    CHECK (step->runs[0].started_ns > step->warmup_started_ns + 600 * MS);
    for (int i = 0; i < 2; i++)
        CHECK_U64 (step->runs[i].total.ios, 200);
    CHECK_U64 (step->flush_ns, DG_UNKNOWN_U64);
    const DgPlanResult *result = dg_plan_run_result (n.run);
    /* 0.5 s, and twice 0.1 s of ramp and 0.2 s, at 4 MB/s; nothing written but the file */
    CHECK_NEAR (result->bytes_read, 1100 * 4096, 30 * 4096);
    CHECK_U64 (result->bytes_written, 64u << 20);
    null_run_done (&n);
}

static void
several_threads_one_window (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].threads = 8;
    n.streams[0].queue_depth = 4;
    n.plan.duration_ns = 300 * MS;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    /* all complete at the same moments: those at t1 count, whoever sets it */
    CHECK_U64 (run->elapsed_ns, 300 * MS);
    CHECK_U64 (run->total.ios, 8 * 4 * 300);
    CHECK_NEAR (run->queue_depth_engine, 32, 1e-9);
    CHECK_U64 (dg_histogram_total (run->total.histogram), run->total.ios);
    null_run_done (&n);
}

static void
by_target_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    answer->latency_ns = io->target == 0 ? 1 * MS : 2 * MS;
}

static void
streams_on_two_targets (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.plan.n_targets = 2;
    n.script.answer = by_target_cb;
    n.steps[0].n_streams = 3;
    n.streams[0].queue_depth = 2;
    n.streams[1].target = 1;
    n.streams[1].read_percent = 0;
    n.streams[1].block_bytes = 65536;
    n.streams[2].target = 1;
    n.streams[2].access = DG_ACCESS_SEQUENTIAL;
    n.streams[2].threads = 2;
    n.plan.duration_ns = 400 * MS;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    const DgRunResult *run = &step->runs[0];
    CHECK_U64 (step->state, DG_STEP_DONE);
    CHECK (run->per_target != NULL);
    CHECK_NEAR (run->per_target[0].ios, 800, 2);
    CHECK_NEAR (run->per_target[1].ios, 600, 3);
    CHECK_U64 (run->per_target[0].ios + run->per_target[1].ios, run->total.ios);
    CHECK_U64 (run->per_target[0].bytes + run->per_target[1].bytes, run->total.bytes);
    CHECK_NEAR (run->write.ios, 200, 1);
    CHECK_U64 (run->write.bytes, run->write.ios * 65536);
    CHECK_U64 (run->read.ios + run->write.ios, run->total.ios);
    CHECK_U64 (run->per_target[0].max_ns, 1 * MS);
    CHECK_U64 (run->per_target[1].min_ns, 2 * MS);
    CHECK_NEAR (run->queue_depth_engine, 5, 0.05);
    CHECK (step->flush_ns != DG_UNKNOWN_U64);
    CHECK_U64 (dg_plan_run_file (n.run, 1)->size_bytes, 64u << 20);
    CHECK (dg_plan_run_file (n.run, 2) == NULL);
    null_run_done (&n);
}

/* Run k of the step (pass k, there is no warm-up) takes 1 ms / speed[k]. */
static void
by_pass_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    const double *speed = script->data;
    answer->latency_ns = (uint64_t) (1e6 / speed[io->pass]);
}

static void
auto_runs (void)
{
    NullRun n;
    static const double warming[] = { 1.0, 1.5, 2.0, 2.01, 2.02, 9, 9, 9, 9, 9 };
    null_run_init (&n, 1);
    n.plan.runs = 0;
    n.script.answer = by_pass_cb;
    n.script.data = (void *) warming;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 5);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_U64 (step->runs[i].is_used, i >= 2);
    CHECK (dg_step_shown_run (step, false) == 3);
    CHECK (dg_step_shown_run (step, true) == 4);
    null_run_done (&n);

    static const double wild[] = { 1, 2, 3, 1, 2, 3, 1, 2, 3, 1 };
    null_run_init (&n, 1);
    n.plan.runs = 0;
    n.script.answer = by_pass_cb;
    n.script.data = (void *) wild;
    null_run (&n);
    step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 9);
    for (uint32_t i = 0; i < 9; i++)
        CHECK (step->runs[i].is_used);
    CHECK (dg_step_spread_percent (step) > 40);
    null_run_done (&n);
}

static void
stop_by_bytes (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.steps[0].stop = DG_STOP_BYTES;
    n.steps[0].stop_bytes = 4096 * 1500;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->is_complete && !run->extended);
    CHECK (run->total.bytes >= 4096 * 1500 && run->total.bytes <= 4096 * 1505);
    CHECK_U64 (run->elapsed_ns, run->total.ios * MS);
    null_run_done (&n);
}

/* The members of a mirror count each byte of ours twice. */
static void
copies_are_not_foreign (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.foreign_bytes = 1000;
    n.script.is_mirror = true;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK_U64 (run->foreign_bytes, DG_UNKNOWN_U64);
    CHECK (run->device_bytes != DG_UNKNOWN_U64);
    null_run_done (&n);
}

static void
foreign_bytes_are_seen (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.foreign_bytes = 1000;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->foreign_bytes >= 1000);
    CHECK_NEAR (run->device_bytes, run->total.bytes + run->foreign_bytes, 4096);
    null_run_done (&n);
}

static void
device_bytes_are_those_of_the_window (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.latency_ns = 7000; /* the coordinator looks some completions after t0 and t1 */
    n.streams[0].threads = 2;
    n.streams[0].queue_depth = 8;
    n.plan.duration_ns = 50 * MS;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->total.ios > 100000);
    CHECK_NEAR (run->device_bytes, run->total.bytes, 2 * 16 * 4096);
    CHECK_NEAR (run->foreign_bytes, 0, 2 * 16 * 4096);
    null_run_done (&n);
}

static void
flush_is_timed (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].read_percent = 0;
    n.script.flush_ns = 300 * MS;
    n.plan.runs = 2;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->flush_ns, 300 * MS);
    CHECK_U64 (step->runs[0].elapsed_ns, 200 * MS);
    CHECK_U64 (step->runs[1].elapsed_ns, 200 * MS);
    null_run_done (&n);

    null_run_init (&n, 1);
    n.streams[0].read_percent = 0;
    n.script.flush_ns = 300 * MS;
    n.plan.runs = 2;
    n.plan.include_flush = true;
    null_run (&n);
    step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->flush_ns, 300 * MS);
    for (int i = 0; i < 2; i++) {
        CHECK_U64 (step->runs[i].elapsed_ns, 500 * MS);
        CHECK_U64 (step->runs[i].total.ios, 200);
    }
    null_run_done (&n);
}

/* Longer than a share of the window: half the mean latency is the measure then. */
static void
slow_and_deep (void)
{
    NullRun n;
    null_run_init (&n, 1);
    static Logged entries[MAX_LOG];
    Log log = { .log = entries, .least_ns = 100 * MS, .spread_ns = 100 * MS };
    dg__random_seed (&log.random, 12, 32);
    n.script.answer = log_cb;
    n.script.data = &log;
    n.streams[0].queue_depth = 32;
    n.plan.duration_ns = 2 * SEC;
    n.plan.runs = 9;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 9);
    uint64_t before_ns = 0;
    for (uint32_t i = 0; i < step->n_runs; i++) {
        const DgRunResult *run = &step->runs[i];
        CHECK (run->is_complete && !run->extended);
        CHECK (run->queue_depth_engine <= 1.03 * 32 && run->queue_depth_engine >= 0.95 * 32);
        CHECK (run->started_ns - before_ns < 1500 * MS); /* it does not wait long */
        before_ns = run->started_ns + run->elapsed_ns;
    }
    null_run_done (&n);
}

static void
buffered_mode (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.refuses_direct = true;
    n.script.direct = DG_DIRECT_REFUTED;
    n.script.flush_ns = 100 * MS;
    n.targets[0].file_bytes = 1u << 20; /* 256 blocks: one pass takes 256 ms */
    n.plan.duration_ns = 2 * SEC;
    n.streams[0].access = DG_ACCESS_SEQUENTIAL;
    n.streams[1].read_percent = 0;
    null_run (&n);
    const DgRunResult *read = &dg_plan_run_step (n.run, 0)->runs[0],
                      *write = &dg_plan_run_step (n.run, 1)->runs[0];
    CHECK (read->is_complete && read->total.ios >= 255 && read->total.ios <= 259);
    CHECK_U64 (read->direct, DG_DIRECT_REFUTED);
    CHECK_TEXT (read->direct_reason, "cache-grew");
    CHECK_U64 (write->elapsed_ns, 2100 * MS);
    CHECK_U64 (write->total.ios, 2000);
    CHECK_U64 (dg_plan_run_file (n.run, 0)->is_direct, false);
    null_run_done (&n);
}

static void
sequential_goes_on (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].access = DG_ACCESS_SEQUENTIAL;
    n.streams[0].threads = 2;
    n.targets[0].file_bytes = 1u << 20; /* 128 blocks a thread: wraps several times */
    n.plan.runs = 2;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->runs[1].touched_bytes, 1u << 20);
    CHECK_U64 (step->runs[1].total.ios, 400);
    null_run_done (&n);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "edges are exact", edges_are_exact },
        { "edges between completions", edges_between_completions },
        { "counts and latencies agree with the drive's", counts_agree_with_the_drive },
        { "a slow drive is extended", slow_drive_is_extended },
        { "a first I/O that outlasts the warm-up", first_io_outlasts_the_warm_up },
        { "the ramp waits for every slot", ramp_waits_for_every_slot },
        { "the ramp ends after ten seconds", ramp_ends_after_ten_seconds },
        { "the warm-up is kept apart", warm_up_is_kept_apart },
        { "several threads, one window", several_threads_one_window },
        { "streams on two targets", streams_on_two_targets },
        { "auto runs", auto_runs },
        { "stop by bytes", stop_by_bytes },
        { "copies are not foreign", copies_are_not_foreign },
        { "foreign bytes are seen", foreign_bytes_are_seen },
        { "device bytes are those of the window", device_bytes_are_those_of_the_window },
        { "the flush is timed", flush_is_timed },
        { "a slow drive, deep queue", slow_and_deep },
        { "buffered mode", buffered_mode },
        { "a sequential stream goes on", sequential_goes_on },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
