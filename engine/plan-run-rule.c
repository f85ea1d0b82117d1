/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DESIGN section 4.9: how many runs, and which of them count. */
#include "engine/plan-run-private.h"

#define AUTO_LAST   3u
#define AUTO_MOST   9u
#define AUTO_SPREAD 0.02

bool
dg__rule_is_good (const DgRunResult *run)
{
    return run->is_complete && run->n_errors == 0 && run->elapsed_ns > 0
           && run->suspended_ns < DG_RUN_SUSPENDED_NS;
}

static uint32_t
count_good (const DgStepResult *step)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < step->n_runs; i++)
        n += dg__rule_is_good (&step->runs[i]);
    return n;
}

/* Whether the last three good runs agree: (max - min) / median <= 2 %. */
static bool
last_three_agree (const DgStepResult *step)
{
    double rate[AUTO_LAST];
    uint32_t n = 0;
    for (uint32_t i = step->n_runs; i > 0 && n < AUTO_LAST; i--)
        if (dg__rule_is_good (&step->runs[i - 1]))
            rate[n++] = dg_run_bandwidth (&step->runs[i - 1]);
    if (n < AUTO_LAST)
        return false;
    double min = rate[0], max = rate[0], sum = rate[0];
    for (uint32_t i = 1; i < AUTO_LAST; i++) {
        min = rate[i] < min ? rate[i] : min;
        max = rate[i] > max ? rate[i] : max;
        sum += rate[i];
    }
    double median = sum - min - max;
    return max - min <= AUTO_SPREAD * median;
}

bool
dg__rule_has_enough (const DgStepResult *step, uint32_t runs)
{
    uint32_t good = count_good (step);
    if (runs != 0)
        return good >= runs;
    return good >= AUTO_MOST || last_three_agree (step);
}

void
dg__rule_apply (DgStepResult *step, uint32_t runs)
{
    uint32_t wanted = runs == 0 && last_three_agree (step) ? AUTO_LAST : DG_MAX_RUNS;
    for (uint32_t i = step->n_runs; i > 0; i--) {
        DgRunResult *run = &step->runs[i - 1];
        run->is_used = wanted > 0 && dg__rule_is_good (run);
        wanted -= run->is_used;
    }
}
