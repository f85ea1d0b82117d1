/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart's numbers without the chart: one by one for a table, a test at a time for reading
 * aloud. */
#include "app/report/chart-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

GArray *
dg_chart_points (const DgDocView *view)
{
    DgChart chart = { .view = view, .live_test_direction = -1, .pointer_x = -1 };
    GArray *points = g_array_new (FALSE, FALSE, sizeof (DgChartPoint));
    DgTimeline timeline;
    dg__timeline_init (&timeline, &chart);
    for (guint b = 0; b < timeline.blocks->len; b++) {
        const DgBlock *block = &g_array_index (timeline.blocks, DgBlock, b);
        for (guint s = block->first_span; s < block->first_span + block->n_spans; s++) {
            const DgSpan *span = &g_array_index (timeline.spans, DgSpan, s);
            for (guint i = 0; i < span->n_samples; i++) {
                DgChartPoint point = { (guint) block->test, span->run, span->kind == DG__SPAN_RUN,
                                       timeline.is_packed ? NAN : dg__span_time (span, i),
                                       dg__span_rate (span, i) };
                if (isfinite (point.bytes_per_s))
                    g_array_append_val (points, point);
            }
        }
    }
    dg__timeline_done (&timeline);
    return points;
}

/* Of the runs that count, or of all where none does. */
static void
find_range (const GArray *points, guint test, gdouble *ret_least, gdouble *ret_greatest)
{
    gboolean has_used = FALSE;
    *ret_least = INFINITY;
    *ret_greatest = -INFINITY;
    for (guint i = 0; i < points->len; i++) {
        const DgChartPoint *point = &g_array_index (points, DgChartPoint, i);
        if (point->test != test || point->run == 0 || (has_used && !point->is_used))
            continue;
        if (point->is_used && !has_used) {
            has_used = TRUE;
            *ret_least = INFINITY;
            *ret_greatest = -INFINITY;
        }
        *ret_least = fmin (*ret_least, point->bytes_per_s);
        *ret_greatest = fmax (*ret_greatest, point->bytes_per_s);
    }
}

gchar *
dg_chart_describe_tests (const DgDocView *view, const DgDrawStyle *style)
{
    g_autoptr (GArray) points = dg_chart_points (view);
    GString *text = g_string_new (NULL);
    DgUnit unit = dg__chart_unit (style);
    DgNumberFor purpose = dg__number_for (style);
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        gdouble least, greatest;
        find_range (points, i, &least, &greatest);
        if (test->shown < 0 || !isfinite (least))
            continue;
        g_autofree gchar *rate =
            dg_number_rate (test->runs[test->shown].bandwidth_bytes_per_s, unit, purpose);
        g_autofree gchar *low = dg_number_rate (least, unit, purpose);
        g_autofree gchar *high = dg_number_rate (greatest, unit, purpose);
        if (text->len > 0)
            g_string_append (text, "; ");
        /* Translators: read aloud: a test, its direction, its rate with the unit, the least and
         * the greatest rate of a tenth of a second. */
        g_string_append_printf (text, _ ("%s %s: %s %s, between %s and %s"), test->name,
                                         dg__direction_word (test->direction), rate,
                                         dg_unit_name (unit), low, high);
    }
    return g_string_free (text, FALSE);
}
