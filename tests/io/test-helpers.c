/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time of the kernel's helper tasks, each counted for the worker that it works for: here, and
 * in a PID namespace, where the numbers in their names are not those that a thread knows. */
#include "tests/io/check.h"
#include "tests/io/worker-driver.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/plan-run.h"

#define MIB ((uint64_t) 1 << 20)

unsigned check_failures;

static uint64_t
process_cpu_ns (void)
{
    struct timespec t;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Writes to memory, which takes none at once: helpers copy the data. */
static void
check_counted (const char *where)
{
    int fd = memfd_create ("dg-helpers", MFD_CLOEXEC);
    CHECK (fd >= 0 && ftruncate (fd, 16 * MIB) == 0, "memory");
    DriverSetup setup = { .file = fd,
                          .file_bytes = 16 * MIB,
                          .backend = dg__backend_find (DG_BACKEND_IO_URING),
                          .ramp_ns = 20000000,
                          .window_ns = 150000000,
                          .min_ios = 10,
                          .seed = 1,
                          .run = 1,
                          .stream = { .access = DG_ACCESS_RANDOM,
                                      .block_bytes = 131072,
                                      .queue_depth = 4,
                                      .threads = 2,
                                      .read_percent = 0 } };
    Driver d;
    uint64_t before = process_cpu_ns ();
    CHECK (driver_run (&d, &setup), "start");
    uint64_t sum = 0, all = process_cpu_ns () - before;
    for (uint32_t i = 0; i < d.n; i++) {
        uint64_t one = dg__worker_kernel_cpu_ns (d.workers[i]),
                 bytes = atomic_load (&dg__worker_counters (d.workers[i])->all_written_bytes);
        CHECK (one != DG_UNKNOWN_U64, "%s: worker %u: it can be told", where, i);
        CHECK (one >= bytes / MIB * 10000, "%s: worker %u: %llu ns cannot copy %llu bytes", where,
               i, (unsigned long long) one, (unsigned long long) bytes);
        sum += one;
    }
    CHECK (sum <= all, "%s: %llu of the process's %llu ns", where, (unsigned long long) sum,
           (unsigned long long) all);
    driver_done (&d);
    close (fd);
}

/* The figure of a run is of workers and helpers together. */
static void
check_run (void)
{
    DgStream stream = { .access = DG_ACCESS_RANDOM,
                        .block_bytes = 131072,
                        .queue_depth = 4,
                        .threads = 2,
                        .read_percent = 0 };
    DgStep step = { .streams = &stream, .n_streams = 1 };
    DgPlanTarget target = { .handle = memfd_create ("dg-helpers", MFD_CLOEXEC),
                            .file_bytes = 16 * MIB };
    DgPlan plan = { .targets = &target,
                    .n_targets = 1,
                    .steps = &step,
                    .n_steps = 1,
                    .runs = 1,
                    .duration_ns = 200000000,
                    .backend = DG_BACKEND_IO_URING,
                    .seed = 1 };
    DgPlanRun *run;
    DgErrorDetail detail = { 0 };
    CHECK (ftruncate ((int) target.handle, 16 * MIB) == 0, "memory");
    uint64_t before = process_cpu_ns ();
    CHECK (dg_plan_run_start (&plan, &run, &detail) == DG_OK, "start");
    dg_plan_run_wait (run, UINT64_MAX);
    const DgStepResult *result = dg_plan_run_step (run, 0);
    CHECK (result->state == DG_STEP_DONE && result->n_runs >= 1, "state %d", (int) result->state);
    const DgRunResult *r = &result->runs[result->n_runs - 1];
    /* memcheck runs one thread at a time: the coordinator may look too late to tell */
    bool may_be_late = getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL;
    bool is_known = r->kernel_worker_cpu_ns != DG_UNKNOWN_U64;
    CHECK (is_known || may_be_late, "it can be told");
    CHECK (!is_known || may_be_late || r->kernel_worker_cpu_ns >= r->total.bytes / MIB * 10000,
           "%llu ns cannot copy %llu bytes", (unsigned long long) r->kernel_worker_cpu_ns,
           (unsigned long long) r->total.bytes);
    CHECK (is_known == (r->cpu_ns != DG_UNKNOWN_U64), "both or none");
    CHECK (!is_known
               || (r->cpu_ns > r->kernel_worker_cpu_ns && r->cpu_ns <= process_cpu_ns () - before),
           "%llu ns, of which %llu", (unsigned long long) r->cpu_ns,
           (unsigned long long) r->kernel_worker_cpu_ns);
    dg_plan_run_free (run);
    close ((int) target.handle);
}

/* 0, the number of failures, or 77 where there are no namespaces for us. */
static int
in_namespace (void)
{
    int flags = CLONE_NEWPID | CLONE_NEWNS | (geteuid () == 0 ? 0 : CLONE_NEWUSER);
    if (unshare (flags) != 0)
        return 77;
    pid_t child = fork ();
    if (child == 0) {
        check_counted ("a namespace, the /proc of outside");
        if (mount ("none", "/", "", MS_REC | MS_PRIVATE, "") == 0
            && mount ("proc", "/proc", "proc", 0, "") == 0)
            check_counted ("a namespace");
        else
            fprintf (stderr, "no /proc of its own here\n");
        _exit (check_failures > 0 ? 1 : 0);
    }
    int status = 0;
    return child > 0 && waitpid (child, &status, 0) == child && WIFEXITED (status)
               ? WEXITSTATUS (status)
               : 1;
}

int
main (void)
{
    DgErrorDetail detail;
    const DgBackend *backend = dg__backend_find (DG_BACKEND_IO_URING);
    if (backend == NULL || backend->probe (&detail) != DG_OK) {
        fprintf (stderr, "io_uring cannot be used here\n");
        return 77;
    }
    pid_t child = fork (); /* with one thread only a process may go elsewhere */
    if (child == 0)
        _exit (in_namespace ());
    int status = 0;
    CHECK (child > 0 && waitpid (child, &status, 0) == child && WIFEXITED (status), "child");
    int code = WEXITSTATUS (status);
    if (code == 77)
        fprintf (stderr, "no namespaces here\n");
    else
        CHECK (code == 0, "in a namespace");
    check_counted ("no namespace");
    check_run ();
    return check_failures > 0;
}
