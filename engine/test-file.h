/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: our own file on the target (DESIGN section 5). One implementation a platform. */
#pragma once

#include "engine/error.h"
#include "engine/plan.h"
#include "engine/result.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct DgTestFile DgTestFile;

/* What a preparation tells while it goes on, read by the coordinator. */
typedef struct {
    _Atomic uint64_t prepared_bytes;
    _Atomic bool stop;           /* set by the coordinator */
} DgPrepareProgress;

/* Deletes files `drivegauge-test-*.tmp` in `folder` whose lock is free. Returns how many, 0 on any error. */
uint64_t dg__test_file_remove_leftovers (const char *folder);

/* Makes the file in target->folder: type and space checked, no follow, no name where that is safe, locked with a name where not, no-cow before the
 * first byte, allocated. Nothing is written yet. Codes: _NOT_FOUND, _NOT_DIRECTORY, _NOT_PERMITTED, _READ_ONLY, _NO_SPACE, _FILE_TOO_LARGE, _NOT_A_DISK,
 * _GONE, _IO, _SYSTEM. For a target with a handle: wraps it. */
int dg__test_file_create (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file, DgErrorDetail *ret_detail);

/* Writes it in full with unique random sectors (see engine/data.h; DG_DATA_ZERO: zeros), flushes, checks with FIEMAP, drops the pages, fills in
 * the DgFileResult. DG_ERROR_STOPPED when progress->stop was set, DG_ERROR_NO_MEMORY, or the error of a write, read or flush. */
int dg__test_file_prepare (DgTestFile *file, DgData data, uint64_t seed, DgPrepareProgress *progress, DgErrorDetail *ret_detail);

/* (owned by file) */
const DgFileResult *dg__test_file_result (const DgTestFile *file);

/* The descriptor for direct I/O (or the buffered one where direct was refused). */
intptr_t dg__test_file_handle (const DgTestFile *file);
const char *dg__test_file_path (const DgTestFile *file); /* (nullable): it has no name */

/* fdatasync / FlushFileBuffers. Takes as long as it takes. */
int dg__test_file_flush (DgTestFile *file, DgErrorDetail *ret_detail);

/* fdatasync and drop what the page cache holds of it. */
void dg__test_file_drop_cache (DgTestFile *file);

/* Does the file system do NOWAIT, for a read and for a write of the block? 1, 0 (EOPNOTSUPP), -1 not known. *ret_read_ns: how long the block's read took,
 * since a drive that was asleep wakes up here and not in the first pass; 0 if none was read. */
int dg__test_file_nowait (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns);

/* Deletes the file. NULL-safe. While a file with a visible name is open, dg_test_files_remove_all () (engine/cleanup.h) can unlink it. */
void dg__test_file_close (DgTestFile *file);

/* The drive does not answer: from now on dg_test_files_remove_all () lets the file's name be, since removing it would not come back either. It is deleted
 * as usual if the file is closed one day. */
void dg__test_file_leave (DgTestFile *file);

/* ---- directness (DESIGN section 4.8): taken before and after each pass ---- */
typedef struct {
    uint64_t resident_bytes;     /* DG_UNKNOWN_U64 if it cannot be had */
    uint64_t device_read_bytes, device_written_bytes; /* counters of the block devices below the file system; DG_UNKNOWN_U64 */
} DgCacheState;

void dg__test_file_cache_state (DgTestFile *file, DgCacheState *ret_state);

/* Judges a pass that read/wrote that many bytes of which `touched_bytes` are distinct. Uses the write probe made while preparing. */
DgDirectness dg__test_file_judge (DgTestFile *file, const DgCacheState *before, const DgCacheState *after, uint64_t bytes_read, uint64_t bytes_written,
                                  uint64_t touched_bytes, DgReason *ret_reason);

/* ---- the whole drive's counters, sampled by the coordinator ---- */
typedef struct {
    uint64_t read_bytes, written_bytes; /* of the whole drive(s); DG_UNKNOWN_U64 */
    uint64_t queue_time_ns;      /* weighted time in queue */
    uint64_t inflight;           /* now */
    bool is_one_to_one;          /* what we move through the file system is what they count: one drive, no mirror, no parity, no copies */
} DgDriveCounters;

void dg__test_file_drive_counters (DgTestFile *file, DgDriveCounters *ret_counters);
