/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors are results. */
#include "null-run.h"

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
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
