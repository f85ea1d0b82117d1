/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be seen while a call on the file goes on: how far it is, and that it hangs. */
#include "null-run.h"

#define MOST_LOOKS 400

typedef struct {
    NullRun *n;
    uint64_t oldest_ns, most_bytes_per_s, prepared_bytes, n_backwards;
    uint32_t n_looks;
    DgNullEvent events[MOST_LOOKS];
} Looks;

static void
look_cb (void *data)
{
    Looks *looks = data;
    DgSnapshot s;
    dg_plan_run_snapshot (looks->n->run, &s);
    looks->n_looks++;
    if (s.oldest_io_ns > looks->oldest_ns)
        looks->oldest_ns = s.oldest_io_ns;
    if (s.recent_bytes_per_s > looks->most_bytes_per_s)
        looks->most_bytes_per_s = s.recent_bytes_per_s;
    looks->n_backwards += s.prepared_bytes < looks->prepared_bytes;
    looks->prepared_bytes = s.prepared_bytes;
}

/* Looks each `step_ns` of the fake clock. */
static const DgPlanResult *
run_with_looks (NullRun *n, Looks *looks, uint64_t step_ns)
{
    *looks = (Looks){ .n = n };
    for (uint64_t i = 0; i < MOST_LOOKS; i++)
        looks->events[i] = (DgNullEvent){ DG_NULL_START_NS + (i + 1) * step_ns, look_cb, looks };
    n->script.events = looks->events;
    n->script.n_events = MOST_LOOKS;
    n->script.starts_held = true;
    null_run_start (n);
    dg__null_clock_go ();
    return null_run_wait (n);
}

static Looks looks;

static void
hanging_flush (void)
{
    static const uint64_t lengths[] = { 4 * SEC, 20 * SEC };
    for (int i = 0; i < 2; i++) {
        NullRun n;
        null_run_init (&n, 1);
        n.streams[0].read_percent = 0;
        n.script.flush_ns = lengths[i];
        CHECK_U64 (run_with_looks (&n, &looks, 100 * MS)->state, DG_STATE_DONE);
        CHECK (looks.n_looks >= lengths[i] / (100 * MS));
        if (i == 0)
            CHECK_U64 (looks.oldest_ns, 0);
        else
            CHECK (looks.oldest_ns >= 19 * SEC && looks.oldest_ns <= 20 * SEC);
        DgSnapshot s;
        dg_plan_run_snapshot (n.run, &s);
        CHECK_U64 (s.oldest_io_ns, 0);
        null_run_done (&n);
    }
}

/* One that gets on, however slowly, does not hang. */
static void
hanging_preparation (void)
{
    for (uint64_t piece_s = 4; piece_s <= 9; piece_s += 5) {
        NullRun n;
        null_run_init (&n, 1);
        n.script.prepare_ns = 16 * piece_s * SEC;
        CHECK_U64 (run_with_looks (&n, &looks, 500 * MS)->state, DG_STATE_DONE);
        if (piece_s == 4)
            CHECK_U64 (looks.oldest_ns, 0);
        else
            CHECK (looks.oldest_ns >= 8 * SEC && looks.oldest_ns <= 9 * SEC);
        null_run_done (&n);
    }
}

static void
second_preparation (void)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.prepare_ns = 32 * SEC;
    n.script.prepares_twice = true;
    CHECK_U64 (run_with_looks (&n, &looks, 100 * MS)->state, DG_STATE_DONE);
    CHECK_U64 (looks.n_backwards, 1);
    /* a piece of 4 MiB each second, seen in a tenth of one */
    CHECK (looks.most_bytes_per_s > 0 && looks.most_bytes_per_s <= 10 * (4u << 20));
    null_run_done (&n);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "a flush that hangs", hanging_flush },
        { "a preparation that hangs", hanging_preparation },
        { "a file that is written a second time", second_preparation },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
