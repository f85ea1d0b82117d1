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

typedef struct {
    struct {
        int id;
        uint64_t cpu_ns;
    } tasks[DG_MAX_HELPER_TASKS];
    uint32_t n_tasks;
    uint64_t earlier_ns; /* of ids that were used again */
} DgHelperTasks;

/* CPU time so far of all tasks named `prefix` followed by `thread_id`, in ns; as far as it has been
 * seen. Not while measuring in the same thread. */
uint64_t dg__helper_tasks_cpu_ns (DgHelperTasks *helpers, const char *prefix, int thread_id);
