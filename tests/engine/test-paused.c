/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is stopped (Ctrl+Z) in a run: no result holds the pause. */
#include "null-run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define DURATION_NS (400 * MS)

/* In a process of its own: tells through the pipe when 0.1 s of the first run are over, and is
 * stopped and let go on by its parent. */
static int
measure (int tell_fd)
{
    NullRun n;
    null_run_init (&n, 1);
    n.script.real_time = true;
    n.plan.runs = 2;
    n.plan.duration_ns = DURATION_NS;
    null_run_start (&n);
    bool is_told = false;
    while (!dg_plan_run_wait (n.run, 5 * MS)) {
        uint64_t sample;
        bool is_warmup;
        if (!is_told && dg_plan_run_live_samples (n.run, &sample, 1, &is_warmup) == 1)
            is_told = write (tell_fd, "", 1) == 1;
    }
    const DgStepResult *step = dg_plan_run_step (n.run, 0);
    CHECK (is_told);
    CHECK_U64 (step->state, DG_STEP_DONE);
    CHECK_U64 (step->n_runs, 3);
    const DgRunResult *stopped = &step->runs[0];
    CHECK (stopped->is_complete && !stopped->is_used);
    CHECK (stopped->suspended_ns >= 700 * MS && stopped->suspended_ns <= 10 * SEC);
    for (uint32_t i = 1; i < 3; i++) {
        const DgRunResult *run = &step->runs[i];
        CHECK (run->is_used);
        CHECK_U64 (run->suspended_ns, 0);
        CHECK (run->elapsed_ns < DURATION_NS + 100 * MS);
    }
    null_run_done (&n);
    fflush (stdout);
    return check_failures > 0;
}

static void
stopped_run_is_repeated (void)
{
    int ends[2];
    char byte;
    CHECK (pipe (ends) == 0);
    fflush (stdout);
    pid_t child = fork ();
    if (child == 0) {
        close (ends[0]);
        _exit (measure (ends[1]));
    }
    close (ends[1]);
    CHECK (child > 0 && read (ends[0], &byte, 1) == 1);
    real_sleep (20 * MS);
    kill (child, SIGSTOP);
    real_sleep (800 * MS);
    kill (child, SIGCONT);
    int status = 1;
    CHECK (waitpid (child, &status, 0) == child && status == 0);
    close (ends[0]);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = { { "a run in which the program is stopped",
                                    stopped_run_is_repeated } };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
