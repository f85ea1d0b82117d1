/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/null/null.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/clock.h"

typedef struct {
    uint64_t due_ns;
    uint64_t order; /* of I/Os due at the same time the earlier submitted ends first */
    DgCompletion completion;
    uint64_t bytes;
    bool is_write;
} Pending;

struct DgQueue {
    const DgNullScript *script;
    intptr_t handle;
    uint32_t pass, worker;
    uint64_t number;
    uint32_t n_calls;
    _Atomic bool is_cancelled;
    uint32_t n_pending, capacity;
    Pending pending[]; /* by rising due_ns */
};

static int
null_probe (DgErrorDetail *ret_detail)
{
    return DG_OK;
}

static int
null_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    if (setup->null_script == NULL)
        return DG_ERROR_INVALID;
    if (setup->null_script->open_error != DG_OK) {
        ret_detail->operation = "null_open";
        return setup->null_script->open_error;
    }
    DgQueue *queue = calloc (1, sizeof *queue + setup->queue_depth * sizeof (Pending));
    if (queue == NULL) {
        ret_detail->operation = "malloc";
        return DG_ERROR_NO_MEMORY;
    }
    queue->script = setup->null_script;
    queue->handle = setup->handle;
    queue->pass = dg__null_file_pass (setup->handle);
    queue->worker = setup->worker;
    queue->capacity = setup->queue_depth;
    *ret_queue = queue;
    return DG_OK;
}

static void
submit (DgQueue *queue, const DgIo *io, uint64_t now_ns)
{
    if (queue->n_pending == queue->capacity)
        abort (); /* more I/Os than slots: the worker is wrong */
    DgNullAnswer answer = { queue->script->latency_ns, (int32_t) io->length_bytes };
    if (queue->script->answer != NULL) {
        DgNullIo told = { dg__null_file_index (queue->handle),
                          queue->pass,
                          queue->worker,
                          queue->number,
                          now_ns,
                          io->offset_bytes,
                          io->length_bytes,
                          io->is_write,
                          io->buffer };
        queue->script->answer (queue->script, &told, &answer);
    }
    Pending entry = { UINT64_MAX, queue->number++, { io->slot, answer.result }, 0, io->is_write };
    if (answer.latency_ns != DG_NULL_NEVER)
        entry.due_ns = now_ns + (answer.latency_ns == 0 ? 1 : answer.latency_ns);
    if (answer.result > 0)
        entry.bytes = (uint64_t) answer.result;
    uint32_t k = queue->n_pending++;
    for (; k > 0 && queue->pending[k - 1].due_ns > entry.due_ns; k--)
        queue->pending[k] = queue->pending[k - 1];
    queue->pending[k] = entry;
}

/* Nothing wakes a thread that sleeps: who can be cancelled looks up now and then. */
#define LOOK_NS 50000000u

static void
wait_for (DgQueue *queue, uint64_t due_ns)
{
    if (!queue->script->gives_back) {
        dg__sleep_until_ns (due_ns);
        return;
    }
    for (uint64_t now; (now = dg__clock_ns ()) < due_ns && !atomic_load (&queue->is_cancelled);)
        dg__sleep_until_ns (due_ns - now < LOOK_NS ? due_ns : now + LOOK_NS);
    if (!atomic_load (&queue->is_cancelled))
        return;
    for (uint32_t i = 0; i < queue->n_pending; i++) {
        Pending *pending = &queue->pending[i];
        if (pending->due_ns <= dg__clock_ns ())
            continue;
        pending->due_ns = 0;
        pending->bytes = 0;
        pending->completion.result = DG_IO_CANCELLED;
    }
}

static int
null_exchange (DgQueue *queue, DgIo *const *ios, uint32_t n, uint32_t min_complete,
               DgCompletion *ret_completions, uint32_t max)
{
    uint64_t now = dg__clock_ns ();
    for (uint32_t i = 0; i < n; i++)
        submit (queue, ios[i], now);
    if (queue->pass == 0 && ++queue->n_calls == queue->script->breaks_at)
        return -EIO;
    if (min_complete > queue->n_pending)
        min_complete = queue->n_pending;
    if (min_complete > 0 && queue->pending[min_complete - 1].due_ns > now) {
        wait_for (queue, queue->pending[min_complete - 1].due_ns);
        now = dg__clock_ns ();
    }
    uint32_t done = 0;
    while (done < max && done < queue->n_pending && queue->pending[done].due_ns <= now) {
        dg__null_file_count (queue->handle, queue->pending[done].bytes,
                             queue->pending[done].is_write);
        ret_completions[done] = queue->pending[done].completion;
        done++;
    }
    queue->n_pending -= done;
    for (uint32_t i = 0; i < queue->n_pending; i++)
        queue->pending[i] = queue->pending[i + done];
    return (int) done;
}

static void
null_cancel (DgQueue *queue)
{
    atomic_store (&queue->is_cancelled, true);
}

static bool
null_settle (DgQueue *queue)
{
    return queue->n_pending == 0 || !queue->script->is_lost;
}

static void
null_close (DgQueue *queue)
{
    free (queue);
}

const DgBackend dg__backend_null = {
    .id = DG_BACKEND_NULL,
    .probe = null_probe,
    .open = null_open,
    .exchange = null_exchange,
    .cancel = null_cancel,
    .settle = null_settle,
    .close = null_close,
};
