/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/worker-driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/data.h"

static void
pause_a_little (void)
{
    dg__sleep_until_ns (dg__clock_ns () + 200000);
}

static bool
all_ended (const Driver *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (!atomic_load (&dg__worker_counters (d->workers[i])->is_ended))
            return false;
    return true;
}

static bool
every_worker_has (const Driver *d, uint64_t slots_cycled, uint64_t ios)
{
    for (uint32_t i = 0; i < d->n; i++) {
        const DgWorkerCounters *counters = dg__worker_counters (d->workers[i]);
        if (atomic_load (&counters->slots_cycled) < slots_cycled
            || atomic_load (&counters->ios) < ios)
            return false;
    }
    return true;
}

static bool
start (Driver *d, const DriverSetup *setup, const DgStream *stream)
{
    uint64_t part = setup->pool_bytes;
    if (part == 0) {
        part = 4u << 20;
        if (part < 4 * stream->queue_depth * stream->block_bytes)
            part = 4 * stream->queue_depth * stream->block_bytes;
    }
    if (stream->read_percent < 100) {
        d->pool = dg__memory_new (part * stream->threads, &d->pool_bytes);
        if (d->pool == NULL)
            return false;
        if (stream->data != DG_DATA_ZERO) {
            DgRandom random;
            dg__random_seed (&random, setup->seed, 0);
            dg__random_fill (&random, d->pool, d->pool_bytes);
        }
    }
    for (uint32_t i = 0; i < stream->threads; i++) {
        DgWorkerSetup worker = {
            .stream = stream,
            .backend = setup->backend,
            .handle = setup->file,
            .file_bytes = setup->file_bytes,
            .alignment_bytes = 4096,
            .index = i,
            .global_index = i,
            .seed = setup->seed,
            .run = setup->run,
            .sequence_start_bytes = setup->sequence_start_bytes,
            .pool = d->pool != NULL ? d->pool + part * i : NULL,
            .pool_bytes = d->pool != NULL ? part : 0,
            .pool_memory = d->pool,
            .pool_memory_bytes = d->pool_bytes,
        };
        int error = dg__worker_start (&worker, d->control, &d->workers[i]);
        if (error != DG_OK) {
            fprintf (stderr, "worker %u: error %d\n", i, error);
            return false;
        }
        d->n++;
    }
    return true;
}

static void
collect (Driver *d)
{
    d->t0_ns = atomic_load (&d->control->t0_ns);
    d->t1_ns = atomic_load (&d->control->t1_ns);
    d->touched_bytes = dg__workers_touched_bytes (d->workers, d->n);
    for (uint32_t i = 0; i < d->n; i++) {
        const DgWorkerCounters *counters = dg__worker_counters (d->workers[i]);
        DgWorkerResult *result = &d->results[i];
        dg__worker_result (d->workers[i], result);
        d->ios += result->total.ios;
        d->bytes += result->total.bytes;
        d->sum_ns += result->total.sum_ns;
        d->cpu_ns += result->cpu_ns;
        d->kernel_cpu_ns += dg__worker_kernel_cpu_ns (d->workers[i]);
        d->all_ios += counters->all_ios;
        d->all_read_bytes += counters->all_read_bytes;
        d->all_written_bytes += counters->all_written_bytes;
        d->failed_ios += counters->failed_ios;
    }
}

bool
driver_run (Driver *d, const DriverSetup *setup)
{
    memset (d, 0, sizeof *d);
    dg__stamp_init ();
    d->control = dg__lines_new (sizeof *d->control);
    atomic_init (&d->control->t0_ns, DG_EDGE_NEVER);
    d->control->t0_age_ns = UINT64_MAX;
    atomic_init (&d->control->t1_from_ns, UINT64_MAX);
    atomic_init (&d->control->t1_ns, DG_EDGE_OPEN);
    atomic_init (&d->control->phase, DG_WORKER_WAIT);
    bool is_started = start (d, setup, &setup->stream);
    for (uint32_t i = 0; i < d->n; i++)
        while (!atomic_load (&dg__worker_counters (d->workers[i])->is_ready))
            pause_a_little ();
    if (is_started) {
        uint64_t slots = setup->stream.queue_depth, go = dg__stamp_ns (), t0;
        atomic_store (&d->control->phase, DG_WORKER_GO);
        while ((dg__stamp_ns () < go + setup->ramp_ns || !every_worker_has (d, slots, 0))
               && !all_ended (d))
            pause_a_little ();
        atomic_store (&d->control->t0_ns, DG_EDGE_OPEN + dg__stamp_ns ());
        while ((t0 = atomic_load (&d->control->t0_ns)) >= DG_EDGE_OPEN && !all_ended (d))
            pause_a_little ();
        while ((dg__stamp_ns () < t0 + setup->window_ns || !every_worker_has (d, 0, setup->min_ios))
               && !all_ended (d))
            pause_a_little ();
        atomic_store (&d->control->t1_from_ns, dg__stamp_ns ());
        while (atomic_load (&d->control->t1_ns) >= DG_EDGE_OPEN && !all_ended (d))
            pause_a_little ();
    }
    atomic_store (&d->control->phase, DG_WORKER_STOP);
    while (!all_ended (d))
        pause_a_little ();
    collect (d);
    return is_started;
}

void
driver_done (Driver *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        dg__worker_free (d->workers[i]);
    dg__memory_free (d->pool, d->pool_bytes);
    dg__lines_free (d->control);
}
