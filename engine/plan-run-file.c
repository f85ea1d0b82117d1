/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything about the test files that may block for long runs in a thread of its own, so that the
 * coordinator can still answer a stop. */
#include "engine/plan-run-private.h"

#include "engine/clock.h"
#include "engine/null/null.h"

static const DgFileOps real_ops = {
    dg__test_file_create,         dg__test_file_prepare,     dg__test_file_result,
    dg__test_file_handle,         dg__test_file_path,        dg__test_file_flush,
    dg__test_file_drop_cache,     dg__test_file_nowait,      dg__test_file_close,
    dg__test_file_leave,          dg__test_file_cache_state, dg__test_file_judge,
    dg__test_file_drive_counters,
};

static const DgFileOps null_ops = {
    dg__null_file_create,         dg__null_file_prepare,     dg__null_file_result,
    dg__null_file_handle,         dg__null_file_path,        dg__null_file_flush,
    dg__null_file_drop_cache,     dg__null_file_nowait,      dg__null_file_close,
    dg__null_file_leave,          dg__null_file_cache_state, dg__null_file_judge,
    dg__null_file_drive_counters,
};

const DgFileOps *
dg__run_file_ops (const DgPlan *plan)
{
    return plan->backend == DG_BACKEND_NULL ? &null_ops : &real_ops;
}

static int
call_one (DgPlanRun *run, uint32_t index)
{
    DgRunTarget *target = &run->targets[index];
    DgErrorDetail *detail = &run->task.detail;
    switch (run->task.call) {
    case DG_FILE_CREATE:
        return run->ops->create (&run->plan->targets[index], run->plan, &target->file, detail);
    case DG_FILE_PREPARE:
        return run->ops->prepare (target->file, target->data, run->plan->seed, &target->progress,
                                  detail);
    case DG_FILE_DROP:
        run->ops->drop_cache (target->file);
        return DG_OK;
    case DG_FILE_FLUSH:
        return run->ops->flush (target->file, detail);
    case DG_FILE_NOWAIT: {
        uint64_t read_ns;
        int nowait = run->ops->nowait (target->file, run->task.block_bytes, &read_ns);
        if (read_ns > run->task.read_ns)
            run->task.read_ns = read_ns;
        if (nowait == 0 || run->task.nowait < 0)
            run->task.nowait = nowait;
        return DG_OK;
    }
    case DG_FILE_CLOSE:
        run->ops->close (target->file);
        target->file = NULL;
        return DG_OK;
    }
    return DG_ERROR_INVALID;
}

static void
task_main (void *data)
{
    DgPlanRun *run = data;
    uint64_t start = dg__clock_ns ();
    int error = DG_OK;
    for (uint32_t i = 0; i < run->plan->n_targets && error == DG_OK; i++)
        if (run->task.targets[i])
            error = call_one (run, i);
    run->task.error = error;
    run->task.elapsed_ns = dg__clock_ns () - start;
    atomic_store_explicit (&run->task.is_done, true, memory_order_release);
}

int
dg__run_task_start (DgPlanRun *run, DgFileCall call, const bool *targets)
{
    DgFileTask *task = &run->task;
    task->call = call;
    task->error = DG_OK;
    task->nowait = -1;
    task->read_ns = 0;
    task->detail = (DgErrorDetail){ 0 };
    for (uint32_t i = 0; i < run->plan->n_targets; i++)
        task->targets[i] =
            targets == NULL ? call == DG_FILE_CREATE || run->targets[i].file != NULL : targets[i];
    atomic_store (&task->is_done, false);
    return dg__thread_start (&task->thread, "dg-file", task_main, run);
}

/* Of a preparation: how far it is and how fast it goes. */
static void
note_progress (DgPlanRun *run, uint64_t *last_ns, uint64_t *last_bytes)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < run->plan->n_targets; i++)
        bytes +=
            atomic_load_explicit (&run->targets[i].progress.prepared_bytes, memory_order_relaxed);
    uint64_t now = dg__clock_ns ();
    run->now.prepared_bytes = bytes;
    if (bytes < *last_bytes) /* it is written a second time */
        *last_bytes = bytes;
    if (now - *last_ns < DG_SAMPLE_NS)
        return;
    run->now.recent_bytes_per_s =
        (uint64_t) ((double) (bytes - *last_bytes) * 1e9 / (double) (now - *last_ns));
    uint64_t since = now - run->started_ns - run->now.phase_started_ns;
    if (bytes > 0 && since > 500000000u)
        run->now.phase_length_ns =
            (uint64_t) ((double) since * (double) run->now.prepare_bytes / (double) bytes);
    *last_ns = now;
    *last_bytes = bytes;
    dg__run_publish (run);
}

bool
dg__run_task_wait (DgPlanRun *run)
{
    DgFileTask *task = &run->task;
    uint64_t last_ns = dg__clock_ns (), last_bytes = run->now.prepared_bytes;
    uint64_t moved_ns = last_ns, moved_bytes = last_bytes;
    for (uint64_t pause_ns = 100000;
         !atomic_load_explicit (&task->is_done, memory_order_acquire);) {
        uint64_t now = dg__clock_ns ();
        if (dg__run_is_stopped (run)) {
            for (uint32_t i = 0; i < run->plan->n_targets; i++)
                atomic_store (&run->targets[i].progress.stop, true);
            if (now >= run->stop_seen_ns + DG_RUN_FINISH_NS)
                return false;
            if (!run->now.is_finishing) {
                run->now.is_finishing = true;
                dg__run_publish (run);
            }
        }
        if (run->now.prepared_bytes != moved_bytes) {
            moved_bytes = run->now.prepared_bytes;
            moved_ns = now;
        }
        run->now.oldest_io_ns = now - moved_ns > DG_RUN_LATE_NS ? now - moved_ns : 0;
        dg__run_doze (run, now + pause_ns);
        if (pause_ns < 10000000u)
            pause_ns *= 2;
        if (task->call == DG_FILE_PREPARE)
            note_progress (run, &last_ns, &last_bytes);
        else if (dg__clock_ns () - run->published_ns >= DG_SAMPLE_NS)
            dg__run_publish (run);
    }
    dg__thread_join (task->thread);
    task->thread = NULL;
    run->now.is_finishing = false;
    run->now.oldest_io_ns = 0;
    return true;
}

int
dg__run_task (DgPlanRun *run, DgFileCall call, const bool *targets)
{
    int error = dg__run_task_start (run, call, targets);
    if (error != DG_OK)
        return error;
    return dg__run_task_wait (run) ? DG_OK : DG_ERROR_STOPPED;
}
