/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: the inside of a plan run, shared by the plan-run-*.c files. Everything here
 * belongs to the coordinator's thread, apart from what is atomic. */
#pragma once

#include "engine/backend.h"
#include "engine/plan-run.h"
#include "engine/test-file.h"
#include "engine/thread.h"
#include "engine/worker.h"

#include <stdatomic.h>

#define DG_RUN_TICK_NS     50000000u  /* the coordinator looks at least that often */
#define DG_RUN_FINE_NS     500000u    /* while it waits for something that is due */
#define DG_RUN_CALM_NS     5000000u   /* ... that may come or not */
#define DG_RUN_RAMP_NS     100000000u /* DESIGN section 4.2 */
#define DG_RUN_RAMP_MAX_NS 10000000000u
#define DG_RUN_MARGIN_NS   1000000u /* a moment is published that long before it comes */
#define DG_RUN_MIN_IOS     100u
#define DG_RUN_DRAIN_NS    1500000000u /* after a stop */
#define DG_RUN_CANCEL_NS   1000000000u /* after a stop: what is under way is asked for back */
#define DG_RUN_SILENCE_NS                                                                          \
    120000000000u /* without a stop: no completion for that long, and the drive is given up (the   \
                     kernel's own limits are 30 s) */
#define DG_RUN_LATE_NS      5000000000u /* an I/O in flight for longer is told of */
#define DG_RUN_FINISH_NS    1000000000u /* after a stop a flush or delete is waited for that long */
#define DG_RUN_SUSPENDED_NS 100000000u
#define DG_RUN_GAP_NS       500000000u /* the coordinator itself did not run for that long */
#define DG_RUN_DEAD_NS      200000000u /* nothing but errors for that long ends a pass */
#define DG_POOL_BYTES       (64u << 20)

/* What the coordinator needs of a test file: engine/test-file.h, or the null one's. */
typedef struct {
    int (*create) (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file,
                   DgErrorDetail *ret_detail);
    int (*prepare) (DgTestFile *file, DgData data, uint64_t seed, DgPrepareProgress *progress,
                    DgErrorDetail *ret_detail);
    const DgFileResult *(*result) (const DgTestFile *file);
    intptr_t (*handle) (const DgTestFile *file);
    const char *(*path) (const DgTestFile *file);
    int (*flush) (DgTestFile *file, DgErrorDetail *ret_detail);
    void (*drop_cache) (DgTestFile *file);
    int (*nowait) (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns);
    void (*close) (DgTestFile *file);
    void (*leave) (DgTestFile *file);
    void (*cache_state) (DgTestFile *file, DgCacheState *ret_state);
    DgDirectness (*judge) (DgTestFile *file, const DgCacheState *before, const DgCacheState *after,
                           uint64_t bytes_read, uint64_t bytes_written, uint64_t touched_bytes,
                           DgReason *ret_reason);
    void (*drive_counters) (DgTestFile *file, DgDriveCounters *ret_counters);
} DgFileOps;

typedef struct {
    DgTestFile *file; /* (owned) (nullable) */
    DgData data;
    DgPrepareProgress progress;
    _Atomic bool is_prepared;
} DgRunTarget;

typedef enum {
    DG_FILE_CREATE,
    DG_FILE_PREPARE,
    DG_FILE_DROP,
    DG_FILE_FLUSH,
    DG_FILE_NOWAIT,
    DG_FILE_CLOSE
} DgFileCall;

/* A call that takes as long as it takes, in a thread of its own; at most one at a time. */
typedef struct {
    DgThread *thread; /* (nullable) none going on */
    DgFileCall call;
    bool *targets; /* (owned) for which */
    _Atomic bool is_done;
    int error;
    DgErrorDetail detail;
    uint64_t elapsed_ns;
    uint64_t block_bytes; /* DG_FILE_NOWAIT: asked for this block */
    int nowait;           /* the answer: 0 if a target says so, 1, or -1 if none knows */
    uint64_t read_ns;     /* with it: the slowest target's read */
} DgFileTask;

/* Write data of one kind, kept from step to step. */
typedef struct {
    unsigned char *memory;
    uint64_t size_bytes; /* as allocated */
} DgRunPool;

#define DG_SNAPSHOT_WORDS ((sizeof (DgSnapshot) + 7u) / 8u)

typedef enum {
    DG_FATE_OPEN,
    DG_FATE_SILENT, /* the coordinator waits for a drive that does not answer, perhaps for ever */
    DG_FATE_OVER,   /* it has nothing more to do */
} DgRunFate;

struct DgPlanRun {
    DgPlan *plan; /* (owned) */
    const DgFileOps *ops;
    DgThread *thread;
    DgLock *lock;            /* for those who wait: dg_plan_run_wait (), dg_plan_run_free () */
    _Atomic uint32_t owners; /* the caller and the coordinator */
    _Atomic bool stop;
    uint64_t started_ns;         /* dg__clock_ns () */
    uint64_t stop_seen_ns;       /* 0 = not stopped */
    struct DgStepRun *undrained; /* (owned) (nullable) its workers have not all ended */
    _Atomic uint32_t fate;       /* DgRunFate; changes with the lock held and a signal */

    DgRunTarget *targets; /* (owned) n_targets */
    DgFileTask task;
    DgRunPool pools[2];         /* by DgData */
    uint32_t probed, available; /* bits 1 << DgBackendId */
    uint64_t n_passes;          /* stamped into sectors */

    DgStepResult *steps;         /* (owned) n_steps */
    _Atomic uint32_t steps_done; /* release */
    DgPlanResult result;
    _Atomic bool is_final; /* release */

    DgSnapshot now; /* the coordinator's draft */
    uint64_t published_ns;
    uint64_t passed_read_bytes,
        passed_written_bytes; /* of passes that have ended, and preparation */
    uint64_t passed_errors;
    uint64_t woken_ns, own_cpu_ns, own_wait_ns; /* when the coordinator last woke up */
    uint64_t stood_ns; /* the program stood still for so long; as far as it was noticed */
    _Atomic uint32_t snapshot_seq;
    _Atomic uint64_t snapshot[DG_SNAPSHOT_WORDS];

    _Atomic (uint64_t *) live_samples;
    _Atomic uint32_t n_live_samples;
    _Atomic bool live_is_warmup;
};

/* ---- plan-run-publish.c ---- */
void dg__run_publish (DgPlanRun *run);
void dg__run_move (DgPlanRun *run, DgState state, uint64_t length_ns); /* and publishes */
void dg__run_publish_samples (DgPlanRun *run, uint64_t *samples, bool is_warmup);
uint64_t dg__run_now_ns (const DgPlanRun *run); /* since the start */
/* Notices a stop: true once there is one. */
bool dg__run_is_stopped (DgPlanRun *run);
/* Sleeps until `when_ns` (dg__clock_ns ()), publishing; returns early, true, when a stop comes. */
bool dg__run_sleep (DgPlanRun *run, uint64_t when_ns);

/* ---- plan-run-clock.c ---- */
/* Sleeps until `when_ns` (dg__clock_ns ()), and notices if the program stood still since the last
 * time, or dg__away_begin (). */
void dg__run_doze (DgPlanRun *run, uint64_t when_ns);

typedef struct {
    uint64_t ahead_ns, slack_ns, stood_ns;
} DgAway;
/* For how long, since it began, the machine slept or the program stood still. */
void dg__away_begin (DgPlanRun *run, DgAway *ret_away);
uint64_t dg__away_ns (const DgPlanRun *run, const DgAway *away);

/* ---- plan-run-file.c ---- */
const DgFileOps *dg__run_file_ops (const DgPlan *plan);
/* Starts the call for the targets marked in `targets` (n_targets of them; NULL = all). 0 or
 * DG_ERROR_SYSTEM. */
int dg__run_task_start (DgPlanRun *run, DgFileCall call, const bool *targets);
/* Waits until it has ended (true; its error stands in run->task) or a stop is older than
 * DG_RUN_FINISH_NS (false). */
bool dg__run_task_wait (DgPlanRun *run);
/* Both, for a call whose own error does not matter; 0, DG_ERROR_STOPPED when it goes on,
 * DG_ERROR_SYSTEM. */
int dg__run_task (DgPlanRun *run, DgFileCall call, const bool *targets);

/* ---- plan-run-pool.c ---- */
/* Makes sure that the pool holds `bytes`; 0 or DG_ERROR_NO_MEMORY. */
int dg__run_pool_reserve (DgPlanRun *run, DgData data, uint64_t bytes);
void dg__run_pools_free (DgPlanRun *run);
/* The system may still read from them: they stay where they are for good, and whoever needs one
 * next gets another. */
void dg__run_pools_keep (DgPlanRun *run);

/* ---- plan-run-step.c ---- */
typedef enum {
    DG_GO_ON,
    DG_GO_STOPPED,
    DG_GO_UNDRAINED, /* stopped; this and the next: run->undrained is set */
    DG_GO_ABANDONED,
    DG_GO_GONE, /* the target is no longer there, or the system gave no thread or memory;
                   run->result says which */
} DgGo;
DgGo dg__run_step (DgPlanRun *run, uint32_t index);

/* ---- plan-run-rule.c ---- */
/* Whether the step has enough runs (DESIGN section 4.9); `runs` as in the plan. */
bool dg__rule_has_enough (const DgStepResult *step, uint32_t runs);
/* Sets is_used of each run. */
void dg__rule_apply (DgStepResult *step, uint32_t runs);
/* A run that may count: complete, without an error, not suspended. */
bool dg__rule_is_good (const DgRunResult *run);

/* ---- plan-run-main.c ---- */
void dg__run_main (void *run);

/* ---- plan-run.c ---- */
/* One of the two owners lets go; the last one frees. */
void dg__run_release (DgPlanRun *run);
