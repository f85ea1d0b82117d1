/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured window on the fake clock, to the nanosecond. */
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
    CHECK_U64 (run->device_bytes, run->total.bytes);
    CHECK_U64 (run->foreign_bytes, 0);
    null_run_done (&n);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "edges are exact", edges_are_exact },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
