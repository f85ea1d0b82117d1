/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: how I/O is handed to the system. A backend is a const table; a queue belongs to the one thread that opened it. */
#pragma once

#include "engine/error.h"
#include "engine/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A slot of a worker: one I/O, in flight at most once at a time. */
typedef struct {
    uint64_t offset_bytes;
    unsigned char *buffer;
    uint32_t length_bytes;
    uint32_t slot;               /* its own index */
    bool is_write;
} DgIo;

typedef struct {
    uint32_t slot;
    int32_t result;              /* bytes, or a negative OS code (0 on a read: the drive ended), or DG_IO_CANCELLED */
} DgCompletion;

#define DG_IO_CANCELLED INT32_MIN /* given back because `cancel` asked for it: neither moved nor failed */

typedef struct {
    intptr_t handle;             /* the test file (each worker may get its own) */
    const char *path;            /* (nullable) Windows: each worker opens the file itself */
    unsigned char *memory[2];    /* (nullable) everything that buffers point into: read slots (slot i at i * block), write pool */
    size_t memory_bytes[2];
    uint32_t queue_depth;
    uint64_t block_bytes;
    bool write_through;
    const struct DgNullScript *null_script; /* (nullable) */
    uint32_t worker;             /* index of the worker in its step */
} DgQueueSetup;

typedef struct DgQueue DgQueue;

typedef struct {
    DgBackendId id;

    /* 0, or DG_ERROR_NOT_SUPPORTED when this system refuses it (ENOSYS, EPERM, seccomp). Cheap; called once a process. */
    int (*probe) (DgErrorDetail *ret_detail);

    /* In the worker's own thread, before measuring; may allocate. */
    int (*open) (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail);

    /* Hands `n` I/Os over (all are taken: what the kernel does not take at once the queue keeps and offers again in the next call), then
     * waits until at least `min_complete` (0 = do not wait) have completed, and reaps at most `max`. Returns how many were reaped, or a negative
     * OS code when the queue itself broke (never for an I/O's error). EINTR is not an error; it may return fewer than min_complete. EAGAIN of an I/O is
     * reissued inside. Allocates nothing, locks nothing. */
    int (*exchange) (DgQueue *queue, DgIo *const *ios, uint32_t n, uint32_t min_complete, DgCompletion *ret_completions, uint32_t max);

    /* (nullable) Asks the system to give back what is under way, as far as it can, and takes nothing on any more; what comes back so has the result
     * DG_IO_CANCELLED. Any thread, while the worker is in `exchange`. */
    void (*cancel) (DgQueue *queue);

    /* (nullable: nothing can be under way) Before `close`, same thread: waits a moment for what is under way when the queue broke. False when some of it
     * does not come back: then everything that I/Os point to must be kept for good, and so must the queue. */
    bool (*settle) (DgQueue *queue);

    /* After draining; any thread. NULL-safe. */
    void (*close) (DgQueue *queue);

    /* (nullable) CPU time of the kernel's helper tasks for this queue so far, in ns; DG_UNKNOWN_U64 if it cannot be told. Same thread or coordinator, one at a time. */
    uint64_t (*kernel_cpu_ns) (DgQueue *queue);

    /* (nullable) CPU time so far of threads of its own that the queue has, in ns. Same thread. */
    uint64_t (*helper_cpu_ns) (DgQueue *queue);
} DgBackend;

/* The backends of this build in the order of DgBackendId, NULL-terminated; static (engine/linux/backends.c, engine/windows/backends.c). Any thread. */
const DgBackend *const *dg__backends (void);

/* One of them; NULL if this build has it not. Any thread. */
const DgBackend *dg__backend_find (DgBackendId id);
