/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was measured, as plain numbers. All of it belongs to the DgPlanRun that made it and is never changed once it has been handed out. */
#pragma once

#include "engine/error.h"
#include "engine/histogram.h"
#include "engine/plan.h"

#include <stdbool.h>
#include <stdint.h>

#define DG_UNKNOWN_U64     UINT64_MAX /* "not known", for every uint64_t in the engine's results */
#define DG_MAX_RUNS        10u        /* 9, and one repeated after a suspend */
#define DG_MAX_RUN_ERRORS  8u         /* different errors kept per run; more are counted into the last */
#define DG_SAMPLE_NS       100000000u /* one sample each 100 ms */

typedef enum { DG_DIRECT_UNKNOWN, DG_DIRECT_PROVED, DG_DIRECT_REFUTED } DgDirectness;

typedef enum { DG_STEP_NOT_RUN, DG_STEP_DONE, DG_STEP_STOPPED, DG_STEP_FAILED } DgStepState;

/* Why, as a machine-readable word; a static string. All of them, each with its meaning, stand in engine/reason.h. */
typedef const char *DgReason;

typedef struct {
    uint64_t ios, bytes;
    uint64_t sum_ns, min_ns, max_ns;       /* latencies; min/max are 0 when ios is 0; all DG_UNKNOWN_U64 of a run with a worker that did not come back */
    DgHistogram *histogram;                /* (nullable) */
} DgFlowCount;

typedef struct {
    const char *operation;                 /* "read", "write", "fdatasync" */
    uint64_t offset_bytes, length_bytes;   /* of the first one */
    int os_code;                           /* 0: a read of 0 bytes (the drive ended) */
    uint64_t count;
} DgRunError;

/* One timed execution of a step. */
typedef struct {
    uint64_t started_ns;                   /* t0, from the start of the plan run */
    uint64_t elapsed_ns;                   /* t1 - t0 (+ flush with include_flush) */
    DgFlowCount total, read, write;        /* read and write: only both non-zero in a mix */
    DgFlowCount *per_target;               /* (nullable) n_targets of them when the step has several */
    uint64_t *samples;                     /* bytes completed in each DG_SAMPLE_NS from t0 */
    uint32_t n_samples;
    DgBackendId backend;                   /* what really ran */
    DgReason backend_reason;               /* (nullable) why not the one asked for, or why automatic took it */
    DgDirectness direct;
    DgReason direct_reason;                /* (nullable) */
    double queue_depth_engine;             /* sum of latencies / elapsed; NAN if unknown */
    double queue_depth_device;             /* NAN if unknown */
    uint64_t inflight_max;                 /* largest sampled; DG_UNKNOWN_U64 if unknown */
    uint64_t cpu_ns;                       /* of the workers and their kernel helper tasks over the window; DG_UNKNOWN_U64 if unknown, as the next two */
    uint64_t kernel_worker_cpu_ns;         /* of that, the helper tasks (iou-wrk) */
    uint64_t run_wait_ns;                  /* the workers were ready and had no CPU */
    uint64_t first_io_ns;                  /* latency of the first I/O of warm-up/ramp before this run (of the first: or the probe read before, if that took longer); DG_UNKNOWN_U64: it did not come back */
    uint64_t suspended_ns;                 /* the machine slept, or the program stood still (Ctrl+Z, a debugger, a freezer); not used from 100 ms on */
    uint64_t device_bytes, foreign_bytes;  /* DG_UNKNOWN_U64 if unknown */
    uint64_t touched_bytes;                /* at most the region */
    uint64_t unfinished, oldest_unfinished_ns; /* in flight at t1, and the age of the oldest */
    bool extended;                         /* over 10 % longer than asked: fewer than 100 completions (to at most 4 x duration), or no calm end came */
    bool is_used;                          /* counts for the shown figure and the spread */
    bool is_complete;                      /* ran to its end */
    DgRunError errors[DG_MAX_RUN_ERRORS];
    uint32_t n_errors;
} DgRunResult;

typedef struct {
    DgStepState state;
    DgReason reason;                       /* (nullable) of NOT_RUN */
    uint64_t started_ns;                   /* from the start of the plan run */
    uint64_t warmup_started_ns, warmup_elapsed_ns;
    uint64_t *warmup_samples;              /* bytes per DG_SAMPLE_NS */
    uint32_t n_warmup_samples;
    uint64_t flush_ns;                     /* fdatasync after a write step; DG_UNKNOWN_U64 if none, or the machine slept in it */
    DgRunResult runs[DG_MAX_RUNS];
    uint32_t n_runs;
} DgStepResult;

/* The test file on one target. */
typedef struct {
    uint64_t size_bytes;
    uint64_t extents;                      /* DG_UNKNOWN_U64 where the file system cannot tell */
    uint64_t prepare_ns, prepare_bytes;    /* the full write, flush included; its rate is bytes / ns */
    uint64_t probe_bytes;                  /* written besides: a first writing that FIEMAP refuted, and the write probe (DESIGN section 4.8) */
    uint64_t missing_bytes;                /* of the file that FIEMAP does not show as written on the drive, after writing it twice; 0 = none, or it cannot tell */
    bool name_visible;                     /* it had a name while it was in use */
    uint64_t leftovers_removed;            /* files of earlier, killed runs that were deleted first */
    bool is_direct;                        /* O_DIRECT was accepted, at open and at transfer */
    DgReason direct_reason;                /* (nullable) why not */
    bool is_nocow, is_compressed, is_encoded; /* as FIEMAP and the flags tell after preparing */
    uint64_t alignment_bytes;              /* every region and offset is a multiple of it */
    uint64_t logical_block_bytes, physical_block_bytes; /* DG_UNKNOWN_U64 if unknown */
} DgFileResult;

typedef enum {
    DG_STATE_IDLE,
    DG_STATE_PREPARING,
    DG_STATE_WARMING,
    DG_STATE_MEASURING,
    DG_STATE_DRAINING,
    DG_STATE_DONE,
    DG_STATE_STOPPED,
    DG_STATE_FAILED,
    DG_STATE_ABANDONED,
} DgState;

typedef struct {
    DgState state;                         /* one of the last four */
    int error;                             /* DgError of FAILED, else DG_OK */
    DgErrorDetail detail;                  /* of FAILED */
    uint64_t elapsed_ns;                   /* of the whole plan run */
    uint64_t bytes_written, bytes_read;    /* everything, preparation and warm-up included */
    DgFileResult *files;                   /* n_targets of the plan */
    uint64_t abandoned_age_ns;             /* ABANDONED: the age of the oldest I/O that did not come back */
} DgPlanResult;

/* Pure functions of what was handed out: any thread.
 *
 * Bandwidth in bytes/s and IOPS of a run, made once from its counts; 0 when elapsed_ns is 0. */
double dg_run_bandwidth (const DgRunResult *run);
double dg_run_iops (const DgRunResult *run);

/* Index of the run to show: by bandwidth over the used runs, the median (sorted, index (n - 1) / 2) or with `best` the greatest.
 * -1 if none is used. */
int dg_step_shown_run (const DgStepResult *step, bool best);

/* (max - min) / 2 / median of the used runs' bandwidth, in percent; NAN for fewer than two. */
double dg_step_spread_percent (const DgStepResult *step);
