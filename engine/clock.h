/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: time. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC / QPC in ns. */
uint64_t dg__clock_ns (void);

/* CLOCK_BOOTTIME (time in suspend included) in ns; equals dg__clock_ns () where there is none. */
uint64_t dg__clock_boot_ns (void);

/* The workers' cheap stamp: TSC scaled to dg__clock_ns () when the system's clock source is the TSC and it is constant and nonstop, else
 * dg__clock_ns (). dg__stamp_init () calibrates once a process (may take 20 ms), call it before any worker starts. */
void dg__stamp_init (void);
uint64_t dg__stamp_ns (void);

/* CPU time of the calling thread in ns; UINT64_MAX if unknown. */
uint64_t dg__clock_thread_cpu_ns (void);

void dg__sleep_until_ns (uint64_t when_ns);
