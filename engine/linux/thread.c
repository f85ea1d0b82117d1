/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/thread.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/error.h"

#define STACK_BYTES (256u * 1024u) /* the engine keeps nothing large on a stack */
#define NS_PER_S    1000000000u

struct DgThread {
    pthread_t id;
    void (*main) (void *data);
    void *data;
    const DgFakeClock *fake; /* (nullable) the one of its start; a later one is not its */
    char name[16];
    _Atomic int32_t tid;                          /* 0 until it runs */
    _Atomic uint64_t ended_cpu_ns, ended_wait_ns; /* valid once is_ended */
    _Atomic bool is_ended;
    _Atomic int owners; /* the thread itself and whoever started it */
};

static void
release (DgThread *thread)
{
    if (atomic_fetch_sub_explicit (&thread->owners, 1, memory_order_acq_rel) == 1)
        free (thread);
}

static uint64_t
ns_of_clock (clockid_t clock)
{
    struct timespec t;
    if (clock_gettime (clock, &t) != 0)
        return UINT64_MAX;
    return (uint64_t) t.tv_sec * NS_PER_S + (uint64_t) t.tv_nsec;
}

/* The second number of schedstat: time spent ready but not running, in ns (kernel:
 * Documentation/scheduler/sched-stats.rst). A kernel that keeps no account says that a thread has
 * never run. */
static uint64_t
wait_of_task (int32_t tid)
{
    char path[64], text[96];
    snprintf (path, sizeof path, "/proc/self/task/%d/schedstat", (int) tid);
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return UINT64_MAX;
    ssize_t n = read (fd, text, sizeof text - 1);
    close (fd);
    if (n <= 0)
        return UINT64_MAX;
    text[n] = '\0';
    char *space = strchr (text, ' ');
    return space == NULL || text[0] == '0' ? UINT64_MAX : strtoull (space + 1, NULL, 10);
}

static void *
thread_main (void *data)
{
    DgThread *thread = data;
    const DgFakeClock *fake = thread->fake;
    int32_t tid = (int32_t) gettid ();
    prctl (PR_SET_NAME, thread->name);
    prctl (PR_SET_TIMERSLACK, 1000ul); /* sleeps end within 1 us of their time instead of 50 */
    atomic_store_explicit (&thread->tid, tid, memory_order_release);
    thread->main (thread->data);
    atomic_store_explicit (&thread->ended_cpu_ns, ns_of_clock (CLOCK_THREAD_CPUTIME_ID),
                           memory_order_relaxed);
    atomic_store_explicit (&thread->ended_wait_ns, wait_of_task (tid), memory_order_relaxed);
    atomic_store_explicit (&thread->is_ended, true, memory_order_release);
    release (thread);
    if (fake != NULL)
        fake->thread_ends ();
    return NULL;
}

int
dg__thread_start (DgThread **ret_thread, const char *name, void (*main) (void *data), void *data)
{
    DgThread *thread = calloc (1, sizeof *thread);
    if (thread == NULL)
        return DG_ERROR_SYSTEM;
    thread->main = main;
    thread->data = data;
    snprintf (thread->name, sizeof thread->name, "%s", name);
    atomic_init (&thread->owners, 2);

    pthread_attr_t attributes;
    pthread_attr_init (&attributes);
    pthread_attr_setstacksize (&attributes, STACK_BYTES);
    const DgFakeClock *fake = thread->fake = dg__clock_fake ();
    if (fake != NULL)
        fake->thread_starts ();
    int error = pthread_create (&thread->id, &attributes, thread_main, thread);
    pthread_attr_destroy (&attributes);
    if (error != 0) {
        if (fake != NULL)
            fake->thread_ends ();
        free (thread);
        return DG_ERROR_SYSTEM;
    }
    *ret_thread = thread;
    return DG_OK;
}

void
dg__thread_join (DgThread *thread)
{
    if (thread == NULL)
        return;
    pthread_join (thread->id, NULL);
    release (thread);
}

void
dg__thread_detach (DgThread *thread)
{
    if (thread == NULL)
        return;
    pthread_detach (thread->id);
    release (thread);
}

/* The clock of a thread by its kernel id, as pthread_getcpuclockid () makes it
 * (MAKE_THREAD_CPUCLOCK (tid, CPUCLOCK_SCHED) in the kernel's include/linux/posix-timers_types.h):
 * unlike that function it stays safe when the thread ends meanwhile. */
static clockid_t
clock_of_task (int32_t tid)
{
    return (clockid_t) ((~(uint32_t) tid << 3) | 6u);
}

uint64_t
dg__thread_cpu_ns (const DgThread *thread)
{
    if (!atomic_load_explicit (&thread->is_ended, memory_order_acquire)) {
        int32_t tid = atomic_load_explicit (&thread->tid, memory_order_acquire);
        if (tid == 0)
            return 0;
        uint64_t cpu = ns_of_clock (clock_of_task (tid));
        if (cpu != UINT64_MAX || !atomic_load_explicit (&thread->is_ended, memory_order_acquire))
            return cpu;
    }
    return atomic_load_explicit (&thread->ended_cpu_ns, memory_order_relaxed);
}

uint64_t
dg__thread_wait_ns (const DgThread *thread)
{
    if (!atomic_load_explicit (&thread->is_ended, memory_order_acquire)) {
        int32_t tid = atomic_load_explicit (&thread->tid, memory_order_acquire);
        if (tid == 0)
            return 0;
        uint64_t wait = wait_of_task (tid);
        if (wait != UINT64_MAX || !atomic_load_explicit (&thread->is_ended, memory_order_acquire))
            return wait;
    }
    return atomic_load_explicit (&thread->ended_wait_ns, memory_order_relaxed);
}

uint64_t
dg__thread_own_wait_ns (void)
{
    return wait_of_task ((int32_t) gettid ());
}

struct DgLock {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

DgLock *
dg__lock_new (void)
{
    DgLock *lock = calloc (1, sizeof *lock);
    if (lock == NULL)
        return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init (&attributes);
    pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init (&lock->mutex, NULL);
    pthread_cond_init (&lock->condition, &attributes);
    pthread_condattr_destroy (&attributes);
    return lock;
}

void
dg__lock_free (DgLock *lock)
{
    if (lock == NULL)
        return;
    pthread_cond_destroy (&lock->condition);
    pthread_mutex_destroy (&lock->mutex);
    free (lock);
}

void
dg__lock (DgLock *lock)
{
    pthread_mutex_lock (&lock->mutex);
}

void
dg__unlock (DgLock *lock)
{
    pthread_mutex_unlock (&lock->mutex);
}

void
dg__lock_signal (DgLock *lock)
{
    pthread_cond_broadcast (&lock->condition);
}

bool
dg__lock_wait_until (DgLock *lock, uint64_t when_ns)
{
    struct timespec until = { (time_t) (when_ns / NS_PER_S), (long) (when_ns % NS_PER_S) };
    return pthread_cond_timedwait (&lock->condition, &lock->mutex, &until) == 0;
}

uint64_t
dg__lock_clock_ns (void)
{
    return ns_of_clock (CLOCK_MONOTONIC);
}
