/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/plan-run-private.h"

#include <string.h>

#include "engine/clock.h"
#include "engine/state.h"

uint64_t
dg__run_now_ns (const DgPlanRun *run)
{
    return dg__clock_ns () - run->started_ns;
}

/* The writer's half of a sequence counter: odd while the words change. */
void
dg__run_publish (DgPlanRun *run)
{
    uint64_t words[DG_SNAPSHOT_WORDS] = { 0 };
    run->now.now_ns = dg__run_now_ns (run);
    run->published_ns = dg__clock_ns ();
    memcpy (words, &run->now, sizeof run->now);
    uint32_t seq = atomic_load_explicit (&run->snapshot_seq, memory_order_relaxed);
    atomic_store_explicit (&run->snapshot_seq, seq + 1, memory_order_relaxed);
    for (size_t i = 0; i < DG_SNAPSHOT_WORDS; i++)
        atomic_store_explicit (&run->snapshot[i], words[i], memory_order_release);
    atomic_store_explicit (&run->snapshot_seq, seq + 2, memory_order_release);
}

void
dg_plan_run_snapshot (DgPlanRun *run, DgSnapshot *ret_snapshot)
{
    uint64_t words[DG_SNAPSHOT_WORDS];
    uint32_t seq;
    do {
        seq = atomic_load_explicit (&run->snapshot_seq, memory_order_acquire);
        /* acquire: a word of a later publication makes its odd counter visible, too */
        for (size_t i = 0; i < DG_SNAPSHOT_WORDS; i++)
            words[i] = atomic_load_explicit (&run->snapshot[i], memory_order_acquire);
    } while ((seq & 1u) != 0
             || atomic_load_explicit (&run->snapshot_seq, memory_order_relaxed) != seq);
    memcpy (ret_snapshot, words, sizeof *ret_snapshot);
}

void
dg__run_move (DgPlanRun *run, DgState state, uint64_t length_ns)
{
    if (run->now.state != state && dg__state_may (run->now.state, state))
        run->now.state = state;
    run->now.phase_started_ns = dg__run_now_ns (run);
    run->now.phase_length_ns = length_ns;
    dg__run_publish (run);
}

void
dg__run_publish_samples (DgPlanRun *run, uint64_t *samples, bool is_warmup)
{
    atomic_store (&run->n_live_samples, 0);
    atomic_store (&run->live_samples, samples);
    atomic_store (&run->live_is_warmup, is_warmup);
}

uint32_t
dg_plan_run_live_samples (DgPlanRun *run, uint64_t *ret_samples, uint32_t max, bool *ret_is_warmup)
{
    uint64_t *samples;
    uint32_t n;
    do {
        samples = atomic_load (&run->live_samples);
        n = atomic_load (&run->n_live_samples);
        *ret_is_warmup = atomic_load (&run->live_is_warmup);
    } while (samples != atomic_load (&run->live_samples));
    if (samples == NULL)
        return 0;
    if (n > max)
        n = max;
    memcpy (ret_samples, samples, n * sizeof *samples);
    return n;
}

bool
dg__run_is_stopped (DgPlanRun *run)
{
    if (run->stop_seen_ns == 0 && atomic_load_explicit (&run->stop, memory_order_acquire))
        run->stop_seen_ns = dg__clock_ns ();
    return run->stop_seen_ns != 0;
}

bool
dg__run_sleep (DgPlanRun *run, uint64_t when_ns)
{
    for (;;) {
        if (dg__run_is_stopped (run))
            return true;
        uint64_t now = dg__clock_ns ();
        if (now >= when_ns)
            return false;
        dg__sleep_until_ns (when_ns - now > DG_RUN_TICK_NS ? now + DG_RUN_TICK_NS : when_ns);
        if (dg__clock_ns () - run->published_ns >= DG_SAMPLE_NS)
            dg__run_publish (run);
    }
}
