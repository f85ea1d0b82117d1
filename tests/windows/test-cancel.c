/* SPDX-License-Identifier: GPL-3.0-or-later */
/* I/Os that are really under way when a queue is stopped: reads of a pipe that nobody writes to. */

/* The backend once more, with a system that gives nothing back when it is asked. */
#include <windows.h>

static BOOL
cancel_nothing (HANDLE file, OVERLAPPED *overlapped)
{
    SetLastError (ERROR_NOT_FOUND);
    return FALSE;
}

#define CancelIoEx             cancel_nothing
#define dg__backend_overlapped deaf_backend
#include "engine/windows/backend-overlapped.c"
#undef CancelIoEx
#undef dg__backend_overlapped
extern const DgBackend dg__backend_overlapped;

#include "tests/engine/check.h"

#include "engine/clock.h"
#include "engine/data.h"
#include "engine/thread.h"
#include "engine/worker.h"

#define BLOCK     4096u
#define MOST      4u
#define UNTOUCHED 0x77

/* ---- a pipe and a queue on it ---- */

typedef struct {
    char path[64];
    HANDLE servers[MOST];
    uint32_t n;
    const DgBackend *backend;
    DgQueue *queue;
    unsigned char *memory;
    uint64_t allocated;
    DgIo ios[MOST], *list[MOST];
    DgCompletion done[MOST];
} Rig;

static void
make_pipe (Rig *r, uint32_t n)
{
    static unsigned number;
    snprintf (r->path, sizeof r->path, "\\\\.\\pipe\\drivegauge-%lu-%u", GetCurrentProcessId (),
              number++);
    r->n = n;
    for (uint32_t i = 0; i < n; i++) {
        r->servers[i] = CreateNamedPipeA (r->path, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED,
                                          PIPE_TYPE_BYTE | PIPE_WAIT, MOST, 65536, 65536, 0, NULL);
        CHECK (r->servers[i] != INVALID_HANDLE_VALUE);
    }
}

/* `depth` reads under way. */
static bool
begin (Rig *r, const DgBackend *backend, uint32_t depth)
{
    *r = (Rig){ .backend = backend };
    make_pipe (r, backend->id == DG_BACKEND_THREADS ? depth : 1);
    DgQueueSetup setup = {
        .handle = -1, .path = r->path, .queue_depth = depth, .block_bytes = BLOCK
    };
    DgErrorDetail detail = { 0 };
    int error = backend->open (&setup, &r->queue, &detail);
    CHECK (error == DG_OK);
    if (error != DG_OK) {
        printf ("# %s: %d\n", detail.operation, detail.os_code);
        return false;
    }
    r->memory = dg__memory_new (MOST * BLOCK, &r->allocated);
    memset (r->memory, UNTOUCHED, MOST * BLOCK);
    for (uint32_t i = 0; i < depth; i++) {
        r->ios[i] = (DgIo){ 0, r->memory + i * BLOCK, BLOCK, i, false };
        r->list[i] = &r->ios[i];
    }
    return true;
}

static void
end (Rig *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        CloseHandle (r->servers[i]);
    if (r->memory != NULL)
        dg__memory_free (r->memory, r->allocated);
}

static bool
is_untouched (const Rig *r)
{
    for (uint32_t i = 0; i < MOST * BLOCK; i++)
        if (r->memory[i] != UNTOUCHED)
            return false;
    return true;
}

static bool
write_to (HANDLE server, unsigned char fill)
{
    unsigned char bytes[BLOCK];
    OVERLAPPED at = { .hEvent = CreateEventW (NULL, TRUE, FALSE, NULL) };
    DWORD n = 0;
    memset (bytes, fill, sizeof bytes);
    bool is_done =
        (WriteFile (server, bytes, sizeof bytes, NULL, &at) || GetLastError () == ERROR_IO_PENDING)
        && GetOverlappedResult (server, &at, &n, TRUE) && n == sizeof bytes;
    CloseHandle (at.hEvent);
    return is_done;
}

static void
cancel_soon (void *data)
{
    Rig *r = data;
    Sleep (100);
    r->backend->cancel (r->queue);
}

/* ---- cases ---- */

/* From another thread, while the worker waits. */
static void
cancelled (const DgBackend *backend, uint32_t depth)
{
    Rig r;
    DgThread *thread = NULL;
    if (!begin (&r, backend, depth)) {
        end (&r);
        return;
    }
    CHECK (dg__thread_start (&thread, "cancel", cancel_soon, &r) == DG_OK);
    uint64_t start = GetTickCount64 ();
    uint32_t n = 0, wrong = 0;
    int got = backend->exchange (r.queue, r.list, depth, 1, r.done, depth);
    for (; got >= 0; got = backend->exchange (r.queue, NULL, 0, 1, r.done, depth)) {
        for (int i = 0; i < got; i++)
            wrong += r.done[i].result != DG_IO_CANCELLED;
        n += (uint32_t) got;
        if (n >= depth)
            break;
    }
    CHECK_U64 (n, depth);
    CHECK_U64 (wrong, 0);
    CHECK (GetTickCount64 () - start < 3000);
    dg__thread_join (thread);
    /* Nothing is taken on any more. */
    got = backend->exchange (r.queue, r.list, 1, 1, r.done, depth);
    CHECK (got == 1 && r.done[0].result == DG_IO_CANCELLED);
    CHECK (is_untouched (&r));
    backend->close (r.queue);
    end (&r);
}

static void
cancelled_overlapped (void)
{
    cancelled (&dg__backend_overlapped, 1);
    cancelled (&dg__backend_overlapped, MOST);
}

static void
cancelled_threads (void)
{
    cancelled (dg__backend_find (DG_BACKEND_THREADS), 1);
    cancelled (dg__backend_find (DG_BACKEND_THREADS), MOST);
}

/* Closed with I/Os under way: they are given back before anything is freed, and what is written to
 * the pipe afterwards goes nowhere. */
static void
closed_while_under_way (void)
{
    Rig r;
    unsigned graves = dg__graveyard_count ();
    if (begin (&r, &dg__backend_overlapped, MOST)) {
        CHECK (r.backend->exchange (r.queue, r.list, MOST, 0, r.done, MOST) == 0);
        CHECK (r.backend->settle (r.queue));
        r.backend->close (r.queue);
        CHECK (!write_to (r.servers[0], 1));
        CHECK (is_untouched (&r));
        CHECK_U64 (dg__graveyard_count (), graves);
    }
    end (&r);
}

/* What does not come back, even when cancelled, finds everything in its place when it does. */
static void
never_given_back (void)
{
    Rig r;
    unsigned graves = dg__graveyard_count ();
    if (!begin (&r, &deaf_backend, 2)) {
        end (&r);
        return;
    }
    CHECK (r.backend->exchange (r.queue, r.list, 2, 0, r.done, 2) == 0);
    uint64_t start = GetTickCount64 ();
    CHECK (!r.backend->settle (r.queue));
    uint64_t took = GetTickCount64 () - start;
    CHECK (took >= 900 && took < 2500);
    r.backend->close (r.queue);
    CHECK_U64 (dg__graveyard_count (), graves + 1);
    CHECK (write_to (r.servers[0], 0x11)); /* its handle is open still */
    for (int i = 0; i < 100 && r.memory[BLOCK - 1] != 0x11; i++)
        Sleep (10);
    CHECK (r.memory[0] == 0x11 && r.memory[BLOCK - 1] == 0x11 && r.memory[BLOCK] == UNTOUCHED);
    CHECK_U64 (r.queue->slots[0].Internal, 0);
    CHECK_U64 (r.queue->slots[0].InternalHigh, BLOCK);
}

static bool
ends_within (const DgWorker *worker, unsigned ms)
{
    for (unsigned i = 0; i < ms / 10 && atomic_load (&dg__worker_counters (worker)->is_ended) == 0;
         i++)
        Sleep (10);
    return atomic_load (&dg__worker_counters (worker)->is_ended) != 0;
}

/* A worker as the coordinator stops it; with a system that does not listen its memory is kept. */
static void
worker_stopped (const DgBackend *backend, bool is_given_back)
{
    Rig r = { 0 };
    DgWorker *worker = NULL;
    DgWorkerResult result;
    unsigned graves = dg__graveyard_count ();
    make_pipe (&r, backend->id == DG_BACKEND_THREADS ? 4 : 1);
    DgStream stream = { .access = DG_ACCESS_RANDOM,
                        .block_bytes = BLOCK,
                        .queue_depth = 4,
                        .threads = 1,
                        .read_percent = 100 };
    DgWorkerSetup setup = { .stream = &stream,
                            .backend = backend,
                            .handle = -1,
                            .path = r.path,
                            .file_bytes = 1 << 20,
                            .alignment_bytes = BLOCK };
    DgWorkerControl *control = dg__lines_new (sizeof *control);
    memset (control, 0, sizeof *control);
    atomic_init (&control->t0_ns, DG_EDGE_NEVER);
    atomic_init (&control->t1_from_ns, UINT64_MAX);
    atomic_init (&control->t1_ns, DG_EDGE_OPEN);
    CHECK (dg__worker_start (&setup, control, &worker) == DG_OK);
    atomic_store (&control->phase, DG_WORKER_GO);
    uint32_t n = 0;
    for (int i = 0; i < 300 && n < 4; i++) {
        Sleep (10);
        dg__worker_oldest_submit_ns (worker, &n);
    }
    CHECK_U64 (n, 4);
    atomic_store (&control->phase, DG_WORKER_STOP);
    CHECK (!ends_within (worker, 150)); /* it waits for the drive */
    dg__worker_cancel (worker);
    CHECK (ends_within (worker, 2000) == is_given_back);
    if (is_given_back) {
        dg__worker_result (worker, &result);
        CHECK_U64 (result.n_errors, 0);
        CHECK_U64 (result.total.ios, 0);
        CHECK_U64 (atomic_load (&dg__worker_counters (worker)->failed_ios), 0);
        dg__worker_free (worker);
        dg__lines_free (control);
    }
    CHECK_U64 (dg__graveyard_count (), graves);
    end (&r);
    /* The other end is gone now: what did not listen comes back with an error. */
    if (!is_given_back) {
        CHECK (ends_within (worker, 2000));
        dg__worker_free (worker);
        dg__lines_free (control);
    }
}

static void
workers_stopped (void)
{
    worker_stopped (&dg__backend_overlapped, true);
    worker_stopped (dg__backend_find (DG_BACKEND_THREADS), true);
    worker_stopped (&deaf_backend, false);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "overlapped: cancelled from another thread", cancelled_overlapped },
        { "threads: cancelled from another thread", cancelled_threads },
        { "closed with I/Os under way", closed_while_under_way },
        { "an I/O that is not given back", never_given_back },
        { "workers stopped with I/Os under way", workers_stopped },
    };
    dg__stamp_init ();
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
