/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DESIGN section 4.2. The workers set t0 and t1 themselves; the coordinator says from when on. */
#include "engine/plan-run-pass.h"

#include "engine/clock.h"

void
dg__sampler_start (DgSampler *sampler, uint64_t start_ns)
{
    sampler->start_ns = start_ns;
    sampler->last_ns = start_ns;
    sampler->last_bytes = 0;
}

void
dg__sampler_add (DgSampler *sampler, uint64_t now_ns, uint64_t bytes)
{
    if (bytes < sampler->last_bytes)
        return;
    if (now_ns <= sampler->last_ns) { /* looked at before all up to now had been counted */
        uint64_t looked = sampler->last_ns - sampler->start_ns,
                 k = looked > 0 ? (looked - 1) / DG_SAMPLE_NS : 0;
        if (k < sampler->capacity)
            sampler->samples[k] += bytes - sampler->last_bytes;
        sampler->last_bytes = bytes;
        return;
    }
    uint64_t span = now_ns - sampler->last_ns, delta = bytes - sampler->last_bytes, given = 0;
    for (uint64_t at = sampler->last_ns; at < now_ns;) {
        uint64_t k = (at - sampler->start_ns) / DG_SAMPLE_NS;
        if (k >= sampler->capacity)
            break;
        uint64_t end = sampler->start_ns + (k + 1) * DG_SAMPLE_NS;
        if (end > now_ns)
            end = now_ns;
        uint64_t up_to = (uint64_t) ((unsigned __int128) delta * (end - sampler->last_ns) / span);
        sampler->samples[k] += up_to - given;
        given = up_to;
        at = end;
    }
    sampler->last_ns = now_ns;
    sampler->last_bytes = bytes;
}

uint32_t
dg__sampler_count (const DgSampler *sampler, uint64_t now_ns)
{
    uint64_t n = now_ns <= sampler->start_ns ? 0 : (now_ns - sampler->start_ns) / DG_SAMPLE_NS;
    return n < sampler->capacity ? (uint32_t) n : sampler->capacity;
}

static bool
has_t1 (const DgStepRun *s)
{
    return atomic_load_explicit (&s->control->t1_ns, memory_order_acquire) < DG_EDGE_OPEN;
}

/* From when on t1 may be. A worker that has counted a stamp without knowing this did so before it
 * was published: so t1 is no earlier than that, either, and all agree. */
static void
end_from (DgStepRun *s, uint64_t from)
{
    atomic_store (&s->control->t1_from_ns, from);
    uint64_t now = dg__stamp_ns (), word = DG_EDGE_OPEN + (from > now ? from : now),
             before = atomic_load (&s->control->t1_ns);
    while (before > word && !atomic_compare_exchange_strong (&s->control->t1_ns, &before, word))
        ;
}

/* True when the pass is over before its time: a stop, stamps that jumped, or a drive that answers
 * with errors only. */
static bool
is_over (DgStepRun *s, const DgPassCounts *counts)
{
    if (dg__run_is_stopped (s->run)) {
        s->is_cut = true;
        return true;
    }
    if (dg__pass_has_jumped (s))
        return true;
    uint64_t now = dg__stamp_ns (), bytes = counts->all_read_bytes + counts->all_written_bytes;
    if (bytes != s->good_bytes || s->good_ns == 0 || s->run->stood_ns != s->good_stood_ns) {
        s->good_bytes = bytes;
        s->good_ns = now;
        s->good_stood_ns = s->run->stood_ns;
    }
    uint64_t silence_ns = counts->failed_ios > 0 ? DG_RUN_DEAD_NS : DG_RUN_SILENCE_NS;
    /* a worker ends by itself at t1 and after an error only */
    bool has_failed = counts->n_ended > 0 && !has_t1 (s);
    s->is_dead = now - s->good_ns >= silence_ns || has_failed;
    return s->is_dead;
}

/* A read through the page cache is one pass over the region, and its ramp would eat it. */
static bool
is_one_pass (const DgStepRun *s)
{
    return s->is_buffered && !s->has_writes;
}

static bool
ramp (DgStepRun *s)
{
    if (is_one_pass (s))
        return true;
    for (;;) {
        DgPassCounts counts;
        dg__pass_counts (s, &counts);
        dg__pass_tick (s, &counts, false);
        if (is_over (s, &counts))
            return false;
        uint64_t age = dg__stamp_ns () - s->go_ns;
        if ((age >= DG_RUN_RAMP_NS && counts.slots_cycled >= s->total_slots)
            || age >= DG_RUN_RAMP_MAX_NS)
            return true;
        dg__pass_sleep (s, age < DG_RUN_RAMP_NS ? s->go_ns + DG_RUN_RAMP_NS
                                                : s->go_ns + age + 2 * DG_RUN_MARGIN_NS);
    }
}

/* Says from when on t0 may be, and waits for it. */
static bool
open_window (DgStepRun *s)
{
    uint64_t from = dg__stamp_ns () + (is_one_pass (s) ? 0 : DG_RUN_MARGIN_NS);
    atomic_store (&s->control->t0_ns, DG_EDGE_OPEN + from);
    dg__pass_sleep (s, from);
    uint64_t pause_ns = DG_RUN_FINE_NS / 4;
    while (atomic_load_explicit (&s->control->t0_ns, memory_order_acquire) >= DG_EDGE_OPEN) {
        DgPassCounts counts;
        dg__pass_counts (s, &counts);
        dg__pass_tick (s, &counts, false);
        if (is_over (s, &counts))
            return false;
        dg__pass_sleep (s, dg__stamp_ns () + pause_ns);
        if (pause_ns < DG_RUN_TICK_NS / 8)
            pause_ns *= 2;
    }
    return true;
}

/* Whether the window may end, apart from its time. */
static bool
has_enough (const DgStepRun *s, const DgPassCounts *counts)
{
    if (s->step->stop == DG_STOP_BYTES)
        return counts->bytes >= s->step->stop_bytes;
    if (is_one_pass (s) && counts->all_read_bytes >= s->region_bytes)
        return true;
    return counts->ios >= DG_RUN_MIN_IOS;
}

/* When to look next: often enough to see 100 completions before a short window's end, at its end,
 * and finely where the end depends on bytes. */
static uint64_t
next_look (const DgStepRun *s, uint64_t now, uint64_t t0, bool is_ending)
{
    uint64_t duration = s->run->plan->duration_ns;
    if (s->step->stop == DG_STOP_BYTES || (is_one_pass (s) && !is_ending))
        return now + DG_RUN_MARGIN_NS;
    uint64_t pause = duration / 4 < DG_RUN_TICK_NS ? duration / 4 : DG_RUN_TICK_NS;
    uint64_t end = is_ending ? atomic_load_explicit (&s->control->t1_from_ns, memory_order_relaxed)
                             : t0 + duration;
    if (now >= end) /* a calm moment to end in is looked for, by the workers */
        return now + (is_ending && now >= end + DG_RUN_MARGIN_NS ? DG_RUN_CALM_NS : DG_RUN_FINE_NS);
    uint64_t sample =
        s->sampler.start_ns + ((now - s->sampler.start_ns) / DG_SAMPLE_NS + 1) * DG_SAMPLE_NS;
    uint64_t next = now + pause;
    if (sample < next)
        next = sample;
    return end < next ? end : next;
}

static void
measure (DgStepRun *s)
{
    uint64_t duration = s->run->plan->duration_ns;
    uint64_t t0 = atomic_load_explicit (&s->control->t0_ns, memory_order_acquire);
    bool by_bytes = s->step->stop == DG_STOP_BYTES;
    /* as if it had to be extended, until 100 have come */
    if (!by_bytes)
        end_from (s, t0 + 4 * duration);
    dg__meters_read (s, &s->opening);
    dg__sampler_start (&s->sampler, t0);
    dg__run_publish_samples (s->run, s->sampler.samples, false);
    s->run->now.phase_started_ns = dg__run_now_ns (s->run);
    s->run->now.phase_length_ns = by_bytes ? DG_UNKNOWN_U64 : duration;

    bool is_ending = false;
    while (!has_t1 (s)) {
        DgPassCounts counts;
        dg__pass_counts (s, &counts);
        dg__pass_tick (s, &counts, true);
        if (is_over (s, &counts))
            break;
        uint64_t now = dg__stamp_ns ();
        bool is_done = has_enough (s, &counts);
        if (is_done && !is_ending) {
            uint64_t soonest = now + DG_RUN_MARGIN_NS, end = t0 + duration;
            bool at_once =
                by_bytes || (is_one_pass (s) && counts.all_read_bytes >= s->region_bytes);
            end_from (s, at_once || end < soonest ? soonest : end);
            is_ending = true;
        } else if (!is_done && !by_bytes && now >= t0 + duration && !s->is_extended) {
            s->is_extended = true;
            s->run->now.phase_length_ns = 4 * duration;
        } else if (is_ending && is_one_pass (s) && counts.all_read_bytes >= s->region_bytes
                   && atomic_load_explicit (&s->control->t1_from_ns, memory_order_relaxed)
                          > now + 2 * DG_RUN_MARGIN_NS) {
            end_from (s, now + DG_RUN_MARGIN_NS);
        }
        dg__pass_sleep (s, next_look (s, now, t0, is_ending && !is_one_pass (s)));
    }
    /* after a stop the next completion closes the window */
    if (!has_t1 (s))
        end_from (s, dg__stamp_ns ());
    dg__meters_read (s, &s->closing);
}

void
dg__window (DgStepRun *s)
{
    if (ramp (s) && open_window (s))
        measure (s);
}
