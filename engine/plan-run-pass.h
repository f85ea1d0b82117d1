/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: a step while it runs, and one pass of it: a warm-up or a run. Coordinator's
 * thread only. */
#pragma once

#include "engine/plan-run-private.h"

/* All workers' counters together, read once. */
typedef struct {
    uint64_t all_ios, all_read_bytes, all_written_bytes;
    uint64_t ios, bytes;
    uint64_t slots_cycled, failed_ios;
    uint64_t first_io_ns; /* the slowest worker's */
    uint32_t n_ready, n_ended;
} DgPassCounts;

/* Bytes per DG_SAMPLE_NS. What came between two looks is spread evenly over the time between them,
 * so that a late look moves nothing into the next sample. */
typedef struct {
    uint64_t *samples; /* (owned by the step's result) */
    uint32_t capacity;
    uint64_t start_ns, last_ns, last_bytes;
} DgSampler;

/* What a pass moved on one target, ramp and drain included. */
typedef struct {
    uint64_t read_bytes, written_bytes, touched_bytes;
} DgMoved;

/* Read at the two ends of the window. */
typedef struct {
    uint64_t stamp_ns;
    DgDriveCounters drive; /* of all targets of the step together */
    uint64_t our_bytes;
    uint64_t wait_ns, kernel_cpu_ns;
} DgMeters;

typedef struct DgStepRun {
    DgPlanRun *run;
    uint32_t index;
    const DgStep *step;
    DgStepResult *result;
    const DgBackend *backend;
    DgReason backend_reason;
    int nowait;
    bool *targets; /* (owned) which ones the step uses */
    uint64_t total_slots, region_bytes;
    bool has_reads, has_writes, is_buffered;
    uint64_t first_io_ns;      /* of the warm-up, for the first run */
    uint64_t probe_read_ns;    /* of the read before the first pass; 0 = none, or it has been taken account of */
    DgRunResult warmup;        /* only what failed in it */
    uint32_t n_warmup_samples; /* there is room for */

    DgWorkerControl *control; /* (owned) */
    DgWorkerSetup *setups; /* (owned) n_workers; sequence_start_bytes goes on from pass to pass */
    DgWorker **workers;    /* (owned) n_workers, NULL outside a pass */
    uint32_t n_workers;

    /* the present pass */
    uint64_t go_ns, go_clock_ns; /* dg__stamp_ns (), dg__clock_ns () */
    bool has_jumped;             /* the two ran apart: nothing that was timed is true */
    DgAway away;                 /* since GO */
    DgSampler sampler;
    DgMeters opening, closing;
    uint64_t inflight_max, inflight_ns;          /* sampled last */
    bool is_extended, is_dead, is_cut;           /* cut: by a stop */
    uint64_t good_ns, good_bytes, good_stood_ns; /* when bytes last grew */
    uint64_t recent_ns, recent_bytes, cpu_at_ns, cpu_ns;
    DgMoved *moved; /* (owned) n_targets of the plan */
    int open_error;
    DgErrorDetail open_detail;
} DgStepRun;

typedef enum {
    DG_PASS_DONE,
    DG_PASS_STOPPED,
    DG_PASS_UNDRAINED, /* stopped, and the drive is not done with what it has, but at it */
    DG_PASS_ABANDONED, /* it does not answer any more; of both, the workers are still there */
    DG_PASS_NO_QUEUE,  /* open_error says why */
    DG_PASS_SYSTEM,    /* no thread or no memory: open_error */
} DgPassEnd;

/* ---- plan-run-fit.c ---- */
/* Fills in what the step is, whether it can be run, and on what: NULL, or the reason why not.
 * *ret_go: DG_GO_STOPPED when a stop came meanwhile. */
DgReason dg__step_fit (DgStepRun *s, DgGo *ret_go);
/* The next backend that Automatic would take, after a queue of this one could not be opened. */
bool dg__step_fall_back (DgStepRun *s);
/* The bytes of the file that a stream may use. */
uint64_t dg__step_region (const DgStepRun *s, const DgStream *stream);

/* ---- plan-run-layout.c ---- */
/* Of a run that nothing is known of yet. */
void dg__run_result_init (DgRunResult *run);
/* Everything that the step's passes need; 0 or DG_ERROR_NO_MEMORY. */
int dg__step_allocate (DgStepRun *s);
int dg__step_allocate_run (const DgStepRun *s, DgRunResult *run);
void dg__step_free (DgStepRun *s); /* NULL-safe */

/* ---- plan-run-pass.c ---- */
/* `run` NULL: a warm-up. */
DgPassEnd dg__pass (DgStepRun *s, DgRunResult *run);
void dg__pass_counts (const DgStepRun *s, DgPassCounts *ret_counts);
/* Publishes the snapshot and takes the samples; `has_window`: the counted ones from t0, else all
 * from GO. */
void dg__pass_tick (DgStepRun *s, const DgPassCounts *counts, bool has_window);

/* ---- plan-run-clock.c ---- */
/* Right before GO. */
void dg__pass_clock_start (DgStepRun *s);
/* Whether stamps and clock have run apart since GO (engine/clock.h); notes it. */
bool dg__pass_has_jumped (DgStepRun *s);
/* Sleeps until the stamp, at most a tick. */
void dg__pass_sleep (DgStepRun *s, uint64_t stamp_ns);

/* ---- plan-run-drain.c ---- */
typedef enum {
    DG_DRAINED,
    DG_DRAIN_GOES_ON, /* a stop is DG_RUN_DRAIN_NS old, and I/Os still come back */
    DG_DRAIN_SILENT,  /* nothing has come back for DG_RUN_DRAIN_NS after a stop, DG_RUN_SILENCE_NS
                         without one */
} DgDrain;
/* Submits nothing more and waits for what is under way. */
DgDrain dg__pass_drain (DgStepRun *s);
/* The same after DG_DRAIN_GOES_ON, as long as something comes back each DG_RUN_DRAIN_NS: true when
 * all has. */
bool dg__pass_drain_on (DgStepRun *s);
/* Waits for the workers to end, however long that takes, and frees them. */
void dg__pass_free_workers (DgStepRun *s);
/* The age of the oldest I/O under way; 0 = none. */
uint64_t dg__pass_oldest_ns (const DgStepRun *s, uint64_t now_ns);

/* ---- plan-run-window.c ---- */
/* Ramp and window of a run (DESIGN section 4.2). Ends with t1 set, or not: is_cut, is_dead. */
void dg__window (DgStepRun *s);
void dg__sampler_start (DgSampler *sampler, uint64_t start_ns);
void dg__sampler_add (DgSampler *sampler, uint64_t now_ns, uint64_t bytes);
/* Complete samples up to now_ns. */
uint32_t dg__sampler_count (const DgSampler *sampler, uint64_t now_ns);

/* ---- plan-run-collect.c ---- */
/* After all workers have ended, or of those that have: fills in the run. */
void dg__collect (DgStepRun *s, DgRunResult *run, uint64_t end_ns);
/* Of the workers that have ended: adds what failed. */
void dg__collect_errors (const DgStepRun *s, DgRunResult *run);
void dg__meters_read (DgStepRun *s, DgMeters *ret_meters);
