/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A worker's life around its loop: memory, thread, queue, barrier, result. */
#include "engine/worker-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/graveyard.h"

#define BARRIER_POLL_NS 100000u

/* ---- which part of the file ---- */

static uint64_t
round_up (uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Random: all threads share the region. Sequential: each has its own part, beginning on the
 * alignment. */
static int
lay_out_region (DgWorker *w)
{
    const DgStream *stream = w->setup.stream;
    uint64_t block = stream->block_bytes;
    uint64_t grain = w->setup.alignment_bytes > block ? w->setup.alignment_bytes : block;
    uint64_t start = round_up (stream->region_start_bytes, grain);
    uint64_t end = w->setup.file_bytes;
    if (stream->region_bytes != 0 && stream->region_start_bytes + stream->region_bytes < end)
        end = stream->region_start_bytes + stream->region_bytes;
    if (end < start + block)
        return DG_ERROR_INVALID;

    w->base_bytes = start;
    w->n_blocks = (end - start) / block;
    if (stream->access == DG_ACCESS_SEQUENTIAL && stream->threads > 1) {
        uint64_t part = (end - start) / stream->threads;
        part = part >= grain ? part / grain * grain : part / block * block;
        w->base_bytes = start + part * w->setup.index;
        w->n_blocks = part / block;
    }
    if (w->n_blocks == 0)
        return DG_ERROR_INVALID;
    w->next_block = w->setup.sequence_start_bytes / block % w->n_blocks;
    return DG_OK;
}

/* ---- memory ---- */

static int
lay_out_pool (DgWorker *w)
{
    if (w->read_percent == 100)
        return DG_OK;
    w->pool = w->setup.pool;
    uint64_t n_places = w->setup.pool_bytes / w->block_bytes;
    if (w->pool == NULL || n_places < w->queue_depth || n_places > UINT32_MAX / 2)
        return DG_ERROR_INVALID;
    w->n_places = (uint32_t) n_places;
    uint32_t n_classes =
        DG_PLACES_BYTES > w->block_bytes ? (uint32_t) (DG_PLACES_BYTES / w->block_bytes) : 1;
    while (n_classes > w->n_places)
        n_classes /= 2;
    w->class_mask = n_classes - 1;
    w->group_places = w->n_places; /* one group, for good, unless the target is fast */
    w->group_end = UINT64_MAX;
    w->is_ahead = w->queue_depth == 1 && w->read_percent == 0 && w->is_stamped
                  && w->block_bytes >= DG_AHEAD_BYTES && n_places >= 2 * (uint64_t) n_classes;
    w->place_next = calloc (n_classes, sizeof *w->place_next);
    w->place_slot = calloc (n_places, sizeof *w->place_slot);
    if (w->place_next == NULL || w->place_slot == NULL)
        return DG_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < n_classes; i++)
        w->place_next[i] = i;
    memset (w->place_slot, 0, n_places * sizeof *w->place_slot); /* there before the loop */
    return DG_OK;
}

static int
allocate (DgWorker *w)
{
    uint32_t depth = w->queue_depth, ring = 1;
    while (ring < depth)
        ring *= 2;
    bool is_mix = w->read_percent > 0 && w->read_percent < 100;

    w->ios = calloc (depth, sizeof *w->ios);
    w->list = calloc (depth, sizeof *w->list);
    w->completions = calloc (depth, sizeof *w->completions);
    w->submit_ns = calloc (depth, sizeof *w->submit_ns);
    w->free_slots = calloc (ring, sizeof *w->free_slots);
    w->again = calloc (depth, sizeof *w->again);
    w->cycles = calloc (depth, sizeof *w->cycles);
    w->histograms = calloc (is_mix ? 3 : 1, sizeof *w->histograms);
    if (w->ios == NULL || w->list == NULL || w->completions == NULL || w->submit_ns == NULL
        || w->free_slots == NULL || w->again == NULL || w->cycles == NULL || w->histograms == NULL)
        return DG_ERROR_NO_MEMORY;
    if (w->read_percent > 0) {
        w->slots = dg__memory_new ((uint64_t) depth * w->block_bytes, &w->slots_bytes);
        if (w->slots == NULL)
            return DG_ERROR_NO_MEMORY;
    }
    /* The loop must not meet a page that is not there yet. */
    memset (w->histograms, 0, (is_mix ? 3 : 1) * sizeof *w->histograms);

    w->free_mask = ring - 1;
    w->n_free = depth;
    for (uint32_t i = 0; i < depth; i++) {
        w->free_slots[i] = i;
        w->ios[i] = (DgIo){ .slot = i,
                            .length_bytes = (uint32_t) w->block_bytes,
                            .is_write = w->read_percent == 0 };
        if (w->slots != NULL)
            w->ios[i].buffer = w->slots + (uint64_t) i * w->block_bytes;
    }
    for (int i = 0; i < 2; i++) {
        w->flow[i].min_ns = UINT64_MAX;
        w->flow[i].histogram = &w->histograms[is_mix ? i : 0];
    }
    return DG_OK;
}

static void
release (DgWorker *w)
{
    if (w->queue != NULL)
        w->backend->close (w->queue);
    dg__memory_free (w->slots, w->slots_bytes);
    free (w->ios);
    free (w->list);
    free (w->completions);
    free (w->submit_ns);
    free (w->place_next);
    free (w->place_slot);
    free (w->free_slots);
    free (w->again);
    free (w->cycles);
    free (w->histograms);
    dg__lines_free (w);
}

/* ---- the thread ---- */

static int
open_queue (DgWorker *w)
{
    DgQueueSetup setup = {
        .handle = w->setup.handle,
        .path = w->setup.path,
        .memory = { w->slots, w->pool },
        .memory_bytes = { w->slots_bytes, w->pool != NULL ? w->setup.pool_bytes : 0 },
        .queue_depth = w->queue_depth,
        .block_bytes = w->block_bytes,
        .write_through = w->setup.write_through,
        .null_script = w->setup.null_script,
        .worker = w->setup.global_index,
    };
    return w->backend->open (&setup, &w->queue, &w->open_detail);
}

static uint64_t
ask_kernel_cpu (DgWorker *w)
{
    if (w->backend->kernel_cpu_ns == NULL || w->queue == NULL)
        return 0;
    /* The worker at its end and the coordinator may both ask; a queue can answer one. */
    if (!atomic_flag_test_and_set_explicit (&w->is_asking_kernel_cpu, memory_order_acquire)) {
        atomic_store_explicit (&w->kernel_cpu_ns, w->backend->kernel_cpu_ns (w->queue),
                               memory_order_relaxed);
        atomic_flag_clear_explicit (&w->is_asking_kernel_cpu, memory_order_release);
    }
    return atomic_load_explicit (&w->kernel_cpu_ns, memory_order_relaxed);
}

static void
worker_main (void *data)
{
    DgWorker *w = data;
    w->open_error = open_queue (w);
    atomic_store_explicit (&w->counters.is_ready, 1, memory_order_release);
    if (w->open_error == DG_OK) {
        while (atomic_load_explicit (&w->control->phase, memory_order_acquire) == DG_WORKER_WAIT)
            dg__sleep_until_ns (dg__clock_ns () + BARRIER_POLL_NS);
        dg__worker_loop (w);
        ask_kernel_cpu (w);
        w->is_lost = w->backend->settle != NULL && !w->backend->settle (w->queue);
    }
    atomic_store_explicit (&w->counters.is_ended, 1, memory_order_release);
}

int
dg__worker_start (const DgWorkerSetup *setup, DgWorkerControl *control, DgWorker **ret_worker)
{
    DgWorker *w = dg__lines_new (sizeof *w);
    if (w == NULL)
        return DG_ERROR_NO_MEMORY;
    memset (w, 0, sizeof *w);
    atomic_flag_clear (&w->is_asking_kernel_cpu);
    w->setup = *setup;
    w->control = control;
    w->backend = setup->backend;
    w->exchange = setup->backend->exchange;
    w->queue_depth = setup->stream->queue_depth;
    w->block_bytes = setup->stream->block_bytes;
    w->block_shift = (uint32_t) __builtin_ctzll (w->block_bytes);
    w->read_percent = setup->stream->read_percent;
    w->is_stamped = setup->stream->data != DG_DATA_ZERO;
    w->chunk = setup->stream->access == DG_ACCESS_RANDOM ? DG_CHUNK_RANDOM : DG_CHUNK_SEQUENTIAL;
    w->t0_ns = DG_UNSET_NS;
    w->cpu_ns = DG_UNKNOWN_U64;
    w->run = setup->run;
    /* No two workers of a run stamp alike. */
    w->sequence = (uint64_t) setup->global_index << 48;
    /* A run's offsets can be had again from the seed, and are not the last run's, which a cache may
     * know. */
    dg__random_seed (&w->random, setup->seed, setup->run << 16 | setup->global_index);

    int error = lay_out_region (w);
    if (error == DG_OK)
        error = allocate (w);
    if (error == DG_OK)
        error = lay_out_pool (w);
    if (error == DG_OK) {
        char name[16];
        snprintf (name, sizeof name, "dg-worker-%u", (unsigned) setup->global_index % 1000u);
        error = dg__thread_start (&w->thread, name, worker_main, w);
    }
    if (error != DG_OK) {
        release (w);
        return error;
    }
    *ret_worker = w;
    return DG_OK;
}

/* ---- looking in from outside ---- */

const DgWorkerCounters *
dg__worker_counters (const DgWorker *worker)
{
    return &worker->counters;
}

const struct DgThread *
dg__worker_thread (const DgWorker *worker)
{
    return worker->thread;
}

static bool
is_ended (const DgWorker *worker)
{
    return atomic_load_explicit (&worker->counters.is_ended, memory_order_acquire) != 0;
}

uint64_t
dg__worker_kernel_cpu_ns (DgWorker *worker)
{
    if (is_ended (worker))
        return atomic_load_explicit (&worker->kernel_cpu_ns, memory_order_relaxed);
    return atomic_load_explicit (&worker->counters.is_ready, memory_order_acquire) != 0
               ? ask_kernel_cpu (worker)
               : 0;
}

void
dg__worker_cancel (DgWorker *worker)
{
    if (worker->backend->cancel != NULL && !is_ended (worker)
        && atomic_load_explicit (&worker->counters.is_ready, memory_order_acquire) != 0
        && worker->open_error == DG_OK)
        worker->backend->cancel (worker->queue);
}

static void
add_live (const DgHistogram *from, DgHistogram *to)
{
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++)
        to->counts[i] += __atomic_load_n (&from->counts[i], __ATOMIC_RELAXED);
}

void
dg__worker_add_live_histogram (const DgWorker *worker, DgDirection direction, DgHistogram *to)
{
    bool is_mix = worker->flow[0].histogram != worker->flow[1].histogram,
         is_write = !is_mix && worker->read_percent == 0;
    if (direction == DG_DIRECTION_MIX || (direction == DG_DIRECTION_WRITE) == is_write)
        add_live (worker->flow[0].histogram, to);
    if (is_mix && direction != DG_DIRECTION_READ)
        add_live (worker->flow[1].histogram, to);
}

uint64_t
dg__worker_oldest_submit_ns (const DgWorker *worker, uint32_t *ret_in_flight)
{
    uint64_t oldest = UINT64_MAX;
    uint32_t in_flight = 0;
    for (uint32_t i = 0; i < worker->queue_depth; i++) {
        uint64_t since = atomic_load_explicit (&worker->submit_ns[i], memory_order_relaxed);
        if (since == 0)
            continue;
        in_flight++;
        if (since < oldest)
            oldest = since;
    }
    bool has_none = in_flight == 0 || is_ended (worker);
    if (ret_in_flight != NULL)
        *ret_in_flight = has_none ? 0 : in_flight;
    return has_none ? 0 : oldest;
}

/* ---- the result ---- */

static DgFlowCount
flow_of (const DgFlowCount *counted)
{
    DgFlowCount flow = *counted;
    if (flow.ios == 0)
        flow.min_ns = 0;
    return flow;
}

static DgFlowCount
sum_of (const DgFlowCount *a, const DgFlowCount *b, DgHistogram *histogram)
{
    DgFlowCount sum = {
        .ios = a->ios + b->ios,
        .bytes = a->bytes + b->bytes,
        .sum_ns = a->sum_ns + b->sum_ns,
        .min_ns = a->ios == 0 || (b->ios > 0 && b->min_ns < a->min_ns) ? b->min_ns : a->min_ns,
        .max_ns = a->max_ns > b->max_ns ? a->max_ns : b->max_ns,
        .histogram = histogram,
    };
    memset (histogram, 0, sizeof *histogram);
    dg_histogram_merge (histogram, a->histogram);
    dg_histogram_merge (histogram, b->histogram);
    return sum;
}

void
dg__worker_result (const DgWorker *w, DgWorkerResult *ret_result)
{
    DgFlowCount flow[2] = { flow_of (&w->flow[0]), flow_of (&w->flow[1]) };
    for (int i = 0; i < 2; i++)
        flow[i].bytes = flow[i].ios * w->block_bytes;

    DgWorkerResult result = {
        .unfinished = w->unfinished,
        .oldest_unfinished_ns = w->oldest_unfinished_ns,
        .touched_bytes = dg__workers_touched_bytes ((DgWorker *const[]){ (DgWorker *) w }, 1),
        .cpu_ns = w->cpu_ns,
        .sequence_end_bytes =
            w->has_ahead ? w->ahead.offset_bytes - w->base_bytes : w->next_block * w->block_bytes,
        .n_errors = w->n_errors,
        .open_error = w->open_error,
        .open_detail = w->open_detail,
    };
    memcpy (result.errors, w->errors, sizeof result.errors);
    if (w->read_percent == 0 || w->read_percent == 100) {
        result.total = flow[0];
    } else {
        result.read = flow[0];
        result.write = flow[1];
        result.total = sum_of (&flow[0], &flow[1], &w->histograms[2]);
    }
    *ret_result = result;
}

uint64_t
dg__workers_touched_bytes (DgWorker *const *workers, uint32_t n)
{
    uint64_t touched = 0, draws = 0, blocks = 0, block_bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        const DgWorker *w = workers[i];
        uint64_t ios = atomic_load_explicit (&w->counters.all_ios, memory_order_relaxed);
        if (w->setup.stream->access == DG_ACCESS_SEQUENTIAL) {
            touched += (ios < w->n_blocks ? ios : w->n_blocks) * w->block_bytes;
        } else {
            draws += ios;
            blocks = w->n_blocks;
            block_bytes = w->block_bytes;
        }
    }
    if (draws > 0 && blocks > 0) {
        double share = blocks == 1 ? 1.0 : -expm1 ((double) draws * log1p (-1.0 / (double) blocks));
        touched += (uint64_t) llround ((double) blocks * share) * block_bytes;
    }
    return touched;
}

bool
dg__worker_free (DgWorker *worker)
{
    if (worker == NULL)
        return true;
    dg__thread_join (worker->thread);
    worker->thread = NULL;
    bool is_lost = worker->is_lost;
    if (is_lost)
        dg__graveyard_bury (worker);
    else
        release (worker);
    return !is_lost;
}
