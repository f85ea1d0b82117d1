/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run keeps does not grow with its length: an hour, on a clock that jumps, against a minute.
 */
#include "null-run.h"

#include <sys/resource.h>

/* Ten samples of eight bytes a second for the chart, of a window that may be extended to five times
 * its length: 1.4 MiB for an hour in one window. */
#define KIB_A_SECOND (5 * 10 * 8 / 1024.0)
#define ROUNDING_KIB 256

static uint64_t
highest_kib (void)
{
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    return (uint64_t) usage.ru_maxrss;
}

/* One window that long, and then as many runs as there may be, together as long again. */
static uint64_t
highest_kib_after (uint64_t seconds, uint32_t read_percent)
{
    for (uint32_t runs = 1; runs <= 9; runs += 8) {
        NullRun n;
        null_run_init (&n, 1);
        n.script.latency_ns = 200 * MS;
        n.streams[0].read_percent = read_percent;
        n.plan.runs = runs;
        n.plan.duration_ns = seconds * SEC / runs;
        null_run (&n);
        const DgStepResult *step = dg_plan_run_step (n.run, 0);
        CHECK_U64 (step->state, DG_STEP_DONE);
        CHECK_U64 (step->n_runs, runs);
        CHECK (step->runs[0].elapsed_ns >= seconds * SEC / runs);
        CHECK ((double) step->runs[0].total.ios >= 5.0 * (double) seconds / runs - 2);
        null_run_done (&n);
    }
    return highest_kib ();
}

static void
an_hour_and_a_minute (void)
{
    highest_kib_after (60, 70); /* what is made once */
    uint64_t minute = highest_kib_after (60, 70), hour = highest_kib_after (3600, 70);
    printf ("# %" PRIu64 " KiB after a minute, %" PRIu64 " after an hour\n", minute, hour);
    CHECK (hour <= minute + (uint64_t) (KIB_A_SECOND * 3600) + ROUNDING_KIB);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "an hour needs no more than a minute", an_hour_and_a_minute },
    };
    if (IS_SANITIZED || getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL) {
        printf ("1..0 # SKIP the memory is the checker's, not the program's\n");
        return 0;
    }
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
