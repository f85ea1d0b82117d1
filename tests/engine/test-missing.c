/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads and memory that the system does not give: the first, the second, ... each in a plan run
 * of its own. Each ends, says what was missing, and is no stop; where a thing is not needed it goes
 * on.
 */
#include "null-run.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum {
    THREADS,
    MEMORY,
    N_KINDS
} Kind;

static _Atomic int left[N_KINDS]; /* until one is missing; 0 = none will be */
static _Atomic bool was_missing;

static bool
is_missing (Kind kind)
{
    if (atomic_load (&left[kind]) == 0 || atomic_fetch_sub (&left[kind], 1) != 1)
        return false;
    atomic_store (&was_missing, true);
    return true;
}

int
pthread_create (pthread_t *id, const pthread_attr_t *attributes, void *(*main) (void *), void *data)
{
    typedef int (*Create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
    static Create create;
    if (create == NULL)
        create = (Create) (uintptr_t) dlsym (RTLD_NEXT, "pthread_create");
    return is_missing (THREADS) ? EAGAIN : create (id, attributes, main, data);
}

#if !IS_SANITIZED

extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

void *
calloc (size_t n, size_t size)
{
    if (!is_missing (MEMORY))
        return __libc_calloc (n, size);
    errno = ENOMEM;
    return NULL;
}

void *
aligned_alloc (size_t alignment, size_t size)
{
    return is_missing (MEMORY) ? NULL : __libc_memalign (alignment, size);
}

void *
mmap (void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (is_missing (MEMORY)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *) syscall (SYS_mmap, at, size, protection, flags, fd, offset);
}

#endif

/* Warm-up, run and flush of a mix on two files, then reads. False when nothing was missing. */
static bool
run_without (Kind kind, int which)
{
    NullRun n;
    null_run_init (&n, 2);
    n.plan.n_targets = 2;
    n.plan.warmup_ns = 100 * MS;
    n.plan.include_flush = true;
    n.streams[1].read_percent = 50;
    n.streams[1].threads = 2;
    n.streams[2].target = 1;
    n.steps[0].streams = &n.streams[1];
    n.steps[0].n_streams = 2;
    n.steps[1].streams = &n.streams[0];
    n.steps[1].n_streams = 1;
    atomic_store (&was_missing, false);
    atomic_store (&left[kind], which);
    DgErrorDetail detail = { 0 };
    int error = dg_plan_run_start (&n.plan, &n.run, &detail);
    const char *what = kind == THREADS ? "thread" : "memory";
    if (error != DG_OK) {
        CHECK (error == (kind == THREADS ? DG_ERROR_SYSTEM : DG_ERROR_NO_MEMORY)
               || error == DG_ERROR_SYSTEM);
        CHECK (atomic_load (&was_missing));
        return true;
    }
    const DgPlanResult *result = null_run_wait (&n);
    atomic_store (&left[kind], 0);
    bool is_over = !atomic_load (&was_missing);
    if (result->state != DG_STATE_DONE && result->state != DG_STATE_FAILED)
        printf ("# %s %d\n", what, which);
    CHECK (result->state == DG_STATE_DONE || result->state == DG_STATE_FAILED);
    CHECK (!is_over || result->state == DG_STATE_DONE);
    if (result->state == DG_STATE_FAILED) {
        bool is_told = result->error == DG_ERROR_SYSTEM || result->error == DG_ERROR_NO_MEMORY;
        if (!is_told)
            printf ("# %s %d: %d\n", what, which, result->error);
        CHECK (is_told);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const DgStepResult *step = dg_plan_run_step (n.run, i);
        CHECK (step != NULL && step->state != DG_STEP_STOPPED);
        const DgRunResult *last = step->n_runs > 0 ? &step->runs[step->n_runs - 1] : NULL;
        CHECK (result->state == DG_STATE_FAILED || step->state == DG_STEP_DONE
               || (last != NULL && last->n_errors == 1 && last->errors[0].operation != NULL));
    }
    null_run_done (&n);
    return !is_over;
}

static void
run_without_each (Kind kind, int least)
{
    int which = 1;
    while (which < 1000 && run_without (kind, which))
        which++;
    CHECK (which > least && which < 1000);
}

static void
threads_missing (void)
{
    run_without_each (THREADS, 12);
}

static void
memory_missing (void)
{
    if (!IS_SANITIZED && getenv ("DRIVEGAUGE_UNDER_VALGRIND") == NULL)
        run_without_each (MEMORY, 60);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "each thread missing once", threads_missing },
        { "each piece of memory missing once", memory_missing },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
