/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlapped, unbuffered I/O with a completion port. */
#include "engine/graveyard.h"
#include "engine/windows/backends.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_OK 0u    /* OVERLAPPED.Internal is the NTSTATUS */
#define SETTLE_MS 1000u /* cancelled I/Os are waited for that long */

struct DgQueue {
    DgBackendFile own; /* (owned) */
    HANDLE file, port; /* its */
    _Atomic bool is_cancelled;
    uint64_t misaligned; /* bits that address, offset and length must not have */
    uint32_t depth, in_flight;
    OVERLAPPED *slots;         /* (owned) `depth` */
    OVERLAPPED_ENTRY *entries; /* (owned) `depth` */
    DgIo const **held;         /* (owned) what the system had no memory for just now */
    uint32_t n_held;
    DgCompletion *ready; /* (owned) ended while they were handed over */
    uint32_t n_ready;
    bool skips_port; /* an I/O that ends at once is not queued to the port */
};

static int
overlapped_probe (DgErrorDetail *ret_detail)
{
    HANDLE port = CreateIoCompletionPort (INVALID_HANDLE_VALUE, NULL, 0, 1);
    if (port == NULL) {
        *ret_detail = (DgErrorDetail){ .operation = "CreateIoCompletionPort",
                                       .os_code = (int) GetLastError () };
        return DG_ERROR_NOT_SUPPORTED;
    }
    CloseHandle (port);
    return DG_OK;
}

static void
answer (DgQueue *q, uint32_t slot, int32_t result)
{
    q->ready[q->n_ready++] = (DgCompletion){ slot, result };
}

static bool
is_cancelled (const DgQueue *q)
{
    return atomic_load_explicit (&q->is_cancelled, memory_order_relaxed);
}

/* At the drive's end a read has 0 bytes, as everywhere else. */
static int32_t
result_of_error (const DgQueue *q, DWORD error)
{
    if (error == ERROR_OPERATION_ABORTED && is_cancelled (q))
        return DG_IO_CANCELLED;
    return error == ERROR_HANDLE_EOF ? 0 : -(int32_t) error;
}

static int32_t
result_of (const DgQueue *q, OVERLAPPED *overlapped)
{
    DWORD bytes = 0;
    if (overlapped->Internal == STATUS_OK)
        return (int32_t) overlapped->InternalHigh;
    if (GetOverlappedResult (q->file, overlapped, &bytes, FALSE))
        return (int32_t) bytes;
    return result_of_error (q, GetLastError ());
}

static void
submit (DgQueue *q, const DgIo *io)
{
    OVERLAPPED *overlapped = &q->slots[io->slot];
    if ((((uintptr_t) io->buffer | io->offset_bytes | io->length_bytes) & q->misaligned) != 0) {
        answer (q, io->slot, -ERROR_INVALID_PARAMETER);
        return;
    }
    if (is_cancelled (q)) {
        answer (q, io->slot, DG_IO_CANCELLED);
        return;
    }
    *overlapped = (OVERLAPPED){ .Offset = (DWORD) io->offset_bytes,
                                .OffsetHigh = (DWORD) (io->offset_bytes >> 32) };
    BOOL is_done = io->is_write
                       ? WriteFile (q->file, io->buffer, io->length_bytes, NULL, overlapped)
                       : ReadFile (q->file, io->buffer, io->length_bytes, NULL, overlapped);
    DWORD error = is_done ? ERROR_SUCCESS : GetLastError ();
    if (is_done && q->skips_port)
        answer (q, io->slot, result_of (q, overlapped));
    else if (is_done || error == ERROR_IO_PENDING)
        q->in_flight++;
    else if (error == ERROR_NO_SYSTEM_RESOURCES || error == ERROR_WORKING_SET_QUOTA
             || error == ERROR_NOT_ENOUGH_QUOTA)
        q->held[q->n_held++] = io;
    else
        answer (q, io->slot, result_of_error (q, error));
}

/* Again what was held. With nothing under way there is nothing to wait for but a moment. */
static void
submit_held (DgQueue *q)
{
    uint32_t n = q->n_held;
    if (n == 0)
        return;
    if (q->in_flight == 0)
        Sleep (1);
    q->n_held = 0;
    for (uint32_t i = 0; i < n; i++)
        submit (q, q->held[i]); /* writes to held[] only places that have been read */
}

static bool
reap (DgQueue *q, uint32_t most, DWORD wait_ms, DgCompletion *ret_completions, uint32_t *count)
{
    ULONG n = 0;
    if (!GetQueuedCompletionStatusEx (q->port, q->entries, most, &n, wait_ms, FALSE))
        return GetLastError () == WAIT_TIMEOUT;
    for (ULONG i = 0; i < n; i++) {
        OVERLAPPED *overlapped = q->entries[i].lpOverlapped;
        ret_completions[(*count)++] =
            (DgCompletion){ (uint32_t) (overlapped - q->slots), result_of (q, overlapped) };
    }
    q->in_flight -= n;
    return true;
}

static uint32_t
take_ready (DgQueue *q, DgCompletion *ret_completions, uint32_t max)
{
    uint32_t n = q->n_ready < max ? q->n_ready : max;
    memcpy (ret_completions, q->ready, n * sizeof *ret_completions);
    q->n_ready -= n;
    memmove (q->ready, q->ready + n, q->n_ready * sizeof *q->ready);
    return n;
}

static int
overlapped_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                     DgCompletion *ret_completions, uint32_t max)
{
    submit_held (q);
    for (uint32_t i = 0; i < n; i++)
        submit (q, ios[i]);
    uint32_t count = 0;
    if (q->n_ready > 0)
        count = take_ready (q, ret_completions, max);
    while (count < max && q->in_flight > 0) {
        uint32_t before = count, room = max - count < q->depth ? max - count : q->depth;
        if (!reap (q, room, count < min_complete ? INFINITE : 0, ret_completions, &count))
            return -(int) GetLastError ();
        if (count >= min_complete || count == before)
            break;
    }
    return (int) count;
}

/* The worker goes on in `exchange`, and gets what the system gives back through the port. */
static void
overlapped_cancel (DgQueue *q)
{
    atomic_store (&q->is_cancelled, true);
    CancelIoEx (q->file, NULL);
}

static bool
overlapped_settle (DgQueue *q)
{
    if (q->in_flight > 0)
        overlapped_cancel (q);
    for (uint64_t since = GetTickCount64 (), now = since;
         q->in_flight > 0 && now - since < SETTLE_MS; now = GetTickCount64 ()) {
        ULONG n = 0;
        if (!GetQueuedCompletionStatusEx (q->port, q->entries, q->depth, &n,
                                          SETTLE_MS - (DWORD) (now - since), FALSE))
            break;
        q->in_flight -= n;
    }
    return q->in_flight == 0;
}

/* The system writes into each OVERLAPPED when its I/O ends: with one under way nothing is freed. */
static void
overlapped_close (DgQueue *q)
{
    if (q == NULL)
        return;
    if (!overlapped_settle (q)) {
        dg__graveyard_bury (q);
        return;
    }
    if (q->file != INVALID_HANDLE_VALUE)
        dg__backend_file_close (&q->own);
    free (q->slots);
    free (q->entries);
    free (q->held);
    free (q->ready);
    free (q);
}

static int
overlapped_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    const char *operation = "malloc";
    DWORD error = ERROR_NOT_ENOUGH_MEMORY;
    DgQueue *q = calloc (1, sizeof *q);
    if (q == NULL)
        goto failed;
    q->file = INVALID_HANDLE_VALUE;
    q->depth = setup->queue_depth;
    q->slots = calloc (q->depth, sizeof *q->slots);
    q->entries = calloc (q->depth, sizeof *q->entries);
    q->held = calloc (q->depth, sizeof *q->held);
    q->ready = calloc (q->depth, sizeof *q->ready);
    if (q->slots == NULL || q->entries == NULL || q->held == NULL || q->ready == NULL)
        goto failed;

    operation = "open";
    if (!dg__backend_file_open (setup, true, &q->own)) {
        error = GetLastError ();
        goto failed;
    }
    q->file = q->own.handle.file;
    q->misaligned = q->own.sector_bytes == 0 ? 0 : q->own.sector_bytes - 1;
    operation = "CreateIoCompletionPort";
    if (q->own.handle.port == NULL)
        q->own.handle.port = CreateIoCompletionPort (
            q->file, NULL, 0, 1); /* NULL, not INVALID_HANDLE_VALUE, on failure */
    error = GetLastError ();
    q->port = q->own.handle.port;
    if (q->port == NULL)
        goto failed;
    /* The event in the handle is nobody's; and an I/O that has ended needs no way through the port.
     */
    q->skips_port = SetFileCompletionNotificationModes (
        q->file, FILE_SKIP_COMPLETION_PORT_ON_SUCCESS | FILE_SKIP_SET_EVENT_ON_HANDLE);
    *ret_queue = q;
    return DG_OK;

failed:
    overlapped_close (q);
    *ret_detail = (DgErrorDetail){ .operation = operation, .os_code = (int) error };
    return dg_error_from_os ((int) error);
}

const DgBackend dg__backend_overlapped = {
    .id = DG_BACKEND_OVERLAPPED,
    .probe = overlapped_probe,
    .open = overlapped_open,
    .exchange = overlapped_exchange,
    .cancel = overlapped_cancel,
    .settle = overlapped_settle,
    .close = overlapped_close,
};
