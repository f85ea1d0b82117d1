/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: time. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC / QPC in ns. */
uint64_t dg__clock_ns (void);

/* CLOCK_BOOTTIME (time in suspend included) in ns; equals dg__clock_ns () where there is none. */
uint64_t dg__clock_boot_ns (void);

/* The workers' cheap stamp: TSC scaled to dg__clock_ns () when the system's clock source is the TSC, and it is constant and nonstop or two pauses have
 * proved its rate equal to the clock's; else dg__clock_ns (). dg__stamp_init () calibrates (takes 20 ms) the first time and when stamps
 * and clock are apart, as they are after a suspend to RAM; call it before any worker starts. */
void dg__stamp_init (void);
uint64_t dg__stamp_ns (void);

/* CPU time of the calling thread in ns; UINT64_MAX if unknown. */
uint64_t dg__clock_thread_cpu_ns (void);

void dg__sleep_until_ns (uint64_t when_ns);

/* A clock that is not the system's: the null backend's, which stands still while any thread of the engine has something to do and then jumps to the
 * next moment at which one wants to go on. All functions above consult it; dg__thread_start () tells it of threads. */
typedef struct {
    uint64_t (*now_ns) (void);
    uint64_t (*boot_ns) (void);
    uint64_t (*stamp_ns) (void);
    void (*sleep_until_ns) (uint64_t when_ns);
    void (*thread_starts) (void); /* in the parent, before the thread exists */
    void (*thread_ends) (void);   /* in the thread, as the last thing */
} DgFakeClock;

/* NULL = the system's clock. Only while no plan run exists. */
void dg__clock_set_fake (const DgFakeClock *fake);
const DgFakeClock *dg__clock_fake (void);
