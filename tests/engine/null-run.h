/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans for the null backend: one target, one stream, unless a test changes it. */
#pragma once

#include "check.h"
#include "engine/engine.h"
#include "engine/null/null.h"
#include "engine/thread.h"

#define MS  UINT64_C (1000000)
#define SEC UINT64_C (1000000000)

#define MAX_STREAMS 4

typedef struct {
    DgNullScript script;
    DgPlanTarget targets[2];
    DgStream streams[MAX_STREAMS];
    DgStep steps[4];
    DgPlan plan;
    DgPlanRun *run;
} NullRun;

/* Reads of 4 KiB at depth 1, 1 ms each: one run of 0.2 s, no warm-up, no interval. A step uses one
 * stream, its own. */
static inline void
null_run_init (NullRun *n, uint32_t n_steps)
{
    memset (n, 0, sizeof *n);
    n->script.latency_ns = 1 * MS;
    n->script.direct = DG_DIRECT_PROVED;
    for (int i = 0; i < 2; i++)
        n->targets[i] = (DgPlanTarget){ .file_bytes = 64u << 20, .handle = -1 };
    for (int i = 0; i < MAX_STREAMS; i++) {
        n->streams[i] = (DgStream){ .access = DG_ACCESS_RANDOM,
                                    .block_bytes = 4096,
                                    .queue_depth = 1,
                                    .threads = 1,
                                    .read_percent = 100 };
        n->steps[i] = (DgStep){ .streams = &n->streams[i], .n_streams = 1 };
    }
    n->plan = (DgPlan){ .targets = n->targets,
                        .n_targets = 1,
                        .steps = n->steps,
                        .n_steps = n_steps,
                        .runs = 1,
                        .duration_ns = 200 * MS,
                        .backend = DG_BACKEND_NULL,
                        .seed = 1,
                        .null_script = &n->script };
}

/* By the system's clock, whatever the engine's is. */
static inline void
real_sleep (uint64_t ns)
{
    DgLock *lock = dg__lock_new ();
    uint64_t until = dg__lock_clock_ns () + ns;
    dg__lock (lock);
    while (dg__lock_clock_ns () < until)
        dg__lock_wait_until (lock, until);
    dg__unlock (lock);
    dg__lock_free (lock);
}

static inline void
null_run_start (NullRun *n)
{
    DgErrorDetail detail = { 0 };
    int error = dg_plan_run_start (&n->plan, &n->run, &detail);
    if (error != DG_OK) {
        printf ("Bail out! the plan run does not start: %d\n", error);
        exit (99);
    }
}

/* To its end; a real minute without one is a failure. */
static inline const DgPlanResult *
null_run_wait (NullRun *n)
{
    if (!dg_plan_run_wait (n->run, 60 * SEC)) {
        DgSnapshot s;
        dg_plan_run_snapshot (n->run, &s);
        printf ("Bail out! still in state %d after a minute, fake time %" PRIu64 " ms\n",
                (int) s.state, s.now_ns / MS);
        exit (99);
    }
    return dg_plan_run_result (n->run);
}

static inline const DgPlanResult *
null_run (NullRun *n)
{
    null_run_start (n);
    return null_run_wait (n);
}

static inline void
null_run_done (NullRun *n)
{
    dg_plan_run_free (n->run);
    n->run = NULL;
}

/* A stop at a moment of the fake clock: the script starts held, so that the run is known before
 * time passes. */
typedef struct {
    NullRun *n;
    DgNullEvent event;
} NullStop;

static inline void
null_stop_cb (void *data)
{
    dg_plan_run_stop (((NullStop *) data)->n->run);
}

static inline const DgPlanResult *
null_run_stopped_at (NullRun *n, NullStop *stop, uint64_t when_ns)
{
    stop->n = n;
    stop->event = (DgNullEvent){ DG_NULL_START_NS + when_ns, null_stop_cb, stop };
    n->script.events = &stop->event;
    n->script.n_events = 1;
    n->script.starts_held = true;
    null_run_start (n);
    dg__null_clock_go ();
    return null_run_wait (n);
}
