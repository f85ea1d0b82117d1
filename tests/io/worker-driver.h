/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives workers without a coordinator, for the tests of workers and backends. */
#pragma once

#include "engine/worker.h"

typedef struct {
    intptr_t file;
    uint64_t file_bytes;
    const DgBackend *backend;
    DgStream stream; /* target and region are set here */
    uint64_t ramp_ns, window_ns;
    uint64_t min_ios; /* a worker, before the window may end */
    uint64_t seed, run;
    uint64_t sequence_start_bytes;
    uint64_t pool_bytes; /* 0 = 4 MiB a worker or four times the queue */
} DriverSetup;

#define DRIVER_MAX_WORKERS 64u

typedef struct {
    uint32_t n;
    DgWorker *workers[DRIVER_MAX_WORKERS];
    DgWorkerResult results[DRIVER_MAX_WORKERS];
    uint64_t t0_ns, t1_ns;
    uint64_t ios, bytes, sum_ns, all_ios, all_read_bytes, all_written_bytes, failed_ios,
        touched_bytes, cpu_ns, kernel_cpu_ns;
    unsigned char *pool;
    uint64_t pool_bytes;
    DgWorkerControl *control;
} Driver;

/* Runs ramp (until each slot has completed twice, at least) and window, or until all workers have
 * ended, then stops and waits for the end. False if a worker could not be started. */
bool driver_run (Driver *driver, const DriverSetup *setup);
void driver_done (Driver *driver);
