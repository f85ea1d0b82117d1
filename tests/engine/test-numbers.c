/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is computed without running anything. */
#include "check.h"
#include "engine/backend-choice.h"
#include "engine/data.h"
#include "engine/engine.h"
#include "engine/plan-run-pass.h"
#include "engine/state.h"

/* ---- histogram ---- */

static uint64_t
bucket_low (uint32_t i)
{
    return i < 64 ? i : (uint64_t) (64 + i % 64) << (i / 64 - 1);
}

static void
histogram_formula (void)
{
    CHECK_U64 (DG_HISTOGRAM_BUCKETS, 59 * 64);
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++) {
        uint64_t low = bucket_low (i),
                 high = i + 1 < DG_HISTOGRAM_BUCKETS ? bucket_low (i + 1) - 1 : UINT64_MAX;
        CHECK_U64 (dg_histogram_index (low), i);
        CHECK_U64 (dg_histogram_index (high), i);
        uint64_t middle = dg_histogram_middle_ns (i);
        CHECK (middle >= low && middle <= high);
        /* the greatest error of a value read back */
        if (low > 0)
            CHECK ((double) (high - middle) <= 0.016 * (double) high
                   && (double) (middle - low) <= 0.016 * (double) low);
    }
    static const uint64_t edges[] = { 0,
                                      1,
                                      63,
                                      64,
                                      65,
                                      127,
                                      128,
                                      UINT32_MAX,
                                      UINT64_C (1) << 32,
                                      INT64_MAX,
                                      (uint64_t) INT64_MAX + 1,
                                      UINT64_MAX - 1,
                                      UINT64_MAX };
    for (unsigned i = 1; i < sizeof edges / sizeof *edges; i++)
        CHECK (dg_histogram_index (edges[i]) >= dg_histogram_index (edges[i - 1]));
    CHECK_U64 (dg_histogram_index (UINT64_MAX), DG_HISTOGRAM_BUCKETS - 1);
    CHECK_U64 (dg_histogram_index (0), 0);
}

static int
compare_u64 (const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
    return x < y ? -1 : x > y;
}

static void
percentiles_against_sort (void)
{
    static uint64_t values[20000];
    static DgHistogram histogram;
    static const uint32_t asked[] = { 0, 1, 250, 500, 950, 990, 999, 1000 };
    DgRandom random;
    dg__random_seed (&random, 3, 0);
    for (unsigned n = 1; n <= 20000; n = n * 3 + 1) {
        memset (&histogram, 0, sizeof histogram);
        for (unsigned i = 0; i < n; i++) {
            values[i] = dg__random_next (&random) >> (dg__random_next (&random) % 64);
            histogram.counts[dg_histogram_index (values[i])]++;
        }
        qsort (values, n, sizeof *values, compare_u64);
        CHECK_U64 (dg_histogram_total (&histogram), n);
        for (unsigned k = 0; k < sizeof asked / sizeof *asked; k++) {
            uint64_t rank = ((uint64_t) n * asked[k] + 999) / 1000;
            double exact = (double) values[rank == 0 ? 0 : rank - 1];
            double got = (double) dg_histogram_percentile_ns (&histogram, asked[k], values[0],
                                                              values[n - 1]);
            CHECK_NEAR (got, exact, exact * 0.016);
            CHECK (got >= (double) values[0] && got <= (double) values[n - 1]);
        }
    }
    memset (&histogram, 0, sizeof histogram);
    CHECK_U64 (dg_histogram_percentile_ns (&histogram, 500, 7, 9), 0);
    /* 64-bit counts: the rank does not overflow */
    histogram.counts[10] = UINT64_C (1) << 62;
    histogram.counts[20] = UINT64_C (1) << 62;
    CHECK_U64 (dg_histogram_percentile_ns (&histogram, 500, 0, 100), 10);
    CHECK_U64 (dg_histogram_percentile_ns (&histogram, 501, 0, 100), 20);
    CHECK_U64 (dg_histogram_percentile_ns (&histogram, 999, 0, 100), 20);
    static DgHistogram sum;
    memset (&sum, 0, sizeof sum);
    sum.counts[10] = 5;
    dg_histogram_merge (&sum, &histogram);
    CHECK_U64 (sum.counts[10], (UINT64_C (1) << 62) + 5);
    CHECK_U64 (sum.counts[20], UINT64_C (1) << 62);
}

/* ---- runs ---- */

static void
add_run (DgStepResult *step, uint64_t mb_per_s)
{
    DgRunResult *run = &step->runs[step->n_runs++];
    memset (run, 0, sizeof *run);
    run->total = (DgFlowCount){ .ios = mb_per_s, .bytes = mb_per_s * 1000000 };
    run->elapsed_ns = 1000000000;
    run->is_complete = true;
}

static void
median_best_spread (void)
{
    static DgStepResult step;
    memset (&step, 0, sizeof step);
    CHECK (dg_step_shown_run (&step, false) == -1);
    CHECK (isnan (dg_step_spread_percent (&step)));
    static const uint64_t speeds[] = { 300, 100, 500, 200 };
    for (unsigned i = 0; i < 4; i++) {
        add_run (&step, speeds[i]);
        step.runs[i].is_used = true;
    }
    CHECK (dg_step_shown_run (&step, false) == 3); /* the lower of the two in the middle: 200 */
    CHECK (dg_step_shown_run (&step, true) == 2);
    CHECK_NEAR (dg_step_spread_percent (&step), 100.0, 1e-9); /* +-200 of 200 */
    step.runs[2].is_used = false;
    CHECK (dg_step_shown_run (&step, false) == 3);
    CHECK (dg_step_shown_run (&step, true) == 0);
    CHECK_NEAR (dg_step_spread_percent (&step), 50.0, 1e-9);
    step.runs[0].is_used = step.runs[1].is_used = false;
    CHECK (dg_step_shown_run (&step, false) == 3);
    CHECK (isnan (dg_step_spread_percent (&step)));
    CHECK_NEAR (dg_run_bandwidth (&step.runs[0]), 3e8, 0);
    CHECK_NEAR (dg_run_iops (&step.runs[0]), 300, 0);
    step.runs[0].elapsed_ns = 0;
    CHECK_NEAR (dg_run_bandwidth (&step.runs[0]), 0, 0);
}

/* Runs until the rule has enough; which ones are used, as bits. */
static uint32_t
used_of (const uint64_t *speeds, unsigned n, uint32_t runs, unsigned *ret_taken)
{
    static DgStepResult step;
    memset (&step, 0, sizeof step);
    *ret_taken = 0;
    while (*ret_taken < n && !dg__rule_has_enough (&step, runs))
        add_run (&step, speeds[(*ret_taken)++]);
    dg__rule_apply (&step, runs);
    uint32_t used = 0;
    for (uint32_t i = 0; i < step.n_runs; i++)
        used |= (uint32_t) step.runs[i].is_used << i;
    return used;
}

static void
auto_rule (void)
{
    unsigned taken;
    static const uint64_t steady[] = { 1000, 1010, 1020, 1, 1, 1, 1, 1, 1, 1 };
    CHECK_U64 (used_of (steady, 10, 0, &taken), 7); /* 20 of 1010: 1.98 % */
    CHECK_U64 (taken, 3);
    static const uint64_t just_over[] = { 1000, 1010, 1021, 1010, 1, 1, 1, 1, 1, 1 };
    CHECK_U64 (used_of (just_over, 10, 0, &taken), 14); /* 21 of 1010: 2.08 %; then 11 of 1010 */
    CHECK_U64 (taken, 4);
    static const uint64_t exactly[] = { 990, 1000, 1010, 1 };
    CHECK_U64 (used_of (exactly, 4, 0, &taken), 7); /* 20 of 1000: 2 % is enough */
    static const uint64_t warming[] = { 500, 700, 900, 1000, 1001, 1002, 1, 1, 1, 1 };
    CHECK_U64 (used_of (warming, 10, 0, &taken), 8 + 16 + 32);
    CHECK_U64 (taken, 6);
    static const uint64_t wild[] = { 100, 200, 300, 100, 200, 300, 100, 200, 300, 7 };
    CHECK_U64 (used_of (wild, 10, 0, &taken), 0x1ff);
    CHECK_U64 (taken, 9);
    CHECK_U64 (used_of (wild, 10, 5, &taken), 0x1f);
    CHECK_U64 (taken, 5);
    CHECK_U64 (used_of (wild, 10, 1, &taken), 1);
}

static void
bad_runs_never_count (void)
{
    static DgStepResult step;
    memset (&step, 0, sizeof step);
    for (unsigned i = 0; i < 6; i++)
        add_run (&step, 1000);
    step.runs[0].is_complete = false;
    step.runs[1].n_errors = 1;
    step.runs[2].suspended_ns = 100000000;
    step.n_runs = 5;
    CHECK (!dg__rule_has_enough (&step, 0));
    CHECK (!dg__rule_has_enough (&step, 3));
    step.n_runs = 6;
    CHECK (dg__rule_has_enough (&step, 0));
    CHECK (dg__rule_has_enough (&step, 3));
    step.runs[2].suspended_ns = 99999999;
    dg__rule_apply (&step, 3);
    CHECK (!step.runs[0].is_used && !step.runs[1].is_used && step.runs[2].is_used
           && step.runs[5].is_used);
}

/* ---- states ---- */

static void
state_table (void)
{
    /* rows: from, columns: to; I P W M d D S F A */
    static const char *const allowed[] = {
        ".P.......", /* IDLE */
        "..WM.DSFA", /* PREPARING */
        "....d....", /* WARMING */
        "....d....", /* MEASURING */
        "..WM.DSFA", /* DRAINING */
        ".........", ".........", ".........", ".........",
    };
    for (int from = 0; from <= DG_STATE_ABANDONED; from++) {
        for (int to = 0; to <= DG_STATE_ABANDONED; to++)
            CHECK (dg__state_may ((DgState) from, (DgState) to) == (allowed[from][to] != '.'));
        CHECK (dg__state_is_final ((DgState) from) == (from >= DG_STATE_DONE));
    }
    CHECK (!dg__state_may ((DgState) 99, DG_STATE_DONE)
           && !dg__state_may (DG_STATE_IDLE, (DgState) 99));
}

/* ---- plan ---- */

static DgPlanTarget plan_target;
static DgStream plan_stream;
static DgStep plan_step;
static DgPlan plan;

static void
reset_plan (void)
{
    plan_target = (DgPlanTarget){ .folder = "/", .file_bytes = 1u << 20, .handle = -1 };
    plan_stream =
        (DgStream){ .block_bytes = 4096, .queue_depth = 1, .threads = 1, .read_percent = 100 };
    plan_step = (DgStep){ .streams = &plan_stream, .n_streams = 1 };
    plan = (DgPlan){ .targets = &plan_target,
                     .n_targets = 1,
                     .steps = &plan_step,
                     .n_steps = 1,
                     .runs = 9,
                     .duration_ns = 1000000 };
}

#define REFUSED(change)                                                                            \
    do {                                                                                           \
        reset_plan ();                                                                             \
        change;                                                                                    \
        CHECK_U64 (-dg_plan_check (&plan), -DG_ERROR_INVALID);                                     \
    } while (0)

#define TAKEN(change)                                                                              \
    do {                                                                                           \
        reset_plan ();                                                                             \
        change;                                                                                    \
        CHECK_U64 (-dg_plan_check (&plan), 0);                                                     \
    } while (0)

static void
plan_refusals (void)
{
    CHECK_U64 (-dg_plan_check (NULL), -DG_ERROR_INVALID);
    TAKEN ((void) 0);
    REFUSED (plan.n_targets = 0);
    REFUSED (plan.targets = NULL);
    REFUSED (plan.n_steps = 0);
    REFUSED (plan.steps = NULL);
    REFUSED (plan.runs = 10);
    TAKEN (plan.runs = 0);
    REFUSED (plan.duration_ns = 999999);
    REFUSED (plan.backend = (DgBackendId) 99);
    REFUSED (plan_target.folder = NULL);
    REFUSED (plan_target.handle = 3);
    TAKEN (plan_target.folder = NULL; plan_target.handle = 3);
    TAKEN (plan_target.folder = NULL; plan.backend = DG_BACKEND_NULL);
    REFUSED (plan_step.n_streams = 0);
    REFUSED (plan_step.streams = NULL);
    REFUSED (plan_stream.target = 1);
    REFUSED (plan_stream.access = (DgAccess) 2);
    REFUSED (plan_stream.data = (DgData) 2);
    REFUSED (plan_stream.read_percent = 101);
    TAKEN (plan_stream.read_percent = 0);
    REFUSED (plan_stream.block_bytes = 0);
    REFUSED (plan_stream.block_bytes = 256);
    REFUSED (plan_stream.block_bytes = 3072);
    REFUSED (plan_stream.block_bytes = 128u << 20);
    REFUSED (plan_stream.block_bytes = 2u << 20); /* larger than the file */
    TAKEN (plan_stream.block_bytes = 1u << 20);
    TAKEN (plan_stream.block_bytes = 512);
    REFUSED (plan_stream.queue_depth = 0);
    REFUSED (plan_stream.queue_depth = 513);
    TAKEN (plan_stream.queue_depth = 512);
    REFUSED (plan_stream.threads = 0);
    REFUSED (plan_stream.threads = 65);
    TAKEN (plan_stream.threads = 64);
    REFUSED (plan_stream.threads = 64; plan_stream.block_bytes = 32768);
    REFUSED (plan_stream.region_start_bytes = 2048);
    REFUSED (plan_stream.region_start_bytes = 1u << 20);
    REFUSED (plan_stream.region_start_bytes = 2u << 20);
    REFUSED (plan_stream.region_bytes = (1u << 20) + 4096);
    REFUSED (plan_stream.region_bytes = UINT64_MAX);
    TAKEN (plan_stream.region_start_bytes = 4096; plan_stream.region_bytes = (1u << 20) - 4096);
    REFUSED (plan.duration_ns = 86400 * UINT64_C (1000000000) + 1);
    REFUSED (plan.warmup_ns = UINT64_MAX);
    REFUSED (plan.interval_ns = UINT64_MAX);
    TAKEN (plan.duration_ns = plan.warmup_ns = plan.interval_ns = 86400 * UINT64_C (1000000000));
    REFUSED (plan_step.stop = (DgStopKind) 3);
    REFUSED (plan_step.stop = DG_STOP_FULL); /* a file of fixed size does not fill a disk */
    REFUSED (plan_step.stop = DG_STOP_BYTES);
    TAKEN (plan_step.stop = DG_STOP_BYTES; plan_step.stop_bytes = 4096);
    DgPlanRun *run = NULL;
    DgErrorDetail detail;
    reset_plan ();
    plan_stream.threads = 0;
    CHECK_U64 (-dg_plan_run_start (&plan, &run, &detail), -DG_ERROR_INVALID);
    CHECK (run == NULL);
}

/* ---- choice of a backend ---- */

#define U (1u << DG_BACKEND_IO_URING)
#define A (1u << DG_BACKEND_LIBAIO)
#define T (1u << DG_BACKEND_THREADS)

static void
backend_choice (void)
{
    static const struct {
        DgBackendQuestion question;
        DgBackendAnswer answer;
    } rows[] = {
        { { DG_BACKEND_AUTO, 32, true, 1, U | A | T }, { DG_BACKEND_IO_URING, "default" } },
        { { DG_BACKEND_AUTO, 32, true, -1, U | A | T }, { DG_BACKEND_IO_URING, "default" } },
        { { DG_BACKEND_AUTO, 1, false, 0, U | A | T }, { DG_BACKEND_THREADS, "no-nowait" } },
        { { DG_BACKEND_AUTO, 8, false, 0, U | A | T }, { DG_BACKEND_LIBAIO, "no-nowait" } },
        { { DG_BACKEND_AUTO, 8, true, 0, U | A | T }, { DG_BACKEND_LIBAIO, "no-nowait" } },
        { { DG_BACKEND_AUTO, 8, true, 0, U | T }, { DG_BACKEND_IO_URING, "default" } },
        { { DG_BACKEND_AUTO, 8, true, 1, A | T }, { DG_BACKEND_LIBAIO, "io-uring-refused" } },
        { { DG_BACKEND_AUTO, 1, false, 0, A | T }, { DG_BACKEND_LIBAIO, "io-uring-refused" } },
        { { DG_BACKEND_AUTO, 8, false, 1, T }, { DG_BACKEND_THREADS, "libaio-refused" } },
        { { DG_BACKEND_AUTO, 1, false, 1, T }, { DG_BACKEND_THREADS, "libaio-refused" } },
        { { DG_BACKEND_AUTO, 8, true, 1, T }, { DG_BACKEND_AUTO, "threads-cannot-queue-writes" } },
        { { DG_BACKEND_AUTO, 8, true, 1, 0 }, { DG_BACKEND_AUTO, "backend-missing" } },
        { { DG_BACKEND_AUTO, 8, true, 1, 1u << DG_BACKEND_OVERLAPPED },
          { DG_BACKEND_OVERLAPPED, "default" } },
        { { DG_BACKEND_LIBAIO, 8, true, 1, A }, { DG_BACKEND_LIBAIO, "asked" } },
        { { DG_BACKEND_LIBAIO, 8, true, 1, U | T }, { DG_BACKEND_AUTO, "backend-missing" } },
        { { DG_BACKEND_THREADS, 8, false, 1, T }, { DG_BACKEND_THREADS, "asked" } },
        { { DG_BACKEND_THREADS, 8, true, 1, T },
          { DG_BACKEND_AUTO, "threads-cannot-queue-writes" } },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgBackendAnswer answer = dg__backend_choose (&rows[i].question);
        if (answer.id != rows[i].answer.id || strcmp (answer.reason, rows[i].answer.reason) != 0)
            printf ("# row %u\n", i);
        CHECK_U64 (answer.id, rows[i].answer.id);
        CHECK_TEXT (answer.reason, rows[i].answer.reason);
    }
}

/* ---- samples ---- */

static void
samples_keep_every_byte (void)
{
    uint64_t samples[8] = { 0 };
    DgSampler sampler = { .samples = samples, .capacity = 8 };
    dg__sampler_start (&sampler, 1000);
    /* a look that comes 50 ms late: the bytes lie where they were moved */
    dg__sampler_add (&sampler, 1000 + 150000000, 150);
    CHECK_U64 (samples[0], 100);
    CHECK_U64 (samples[1], 50);
    CHECK_U64 (dg__sampler_count (&sampler, 1000 + 150000000), 1);
    dg__sampler_add (&sampler, 1000 + 200000000, 157);
    CHECK_U64 (samples[1], 57);
    dg__sampler_add (&sampler, 1000 + 200000000, 157); /* nothing new */
    CHECK_U64 (samples[1], 57);
    /* what was counted just after the look, in the same moment or with an earlier stamp */
    dg__sampler_add (&sampler, 1000 + 200000000, 160);
    dg__sampler_add (&sampler, 1000 + 199000000, 167);
    CHECK_U64 (samples[1], 67);
    CHECK_U64 (samples[2], 0);
    dg__sampler_add (&sampler, 1000 + 499999999, 1000000167);
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += samples[i];
    CHECK_U64 (sum, 1000000167);
    CHECK_NEAR (samples[2], 333333334, 2);
    CHECK_U64 (samples[5], 0);
    dg__sampler_add (&sampler, 1000 + UINT64_C (10000000000),
                     UINT64_MAX); /* past the array's end */
    CHECK_U64 (dg__sampler_count (&sampler, UINT64_MAX), 8);
}

/* ---- error codes ---- */

static void
error_codes (void)
{
    char text[64];
    for (int code = 1; code < 140; code++) {
        CHECK (dg_error_from_os (code) < 0 && dg_error_from_os (code) >= DG_ERROR_SYSTEM);
        CHECK (dg_error_from_os (-code) == dg_error_from_os (code));
        memset (text, 'x', sizeof text);
        dg_error_os_text (code, text, sizeof text);
        CHECK (memchr (text, '\0', sizeof text) != NULL && text[0] != '\0');
    }
    CHECK (dg_error_from_os (0) < 0);
    dg_error_os_text (5, text, 4);
    CHECK_U64 (strlen (text), 3);
    text[0] = 'x';
    dg_error_os_text (5, text, 0);
    CHECK_U64 (text[0], 'x');
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "histogram: the formula and its 64-bit edges", histogram_formula },
        { "percentiles against a sort", percentiles_against_sort },
        { "median, best, spread", median_best_spread },
        { "auto rule", auto_rule },
        { "bad runs never count", bad_runs_never_count },
        { "state table", state_table },
        { "plan refusals", plan_refusals },
        { "choice of a backend", backend_choice },
        { "samples keep every byte", samples_keep_every_byte },
        { "error codes", error_codes },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
