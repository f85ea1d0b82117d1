/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coordinator from its first line to its last: prepare, steps, end. */
#include "engine/plan-run-pass.h"

#include <stdlib.h>

#include "engine/clock.h"
#include "engine/reason.h"

#define FINISH_MAX_NS                                                                              \
    30000000000u /* at a normal end the deletion is waited for that long before the result is      \
                    handed out */

/* Waits for the present task after `error` of starting it; the error that stands at the end. */
static int
end_task (DgPlanRun *run, int error)
{
    if (error == DG_OK)
        error = dg__run_task_wait (run) ? run->task.error : DG_ERROR_STOPPED;
    if (error != DG_OK && run->task.thread == NULL)
        run->result.detail = run->task.detail;
    return error;
}

static int
prepare (DgPlanRun *run)
{
    const DgPlan *plan = run->plan;
    dg__stamp_init ();
    dg__run_move (run, DG_STATE_PREPARING, DG_UNKNOWN_U64);
    int error = end_task (run, dg__run_task_start (run, DG_FILE_CREATE, NULL));
    if (error != DG_OK)
        return error;
    for (uint32_t i = 0; i < plan->n_targets; i++)
        if (plan->targets[i].folder != NULL || plan->backend == DG_BACKEND_NULL)
            run->now.prepare_bytes += run->ops->result (run->targets[i].file)->size_bytes;
    if (dg__run_is_stopped (run))
        return DG_ERROR_STOPPED;
    dg__run_move (run, DG_STATE_PREPARING, DG_UNKNOWN_U64);
    error = end_task (run, dg__run_task_start (run, DG_FILE_PREPARE, NULL));
    for (uint32_t i = 0; i < plan->n_targets; i++)
        run->passed_written_bytes += atomic_load (&run->targets[i].progress.prepared_bytes);
    if (run->task.thread == NULL)
        for (uint32_t i = 0; i < plan->n_targets; i++)
            run->passed_written_bytes += run->ops->result (run->targets[i].file)->probe_bytes;
    run->now.bytes_written = run->passed_written_bytes;
    run->now.recent_bytes_per_s = 0;
    if (error != DG_OK)
        return error;
    for (uint32_t i = 0; i < plan->n_targets; i++) {
        run->result.files[i] = *run->ops->result (run->targets[i].file);
        atomic_store_explicit (&run->targets[i].is_prepared, true, memory_order_release);
    }
    return dg__run_is_stopped (run) ? DG_ERROR_STOPPED : DG_OK;
}

/* Before the first step and between steps. */
static bool
wait_interval (DgPlanRun *run)
{
    if (run->plan->interval_ns == 0)
        return dg__run_is_stopped (run);
    run->now.is_interval = true;
    run->now.recent_bytes_per_s = 0;
    run->now.cpu_permille = 0;
    dg__run_move (run, run->now.state, run->plan->interval_ns);
    bool is_stopped = dg__run_sleep (run, dg__clock_ns () + run->plan->interval_ns);
    run->now.is_interval = false;
    return is_stopped;
}

static DgGo
run_steps (DgPlanRun *run)
{
    for (uint32_t i = 0; i < run->plan->n_steps; i++) {
        run->now.step = i;
        run->now.run = 0;
        run->now.runs_done = 0;
        if (wait_interval (run))
            return DG_GO_STOPPED;
        DgGo go = dg__run_step (run, i);
        if (run->steps[i].started_ns != DG_UNKNOWN_U64 || go == DG_GO_ON) {
            atomic_store_explicit (&run->steps_done, i + 1, memory_order_release);
            run->now.steps_done = i + 1;
            dg__run_publish (run);
        }
        if (go != DG_GO_ON)
            return go;
    }
    run->now.step = run->plan->n_steps;
    return DG_GO_ON;
}

/* Every step that had no turn says why. */
static void
close_steps (DgPlanRun *run, DgReason reason)
{
    for (uint32_t i = atomic_load (&run->steps_done); i < run->plan->n_steps; i++) {
        run->steps[i].state = DG_STEP_NOT_RUN;
        run->steps[i].reason = reason;
        run->steps[i].started_ns = dg__run_now_ns (run);
    }
    atomic_store_explicit (&run->steps_done, run->plan->n_steps, memory_order_release);
    run->now.steps_done = run->plan->n_steps;
}

static void
publish_final (DgPlanRun *run, DgState state)
{
    run->result.state = state;
    run->result.elapsed_ns = dg__run_now_ns (run);
    run->result.bytes_read = run->passed_read_bytes;
    run->result.bytes_written = run->passed_written_bytes;
    run->now.is_interval = false;
    dg__lock (run->lock);
    atomic_store_explicit (&run->is_final, true, memory_order_release);
    dg__run_move (run, state, 0);
    dg__lock_signal (run->lock);
    dg__unlock (run->lock);
}

/* Waits for the task going on until `until_ns`. */
static bool
finish_task (DgPlanRun *run, uint64_t until_ns)
{
    while (!atomic_load_explicit (&run->task.is_done, memory_order_acquire)) {
        uint64_t now = dg__clock_ns ();
        bool is_late = until_ns != UINT64_MAX && dg__run_is_stopped (run)
                       && now >= run->stop_seen_ns + DG_RUN_FINISH_NS;
        if (now >= until_ns || is_late)
            return false;
        dg__sleep_until_ns (now + 5000000u);
        if (dg__clock_ns () - run->published_ns >= DG_SAMPLE_NS)
            dg__run_publish (run);
    }
    dg__thread_join (run->task.thread);
    run->task.thread = NULL;
    return true;
}

/* Deletes the files, after a call that was still going on. False when it did not end in time: to be
 * called again. */
static bool
close_files (DgPlanRun *run, uint64_t until_ns)
{
    for (;;) {
        if (run->task.thread != NULL && !finish_task (run, until_ns))
            return false;
        bool is_open = false;
        for (uint32_t i = 0; i < run->plan->n_targets; i++)
            is_open |= run->targets[i].file != NULL;
        if (!is_open)
            return true;
        if (dg__run_task_start (run, DG_FILE_CLOSE, NULL) != DG_OK) {
            run->task.thread = NULL;
            for (uint32_t i = 0; i < run->plan->n_targets; i++) {
                if (run->targets[i].file != NULL)
                    run->ops->close (run->targets[i].file);
                run->targets[i].file = NULL;
            }
        }
    }
}

static void
set_fate (DgPlanRun *run, DgRunFate fate)
{
    dg__lock (run->lock);
    atomic_store (&run->fate, fate);
    dg__lock_signal (run->lock);
    dg__unlock (run->lock);
}

/* The drive has stopped to answer. What its I/Os use, and its files, stay until they have come
 * back; if they do not, for good: the one allowed leak. */
static void
give_up (DgPlanRun *run)
{
    for (uint32_t i = 0; i < run->plan->n_targets; i++)
        if (run->undrained->targets[i] && run->targets[i].file != NULL)
            run->ops->leave (run->targets[i].file);
    set_fate (run, DG_FATE_SILENT);
}

/* With I/Os under way. */
static void
finish_undrained (DgPlanRun *run, DgState state)
{
    bool is_silent = state == DG_STATE_ABANDONED;
    if (is_silent)
        give_up (run);
    run->now.is_finishing = !is_silent;
    publish_final (run, state);
    if (!is_silent && !dg__pass_drain_on (run->undrained)) {
        give_up (run);
        run->now.is_finishing = false; /* nobody can wait for that */
        dg__run_publish (run);
    }
    dg__pass_free_workers (run->undrained);
    dg__step_free (run->undrained);
    run->undrained = NULL;
    close_files (run, UINT64_MAX);
    run->now.is_finishing = false;
    dg__run_publish (run);
}

/* The result is handed out when the files are gone, or without them when a stop has to be answered;
 * then what is in the kernel is waited for afterwards ("finishing"). */
static void
finish (DgPlanRun *run, DgState state)
{
    if (run->undrained != NULL) {
        finish_undrained (run, state);
        return;
    }
    run->now.is_finishing = true;
    dg__run_publish (run);
    bool is_closed = close_files (run, dg__clock_ns () + FINISH_MAX_NS);
    run->now.is_finishing = !is_closed;
    publish_final (run, state);
    if (!is_closed) {
        close_files (run, UINT64_MAX);
        run->now.is_finishing = false;
        dg__run_publish (run);
    }
}

static DgState
carry_out (DgPlanRun *run)
{
    int error = prepare (run);
    DgGo go = DG_GO_ON;
    if (error == DG_OK)
        go = run_steps (run);
    if (error == DG_ERROR_STOPPED || go == DG_GO_STOPPED || go == DG_GO_UNDRAINED) {
        close_steps (run, DG_REASON_STOPPED_BEFORE);
        return DG_STATE_STOPPED;
    }
    if (error != DG_OK || go == DG_GO_GONE) {
        if (error != DG_OK)
            run->result.error = error;
        close_steps (run, DG_REASON_FAILED_BEFORE);
        return DG_STATE_FAILED;
    }
    close_steps (run, DG_REASON_STOPPED_BEFORE);
    return go == DG_GO_ABANDONED ? DG_STATE_ABANDONED : DG_STATE_DONE;
}

void
dg__run_main (void *data)
{
    DgPlanRun *run = data;
    DgState state = carry_out (run);
    finish (run, state);
    if (atomic_load (&run->fate) == DG_FATE_OPEN)
        set_fate (run, DG_FATE_OVER);
    dg__run_release (run);
}
