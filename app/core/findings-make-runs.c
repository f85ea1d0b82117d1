/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings from the counters of the runs (DESIGN sections 4 and 6). Each kind is made once, for the
 * test that shows it best. */
#include "app/core/findings-private.h"
#include "engine/error.h"

#include <math.h>

#define SETTLED_PERCENT      2.0 /* auto: of the last three runs */
#define SPREAD_LIMIT_PERCENT 5.0 /* a fixed number of runs */
#define AUTO_MOST_RUNS       9u
#define ASLEEP_NS            500000000u
#define SUSPENDED_NS         100000000u
#define FOREIGN_BYTES_PER_S  1e6
#define LEAST_SHARE          0.95 /* of the transfers asked for under way: depth 1, sequential */
#define LEAST_SHARE_RANDOM   0.75 /* random, deeper */
#define MOST_SHARE           1.03

/* How strongly a run shows something: 0 = not at all. `ret_values` (untouched then) gets its
 * figures. */
typedef gdouble (*JudgeRun) (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
                             json_t **ret_values);

static gboolean
known (guint64 value)
{
    return value != DG_DOC_UNKNOWN;
}

/* ---- the judges ---- */

static gdouble
judge_not_direct (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
                  json_t **ret_values)
{
    if (g_strcmp0 (run->direct, "refuted") != 0)
        return 0.0;
    *ret_values = json_pack ("{s:s?}", "reason", run->direct_reason);
    return 1.0;
}

static gdouble
judge_asleep (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
              json_t **ret_values)
{
    if (!known (run->first_io_ns) || !known (run->p50_ns) || run->first_io_ns <= ASLEEP_NS
        || run->first_io_ns / 10 <= run->p50_ns)
        return 0.0;
    *ret_values = json_pack ("{s:I, s:I}", "first_io_ns", (json_int_t) run->first_io_ns,
                             "median_ns", (json_int_t) run->p50_ns);
    return (gdouble) run->first_io_ns;
}

static gdouble
judge_busy (const DgDocView *view, const DgDocTest *test, const DgDocRun *run, json_t **ret_values)
{
    if (!known (run->foreign_bytes) || !known (run->bytes) || !known (run->elapsed_ns)
        || run->elapsed_ns == 0)
        return 0.0;
    gdouble rate = (gdouble) run->foreign_bytes * 1e9 / (gdouble) run->elapsed_ns;
    if ((gdouble) run->foreign_bytes <= 0.02 * (gdouble) run->bytes || rate <= FOREIGN_BYTES_PER_S)
        return 0.0;
    *ret_values = json_pack (
        "{s:f, s:f}", "foreign_bytes_per_s", rate, "percent",
        run->bytes == 0 ? 100.0 : (gdouble) run->foreign_bytes * 100.0 / (gdouble) run->bytes);
    return rate;
}

/* CPU and run-queue wait of the workers in hundredths of what they could have had; NAN if unknown.
 */
static gdouble
cpu_percent (const DgDocView *view, const DgDocTest *test, const DgDocRun *run)
{
    if (!known (run->cpu_ns) || !known (run->elapsed_ns) || run->elapsed_ns == 0
        || !known (test->threads) || test->threads == 0)
        return NAN;
    guint64 wait = known (run->run_wait_ns) ? run->run_wait_ns : 0;
    /* "threads" keeps a queue by a thread for each of its places. */
    guint64 lanes = test->threads;
    if (g_strcmp0 (run->backend, "threads") == 0 && known (test->queue_depth)
        && test->queue_depth > 0 && test->queue_depth < G_MAXUINT64 / test->threads)
        lanes = test->threads * test->queue_depth;
    if (known (view->cpus) && view->cpus > 0)
        lanes = MIN (lanes, view->cpus);
    return ((gdouble) run->cpu_ns + (gdouble) wait) * 100.0
           / ((gdouble) run->elapsed_ns * (gdouble) lanes);
}

static gdouble
judge_cpu (const DgDocView *view, const DgDocTest *test, const DgDocRun *run, json_t **ret_values)
{
    gdouble percent = cpu_percent (view, test, run);
    if (!(percent > 90.0))
        return 0.0;
    *ret_values = json_pack ("{s:f}", "percent", MIN (percent, 100.0));
    return percent;
}

gboolean
dg_findings_was_disturbed (const DgDocView *view, const DgDocTest *test)
{
    for (guint i = 0; i < test->n_runs; i++) {
        json_t *values = NULL;
        gboolean is_disturbed = judge_busy (view, test, &test->runs[i], &values) > 0.0
                                || cpu_percent (view, test, &test->runs[i]) > 90.0;
        json_decref (values);
        if (is_disturbed)
            return TRUE;
    }
    return FALSE;
}

/* Samples may miss a queue that comes and goes: the time that the drive says its commands took
 * tells of all of them. A drive that got every transfer and had nothing to do half of the time
 * finished them faster than the computer sent them: nothing in between held them back. */
static gboolean
did_samples_miss_queue (const DgDocRun *run, gdouble possible)
{
    if (run->queue_depth_device * 2.0 >= possible)
        return TRUE;
    return run->queue_depth_device < 0.5 && known (run->device_bytes) && known (run->bytes)
           && (gdouble) run->device_bytes >= 0.95 * (gdouble) run->bytes;
}

static gdouble
judge_queue (const DgDocView *view, const DgDocTest *test, const DgDocRun *run, json_t **ret_values)
{
    if (!known (run->inflight_max) || !known (test->queue_depth) || !known (test->threads)
        || cpu_percent (view, test, run) > 90.0)
        return 0.0;
    gdouble asked = (gdouble) test->queue_depth * (gdouble) test->threads;
    if (asked < 4.0)
        return 0.0;
    guint target = dg_findings_target_of (view, test);
    guint64 limit =
        target < view->n_targets ? view->targets[target].drive.queue_limit : DG_DOC_UNKNOWN;
    gdouble possible = known (limit) && limit > 0 ? MIN (asked, (gdouble) limit) : asked;
    if ((gdouble) run->inflight_max * 2.0 >= possible || did_samples_miss_queue (run, possible))
        return 0.0;
    *ret_values = json_pack ("{s:I, s:I}", "asked", (json_int_t) possible, "reached",
                             (json_int_t) run->inflight_max);
    return possible / ((gdouble) run->inflight_max + 1.0);
}

static gdouble
judge_kernel_threads (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
                      json_t **ret_values)
{
    /* cpu_ns is both together */
    if (!known (run->kernel_worker_cpu_ns) || !known (run->cpu_ns)
        || run->cpu_ns < run->kernel_worker_cpu_ns)
        return 0.0;
    gdouble kernel = (gdouble) run->kernel_worker_cpu_ns, all = (gdouble) run->cpu_ns;
    if (kernel <= (all - kernel) / 5.0)
        return 0.0;
    gdouble percent = kernel * 100.0 / all;
    *ret_values = json_pack ("{s:f}", "percent", percent);
    return percent;
}

/* How many transfers were under way on average (Little's law: IOPS x mean latency) as a share of
 * those asked for; NAN if unknown, or where a cache answers and nothing has to wait. */
static gdouble
share_under_way (const DgDocTest *test, const DgDocRun *run)
{
    if (!known (test->queue_depth) || !known (test->threads)
        || g_strcmp0 (run->direct, "refuted") == 0)
        return NAN;
    return run->queue_depth_engine / ((gdouble) test->queue_depth * (gdouble) test->threads);
}

/* Too few were counted, or too few were under way, or more than there can be: then what was left
 * over from before the measured time weighs too much. */
static gdouble
judge_few (const DgDocView *view, const DgDocTest *test, const DgDocRun *run, json_t **ret_values)
{
    if (!known (run->ios))
        return 0.0;
    if (run->ios < DG_ENOUGH_IOS) {
        *ret_values = json_pack ("{s:I}", "ios", (json_int_t) run->ios);
        return 2.0 + (gdouble) (DG_ENOUGH_IOS - run->ios);
    }
    gdouble share = share_under_way (test, run),
            least = test->access == DG_ACCESS_RANDOM && test->queue_depth > 1 ? LEAST_SHARE_RANDOM
                                                                              : LEAST_SHARE;
    if (!(share < least) && !(share > MOST_SHARE))
        return 0.0;
    *ret_values = json_pack (
        "{s:I, s:f, s:I}", "ios", (json_int_t) MIN (run->ios, G_MAXINT64), "percent", share * 100.0,
        "asked", (json_int_t) MIN ((gdouble) test->queue_depth * (gdouble) test->threads, 1e18));
    return 1.0 + MIN (fabs (share - 1.0), 0.99);
}

static gdouble
judge_fallback (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
                json_t **ret_values)
{
    gboolean libaio_refused = g_strcmp0 (run->backend_reason, DG_REASON_LIBAIO_REFUSED) == 0;
    if (!libaio_refused && g_strcmp0 (run->backend_reason, DG_REASON_IO_URING_REFUSED) != 0)
        return 0.0;
    *ret_values =
        json_pack ("{s:s?, s:s?}", "backend", run->backend, "reason", run->backend_reason);
    return libaio_refused ? 2.0 : 1.0;
}

static gdouble
judge_suspended (const DgDocView *view, const DgDocTest *test, const DgDocRun *run,
                 json_t **ret_values)
{
    if (!known (run->suspended_ns) || run->suspended_ns < SUSPENDED_NS)
        return 0.0;
    *ret_values = json_pack ("{s:I}", "suspended_ns", (json_int_t) run->suspended_ns);
    return (gdouble) run->suspended_ns;
}

typedef enum {
    SHOWN_RUN,
    USED_RUNS,
    ALL_RUNS
} WhichRuns;

static const struct {
    const gchar *id;
    DgSeverity severity;
    WhichRuns which;
    JudgeRun judge;
} judges[] = {
    { "not-direct", DG_SEVERITY_INVALID, ALL_RUNS, judge_not_direct },
    { "was-asleep", DG_SEVERITY_INFO, ALL_RUNS, judge_asleep },
    { "busy-drive", DG_SEVERITY_WARNING, USED_RUNS, judge_busy },
    { "cpu-limited", DG_SEVERITY_WARNING, SHOWN_RUN, judge_cpu },
    { "queue-not-reached", DG_SEVERITY_WARNING, SHOWN_RUN, judge_queue },
    { "kernel-threads", DG_SEVERITY_INFO, SHOWN_RUN, judge_kernel_threads },
    { "too-few-ios", DG_SEVERITY_WARNING, USED_RUNS, judge_few },
    { "fallback-backend", DG_SEVERITY_INFO, ALL_RUNS, judge_fallback },
    { "suspended", DG_SEVERITY_INFO, ALL_RUNS, judge_suspended },
};

static void
apply_judge (DgFindings *self, guint j)
{
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    json_t *values = NULL;
    gdouble strongest = 0.0;
    gint worst = -1;
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        gboolean found = FALSE;
        for (guint k = 0; k < test->n_runs; k++) {
            const DgDocRun *run = &test->runs[k];
            if ((judges[j].which == SHOWN_RUN && (gint) k != test->shown)
                || (judges[j].which == USED_RUNS && !run->used))
                continue;
            json_t *mine = NULL;
            gdouble strength = judges[j].judge (self->view, test, run, &mine);
            found |= mine != NULL;
            if (mine != NULL && strength > strongest) {
                strongest = strength;
                worst = (gint) i;
                json_decref (values);
                values = json_incref (mine);
            }
            json_decref (mine);
        }
        if (found)
            g_array_append_val (tests, i);
    }
    if (values == NULL) {
        g_array_unref (tests);
        return;
    }
    gint target = (gint) dg_findings_target_of (self->view, &self->view->tests[worst]);
    dg_findings_add (self, judges[j].id, judges[j].severity, target, worst, tests, values);
}

/* ---- what needs more than one run ---- */

static guint
count_used (const DgDocTest *test)
{
    guint n = 0;
    for (guint i = 0; i < test->n_runs; i++)
        n += test->runs[i].used ? 1 : 0;
    return n;
}

/* (max - min) / median of the last three used runs. When a test settles, only those three are used,
 * and they agree. */
static gboolean
did_settle (const DgDocTest *test)
{
    gdouble rates[3];
    guint n = 0;
    for (guint i = test->n_runs; i > 0 && n < 3; i--)
        if (test->runs[i - 1].used)
            rates[n++] = test->runs[i - 1].bandwidth_bytes_per_s;
    if (n < 3)
        return TRUE;
    gdouble least = MIN (rates[0], MIN (rates[1], rates[2])),
            most = MAX (rates[0], MAX (rates[1], rates[2]));
    gdouble median = rates[0] + rates[1] + rates[2] - least - most;
    return !((most - least) * 100.0 > SETTLED_PERCENT * median);
}

static void
find_unstable (DgFindings *self)
{
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    gint worst = -1;
    gdouble widest = -1.0;
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        if (test->state != DG_DOC_DONE || isnan (test->spread_percent))
            continue;
        guint used = count_used (test);
        gboolean unstable = self->view->runs == 0
                                ? used >= AUTO_MOST_RUNS && !did_settle (test)
                                : used >= 2 && test->spread_percent > SPREAD_LIMIT_PERCENT;
        if (!unstable)
            continue;
        g_array_append_val (tests, i);
        if (test->spread_percent > widest) {
            widest = test->spread_percent;
            worst = (gint) i;
        }
    }
    if (worst < 0) {
        g_array_unref (tests);
        return;
    }
    const DgDocTest *test = &self->view->tests[worst];
    json_t *values = json_pack ("{s:f, s:i, s:b}", "spread_percent", widest, "runs",
                                (int) count_used (test), "auto", self->view->runs == 0);
    dg_findings_add (self, "unstable", DG_SEVERITY_WARNING,
                     (gint) dg_findings_target_of (self->view, test), worst, tests, values);
}

/* Read errors and the others apart: they mean different things for the data on the drive. */
static void
find_io_errors (DgFindings *self, gboolean of_reads)
{
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    guint64 failed = 0, transfers = 0;
    const DgDocError *first = NULL;
    gint first_test = -1;
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        guint64 before = failed, done = 0;
        for (guint k = 0; k < test->n_runs; k++) {
            const DgDocRun *run = &test->runs[k];
            done += known (run->ios) ? run->ios : 0;
            for (guint e = 0; e < run->n_errors; e++) {
                const DgDocError *error = &run->errors[e];
                if ((g_strcmp0 (error->operation, "read") == 0) != of_reads
                    || !known (error->count))
                    continue;
                failed += error->count;
                if (first == NULL) {
                    first = error;
                    first_test = (gint) i;
                }
            }
        }
        if (failed > before) {
            transfers += done;
            g_array_append_val (tests, i);
        }
    }
    if (first == NULL || failed == 0) {
        g_array_unref (tests);
        return;
    }
    gboolean is_full = dg_error_from_os (first->os_code) == DG_ERROR_NO_SPACE;
    json_t *values =
        json_pack ("{s:s?, s:s?, s:I, s:I, s:s?, s:i, s:s?}", "direction",
                   of_reads                   ? "read"
                   : first->operation != NULL ? "write"
                                              : NULL,
                   "operation", first->operation, "failed", (json_int_t) MIN (failed, G_MAXINT64),
                   "transfers", (json_int_t) MIN (transfers + failed, G_MAXINT64), "error",
                   first->text, "os_code", first->os_code, "cause", is_full ? "no-space" : NULL);
    json_object_set_new (values, "offset_bytes",
                         first->offset_bytes > G_MAXINT64
                             ? json_null ()
                             : json_integer ((json_int_t) first->offset_bytes));
    dg_findings_add (self, "io-errors", DG_SEVERITY_INVALID,
                     (gint) dg_findings_target_of (self->view, &self->view->tests[first_test]),
                     first_test, tests, values);
}

void
dg_findings_make_runs (DgFindings *self)
{
    find_io_errors (self, TRUE);
    find_io_errors (self, FALSE);
    find_unstable (self);
    for (guint j = 0; j < G_N_ELEMENTS (judges); j++)
        apply_judge (self, j);
}
