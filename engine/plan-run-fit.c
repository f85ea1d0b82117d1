/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a step can be run on these files, and on which backend. */
#include "engine/plan-run-pass.h"

#include "engine/backend-choice.h"
#include "engine/null/null.h"
#include "engine/reason.h"

#define ASSUMED_LOGICAL_BLOCK_BYTES 4096u

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
choose_backend (DgStepRun *s, int nowait)
{
    DgBackendQuestion question = { .asked = s->run->plan->backend,
                                   .nowait = nowait,
                                   .available = available_backends (s->run) };
    for (uint32_t i = 0; i < s->step->n_streams; i++) {
        const DgStream *stream = &s->step->streams[i];
        if (stream->queue_depth > question.queue_depth)
            question.queue_depth = stream->queue_depth;
        question.writes |= stream->read_percent < 100 && stream->queue_depth > 1;
    }
    DgBackendAnswer answer = dg__backend_choose (&question);
    if (answer.id == DG_BACKEND_AUTO)
        return answer.reason;
    s->backend = find_backend (answer.id);
    s->backend_reason = answer.reason;
    return NULL;
}

bool
dg__step_fall_back (DgStepRun *s)
{
    if (s->run->plan->backend != DG_BACKEND_AUTO)
        return false;
    s->run->available &= ~(1u << s->backend->id);
    return choose_backend (s, s->nowait) == NULL;
}

uint64_t
dg__step_region (const DgStepRun *s, const DgStream *stream)
{
    const DgFileResult *file = &s->run->result.files[stream->target];
    uint64_t grain = file->alignment_bytes > stream->block_bytes ? file->alignment_bytes
                                                                 : stream->block_bytes,
             start = (stream->region_start_bytes + grain - 1) / grain * grain,
             end = file->size_bytes;
    if (stream->region_bytes != 0 && stream->region_start_bytes + stream->region_bytes < end)
        end = stream->region_start_bytes + stream->region_bytes;
    return start < end ? end - start : 0;
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
        if (dg__step_region (s, stream) / stream->block_bytes < stream->threads)
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
        s->region_bytes += dg__step_region (s, stream);
        s->has_reads |= stream->read_percent > 0;
        s->has_writes |= stream->read_percent < 100;
        s->targets[stream->target] = true;
        /* what the caller opened is used as it is */
        bool is_ours = s->run->plan->targets[stream->target].folder != NULL
                       || s->run->plan->backend == DG_BACKEND_NULL;
        s->is_buffered |= is_ours && !s->run->result.files[stream->target].is_direct;
    }
}

static uint64_t
probe_bytes (const DgStepRun *s)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < s->run->plan->n_targets; t++)
        if (s->targets[t])
            sum += s->run->ops->result (s->run->targets[t].file)->probe_bytes;
    return sum;
}

/* The probe transfers a block, so it may take as long as a drive likes. */
static DgGo
probe_nowait (DgStepRun *s)
{
    DgPlanRun *run = s->run;
    run->task.nowait = -1;
    if (run->plan->backend != DG_BACKEND_AUTO)
        return DG_GO_ON;
    run->task.block_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < s->step->n_streams; i++)
        if (s->step->streams[i].block_bytes < run->task.block_bytes)
            run->task.block_bytes = s->step->streams[i].block_bytes;
    uint64_t before = probe_bytes (s);
    int error = dg__run_task (run, DG_FILE_NOWAIT, s->targets);
    if (error == DG_OK) {
        run->passed_written_bytes += probe_bytes (s) - before;
        s->probe_read_ns = run->task.read_ns;
    }
    return error == DG_ERROR_STOPPED || dg__run_is_stopped (run) ? DG_GO_STOPPED : DG_GO_ON;
}

DgReason
dg__step_fit (DgStepRun *s, DgGo *ret_go)
{
    describe (s);
    DgReason reason = refuse_files (s);
    if (reason != NULL)
        return reason;
    *ret_go = probe_nowait (s);
    if (*ret_go != DG_GO_ON)
        return NULL;
    s->nowait = s->run->task.nowait;
    return choose_backend (s, s->nowait);
}
