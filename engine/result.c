/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/result.h"

#include <math.h>
#include <stddef.h>

double
dg_run_bandwidth (const DgRunResult *run)
{
    return run->elapsed_ns == 0 ? 0.0 : (double) run->total.bytes * 1e9 / (double) run->elapsed_ns;
}

double
dg_run_iops (const DgRunResult *run)
{
    return run->elapsed_ns == 0 ? 0.0 : (double) run->total.ios * 1e9 / (double) run->elapsed_ns;
}

/* Indices of the used runs, slowest first. */
static uint32_t
sort_used (const DgStepResult *step, uint32_t *ret_order)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < step->n_runs; i++) {
        if (!step->runs[i].is_used)
            continue;
        uint32_t k = n++;
        double rate = dg_run_bandwidth (&step->runs[i]);
        for (; k > 0 && dg_run_bandwidth (&step->runs[ret_order[k - 1]]) > rate; k--)
            ret_order[k] = ret_order[k - 1];
        ret_order[k] = i;
    }
    return n;
}

int
dg_step_shown_run (const DgStepResult *step, bool best)
{
    uint32_t order[DG_MAX_RUNS];
    uint32_t n = sort_used (step, order);
    if (n == 0)
        return -1;
    return (int) order[best ? n - 1 : (n - 1) / 2];
}

double
dg_step_spread_percent (const DgStepResult *step)
{
    uint32_t order[DG_MAX_RUNS];
    uint32_t n = sort_used (step, order);
    if (n < 2)
        return NAN;
    double median = dg_run_bandwidth (&step->runs[order[(n - 1) / 2]]);
    double range =
        dg_run_bandwidth (&step->runs[order[n - 1]]) - dg_run_bandwidth (&step->runs[order[0]]);
    return median > 0.0 ? range / 2.0 / median * 100.0 : NAN;
}
