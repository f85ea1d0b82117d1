/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it the drive that answers, or memory? (DESIGN section 4.8) */
#include "engine/linux/test-file-private.h"
#include "engine/data.h"
#include "engine/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROBE_CHUNK_BYTES (UINT64_C (1) << 20)
#define PROBE_ATTEMPTS    3u
#define LEAST_PAGES       16u /* touched fewer: a single page of readahead would decide */
#define MINCORE_BYTES     (UINT64_C (1) << 30) /* mapped at once */
#define MINCORE_MOST      (UINT64_C (256) << 30) /* beyond it the walk would take longer than a pass */

/* include/uapi/linux/mman.h since 6.5; the C library need not know it. */
#define SYS_CACHESTAT 451
typedef struct {
    uint64_t offset, length;
} CachestatRange;
typedef struct {
    uint64_t cached, dirty, writeback, evicted, recently_evicted; /* pages */
} Cachestat;

uint64_t
dg__test_file_resident_by_cachestat (int fd, uint64_t page_bytes)
{
    CachestatRange whole = { 0, 0 };
    Cachestat found;
    return syscall (SYS_CACHESTAT, fd, &whole, &found, 0) == 0 ? found.cached * page_bytes
                                                               : DG_UNKNOWN_U64;
}

static bool
count_mapped (int fd, uint64_t offset_bytes, uint64_t length_bytes, uint64_t page_bytes,
              unsigned char *flags, uint64_t *ret_pages)
{
    void *at = mmap (NULL, length_bytes, PROT_READ, MAP_SHARED, fd, (off_t) offset_bytes);
    if (at == MAP_FAILED)
        return false;
    bool ok = mincore (at, length_bytes, flags) == 0;
    for (uint64_t i = 0; ok && i < (length_bytes + page_bytes - 1) / page_bytes; i++)
        *ret_pages += flags[i] & 1;
    munmap (at, length_bytes);
    return ok;
}

uint64_t
dg__test_file_resident_by_mincore (int fd, uint64_t size_bytes, uint64_t page_bytes)
{
    if (size_bytes > MINCORE_MOST)
        return DG_UNKNOWN_U64;
    uint64_t most = size_bytes < MINCORE_BYTES ? size_bytes : MINCORE_BYTES;
    unsigned char *flags = malloc (most / page_bytes + 1);
    if (flags == NULL)
        return DG_UNKNOWN_U64;
    uint64_t pages = 0;
    bool ok = true;
    for (uint64_t at = 0; ok && at < size_bytes; at += MINCORE_BYTES) {
        uint64_t left = size_bytes - at;
        ok = count_mapped (fd, at, left < MINCORE_BYTES ? left : MINCORE_BYTES, page_bytes, flags,
                           &pages);
    }
    free (flags);
    return ok ? pages * page_bytes : DG_UNKNOWN_U64;
}

uint64_t
dg__test_file_resident_bytes (int fd, uint64_t size_bytes, uint64_t page_bytes)
{
    uint64_t bytes = dg__test_file_resident_by_cachestat (fd, page_bytes);
    return bytes != DG_UNKNOWN_U64 ? bytes
                                   : dg__test_file_resident_by_mincore (fd, size_bytes, page_bytes);
}

void
dg__test_file_cache_state (DgTestFile *file, DgCacheState *ret_state)
{
    DgDriveCounters counters;
    dg__counters_read (file->mounted, &counters);
    ret_state->device_read_bytes = counters.read_bytes;
    ret_state->device_written_bytes = counters.written_bytes;
    ret_state->resident_bytes =
        dg__test_file_resident_bytes (file->fd, file->full_bytes, file->page_bytes);
}

void
dg__test_file_drop_cache (DgTestFile *file)
{
    fdatasync (file->fd);
    posix_fadvise (file->fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* ---- the write probe ---- */

/* Pages that have ever been made dirty, of the whole system; the kernel folds its per-CPU counts in
 * with a delay of some hundred pages. */
static uint64_t
pages_dirtied (void)
{
    FILE *file = fopen ("/proc/vmstat", "re");
    if (file == NULL)
        return DG_UNKNOWN_U64;
    char line[128];
    unsigned long long value = DG_UNKNOWN_U64;
    while (fgets (line, sizeof line, file) != NULL)
        if (sscanf (line, "nr_dirtied %llu", &value) == 1)
            break;
    fclose (file);
    return value;
}

typedef struct {
    unsigned char *pool; /* DG_PROBE_BYTES or more of data */
    DgData data;
    uint64_t sequence;
    DgPrepareProgress *progress; /* (nullable) */
} Probe;

static int
write_probe (DgTestFile *file, const Probe *probe, DgErrorDetail *ret_detail)
{
    uint64_t chunk = file->full_bytes < PROBE_CHUNK_BYTES ? file->full_bytes : PROBE_CHUNK_BYTES;
    uint64_t offset = 0;
    for (uint64_t done = 0; done + chunk <= DG_PROBE_BYTES; done += chunk) {
        if (probe->progress != NULL
            && atomic_load_explicit (&probe->progress->stop, memory_order_relaxed))
            return DG_ERROR_STOPPED;
        if (offset + chunk > file->full_bytes)
            offset = 0;
        unsigned char *bytes = probe->pool + done;
        if (probe->data == DG_DATA_RANDOM)
            dg__stamp_sectors (bytes, chunk, 0, offset, probe->sequence + done);
        ssize_t n;
        do
            n = pwrite (file->direct_fd, bytes, chunk, (off_t) offset);
        while (n < 0 && errno == EINTR);
        if (n < 0)
            return dg__test_file_fail (ret_detail, "write", offset, chunk, errno);
        file->result.probe_bytes += (uint64_t) n;
        offset += chunk;
    }
    return DG_OK;
}

int
dg__test_file_probe_writes (DgTestFile *file, DgData data, unsigned char *pool,
                            DgPrepareProgress *progress, DgErrorDetail *ret_detail)
{
    file->write_probe = DG_PROBE_UNKNOWN;
    for (unsigned i = 0; i < PROBE_ATTEMPTS; i++) {
        Probe probe = { pool, data, UINT64_MAX / 2 + i * DG_PROBE_BYTES, progress };
        uint64_t before = pages_dirtied ();
        if (before == DG_UNKNOWN_U64)
            break;
        int error = write_probe (file, &probe, ret_detail);
        if (error != DG_OK)
            return error;
        uint64_t after = pages_dirtied ();
        if (after == DG_UNKNOWN_U64)
            break;
        /* Others dirty pages too: the smallest growth counts, so one attempt below the limit
         * settles it. */
        file->write_probe = after - before >= DG_PROBE_BYTES / file->page_bytes / 2
                                ? DG_PROBE_DIRTIED
                                : DG_PROBE_CLEAN;
        if (file->write_probe == DG_PROBE_CLEAN)
            break;
    }
    return DG_OK;
}

/* ---- the verdict ---- */

static DgReason
reason_unknowable (const DgTestFile *file)
{
    switch (file->kind) {
    case DG_FS_NETWORK:
        return DG_REASON_NETWORK;
    case DG_FS_FUSE:
        return DG_REASON_FUSE;
    case DG_FS_OVERLAY:
        return DG_REASON_OVERLAY;
    case DG_FS_9P:
        return DG_REASON_9P;
    case DG_FS_ZFS:
        return DG_REASON_ZFS;
    case DG_FS_DISK:
    case DG_FS_MEMORY:
    case DG_FS_PSEUDO:
        break;
    }
    return file->has_caching_loop ? DG_REASON_LOOP_CACHES : NULL;
}

static bool
saw_less (uint64_t before, uint64_t after, uint64_t ours)
{
    return before != DG_UNKNOWN_U64 && after != DG_UNKNOWN_U64
           && (after - before) < ours - ours / 20;
}

static DgReason
reason_refuted (const DgTestFile *file, const DgCacheState *before, const DgCacheState *after,
                uint64_t bytes_read, uint64_t bytes_written, uint64_t touched_bytes)
{
    if (file->kind == DG_FS_MEMORY)
        return DG_REASON_MEMORY;
    if (!file->result.is_direct && file->is_ours)
        return DG_REASON_REFUSED_O_DIRECT;
    if (before->resident_bytes != DG_UNKNOWN_U64 && after->resident_bytes != DG_UNKNOWN_U64
        && after->resident_bytes > before->resident_bytes
        && after->resident_bytes - before->resident_bytes > touched_bytes / 100)
        return DG_REASON_CACHE_GREW;
    if (bytes_written > 0 && file->write_probe == DG_PROBE_DIRTIED)
        return DG_REASON_DIRTIED;
    /* Elsewhere the devices below are not what our bytes must pass on their way. */
    if (file->kind == DG_FS_DISK
        && (saw_less (before->device_read_bytes, after->device_read_bytes, bytes_read)
            || saw_less (before->device_written_bytes, after->device_written_bytes, bytes_written)))
        return DG_REASON_DEVICE_SAW_LESS;
    return NULL;
}

DgDirectness
dg__test_file_judge (DgTestFile *file, const DgCacheState *before, const DgCacheState *after,
                     uint64_t bytes_read, uint64_t bytes_written, uint64_t touched_bytes,
                     DgReason *ret_reason)
{
    DgReason reason =
        reason_refuted (file, before, after, bytes_read, bytes_written, touched_bytes);
    if (reason != NULL) {
        *ret_reason = reason;
        return DG_DIRECT_REFUTED;
    }
    reason = reason_unknowable (file);
    bool has_residency =
        before->resident_bytes != DG_UNKNOWN_U64 && after->resident_bytes != DG_UNKNOWN_U64;
    bool has_counters =
        before->device_read_bytes != DG_UNKNOWN_U64 && after->device_read_bytes != DG_UNKNOWN_U64;
    /* Without a block device below, nothing tells what a file system on top of another does with
     * the data. */
    if (reason == NULL && !has_counters && !(has_residency && file->is_block_backed))
        reason = DG_REASON_NO_MEANS;
    if (reason == NULL
        && (touched_bytes < LEAST_PAGES * file->page_bytes || bytes_read + bytes_written == 0))
        reason = DG_REASON_TOO_FEW;
    *ret_reason = reason;
    return reason != NULL ? DG_DIRECT_UNKNOWN : DG_DIRECT_PROVED;
}

void
dg__test_file_drive_counters (DgTestFile *file, DgDriveCounters *ret_counters)
{
    dg__counters_read (file->drives, ret_counters);
}
