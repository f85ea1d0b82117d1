/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/plan.h"
#include "engine/error.h"

#include <stddef.h>

#define MOST_NS UINT64_C (86400000000000) /* a day: sums of times stay far from wrapping */

const char *
dg_backend_id_name (DgBackendId id)
{
    switch (id) {
    case DG_BACKEND_AUTO:
        return "auto";
    case DG_BACKEND_IO_URING:
        return "io_uring";
    case DG_BACKEND_LIBAIO:
        return "libaio";
    case DG_BACKEND_THREADS:
        return "threads";
    case DG_BACKEND_OVERLAPPED:
        return "overlapped";
    case DG_BACKEND_NULL:
        return "null";
    }
    return "unknown";
}

static bool
stream_is_sane (const DgPlan *plan, const DgStream *s)
{
    if (s->target >= plan->n_targets || s->access > DG_ACCESS_RANDOM || s->data > DG_DATA_ZERO
        || s->read_percent > 100)
        return false;
    if (s->block_bytes < 512 || s->block_bytes > (64u << 20)
        || (s->block_bytes & (s->block_bytes - 1)) != 0)
        return false;
    if (s->queue_depth < 1 || s->queue_depth > 512 || s->threads < 1 || s->threads > 64)
        return false;
    uint64_t file = plan->targets[s->target].file_bytes;
    if (s->region_start_bytes % s->block_bytes != 0 || s->region_start_bytes > file)
        return false;
    uint64_t room = file - s->region_start_bytes;
    uint64_t region = s->region_bytes == 0 ? room : s->region_bytes;
    return region <= room && region / s->block_bytes >= s->threads;
}

int
dg_plan_check (const DgPlan *plan)
{
    if (plan == NULL || plan->n_targets == 0 || plan->n_steps == 0 || plan->targets == NULL
        || plan->steps == NULL)
        return DG_ERROR_INVALID;
    if (plan->runs > 9 || plan->duration_ns < 1000000u || plan->backend > DG_BACKEND_NULL
        || plan->duration_ns > MOST_NS || plan->warmup_ns > MOST_NS || plan->interval_ns > MOST_NS)
        return DG_ERROR_INVALID;
    for (uint32_t t = 0; t < plan->n_targets; t++)
        if ((plan->targets[t].folder == NULL) == (plan->targets[t].handle == -1)
            && plan->backend != DG_BACKEND_NULL)
            return DG_ERROR_INVALID;
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        const DgStep *step = &plan->steps[i];
        if (step->n_streams == 0 || step->streams == NULL)
            return DG_ERROR_INVALID;
        /* DG_STOP_FULL needs a file that grows, which no target makes */
        if (step->stop > DG_STOP_BYTES || (step->stop == DG_STOP_BYTES && step->stop_bytes == 0))
            return DG_ERROR_INVALID;
        for (uint32_t k = 0; k < step->n_streams; k++)
            if (!stream_is_sane (plan, &step->streams[k]))
                return DG_ERROR_INVALID;
    }
    return DG_OK;
}
