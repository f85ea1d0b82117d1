/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step: may it be run and on what, warm-up, runs, flush. */
#include "engine/plan-run-pass.h"

#include <math.h>
#include <stdlib.h>

#include "engine/backend-choice.h"
#include "engine/clock.h"
#include "engine/graveyard.h"
#include "engine/null/null.h"
#include "engine/reason.h"

#define ASSUMED_LOGICAL_BLOCK_BYTES 4096u

/* ---- what the step is ---- */

static const DgBackend *
find_backend (DgBackendId id)
{
    return id == DG_BACKEND_NULL ? &dg__backend_null : dg__backend_find (id);
}

/* Probes each backend at most once a plan run. */
static uint32_t
available_backends (DgPlanRun *run)
{
    for (uint32_t id = DG_BACKEND_IO_URING; id <= DG_BACKEND_NULL; id++) {
        bool is_wanted = run->plan->backend == id
                         || (run->plan->backend == DG_BACKEND_AUTO && id != DG_BACKEND_NULL);
        if (!is_wanted || (run->probed & (1u << id)) != 0)
            continue;
        run->probed |= 1u << id;
        DgErrorDetail detail;
        const DgBackend *backend = find_backend (id);
        if (backend != NULL && backend->probe (&detail) == DG_OK)
            run->available |= 1u << id;
    }
    return run->available;
}

static DgReason
choose_backend (DgStepRun *s)
{
    DgBackendQuestion question = { .asked = s->run->plan->backend,
                                   .nowait = -1,
                                   .available = available_backends (s->run) };
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        if (stream->queue_depth > question.queue_depth)
            question.queue_depth = stream->queue_depth;
        question.writes |= stream->read_percent < 100 && stream->queue_depth > 1;
        int nowait =
            question.asked == DG_BACKEND_AUTO && question.nowait != 0
                ? s->run->ops->nowait (s->run->targets[stream->target].file, stream->block_bytes)
                : -1;
        if (nowait >= 0)
            question.nowait = nowait;
    }
    DgBackendAnswer answer = dg__backend_choose (&question);
    if (answer.id == DG_BACKEND_AUTO)
        return answer.reason;
    s->backend = find_backend (answer.id);
    s->backend_reason = answer.reason;
    return NULL;
}

static uint64_t
stream_region (const DgStepRun *s, const DgStream *stream)
{
    uint64_t size = s->run->result.files[stream->target].size_bytes;
    if (stream->region_start_bytes >= size)
        return 0;
    uint64_t room = size - stream->region_start_bytes;
    return stream->region_bytes == 0 || stream->region_bytes > room ? room : stream->region_bytes;
}

/* Why the step cannot be run on these files; NULL if it can. */
static DgReason
refuse_files (DgStepRun *s)
{
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        const DgFileResult *file = &s->run->result.files[stream->target];
        bool is_ours = s->run->plan->targets[stream->target].folder != NULL;
        uint64_t logical = file->logical_block_bytes;
        if (logical == DG_UNKNOWN_U64)
            logical = is_ours ? ASSUMED_LOGICAL_BLOCK_BYTES : 0;
        if (stream->block_bytes < logical && file->is_direct)
            return DG_REASON_BELOW_LOGICAL_BLOCK;
        if (stream_region (s, stream) / stream->block_bytes < stream->threads)
            return DG_REASON_FILE_TOO_SMALL;
    }
    return NULL;
}

static void
describe (DgStepRun *s)
{
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        s->n_workers += stream->threads;
        s->total_slots += (uint64_t) stream->threads * stream->queue_depth;
        s->region_bytes += stream_region (s, stream);
        s->has_reads |= stream->read_percent > 0;
        s->has_writes |= stream->read_percent < 100;
        s->targets[stream->target] = true;
        /* what the caller opened is used as it is */
        bool is_ours = s->run->plan->targets[stream->target].folder != NULL
                       || s->run->plan->backend == DG_BACKEND_NULL;
        s->is_buffered |= is_ours && !s->run->result.files[stream->target].is_direct;
    }
}

/* ---- its workers ---- */

static uint64_t
round_up (uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint64_t
writers_of (const DgStep *step, DgData data)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < step->n_streams; i++)
        if (step->streams[i].data == data && step->streams[i].read_percent < 100)
            n += step->streams[i].threads;
    return n;
}

/* A writer's part: its share of 64 MiB, at least one block more than it has in flight. */
static uint64_t
pool_part (const DgStream *stream, uint64_t writers)
{
    uint64_t unit = stream->block_bytes < 4096 ? 4096 : stream->block_bytes;
    uint64_t share = round_up (DG_POOL_BYTES / writers, unit),
             least = round_up ((stream->queue_depth + 1) * stream->block_bytes, unit);
    return share > least ? share : least;
}

static int
lay_out_workers (DgStepRun *s)
{
    DgPlanRun *run = s->run;
    uint64_t writers[2] = { writers_of (s->step, DG_DATA_RANDOM),
                            writers_of (s->step, DG_DATA_ZERO) },
             used[2] = { 0, 0 };
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        if (stream->read_percent < 100)
            used[stream->data] += stream->threads * pool_part (stream, writers[stream->data]);
    }
    for (int data = 0; data < 2; data++) {
        int error = used[data] > 0 ? dg__run_pool_reserve (run, (DgData) data, used[data]) : DG_OK;
        if (error != DG_OK)
            return error;
        used[data] = 0;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        const DgRunTarget *target = &run->targets[stream->target];
        for (uint32_t k = 0; k < stream->threads; k++, n++) {
            DgWorkerSetup *setup = &s->setups[n];
            *setup = (DgWorkerSetup){ .stream = stream,
                                      .handle = run->ops->handle (target->file),
                                      .path = run->ops->path (target->file),
                                      .file_bytes = run->result.files[stream->target].size_bytes,
                                      .alignment_bytes =
                                          run->result.files[stream->target].alignment_bytes,
                                      .index = k,
                                      .global_index = n,
                                      .seed = run->plan->seed,
                                      .write_through = run->plan->write_through,
                                      .null_script = run->plan->null_script };
            if (stream->read_percent == 100)
                continue;
            uint64_t part = pool_part (stream, writers[stream->data]);
            setup->pool_memory = run->pools[stream->data].memory;
            setup->pool_memory_bytes = run->pools[stream->data].size_bytes;
            setup->pool = setup->pool_memory + used[stream->data];
            setup->pool_bytes = part;
            used[stream->data] += part;
        }
    }
    return DG_OK;
}

static int
allocate (DgStepRun *s)
{
    s->control = aligned_alloc (_Alignof(DgWorkerControl), sizeof *s->control);
    s->setups = calloc (s->n_workers, sizeof *s->setups);
    s->workers = calloc (s->n_workers, sizeof *s->workers);
    uint64_t n = s->run->plan->warmup_ns / DG_SAMPLE_NS + 1;
    if (s->run->plan->warmup_ns > 0)
        s->result->warmup_samples = calloc (n, sizeof (uint64_t));
    if (s->control == NULL || s->setups == NULL || s->workers == NULL
        || (s->run->plan->warmup_ns > 0 && s->result->warmup_samples == NULL))
        return DG_ERROR_NO_MEMORY;
    s->result->n_warmup_samples = (uint32_t) n;
    return lay_out_workers (s);
}

static void
free_step (DgStepRun *s)
{
    if (s == NULL)
        return;
    free (s->control);
    free (s->setups);
    free (s->workers);
    free (s->targets);
    free (s);
}

static int
allocate_run (const DgStepRun *s, DgRunResult *run)
{
    const DgPlan *plan = s->run->plan;
    uint32_t n_targets = 0;
    for (uint32_t t = 0; t < plan->n_targets; t++)
        n_targets += s->targets[t];
    bool is_mix = s->has_reads && s->has_writes;
    /* a window may last four times as long, and a drive may take its time over the last I/O */
    run->n_samples =
        (uint32_t) (4 * plan->duration_ns / DG_SAMPLE_NS + DG_RUN_SILENCE_NS / DG_SAMPLE_NS + 1);
    run->samples = calloc (run->n_samples, sizeof *run->samples);
    run->total.histogram = calloc (1, sizeof (DgHistogram));
    if (is_mix) {
        run->read.histogram = calloc (1, sizeof (DgHistogram));
        run->write.histogram = calloc (1, sizeof (DgHistogram));
    }
    if (run->samples == NULL || run->total.histogram == NULL
        || (is_mix && (run->read.histogram == NULL || run->write.histogram == NULL)))
        return DG_ERROR_NO_MEMORY;
    if (n_targets < 2)
        return DG_OK;
    run->per_target = calloc (plan->n_targets, sizeof *run->per_target);
    for (uint32_t t = 0; run->per_target != NULL && t < plan->n_targets; t++)
        if (s->targets[t]
            && (run->per_target[t].histogram = calloc (1, sizeof (DgHistogram))) == NULL)
            return DG_ERROR_NO_MEMORY;
    return run->per_target != NULL ? DG_OK : DG_ERROR_NO_MEMORY;
}

/* ---- carrying it out ---- */

static DgPassEnd
fail (DgStepRun *s, int error, const char *operation)
{
    s->open_error = error;
    s->open_detail = (DgErrorDetail){ .operation = operation };
    return DG_PASS_SYSTEM;
}

static void
judge (DgStepRun *s, const DgCacheState *before, DgRunResult *run)
{
    DgPlanRun *r = s->run;
    run->direct = DG_DIRECT_PROVED;
    for (uint32_t t = 0; t < r->plan->n_targets; t++) {
        if (!s->targets[t])
            continue;
        DgCacheState after;
        DgReason reason = NULL;
        r->ops->cache_state (r->targets[t].file, &after);
        /* with several targets each is judged by the bytes of all of it that can be told apart: its
         * own flow */
        const DgFlowCount *flow = run->per_target != NULL ? &run->per_target[t] : &run->total;
        uint64_t read =
            s->has_reads ? (run->read.histogram != NULL ? run->read.bytes : flow->bytes) : 0;
        uint64_t written =
            s->has_writes ? (run->write.histogram != NULL ? run->write.bytes : flow->bytes) : 0;
        DgDirectness direct = r->ops->judge (r->targets[t].file, &before[t], &after, read, written,
                                             run->touched_bytes, &reason);
        bool is_worse = direct == DG_DIRECT_REFUTED
                        || (direct == DG_DIRECT_UNKNOWN && run->direct == DG_DIRECT_PROVED);
        if (is_worse && run->direct != DG_DIRECT_REFUTED) {
            run->direct = direct;
            run->direct_reason = reason;
        }
    }
}

/* One pass with all that stands around it. `run` NULL: a warm-up. */
static DgPassEnd
pass_with_cache (DgStepRun *s, DgRunResult *run)
{
    DgPlanRun *r = s->run;
    if (dg__run_task (r, DG_FILE_DROP, s->targets) != DG_OK)
        return r->task.thread != NULL || dg__run_is_stopped (r)
                   ? DG_PASS_STOPPED
                   : fail (s, DG_ERROR_SYSTEM, "pthread_create");
    if (dg__run_is_stopped (r))
        return DG_PASS_STOPPED;
    DgCacheState *before = calloc (r->plan->n_targets, sizeof *before);
    if (before == NULL)
        return fail (s, DG_ERROR_NO_MEMORY, "malloc");
    for (uint32_t t = 0; t < r->plan->n_targets; t++)
        if (s->targets[t])
            r->ops->cache_state (r->targets[t].file, &before[t]);
    DgPassEnd end = dg__pass (s, run);
    if (run != NULL && end != DG_PASS_ABANDONED && run->elapsed_ns > 0)
        judge (s, before, run);
    free (before);
    return end;
}

/* The next backend that Automatic would take, after a queue of this one could not be opened. */
static bool
fall_back (DgStepRun *s)
{
    if (s->run->plan->backend != DG_BACKEND_AUTO)
        return false;
    s->run->available &= ~(1u << s->backend->id);
    return choose_backend (s) == NULL;
}

static DgPassEnd
pass (DgStepRun *s, DgRunResult *run)
{
    DgPassEnd end;
    do
        end = pass_with_cache (s, run);
    while (end == DG_PASS_NO_QUEUE && fall_back (s));
    return end;
}

/* The flush after a write run or step; its time, DG_UNKNOWN_U64 when a stop did not let it end. */
static DgPassEnd
flush (DgStepRun *s, DgRunResult *run, uint64_t *ret_ns)
{
    DgPlanRun *r = s->run;
    if (dg__run_task (r, DG_FILE_FLUSH, s->targets) != DG_OK)
        return DG_PASS_STOPPED;
    if (r->task.error == DG_OK) {
        *ret_ns = r->task.elapsed_ns;
        return DG_PASS_DONE;
    }
    if (run != NULL && run->n_errors < DG_MAX_RUN_ERRORS) {
        const DgErrorDetail *detail = &r->task.detail;
        run->errors[run->n_errors++] = (DgRunError){ detail->operation, detail->offset_bytes,
                                                     detail->length_bytes, detail->os_code, 1 };
    }
    return DG_PASS_DONE;
}

/* One run into the next free place. */
static DgPassEnd
one_run (DgStepRun *s)
{
    DgStepResult *result = s->result;
    DgRunResult *run = &result->runs[result->n_runs];
    if (allocate_run (s, run) != DG_OK)
        return fail (s, DG_ERROR_NO_MEMORY, "malloc");
    s->run->now.run = result->n_runs;
    DgPassEnd end = pass (s, run);
    run->backend = s->backend->id;
    run->backend_reason = s->backend_reason;
    if (s->first_io_ns != 0)
        run->first_io_ns = s->first_io_ns;
    s->first_io_ns = 0;
    if (end == DG_PASS_NO_QUEUE || end == DG_PASS_SYSTEM) {
        run->errors[run->n_errors++] =
            (DgRunError){ s->open_detail.operation, 0, 0, s->open_detail.os_code, 1 };
        run->n_samples = 0;
        result->n_runs++;
        return end;
    }
    bool has_begun = run->elapsed_ns > 0 || run->n_errors > 0;
    if (end == DG_PASS_DONE && s->has_writes && run->is_complete
        && (s->is_buffered || s->run->plan->include_flush)) {
        uint64_t flush_ns = DG_UNKNOWN_U64;
        end = flush (s, run, &flush_ns);
        if (flush_ns == DG_UNKNOWN_U64) {
            run->is_complete = false;
        } else {
            run->elapsed_ns += flush_ns;
            result->flush_ns = flush_ns;
        }
    }
    if (has_begun)
        result->n_runs++;
    else
        run->n_samples = 0;
    run->is_used = dg__rule_is_good (run);
    s->run->now.runs_done = result->n_runs;
    dg__run_publish (s->run);
    return end;
}

static DgPassEnd
all_runs (DgStepRun *s)
{
    DgStepResult *result = s->result;
    uint32_t wanted = s->run->plan->runs;
    bool has_repeated = false;
    for (;;) {
        DgPassEnd end = one_run (s);
        if (end != DG_PASS_DONE)
            return end;
        const DgRunResult *last = &result->runs[result->n_runs - 1];
        bool is_suspended =
            last->suspended_ns >= DG_RUN_SUSPENDED_NS && last->is_complete && last->n_errors == 0;
        if (!dg__rule_is_good (last) && (!is_suspended || has_repeated))
            return DG_PASS_DONE;
        has_repeated |= is_suspended;
        if (dg__rule_has_enough (result, wanted) || result->n_runs == DG_MAX_RUNS)
            return DG_PASS_DONE;
    }
}

static DgPassEnd
passes (DgStepRun *s)
{
    DgPassEnd end = s->run->plan->warmup_ns > 0 ? pass (s, NULL) : DG_PASS_DONE;
    if (end == DG_PASS_NO_QUEUE || end == DG_PASS_SYSTEM) {
        DgRunResult *run = &s->result->runs[s->result->n_runs++];
        run->backend = s->backend->id;
        run->errors[run->n_errors++] =
            (DgRunError){ s->open_detail.operation, 0, 0, s->open_detail.os_code, 1 };
        run->queue_depth_device = NAN;
        return end;
    }
    if (end == DG_PASS_DONE)
        end = all_runs (s);
    if (end == DG_PASS_DONE && s->has_writes && s->result->flush_ns == DG_UNKNOWN_U64
        && s->result->n_runs > 0)
        end = flush (s, &s->result->runs[s->result->n_runs - 1], &s->result->flush_ns);
    return end;
}

/* The last run shows that nothing more can come from this target. */
static bool
is_gone (DgStepRun *s)
{
    const DgStepResult *result = s->result;
    if (result->n_runs == 0)
        return false;
    const DgRunResult *last = &result->runs[result->n_runs - 1];
    for (uint32_t i = 0; i < last->n_errors; i++) {
        const DgRunError *error = &last->errors[i];
        if (error->os_code == 0 || dg_error_from_os (error->os_code) != DG_ERROR_GONE)
            continue;
        s->run->result.error = DG_ERROR_GONE;
        s->run->result.detail = (DgErrorDetail){
            error->operation, error->offset_bytes, error->length_bytes, error->os_code, 0, 0
        };
        return true;
    }
    return false;
}

static DgGo
close_step (DgStepRun *s, DgPassEnd end)
{
    DgStepResult *result = s->result;
    dg__rule_apply (result, s->run->plan->runs);
    switch (end) {
    case DG_PASS_STOPPED:
        result->state = DG_STEP_STOPPED;
        return DG_GO_STOPPED;
    case DG_PASS_ABANDONED:
        result->state = DG_STEP_FAILED;
        return DG_GO_ABANDONED;
    case DG_PASS_SYSTEM:
        result->state = DG_STEP_FAILED;
        s->run->result.error = s->open_error;
        s->run->result.detail = s->open_detail;
        return DG_GO_GONE;
    case DG_PASS_NO_QUEUE:
        result->state = DG_STEP_FAILED;
        return DG_GO_ON;
    case DG_PASS_DONE:
        break;
    }
    const DgRunResult *last = &result->runs[result->n_runs - 1];
    bool is_failed = last->n_errors > 0 || !last->is_complete;
    result->state = is_failed ? DG_STEP_FAILED : DG_STEP_DONE;
    return is_failed && is_gone (s) ? DG_GO_GONE : DG_GO_ON;
}

DgGo
dg__run_step (DgPlanRun *run, uint32_t index)
{
    DgStepResult *result = &run->steps[index];
    DgStepRun *s = calloc (1, sizeof *s);
    if (s == NULL || (s->targets = calloc (run->plan->n_targets, sizeof *s->targets)) == NULL) {
        free (s);
        run->result.error = DG_ERROR_NO_MEMORY;
        return DG_GO_GONE;
    }
    s->run = run;
    s->index = index;
    s->step = &run->plan->steps[index];
    s->result = result;
    result->started_ns = dg__run_now_ns (run);
    describe (s);
    result->reason = refuse_files (s);
    if (result->reason == NULL)
        result->reason = choose_backend (s);
    if (result->reason != NULL) {
        result->state = DG_STEP_NOT_RUN;
        free_step (s);
        return DG_GO_ON;
    }
    int error = allocate (s);
    DgGo go;
    if (error != DG_OK) {
        result->state = DG_STEP_FAILED;
        run->result.error = error;
        go = DG_GO_GONE;
    } else {
        go = close_step (s, passes (s));
    }
    if (go == DG_GO_ABANDONED)
        dg__graveyard_bury (s); /* its workers still use it */
    else
        free_step (s);
    return go;
}
