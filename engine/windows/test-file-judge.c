/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it the drive that answers, or memory? Windows shows nobody what its cache holds of a file:
 * only the counters of volume and drive can prove or refute it (DESIGN section 4.8). */
#include "engine/windows/test-file-private.h"
#include "engine/reason.h"

#define LEAST_BYTES (UINT64_C (64) << 10) /* touched less: somebody else's I/O would decide */

void
dg__test_file_cache_state (DgTestFile *file, DgCacheState *ret_state)
{
    DgDriveCounters counters;
    dg__volume_counters_read (file->counters, &counters);
    if (counters.read_bytes == DG_UNKNOWN_U64)
        dg__volume_counters_read_drives (file->counters, &counters);
    ret_state->resident_bytes = DG_UNKNOWN_U64;
    ret_state->device_read_bytes = counters.read_bytes;
    ret_state->device_written_bytes = counters.written_bytes;
}

static bool
saw_less (uint64_t before, uint64_t after, uint64_t ours)
{
    return after - before < ours - ours / 20;
}

DgDirectness
dg__test_file_judge (DgTestFile *file, const DgCacheState *before, const DgCacheState *after,
                     uint64_t bytes_read, uint64_t bytes_written, uint64_t touched_bytes,
                     DgReason *ret_reason)
{
    bool has_counters =
        before->device_read_bytes != DG_UNKNOWN_U64 && after->device_read_bytes != DG_UNKNOWN_U64;
    *ret_reason = NULL;
    if (file->volume.kind == DG_FS_MEMORY)
        *ret_reason = DG_REASON_MEMORY;
    else if (!file->result.is_direct)
        *ret_reason = DG_REASON_REFUSED_O_DIRECT;
    else if (has_counters && file->volume.kind == DG_FS_DISK
             && (saw_less (before->device_read_bytes, after->device_read_bytes, bytes_read)
                 || saw_less (before->device_written_bytes, after->device_written_bytes,
                              bytes_written)))
        *ret_reason = DG_REASON_DEVICE_SAW_LESS;
    if (*ret_reason != NULL)
        return DG_DIRECT_REFUTED;
    if (file->volume.kind == DG_FS_NETWORK)
        *ret_reason = DG_REASON_NETWORK;
    else if (!has_counters)
        *ret_reason = DG_REASON_NO_MEANS;
    else if (touched_bytes < LEAST_BYTES)
        *ret_reason = DG_REASON_TOO_FEW;
    return *ret_reason != NULL ? DG_DIRECT_UNKNOWN : DG_DIRECT_PROVED;
}

void
dg__test_file_drive_counters (DgTestFile *file, DgDriveCounters *ret_counters)
{
    dg__volume_counters_read_drives (file->counters, ret_counters);
}
