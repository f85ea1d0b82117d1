/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stop in each phase, drives that do not answer, and what is left then. */
#include "null-run.h"

#include <stdatomic.h>

/* Preparing 1.6 s, interval 1 s, warm-up 0.5 s, ramp 0.1 s, window 2 s, flush 0.5 s; two steps. */
static void
long_run_init (NullRun *n)
{
    null_run_init (n, 2);
    n->script.prepare_ns = 1600 * MS;
    n->script.flush_ns = 500 * MS;
    n->streams[0].read_percent = 0;
    n->plan.warmup_ns = 500 * MS;
    n->plan.interval_ns = 1 * SEC;
    n->plan.duration_ns = 2 * SEC;
    n->plan.runs = 2;
}

static void
check_stopped (NullRun *n, uint64_t when_ns)
{
    const DgPlanResult *result = dg_plan_run_result (n->run);
    DgSnapshot snapshot;
    dg_plan_run_snapshot (n->run, &snapshot);
    CHECK_U64 (result->state, DG_STATE_STOPPED);
    CHECK_U64 (snapshot.state, DG_STATE_STOPPED);
    CHECK_U64 (result->error, DG_OK);
    CHECK (result->elapsed_ns >= when_ns && result->elapsed_ns <= when_ns + 1100 * MS);
    CHECK_U64 (snapshot.steps_done, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const DgStepResult *step = dg_plan_run_step (n->run, i);
        CHECK (step->state != DG_STEP_NOT_RUN || strcmp (step->reason, "stopped-before") == 0);
    }
}

static void
stop_while_preparing (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    null_run_stopped_at (&n, &stop, 800 * MS);
    check_stopped (&n, 800 * MS);
    const DgPlanResult *result = dg_plan_run_result (n.run);
    CHECK (result->bytes_written >= 30u << 20 && result->bytes_written <= 40u << 20);
    CHECK_U64 (result->bytes_read, 0);
    CHECK (dg_plan_run_file (n.run, 0) == NULL);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->state, DG_STEP_NOT_RUN);
    null_run_done (&n);
}

static void
stop_in_interval (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    null_run_stopped_at (&n, &stop, 2100 * MS);
    check_stopped (&n, 2100 * MS);
    CHECK (dg_plan_run_result (n.run)->elapsed_ns <= 2100 * MS + 100 * MS);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->state, DG_STEP_NOT_RUN);
    CHECK (dg_plan_run_file (n.run, 0) != NULL);
    null_run_done (&n);
}

static void
stop_in_warm_up (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.script.flush_ns = 0;
    null_run_stopped_at (&n, &stop, 2900 * MS);
    check_stopped (&n, 2900 * MS);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_STOPPED);
    CHECK_U64 (step->n_runs, 0);
    CHECK (step->n_warmup_samples >= 2 && step->n_warmup_samples <= 4);
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_NOT_RUN);
    null_run_done (&n);
}

static void
stop_in_ramp (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.script.flush_ns = 0;
    null_run_stopped_at (&n, &stop, 3150 * MS);
    check_stopped (&n, 3150 * MS);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->state, DG_STEP_STOPPED);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->n_runs, 0);
    null_run_done (&n);
}

static void
stop_in_window (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.script.flush_ns = 0;
    null_run_stopped_at (&n, &stop, 6500 * MS); /* in the second run */
    check_stopped (&n, 6500 * MS);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_STOPPED);
    CHECK_U64 (step->n_runs, 2);
    CHECK (step->runs[0].is_complete && step->runs[0].is_used);
    CHECK (!step->runs[1].is_complete && !step->runs[1].is_used);
    CHECK (step->runs[1].total.ios > 100 && step->runs[1].total.ios < 2000);
    CHECK_NEAR (step->runs[1].elapsed_ns, step->runs[1].total.ios * MS, MS);
    CHECK (dg_step_shown_run (step, false) == 0);
    null_run_done (&n);
}

static void
stop_in_flush (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.script.flush_ns = 30 * SEC;
    n.plan.runs = 1;
    null_run_stopped_at (&n, &stop, 6 * SEC);
    /* the answer does not wait for the flush; what was measured is there */
    check_stopped (&n, 6 * SEC);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->n_runs, 1);
    CHECK (step->runs[0].is_complete && step->runs[0].is_used);
    CHECK_U64 (step->state, DG_STEP_STOPPED);
    CHECK_U64 (step->flush_ns, DG_UNKNOWN_U64);
    null_run_done (&n);
}

static void
stop_between_steps (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.plan.runs = 1;
    n.script.flush_ns = 0;
    null_run_stopped_at (&n, &stop, 5700 * MS);
    check_stopped (&n, 5700 * MS);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->state, DG_STEP_DONE);
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_NOT_RUN);
    null_run_done (&n);
}

static void
stop_while_closing (void)
{
    NullRun n;
    NullStop stop;
    null_run_init (&n, 1);
    n.script.close_ns = 20 * SEC;
    null_run_stopped_at (&n, &stop, 2 * SEC);
    const DgPlanResult *result = dg_plan_run_result (n.run);
    /* everything was measured: it is done, and handed out without waiting for the deletion */
    CHECK_U64 (result->state, DG_STATE_DONE);
    CHECK (result->elapsed_ns >= 2 * SEC && result->elapsed_ns <= 3100 * MS);
    null_run_done (&n);
}

static void
stop_at_any_moment (void)
{
    for (uint64_t when = 1; when < 9 * SEC; when += 97 * MS) {
        NullRun n;
        NullStop stop;
        long_run_init (&n);
        n.script.latency_ns = 5 * MS;
        n.script.flush_ns = 200 * MS;
        n.streams[1].threads = 3;
        null_run_stopped_at (&n, &stop, when);
        check_stopped (&n, when);
        null_run_done (&n);
    }
}

static void
preparation_that_does_not_listen (void)
{
    NullRun n;
    NullStop stop;
    long_run_init (&n);
    n.script.prepare_ns = 60 * SEC;
    n.script.prepare_ignores_stop = true;
    null_run_stopped_at (&n, &stop, 1 * SEC);
    check_stopped (&n, 1 * SEC);
    null_run_done (&n);
}

/* ---- stalls ---- */

static void
stall_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    const uint64_t *at = script->data;
    if (io->pass == at[0] && io->worker == at[1] && io->number == at[2])
        answer->latency_ns = at[3];
}

/* One after the other, half a second each. */
static void
one_by_one_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    static uint64_t busy_until_ns;
    if (io->number == 0)
        busy_until_ns = io->now_ns;
    busy_until_ns += 500 * MS;
    answer->latency_ns = busy_until_ns - io->now_ns;
    if (script->data != NULL && busy_until_ns > DG_NULL_START_NS + 43 * SEC)
        answer->latency_ns = DG_NULL_NEVER;
}

/* Half of the workers are lost: what they have counted is known, its sum and its ends are not. */
static void
check_given_up (const DgRunResult *run)
{
    CHECK_U64 (dg_histogram_total (run->total.histogram), run->total.ios);
    CHECK_U64 (run->total.bytes, run->total.ios * 4096);
    uint64_t median = dg_histogram_percentile_ns (run->total.histogram, 500, 0, UINT64_MAX);
    CHECK_NEAR (median, 1 * MS, MS / 50);
    CHECK_U64 (run->total.sum_ns, DG_UNKNOWN_U64);
    CHECK_U64 (run->total.min_ns, DG_UNKNOWN_U64);
    CHECK_U64 (run->total.max_ns, DG_UNKNOWN_U64);
    CHECK (isnan (run->queue_depth_engine));
    CHECK_U64 (run->cpu_ns, DG_UNKNOWN_U64);
}

static void
stalled_for_ever (void)
{
    for (int k = 0; k < 3; k++) {
        /* the script of an abandoned run must live as long as its threads: for ever */
        NullRun *n = calloc (1, sizeof *n);
        NullStop *stop = calloc (1, sizeof *stop);
        static const uint64_t at[3][4] = { { 1, 0, 300, DG_NULL_NEVER },
                                           { 0, 1, 5, DG_NULL_NEVER },
                                           { 1, 1, 3, DG_NULL_NEVER } };
        null_run_init (n, 2);
        n->streams[0].threads = 2;
        n->streams[0].queue_depth = 2;
        n->script.answer = stall_cb;
        n->script.data = (void *) at[k];
        n->plan.warmup_ns = 200 * MS;
        n->plan.duration_ns = 500 * MS;
        null_run_stopped_at (n, stop, 20 * SEC);
        const DgPlanResult *result = dg_plan_run_result (n->run);
        CHECK_U64 (result->state, DG_STATE_ABANDONED);
        CHECK (result->elapsed_ns >= 20 * SEC && result->elapsed_ns <= 22 * SEC);
        CHECK (result->abandoned_age_ns >= 18 * SEC && result->abandoned_age_ns <= 22 * SEC);
        DgSnapshot snapshot;
        dg_plan_run_snapshot (n->run, &snapshot);
        CHECK_U64 (snapshot.state, DG_STATE_ABANDONED);
        CHECK (snapshot.oldest_io_ns >= 18 * SEC);
        const DgStepResult *step = dg_plan_run_step (n->run, 0);
        CHECK_U64 (step->state, DG_STEP_FAILED);
        if (k == 0) { /* the window ended without it; it never came back while draining */
            CHECK_U64 (step->n_runs, 1);
            CHECK (step->runs[0].total.ios > 1000);
            CHECK (!step->runs[0].is_complete && !step->runs[0].is_used);
            CHECK (step->runs[0].unfinished > 0);
            check_given_up (&step->runs[0]);
        }
        CHECK_U64 (dg_plan_run_step (n->run, 1)->state, DG_STEP_NOT_RUN);
        null_run_done (n);
    }
}

static _Atomic unsigned n_closed;

static void
closed_cb (const DgNullScript *script)
{
    atomic_fetch_add (&n_closed, 1);
}

/* Slow, but at it: stopped, not given up, and the file goes when the last I/O is back. */
static void
slow_drive_is_not_given_up (void)
{
    NullRun n;
    NullStop stop;
    null_run_init (&n, 2);
    atomic_store (&n_closed, 0);
    n.script.closed = closed_cb;
    n.script.answer = one_by_one_cb; /* 32 under way: 16 s */
    n.streams[0].read_percent = 0;
    n.streams[0].queue_depth = 32;
    n.plan.duration_ns = 60 * SEC;
    null_run_stopped_at (&n, &stop, 40 * SEC);
    const DgPlanResult *result = dg_plan_run_result (n.run);
    CHECK_U64 (result->state, DG_STATE_STOPPED);
    CHECK_U64 (result->abandoned_age_ns, 0);
    CHECK (result->elapsed_ns >= 41 * SEC && result->elapsed_ns <= 42 * SEC);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_STOPPED);
    CHECK_U64 (step->n_runs, 1);
    const DgRunResult *run = &step->runs[0];
    CHECK (!run->is_complete && !run->is_used && run->n_errors == 0);
    CHECK (run->total.ios > 30 && run->total.ios < 80);
    CHECK_U64 (dg_histogram_total (run->total.histogram), run->total.ios);
    CHECK (run->unfinished >= 28 && run->unfinished <= 32);
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_NOT_RUN);
    DgPlanRun *plan_run = n.run;
    DgSnapshot snapshot;
    do
        dg_plan_run_snapshot (plan_run, &snapshot);
    while (snapshot.is_finishing);
    CHECK_U64 (snapshot.state, DG_STATE_STOPPED);
    CHECK (snapshot.now_ns >= 55 * SEC && snapshot.now_ns <= 58 * SEC);
    CHECK_U64 (atomic_load (&n_closed), 1);
    null_run_done (&n);
    CHECK_U64 (atomic_load (&n_closed), 1);
}

/* Slow, then silent: the one who waits for the end of "finishing" is let go. */
static void
slow_drive_dies (void)
{
    NullRun *n = calloc (1, sizeof *n);
    NullStop *stop = calloc (1, sizeof *stop);
    null_run_init (n, 1);
    n->script.answer = one_by_one_cb;
    n->script.data = n; /* and never from 43 s on */
    n->streams[0].queue_depth = 32;
    n->plan.duration_ns = 60 * SEC;
    null_run_stopped_at (n, stop, 40 * SEC);
    CHECK_U64 (dg_plan_run_result (n->run)->state, DG_STATE_STOPPED);
    DgSnapshot snapshot;
    do
        dg_plan_run_snapshot (n->run, &snapshot);
    while (snapshot.is_finishing);
    CHECK (snapshot.now_ns >= 44 * SEC && snapshot.now_ns <= 46 * SEC);
    null_run_done (n);
}

/* Given up, and yet: as soon as the last I/O is back, everything is freed and the file deleted. */
static void
back_after_it_was_given_up (void)
{
    for (int is_freed_first = 0; is_freed_first < 2; is_freed_first++) {
        static NullRun runs[2];
        NullRun *n = &runs[is_freed_first];
        static const uint64_t at[] = { 0, 1, 20, 3 * 1000000000ull };
        null_run_init (n, 1);
        atomic_store (&n_closed, 0);
        n->script.real_time = true;
        n->script.closed = closed_cb;
        n->script.answer = stall_cb;
        n->script.data = (void *) at;
        n->streams[0].threads = 2;
        n->plan.duration_ns = 60 * SEC;
        null_run_start (n);
        CHECK (!dg_plan_run_wait (n->run, 200 * MS));
        dg_plan_run_stop (n->run);
        CHECK (dg_plan_run_wait (n->run, 5 * SEC));
        CHECK_U64 (dg_plan_run_result (n->run)->state, DG_STATE_ABANDONED);
        CHECK_U64 (atomic_load (&n_closed), 0);
        DgSnapshot snapshot;
        dg_plan_run_snapshot (n->run, &snapshot);
        CHECK (!snapshot.is_finishing);
        if (is_freed_first)
            null_run_done (n);
        for (int i = 0; i < 500 && atomic_load (&n_closed) == 0; i++)
            real_sleep (10 * MS);
        CHECK_U64 (atomic_load (&n_closed), 1);
        if (!is_freed_first)
            null_run_done (n);
        real_sleep (100 * MS); /* its last lines */
    }
}

/* The same, but what is asked for comes back: stopped, not abandoned, and no error. */
static void
given_back_when_asked (void)
{
    for (int k = 0; k < 2; k++) {
        NullRun n;
        NullStop stop;
        static const uint64_t at[2][4] = { { 1, 0, 300, DG_NULL_NEVER },
                                           { 1, 1, 3, DG_NULL_NEVER } };
        null_run_init (&n, 2);
        n.streams[0].threads = 2;
        n.streams[0].queue_depth = 2;
        n.script.answer = stall_cb;
        n.script.data = (void *) at[k];
        n.script.gives_back = true;
        n.plan.warmup_ns = 200 * MS;
        n.plan.duration_ns = 500 * MS;
        null_run_stopped_at (&n, &stop, 20 * SEC);
        const DgPlanResult *result = dg_plan_run_result (n.run);
        CHECK_U64 (result->state, DG_STATE_STOPPED);
        CHECK (result->elapsed_ns >= 20900 * MS && result->elapsed_ns <= 21500 * MS);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        CHECK (step->n_runs <= 1);
        for (uint32_t i = 0; i < step->n_runs; i++)
            CHECK_U64 (step->runs[i].n_errors, 0);
        CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_NOT_RUN);
        null_run_done (&n);
    }
}

static void
given_up_without_a_stop (void)
{
    NullRun *n = calloc (1, sizeof *n);
    static const uint64_t at[] = { 0, 0, 300, DG_NULL_NEVER };
    null_run_init (n, 1);
    n->script.answer = stall_cb;
    n->script.data = (void *) at;
    const DgPlanResult *result = null_run (n);
    CHECK_U64 (result->state, DG_STATE_ABANDONED);
    CHECK (result->elapsed_ns > 120 * SEC && result->elapsed_ns < 300 * SEC);
    null_run_done (n);
}

/* Silent for longer than the coordinator waits, then back while it drains: kept, never used. */
static void
silent_and_back (void)
{
    NullRun n;
    static const uint64_t at[] = { 0, 0, 0, 200 * 1000000000ull };
    null_run_init (&n, 1);
    n.script.answer = stall_cb;
    n.script.data = (void *) at;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_FAILED);
    CHECK_U64 (step->n_runs, 1);
    CHECK (!step->runs[0].is_used && !step->runs[0].is_complete);
    CHECK_U64 (step->runs[0].total.ios, 0);
    null_run_done (&n);
}

static void
stalled_and_back (void)
{
    NullRun n;
    static const uint64_t at[] = { 0, 0, 250, 40 * 1000000000ull };
    null_run_init (&n, 1);
    n.streams[0].queue_depth = 2;
    n.script.answer = stall_cb;
    n.script.data = (void *) at;
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    /* still under way at t1: drained, not counted, told */
    CHECK (run->is_complete && run->is_used);
    CHECK_U64 (run->unfinished, 1);
    CHECK (run->oldest_unfinished_ns > 50 * MS && run->oldest_unfinished_ns < 500 * MS);
    CHECK_U64 (run->total.max_ns, 1 * MS);
    CHECK (result->elapsed_ns > 40 * SEC);
    null_run_done (&n);
}

static void
stalled_in_depth_one (void)
{
    NullRun n;
    static const uint64_t at[] = { 0, 0, 250, 40 * 1000000000ull };
    null_run_init (&n, 1);
    n.script.answer = stall_cb;
    n.script.data = (void *) at;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    /* nothing else completes: the window ends with it */
    CHECK_U64 (run->total.max_ns, 40 * SEC);
    CHECK (run->elapsed_ns > 40 * SEC && run->is_complete);
    CHECK_U64 (run->unfinished, 0);
    null_run_done (&n);
}

static void
freed_while_running (void)
{
    NullRun n;
    long_run_init (&n);
    null_run_start (&n);
    null_run_done (&n); /* stops, waits, frees */
    dg_plan_run_free (NULL);
    CHECK (n.run == NULL);
}

static double
seconds (void)
{
    return (double) dg__lock_clock_ns () / 1e9;
}

static void
stop_in_real_time (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.real_time = true;
    n.plan.duration_ns = 60 * SEC;
    null_run_start (&n);
    CHECK (!dg_plan_run_wait (n.run, 300 * MS));
    double start = seconds ();
    dg_plan_run_stop (n.run);
    CHECK (dg_plan_run_wait (n.run, 5 * SEC));
    CHECK (seconds () - start < 1.0);
    CHECK_U64 (dg_plan_run_result (n.run)->state, DG_STATE_STOPPED);
    CHECK (dg_plan_run_step (n.run, 0)->n_runs == 1);
    null_run_done (&n);
}

/* The result is handed out while the file is still being deleted, and freeing it does not wait; the
 * coordinator does the rest (a leak checker sees it). */
static void
freed_while_finishing (void)
{
    static NullRun n;
    null_run_init (&n, 1);
    n.script.real_time = true;
    n.script.close_ns = 1500 * MS;
    n.plan.duration_ns = 60 * SEC;
    null_run_start (&n);
    CHECK (!dg_plan_run_wait (n.run, 300 * MS));
    double start = seconds ();
    dg_plan_run_stop (n.run);
    CHECK (dg_plan_run_wait (n.run, 5 * SEC));
    CHECK_NEAR (seconds () - start, 1.05, 0.25);
    DgSnapshot snapshot;
    dg_plan_run_snapshot (n.run, &snapshot);
    CHECK (snapshot.is_finishing);
    CHECK_U64 (snapshot.state, DG_STATE_STOPPED);
    CHECK_U64 (dg_plan_run_step (n.run, 0)->n_runs, 1);
    start = seconds ();
    null_run_done (&n);
    CHECK (seconds () - start < 0.2);
    real_sleep (1 * SEC);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "stop while preparing", stop_while_preparing },
        { "stop in the interval", stop_in_interval },
        { "stop in the warm-up", stop_in_warm_up },
        { "stop in the ramp", stop_in_ramp },
        { "stop in the window", stop_in_window },
        { "stop in the flush", stop_in_flush },
        { "stop between steps", stop_between_steps },
        { "stop while the file is deleted", stop_while_closing },
        { "stop at any moment", stop_at_any_moment },
        { "a preparation that does not listen", preparation_that_does_not_listen },
        { "an I/O that never comes back", stalled_for_ever },
        { "an I/O that comes back when it is cancelled", given_back_when_asked },
        { "a slow drive is not given up", slow_drive_is_not_given_up },
        { "a slow drive that dies", slow_drive_dies },
        { "back after it was given up", back_after_it_was_given_up },
        { "given up without a stop", given_up_without_a_stop },
        { "silent for long, then back", silent_and_back },
        { "an I/O that comes back late", stalled_and_back },
        { "an I/O that comes back late at depth 1", stalled_in_depth_one },
        { "freed while running", freed_while_running },
        { "stop in real time", stop_in_real_time },
        { "freed while finishing", freed_while_finishing },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
