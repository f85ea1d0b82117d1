/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One list of what a backend owes, run on each of them, on a real file. */
#include "tests/io/check.h"
#include "tests/io/files.h"
#include "tests/io/sectors.h"
#include "tests/io/worker-driver.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/data.h"

#define MIB        ((uint64_t) 1 << 20)
#define FILE_BYTES (16 * MIB)
#define BLOCK      4096u

unsigned check_failures;

static char path[512];
static intptr_t direct = -1,
                plain = -1; /* read and write, past the page cache where there is that, and not */
static bool is_direct;

static const char *
os_text (int os_code)
{
    static char text[128];
    dg_error_os_text (os_code, text, sizeof text);
    return text;
}

/* ---- the file ---- */

/* Each eight bytes of the file are a hash of where they stand. */
static uint64_t
word_at (uint64_t offset)
{
    return (offset + 1) * 0x9e3779b97f4a7c15u;
}

static bool
make_file (void)
{
    if (!files_place (path, sizeof path, "drivegauge-backends"))
        return false;
    plain = files_open (path, FILES_NEW);
    if (plain == -1)
        return false;
    uint64_t *text = malloc (FILE_BYTES);
    for (uint64_t i = 0; i < FILE_BYTES / 8; i++)
        text[i] = word_at (i * 8);
    bool is_written =
        files_write (plain, text, FILE_BYTES, 0) == (int64_t) FILE_BYTES && files_flush (plain);
    free (text);
    direct = files_open (path, FILES_DIRECT);
    is_direct = direct != -1;
    if (!is_direct)
        direct = plain;
    return is_written;
}

/* ---- a queue of one block a slot ---- */

typedef struct {
    const DgBackend *backend;
    DgQueue *queue;
    unsigned char *memory[2];
    uint64_t memory_bytes[2];
    uint32_t depth;
    DgIo *ios;
    DgCompletion *completions;
} Rig;

static bool
rig_open (Rig *rig, const DgBackend *backend, intptr_t file, uint32_t depth)
{
    *rig = (Rig){ .backend = backend, .depth = depth };
    for (int i = 0; i < 2; i++)
        rig->memory[i] = dg__memory_new ((uint64_t) depth * BLOCK, &rig->memory_bytes[i]);
    rig->ios = calloc (depth, sizeof *rig->ios);
    rig->completions = calloc (depth, sizeof *rig->completions);
    DgQueueSetup setup = {
        .handle = file,
        .memory = { rig->memory[0], rig->memory[1] },
        .memory_bytes = { rig->memory_bytes[0], rig->memory_bytes[1] },
        .queue_depth = depth,
        .block_bytes = BLOCK,
    };
    DgErrorDetail detail = { .operation = "?" };
    int error = backend->open (&setup, &rig->queue, &detail);
    CHECK (error == DG_OK, "%s: depth %u: error %d, %s: %s", dg_backend_id_name (backend->id),
           depth, error, detail.operation, os_text (detail.os_code));
    return error == DG_OK;
}

static void
rig_close (Rig *rig)
{
    if (rig->queue != NULL)
        rig->backend->close (rig->queue);
    for (int i = 0; i < 2; i++)
        dg__memory_free (rig->memory[i], rig->memory_bytes[i]);
    free (rig->ios);
    free (rig->completions);
}

static DgIo *
rig_io (Rig *rig, uint32_t slot, uint64_t offset, uint32_t length, bool is_write)
{
    rig->ios[slot] =
        (DgIo){ offset, rig->memory[is_write] + (uint64_t) slot * BLOCK, length, slot, is_write };
    return &rig->ios[slot];
}

/* One I/O alone; its result. */
static int
one (Rig *rig, uint64_t offset, uint32_t length, bool is_write)
{
    DgIo *io = rig_io (rig, 0, offset, length, is_write);
    int got = rig->backend->exchange (rig->queue, &io, 1, 1, rig->completions, rig->depth);
    for (int tries = 0; got == 0 && tries < 1000; tries++)
        got = rig->backend->exchange (rig->queue, NULL, 0, 1, rig->completions, rig->depth);
    CHECK (got == 1 && rig->completions[0].slot == 0, "%d", got);
    return got == 1 ? rig->completions[0].result : INT32_MIN;
}

static bool
is_untouched_text (const unsigned char *buffer, uint64_t offset, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word;
        memcpy (&word, buffer + i, 8);
        if (word != word_at (offset + i))
            return false;
    }
    return true;
}

/* ---- the contract ---- */

/* Every block arrives where it should, in rounds that keep the queue as full as they can. */
static void
check_reads (const DgBackend *backend, uint32_t depth)
{
    Rig rig;
    if (!rig_open (&rig, backend, direct, depth)) {
        rig_close (&rig);
        return;
    }
    DgIo *list[64];
    uint32_t free_slots[64], n_free = depth, under_way = 0, wrong = 0, done = 0;
    for (uint32_t i = 0; i < depth; i++)
        free_slots[i] = i;
    DgRandom random;
    dg__random_seed (&random, 9, depth);
    for (uint32_t sent = 0; done < 600;) {
        uint32_t n = 0;
        for (; n < 5 && n_free > 0 && sent < 600; n++, sent++)
            list[n] =
                rig_io (&rig, free_slots[--n_free],
                        dg__random_next (&random) % (FILE_BYTES / BLOCK) * BLOCK, BLOCK, false);
        under_way += n;
        int got = backend->exchange (rig.queue, list, n, n_free > 0 && sent < 600 ? 0 : 1,
                                     rig.completions, depth);
        CHECK (got >= 0 && (uint32_t) got <= under_way, "%d of %u", got, under_way);
        if (got < 0)
            break;
        for (int i = 0; i < got; i++) {
            uint32_t slot = rig.completions[i].slot;
            wrong +=
                rig.completions[i].result != (int32_t) BLOCK
                || !is_untouched_text (rig.ios[slot].buffer, rig.ios[slot].offset_bytes, BLOCK);
            memset (rig.ios[slot].buffer, 0, BLOCK);
            free_slots[n_free++] = slot;
        }
        under_way -= (uint32_t) got;
        done += (uint32_t) got;
    }
    CHECK (wrong == 0, "%s: depth %u: %u reads went wrong", dg_backend_id_name (backend->id), depth,
           wrong);
    rig_close (&rig);
}

static void
check_writes (const DgBackend *backend, uint32_t depth)
{
    Rig rig;
    if (!rig_open (&rig, backend, direct, depth)) {
        rig_close (&rig);
        return;
    }
    DgIo *list[64];
    for (uint32_t i = 0; i < depth; i++) {
        list[i] = rig_io (&rig, i, (uint64_t) (i * 3 + 1) * BLOCK, BLOCK, true);
        memset (list[i]->buffer, (int) (i + 17), BLOCK);
    }
    uint32_t done = 0;
    int got = backend->exchange (rig.queue, list, depth, depth, rig.completions, depth);
    for (int tries = 0; got >= 0 && tries < 1000; tries++) {
        for (int i = 0; i < got; i++)
            CHECK (rig.completions[i].result == (int32_t) BLOCK, "%d", rig.completions[i].result);
        done += (uint32_t) got;
        if (done == depth)
            break;
        got = backend->exchange (rig.queue, NULL, 0, depth - done, rig.completions, depth);
    }
    CHECK (done == depth, "%s: %u of %u", dg_backend_id_name (backend->id), done, depth);
    for (uint32_t i = 0; i < depth; i++) {
        unsigned char there[BLOCK];
        CHECK (files_read (plain, there, BLOCK, (uint64_t) (i * 3 + 1) * BLOCK) == BLOCK,
               "read back");
        CHECK (memcmp (there, rig.memory[1] + (uint64_t) i * BLOCK, BLOCK) == 0, "%s: block %u",
               dg_backend_id_name (backend->id), i);
        /* and as it was, for the next backend */
        for (uint32_t k = 0; k < BLOCK; k += 8) {
            uint64_t word = word_at ((uint64_t) (i * 3 + 1) * BLOCK + k);
            memcpy (there + k, &word, 8);
        }
        CHECK (files_write (plain, there, BLOCK, (uint64_t) (i * 3 + 1) * BLOCK) == BLOCK,
               "restore");
    }
    files_flush (plain);
    rig_close (&rig);
}

/* Handed over without waiting, and waited for without handing over: it comes once. */
static void
check_halves (const DgBackend *backend, uint32_t depth)
{
    Rig rig;
    const char *name = dg_backend_id_name (backend->id);
    if (!rig_open (&rig, backend, direct, depth)) {
        rig_close (&rig);
        return;
    }
    for (uint32_t i = 0; i < 300; i++) {
        uint64_t offset = (uint64_t) i * 7 % (FILE_BYTES / BLOCK) * BLOCK;
        DgIo *io = rig_io (&rig, i % depth, offset, BLOCK, false);
        memset (io->buffer, 0, BLOCK);
        int got = backend->exchange (rig.queue, &io, 1, 0, rig.completions, 1);
        for (uint32_t tries = 0; got == 0 && tries < 1000; tries++) /* held for want of memory */
            got = backend->exchange (rig.queue, NULL, 0, 1, rig.completions, 1);
        CHECK (got == 1 && rig.completions[0].slot == i % depth
                   && rig.completions[0].result == (int32_t) BLOCK,
               "%s: depth %u: %d", name, depth, got);
        CHECK (is_untouched_text (io->buffer, offset, BLOCK), "%s: block %u", name, i);
        got = backend->exchange (rig.queue, NULL, 0, 0, rig.completions, depth);
        CHECK (got == 0, "%s: %d more than was handed over", name, got);
    }
    rig_close (&rig);
}

static void
check_errors (const DgBackend *backend)
{
    const char *name = dg_backend_id_name (backend->id);
    Rig rig;
    if (rig_open (&rig, backend, direct, 4)) {
        CHECK (one (&rig, FILE_BYTES, BLOCK, false) == 0, "%s: behind the end there is nothing",
               name);
        CHECK (one (&rig, 0, BLOCK, false) == BLOCK, "%s: and it goes on", name);
        if (is_direct) {
            int result = one (&rig, 100, BLOCK, false);
            CHECK (result == -files_code_odd || result == BLOCK, "%s: an odd offset: %d", name,
                   result);
        }
    }
    rig_close (&rig);

    /* Not direct: a read over the end is short. */
    if (rig_open (&rig, backend, plain, 4))
        CHECK (one (&rig, FILE_BYTES - 512, BLOCK, false) == 512, "%s: short", name);
    rig_close (&rig);

    intptr_t read_only = files_open (path, FILES_READ_ONLY);
    if (rig_open (&rig, backend, read_only, 4)) {
        int result = one (&rig, 0, BLOCK, true);
        CHECK (result == -files_code_read_only, "%s: a descriptor that cannot be written: %d", name,
               result);
        CHECK (one (&rig, 0, BLOCK, false) == BLOCK, "%s: and it goes on", name);
    }
    rig_close (&rig);
    files_close (read_only);

    intptr_t full = files_open_full ();
    if (full != -1 && rig_open (&rig, backend, full, 1)) {
        int result = one (&rig, 0, BLOCK, true);
        /* Kernel AIO does not do devices without write_iter. */
        CHECK (result == -files_code_full
                   || (backend->id == DG_BACKEND_LIBAIO && result == -files_code_odd),
               "%s: /dev/full: %d", name, result);
    }
    if (full != -1)
        rig_close (&rig);
    files_close (full);
}

/* Handing over without waiting, and waiting without handing over: no answer is lost, and none waits
 * for one more call. */
static void
check_two_calls (const DgBackend *backend, uint32_t depth, bool waits_for_all)
{
    const char *name = dg_backend_id_name (backend->id);
    Rig rig;
    if (rig_open (&rig, backend, direct, depth)) {
        DgIo *list[8];
        for (uint32_t i = 0; i < depth; i++)
            list[i] = rig_io (&rig, i, i * BLOCK, BLOCK, false);
        bool is_back[8] = { false };
        uint32_t done = 0;
        int got = backend->exchange (rig.queue, list, depth, 0, rig.completions, depth);
        for (int tries = 0; got >= 0 && tries < 1000; tries++) {
            for (int i = 0; i < got; i++) {
                uint32_t slot = rig.completions[i].slot;
                CHECK (slot < depth && !is_back[slot % 8], "%s: slot %u", name, slot);
                CHECK (rig.completions[i].result == (int32_t) BLOCK
                           && is_untouched_text (rig.ios[slot % depth].buffer, slot * BLOCK, BLOCK),
                       "%s: slot %u: %d", name, slot, rig.completions[i].result);
                is_back[slot % 8] = true;
            }
            done += (uint32_t) got;
            if (done == depth)
                break;
            got = backend->exchange (rig.queue, NULL, 0, waits_for_all ? depth - done : 1,
                                     rig.completions, waits_for_all ? depth : 1);
        }
        CHECK (done == depth, "%s: %u of %u", name, done, depth);
    }
    rig_close (&rig);
}

/* What is under way when a worker gives a queue up has come back before anything is freed. */
static void
check_settle (const DgBackend *backend)
{
    Rig rig;
    if (backend->settle != NULL && rig_open (&rig, backend, direct, 4)) {
        DgIo *list[4];
        for (uint32_t i = 0; i < 4; i++)
            list[i] = rig_io (&rig, i, i * BLOCK, BLOCK, false);
        int got = backend->exchange (rig.queue, list, 4, 0, rig.completions, 4);
        CHECK (got >= 0 && got <= 4, "%d", got);
        CHECK (backend->settle (rig.queue), "%s: it all comes back",
               dg_backend_id_name (backend->id));
        for (uint32_t i = 0; backend->cancel == NULL && i < 4; i++)
            CHECK (is_untouched_text (rig.ios[i].buffer, i * BLOCK, BLOCK), "%s: block %u",
                   dg_backend_id_name (backend->id), i);
    }
    if (backend->settle != NULL)
        rig_close (&rig);

    /* where a file can be had that keeps a read waiting */
    intptr_t silent, other_end;
    if (backend->id != DG_BACKEND_IO_URING || !files_open_silent (&silent, &other_end))
        return;
    if (rig_open (&rig, backend, silent, 2)) {
        DgIo *list[2] = { rig_io (&rig, 0, 0, 512, false), rig_io (&rig, 1, 0, 512, false) };
        CHECK (backend->exchange (rig.queue, list, 2, 0, rig.completions, 2) == 0, "none is back");
        CHECK (!backend->settle (rig.queue), "what does not come back is told");
        unsigned char text[1024] = { 1 };
        CHECK (files_answer (other_end, text, sizeof text), "write");
        CHECK (backend->settle (rig.queue), "it came back after all");
    }
    rig_close (&rig);
    files_close (silent);
    files_close (other_end);
}

/* EAGAIN is no error and no answer: the I/O is handed over again, as the one that it was, until it
 * is answered. The worker, whose stamp of it stays, gets a look at the world in between. */
static void
check_later (const DgBackend *backend)
{
    const char *name = dg_backend_id_name (backend->id);
    intptr_t file = files_open_later (16 * BLOCK);
    uint64_t words[BLOCK / 8];
    for (uint64_t i = 0; i < BLOCK / 8; i++)
        words[i] = word_at (3 * BLOCK + i * 8);
    if (file == -1 || files_write (file, words, BLOCK, 3 * BLOCK) != BLOCK)
        return;
    Rig rig;
    if (rig_open (&rig, backend, file, 4)) {
        files_say_later (file, true);
        DgIo *io = rig_io (&rig, 2, 3 * BLOCK, BLOCK, false);
        int got = backend->exchange (rig.queue, &io, 1, 1, rig.completions, 4), rounds = 0;
        for (; got == 0 && rounds < 20; rounds++)
            got = backend->exchange (rig.queue, NULL, 0, 1, rig.completions, 4);
        files_say_later (file, false);
        if (rounds < 20)
            fprintf (stderr, "%s: is answered at once\n", name);
        for (int tries = 0; got == 0 && tries < 1000; tries++)
            got = backend->exchange (rig.queue, NULL, 0, 1, rig.completions, 4);
        CHECK (got == 1 && rig.completions[0].slot == 2 && rig.completions[0].result == BLOCK,
               "%s: later: %d, %d", name, got, rig.completions[0].result);
        CHECK (is_untouched_text (io->buffer, 3 * BLOCK, BLOCK), "%s: later", name);
        got = backend->exchange (rig.queue, NULL, 0, 0, rig.completions, 4);
        CHECK (got == 0, "%s: it is answered once: %d", name, got);
    }
    rig_close (&rig);
    files_close (file);
}

/* After it was asked to give back what is under way it takes nothing on. */
static void
check_cancelled (const DgBackend *backend)
{
    const char *name = dg_backend_id_name (backend->id);
    Rig rig = { .queue = NULL };
    if (backend->cancel != NULL && rig_open (&rig, backend, direct, 2)) {
        CHECK (one (&rig, 0, BLOCK, false) == BLOCK, "%s", name);
        backend->cancel (rig.queue);
        CHECK (one (&rig, 0, BLOCK, false) == DG_IO_CANCELLED, "%s", name);
    }
    rig_close (&rig);
}

static void
check_workers (const DgBackend *backend)
{
    const char *name = dg_backend_id_name (backend->id);
    static const DgStream streams[] = {
        { .access = DG_ACCESS_SEQUENTIAL,
          .block_bytes = 65536,
          .queue_depth = 4,
          .threads = 2,
          .read_percent = 0 },
        { .access = DG_ACCESS_SEQUENTIAL,
          .block_bytes = 1048576,
          .queue_depth = 1,
          .threads = 1,
          .read_percent = 0 },
        { .access = DG_ACCESS_RANDOM,
          .block_bytes = 4096,
          .queue_depth = 1,
          .threads = 1,
          .read_percent = 100 },
        { .access = DG_ACCESS_RANDOM,
          .block_bytes = 4096,
          .queue_depth = 16,
          .threads = 2,
          .read_percent = 60 },
        { .access = DG_ACCESS_SEQUENTIAL,
          .block_bytes = 1048576,
          .queue_depth = 8,
          .threads = 1,
          .read_percent = 100 },
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        DriverSetup setup = { .file = direct,
                              .file_bytes = FILE_BYTES,
                              .backend = backend,
                              .stream = streams[i],
                              .ramp_ns = 10000000,
                              .window_ns = 60000000,
                              .min_ios = 4,
                              .seed = 11,
                              .run = 1 };
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        CHECK (d.ios > 3 && d.failed_ios == 0, "%s: stream %zu: %llu I/Os, %llu failed", name, i,
               (unsigned long long) d.ios, (unsigned long long) d.failed_ios);
        for (uint32_t k = 0; k < d.n; k++) {
            /* A slot's I/Os do not overlap, and none counted began more than the greatest latency
             * before t0. */
            const DgFlowCount *total = &d.results[k].total;
            double busy = (double) total->sum_ns / streams[i].queue_depth,
                   span = (double) (d.t1_ns - d.t0_ns);
            CHECK (total->ios > 0 && busy > 0 && busy <= span + (double) total->max_ns,
                   "%s: stream %zu: %f of %f", name, i, busy, span);
        }
        CHECK (d.all_read_bytes + d.all_written_bytes == d.all_ios * streams[i].block_bytes,
               "%s: stream %zu", name, i);
        driver_done (&d);
    }
    CHECK (files_size (plain) == FILE_BYTES, "nothing is written behind the end");
}

/* Every MiB of a file that a worker has written looks random, and no sector stands there twice.
 * Where one round over the file meets the last, the pool's other half stands beside: hence its
 * size. */
static void
check_written_data (const DgBackend *backend)
{
    DriverSetup setup = { .file = direct,
                          .file_bytes = FILE_BYTES,
                          .backend = backend,
                          .seed = 11,
                          .run = 2,
                          .pool_bytes = 2 * FILE_BYTES,
                          .ramp_ns = 1000000,
                          .stream = { .access = DG_ACCESS_SEQUENTIAL,
                                      .block_bytes = 131072,
                                      .queue_depth = 4,
                                      .threads = 1,
                                      .read_percent = 0 } };
    uint64_t written = 0;
    for (setup.window_ns = 20000000; written < FILE_BYTES && setup.window_ns < 10000000000u;
         setup.window_ns *= 3) {
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        written = d.all_written_bytes;
        driver_done (&d);
        setup.run++;
    }
    CHECK (written >= FILE_BYTES, "%llu", (unsigned long long) written);
    unsigned char *data = malloc (FILE_BYTES);
    CHECK (files_read (plain, data, FILE_BYTES, 0) == (int64_t) FILE_BYTES, "read back");
    CHECK (sectors_repeated (data, FILE_BYTES) == 0, "%llu sectors stand there twice",
           (unsigned long long) sectors_repeated (data, FILE_BYTES));
    for (uint64_t at = 0; at < FILE_BYTES; at += 5 * MIB) {
        uint64_t small = files_xz_bytes (data + at, MIB);
        CHECK (small >= MIB / 100 * 99, "MiB %llu shrinks to %llu", (unsigned long long) (at / MIB),
               (unsigned long long) small);
    }
    free (data);
}

int
main (void)
{
    if (!make_file ()) {
        fprintf (stderr, "no folder to make a file in\n");
        return 77;
    }
    dg__stamp_init ();
    uint32_t n = 0;
    for (const DgBackend *const *backend = dg__backends (); *backend != NULL; backend++) {
        DgErrorDetail detail = { 0 };
        if ((*backend)->id == DG_BACKEND_NULL)
            continue;
        CHECK (dg__backend_find ((*backend)->id) == *backend, "it is found by its id");
        if ((*backend)->probe (&detail) != DG_OK) {
            fprintf (stderr, "%s cannot be used here: %s: %s\n",
                     dg_backend_id_name ((*backend)->id), detail.operation,
                     os_text (detail.os_code));
            continue;
        }
        static const uint32_t depths[] = { 1, 3, 32, 64 };
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            check_reads (*backend, depths[i]);
            check_writes (*backend, depths[i]);
            check_halves (*backend, depths[i]);
        }
        check_errors (*backend);
        check_two_calls (*backend, 1, true);
        check_two_calls (*backend, 8, true);
        check_two_calls (*backend, 8, false);
        check_settle (*backend);
        check_cancelled (*backend);
        check_later (*backend);
        n++;
    }
    for (const DgBackend *const *backend = dg__backends (); *backend != NULL; backend++) {
        DgErrorDetail detail = { 0 };
        if ((*backend)->id != DG_BACKEND_NULL && (*backend)->probe (&detail) == DG_OK)
            check_workers (*backend);
    }
    check_written_data (dg__backend_find (DG_BACKEND_THREADS));
    files_close (plain);
    if (is_direct)
        files_close (direct);
    files_remove (path);
    CHECK (n >= 1, "threads work everywhere");
    bool is_windows = dg__backend_find (DG_BACKEND_OVERLAPPED) != NULL;
    CHECK ((dg__backend_find (DG_BACKEND_LIBAIO) == NULL) == is_windows, "each system has its own");
    CHECK (!is_windows || n == 2, "none of them was left out");
    return check_failures > 0;
}
