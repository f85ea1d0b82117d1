/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One test through the engine's plan run, on any path, for measuring the engine itself. It is not
 * installed, and it does write to what it is given.
 *
 * dg-bench file=PATH [rw=read|write|randread|randwrite|rw|randrw] [bs=4096] [qd=1] [thr=1] [secs=3]
 * [size=BYTES] [direct=1] [warm=0] [runs=1] [backend=auto|io_uring|libaio|threads] [readpct=70]
 * [data=random|zero]
 *
 * Sizes may end in k, m or g. It prints one JSON object. Exit 0 measured, 1 failed, 2 the command
 * line is wrong. */
#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *file, *rw, *backend, *data;
    uint64_t block_bytes, size_bytes;
    uint32_t depth, threads, read_percent, runs;
    double seconds, warmup;
    bool is_direct;
} Options;

static uint64_t
number (const char *text)
{
    char *end;
    double value = strtod (text, &end);
    switch (*end | 0x20) {
    case 'k':
        return (uint64_t) (value * 1024);
    case 'm':
        return (uint64_t) (value * 1048576);
    case 'g':
        return (uint64_t) (value * 1073741824);
    default:
        return (uint64_t) value;
    }
}

static bool
parse (int argc, char **argv, Options *o)
{
    *o = (Options){ .rw = "randread",
                    .backend = "auto",
                    .data = "random",
                    .block_bytes = 4096,
                    .depth = 1,
                    .threads = 1,
                    .read_percent = 70,
                    .runs = 1,
                    .seconds = 3,
                    .is_direct = true };
    for (int i = 1; i < argc; i++) {
        const char *value = strchr (argv[i], '=');
        if (value == NULL)
            return false;
        size_t length = (size_t) (value++ - argv[i]);
#define IS(name) (length == strlen (name) && strncmp (argv[i], name, length) == 0)
        if (IS ("file"))
            o->file = value;
        else if (IS ("rw"))
            o->rw = value;
        else if (IS ("backend"))
            o->backend = value;
        else if (IS ("data"))
            o->data = value;
        else if (IS ("bs"))
            o->block_bytes = number (value);
        else if (IS ("size"))
            o->size_bytes = number (value);
        else if (IS ("qd"))
            o->depth = (uint32_t) number (value);
        else if (IS ("thr"))
            o->threads = (uint32_t) number (value);
        else if (IS ("readpct"))
            o->read_percent = (uint32_t) number (value);
        else if (IS ("runs"))
            o->runs = (uint32_t) number (value);
        else if (IS ("secs"))
            o->seconds = strtod (value, NULL);
        else if (IS ("warm"))
            o->warmup = strtod (value, NULL);
        else if (IS ("direct"))
            o->is_direct = number (value) != 0;
        else
            return false;
#undef IS
    }
    return o->file != NULL;
}

static bool
find_backend (const char *name, DgBackendId *ret_id)
{
    for (DgBackendId id = DG_BACKEND_AUTO; id < DG_BACKEND_NULL; id++)
        if (strcmp (dg_backend_id_name (id), name) == 0) {
            *ret_id = id;
            return true;
        }
    return false;
}

static uint64_t
size_of (int fd)
{
    struct stat info;
    uint64_t bytes = 0;
    if (fstat (fd, &info) != 0)
        return 0;
    if (S_ISBLK (info.st_mode))
        return ioctl (fd, BLKGETSIZE64, &bytes) == 0 ? bytes : 0;
    return S_ISREG (info.st_mode) ? (uint64_t) info.st_size : (uint64_t) 1 << 30;
}

static void
print_run (const Options *o, const DgRunResult *run, const DgStepResult *step)
{
    const DgFlowCount *t = &run->total;
    double mean = t->ios > 0 ? (double) t->sum_ns / (double) t->ios : 0.0;
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("{\"bandwidth_bytes_per_s\":%.0f,\"iops\":%.1f,\"latency\":{\"mean_ns\":%.1f,\"min_"
            "ns\":%" PRIu64,
            dg_run_bandwidth (run), dg_run_iops (run), mean, t->min_ns);
    static const struct {
        const char *name;
        uint32_t per_mille;
    } percentiles[] = {
        { "p50_ns", 500 }, { "p95_ns", 950 }, { "p99_ns", 990 }, { "p99_9_ns", 999 }
    };
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
        printf (",\"%s\":%" PRIu64, percentiles[i].name,
                dg_histogram_percentile_ns (t->histogram, percentiles[i].per_mille, t->min_ns,
                                            t->max_ns));
    printf (",\"max_ns\":%" PRIu64 "},\"ios\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64, t->max_ns,
            t->ios, run->elapsed_ns);
    printf (",\"little\":%.4f,\"cpu_ns_per_io\":%.1f",
            run->queue_depth_engine / ((double) o->depth * o->threads),
            t->ios > 0 ? (double) run->cpu_ns / (double) t->ios : 0.0);
    printf (",\"kernel_cpu_ns\":%" PRIu64 ",\"touched_bytes\":%" PRIu64 ",\"unfinished\":%" PRIu64,
            run->kernel_worker_cpu_ns, run->touched_bytes, run->unfinished);
    printf (",\"backend\":\"%s\",\"backend_reason\":\"%s\",\"extended\":%s,\"runs\":%u,\"max_rss_"
            "kib\":%ld}\n",
            dg_backend_id_name (run->backend),
            run->backend_reason != NULL ? run->backend_reason : "",
            run->extended ? "true" : "false", step->n_runs, usage.ru_maxrss);
}

static int
report (const Options *o, DgPlanRun *run)
{
    const DgPlanResult *result = dg_plan_run_result (run);
    const DgStepResult *step = dg_plan_run_step (run, 0);
    int shown = step != NULL ? dg_step_shown_run (step, false) : -1;
    if (result->state != DG_STATE_DONE || shown < 0) {
        char text[128];
        const DgErrorDetail *detail = &result->detail;
        DgErrorDetail failed = { 0 };
        if (step != NULL && step->n_runs > 0 && step->runs[0].n_errors > 0) {
            const DgRunError *error = &step->runs[0].errors[0];
            failed = (DgErrorDetail){ .operation = error->operation,
                                      .offset_bytes = error->offset_bytes,
                                      .os_code = error->os_code };
            detail = &failed;
        }
        dg_error_os_text (detail->os_code, text, sizeof text);
        fprintf (stderr, "dg-bench: %s: state %d, error %d, %s at %" PRIu64 ": %s%s%s\n", o->file,
                 (int) result->state, result->error,
                 detail->operation != NULL ? detail->operation : "nothing", detail->offset_bytes,
                 text, step != NULL && step->reason != NULL ? ", " : "",
                 step != NULL && step->reason != NULL ? step->reason : "");
        return 1;
    }
    print_run (o, &step->runs[shown], step);
    return 0;
}

int
main (int argc, char **argv)
{
    Options o;
    DgBackendId backend;
    if (!parse (argc, argv, &o) || !find_backend (o.backend, &backend)) {
        fprintf (stderr, "usage: dg-bench file=PATH [rw=read|write|randread|randwrite|rw|randrw] "
                         "[bs=] [qd=] [thr=] [secs=] [size=] [direct=] "
                         "[warm=] [runs=] [backend=] [readpct=] [data=]\n");
        return 2;
    }
    bool is_write = strstr (o.rw, "write") != NULL,
         is_mix = !is_write && strstr (o.rw, "read") == NULL;
    int fd = open (o.file, (is_write || is_mix ? O_RDWR : O_RDONLY) | O_CLOEXEC
                               | (o.is_direct ? O_DIRECT : 0));
    if (fd < 0 && errno == EINVAL && o.is_direct) /* /dev/null and its like know no O_DIRECT */
        fd = open (o.file, (is_write || is_mix ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (fd < 0) {
        fprintf (stderr, "dg-bench: %s: %s\n", o.file, strerror (errno));
        return 1;
    }
    if (o.size_bytes == 0)
        o.size_bytes = size_of (fd);

    DgPlanTarget target = { .handle = fd, .file_bytes = o.size_bytes };
    DgStream stream = {
        .access = strncmp (o.rw, "rand", 4) == 0 ? DG_ACCESS_RANDOM : DG_ACCESS_SEQUENTIAL,
        .block_bytes = o.block_bytes,
        .queue_depth = o.depth,
        .threads = o.threads,
        .read_percent = is_mix ? o.read_percent : (is_write ? 0 : 100),
        .data = strcmp (o.data, "zero") == 0 ? DG_DATA_ZERO : DG_DATA_RANDOM,
    };
    DgStep step = { .streams = &stream, .n_streams = 1 };
    DgPlan plan = {
        .targets = &target,
        .n_targets = 1,
        .steps = &step,
        .n_steps = 1,
        .runs = o.runs,
        .warmup_ns = (uint64_t) (o.warmup * 1e9),
        .duration_ns = (uint64_t) (o.seconds * 1e9),
        .backend = backend,
        .seed = 1,
    };
    DgPlanRun *run;
    DgErrorDetail detail = { 0 };
    int error = dg_plan_run_start (&plan, &run, &detail);
    if (error != DG_OK) {
        fprintf (stderr, "dg-bench: the plan is refused: %d\n", error);
        return 2;
    }
    while (!dg_plan_run_wait (run, UINT64_MAX))
        ;
    int status = report (&o, run);
    dg_plan_run_free (run);
    close (fd);
    return status;
}
