/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far it is and how long it will take: from the plan, and from what has been seen so far. */
#include "app/core/runner-private.h"

#include <math.h>

#define RAMP_NS    100000000u /* DESIGN section 4.2, before each run */
#define AUTO_LEAST 3u
#define SLOW_NS    (60 * G_GUINT64_CONSTANT (1000000000))
#define RATE_AFTER_NS                                                                              \
    G_GUINT64_CONSTANT (500000000) /* of preparing: earlier its rate says little */

static guint64
run_ns (DgRunner *self)
{
    return RAMP_NS + self->plan->duration_ns;
}

/* With "auto", what the tests so far needed. */
static guint
likely_runs (DgRunner *self, guint at_least)
{
    guint runs = self->plan->runs;
    if (runs == 0)
        runs = self->steps_taken == 0
                   ? AUTO_LEAST
                   : (self->runs_seen + self->steps_taken - 1) / self->steps_taken;
    return MAX (MAX (runs, 1), at_least);
}

static guint64
step_ns (DgRunner *self)
{
    return self->plan->interval_ns + self->plan->warmup_ns + likely_runs (self, 0) * run_ns (self);
}

static guint64
since_phase_ns (const DgSnapshot *snapshot)
{
    return snapshot->now_ns > snapshot->phase_started_ns
               ? snapshot->now_ns - snapshot->phase_started_ns
               : 0;
}

static guint64
minus (guint64 a, guint64 b)
{
    return a > b ? a - b : 0;
}

/* What is left of the step going on. */
static guint64
step_left_ns (DgRunner *self, const DgSnapshot *snapshot)
{
    if (snapshot->is_interval)
        return minus (step_ns (self), since_phase_ns (snapshot));
    guint64 runs = likely_runs (self, snapshot->run + 1) - snapshot->run;
    if (snapshot->state == DG_STATE_MEASURING)
        return minus (runs * run_ns (self), MIN (RAMP_NS + snapshot->run_ns, run_ns (self)));
    return minus (self->plan->warmup_ns, snapshot->run_ns) + runs * run_ns (self);
}

/* DG_DOC_UNKNOWN until its rate is known. */
static guint64
prepare_left_ns (DgRunner *self, const DgSnapshot *snapshot)
{
    guint64 spent = since_phase_ns (snapshot);
    if (snapshot->prepare_bytes == 0 || snapshot->prepared_bytes == 0 || spent < RATE_AFTER_NS)
        return DG_DOC_UNKNOWN;
    self->prepare_bytes_per_s = (gdouble) snapshot->prepared_bytes * 1e9 / (gdouble) spent;
    return (guint64) ((gdouble) minus (snapshot->prepare_bytes, snapshot->prepared_bytes) * 1e9
                      / self->prepare_bytes_per_s);
}

static guint64
left_ns (DgRunner *self, const DgSnapshot *snapshot, const DgEstimate *estimate,
         DgProgress *progress)
{
    guint n = self->plan->n_steps;
    if (snapshot->state == DG_STATE_IDLE
        || (snapshot->state == DG_STATE_PREPARING && !self->has_file && !snapshot->is_interval)) {
        progress->prepare_left_ns = prepare_left_ns (self, snapshot);
        if (progress->prepare_left_ns == DG_DOC_UNKNOWN)
            return estimate->time_ns == DG_DOC_UNKNOWN || estimate->preparing != DG_PREPARING_KNOWN
                       ? DG_DOC_UNKNOWN
                       : minus (estimate->time_ns, snapshot->now_ns);
        progress->prepare_is_slow = since_phase_ns (snapshot) + progress->prepare_left_ns > SLOW_NS;
        return progress->prepare_left_ns + n * step_ns (self);
    }
    if (snapshot->step >= n)
        return 0;
    return step_left_ns (self, snapshot) + (n - snapshot->step - 1) * step_ns (self);
}

void
dg_runner_estimate_progress (DgRunner *self, const DgSnapshot *snapshot, DgProgress *progress)
{
    DgEstimate estimate;
    DgLink link = { .ceiling_bytes_per_s = self->ceiling_bytes_per_s,
                    .practical_low_bytes_per_s = self->low_bytes_per_s,
                    .after_coding_bytes_per_s = self->after_coding_bytes_per_s };
    dg_options_estimate (&self->options, self->last,
                         self->after_coding_bytes_per_s == 0 ? NULL : &link,
                         self->prepare_bytes_per_s, &estimate);
    /* The engine adds what preparing wrote when it has ended. */
    progress->written_bytes = MAX (snapshot->bytes_written, snapshot->prepared_bytes);
    progress->written_expected_bytes = estimate.written_bytes == DG_DOC_UNKNOWN
                                           ? DG_DOC_UNKNOWN
                                           : MAX (estimate.written_bytes, progress->written_bytes);
    progress->prepare_left_ns = DG_DOC_UNKNOWN;
    progress->left_ns = left_ns (self, snapshot, &estimate, progress);
    if (progress->left_ns != DG_DOC_UNKNOWN && snapshot->now_ns > 0) {
        gdouble fraction =
            (gdouble) snapshot->now_ns / ((gdouble) snapshot->now_ns + (gdouble) progress->left_ns);
        /* A test that needs more runs than thought would make it go back. */
        self->fraction = MAX (self->fraction, CLAMP (fraction, 0.0, 1.0));
    }
    progress->fraction = self->fraction;
}
