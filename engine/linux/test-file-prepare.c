/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filling the test file, so that each of its blocks is really on the drive and differs from all
 * others (DESIGN section 4.5, 4.6). */
#include "engine/linux/test-file-private.h"
#include "engine/clock.h"
#include "engine/data.h"
#include "engine/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WRITERS           4u /* keeps a drive busy; more would only wait */
#define LEAST_CHUNK_BYTES (UINT64_C (128) << 10)
#define MOST_CHUNK_BYTES  (UINT64_C (2) << 20)
#define CHUNK_TIME_NS                                                                              \
    60000000u /* so that WRITERS chunks in flight are done well within the second that a stop may  \
                 take */
#define FLUSH_TIME_NS 200000000u
#define POOL_BYTES    (UINT64_C (64) << 20) /* of all writers */
#define N_EXTENTS     256u

typedef struct {
    DgTestFile *file;
    DgData data;
    uint64_t sequence;           /* differs between the first writing and the second */
    DgPrepareProgress *progress; /* (nullable) */
    _Atomic uint64_t next_bytes; /* where the next chunk starts */
    _Atomic uint64_t chunk_bytes;
    _Atomic bool is_broken; /* some writer has failed: the others end */
    pthread_mutex_t lock;   /* guards what follows */
    int error;
    DgErrorDetail detail;
    uint64_t written_bytes;
    uint64_t flush_bytes, unflushed_bytes; /* see flush_at_times (); 0 = not needed */
} Filling;

typedef struct {
    Filling *filling;
    unsigned char *pool; /* this writer's part */
    uint64_t pool_bytes;
    uint64_t at_bytes; /* where in it the next chunk comes from */
    pthread_t thread;
} Writer;

static bool
asked_to_stop (const Filling *f)
{
    return f->progress != NULL && atomic_load_explicit (&f->progress->stop, memory_order_relaxed);
}

static void
keep_error (Filling *f, int error, const DgErrorDetail *detail)
{
    pthread_mutex_lock (&f->lock);
    if (f->error == DG_OK) {
        f->error = error;
        f->detail = *detail;
    }
    pthread_mutex_unlock (&f->lock);
    atomic_store (&f->is_broken, true);
}

/* A file system may take O_DIRECT at open and refuse it at the transfer. Only the first chunk may
 * find that out: it is written before the other writers start. */
static bool
give_up_direct (Filling *f, uint64_t offset, int os_code)
{
    if (offset != 0 || !f->file->result.is_direct || (os_code != EINVAL && os_code != EOPNOTSUPP))
        return false;
    dg__test_file_set_buffered (f->file);
    return true;
}

static bool
write_chunk (Filling *f, const unsigned char *bytes, uint64_t offset, uint64_t length)
{
    DgErrorDetail detail;
    for (uint64_t done = 0; done < length;) {
        ssize_t n =
            pwrite (f->file->direct_fd, bytes + done, length - done, (off_t) (offset + done));
        if (n > 0) {
            done += (uint64_t) n;
            continue;
        }
        int os_code = n == 0 ? EIO : errno;
        if (os_code == EINTR || give_up_direct (f, offset + done, os_code))
            continue;
        int error = dg__test_file_fail (&detail, "write", offset + done, length - done, os_code);
        keep_error (f, error, &detail);
        return false;
    }
    /* Buffered: wait for the drive here, else the page cache takes it all at once, and neither the
     * progress nor a stop means anything. */
    if (!f->file->result.is_direct) {
        sync_file_range (f->file->direct_fd, (off_t) offset, (off_t) length,
                         SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE
                             | SYNC_FILE_RANGE_WAIT_AFTER);
        posix_fadvise (f->file->direct_fd, (off_t) offset, (off_t) length, POSIX_FADV_DONTNEED);
    }
    return true;
}

/* A size near which the work of `bytes` in `elapsed_ns` would have taken `wanted_ns`; it grows by
 * steps, since a drive's own cache makes it fast for a moment. */
static uint64_t
adapted (uint64_t bytes, uint64_t elapsed_ns, uint64_t wanted_ns, uint64_t least, uint64_t most)
{
    double fits =
        elapsed_ns == 0 ? (double) most : (double) bytes * (double) wanted_ns / (double) elapsed_ns;
    uint64_t size = least;
    while (size < most && size < bytes * 2 && (double) size * 2 <= fits)
        size *= 2;
    return size;
}

static uint64_t
least_chunk (const DgTestFile *file)
{
    uint64_t alignment = file->result.alignment_bytes;
    return alignment > LEAST_CHUNK_BYTES ? alignment : LEAST_CHUNK_BYTES;
}

/* FUSE and network file systems take "direct" writes into a cache below, which the flush at the end
 * would have to empty in one go, deaf to a stop and with nothing to show: flush as it goes. One
 * writer only. */
static bool
flush_at_times (Filling *f, uint64_t length)
{
    f->unflushed_bytes += length;
    if (f->unflushed_bytes < f->flush_bytes)
        return true;
    DgErrorDetail detail;
    uint64_t start_ns = dg__clock_ns ();
    int error = dg__test_file_flush (f->file, &detail);
    if (error != DG_OK) {
        keep_error (f, error, &detail);
        return false;
    }
    f->flush_bytes = adapted (f->unflushed_bytes, dg__clock_ns () - start_ns, FLUSH_TIME_NS,
                              MOST_CHUNK_BYTES, UINT64_MAX / 4);
    f->unflushed_bytes = 0;
    return true;
}

/* False when there is nothing left to do. */
static bool
fill_next (Writer *w)
{
    Filling *f = w->filling;
    if (asked_to_stop (f) || atomic_load_explicit (&f->is_broken, memory_order_relaxed))
        return false;
    uint64_t chunk = atomic_load_explicit (&f->chunk_bytes, memory_order_relaxed);
    uint64_t offset = atomic_fetch_add (&f->next_bytes, chunk), whole = f->file->full_bytes;
    if (offset >= whole)
        return false;
    uint64_t length = whole - offset < chunk ? whole - offset : chunk;
    if (w->at_bytes + length > w->pool_bytes)
        w->at_bytes = 0;
    unsigned char *bytes = w->pool + w->at_bytes;
    w->at_bytes += chunk;
    if (f->data == DG_DATA_RANDOM)
        dg__stamp_sectors (bytes, length, 0, offset, f->sequence);
    uint64_t start_ns = dg__clock_ns ();
    if (!write_chunk (f, bytes, offset, length))
        return false;
    chunk = adapted (length, dg__clock_ns () - start_ns, CHUNK_TIME_NS, least_chunk (f->file),
                     MOST_CHUNK_BYTES);
    atomic_store_explicit (&f->chunk_bytes, chunk, memory_order_relaxed);
    if (f->flush_bytes != 0 && !flush_at_times (f, length))
        return false;
    pthread_mutex_lock (&f->lock);
    f->written_bytes += length;
    pthread_mutex_unlock (&f->lock);
    if (f->progress != NULL)
        atomic_fetch_add_explicit (&f->progress->prepared_bytes, length, memory_order_relaxed);
    return true;
}

static void *
writer_main (void *data)
{
    while (fill_next (data))
        ;
    return NULL;
}

/* Helpers take no signals: those belong to the program's own threads. */
static unsigned
start_helpers (Writer *writers, unsigned n)
{
    sigset_t all, old;
    unsigned started = 1;
    sigfillset (&all);
    pthread_sigmask (SIG_SETMASK, &all, &old);
    while (started < n
           && pthread_create (&writers[started].thread, NULL, writer_main, &writers[started]) == 0)
        started++;
    pthread_sigmask (SIG_SETMASK, &old, NULL);
    return started;
}

/* Writes the whole file once. */
static int
fill (DgTestFile *file, DgData data, uint64_t sequence, unsigned char *pool, uint64_t pool_bytes,
      DgPrepareProgress *progress, DgErrorDetail *ret_detail)
{
    unsigned n =
        file->is_allocated ? WRITERS : 1; /* what is not allocated yet must grow from its start */
    Filling f = { .file = file,
                  .data = data,
                  .sequence = sequence,
                  .progress = progress,
                  .lock = PTHREAD_MUTEX_INITIALIZER };
    Writer writers[WRITERS];
    for (unsigned i = 0; i < n; i++)
        writers[i] = (Writer){ .filling = &f,
                               .pool = pool + i * (pool_bytes / n),
                               .pool_bytes = pool_bytes / n };
    atomic_init (&f.chunk_bytes, least_chunk (file));
    if (file->kind != DG_FS_DISK && file->kind != DG_FS_MEMORY && n == 1)
        f.flush_bytes = MOST_CHUNK_BYTES;
    if (fill_next (&writers[0])) {
        unsigned started = start_helpers (writers, n);
        writer_main (&writers[0]);
        for (unsigned i = 1; i < started; i++)
            pthread_join (writers[i].thread, NULL);
    }
    pthread_mutex_destroy (&f.lock);
    file->result.prepare_bytes += f.written_bytes;
    if (f.error != DG_OK) {
        if (ret_detail != NULL)
            *ret_detail = f.detail;
        return f.error;
    }
    return asked_to_stop (&f) ? DG_ERROR_STOPPED : DG_OK;
}

/* ---- what FIEMAP says ---- */

typedef struct {
    uint64_t extents;       /* physically contiguous neighbours count once */
    uint64_t written_bytes; /* in extents that hold data on the drive */
    bool has_inline, is_encoded, is_compressed;
} Map;

typedef struct {
    uint64_t logical_end, physical_end;
} MapPosition;

static void
add_extent (Map *map, MapPosition *position, const struct fiemap_extent *e, uint64_t file_bytes)
{
    const uint32_t not_there = FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC
                               | FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL;
    if (e->fe_logical != position->logical_end || e->fe_physical != position->physical_end
        || map->extents == 0)
        map->extents++;
    position->logical_end = e->fe_logical + e->fe_length;
    position->physical_end = e->fe_physical + e->fe_length;
    if (e->fe_logical < file_bytes && (e->fe_flags & not_there) == 0) {
        uint64_t left = file_bytes - e->fe_logical;
        map->written_bytes += e->fe_length < left ? e->fe_length : left;
    }
    map->has_inline |= (e->fe_flags & FIEMAP_EXTENT_DATA_INLINE) != 0;
    map->is_encoded |= (e->fe_flags & FIEMAP_EXTENT_ENCODED) != 0;
    map->is_compressed |= (e->fe_flags & FIEMAP_EXTENT_ENCODED) != 0
                          && (e->fe_flags & FIEMAP_EXTENT_DATA_ENCRYPTED) == 0;
}

/* False where the file system cannot tell. (linux/fiemap.h, Documentation/filesystems/fiemap.rst)
 */
static bool
read_map (int fd, uint64_t file_bytes, Map *ret_map)
{
    union {
        struct fiemap head;
        unsigned char room[sizeof (struct fiemap) + N_EXTENTS * sizeof (struct fiemap_extent)];
    } ask;
    Map map = { 0 };
    MapPosition position = { 0 };
    uint64_t start = 0;
    for (bool is_last = false; !is_last && start < file_bytes;) {
        memset (&ask, 0, sizeof ask);
        ask.head.fm_start = start;
        ask.head.fm_length = FIEMAP_MAX_OFFSET - start;
        ask.head.fm_flags = start == 0 ? FIEMAP_FLAG_SYNC : 0;
        ask.head.fm_extent_count = N_EXTENTS;
        if (ioctl (fd, FS_IOC_FIEMAP, &ask.head) != 0)
            return false;
        if (ask.head.fm_mapped_extents == 0)
            break;
        const struct fiemap_extent *extents = ask.head.fm_extents;
        for (uint32_t i = 0; i < ask.head.fm_mapped_extents; i++) {
            add_extent (&map, &position, &extents[i], file_bytes);
            is_last |= (extents[i].fe_flags & FIEMAP_EXTENT_LAST) != 0;
        }
        if (position.logical_end <= start)
            break;
        start = position.logical_end;
    }
    *ret_map = map;
    return true;
}

/* Fills in what the map says. True when each byte is on the drive as it was written. */
static bool
check_map (DgTestFile *file)
{
    Map map;
    if (!read_map (file->fd, file->full_bytes, &map))
        return true;
    file->result.extents = map.extents;
    file->result.is_encoded = map.is_encoded;
    file->result.is_compressed |= map.is_compressed;
    file->result.missing_bytes = file->full_bytes - map.written_bytes;
    return file->result.missing_bytes == 0 && !map.has_inline && !map.is_compressed;
}

/* ---- all of it ---- */

/* Direct writes work; do direct reads, too? */
static int
check_direct_read (DgTestFile *file, unsigned char *buffer, DgErrorDetail *ret_detail)
{
    uint64_t length = file->result.alignment_bytes;
    if (!file->result.is_direct)
        return DG_OK;
    ssize_t n;
    do
        n = pread (file->direct_fd, buffer, length, 0);
    while (n < 0 && errno == EINTR);
    if (n >= 0)
        return DG_OK;
    if (errno != EINVAL && errno != EOPNOTSUPP)
        return dg__test_file_fail (ret_detail, "read", 0, length, errno);
    dg__test_file_set_buffered (file);
    return DG_OK;
}

static int
fill_and_check (DgTestFile *file, DgData data, uint64_t seed, DgPrepareProgress *progress,
                DgErrorDetail *ret_detail)
{
    uint64_t wanted = file->full_bytes * (file->is_allocated ? WRITERS : 1), least = DG_PROBE_BYTES;
    wanted = wanted > POOL_BYTES ? POOL_BYTES : wanted < least ? least : wanted;
    uint64_t pool_size;
    unsigned char *pool = dg__memory_new (wanted, &pool_size);
    if (pool == NULL)
        return DG_ERROR_NO_MEMORY;
    DgRandom random;
    dg__random_seed (&random, seed, 0);
    if (data == DG_DATA_RANDOM)
        dg__random_fill (&random, pool, wanted);
    else
        memset (pool, 0, wanted);

    int error = DG_OK;
    for (uint64_t pass = 0; error == DG_OK && pass < 2; pass++) {
        uint64_t start_ns = dg__clock_ns ();
        file->result.probe_bytes +=
            file->result.prepare_bytes; /* of a first pass that must be done again */
        file->result.prepare_bytes = 0;
        if (progress != NULL)
            atomic_store (&progress->prepared_bytes, 0);
        error = fill (file, data, pass, pool, wanted, progress, ret_detail);
        if (error == DG_OK)
            error = dg__test_file_flush (file, ret_detail);
        file->result.prepare_ns = dg__clock_ns () - start_ns;
        if (error == DG_OK && check_map (file))
            break;
    }
    if (error == DG_OK)
        error = check_direct_read (file, pool, ret_detail);
    if (error == DG_OK && file->result.is_direct)
        error = dg__test_file_probe_writes (file, data, pool, progress, ret_detail);
    dg__memory_free (pool, pool_size);
    return error;
}

int
dg__test_file_prepare (DgTestFile *file, DgData data, uint64_t seed, DgPrepareProgress *progress,
                       DgErrorDetail *ret_detail)
{
    if (!file->is_ours)
        return DG_OK;
    int error = fill_and_check (file, data, seed, progress, ret_detail);
    if (error == DG_OK)
        error = dg__test_file_flush (file, ret_detail);
    if (error == DG_OK)
        dg__test_file_drop_cache (file); /* after a stop nobody waits for another flush */
    return error;
}
