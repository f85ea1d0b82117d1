/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filling the test file, so that each of its blocks is really on the drive and differs from all
 * others (DESIGN section 4.5, 4.6). */
#include "engine/windows/test-file-private.h"
#include "engine/clock.h"
#include "engine/data.h"

#include <string.h>

#define LEAST_CHUNK_BYTES (UINT64_C (128) << 10)
#define MOST_CHUNK_BYTES  (UINT64_C (8) << 20)
#define CHUNK_TIME_NS     60000000u /* so that a stop is heard in time */
#define POOL_BYTES        (UINT64_C (64) << 20)

typedef struct {
    DgTestFile *file;
    DgData data;
    uint64_t sequence; /* differs between the first writing and the second */
    DgPrepareProgress *progress;
    unsigned char *pool;
    uint64_t pool_bytes;
} Filling;

static int
write_chunk (const Filling *f, const unsigned char *bytes, uint64_t offset, uint64_t length,
             DgErrorDetail *ret_detail)
{
    for (uint64_t done = 0; done < length;) {
        uint64_t at = offset + done;
        OVERLAPPED where = { .Offset = (DWORD) at, .OffsetHigh = (DWORD) (at >> 32) };
        DWORD n = 0;
        if (!WriteFile (f->file->file, bytes + done, (DWORD) (length - done), &n, &where)
            || n == 0) {
            DWORD os_code = GetLastError ();
            return dg__test_file_fail (ret_detail, "write", at, length - done, os_code);
        }
        done += n;
    }
    return DG_OK;
}

static uint64_t
next_chunk (const DgTestFile *file, uint64_t chunk, uint64_t elapsed_ns)
{
    uint64_t least = file->result.alignment_bytes > LEAST_CHUNK_BYTES ? file->result.alignment_bytes
                                                                      : LEAST_CHUNK_BYTES;
    if (elapsed_ns < CHUNK_TIME_NS / 2 && chunk * 2 <= MOST_CHUNK_BYTES)
        return chunk * 2;
    return elapsed_ns > CHUNK_TIME_NS && chunk / 2 >= least ? chunk / 2 : chunk;
}

/* From the start to the end, one after the other: the valid data length grows with each, and what
 * is written ahead of it the system would have to fill with zeros first. */
static int
fill (const Filling *f, DgErrorDetail *ret_detail)
{
    DgTestFile *file = f->file;
    uint64_t chunk = file->result.alignment_bytes > LEAST_CHUNK_BYTES ? file->result.alignment_bytes
                                                                      : LEAST_CHUNK_BYTES;
    uint64_t at_pool = 0;
    for (uint64_t offset = 0, length; offset < file->full_bytes; offset += length) {
        if (f->progress != NULL && atomic_load_explicit (&f->progress->stop, memory_order_relaxed))
            return DG_ERROR_STOPPED;
        length = file->full_bytes - offset < chunk ? file->full_bytes - offset : chunk;
        if (at_pool + length > f->pool_bytes)
            at_pool = 0;
        unsigned char *bytes = f->pool + at_pool;
        at_pool += length;
        if (f->data == DG_DATA_RANDOM)
            dg__stamp_sectors (bytes, length, 0, offset, f->sequence);
        uint64_t start_ns = dg__clock_ns ();
        int error = write_chunk (f, bytes, offset, length, ret_detail);
        if (error != DG_OK)
            return error;
        chunk = next_chunk (file, chunk, dg__clock_ns () - start_ns);
        file->result.prepare_bytes += length;
        if (f->progress != NULL)
            atomic_fetch_add_explicit (&f->progress->prepared_bytes, length, memory_order_relaxed);
    }
    return DG_OK;
}

/* Twice at most: when the first writing has left holes. */
static int
fill_and_check (Filling *f, DgErrorDetail *ret_detail)
{
    DgTestFile *file = f->file;
    int error = DG_OK;
    for (f->sequence = 0; error == DG_OK && f->sequence < 2; f->sequence++) {
        uint64_t start_ns = dg__clock_ns ();
        file->result.probe_bytes += file->result.prepare_bytes;
        file->result.prepare_bytes = 0;
        if (f->progress != NULL)
            atomic_store (&f->progress->prepared_bytes, 0);
        error = fill (f, ret_detail);
        if (error == DG_OK)
            error = dg__test_file_flush (file, ret_detail);
        file->result.prepare_ns = dg__clock_ns () - start_ns;
        if (error == DG_OK && dg__test_file_check_map (file))
            break;
    }
    return error;
}

int
dg__test_file_prepare (DgTestFile *file, DgData data, uint64_t seed, DgPrepareProgress *progress,
                       DgErrorDetail *ret_detail)
{
    if (!file->is_ours)
        return DG_OK;
    Filling f = { .file = file, .data = data, .progress = progress };
    f.pool_bytes = file->full_bytes < POOL_BYTES ? file->full_bytes : POOL_BYTES;
    if (f.pool_bytes < MOST_CHUNK_BYTES)
        f.pool_bytes = MOST_CHUNK_BYTES;
    uint64_t allocated;
    f.pool = dg__memory_new (f.pool_bytes, &allocated);
    if (f.pool == NULL)
        return DG_ERROR_NO_MEMORY;
    DgRandom random;
    dg__random_seed (&random, seed, 0);
    if (data == DG_DATA_RANDOM)
        dg__random_fill (&random, f.pool, f.pool_bytes);
    int error = fill_and_check (&f, ret_detail);
    dg__memory_free (f.pool, allocated);
    return error;
}
