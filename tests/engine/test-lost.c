/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue that breaks with I/Os under way: what the system may still read from or write into stays
 * where it is, and only that. */
#include "null-run.h"

#include "engine/graveyard.h"

typedef struct {
    /* where the data of the last write of a step lay */
    const unsigned char *_Atomic lost;
    const unsigned char *_Atomic later;
} Buffers;

static void
note_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    Buffers *buffers = script->data;
    if (io->pass == 0)
        buffers->lost = io->buffer;
    else
        buffers->later = io->buffer;
    answer->latency_ns = io->number % 2 == 0 ? 1 * MS : 900 * MS;
}

static void
break_queue (bool is_lost, uint64_t warmup_ns, uint32_t threads)
{
    NullRun n;
    Buffers buffers = { NULL, NULL };
    unsigned before = dg__graveyard_count ();
    null_run_init (&n, 2);
    n.script.answer = note_cb;
    n.script.data = &buffers;
    n.script.breaks_at = 3;
    n.script.is_lost = is_lost;
    n.plan.warmup_ns = warmup_ns;
    for (int i = 0; i < 2; i++) {
        n.streams[i].read_percent = 0;
        n.streams[i].queue_depth = 4;
        n.streams[i].threads = threads;
    }
    const DgPlanResult *result = null_run (&n);
    CHECK_U64 (result->state, DG_STATE_DONE);
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK_U64 (step->state, DG_STEP_FAILED);
    CHECK_U64 (step->n_runs, 1);
    const DgRunResult *run = &step->runs[0];
    CHECK (!run->is_used && !run->is_complete);
    CHECK_U64 (run->n_errors, 1);
    CHECK_TEXT (run->errors[0].operation, "submit");
    CHECK_U64 (run->errors[0].count, threads);
    /* the next step has its turn, and no data of what is lost */
    CHECK_U64 (dg_plan_run_step (n.run, 1)->state, DG_STEP_DONE);
    CHECK (buffers.lost != NULL && buffers.later != NULL);
    null_run_done (&n);
    /* each worker, and the pool */
    CHECK_U64 (dg__graveyard_count () - before, is_lost ? threads + 1 : 0);
    if (!is_lost)
        return;
    uint64_t sum = 0;
    for (int i = 0; i < 4096; i++) /* it would not be there */
        sum += ((const volatile unsigned char *) buffers.lost)[i];
    CHECK (sum > 0);
    CHECK (buffers.lost + 4096 <= buffers.later || buffers.later + 4096 <= buffers.lost);
}

static void
lost_in_run (void)
{
    break_queue (true, 0, 1);
    break_queue (true, 0, 3);
}

static void
lost_in_warm_up (void)
{
    break_queue (true, 200 * MS, 2);
}

static void
given_back (void)
{
    break_queue (false, 0, 3);
    break_queue (false, 200 * MS, 2);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "I/Os lost in a run", lost_in_run },
        { "I/Os lost in the warm-up", lost_in_warm_up },
        { "a broken queue that gives all back", given_back },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
