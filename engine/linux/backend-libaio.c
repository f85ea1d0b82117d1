/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's older AIO (io_setup(2), io_submit(2), io_getevents(2)), called directly: the library
 * of that name is not needed. Its io_submit may block; the worker's stamp is taken before it, so
 * that shows in the latency. */
#include "engine/linux/backends.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_REISSUED 256u

struct DgQueue {
    aio_context_t context;
    struct iocb *blocks;   /* one a slot */
    struct iocb **offered; /* not yet taken by the kernel, in order */
    struct io_event *events;
    uint32_t n_offered, under_way, queue_depth, n_reissued;
    uint32_t write_flags;
    int fd;
};

static int
libaio_probe (DgErrorDetail *ret_detail)
{
    aio_context_t context = 0;
    if (syscall (SYS_io_setup, 1, &context) < 0) {
        *ret_detail = (DgErrorDetail){ .operation = "io_setup", .os_code = errno };
        return DG_ERROR_NOT_SUPPORTED;
    }
    syscall (SYS_io_destroy, context);
    return DG_OK;
}

static void
libaio_close (DgQueue *q)
{
    if (q == NULL)
        return;
    if (q->context != 0)
        syscall (SYS_io_destroy, q->context);
    free (q->blocks);
    free (q->offered);
    free (q->events);
    free (q);
}

static int
libaio_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    int os_code = ENOMEM;
    DgQueue *q = calloc (1, sizeof *q);
    if (q == NULL)
        goto failed;
    q->queue_depth = setup->queue_depth;
    q->fd = (int) setup->handle;
    q->write_flags = setup->write_through ? RWF_DSYNC : 0;
    q->blocks = calloc (q->queue_depth, sizeof *q->blocks);
    q->offered = calloc (q->queue_depth, sizeof *q->offered);
    q->events = calloc (q->queue_depth, sizeof *q->events);
    if (q->blocks == NULL || q->offered == NULL || q->events == NULL)
        goto failed;
    if (syscall (SYS_io_setup, q->queue_depth, &q->context) < 0) {
        os_code = errno;
        q->context = 0;
        goto failed;
    }
    for (uint32_t i = 0; i < q->queue_depth; i++)
        q->blocks[i] = (struct iocb){ .aio_data = i, .aio_fildes = (uint32_t) q->fd };
    *ret_queue = q;
    return DG_OK;

failed:
    libaio_close (q);
    *ret_detail = (DgErrorDetail){ .operation = "io_setup", .os_code = os_code };
    return os_code == ENOMEM ? DG_ERROR_NO_MEMORY : DG_ERROR_NOT_SUPPORTED;
}

/* Offers what there is. 0, or a negative OS code when the queue is broken. An I/O that io_submit
 * itself refuses (EIO, EINVAL, ...) is the first of the list; it comes back as a completion in
 * *ret_refused. */
static int
submit (DgQueue *q, DgCompletion *ret_refused, uint32_t *ret_n_refused)
{
    uint32_t done = 0;
    int broken = 0;
    *ret_n_refused = 0;
    while (done < q->n_offered) {
        long taken =
            syscall (SYS_io_submit, q->context, (long) (q->n_offered - done), q->offered + done);
        if (taken > 0) {
            done += (uint32_t) taken;
            q->under_way += (uint32_t) taken;
            continue;
        }
        if (taken == 0 || errno == EAGAIN || errno == EINTR)
            break; /* again in the next call */
        if (errno == EFAULT || errno == ENOSYS) {
            broken = -errno;
            break;
        }
        *ret_refused = (DgCompletion){ (uint32_t) q->offered[done]->aio_data, -errno };
        *ret_n_refused = 1;
        done++;
        break;
    }
    for (uint32_t i = done; i < q->n_offered; i++)
        q->offered[i - done] = q->offered[i];
    q->n_offered -= done;
    return broken;
}

static uint32_t
take_events (DgQueue *q, uint32_t n, DgCompletion *ret_completions)
{
    uint32_t reaped = 0;
    q->under_way -= n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = (uint32_t) q->events[i].data;
        int64_t result = (int64_t) q->events[i].res;
        if (result == -EAGAIN)
            q->offered[q->n_offered++] = &q->blocks[slot];
        else
            ret_completions[reaped++] = (DgCompletion){ slot, (int32_t) result };
    }
    return reaped;
}

static int
libaio_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                 DgCompletion *ret_completions, uint32_t max)
{
    for (uint32_t i = 0; i < n; i++) {
        const DgIo *io = ios[i];
        struct iocb *block = &q->blocks[io->slot];
        block->aio_lio_opcode = io->is_write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
        block->aio_rw_flags = (__kernel_rwf_t) (io->is_write ? q->write_flags : 0);
        block->aio_buf = (uintptr_t) io->buffer;
        block->aio_nbytes = io->length_bytes;
        block->aio_offset = (int64_t) io->offset_bytes;
        q->offered[q->n_offered++] = block;
    }

    uint32_t reaped = 0;
    do {
        if (q->n_offered > 0 && reaped < max) {
            uint32_t refused;
            int broken = submit (q, ret_completions + reaped, &refused);
            if (broken < 0)
                return broken;
            reaped += refused;
        }
        if (reaped >= min_complete || reaped == max)
            break;
        if (q->under_way == 0) { /* the kernel took none: it is short of memory for requests */
            struct timespec moment = { 0, 1000000 };
            nanosleep (&moment, NULL);
            continue;
        }
        long got = syscall (SYS_io_getevents, q->context, (long) (min_complete - reaped),
                            (long) (max - reaped), q->events, NULL);
        if (got < 0)
            return errno == EINTR ? (int) reaped : -errno;
        uint32_t taken = take_events (q, (uint32_t) got, ret_completions + reaped);
        reaped += taken;
        q->n_reissued += (uint32_t) got - taken;
        if (q->n_reissued > MAX_REISSUED) { /* not to spin on a drive that only says "later" */
            struct timespec moment = { 0, 100000 };
            nanosleep (&moment, NULL);
            q->n_reissued = 0;
            break; /* the worker looks for a stop */
        }
    } while (reaped < min_complete);
    return (int) reaped;
}

/* io_destroy (2) would wait for as long as the drive likes. */
static bool
libaio_settle (DgQueue *q)
{
    for (int i = 0; i < 10 && q->under_way > 0; i++) {
        struct timespec moment = { 0, 100000000 };
        long got = syscall (SYS_io_getevents, q->context, (long) q->under_way,
                            (long) q->queue_depth, q->events, &moment);
        if (got > 0)
            q->under_way -= (uint32_t) got;
        else if (got < 0 && errno != EINTR)
            break;
    }
    return q->under_way == 0;
}

const DgBackend dg__backend_libaio = {
    .id = DG_BACKEND_LIBAIO,
    .probe = libaio_probe,
    .open = libaio_open,
    .exchange = libaio_exchange,
    .settle = libaio_settle,
    .close = libaio_close,
};
