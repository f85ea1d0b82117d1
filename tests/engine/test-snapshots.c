/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be seen of a plan run while it goes on, and of its threads. */
#include "null-run.h"

#include "engine/clock.h"
#include "engine/thread.h"
#include "os.h"

static void
snapshots_agree (void)
{
    NullRun n;
    null_run_init (&n, 2);
    n.script.real_time = true;
    n.script.prepare_ns = 300 * MS;
    n.plan.warmup_ns = 200 * MS;
    n.plan.interval_ns = 100 * MS;
    n.plan.duration_ns = 400 * MS;
    null_run_start (&n);
    DgSnapshot s, last = { 0 };
    uint64_t samples[64];
    bool seen[DG_STATE_ABANDONED + 1] = { false }, has_interval = false, is_warmup,
                                   has_samples[2] = { false, false };
    while (!dg_plan_run_wait (n.run, 2 * MS)) {
        dg_plan_run_snapshot (n.run, &s);
        seen[s.state] = true;
        has_interval |= s.is_interval;
        CHECK (s.now_ns >= last.now_ns && s.step >= last.step && s.steps_done >= last.steps_done
               && s.steps_done <= s.step);
        CHECK (s.bytes_read >= last.bytes_read && s.prepared_bytes >= last.prepared_bytes
               && s.prepared_bytes <= s.prepare_bytes);
        CHECK (dg_plan_run_step (n.run, s.steps_done + 1) == NULL);
        CHECK (s.steps_done == 0
               || dg_plan_run_step (n.run, s.steps_done - 1)->state == DG_STEP_DONE);
        CHECK (dg_plan_run_result (n.run) == NULL || dg_plan_run_wait (n.run, 0));
        uint32_t count = dg_plan_run_live_samples (n.run, samples, 64, &is_warmup);
        CHECK (count <= 5); /* a window that ends late has one more */
        for (uint32_t i = 0; i < count; i++) {
            has_samples[is_warmup] = true;
            CHECK (samples[i] > 0 && samples[i] < 200 * 4096);
        }
        last = s;
    }
    CHECK (seen[DG_STATE_PREPARING] && seen[DG_STATE_WARMING] && seen[DG_STATE_MEASURING]
           && has_interval);
    CHECK (has_samples[0] && has_samples[1]);
    CHECK (last.p50_ns > 900000 && last.queue_depth > 0.5 && last.recent_bytes_per_s > 1000000);
    dg_plan_run_snapshot (n.run, &s);
    CHECK_U64 (s.state, DG_STATE_DONE);
    CHECK_U64 (s.step, 2);
    CHECK (!s.is_finishing);
    null_run_done (&n);
}

static void
two_plan_runs_at_once (void)
{
    NullRun n[2];
    for (int i = 0; i < 2; i++) {
        null_run_init (&n[i], 1);
        n[i].script.real_time = true;
        n[i].script.latency_ns = (uint64_t) (i + 1) * MS;
    }
    for (int i = 0; i < 2; i++)
        null_run_start (&n[i]);
    for (int i = 0; i < 2; i++) {
        CHECK_U64 (null_run_wait (&n[i])->state, DG_STATE_DONE);
        const DgRunResult *run = &dg_plan_run_step (n[i].run, 0)->runs[0];
        CHECK (run->is_complete && run->total.min_ns >= (uint64_t) (i + 1) * MS);
        CHECK (run->total.ios > 0 && run->total.ios <= run->elapsed_ns / ((uint64_t) (i + 1) * MS));
    }
    for (int i = 0; i < 2; i++)
        null_run_done (&n[i]);
}

static void
busy_main (void *data)
{
    while (dg__clock_thread_cpu_ns () < 30 * MS)
        ;
    *(bool *) data = true;
}

static void
thread_times (void)
{
    DgThread *thread;
    bool is_done = false;
    CHECK_U64 (dg__thread_start (&thread, "a name longer than fifteen", busy_main, &is_done),
               DG_OK);
    uint64_t cpu = 0, last = 0;
    while (cpu < 30 * MS) {
        cpu = dg__thread_cpu_ns (thread); /* goes on being known when the thread has ended */
        /* where it is counted in steps, two ways of asking may differ by one */
        CHECK (cpu != DG_UNKNOWN_U64 && cpu + OS_CPU_STEP_NS >= last);
        if (cpu + OS_CPU_STEP_NS < last || cpu == DG_UNKNOWN_U64)
            break;
        last = cpu;
    }
    real_sleep (20 * MS);
    CHECK_NEAR (dg__thread_cpu_ns (thread), 32 * MS, 2 * MS + OS_CPU_STEP_NS);
    if (OS_KNOWS_WAIT)
        CHECK (dg__thread_wait_ns (thread) < 60 * SEC);
    else
        CHECK_U64 (dg__thread_wait_ns (thread), DG_UNKNOWN_U64);
    dg__thread_join (thread);
    CHECK (is_done);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "snapshots agree", snapshots_agree },
        { "two plan runs at once", two_plan_runs_at_once },
        { "times of threads", thread_times },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
