/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine that sleeps, a program that stands still, stamps that jump: the run is measured again
 * or says so. */
#include "null-run.h"

#include "engine/clock.h"

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

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "a suspended run is repeated", suspended_run_is_repeated },
        { "suspended twice is enough", suspended_twice_is_enough },
        { "a short suspend is nothing", short_suspend_is_nothing },
        { "suspended in the flush", suspended_in_the_flush },
        { "a program that stands still", standing_still },
        { "standing still on a slow drive", standing_still_on_a_slow_drive },
        { "stamps that jump", jumped_run_is_repeated },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
