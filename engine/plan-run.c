/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public face; what other threads may call. */
#include "engine/plan-run-private.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cleanup.h"
#include "engine/clock.h"
#include "engine/null/null.h"
#include "engine/plan-copy.h"

static bool
has_fake_clock (const DgPlan *plan)
{
    return plan->backend == DG_BACKEND_NULL && plan->null_script != NULL
           && !plan->null_script->real_time;
}

static void
free_steps (DgPlanRun *run)
{
    for (uint32_t i = 0; run->steps != NULL && i < run->plan->n_steps; i++) {
        DgStepResult *step = &run->steps[i];
        free (step->warmup_samples);
        for (uint32_t k = 0; k < DG_MAX_RUNS; k++) {
            DgRunResult *r = &step->runs[k];
            free (r->total.histogram);
            free (r->read.histogram);
            free (r->write.histogram);
            for (uint32_t t = 0; r->per_target != NULL && t < run->plan->n_targets; t++)
                free (r->per_target[t].histogram);
            free (r->per_target);
            free (r->samples);
        }
    }
    free (run->steps);
}

static void
free_run (DgPlanRun *run)
{
    free_steps (run);
    dg__run_pools_free (run);
    free (run->result.files);
    free (run->targets);
    free (run->task.targets);
    dg__lock_free (run->lock);
    dg__plan_free (run->plan);
    free (run);
}

void
dg__run_release (DgPlanRun *run)
{
    if (atomic_fetch_sub_explicit (&run->owners, 1, memory_order_acq_rel) == 1)
        free_run (run);
}

/* A target's file holds zeros when a stream on it writes zeros. */
static DgData
data_of_target (const DgPlan *plan, uint32_t target)
{
    for (uint32_t i = 0; i < plan->n_steps; i++)
        for (uint32_t k = 0; k < plan->steps[i].n_streams; k++)
            if (plan->steps[i].streams[k].target == target
                && plan->steps[i].streams[k].data == DG_DATA_ZERO)
                return DG_DATA_ZERO;
    return DG_DATA_RANDOM;
}

static DgPlanRun *
new_run (const DgPlan *plan)
{
    DgPlanRun *run = calloc (1, sizeof *run);
    if (run == NULL)
        return NULL;
    run->plan = dg__plan_copy (plan);
    if (run->plan == NULL) {
        free (run);
        return NULL;
    }
    run->ops = dg__run_file_ops (plan);
    run->lock = dg__lock_new ();
    run->targets = calloc (plan->n_targets, sizeof *run->targets);
    run->task.targets = calloc (plan->n_targets, sizeof *run->task.targets);
    run->steps = calloc (plan->n_steps, sizeof *run->steps);
    run->result.files = calloc (plan->n_targets, sizeof *run->result.files);
    if (run->lock == NULL || run->targets == NULL || run->task.targets == NULL || run->steps == NULL
        || run->result.files == NULL) {
        free_run (run);
        return NULL;
    }
    for (uint32_t i = 0; i < plan->n_targets; i++)
        run->targets[i].data = data_of_target (plan, i);
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        run->steps[i].started_ns = DG_UNKNOWN_U64;
        run->steps[i].flush_ns = DG_UNKNOWN_U64;
    }
    run->now.phase_length_ns = DG_UNKNOWN_U64;
    return run;
}

int
dg_plan_run_start (const DgPlan *plan, DgPlanRun **ret_run, DgErrorDetail *ret_detail)
{
    int error = dg_plan_check (plan);
    if (error != DG_OK)
        return error;
    DgPlanRun *run = new_run (plan);
    if (run == NULL)
        return DG_ERROR_NO_MEMORY;
    if (has_fake_clock (plan) && (error = dg__null_clock_begin (plan->null_script)) != DG_OK) {
        free_run (run);
        return error;
    }
    /* A program may exit while a file with a visible name is still in use: "finishing", or its
     * coordinator has not come to the deletion. */
    static atomic_flag has_exit_handler = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set (&has_exit_handler))
        atexit (dg_test_files_remove_all);
    run->started_ns = dg__clock_ns ();
    atomic_init (&run->owners, 2);
    dg__run_publish (run);
    error = dg__thread_start (&run->thread, "dg-coordinator", dg__run_main, run);
    if (error != DG_OK) {
        ret_detail->operation = "pthread_create";
        if (has_fake_clock (plan))
            dg__null_clock_end ();
        free_run (run);
        return error;
    }
    *ret_run = run;
    return DG_OK;
}

void
dg_plan_run_stop (DgPlanRun *run)
{
    atomic_store_explicit (&run->stop, true, memory_order_release);
}

static bool
is_final (const DgPlanRun *run)
{
    return atomic_load_explicit (&run->is_final, memory_order_acquire);
}

bool
dg_plan_run_wait (DgPlanRun *run, uint64_t timeout_ns)
{
    uint64_t now = dg__lock_clock_ns ();
    uint64_t until = timeout_ns > UINT64_MAX / 4 ? UINT64_MAX / 4 : now + timeout_ns;
    dg__lock (run->lock);
    while (!is_final (run) && dg__lock_wait_until (run->lock, until))
        ;
    dg__unlock (run->lock);
    return is_final (run);
}

const DgStepResult *
dg_plan_run_step (const DgPlanRun *run, uint32_t step)
{
    return step < atomic_load_explicit (&run->steps_done, memory_order_acquire) ? &run->steps[step]
                                                                                : NULL;
}

const DgPlanResult *
dg_plan_run_result (const DgPlanRun *run)
{
    return is_final (run) ? &run->result : NULL;
}

const DgFileResult *
dg_plan_run_file (const DgPlanRun *run, uint32_t index)
{
    if (index >= run->plan->n_targets
        || !atomic_load_explicit (&run->targets[index].is_prepared, memory_order_acquire))
        return NULL;
    return &run->result.files[index];
}

/* Whether the coordinator ends by itself, now or in a moment. By a fake clock it does so at once
 * whatever it waits for, unless that never comes. */
static bool
is_at_its_end (DgPlanRun *run)
{
    DgSnapshot snapshot;
    dg_plan_run_snapshot (run, &snapshot);
    dg__lock (run->lock);
    while (has_fake_clock (run->plan) && atomic_load (&run->fate) == DG_FATE_OPEN)
        dg__lock_wait_until (run->lock, dg__lock_clock_ns () + 1000000000u);
    dg__unlock (run->lock);
    uint32_t fate = atomic_load (&run->fate);
    return fate == DG_FATE_OVER || (fate == DG_FATE_OPEN && !snapshot.is_finishing);
}

void
dg_plan_run_free (DgPlanRun *run)
{
    if (run == NULL)
        return;
    dg_plan_run_stop (run);
    dg_plan_run_wait (run, UINT64_MAX);
    if (!is_at_its_end (run)) {
        /* the coordinator waits for the kernel, then frees everything */
        dg__thread_detach (run->thread);
    } else {
        dg__thread_join (run->thread);
    }
    if (has_fake_clock (run->plan))
        dg__null_clock_end ();
    dg__run_release (run);
}
