/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: threads, a mutex and a condition for outside the measured window. One implementation a platform. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct DgThread DgThread;
typedef struct DgLock DgLock; /* a mutex with one condition */

/* The name is cut to 15 characters. 0 or DG_ERROR_SYSTEM. */
int dg__thread_start (DgThread **ret_thread, const char *name, void (*main) (void *data), void *data);
void dg__thread_join (DgThread *thread);   /* and frees it */
void dg__thread_detach (DgThread *thread); /* and frees it, while the thread may go on */

/* CPU time and run-queue wait of a thread so far, DG_UNKNOWN_U64 if unknown. Any thread. */
uint64_t dg__thread_cpu_ns (const DgThread *thread);
uint64_t dg__thread_wait_ns (const DgThread *thread);
uint64_t dg__thread_own_wait_ns (void); /* of the calling thread */

DgLock *dg__lock_new (void);
void dg__lock_free (DgLock *lock);
void dg__lock (DgLock *lock);
void dg__unlock (DgLock *lock);
void dg__lock_signal (DgLock *lock);
bool dg__lock_wait_until (DgLock *lock, uint64_t when_ns); /* by dg__lock_clock_ns (); false on timeout */
uint64_t dg__lock_clock_ns (void); /* the system's monotonic clock, never a fake one */
