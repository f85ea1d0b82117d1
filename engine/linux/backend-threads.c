/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pread(2) and pwrite(2). At depth 1 in the worker itself; deeper, by one thread of ours a slot. */
#include "engine/linux/backends.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (64u * 1024u)

struct DgQueue {
    int fd, write_flags;
    uint32_t depth;
    _Atomic bool is_cancelled;

    /* deeper than 1 */
    pthread_t *threads;
    uint32_t n_threads;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work, done;
    const DgIo **waiting; /* a ring of `depth` */
    uint32_t first_waiting, n_waiting;
    DgCompletion *completed; /* at most `depth` */
    uint32_t n_completed, wanted;
    bool is_closing;
};

static int
threads_probe (DgErrorDetail *ret_detail)
{
    (void) ret_detail;
    return DG_OK;
}

static int32_t
transfer (const DgQueue *q, const DgIo *io)
{
    struct iovec memory = { io->buffer, io->length_bytes };
    ssize_t n;
    bool is_again = false;
    do {
        if (atomic_load_explicit (&q->is_cancelled, memory_order_relaxed))
            return DG_IO_CANCELLED;
        if (is_again)
            nanosleep (&(struct timespec){ 0, 100000 }, NULL);
        if (!io->is_write)
            n = pread (q->fd, io->buffer, io->length_bytes, (off_t) io->offset_bytes);
        else if (q->write_flags == 0)
            n = pwrite (q->fd, io->buffer, io->length_bytes, (off_t) io->offset_bytes);
        else
            n = pwritev2 (q->fd, &memory, 1, (off_t) io->offset_bytes, q->write_flags);
        is_again = n < 0 && errno == EAGAIN;
    } while (is_again || (n < 0 && errno == EINTR));
    return n < 0 ? -errno : (int32_t) n;
}

static void *
serve (void *data)
{
    DgQueue *q = data;
    pthread_mutex_lock (&q->lock);
    for (;;) {
        while (q->n_waiting == 0 && !q->is_closing)
            pthread_cond_wait (&q->work, &q->lock);
        if (q->n_waiting == 0)
            break;
        const DgIo *io = q->waiting[q->first_waiting];
        q->first_waiting = (q->first_waiting + 1) % q->depth;
        q->n_waiting--;
        pthread_mutex_unlock (&q->lock);

        int32_t result = transfer (q, io);

        pthread_mutex_lock (&q->lock);
        q->completed[q->n_completed++] = (DgCompletion){ io->slot, result };
        if (q->wanted > 0 && q->n_completed >= q->wanted)
            pthread_cond_signal (&q->done);
    }
    pthread_mutex_unlock (&q->lock);
    return NULL;
}

static void
threads_close (DgQueue *q)
{
    if (q == NULL)
        return;
    pthread_mutex_lock (&q->lock);
    q->is_closing = true;
    pthread_cond_broadcast (&q->work);
    pthread_mutex_unlock (&q->lock);
    for (uint32_t i = 0; i < q->n_threads; i++)
        pthread_join (q->threads[i], NULL);
    pthread_cond_destroy (&q->work);
    pthread_cond_destroy (&q->done);
    pthread_mutex_destroy (&q->lock);
    free (q->threads);
    free (q->waiting);
    free (q->completed);
    free (q);
}

static int
start_threads (DgQueue *q)
{
    pthread_attr_t attributes;
    pthread_attr_init (&attributes);
    pthread_attr_setstacksize (&attributes, STACK_BYTES);
    int error = 0;
    while (error == 0 && q->n_threads < q->depth) {
        error = pthread_create (&q->threads[q->n_threads], &attributes, serve, q);
        if (error == 0)
            pthread_setname_np (q->threads[q->n_threads++], "dg-io");
    }
    pthread_attr_destroy (&attributes);
    return error;
}

static int
threads_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    int os_code = ENOMEM;
    DgQueue *q = calloc (1, sizeof *q);
    if (q == NULL)
        goto failed;
    q->fd = (int) setup->handle;
    q->write_flags = setup->write_through ? RWF_DSYNC : 0;
    q->depth = setup->queue_depth;
    pthread_mutex_init (&q->lock, NULL);
    pthread_cond_init (&q->work, NULL);
    pthread_cond_init (&q->done, NULL);
    if (q->depth > 1) {
        q->threads = calloc (q->depth, sizeof *q->threads);
        q->waiting = calloc (q->depth, sizeof *q->waiting);
        q->completed = calloc (q->depth, sizeof *q->completed);
        if (q->threads == NULL || q->waiting == NULL || q->completed == NULL)
            goto failed;
        os_code = start_threads (q);
        if (os_code != 0)
            goto failed;
    }
    *ret_queue = q;
    return DG_OK;

failed:
    threads_close (q);
    *ret_detail = (DgErrorDetail){ .operation = "pthread_create", .os_code = os_code };
    return os_code == ENOMEM ? DG_ERROR_NO_MEMORY : DG_ERROR_SYSTEM;
}

static int
threads_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                  DgCompletion *ret_completions, uint32_t max)
{
    if (q->depth == 1) {
        for (uint32_t i = 0; i < n; i++)
            ret_completions[i] = (DgCompletion){ ios[i]->slot, transfer (q, ios[i]) };
        return (int) n;
    }

    pthread_mutex_lock (&q->lock);
    for (uint32_t i = 0; i < n; i++) {
        q->waiting[(q->first_waiting + q->n_waiting++) % q->depth] = ios[i];
        pthread_cond_signal (&q->work);
    }
    q->wanted = min_complete;
    while (q->n_completed < min_complete)
        pthread_cond_wait (&q->done, &q->lock);
    q->wanted = 0;
    uint32_t taken = q->n_completed < max ? q->n_completed : max;
    memcpy (ret_completions, q->completed, taken * sizeof *ret_completions);
    q->n_completed -= taken;
    memmove (q->completed, q->completed + taken, q->n_completed * sizeof *q->completed);
    pthread_mutex_unlock (&q->lock);
    return (int) taken;
}

/* What waits for a thread, or is tried again and again, comes back; what is in the kernel does when
 * it is done. */
static void
threads_cancel (DgQueue *q)
{
    atomic_store (&q->is_cancelled, true);
}

static uint64_t
threads_helper_cpu_ns (DgQueue *q)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < q->n_threads; i++) {
        clockid_t clock;
        struct timespec t;
        if (pthread_getcpuclockid (q->threads[i], &clock) == 0 && clock_gettime (clock, &t) == 0)
            sum += (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
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
