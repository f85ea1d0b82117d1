/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io_uring, straight on the system calls (io_uring_setup(2), io_uring_enter(2),
 * io_uring_register(2)): a slot keeps its own submission entry, so that only what changes is
 * written for each I/O, and one call submits and waits. The ring belongs to the thread that opened
 * it. */
#include "engine/linux/backends.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "engine/data.h"

/* Newer than the oldest kernel headers we build with (values: the kernel's
 * include/uapi/linux/io_uring.h). */
#define SETUP_COOP_TASKRUN  (1u << 8)
#define SETUP_SINGLE_ISSUER (1u << 12)
#define SETUP_DEFER_TASKRUN (1u << 13)
#define ENTER_REGISTERED    (1u << 4)
#define REGISTER_RING_FDS   20u
#define FEAT_NATIVE_WORKERS (1u << 9)
#define NEEDED_FEATURES                                                                            \
    (IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP                                                  \
     | IORING_FEAT_RW_CUR_POS) /* Linux 5.6, with OP_READ and OP_WRITE */

#define MAX_REISSUED 256u

#define READ  0
#define WRITE 1

typedef struct {
    uint32_t offset, reserved;
    uint64_t data;
} RingUpdate;

/* The first eight bytes of a submission entry in one store. */
typedef union {
    struct {
        uint8_t opcode, flags;
        uint16_t ioprio;
        int32_t fd;
    };
    uint64_t word;
} EntryHead;

/* What entries of one direction have in common. Of the registered buffers each slot's own is first,
 * by its number; then comes the pool. */
typedef struct {
    EntryHead head;
    int rw_flags;
    uint32_t buffer_base, slot_mask; /* a slot's buffer: the base, plus the slot where masked in */
} DgDirectionSetup;

struct DgQueue {
    /* each round */
    _Atomic uint32_t *sq_tail, *cq_head, *cq_tail;
    uint32_t *sq_array;
    struct io_uring_sqe *entries; /* one a slot */
    struct io_uring_cqe *results;
    uint32_t sq_mask, cq_mask;
    uint32_t tail;        /* our own copy of *sq_tail */
    uint32_t unsubmitted; /* entries the kernel has not taken yet */
    uint32_t under_way;   /* taken and not yet reaped */
    uint32_t n_reissued;  /* since the last pause for it */
    int enter_fd;
    uint32_t enter_flags;
    DgDirectionSetup direction[2];

    int fd;
    void *rings;
    size_t rings_bytes, entries_bytes;
    DgHelperTasks helpers;
};

static int
ring_setup (uint32_t entries, struct io_uring_params *params)
{
    return (int) syscall (SYS_io_uring_setup, entries, params);
}

static int
ring_register (int fd, uint32_t what, const void *argument, uint32_t n)
{
    return (int) syscall (SYS_io_uring_register, fd, what, argument, n);
}

/* From the best set of flags down to none; a kernel that does not know one says EINVAL. */
static int
ring_setup_best (uint32_t entries, struct io_uring_params *params)
{
    static const uint32_t ladder[] = {
        SETUP_SINGLE_ISSUER | SETUP_DEFER_TASKRUN, /* 6.1 */
        SETUP_SINGLE_ISSUER | SETUP_COOP_TASKRUN,  /* 6.0 */
        SETUP_COOP_TASKRUN,                        /* 5.19 */
        0,
    };
    int fd = -1;
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        memset (params, 0, sizeof *params);
        params->flags = ladder[i] | IORING_SETUP_CLAMP;
        fd = ring_setup (entries, params);
        if (fd >= 0 || errno != EINVAL)
            break;
    }
    return fd;
}

static int
refuse (int code, const char *operation, int os_code, DgErrorDetail *ret_detail)
{
    *ret_detail = (DgErrorDetail){ .operation = operation, .os_code = os_code };
    return code;
}

static int
io_uring_probe (DgErrorDetail *ret_detail)
{
    struct io_uring_params params = { 0 };
    int fd = ring_setup (1, &params);
    if (fd < 0)
        return refuse (DG_ERROR_NOT_SUPPORTED, "io_uring_setup", errno, ret_detail);
    close (fd);
    if ((params.features & NEEDED_FEATURES) != NEEDED_FEATURES)
        return refuse (DG_ERROR_NOT_SUPPORTED, "io_uring_setup", ENOSYS, ret_detail);
    return DG_OK;
}

/* Read slots, each alone, and the pool as one piece. */
static bool
register_pieces (DgQueue *q, const DgQueueSetup *setup, bool has_slots, bool has_pool)
{
    uint32_t n_slots = has_slots ? setup->queue_depth : 0, n = n_slots + has_pool;
    struct iovec *buffers = n > 0 ? calloc (n, sizeof *buffers) : NULL;
    if (buffers == NULL)
        return false;
    for (uint32_t i = 0; i < n_slots; i++)
        buffers[i] =
            (struct iovec){ setup->memory[READ] + i * setup->block_bytes, setup->block_bytes };
    if (has_pool)
        buffers[n_slots] = (struct iovec){ setup->memory[WRITE], setup->memory_bytes[WRITE] };
    bool is_done = ring_register (q->fd, IORING_REGISTER_BUFFERS, buffers, n) == 0;
    free (buffers);
    return is_done;
}

/* A request in a buffer of its own, in one page or one huge page, is never looked at for splitting:
 * 170 instructions less than from a place within a large one. That holds for the slots; of the
 * pool's thousands of places what the kernel notes of each would have to come from memory, and at
 * 4K one large buffer takes 5 % less processor time. Returns what could be had: an unprivileged
 * user may lock 8 MiB only. */
static void
register_buffers (DgQueue *q, const DgQueueSetup *setup, bool ret_is_fixed[2])
{
    bool has_slots = setup->memory[READ] != NULL, has_pool = setup->memory[WRITE] != NULL;
    ret_is_fixed[WRITE] = has_pool && register_pieces (q, setup, has_slots, true);
    ret_is_fixed[READ] =
        has_slots && (ret_is_fixed[WRITE] || register_pieces (q, setup, true, false));
    if (ret_is_fixed[READ])
        q->direction[READ].slot_mask = UINT32_MAX;
    if (ret_is_fixed[WRITE])
        q->direction[WRITE].buffer_base = has_slots ? setup->queue_depth : 0;
}

/* Each of these saves some work a call, and each may be refused. */
static void
register_what_can_be (DgQueue *q, const DgQueueSetup *setup)
{
    int handle = (int) setup->handle;
    bool has_file = ring_register (q->fd, IORING_REGISTER_FILES, &handle, 1) == 0;
    bool is_fixed[2] = { false, false };
    register_buffers (q, setup, is_fixed);

    uint8_t flags = has_file ? IOSQE_FIXED_FILE : 0;
    int32_t fd = has_file ? 0 : handle;
    q->direction[READ].head =
        (EntryHead){ { is_fixed[READ] ? IORING_OP_READ_FIXED : IORING_OP_READ, flags, 0, fd } };
    q->direction[WRITE].head =
        (EntryHead){ { is_fixed[WRITE] ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE, flags, 0, fd } };
    q->direction[WRITE].rw_flags = setup->write_through ? RWF_DSYNC : 0;

    RingUpdate update = { .offset = UINT32_MAX, .data = (uint64_t) q->fd };
    if (ring_register (q->fd, REGISTER_RING_FDS, &update, 1) == 1) {
        q->enter_fd = (int) update.offset;
        q->enter_flags = ENTER_REGISTERED;
    } else {
        q->enter_fd = q->fd;
    }
}

static void
io_uring_close (DgQueue *q)
{
    if (q == NULL)
        return;
    if (q->entries != NULL)
        munmap (q->entries, q->entries_bytes);
    if (q->rings != NULL)
        munmap (q->rings, q->rings_bytes);
    if (q->fd >= 0)
        close (q->fd);
    free (q);
}

static int
map_rings (DgQueue *q, const struct io_uring_params *params)
{
    size_t sq_bytes = params->sq_off.array + params->sq_entries * sizeof (uint32_t);
    size_t cq_bytes = params->cq_off.cqes + params->cq_entries * sizeof (struct io_uring_cqe);
    q->rings_bytes = sq_bytes > cq_bytes ? sq_bytes : cq_bytes;
    q->entries_bytes = params->sq_entries * sizeof (struct io_uring_sqe);
    void *rings = mmap (NULL, q->rings_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                        q->fd, IORING_OFF_SQ_RING);
    if (rings == MAP_FAILED)
        return -1;
    q->rings = rings;
    void *entries = mmap (NULL, q->entries_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                          q->fd, IORING_OFF_SQES);
    if (entries == MAP_FAILED)
        return -1;
    q->entries = entries;

    unsigned char *at = rings;
    q->sq_tail = (_Atomic uint32_t *) (void *) (at + params->sq_off.tail);
    q->sq_mask = *(uint32_t *) (void *) (at + params->sq_off.ring_mask);
    q->sq_array = (uint32_t *) (void *) (at + params->sq_off.array);
    q->cq_head = (_Atomic uint32_t *) (void *) (at + params->cq_off.head);
    q->cq_tail = (_Atomic uint32_t *) (void *) (at + params->cq_off.tail);
    q->cq_mask = *(uint32_t *) (void *) (at + params->cq_off.ring_mask);
    q->results = (struct io_uring_cqe *) (void *) (at + params->cq_off.cqes);
    return 0;
}

static inline void
offer (DgQueue *q, uint32_t slot)
{
    q->sq_array[q->tail++ & q->sq_mask] = slot;
    q->unsubmitted++;
}

/* Locals, since the compiler must take each store for one that may change the queue. */
static inline void
offer_all (DgQueue *q, DgIo *const *ios, uint32_t n)
{
    struct io_uring_sqe *entries = q->entries;
    uint32_t *array = q->sq_array;
    uint32_t tail = q->tail, mask = q->sq_mask;
    for (uint32_t i = 0; i < n; i++) {
        const DgIo *io = ios[i];
        uint32_t slot = io->slot;
        const DgDirectionSetup *direction = &q->direction[io->is_write];
        struct io_uring_sqe *entry = &entries[slot];
        memcpy (entry, &direction->head.word, sizeof (uint64_t));
        entry->off = io->offset_bytes;
        entry->addr = (uintptr_t) io->buffer;
        entry->len = io->length_bytes;
        entry->rw_flags = direction->rw_flags;
        entry->buf_index = (uint16_t) (direction->buffer_base + (slot & direction->slot_mask));
        array[tail++ & mask] = slot;
    }
    q->tail = tail;
    q->unsubmitted += n;
}

static inline uint32_t
reap (DgQueue *q, DgCompletion *ret_completions, uint32_t max)
{
    uint32_t head = atomic_load_explicit (q->cq_head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit (q->cq_tail, memory_order_acquire);
    uint32_t first = head, n = 0, mask = q->cq_mask;
    const struct io_uring_cqe *results = q->results;
    for (; head != tail && n < max; head++) {
        const struct io_uring_cqe *result = &results[head & mask];
        if (__builtin_expect (result->res == -EAGAIN, 0)) {
            offer (q, (uint32_t) result->user_data); /* its entry still stands as it was */
            q->n_reissued++;
            continue;
        }
        ret_completions[n++] = (DgCompletion){ (uint32_t) result->user_data, result->res };
    }
    if (head != first)
        atomic_store_explicit (q->cq_head, head, memory_order_release);
    q->under_way -= head - first;
    return n;
}

/* The kernel is short of memory for requests: wait for what is under way, or a moment. */
static __attribute__ ((noinline, cold)) int
wait_for_room (DgQueue *q)
{
    if (q->under_way == 0) {
        struct timespec moment = { 0, 1000000 };
        nanosleep (&moment, NULL);
        return 0;
    }
    long n = syscall (SYS_io_uring_enter, q->enter_fd, 0, 1,
                      q->enter_flags | IORING_ENTER_GETEVENTS, NULL, 0);
    return n < 0 && errno != EINTR ? -errno : 0;
}

static int
io_uring_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                   DgCompletion *ret_completions, uint32_t max)
{
    offer_all (q, ios, n);
    uint32_t reaped = 0;
    do {
        atomic_store_explicit (q->sq_tail, q->tail, memory_order_release);
        uint32_t wait_for = min_complete > reaped ? min_complete - reaped : 0;
        uint32_t flags = q->enter_flags | (wait_for > 0 ? IORING_ENTER_GETEVENTS : 0);
        bool is_interrupted = false;
        if (q->unsubmitted > 0 || wait_for > 0) {
            long taken =
                syscall (SYS_io_uring_enter, q->enter_fd, q->unsubmitted, wait_for, flags, NULL, 0);
            if (__builtin_expect (taken >= 0, 1)) {
                q->unsubmitted -= (uint32_t) taken;
                q->under_way += (uint32_t) taken;
            } else if (errno == EINTR) {
                is_interrupted = true;
            } else if (errno == EAGAIN || errno == EBUSY) {
                int broken = wait_for_room (q);
                if (broken < 0)
                    return broken;
            } else {
                return -errno;
            }
        }
        reaped += reap (q, ret_completions + reaped, max - reaped);
        if (is_interrupted)
            break;
        if (__builtin_expect (q->n_reissued > MAX_REISSUED, 0)) {
            nanosleep (&(struct timespec){ 0, 100000 },
                       NULL); /* not to spin on a drive that only says "later" */
            q->n_reissued = 0;
            break; /* the worker looks for a stop */
        }
    } while (reaped < min_complete);
    return (int) reaped;
}

/* An operation that only a helper carries out makes one, if there is none. */
static bool
make_helper (void *data)
{
    DgQueue *q = data;
    DgCompletion ended;
    int got = 0;
    q->entries[0] = (struct io_uring_sqe){ .opcode = IORING_OP_NOP, .flags = IOSQE_ASYNC };
    offer (q, 0);
    for (int tries = 0; tries < 100 && got == 0; tries++)
        got = io_uring_exchange (q, NULL, 0, 1, &ended, 1);
    return got == 1;
}

static int
io_uring_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    DgQueue *q = calloc (1, sizeof *q);
    if (q == NULL)
        return refuse (DG_ERROR_NO_MEMORY, "io_uring_setup", ENOMEM, ret_detail);
    struct io_uring_params params;
    q->fd = ring_setup_best (setup->queue_depth, &params);
    if (q->fd < 0 || map_rings (q, &params) < 0) {
        int os_code = errno;
        io_uring_close (q);
        return refuse (os_code == ENOMEM ? DG_ERROR_NO_MEMORY : DG_ERROR_NOT_SUPPORTED,
                       "io_uring_setup", os_code, ret_detail);
    }
    memset (q->entries, 0, q->entries_bytes);
    for (uint32_t i = 0; i < setup->queue_depth; i++)
        q->entries[i].user_data = i;
    register_what_can_be (q, setup);
    if ((params.features & FEAT_NATIVE_WORKERS) != 0) /* 5.12: they are in our process */
        q->helpers.owner = dg__helper_owner (make_helper, q);
    *ret_queue = q;
    return DG_OK;
}

/* The ring may be broken: it is looked at, each millisecond for a second, and not waited in. The
 * kernel takes a closed ring apart when it has time: what the ring holds of the file and of the
 * memory that the user may lock is given back before. */
static bool
io_uring_settle (DgQueue *q)
{
    DgCompletion ended;
    for (int i = 0; i < 1000 && q->under_way > 0; i++) {
        if (i > 0)
            nanosleep (&(struct timespec){ 0, 1000000 }, NULL);
        syscall (SYS_io_uring_enter, q->enter_fd, 0, 0, q->enter_flags | IORING_ENTER_GETEVENTS,
                 NULL, 0);
        while (reap (q, &ended, 1) > 0)
            ;
    }
    if (q->under_way > 0)
        return false;
    ring_register (q->fd, IORING_UNREGISTER_FILES, NULL, 0);
    ring_register (q->fd, IORING_UNREGISTER_BUFFERS, NULL, 0);
    return true;
}

static uint64_t
io_uring_kernel_cpu_ns (DgQueue *q)
{
    return dg__helper_tasks_cpu_ns (&q->helpers);
}

const DgBackend dg__backend_io_uring = {
    .id = DG_BACKEND_IO_URING,
    .probe = io_uring_probe,
    .open = io_uring_open,
    .exchange = io_uring_exchange,
    .settle = io_uring_settle,
    .close = io_uring_close,
    .kernel_cpu_ns = io_uring_kernel_cpu_ns,
};
