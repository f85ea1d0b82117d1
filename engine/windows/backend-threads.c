/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ReadFile and WriteFile that return when they are done. At depth 1 in the worker itself; deeper,
 * by one thread of ours a slot, each with a handle of its own: the system lets one at a time
 * through a handle that is not overlapped. */
#include "engine/windows/backends.h"

#include <process.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define STACK_BYTES (64u * 1024u)

typedef struct {
    DgQueue *queue;
    DgBackendFile file; /* (owned) */
    HANDLE thread;
} Server;

struct DgQueue {
    uint64_t misaligned;
    uint32_t depth;
    _Atomic bool is_cancelled;
    Server *servers; /* (owned) `depth`; at depth 1 without a thread */
    uint32_t n_files, n_threads;

    /* deeper than 1 */
    SRWLOCK lock; /* of all below */
    CONDITION_VARIABLE work, done;
    const DgIo **waiting; /* a ring of `depth` */
    uint32_t first_waiting, n_waiting;
    DgCompletion *completed; /* at most `depth` */
    uint32_t n_completed, wanted;
    bool is_closing;
};

static int
threads_probe (DgErrorDetail *ret_detail)
{
    return DG_OK;
}

static int32_t
transfer (const DgQueue *q, HANDLE file, const DgIo *io)
{
    if ((((uintptr_t) io->buffer | io->offset_bytes | io->length_bytes) & q->misaligned) != 0)
        return -ERROR_INVALID_PARAMETER;
    if (atomic_load_explicit (&q->is_cancelled, memory_order_relaxed))
        return DG_IO_CANCELLED;
    OVERLAPPED at = { .Offset = (DWORD) io->offset_bytes,
                      .OffsetHigh = (DWORD) (io->offset_bytes >> 32) };
    DWORD n = 0;
    BOOL is_done = io->is_write ? WriteFile (file, io->buffer, io->length_bytes, &n, &at)
                                : ReadFile (file, io->buffer, io->length_bytes, &n, &at);
    if (is_done)
        return (int32_t) n;
    DWORD error = GetLastError ();
    if (error == ERROR_OPERATION_ABORTED
        && atomic_load_explicit (&q->is_cancelled, memory_order_relaxed))
        return DG_IO_CANCELLED;
    return error == ERROR_HANDLE_EOF ? 0 : -(int32_t) error;
}

static unsigned __stdcall serve (void *data)
{
    Server *server = data;
    DgQueue *q = server->queue;
    AcquireSRWLockExclusive (&q->lock);
    for (;;) {
        while (q->n_waiting == 0 && !q->is_closing)
            SleepConditionVariableSRW (&q->work, &q->lock, INFINITE, 0);
        if (q->n_waiting == 0)
            break;
        const DgIo *io = q->waiting[q->first_waiting];
        q->first_waiting = (q->first_waiting + 1) % q->depth;
        q->n_waiting--;
        ReleaseSRWLockExclusive (&q->lock);

        int32_t result = transfer (q, server->file.handle.file, io);

        AcquireSRWLockExclusive (&q->lock);
        q->completed[q->n_completed++] = (DgCompletion){ io->slot, result };
        if (q->wanted > 0 && q->n_completed >= q->wanted)
            WakeConditionVariable (&q->done);
    }
    ReleaseSRWLockExclusive (&q->lock);
    return 0;
}

static void
threads_close (DgQueue *q)
{
    if (q == NULL)
        return;
    AcquireSRWLockExclusive (&q->lock);
    q->is_closing = true;
    WakeAllConditionVariable (&q->work);
    ReleaseSRWLockExclusive (&q->lock);
    for (uint32_t i = 0; i < q->n_threads; i++) {
        WaitForSingleObject (q->servers[i].thread, INFINITE);
        CloseHandle (q->servers[i].thread);
    }
    for (uint32_t i = 0; i < q->n_files; i++)
        dg__backend_file_close (&q->servers[i].file);
    free (q->servers);
    free (q->waiting);
    free (q->completed);
    free (q);
}

static const char *
start_servers (DgQueue *q, const DgQueueSetup *setup, DWORD *ret_error)
{
    for (; q->n_files < q->depth; q->n_files++) {
        Server *server = &q->servers[q->n_files];
        server->queue = q;
        if (!dg__backend_file_open (setup, false, &server->file)) {
            *ret_error = GetLastError ();
            return "open";
        }
        q->misaligned = server->file.sector_bytes == 0 ? 0 : server->file.sector_bytes - 1;
    }
    for (; q->depth > 1 && q->n_threads < q->depth; q->n_threads++) {
        Server *server = &q->servers[q->n_threads];
        server->thread = (HANDLE) _beginthreadex (NULL, STACK_BYTES, serve, server,
                                                  STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
        if (server->thread == NULL) {
            *ret_error = ERROR_NOT_ENOUGH_MEMORY;
            return "CreateThread";
        }
    }
    return NULL;
}

static int
threads_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    const char *operation = "malloc";
    DWORD error = ERROR_NOT_ENOUGH_MEMORY;
    DgQueue *q = calloc (1, sizeof *q);
    if (q != NULL) {
        q->depth = setup->queue_depth;
        InitializeSRWLock (&q->lock);
        InitializeConditionVariable (&q->work);
        InitializeConditionVariable (&q->done);
        q->servers = calloc (q->depth, sizeof *q->servers);
        q->waiting = calloc (q->depth, sizeof *q->waiting);
        q->completed = calloc (q->depth, sizeof *q->completed);
        if (q->servers != NULL && q->waiting != NULL && q->completed != NULL)
            operation = start_servers (q, setup, &error);
    }
    if (operation == NULL) {
        *ret_queue = q;
        return DG_OK;
    }
    threads_close (q);
    *ret_detail = (DgErrorDetail){ .operation = operation, .os_code = (int) error };
    return dg_error_from_os ((int) error);
}

static int
threads_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                  DgCompletion *ret_completions, uint32_t max)
{
    if (q->depth == 1) {
        for (uint32_t i = 0; i < n; i++)
            ret_completions[i] =
                (DgCompletion){ ios[i]->slot,
                                transfer (q, q->servers[0].file.handle.file, ios[i]) };
        return (int) n;
    }

    AcquireSRWLockExclusive (&q->lock);
    for (uint32_t i = 0; i < n; i++) {
        q->waiting[(q->first_waiting + q->n_waiting++) % q->depth] = ios[i];
        WakeConditionVariable (&q->work);
    }
    q->wanted = min_complete;
    while (q->n_completed < min_complete)
        SleepConditionVariableSRW (&q->done, &q->lock, INFINITE, 0);
    q->wanted = 0;
    uint32_t taken = q->n_completed < max ? q->n_completed : max;
    memcpy (ret_completions, q->completed, taken * sizeof *ret_completions);
    q->n_completed -= taken;
    memmove (q->completed, q->completed + taken, q->n_completed * sizeof *q->completed);
    ReleaseSRWLockExclusive (&q->lock);
    return (int) taken;
}

/* What waits for a server, too, comes back: each server looks before it begins. */
static void
threads_cancel (DgQueue *q)
{
    atomic_store (&q->is_cancelled, true);
    for (uint32_t i = 0; i < q->n_files; i++)
        CancelIoEx (q->servers[i].file.handle.file, NULL);
}

static uint64_t
threads_helper_cpu_ns (DgQueue *q)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < q->n_threads; i++) {
        FILETIME created, ended, kernel, user;
        if (GetThreadTimes (q->servers[i].thread, &created, &ended, &kernel, &user))
            sum += ((((uint64_t) kernel.dwHighDateTime << 32) | kernel.dwLowDateTime)
                    + (((uint64_t) user.dwHighDateTime << 32) | user.dwLowDateTime))
                   * 100;
    }
    return sum;
}

const DgBackend dg__backend_threads = {
    .id = DG_BACKEND_THREADS,
    .probe = threads_probe,
    .open = threads_open,
    .exchange = threads_exchange,
    .cancel = threads_cancel,
    .close = threads_close,
    .helper_cpu_ns = threads_helper_cpu_ns,
};
