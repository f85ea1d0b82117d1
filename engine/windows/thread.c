/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/thread.h"

#include <process.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "engine/clock.h"
#include "engine/error.h"
#include "engine/result.h"

#define STACK_BYTES (256u * 1024u) /* the engine keeps nothing large on a stack */

struct DgThread {
    HANDLE handle;
    void (*main) (void *data);
    void *data;
    const DgFakeClock *fake; /* (nullable) the one of its start; a later one is not its */
    char name[16];
    _Atomic int owners; /* the thread itself and whoever started it */
};

static void
release (DgThread *thread)
{
    if (atomic_fetch_sub_explicit (&thread->owners, 1, memory_order_acq_rel) != 1)
        return;
    CloseHandle (thread->handle);
    free (thread);
}

/* For debuggers; the function came with Windows 10 1607. */
static void
set_name (const char *name)
{
    typedef HRESULT (WINAPI * SetDescription) (HANDLE thread, PCWSTR description);
    SetDescription set = (SetDescription) (void *) GetProcAddress (
        GetModuleHandleW (L"kernel32.dll"), "SetThreadDescription");
    wchar_t wide[16];
    if (set != NULL && MultiByteToWideChar (CP_UTF8, 0, name, -1, wide, 16) > 0)
        set (GetCurrentThread (), wide);
}

static unsigned __stdcall thread_main (void *data)
{
    DgThread *thread = data;
    const DgFakeClock *fake = thread->fake;
    set_name (thread->name);
    thread->main (thread->data);
    release (thread);
    if (fake != NULL)
        fake->thread_ends ();
    return 0;
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

    const DgFakeClock *fake = thread->fake = dg__clock_fake ();
    if (fake != NULL)
        fake->thread_starts ();
    /* Suspended until its handle stands in the struct, which it may free itself. */
    uintptr_t handle = _beginthreadex (NULL, STACK_BYTES, thread_main, thread,
                                       STACK_SIZE_PARAM_IS_A_RESERVATION | CREATE_SUSPENDED, NULL);
    if (handle == 0) {
        if (fake != NULL)
            fake->thread_ends ();
        free (thread);
        return DG_ERROR_SYSTEM;
    }
    thread->handle = (HANDLE) handle;
    ResumeThread (thread->handle);
    *ret_thread = thread;
    return DG_OK;
}

void
dg__thread_join (DgThread *thread)
{
    if (thread == NULL)
        return;
    WaitForSingleObject (thread->handle, INFINITE);
    release (thread);
}

void
dg__thread_detach (DgThread *thread)
{
    if (thread != NULL)
        release (thread);
}

/* Counted by the system in steps of its timer interrupt (15.6 ms): enough over a window of a
 * second. Valid after the thread has ended, too. */
uint64_t
dg__thread_cpu_ns (const DgThread *thread)
{
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes (thread->handle, &created, &ended, &kernel, &user))
        return DG_UNKNOWN_U64;
    return ((((uint64_t) kernel.dwHighDateTime << 32) | kernel.dwLowDateTime)
            + (((uint64_t) user.dwHighDateTime << 32) | user.dwLowDateTime))
           * 100;
}

/* Windows tells nobody how long a thread was ready without running. */
uint64_t
dg__thread_wait_ns (const DgThread *thread)
{
    return DG_UNKNOWN_U64;
}

uint64_t
dg__thread_own_wait_ns (void)
{
    return DG_UNKNOWN_U64;
}

struct DgLock {
    SRWLOCK mutex;
    CONDITION_VARIABLE condition;
};

DgLock *
dg__lock_new (void)
{
    DgLock *lock = calloc (1, sizeof *lock);
    if (lock == NULL)
        return NULL;
    InitializeSRWLock (&lock->mutex);
    InitializeConditionVariable (&lock->condition);
    return lock;
}

void
dg__lock_free (DgLock *lock)
{
    free (lock);
}

void
dg__lock (DgLock *lock)
{
    AcquireSRWLockExclusive (&lock->mutex);
}

void
dg__unlock (DgLock *lock)
{
    ReleaseSRWLockExclusive (&lock->mutex);
}

void
dg__lock_signal (DgLock *lock)
{
    WakeAllConditionVariable (&lock->condition);
}

bool
dg__lock_wait_until (DgLock *lock, uint64_t when_ns)
{
    uint64_t now = dg__lock_clock_ns (),
             left_ms = when_ns <= now ? 0 : (when_ns - now) / 1000000 + 1;
    return SleepConditionVariableSRW (&lock->condition, &lock->mutex,
                                      left_ms >= INFINITE ? INFINITE - 1 : (DWORD) left_ms, 0)
           != FALSE;
}

uint64_t
dg__lock_clock_ns (void)
{
    LARGE_INTEGER ticks, per_s;
    QueryPerformanceFrequency (&per_s);
    QueryPerformanceCounter (&ticks);
    uint64_t n = (uint64_t) ticks.QuadPart, f = (uint64_t) per_s.QuadPart;
    return n / f * 1000000000u + n % f * 1000000000u / f;
}
