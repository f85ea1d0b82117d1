/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a pass: what is under way comes back, late, or never. */
#include "engine/plan-run-pass.h"

#include "engine/clock.h"

#define LOOK_MAX_NS 5000000u

uint64_t
dg__pass_oldest_ns (const DgStepRun *s, uint64_t now_ns)
{
    uint64_t oldest = 0;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        uint64_t submitted = dg__worker_oldest_submit_ns (s->workers[i], NULL);
        if (submitted != 0 && submitted < now_ns && now_ns - submitted > oldest)
            oldest = now_ns - submitted;
    }
    return oldest;
}

static void
cancel (DgStepRun *s)
{
    for (uint32_t i = 0; i < s->n_workers; i++)
        dg__worker_cancel (s->workers[i]);
}

/* Looks at what has come back. */
typedef struct {
    uint64_t moved, looked_ns;
    uint64_t since_ns; /* something came back last; or the beginning */
    bool has_moved;    /* since the beginning */
} Progress;

/* True when all have. */
static bool
look (const DgStepRun *s, Progress *progress)
{
    DgPassCounts counts;
    dg__pass_counts (s, &counts);
    uint64_t now = dg__clock_ns (), moved = counts.all_ios + counts.failed_ios + counts.n_ended
                                            + counts.all_read_bytes + counts.all_written_bytes;
    bool is_first = progress->looked_ns == 0;
    if (is_first || moved != progress->moved || now - progress->looked_ns > DG_RUN_GAP_NS) {
        progress->has_moved |= !is_first && moved != progress->moved;
        progress->since_ns = now;
        progress->moved = moved;
    }
    progress->looked_ns = now;
    return counts.n_ended == s->n_workers;
}

static void
tell (DgStepRun *s)
{
    DgPlanRun *run = s->run;
    uint64_t age = dg__pass_oldest_ns (s, dg__stamp_ns ());
    run->now.oldest_io_ns = age > DG_RUN_LATE_NS ? age : 0;
    if (dg__clock_ns () - run->published_ns >= DG_SAMPLE_NS)
        dg__run_publish (run);
}

DgDrain
dg__pass_drain (DgStepRun *s)
{
    DgPlanRun *run = s->run;
    atomic_store_explicit (&s->control->phase, DG_WORKER_STOP, memory_order_release);
    dg__run_move (run, DG_STATE_DRAINING, DG_RUN_DRAIN_NS);
    Progress progress = { 0 };
    bool is_cancelled = false;
    for (uint64_t pause = DG_RUN_FINE_NS / 5; !look (s, &progress);) {
        uint64_t now = progress.looked_ns;
        bool is_stopped = dg__run_is_stopped (run);
        if (is_stopped && !is_cancelled && now >= run->stop_seen_ns + DG_RUN_CANCEL_NS) {
            is_cancelled = true;
            cancel (s);
        }
        if (is_stopped && now >= run->stop_seen_ns + DG_RUN_DRAIN_NS) {
            if (now >= progress.since_ns + DG_RUN_DRAIN_NS)
                return DG_DRAIN_SILENT;
            /* Not only what was about to come back anyway when the stop came. */
            if (progress.has_moved && now < progress.since_ns + DG_RUN_DRAIN_NS / 2)
                return DG_DRAIN_GOES_ON;
        }
        if (!is_stopped && now >= progress.since_ns + DG_RUN_SILENCE_NS)
            return DG_DRAIN_SILENT;
        tell (s);
        dg__sleep_until_ns (now + pause);
        if (pause < LOOK_MAX_NS)
            pause *= 2;
    }
    return DG_DRAINED;
}

bool
dg__pass_drain_on (DgStepRun *s)
{
    Progress progress = { 0 };
    while (!look (s, &progress)) {
        if (progress.looked_ns >= progress.since_ns + DG_RUN_DRAIN_NS)
            return false;
        tell (s);
        dg__sleep_until_ns (progress.looked_ns + LOOK_MAX_NS);
    }
    return true;
}

void
dg__pass_free_workers (DgStepRun *s)
{
    bool is_back = true;
    for (uint32_t i = 0; i < s->n_workers; i++) {
        is_back &= dg__worker_free (s->workers[i]);
        s->workers[i] = NULL;
    }
    if (!is_back)
        dg__run_pools_keep (s->run);
}
