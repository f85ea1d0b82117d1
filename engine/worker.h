/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: a thread that moves the data of one stream. It allocates, locks and logs nothing while it measures.
 *
 * The window. The coordinator publishes from when on t0 may be, a little in the future; the first completion stamp at or after it becomes t0
 * (compare-and-swap by the worker that has it), unless the queue is stalled at that moment: then t0 is looked for from the next stamp on. The first
 * stamp >= t0 + duration (t1_from, also published by the coordinator, who may move it while it lies in the future) becomes t1 in the same way. A worker
 * whose stamp has reached one of the two swaps first and counts afterwards, so all agree: completions in (t0, t1] count.
 *
 * Stalled. An I/O in flight at t0 brings the age that it has by then into the sum of latencies, and those in flight at t1 take theirs out of it:
 *     IOPS * mean latency = (time that the slots were in use + ages at t0 - ages at t1) / window.
 * So the mean age of all slots at t0 (a free one counts as 0) must not be above `t0_age_ns`, a small share of the window (a drive whose I/Os take longer
 * than that is held to half of its mean latency), and at t1 the ages must be those of t0 again but for a fiftieth of the window. IOPS * mean latency is
 * then at most 1.02 * slots, and at least what the slots were in use less that fiftieth (what another worker has reaped and has not noted yet is taken for
 * in flight: where it was kept from the processor then, the first of the two shares is the bound). t1 is looked for during `t1_wait_ns` at most after the first
 * stamp that would not do; then the next one is taken, and the result shows what the window lacks. */
#pragma once

#include "engine/backend.h"
#include "engine/histogram.h"
#include "engine/plan.h"
#include "engine/result.h"

#include <stdatomic.h>

typedef enum {
    DG_WORKER_WAIT, /* behind the barrier */
    DG_WORKER_GO,   /* submit and complete */
    DG_WORKER_STOP, /* submit nothing more, drain, return */
} DgWorkerPhase;

/* One for all workers of a pass; on cache lines of its own. Times are dg__stamp_ns (); UINT64_MAX = not set. */
typedef struct {
    _Alignas (64) _Atomic uint64_t t0_ns; /* t0; or DG_EDGE_OPEN + the stamp from which on it may be */
    _Atomic uint64_t t1_from_ns;          /* before it no worker looks at t1_ns */
    _Atomic uint64_t t1_ns;               /* as t0_ns */
    _Atomic uint32_t phase;               /* DgWorkerPhase */
    _Atomic uint64_t t0_ages_ns;          /* the sum of the ages at t0, when that is known */
    _Atomic uint64_t t1_latest_ns;        /* set by the first stamp that would not do as t1 */
    /* Not changed after GO. */
    uint64_t t0_age_ns;               /* UINT64_MAX: t0 and t1 are the first stamps, whatever the queue looks like */
    uint64_t t0_latest_ns;            /* after GO: from then on, too */
    uint64_t t1_wait_ns;
    struct DgWorker *const *workers;  /* all of the pass */
    uint32_t n_workers;
} DgWorkerControl;

#define DG_EDGE_OPEN  (UINT64_C (1) << 63)
#define DG_EDGE_NEVER UINT64_MAX /* open, but no stamp will do */

/* A worker's own counters: relaxed, one writer, cache lines of its own. "counted" = inside (t0, t1]. */
typedef struct {
    _Alignas (64) _Atomic uint64_t all_ios;  /* completed since GO, ramp included */
    _Atomic uint64_t all_read_bytes, all_written_bytes;
    _Atomic uint64_t ios, bytes;             /* counted */
    _Atomic uint64_t slots_cycled;           /* slots that have completed at least twice */
    _Atomic uint64_t first_io_ns;            /* latency of the first I/O; 0 = none yet */
    _Atomic uint64_t failed_ios;
    _Atomic uint32_t is_ready;               /* queue open, waiting behind the barrier; or failed to open: then is_ended too */
    _Atomic uint32_t is_ended;
} DgWorkerCounters;

typedef struct {
    const DgStream *stream;        /* must outlive the worker */
    const DgBackend *backend;
    intptr_t handle;
    const char *path;              /* (nullable) */
    uint64_t file_bytes;
    uint64_t alignment_bytes;      /* regions start on multiples of it */
    uint32_t index;                /* among the stream's threads */
    uint32_t global_index;         /* among all workers of the pass */
    uint64_t seed, run;            /* stamped into written sectors; `run` is unique within a plan run */
    unsigned char *pool;           /* (nullable: pure read) this worker's part of the write pool, filled */
    uint64_t pool_bytes;
    unsigned char *pool_memory;    /* the whole pool's start and size, for registering */
    uint64_t pool_memory_bytes;
    uint64_t sequence_start_bytes; /* sequential: where in its part to go on (a pass goes on where the last ended) */
    bool write_through;
    const struct DgNullScript *null_script;
} DgWorkerSetup;

typedef struct DgWorker DgWorker;

/* Allocates everything the worker will need and starts its thread, which opens the queue and waits behind the barrier. Coordinator. */
int dg__worker_start (const DgWorkerSetup *setup, DgWorkerControl *control, DgWorker **ret_worker);

const DgWorkerCounters *dg__worker_counters (const DgWorker *worker);
const struct DgThread *dg__worker_thread (const DgWorker *worker);

/* CPU time so far of the kernel's helper tasks for the worker's queue (iou-wrk); once is_ended: as it was at the end; DG_UNKNOWN_U64 if it cannot be
 * told. Coordinator. */
uint64_t dg__worker_kernel_cpu_ns (DgWorker *worker);

/* While it runs: adds the counted latencies so far to `to`; DG_DIRECTION_MIX: of both directions. The buckets are read one by one while the worker
 * goes on: near enough for a display, and exact for a worker that waits for the drive. Any thread. */
void dg__worker_add_live_histogram (const DgWorker *worker, DgDirection direction, DgHistogram *to);

/* The stamp of the oldest I/O in flight; 0 = none. *ret_in_flight (nullable): how many are. It looks at all slots, so that the loop need not. Any
 * thread. */
uint64_t dg__worker_oldest_submit_ns (const DgWorker *worker, uint32_t *ret_in_flight);

/* After a stop: asks the system to give back what is under way, where the backend can; what comes back so is no error. Coordinator. */
void dg__worker_cancel (DgWorker *worker);

/* After is_ended. The total, read and write flow counted (histograms owned by the worker; read and write only in a mix), errors, I/Os that were in flight at t1
 * with the age of the oldest then, the bytes of distinct blocks touched, where a sequential stream ended, why the queue could not be opened. */
typedef struct {
    DgFlowCount total, read, write;
    DgRunError errors[DG_MAX_RUN_ERRORS];
    uint32_t n_errors;
    uint64_t unfinished, oldest_unfinished_ns;
    uint64_t touched_bytes;        /* by this worker alone; see dg__workers_touched_bytes () */
    uint64_t cpu_ns;               /* of the worker's thread (and its queue's) between t0 and t1, as it came past them; DG_UNKNOWN_U64 if unknown */
    uint64_t sequence_end_bytes;
    int open_error;                /* DG_OK or why the queue could not be opened */
    DgErrorDetail open_detail;
} DgWorkerResult;
void dg__worker_result (const DgWorker *worker, DgWorkerResult *ret_result);

/* Distinct bytes that all workers of one stream touched together since GO. Sequential: exact. Random: n * (1 - (1 - 1/n)^k), the mean of k draws from n
 * blocks (its standard deviation is below sqrt(n)/2: 0.1 % of 1 GiB in 4 KiB blocks), so that the loop keeps no account. After all have ended. */
uint64_t dg__workers_touched_bytes (DgWorker *const *workers, uint32_t n);

/* Waits for the worker to end, joins and frees. False when its queue broke and the system has not given back all that was under way: then all that the
 * worker had goes to the graveyard, and its part of the pool has to be kept for good, too. NULL-safe. */
bool dg__worker_free (DgWorker *worker);
