/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether what is timed has had its time: stamps that run like the clock, a machine that did not
 * sleep, a program that was not stopped (Ctrl+Z, a debugger, a freezer of the system). */
#include "engine/plan-run-pass.h"

#include "engine/clock.h"

#define APART_NS    1000000u
#define APART_SHARE 1000u /* a counter of a fixed rate is better than that by far */

/* Both at one moment, as close together as a few tries give; returns by how much they are not. */
static uint64_t
read_pair (uint64_t (*read) (void), uint64_t *ret_value, uint64_t *ret_clock)
{
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 8 && narrowest > APART_NS / 10; i++) {
        uint64_t before = dg__clock_ns (), value = read (), after = dg__clock_ns ();
        if (after - before >= narrowest)
            continue;
        narrowest = after - before;
        *ret_value = value;
        *ret_clock = before;
    }
    return narrowest;
}

bool
dg__pass_has_jumped (DgStepRun *s)
{
    uint64_t stamp = 0, clock = 0, slack = read_pair (dg__stamp_ns, &stamp, &clock),
             by_stamp = stamp - s->go_ns, by_clock = clock - s->go_clock_ns;
    int64_t apart = (int64_t) (by_stamp - by_clock);
    uint64_t size = apart < 0 ? (uint64_t) -apart : (uint64_t) apart;
    s->has_jumped |= size > APART_NS + 2 * slack + by_clock / APART_SHARE;
    return s->has_jumped;
}

/* By how much the clock that goes on in a suspend is ahead. */
static uint64_t
read_ahead (uint64_t *ret_slack)
{
    uint64_t boot = 0, clock = 0;
    *ret_slack = read_pair (dg__clock_boot_ns, &boot, &clock);
    return boot - clock;
}

/* From now on standing still is noticed. */
static void
look_up (DgPlanRun *run)
{
    run->woken_ns = dg__clock_ns ();
    run->own_cpu_ns = dg__clock_thread_cpu_ns ();
    run->own_wait_ns = dg__thread_own_wait_ns ();
}

/* What has gone by since it last looked up, and it neither slept nor ran nor waited for a
 * processor: then the whole program stood still. Where a system does not tell how long a thread
 * waited, that may have been all of it, unless it was too long. */
static void
note_standstill (DgPlanRun *run, uint64_t slept_ns)
{
    uint64_t woken = run->woken_ns, cpu = run->own_cpu_ns, wait = run->own_wait_ns;
    look_up (run);
    uint64_t accounted = slept_ns + (run->own_cpu_ns - cpu), since = run->woken_ns - woken;
    if (wait != DG_UNKNOWN_U64 && run->own_wait_ns != DG_UNKNOWN_U64)
        accounted += run->own_wait_ns - wait;
    /* A virtual machine whose processor is taken away for a while wakes up late, too. */
    if (since > accounted && since - accounted >= DG_RUN_GAP_NS)
        run->stood_ns += since - accounted;
}

void
dg__run_doze (DgPlanRun *run, uint64_t when_ns)
{
    uint64_t now = dg__clock_ns ();
    dg__sleep_until_ns (when_ns);
    note_standstill (run, when_ns > now ? when_ns - now : 0);
}

void
dg__away_begin (DgPlanRun *run, DgAway *ret_away)
{
    ret_away->ahead_ns = read_ahead (&ret_away->slack_ns);
    ret_away->stood_ns = run->stood_ns;
    look_up (run);
}

uint64_t
dg__away_ns (const DgPlanRun *run, const DgAway *away)
{
    uint64_t slack, ahead = read_ahead (&slack);
    int64_t grown = (int64_t) (ahead - away->ahead_ns);
    bool has_slept = grown > 0 && (uint64_t) grown > APART_NS + slack + away->slack_ns;
    return (has_slept ? (uint64_t) grown : 0) + run->stood_ns - away->stood_ns;
}

void
dg__pass_clock_start (DgStepRun *s)
{
    dg__away_begin (s->run, &s->away);
    read_pair (dg__stamp_ns, &s->go_ns, &s->go_clock_ns);
}

void
dg__pass_sleep (DgStepRun *s, uint64_t stamp_ns)
{
    uint64_t now = dg__stamp_ns (), clock = dg__clock_ns (), pause = 0;
    if (stamp_ns > now)
        pause = stamp_ns - now < DG_RUN_TICK_NS ? stamp_ns - now : DG_RUN_TICK_NS;
    dg__run_doze (s->run, clock + pause);
}
