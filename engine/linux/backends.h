/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Linux: the backends' tables, and the CPU time of the kernel's helper tasks. */
#pragma once

#include "engine/backend.h"

extern const DgBackend dg__backend_io_uring;
extern const DgBackend dg__backend_libaio;
extern const DgBackend dg__backend_threads;

/* Tasks in our process that the kernel made for one of our threads. They come and go; what one had
 * used when last seen stays counted. */
#define DG_MAX_HELPER_TASKS 64u
#define DG_HELPER_NAME      "iou-wrk-"

typedef struct {
    int owner; /* the number behind DG_HELPER_NAME; 0 = not known */
    struct {
        int id;
        uint64_t cpu_ns;
    } tasks[DG_MAX_HELPER_TASKS];
    uint32_t n_tasks;
    uint64_t earlier_ns; /* of ids that were used again */
} DgHelperTasks;

/* The number by which the kernel names the calling thread's tasks; 0 if it cannot be told. `make`
 * has it make one, where there is no other way to know: false if it could not. */
int dg__helper_owner (bool (*make) (void *data), void *data);

/* CPU time so far of the owner's tasks in ns, as far as it has been seen; DG_UNKNOWN_U64 when the
 * owner is not known. Not while measuring in the same thread. */
uint64_t dg__helper_tasks_cpu_ns (DgHelperTasks *helpers);
