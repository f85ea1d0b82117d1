/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/null/null.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/clock.h"
#include "engine/reason.h"

#define PREPARE_PIECES 16u

typedef struct {
    const DgNullScript *script;
    uint32_t index;
    DgFileResult result;
    _Atomic uint32_t passes;
    _Atomic uint64_t read_bytes, written_bytes;
    uint64_t foreign_bytes;
} NullFile;

static const DgNullScript plain_script = { .real_time = true };

/* Behind the opaque pointer of engine/test-file.h stands a NullFile for these functions. */
static NullFile *
null_file (const DgTestFile *file)
{
    return (NullFile *) (uintptr_t) file;
}

static int
fail (const char *operation, int os_code, DgErrorDetail *ret_detail)
{
    ret_detail->operation = operation;
    ret_detail->os_code = os_code;
    return dg_error_from_os (os_code);
}

int
dg__null_file_create (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file,
                      DgErrorDetail *ret_detail)
{
    NullFile *file = calloc (1, sizeof *file);
    if (file == NULL)
        return DG_ERROR_NO_MEMORY;
    file->script = plan->null_script != NULL ? plan->null_script : &plain_script;
    file->index = (uint32_t) (target - plan->targets);
    uint64_t block =
        file->script->logical_block_bytes == 0 ? 512 : file->script->logical_block_bytes;
    file->result =
        (DgFileResult){ .size_bytes = target->file_bytes,
                        .extents = DG_UNKNOWN_U64,
                        .is_direct = !file->script->refuses_direct,
                        .direct_reason =
                            file->script->refuses_direct ? DG_REASON_REFUSED_O_DIRECT : NULL,
                        .alignment_bytes = 4096,
                        .logical_block_bytes = block,
                        .physical_block_bytes = block };
    *ret_file = (DgTestFile *) file;
    return DG_OK;
}

int
dg__null_file_prepare (DgTestFile *opaque, DgData data, uint64_t seed, DgPrepareProgress *progress,
                       DgErrorDetail *ret_detail)
{
    NullFile *file = null_file (opaque);
    const DgNullScript *script = file->script;
    uint64_t start = dg__clock_ns (),
             n = script->prepares_twice ? 2 * PREPARE_PIECES : PREPARE_PIECES;
    for (uint64_t i = 1; script->prepare_ns > 0 && i <= n; i++) {
        if (atomic_load (&progress->stop) && !script->prepare_ignores_stop)
            return DG_ERROR_STOPPED;
        dg__sleep_until_ns (start + script->prepare_ns / n * i);
        uint64_t piece = (i - 1) % PREPARE_PIECES + 1;
        atomic_store (&progress->prepared_bytes, file->result.size_bytes / PREPARE_PIECES * piece);
    }
    if (script->prepare_os_code != 0)
        return fail ("write", script->prepare_os_code, ret_detail);
    file->result.prepare_ns = dg__clock_ns () - start;
    file->result.prepare_bytes = file->result.size_bytes;
    atomic_store (&progress->prepared_bytes, file->result.size_bytes);
    return DG_OK;
}

const DgFileResult *
dg__null_file_result (const DgTestFile *file)
{
    return &null_file (file)->result;
}

intptr_t
dg__null_file_handle (const DgTestFile *file)
{
    return (intptr_t) file;
}

const char *
dg__null_file_path (const DgTestFile *file)
{
    return NULL;
}

int
dg__null_file_flush (DgTestFile *opaque, DgErrorDetail *ret_detail)
{
    const DgNullScript *script = null_file (opaque)->script;
    if (script->flush_ns > 0)
        dg__sleep_until_ns (dg__clock_ns () + script->flush_ns);
    return script->flush_os_code != 0 ? fail ("fdatasync", script->flush_os_code, ret_detail)
                                      : DG_OK;
}

void
dg__null_file_drop_cache (DgTestFile *file)
{
    atomic_fetch_add (&null_file (file)->passes, 1);
}

int
dg__null_file_nowait (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns)
{
    *ret_read_ns = 0;
    return 1;
}

void
dg__null_file_close (DgTestFile *opaque)
{
    NullFile *file = null_file (opaque);
    if (file == NULL)
        return;
    if (file->script->close_ns > 0)
        dg__sleep_until_ns (dg__clock_ns () + file->script->close_ns);
    if (file->script->closed != NULL)
        file->script->closed (file->script);
    free (file);
}

void
dg__null_file_leave (DgTestFile *file)
{
}

void
dg__null_file_cache_state (DgTestFile *file, DgCacheState *ret_state)
{
    ret_state->resident_bytes = DG_UNKNOWN_U64;
    ret_state->device_read_bytes = DG_UNKNOWN_U64;
    ret_state->device_written_bytes = DG_UNKNOWN_U64;
}

DgDirectness
dg__null_file_judge (DgTestFile *file, const DgCacheState *before, const DgCacheState *after,
                     uint64_t bytes_read, uint64_t bytes_written, uint64_t touched_bytes,
                     DgReason *ret_reason)
{
    DgDirectness direct = null_file (file)->script->direct;
    if (direct == DG_DIRECT_UNKNOWN)
        *ret_reason = DG_REASON_NO_MEANS;
    else if (direct == DG_DIRECT_REFUTED)
        *ret_reason = DG_REASON_CACHE_GREW;
    return direct;
}

void
dg__null_file_drive_counters (DgTestFile *opaque, DgDriveCounters *ret_counters)
{
    NullFile *file = null_file (opaque);
    file->foreign_bytes += file->script->foreign_bytes;
    ret_counters->read_bytes = atomic_load (&file->read_bytes) + file->foreign_bytes;
    ret_counters->written_bytes = atomic_load (&file->written_bytes);
    ret_counters->queue_time_ns = DG_UNKNOWN_U64;
    ret_counters->inflight = DG_UNKNOWN_U64;
    ret_counters->is_one_to_one = !file->script->is_mirror;
}

uint32_t
dg__null_file_index (intptr_t handle)
{
    return null_file ((const DgTestFile *) handle)->index;
}

uint32_t
dg__null_file_pass (intptr_t handle)
{
    return atomic_load (&null_file ((const DgTestFile *) handle)->passes) - 1;
}

void
dg__null_file_count (intptr_t handle, uint64_t bytes, bool is_write)
{
    NullFile *file = null_file ((const DgTestFile *) handle);
    atomic_fetch_add_explicit (is_write ? &file->written_bytes : &file->read_bytes, bytes,
                               memory_order_relaxed);
}
