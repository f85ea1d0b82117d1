/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a step: its workers' setups, their parts of the pool, what a run's result needs. */
#include "engine/plan-run-pass.h"
#include "engine/data.h"

#include <math.h>
#include <stdlib.h>

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

/* A writer's part: its share of 64 MiB, at least one block more than it has in flight; whole MiB,
 * see DG_PLACES_BYTES. */
static uint64_t
pool_part (const DgStream *stream, uint64_t writers)
{
    uint64_t unit = stream->block_bytes < DG_PLACES_BYTES ? DG_PLACES_BYTES : stream->block_bytes;
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

int
dg__step_allocate (DgStepRun *s)
{
    s->control = dg__lines_new (sizeof *s->control);
    s->setups = calloc (s->n_workers, sizeof *s->setups);
    s->workers = calloc (s->n_workers, sizeof *s->workers);
    s->moved = calloc (s->run->plan->n_targets, sizeof *s->moved);
    s->n_warmup_samples = (uint32_t) (s->run->plan->warmup_ns / DG_SAMPLE_NS + 1);
    if (s->run->plan->warmup_ns > 0)
        s->result->warmup_samples = calloc (s->n_warmup_samples, sizeof (uint64_t));
    if (s->control == NULL || s->setups == NULL || s->workers == NULL || s->moved == NULL
        || (s->run->plan->warmup_ns > 0 && s->result->warmup_samples == NULL))
        return DG_ERROR_NO_MEMORY;
    return lay_out_workers (s);
}

void
dg__step_free (DgStepRun *s)
{
    if (s == NULL)
        return;
    dg__lines_free (s->control);
    free (s->setups);
    free (s->workers);
    free (s->targets);
    free (s->moved);
    free (s);
}

void
dg__run_result_init (DgRunResult *run)
{
    *run = (DgRunResult){ .queue_depth_engine = NAN,
                          .queue_depth_device = NAN,
                          .inflight_max = DG_UNKNOWN_U64,
                          .cpu_ns = DG_UNKNOWN_U64,
                          .kernel_worker_cpu_ns = DG_UNKNOWN_U64,
                          .run_wait_ns = DG_UNKNOWN_U64,
                          .first_io_ns = DG_UNKNOWN_U64,
                          .device_bytes = DG_UNKNOWN_U64,
                          .foreign_bytes = DG_UNKNOWN_U64 };
}

int
dg__step_allocate_run (const DgStepRun *s, DgRunResult *run)
{
    const DgPlan *plan = s->run->plan;
    uint32_t n_targets = 0;
    for (uint32_t t = 0; t < plan->n_targets; t++)
        n_targets += s->targets[t];
    bool is_mix = s->has_reads && s->has_writes;
    dg__run_result_init (run);
    /* a window may last four times as long, and once more until a stall is over, and a drive may
     * take its time over the last I/O */
    run->n_samples =
        (uint32_t) (5 * plan->duration_ns / DG_SAMPLE_NS + DG_RUN_SILENCE_NS / DG_SAMPLE_NS + 1);
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
