/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors are results. */
#include "null-run.h"

#include "engine/clock.h"
#include "engine/thread.h"
#include "os.h"

/* ---- short transfers ---- */

static void
short_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    if (io->number % 5 == 2 && io->length_bytes > 512)
        answer->result = 512;
}

static void
short_transfers_are_continued (void)
{
    for (uint32_t read_percent = 0; read_percent <= 100; read_percent += 50) {
        NullRun n;
        null_run_init (&n, 1);
        n.script.answer = short_cb;
        n.streams[0].read_percent = read_percent;
        n.plan.duration_ns = 1 * SEC;
        const DgPlanResult *result = null_run (&n);
        const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
        CHECK_U64 (result->state, DG_STATE_DONE);
        CHECK (run->is_complete && run->is_used && run->n_errors == 0);
        /* an I/O that needs two transfers counts once, with both their times */
        CHECK_U64 (run->total.bytes, run->total.ios * 4096);
        CHECK_U64 (run->total.max_ns, 2 * MS);
        CHECK_U64 (run->total.min_ns, 1 * MS);
        CHECK (run->total.ios >= 780 && run->total.ios <= 820);
        CHECK_NEAR (run->queue_depth_engine, 1, 0.01);
        CHECK_NEAR ((double) run->device_bytes / (double) run->total.bytes, 1, 0.01);
        null_run_done (&n);
    }
}

/* ---- errors of I/Os ---- */

typedef struct {
    uint32_t pass;
    uint64_t number;
    int32_t result;
    uint64_t offset_bytes;
} Fault;

static void
fault_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    Fault *fault = script->data;
    if (io->pass == fault->pass && io->number == fault->number) {
        answer->result = fault->result;
        fault->offset_bytes = io->offset_bytes;
    }
}

static void
error_at (uint32_t read_percent, int32_t code, uint64_t number)
{
    NullRun n;
    Fault fault = { .pass = 1, .number = number, .result = code };
    null_run_init (&n, 2);
    n.plan.runs = 3;
    n.script.answer = fault_cb;
    n.script.data = &fault;
    n.streams[0].read_percent = read_percent;
    const DgPlanResult *result = null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (result->state, DG_STATE_DONE);
    CHECK_U64 (step->state, DG_STEP_FAILED);
    CHECK_U64 (step->n_runs, 2); /* what was measured before stays */
    CHECK (step->runs[0].is_used && step->runs[0].is_complete);
    const DgRunResult *run = &step->runs[1];
    CHECK (!run->is_used);
    CHECK_U64 (run->n_errors, 1);
    CHECK_TEXT (run->errors[0].operation, read_percent == 100 ? "read" : "write");
    CHECK_U64 (run->errors[0].os_code, -code);
    CHECK_U64 (run->errors[0].count, 1);
    CHECK_U64 (run->errors[0].offset_bytes, fault.offset_bytes);
    CHECK_U64 (run->errors[0].length_bytes, 4096);
    CHECK (dg_step_shown_run (step, false) == 0);
    /* the next step has its turn */
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_DONE);
    DgSnapshot snapshot;
    dg_plan_run_snapshot (n.run, &snapshot);
    CHECK_U64 (snapshot.errors, 1);
    null_run_done (&n);
}

static void
errors_of_ios (void)
{
    error_at (100, -OS_IO, 0);
    error_at (100, -OS_IO, 50);
    error_at (100, -OS_IO, 250);
    error_at (0, -OS_IO, 150);
    error_at (0, -OS_NO_SPACE, 150);
    error_at (100, -OS_NO_DATA, 150);
    error_at (0, -OS_READ_ONLY, 150);
    error_at (100, 0, 150); /* the drive ended */
}

static void
gone_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    if (io->pass > 0 || io->number >= 200)
        answer->result = -OS_GONE;
}

static void
drive_is_gone (void)
{
    NullRun n;
    null_run_init (&n, 3);
    n.script.answer = gone_cb;
    n.streams[0].threads = 4;
    n.streams[0].queue_depth = 4;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_FAILED);
    CHECK_U64 (-result->error, -DG_ERROR_GONE);
    CHECK_U64 (result->detail.os_code, OS_GONE);
    CHECK_TEXT (result->detail.operation, "read");
    CHECK (result->elapsed_ns < 1 * SEC);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_FAILED);
    CHECK_U64 (step->runs[0].n_errors, 1);
    CHECK (step->runs[0].errors[0].count >= 4);
    for (uint32_t i = 1; i < 3; i++) {
        CHECK_U64 (dg_plan_run_step (n.run, i)->state, DG_STEP_NOT_RUN);
        CHECK_TEXT (dg_plan_run_step (n.run, i)->reason, "failed-before");
    }
    null_run_done (&n);
}

static void
many_codes_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    answer->result = -(int32_t) (40 + io->worker);
}

static void
more_errors_than_places (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.answer = many_codes_cb;
    n.streams[0].threads = 12;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK_U64 (run->n_errors, DG_MAX_RUN_ERRORS);
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->n_errors; i++)
        count += run->errors[i].count;
    CHECK_U64 (count, 12);
    CHECK_U64 (run->errors[DG_MAX_RUN_ERRORS - 1].count, 5);
    null_run_done (&n);
}

/* The drive may be well again, or hide the bad place from the runs: nothing is measured on it. */
static void
error_in_warm_up (void)
{
    for (uint32_t read_percent = 0; read_percent <= 100; read_percent += 100) {
        NullRun n;
        Fault fault = { .pass = 0, .number = 30, .result = -OS_IO };
        null_run_init (&n, 2);
        n.plan.warmup_ns = 200 * MS;
        n.plan.runs = 3;
        n.script.answer = fault_cb;
        n.script.data = &fault;
        n.streams[0].read_percent = read_percent;
        const DgPlanResult *result = null_run (&n);
        CHECK_U64 (result->state, DG_STATE_DONE);
        DgSnapshot snapshot;
        dg_plan_run_snapshot (n.run, &snapshot);
        CHECK_U64 (snapshot.errors, 1);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        CHECK_U64 (step->state, DG_STEP_FAILED);
        CHECK_U64 (step->n_runs, 1);
        const DgRunResult *run = &step->runs[0];
        CHECK (!run->is_used && !run->is_complete);
        CHECK_U64 (run->backend, DG_BACKEND_NULL);
        CHECK_U64 (run->n_errors, 1);
        CHECK_TEXT (run->errors[0].operation, read_percent == 100 ? "read" : "write");
        CHECK_U64 (run->errors[0].os_code, OS_IO);
        CHECK_U64 (run->errors[0].count, 1);
        CHECK_U64 (run->errors[0].offset_bytes, fault.offset_bytes);
        CHECK_U64 (run->errors[0].length_bytes, 4096);
        CHECK_U64 (run->total.ios, 0);
        CHECK_U64 (run->first_io_ns, 1 * MS);
        /* nothing was measured: unknown, not 0 */
        CHECK (isnan (run->queue_depth_engine) && isnan (run->queue_depth_device));
        CHECK_U64 (run->cpu_ns, DG_UNKNOWN_U64);
        CHECK_U64 (run->device_bytes, DG_UNKNOWN_U64);
        CHECK_U64 (run->foreign_bytes, DG_UNKNOWN_U64);
        CHECK_U64 (run->inflight_max, DG_UNKNOWN_U64);
        CHECK (dg_step_shown_run (step, false) == -1);
        CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_DONE);
        null_run_done (&n);
    }
}

static void
gone_in_warm_up_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    if (io->number >= 50)
        answer->result = -OS_GONE;
}

static void
drive_is_gone_in_warm_up (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.plan.warmup_ns = 200 * MS;
    n.script.answer = gone_in_warm_up_cb;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_FAILED);
    CHECK_U64 (-result->error, -DG_ERROR_GONE);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->runs[0].errors[0].os_code, OS_GONE);
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_NOT_RUN);
    null_run_done (&n);
}

/* ---- everything else that can fail ---- */

static void
preparation_fails (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.prepare_ns = 500 * MS;
    n.script.prepare_os_code = OS_NO_SPACE;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_FAILED);
    CHECK_U64 (-result->error, -DG_ERROR_NO_SPACE);
    CHECK_U64 (result->detail.os_code, OS_NO_SPACE);
    CHECK_TEXT (result->detail.operation, "write");
    CHECK_U64 (result->bytes_written, 64u << 20);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_TEXT (dg_plan_run_step (n.run, i)->reason, "failed-before");
    CHECK (dg_plan_run_file (n.run, 0) == NULL);
    null_run_done (&n);
}

static void
queue_cannot_be_opened (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.open_error = DG_ERROR_NOT_SUPPORTED;
    n.plan.warmup_ns = 500 * MS;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    for (uint32_t i = 0; i < 2; i++) {
        const DgStepResult *step = dg_plan_run_step (n.run, i);
        CHECK_U64 (step->state, DG_STEP_FAILED);
        CHECK_U64 (step->n_runs, 1);
        CHECK_TEXT (step->runs[0].errors[0].operation, "null_open");
        CHECK_U64 (step->n_warmup_samples, 0); /* there was none */
        CHECK (isnan (step->runs[0].queue_depth_engine));
        CHECK_U64 (step->runs[0].cpu_ns, DG_UNKNOWN_U64);
        CHECK_U64 (step->runs[0].device_bytes, DG_UNKNOWN_U64);
        CHECK_U64 (step->runs[0].inflight_max, DG_UNKNOWN_U64);
        CHECK (!step->runs[0].is_used);
    }
    null_run_done (&n);
}

static void
flush_fails (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].read_percent = 0;
    n.script.flush_os_code = OS_IO;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_FAILED);
    CHECK_TEXT (step->runs[0].errors[0].operation, "fdatasync");
    CHECK_U64 (step->runs[0].errors[0].os_code, OS_IO);
    CHECK_U64 (step->flush_ns, DG_UNKNOWN_U64);
    CHECK (!step->runs[0].is_used);
    null_run_done (&n);
}

static void
steps_that_cannot_be_run (void)
{
    NullRun n;
    null_run_init (&n, 3);
    n.script.logical_block_bytes = 4096;
    n.streams[0].block_bytes = 512;
    n.streams[2].block_bytes = 4096;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->state, DG_STEP_NOT_RUN);
    CHECK_TEXT (dg_plan_run_step (n.run, 0)->reason, "below-logical-block");
    CHECK_U64 (dg_plan_run_step (n.run, 0)->n_runs, 0);
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_DONE);
    CHECK_U64 (dg_plan_run_step (n.run, 2)->state, DG_STEP_DONE);
    null_run_done (&n);
}

/* ---- suspend ---- */

static void
suspend_cb (void *data)
{
    dg__null_clock_suspend (*(uint64_t *) data);
}

static void
suspended_run_is_repeated (void)
{
    NullRun n;
    uint64_t ns = 3 * SEC;
    DgNullEvent events[] = { { DG_NULL_START_NS + 450 * MS, suspend_cb, &ns } };
    null_run_init (&n, 1);
    n.plan.runs = 3; /* each takes 0.3 s */
    n.script.events = events;
    n.script.n_events = 1;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_DONE);
    CHECK_U64 (step->n_runs, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_U64 (step->runs[i].suspended_ns, i == 1 ? 3 * SEC : 0);
        CHECK_U64 (step->runs[i].is_used, i != 1);
    }
    null_run_done (&n);
}

static void
suspended_twice_is_enough (void)
{
    NullRun n;
    uint64_t ns = 3 * SEC;
    DgNullEvent events[] = { { DG_NULL_START_NS + 150 * MS, suspend_cb, &ns },
                             { DG_NULL_START_NS + 450 * MS, suspend_cb, &ns },
                             { DG_NULL_START_NS + 750 * MS, suspend_cb, &ns } };
    null_run_init (&n, 1);
    n.script.events = events;
    n.script.n_events = 3;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 2);
    CHECK (!step->runs[0].is_used && !step->runs[1].is_used);
    CHECK (dg_step_shown_run (step, false) == -1);
    null_run_done (&n);
}

static void
short_suspend_is_nothing (void)
{
    NullRun n;
    uint64_t ns = 99 * MS;
    DgNullEvent event = { DG_NULL_START_NS + 150 * MS, suspend_cb, &ns };
    null_run_init (&n, 1);
    n.script.events = &event;
    n.script.n_events = 1;
    null_run (&n);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 1);
    CHECK_U64 (step->runs[0].suspended_ns, 99 * MS);
    CHECK (step->runs[0].is_used);
    null_run_done (&n);
}

static void
stand_cb (void *data)
{
    dg__null_clock_stand (*(uint64_t *) data);
}

/* The program stands still in the window, in the ramp or while t0 is looked for: for a moment, and
 * for longer than a drive may be silent. */
static void
standing_still (void)
{
    static const uint64_t lengths[] = { 450 * MS, 700 * MS, 10 * 60 * SEC };
    for (unsigned k = 0; k < 3; k++)
        for (uint64_t at = 50 * MS; at < 300 * MS; at += 50 * MS) {
            NullRun n;
            uint64_t ns = lengths[k];
            DgNullEvent event = { DG_NULL_START_NS + at, stand_cb, &ns };
            null_run_init (&n, 1);
            n.script.events = &event;
            n.script.n_events = 1;
            CHECK_U64 (null_run (&n)->state, DG_STATE_DONE);
            const DgStepResult *step = dg_plan_run_step (n.run, 0);
            CHECK_U64 (step->state, DG_STEP_DONE);
            CHECK_U64 (step->n_runs, k == 0 ? 1 : 2);
            CHECK_U64 (step->runs[0].is_used, k == 0);
            CHECK (step->runs[0].is_complete && step->runs[0].n_errors == 0);
            if (k == 0)
                CHECK_U64 (step->runs[0].suspended_ns, 0);
            else
                CHECK_NEAR (step->runs[0].suspended_ns, ns, 20 * MS);
            if (k > 0) {
                CHECK_U64 (step->runs[1].suspended_ns, 0);
                CHECK (step->runs[1].is_used);
                CHECK_U64 (step->runs[1].elapsed_ns, n.plan.duration_ns);
            }
            null_run_done (&n);
        }
}

/* The coordinator may look before the worker has, which waits for an I/O: that is no silent drive.
 */
static void
standing_still_on_a_slow_drive (void)
{
    for (uint64_t at = 300 * MS; at < 400 * MS; at += 9 * MS) {
        NullRun n;
        uint64_t ns = 10 * 60 * SEC;
        DgNullEvent event = { DG_NULL_START_NS + at, stand_cb, &ns };
        null_run_init (&n, 1);
        n.script.latency_ns = 70 * MS;
        n.script.events = &event;
        n.script.n_events = 1;
        null_run (&n);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        CHECK_U64 (step->state, DG_STEP_DONE);
        CHECK_U64 (step->n_runs, 2);
        CHECK (step->runs[0].is_complete && !step->runs[0].is_used);
        CHECK (step->runs[1].is_used);
        null_run_done (&n);
    }
}

static void
suspended_in_the_flush (void)
{
    for (int is_included = 0; is_included < 2; is_included++) {
        NullRun n;
        uint64_t ns = 3 * SEC;
        DgNullEvent event = { DG_NULL_START_NS + 800 * MS, suspend_cb, &ns };
        null_run_init (&n, 1);
        n.plan.include_flush = is_included;
        n.streams[0].read_percent = 0;
        n.script.flush_ns = 1 * SEC;
        n.script.events = &event;
        n.script.n_events = 1;
        null_run (&n);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        CHECK_U64 (step->state, DG_STEP_DONE);
        CHECK_U64 (step->n_runs, 1 + is_included);
        CHECK_U64 (step->runs[0].suspended_ns, is_included ? 3 * SEC : 0);
        CHECK_U64 (step->runs[0].is_used, !is_included);
        if (is_included) {
            CHECK (step->runs[1].is_used);
            CHECK_U64 (step->runs[1].elapsed_ns, n.plan.duration_ns + step->flush_ns);
            CHECK_NEAR (step->flush_ns, 1 * SEC, 20 * MS);
        } else {
            CHECK_U64 (step->flush_ns, DG_UNKNOWN_U64);
        }
        null_run_done (&n);
    }
}

static double
seconds (void)
{
    return (double) dg__lock_clock_ns () / 1e9;
}

static void
jump_cb (void *data)
{
    dg__null_clock_jump (*(int64_t *) data);
}

/* A counter that slept: in the warm-up, the ramp and the window, by hundreds of years or a little.
 */
static void
jumped_run_is_repeated (void)
{
    static const int64_t jumps[] = { INT64_C (6900000000000000000), -950 * (int64_t) MS,
                                     300 * (int64_t) MS, -8 * (int64_t) MS };
    for (unsigned k = 0; k < 4; k++)
        for (uint64_t at = 105 * MS; at < 500 * MS; at += 90 * MS) {
            NullRun n;
            int64_t ns = jumps[k];
            DgNullEvent event = { DG_NULL_START_NS + at, jump_cb, &ns };
            null_run_init (&n, 1);
            n.plan.warmup_ns = 200 * MS;
            n.script.events = &event;
            n.script.n_events = 1;
            double start = seconds ();
            null_run (&n);
            CHECK (seconds () - start < 20);
            const DgStepResult *step = dg_plan_run_step (n.run, 0);
            bool in_warm_up = at < 200 * MS;
            CHECK_U64 (step->state, DG_STEP_DONE);
            CHECK_U64 (step->n_runs, in_warm_up ? 1 : 2);
            const DgRunResult *run = &step->runs[0];
            CHECK_U64 (run->is_used, in_warm_up);
            if (!in_warm_up) {
                CHECK (!run->is_complete);
                CHECK_U64 (run->elapsed_ns, 0);
                CHECK_U64 (run->total.ios, 0);
                CHECK_U64 (run->n_samples, 0);
                CHECK (isnan (run->queue_depth_engine));
                run++;
            }
            CHECK (run->is_used);
            CHECK_U64 (run->elapsed_ns, 200 * MS);
            CHECK_U64 (run->total.ios, 200);
            null_run_done (&n);
        }
}

/* ---- what can be seen meanwhile ---- */

static void
snapshots_agree (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.real_time = true;
    n.script.prepare_ns = 300 * MS;
    n.plan.warmup_ns = 200 * MS;
    n.plan.interval_ns = 100 * MS;
    n.plan.duration_ns = 400 * MS;
    null_run_start (&n);
    DgSnapshot s, last = { 0 };
    uint64_t samples[64];
    bool seen[DG_STATE_ABANDONED + 1] = { false }, has_interval = false, is_warmup,
                                   has_samples[2] = { false, false };
    while (!dg_plan_run_wait (n.run, 2 * MS)) {
        dg_plan_run_snapshot (n.run, &s);
        seen[s.state] = true;
        has_interval |= s.is_interval;
        CHECK (s.now_ns >= last.now_ns && s.step >= last.step && s.steps_done >= last.steps_done
               && s.steps_done <= s.step);
        CHECK (s.bytes_read >= last.bytes_read && s.prepared_bytes >= last.prepared_bytes
               && s.prepared_bytes <= s.prepare_bytes);
        CHECK (dg_plan_run_step (n.run, s.steps_done + 1) == NULL);
        CHECK (s.steps_done == 0
               || dg_plan_run_step (n.run, s.steps_done - 1)->state == DG_STEP_DONE);
        CHECK (dg_plan_run_result (n.run) == NULL || dg_plan_run_wait (n.run, 0));
        uint32_t count = dg_plan_run_live_samples (n.run, samples, 64, &is_warmup);
        CHECK (count <= 5); /* a window that ends late has one more */
        for (uint32_t i = 0; i < count; i++) {
            has_samples[is_warmup] = true;
            CHECK (samples[i] > 0 && samples[i] < 200 * 4096);
        }
        last = s;
    }
    CHECK (seen[DG_STATE_PREPARING] && seen[DG_STATE_WARMING] && seen[DG_STATE_MEASURING]
           && has_interval);
    CHECK (has_samples[0] && has_samples[1]);
    CHECK (last.p50_ns > 900000 && last.queue_depth > 0.5 && last.recent_bytes_per_s > 1000000);
    dg_plan_run_snapshot (n.run, &s);
    CHECK_U64 (s.state, DG_STATE_DONE);
    CHECK_U64 (s.step, 2);
    CHECK (!s.is_finishing);
    null_run_done (&n);
}

static void
two_plan_runs_at_once (void)
{
    NullRun n[2];
    for (int i = 0; i < 2; i++) {
        null_run_init (&n[i], 1);
        n[i].script.real_time = true;
        n[i].script.latency_ns = (uint64_t) (i + 1) * MS;
    }
    for (int i = 0; i < 2; i++)
        null_run_start (&n[i]);
    for (int i = 0; i < 2; i++) {
        CHECK_U64 (null_run_wait (&n[i])->state, DG_STATE_DONE);
        const DgRunResult *run = &dg_plan_run_step (n[i].run, 0)->runs[0];
        CHECK (run->is_complete && run->total.min_ns >= (uint64_t) (i + 1) * MS);
        CHECK (run->total.ios > 0 && run->total.ios <= run->elapsed_ns / ((uint64_t) (i + 1) * MS));
    }
    for (int i = 0; i < 2; i++)
        null_run_done (&n[i]);
}

/* ---- threads ---- */

static void
busy_main (void *data)
{
    while (dg__clock_thread_cpu_ns () < 30 * MS)
        ;
    *(bool *) data = true;
}

static void
thread_times (void)
{
    DgThread *thread;
    bool is_done = false;
    CHECK_U64 (dg__thread_start (&thread, "a name longer than fifteen", busy_main, &is_done),
               DG_OK);
    uint64_t cpu = 0, last = 0;
    while (cpu < 30 * MS) {
        cpu = dg__thread_cpu_ns (thread); /* goes on being known when the thread has ended */
        /* where it is counted in steps, two ways of asking may differ by one */
        CHECK (cpu != DG_UNKNOWN_U64 && cpu + OS_CPU_STEP_NS >= last);
        if (cpu + OS_CPU_STEP_NS < last || cpu == DG_UNKNOWN_U64)
            break;
        last = cpu;
    }
    real_sleep (20 * MS);
    CHECK_NEAR (dg__thread_cpu_ns (thread), 32 * MS, 2 * MS + OS_CPU_STEP_NS);
    if (OS_KNOWS_WAIT)
        CHECK (dg__thread_wait_ns (thread) < 60 * SEC);
    else
        CHECK_U64 (dg__thread_wait_ns (thread), DG_UNKNOWN_U64);
    dg__thread_join (thread);
    CHECK (is_done);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "short transfers are continued", short_transfers_are_continued },
        { "an error at the Nth I/O", errors_of_ios },
        { "the drive is gone", drive_is_gone },
        { "more errors than places", more_errors_than_places },
        { "an error in the warm-up", error_in_warm_up },
        { "a drive that is gone in the warm-up", drive_is_gone_in_warm_up },
        { "the preparation fails", preparation_fails },
        { "a queue cannot be opened", queue_cannot_be_opened },
        { "the flush fails", flush_fails },
        { "steps that cannot be run", steps_that_cannot_be_run },
        { "a suspended run is repeated", suspended_run_is_repeated },
        { "suspended twice is enough", suspended_twice_is_enough },
        { "a short suspend is nothing", short_suspend_is_nothing },
        { "suspended in the flush", suspended_in_the_flush },
        { "a program that stands still", standing_still },
        { "standing still on a slow drive", standing_still_on_a_slow_drive },
        { "stamps that jump", jumped_run_is_repeated },
        { "snapshots agree", snapshots_agree },
        { "two plan runs at once", two_plan_runs_at_once },
        { "times of threads", thread_times },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
