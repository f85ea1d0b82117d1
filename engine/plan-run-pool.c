/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/data.h"
#include "engine/graveyard.h"
#include "engine/plan-run-private.h"

#define FILL_PIECE_BYTES (4u << 20) /* filled between two looks at a stop */

void
dg__run_pools_free (DgPlanRun *run)
{
    for (int i = 0; i < 2; i++) {
        if (run->pools[i].memory != NULL)
            dg__memory_free (run->pools[i].memory, run->pools[i].size_bytes);
        run->pools[i] = (DgRunPool){ 0 };
    }
}

void
dg__run_pools_keep (DgPlanRun *run)
{
    for (int i = 0; i < 2; i++) {
        if (run->pools[i].memory != NULL)
            dg__graveyard_bury (run->pools[i].memory);
        run->pools[i] = (DgRunPool){ 0 };
    }
}

int
dg__run_pool_reserve (DgPlanRun *run, DgData data, uint64_t bytes)
{
    DgRunPool *pool = &run->pools[data];
    if (pool->size_bytes >= bytes)
        return DG_OK;
    if (pool->memory != NULL)
        dg__memory_free (pool->memory, pool->size_bytes);
    *pool = (DgRunPool){ 0 };
    uint64_t size = 0;
    unsigned char *memory = dg__memory_new (bytes, &size);
    if (memory == NULL)
        return DG_ERROR_NO_MEMORY;
    *pool = (DgRunPool){ memory, size };
    if (data == DG_DATA_ZERO)
        return DG_OK; /* fresh memory is zero */
    DgRandom random;
    dg__random_seed (&random, run->plan->seed, 0x706f6f6cu);
    for (uint64_t at = 0; at < size && !dg__run_is_stopped (run); at += FILL_PIECE_BYTES)
        dg__random_fill (&random, memory + at,
                         size - at < FILL_PIECE_BYTES ? size - at : FILL_PIECE_BYTES);
    return DG_OK;
}
