/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The performance counter: on today's Windows it is the invariant TSC, read without a system call,
 * so stamps need no scale of their own. */
#include "engine/clock.h"
#include "engine/windows/codes.h"

#include <stdbool.h>
#include <windows.h>

#define NS_PER_S 1000000000u

/* (nullable) changed only while no engine thread runs but those of runs given up */
static const DgFakeClock *_Atomic fake_clock;

/* Fixed while the system runs ("QueryPerformanceFrequency function"). */
static uint64_t
ticks_per_s (void)
{
    static uint64_t frequency;
    uint64_t known = __atomic_load_n (&frequency, __ATOMIC_RELAXED);
    if (known != 0)
        return known;
    LARGE_INTEGER asked;
    QueryPerformanceFrequency (&asked);
    known = (uint64_t) asked.QuadPart;
    __atomic_store_n (&frequency, known, __ATOMIC_RELAXED);
    return known;
}

static uint64_t
read_counter_ns (void)
{
    LARGE_INTEGER ticks;
    uint64_t per_s = ticks_per_s ();
    QueryPerformanceCounter (&ticks);
    uint64_t n = (uint64_t) ticks.QuadPart;
    if (NS_PER_S % per_s == 0) /* 10 MHz nearly everywhere */
        return n * (NS_PER_S / per_s);
    return n / per_s * NS_PER_S + n % per_s * NS_PER_S / per_s;
}

/* Time in suspend since the system was started. The counter goes on through it on some machines and
 * stands still on others, so it is taken from the two interrupt times: biased - unbiased. Both step
 * with the timer interrupt, together. */
static uint64_t
suspended_ns (void)
{
    ULONGLONG unbiased, with_suspend;
    typedef VOID (WINAPI * QueryTime) (PULONGLONG time);
    static QueryTime query; /* since Windows 10; not in every import library */
    if (query == NULL)
        query = (QueryTime) (void *) GetProcAddress (GetModuleHandleW (L"kernelbase.dll"),
                                                     "QueryInterruptTime");
    if (query == NULL || !QueryUnbiasedInterruptTime (&unbiased))
        return 0;
    query (&with_suspend);
    return with_suspend > unbiased ? (with_suspend - unbiased) * 100 : 0;
}

void
dg__clock_set_fake (const DgFakeClock *fake)
{
    fake_clock = fake;
}

const DgFakeClock *
dg__clock_fake (void)
{
    return fake_clock;
}

uint64_t
dg__clock_ns (void)
{
    return fake_clock != NULL ? fake_clock->now_ns () : read_counter_ns ();
}

uint64_t
dg__clock_boot_ns (void)
{
    return fake_clock != NULL ? fake_clock->boot_ns () : read_counter_ns () + suspended_ns ();
}

uint64_t
dg__clock_thread_cpu_ns (void)
{
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes (GetCurrentThread (), &created, &ended, &kernel, &user))
        return UINT64_MAX;
    return ((((uint64_t) kernel.dwHighDateTime << 32) | kernel.dwLowDateTime)
            + (((uint64_t) user.dwHighDateTime << 32) | user.dwLowDateTime))
           * 100;
}

/* A timer of its own for each sleep: it is never on a measured path. */
void
dg__sleep_until_ns (uint64_t when_ns)
{
    if (fake_clock != NULL) {
        fake_clock->sleep_until_ns (when_ns);
        return;
    }
    HANDLE timer = NULL;
    for (uint64_t now; (now = read_counter_ns ()) < when_ns;) {
        uint64_t left = when_ns - now;
        if (timer == NULL)
            timer =
                CreateWaitableTimerExW (NULL, NULL, DG_OS_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS);
        if (timer == NULL)
            timer = CreateWaitableTimerExW (NULL, NULL, 0, TIMER_ALL_ACCESS);
        LARGE_INTEGER due = { .QuadPart = -(LONGLONG) (left / 100 + 1) };
        if (timer != NULL && SetWaitableTimer (timer, &due, 0, NULL, NULL, FALSE))
            WaitForSingleObject (timer, INFINITE);
        else
            Sleep ((DWORD) (left / 1000000 + 1));
    }
    if (timer != NULL)
        CloseHandle (timer);
}

void
dg__stamp_init (void)
{
}

uint64_t
dg__stamp_ns (void)
{
    return fake_clock != NULL ? fake_clock->stamp_ns () : dg__clock_ns ();
}
