/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrying out a plan. One coordinator thread owns the state; workers only move data. The caller pulls: nothing here calls back. */
#pragma once

#include "engine/error.h"
#include "engine/plan.h"
#include "engine/result.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DgPlanRun DgPlanRun;

/* What is happening now; a consistent copy. */
typedef struct {
    DgState state;
    bool is_interval;            /* waiting between steps */
    bool is_finishing;           /* stopped, and a flush, delete or the last I/Os are still in the kernel */
    uint32_t step;               /* the step going on (or next); == n_steps at the end */
    uint32_t steps_done;         /* results of steps [0, steps_done) can be read */
    uint32_t run;                /* 0-based run of the step */
    uint32_t runs_done;          /* finished runs of the present step */
    uint64_t now_ns;             /* since the start of the plan run */
    uint64_t phase_started_ns;   /* since the start of the plan run */
    uint64_t phase_length_ns;    /* expected; DG_UNKNOWN_U64 while it cannot be known */
    uint64_t prepared_bytes, prepare_bytes; /* of the file(s) */
    uint64_t run_bytes, run_ios, run_ns;    /* the present run (or warm-up) so far */
    uint64_t recent_bytes_per_s; /* over the last sample; of preparation, too */
    uint64_t p50_ns, p99_ns;     /* of the present run so far; 0 while nothing is counted */
    double queue_depth;          /* of the present run so far; 0 while unknown */
    uint32_t cpu_permille;       /* CPU of the workers over the last second, in thousandths of one CPU */
    uint64_t bytes_written, bytes_read; /* everything so far */
    uint64_t errors;             /* failed I/Os so far */
    uint64_t oldest_io_ns;       /* age of the oldest I/O in flight, or of a call on the file that does not get on, when over 5 s, else 0 */
} DgSnapshot;

/* Copies the plan, starts the coordinator. The target is opened, checked, prepared and measured there, so this returns at once.
 * DG_ERROR_INVALID (see dg_plan_check), DG_ERROR_NO_MEMORY, DG_ERROR_SYSTEM (no thread); `ret_detail` is not nullable. Any thread. */
int dg_plan_run_start (const DgPlan *plan, DgPlanRun **ret_run, DgErrorDetail *ret_detail);

/* Asks it to stop; answered within 1 s. May be called more than once. Any thread; not async-signal-safe. */
void dg_plan_run_stop (DgPlanRun *run);

/* Never blocks. Any thread. */
void dg_plan_run_snapshot (DgPlanRun *run, DgSnapshot *ret_snapshot);

/* Waits until the state is final (DONE, STOPPED, FAILED, ABANDONED), at most timeout_ns. True if it is. Any thread. */
bool dg_plan_run_wait (DgPlanRun *run, uint64_t timeout_ns);

/* The result of a step < steps_done; NULL before. (owned by run) Any thread. */
const DgStepResult *dg_plan_run_step (const DgPlanRun *run, uint32_t step);

/* The samples of the present warm-up or run so far: bytes per DG_SAMPLE_NS from its t0. Copies at most `max`, returns how many. */
uint32_t dg_plan_run_live_samples (DgPlanRun *run, uint64_t *ret_samples, uint32_t max, bool *ret_is_warmup);

/* The whole result once the state is final; NULL before. (owned by run) Any thread. */
const DgPlanResult *dg_plan_run_result (const DgPlanRun *run);

/* What was found of target `index`'s test file once it is prepared; NULL before. (owned by run) Any thread. */
const DgFileResult *dg_plan_run_file (const DgPlanRun *run, uint32_t index);

/* NULL-safe. Stops and waits if still running. While `is_finishing` (a flush, the deletion of the file or a slow drive's last I/Os are still in the
 * kernel) it does not wait: the coordinator frees everything when that has ended. So a program that is about to exit first waits until the snapshot no
 * longer says so. What an abandoned run's I/Os use (memory, ring, descriptors, threads) and its file are freed when the drive gives them back; one that
 * never does keeps them: the one allowed leak. Not while another thread is in a function of the same run. */
void dg_plan_run_free (DgPlanRun *run);
