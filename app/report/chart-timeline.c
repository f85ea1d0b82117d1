/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/chart-private.h"

#include <math.h>

#define GAP_S           1.0    /* between tests that are set one after another */
#define LONGEST_PAUSE_S 1800.0 /* two tests further apart were not measured in one go */
#define MOST_BLOCKS     1000   /* more than there are pixels */

gdouble
dg__span_rate (const DgSpan *span, guint i)
{
    gdouble length = MIN (span->step_s, span->to_s - span->from_s - i * span->step_s);
    if (i + 1 < span->n_samples || span->kind == DG__SPAN_LIVE)
        length = span->step_s;
    /* The last sample ends with the run; a sliver of one would be noise. */
    if (length < span->step_s * 0.3)
        return NAN;
    return (gdouble) span->samples[i] / length;
}

gdouble
dg__span_time (const DgSpan *span, guint i)
{
    return span->from_s + (i + 0.5) * span->step_s;
}

static gdouble
to_seconds (guint64 ns)
{
    return ns == DG_DOC_UNKNOWN ? NAN : (gdouble) ns / 1e9;
}

static void
add_span (DgTimeline *self, DgBlock *block, DgSpan span)
{
    if (!isfinite (span.from_s) || !isfinite (span.to_s) || span.to_s < span.from_s)
        return;
    block->from_s = block->n_spans == 0 ? span.from_s : MIN (block->from_s, span.from_s);
    block->to_s = block->n_spans == 0 ? span.to_s : MAX (block->to_s, span.to_s);
    block->n_spans++;
    g_array_append_val (self->spans, span);
}

static void
add_warmup (DgTimeline *self, DgBlock *block, const DgDocTest *test)
{
    gdouble from = to_seconds (test->warmup_started_ns),
            length = to_seconds (test->warmup_elapsed_ns);
    DgSpan span = { DG__SPAN_WARMUP,        0, from, from + length, test->warmup_samples,
                    test->n_warmup_samples, 0 };
    if (test->n_warmup_samples > 0 && length > 0)
        span.step_s = length / test->n_warmup_samples;
    add_span (self, block, span);
}

static void
add_runs (DgTimeline *self, DgBlock *block, const DgDocTest *test)
{
    for (guint i = 0; i < test->n_runs; i++) {
        const DgDocRun *run = &test->runs[i];
        gdouble from = to_seconds (run->started_ns), length = to_seconds (run->elapsed_ns);
        DgSpan span = { run->used ? DG__SPAN_RUN : DG__SPAN_EARLY,
                        i + 1,
                        from,
                        from + length,
                        run->samples,
                        run->n_samples,
                        to_seconds (run->sample_step_ns) };
        if (!(span.step_s > 0))
            span.n_samples = 0;
        add_span (self, block, span);
    }
}

static void
add_tests (DgTimeline *self, const DgDocView *view)
{
    for (guint i = 0; i < view->n_tests && self->blocks->len < MOST_BLOCKS; i++) {
        const DgDocTest *test = &view->tests[i];
        DgBlock block = { .name = test->name,
                          .test = (gint) i,
                          .direction = test->direction,
                          .first_span = self->spans->len };
        if (g_strcmp0 (test->kind, "speed") != 0)
            continue;
        add_warmup (self, &block, test);
        add_runs (self, &block, test);
        if (block.n_spans > 0)
            g_array_append_val (self->blocks, block);
    }
}

static void
shift_block (DgTimeline *self, DgBlock *block, gdouble by_s)
{
    block->from_s += by_s;
    block->to_s += by_s;
    for (guint i = 0; i < block->n_spans; i++) {
        DgSpan *span = &g_array_index (self->spans, DgSpan, block->first_span + i);
        span->from_s += by_s;
        span->to_s += by_s;
    }
}

static gboolean
is_running (const DgChart *chart)
{
    return chart->now_ns > 0 && chart->now_ns != DG_DOC_UNKNOWN;
}

/* When what is being measured began: its first finished pass, else the present one. */
static gdouble
live_begin (const DgChart *chart)
{
    return to_seconds (chart->n_live_passes > 0 ? chart->live_passes[0].started_ns
                                                : chart->live_started_ns);
}

/* Tests copied from an earlier document have times of their own; and a row alone goes on with it
 * long after its last test. */
static gboolean
is_in_one_go (const DgTimeline *self, const DgChart *chart)
{
    for (guint i = 1; i < self->blocks->len; i++) {
        const DgBlock *before = &g_array_index (self->blocks, DgBlock, i - 1);
        const DgBlock *block = &g_array_index (self->blocks, DgBlock, i);
        if (block->from_s < before->to_s - 0.2 || block->from_s > before->to_s + LONGEST_PAUSE_S)
            return FALSE;
    }
    if (self->blocks->len == 0 || !is_running (chart))
        return TRUE;
    gdouble now = chart->live_test_direction < 0 ? to_seconds (chart->now_ns) : live_begin (chart);
    return now
           <= g_array_index (self->blocks, DgBlock, self->blocks->len - 1).to_s + LONGEST_PAUSE_S;
}

static void
pack (DgTimeline *self, const DgChart *chart)
{
    gdouble at = 0;
    self->is_packed = !is_in_one_go (self, chart);
    for (guint i = 0; i < self->blocks->len; i++) {
        DgBlock *block = &g_array_index (self->blocks, DgBlock, i);
        if (i == 0)
            self->shift_s = MAX (0, block->from_s - GAP_S * 0.5);
        gdouble by = self->is_packed ? at - block->from_s : -self->shift_s;
        shift_block (self, block, by);
        at = block->to_s + GAP_S;
        self->end_s = MAX (self->end_s, block->to_s);
    }
}

static void
add_passes (DgTimeline *self, DgBlock *block, const DgChart *chart, gdouble shift_s)
{
    for (guint i = 0; i < chart->n_live_passes; i++) {
        const DgChartPass *pass = &chart->live_passes[i];
        gdouble from = MAX (to_seconds (pass->started_ns) - shift_s, 0);
        add_span (self, block,
                  (DgSpan){ pass->is_warmup ? DG__SPAN_WARMUP : DG__SPAN_RUN, i + 1, from,
                            from + 0.1 * pass->n_samples, pass->samples, pass->n_samples, 0.1 });
    }
}

/* The present pass belongs to the last block when that is the same test, else it begins a new one.
 */
static void
add_live (DgTimeline *self, const DgChart *chart)
{
    DgBlock *last = self->blocks->len > 0
                        ? &g_array_index (self->blocks, DgBlock, self->blocks->len - 1)
                        : NULL;
    gboolean is_same = last != NULL && last->direction == (DgDirection) chart->live_test_direction
                       && g_strcmp0 (last->name, chart->live_name) == 0;
    gdouble shift_s = self->shift_s;
    /* Where the axis is no clock, it stands behind the others as they do. */
    if (self->is_packed)
        shift_s = chart->live_test_direction < 0
                      ? to_seconds (chart->now_ns) - self->end_s
                      : live_begin (chart) - self->end_s - (is_same ? 0 : GAP_S);
    self->now_s = MAX (to_seconds (chart->now_ns) - shift_s, self->end_s);
    self->end_s = self->now_s;
    if (chart->live_test_direction < 0)
        return;
    gdouble length = 0.1 * chart->n_live_samples,
            from = MAX (to_seconds (chart->live_started_ns) - shift_s, 0);
    if (from > self->now_s)
        from = MAX (self->now_s - length, 0);
    DgSpan span = { chart->live_is_warmup ? DG__SPAN_WARMUP : DG__SPAN_LIVE,
                    0,
                    from,
                    MAX (self->now_s, from),
                    chart->live_samples,
                    chart->n_live_samples,
                    0.1 };
    if (!is_same) {
        DgBlock block = { .name = chart->live_name,
                          .test = -1,
                          .direction = (DgDirection) chart->live_test_direction,
                          .from_s = from,
                          .to_s = from,
                          .first_span = self->spans->len };
        g_array_append_val (self->blocks, block);
        last = &g_array_index (self->blocks, DgBlock, self->blocks->len - 1);
    }
    add_passes (self, last, chart, shift_s);
    add_span (self, last, span);
    /* Its place is kept for as long as a test is expected to take: what stands to the right does
     * not move at each step. */
    last->to_s = MAX (self->now_s, last->from_s + to_seconds (chart->planned_ns_each));
    self->end_s = MAX (self->end_s, last->to_s);
}

static void
add_planned (DgTimeline *self, const DgChart *chart)
{
    gdouble length = chart->planned_ns_each > 0 ? to_seconds (chart->planned_ns_each) : 7;
    for (guint i = 0; i < chart->n_planned; i++) {
        gdouble from = self->end_s > 0 ? self->end_s + GAP_S : 0;
        DgBlock block = { .name = chart->planned_names[i],
                          .test = -1,
                          .direction = chart->planned_directions[i],
                          .from_s = from,
                          .to_s = from + length,
                          .is_planned = TRUE,
                          .first_span = self->spans->len };
        g_array_append_val (self->blocks, block);
        self->end_s = block.to_s;
    }
}

static void
find_greatest (DgTimeline *self)
{
    self->greatest_bytes_per_s = 0;
    for (guint i = 0; i < self->spans->len; i++) {
        const DgSpan *span = &g_array_index (self->spans, DgSpan, i);
        for (guint k = 0; k < span->n_samples; k++) {
            gdouble rate = dg__span_rate (span, k);
            if (isfinite (rate))
                self->greatest_bytes_per_s = MAX (self->greatest_bytes_per_s, rate);
        }
    }
}

void
dg__timeline_init (DgTimeline *timeline, const DgChart *chart)
{
    *timeline = (DgTimeline){ .now_s = NAN };
    timeline->blocks = g_array_new (FALSE, FALSE, sizeof (DgBlock));
    timeline->spans = g_array_new (FALSE, FALSE, sizeof (DgSpan));
    if (chart->view != NULL)
        add_tests (timeline, chart->view);
    pack (timeline, chart);
    if (is_running (chart))
        add_live (timeline, chart);
    add_planned (timeline, chart);
    find_greatest (timeline);
}

void
dg__timeline_done (DgTimeline *timeline)
{
    g_clear_pointer (&timeline->blocks, g_array_unref);
    g_clear_pointer (&timeline->spans, g_array_unref);
}
