/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little's law: IOPS x mean latency is the queue's depth, whatever stalls where the window begins
 * and ends. */
#include <stdatomic.h>

#include "engine/data.h"
#include "null-run.h"

/* A drive of 1 to 2 ms that holds back for a while everything that would be done in that time, and
 * then needs a millisecond for all that. */
typedef struct {
    uint64_t seed, from_ns, to_ns;
} Stall;

static void
stall_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    const Stall *stall = script->data;
    DgRandom random; /* of this I/O alone: several workers ask at once */
    dg__random_seed (&random, stall->seed ^ io->now_ns, io->offset_bytes);
    uint64_t due = io->now_ns + 1 * MS + dg__random_next (&random) % MS;
    if (due > stall->from_ns && due < stall->to_ns)
        due = stall->to_ns + dg__random_next (&random) % MS;
    answer->latency_ns = due - io->now_ns;
}

/* The window of 200 ms begins at 100 ms, or when the queue is calm. */
static void
little_around_a_stall (uint64_t from_ns, uint32_t threads, uint32_t queue_depth,
                       uint32_t read_percent, uint64_t stall_ns)
{
    uint32_t n_inside = 0;
    for (uint64_t at = from_ns; at <= from_ns + 30 * MS; at += 7 * MS) {
        NullRun n;
        null_run_init (&n, 1);
        Stall stall = { .seed = at,
                        .from_ns = DG_NULL_START_NS + at,
                        .to_ns = DG_NULL_START_NS + at + stall_ns };
        n.script.answer = stall_cb;
        n.script.data = &stall;
        n.streams[0].threads = threads;
        n.streams[0].queue_depth = queue_depth;
        n.streams[0].read_percent = read_percent;
        null_run (&n);
        const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
        double little = run->queue_depth_engine / (threads * queue_depth);
        CHECK (run->is_complete);
        CHECK_U64 (run->extended, run->elapsed_ns > 220 * MS);
        CHECK (run->total.ios > 500);
        CHECK (little <= 1.03);
        CHECK (little >= 0.95);
        if (little > 1.03 || little < 0.95)
            printf ("# stall at %" PRIu64 " us: %.4f\n", at / 1000, little);
        /* t0 is looked for after the stall, and found soon; one that comes later is measured */
        uint64_t t0 = DG_NULL_START_NS + run->started_ns, t1 = t0 + run->elapsed_ns;
        CHECK (t0 <= stall.from_ns || (t0 >= stall.to_ns && t0 < stall.to_ns + 10 * MS)
               || t0 < DG_NULL_START_NS + 110 * MS);
        /* and so is t1 */
        CHECK (run->elapsed_ns >= 200 * MS);
        CHECK (run->elapsed_ns < 205 * MS || (t1 >= stall.to_ns && t1 < stall.to_ns + 10 * MS));
        n_inside += run->total.max_ns >= stall_ns / 2;
        null_run_done (&n);
    }
    CHECK (n_inside > 0);
}

static void
stalls_at_the_start (void)
{
    little_around_a_stall (80 * MS, 1, 32, 100, 50 * MS);
    little_around_a_stall (80 * MS, 1, 8, 70, 20 * MS);
    little_around_a_stall (80 * MS, 2, 8, 0, 50 * MS);
}

static void
stalls_at_the_end (void)
{
    little_around_a_stall (280 * MS, 1, 32, 100, 50 * MS);
    little_around_a_stall (280 * MS, 1, 32, 100, 400 * MS);
    little_around_a_stall (280 * MS, 1, 8, 70, 20 * MS);
    little_around_a_stall (280 * MS, 2, 8, 0, 50 * MS);
    little_around_a_stall (280 * MS, 8, 4, 100, 150 * MS);
}

/* One after the other at both ends, each of them a quarter of the window. */
static void
stall_twice_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    const uint64_t *at = script->data;
    uint64_t due = io->now_ns + 1 * MS + (io->number * 7919 + io->worker) % MS;
    for (int i = 0; i < 2; i++)
        if (due > at[i] && due < at[i] + 50 * MS)
            due = at[i] + 50 * MS + (io->number * 7919) % MS;
    answer->latency_ns = due - io->now_ns;
}

static void
stalls_at_both_ends (void)
{
    for (uint64_t first = 60 * MS; first <= 120 * MS; first += 11 * MS)
        for (uint64_t second = 270 * MS; second <= 330 * MS; second += 13 * MS) {
            NullRun n;
            null_run_init (&n, 1);
            uint64_t at[] = { DG_NULL_START_NS + first, DG_NULL_START_NS + second };
            n.script.answer = stall_twice_cb;
            n.script.data = at;
            n.streams[0].queue_depth = 16;
            null_run (&n);
            const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
            double little = run->queue_depth_engine / 16;
            CHECK (run->is_complete && run->total.ios > 500);
            CHECK (little <= 1.03 && little >= 0.95);
            if (little > 1.03 || little < 0.95)
                printf ("# stalls at %" PRIu64 " and %" PRIu64 " ms: %.4f\n", first / MS,
                        second / MS, little);
            CHECK (run->elapsed_ns >= 200 * MS && run->elapsed_ns < 270 * MS);
            null_run_done (&n);
        }
}

/* Five of eight hang from before t1 for longer than t1 is looked for: it is taken all the same, a
 * tenth of a second later, and the result shows how many were under way. */
static void
hang_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    uint64_t since = io->now_ns - DG_NULL_START_NS;
    if (since >= 250 * MS && since < 251 * MS && io->number % 8 < 5)
        answer->latency_ns = 3 * SEC;
}

static void
half_of_them_hang (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].queue_depth = 8;
    n.script.answer = hang_cb;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->is_complete && run->is_used);
    printf ("# %" PRIu64 " us, %" PRIu64 " unfinished, depth %.2f\n", run->elapsed_ns / 1000,
            run->unfinished, run->queue_depth_engine);
    CHECK (run->elapsed_ns >= 300 * MS && run->elapsed_ns < 305 * MS);
    CHECK (run->extended);
    CHECK (run->unfinished >= 5 && run->oldest_unfinished_ns > 100 * MS);
    CHECK (run->queue_depth_engine < 0.85 * 8 && run->queue_depth_engine > 3);
    null_run_done (&n);
}

/* A drive whose latencies double in the middle: no calm comes that is like the first one, but the
 * window is long against both. */
static void
slower_from_then_on_cb (const DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer)
{
    uint64_t least = io->now_ns < DG_NULL_START_NS + 200 * MS ? MS : 8 * MS;
    answer->latency_ns = least + (io->number * 7919) % least;
}

static void
slower_from_then_on (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.streams[0].queue_depth = 8;
    n.script.answer = slower_from_then_on_cb;
    n.plan.duration_ns = 400 * MS;
    null_run (&n);
    const DgRunResult *run = &dg_plan_run_step (n.run, 0)->runs[0];
    CHECK (run->is_complete && !run->extended);
    CHECK (run->elapsed_ns >= 400 * MS && run->elapsed_ns < 410 * MS);
    CHECK (run->queue_depth_engine <= 1.03 * 8 && run->queue_depth_engine >= 0.95 * 8);
    null_run_done (&n);
}

/* In real time, while more threads than processors spin: whatever the scheduler does, the upper
 * bound holds, and the lower one but for the time that slots were free, which then is little. */
static _Atomic bool is_spinning;

static void
spin_main (void *data)
{
    while (atomic_load (&is_spinning))
        ;
}

static void
little_on_a_busy_machine (void)
{
    DgThread *spinners[12];
    atomic_store (&is_spinning, true);
    for (int i = 0; i < 12; i++)
        if (dg__thread_start (&spinners[i], "spinner", spin_main, NULL) != DG_OK)
            spinners[i] = NULL;
    double shares[8];
    uint32_t n_runs = 0;
    for (int k = 0; k < 2; k++) {
        NullRun n;
        null_run_init (&n, 1);
        n.script.real_time = true;
        n.streams[0].queue_depth = k == 0 ? 32 : 8;
        n.streams[0].threads = k == 0 ? 1 : 4;
        n.plan.duration_ns = 150 * MS;
        n.plan.runs = 4;
        null_run (&n);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        for (uint32_t i = 0; i < step->n_runs && n_runs < 8; i++) {
            shares[n_runs] = step->runs[i].queue_depth_engine / 32;
            CHECK (step->runs[i].is_complete);
            /* As long as latencies are short against the window, which they are not where nobody
             * gets a processor. */
            double mean = (double) step->runs[i].total.sum_ns / (double) step->runs[i].total.ios
                          / (double) n.plan.duration_ns;
            CHECK (shares[n_runs] <= (mean < 0.05 ? 1.03 : 1.03 + mean));
            n_runs++;
        }
        null_run_done (&n);
    }
    atomic_store (&is_spinning, false);
    for (int i = 0; i < 12; i++)
        dg__thread_join (spinners[i]);
    uint32_t n_good = 0;
    for (uint32_t i = 0; i < n_runs; i++) {
        n_good += shares[i] >= 0.75;
        printf ("# %.3f\n", shares[i]);
    }
    CHECK_U64 (n_runs, 8);
    CHECK (n_good >= 6);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "a stall where the window begins", stalls_at_the_start },
        { "a stall where the window ends", stalls_at_the_end },
        { "a stall at both ends", stalls_at_both_ends },
        { "half of the transfers hang", half_of_them_hang },
        { "slower from then on", slower_from_then_on },
        { "on a busy machine", little_on_a_busy_machine },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
