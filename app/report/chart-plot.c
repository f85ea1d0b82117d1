/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From seconds and bytes per second to pixels. */
#include "app/report/chart-private.h"

#include <math.h>

#include "app/report/draw-axis.h"
#include "app/report/report-private.h"

/* A ceiling that far above all that was measured would press the lines to the floor: then the
 * legend says that it is beyond the scale. */
#define CEILING_BEYOND 4

DgUnit
dg__chart_unit (const DgDrawStyle *style)
{
    return style->unit == DG_UNIT_GB || style->unit == DG_UNIT_MIB ? style->unit : DG_UNIT_MB;
}

static void
set_scale (DgPlot *plot, const DgTimeline *timeline, const DgDocView *view)
{
    gdouble ceiling = dg_view_ceiling (view), greatest = timeline->greatest_bytes_per_s;
    plot->ceiling_is_beyond =
        isfinite (ceiling) && greatest > 0 && ceiling > CEILING_BEYOND * greatest;
    plot->ceiling = plot->ceiling_is_beyond ? NAN : ceiling;
    plot->greatest = MAX (greatest, isfinite (plot->ceiling) ? plot->ceiling : 0) * 1.12;
    if (!(plot->greatest > 0))
        plot->greatest = 1e9;
}

static void
set_celsius (DgPlot *plot, const DgDocView *view)
{
    DgTemperatureSpan span;
    plot->celsius_low = plot->celsius_high = NAN;
    if (view == NULL || !dg__report_temperatures (view, &span))
        return;
    plot->sensor = span.sensor;
    plot->celsius_low = MIN (20, floor (span.lowest / 10) * 10 - 10);
    plot->celsius_high = MAX (70, ceil (span.highest / 10) * 10 + 10);
}

void
dg__plot_init (DgPlot *plot, const DgTimeline *timeline, const DgChart *chart,
               const DgDrawStyle *style, gdouble width, gdouble height)
{
    *plot = (DgPlot){ .width = width, .height = height };
    plot->tick_px = dg__draw_px (style, chart->is_narrow ? 75 : 79);
    plot->legend_px = dg__draw_px (style, 86);
    set_scale (plot, timeline, chart->view);
    set_celsius (plot, chart->view);
    /* four digits have room, each further one needs more */
    gdouble digits =
        floor (log10 (dg_unit_from_bytes_per_s (plot->greatest, dg__chart_unit (style)))) + 1;
    plot->left =
        round (plot->tick_px * ((chart->is_narrow ? 3.4 : 3.7) + 0.7 * MAX (digits - 4, 0)));
    plot->right = width - (isfinite (plot->celsius_low) ? round (plot->tick_px * 3.5) : 8);
    plot->top = round (plot->legend_px * 1.7) + 8;
    plot->bottom = height - round (plot->tick_px * 3);
}

gdouble
dg__plot_x (const DgPlot *plot, const DgTimeline *timeline, gdouble seconds)
{
    gdouble end = timeline->end_s > 0 ? timeline->end_s : 1;
    return plot->left + seconds / end * (plot->right - plot->left);
}

gdouble
dg__plot_y (const DgPlot *plot, gdouble bytes_per_s)
{
    return plot->bottom - bytes_per_s / plot->greatest * (plot->bottom - plot->top);
}

/* More samples than pixels: the lowest and the highest of each pixel are drawn, so that no dip is
 * lost and no point invented. */
static void
add_column (cairo_t *cr, gdouble x, gdouble low, gdouble high, gdouble last)
{
    cairo_line_to (cr, x, last == low ? high : low);
    cairo_line_to (cr, x, last == low ? low : high);
    cairo_line_to (cr, x, last);
}

gboolean
dg__span_path (cairo_t *cr, const DgSpan *span, const DgPlot *plot, const DgTimeline *timeline,
               gdouble *ret_first_x, gdouble *ret_last_x)
{
    gboolean has_any = FALSE, has_column = FALSE;
    gdouble column_x = NAN, low = 0, high = 0, last = 0, first_x = 0, last_x = 0;
    gdouble step_px = dg__plot_x (plot, timeline, span->step_s) - plot->left;
    for (guint i = 0; i < span->n_samples; i++) {
        gdouble rate = dg__span_rate (span, i);
        if (!isfinite (rate))
            continue;
        gdouble x = dg__plot_x (plot, timeline, dg__span_time (span, i)),
                y = dg__plot_y (plot, rate);
        if (!has_any)
            first_x = x;
        has_any = TRUE;
        last_x = x;
        if (step_px >= 0.7) {
            cairo_line_to (cr, x, y);
            continue;
        }
        if (has_column && floor (x) == floor (column_x)) {
            low = MIN (low, y);
            high = MAX (high, y);
            last = y;
            continue;
        }
        if (has_column)
            add_column (cr, column_x, low, high, last);
        has_column = TRUE;
        column_x = x;
        low = high = last = y;
    }
    if (has_column)
        add_column (cr, column_x, low, high, last);
    if (!has_any)
        return FALSE;
    *ret_first_x = first_x;
    *ret_last_x = last_x;
    return TRUE;
}

gboolean
dg__chart_nearest (const DgPlot *plot, const DgTimeline *timeline, gdouble x, guint *ret_block,
                   guint *ret_span, guint *ret_sample)
{
    gdouble best = INFINITY;
    for (guint b = 0; b < timeline->blocks->len; b++) {
        const DgBlock *block = &g_array_index (timeline->blocks, DgBlock, b);
        for (guint s = block->first_span; s < block->first_span + block->n_spans; s++) {
            const DgSpan *span = &g_array_index (timeline->spans, DgSpan, s);
            for (guint i = 0; i < span->n_samples; i++) {
                gdouble distance = fabs (dg__plot_x (plot, timeline, dg__span_time (span, i)) - x);
                if (!isfinite (dg__span_rate (span, i)) || distance >= best)
                    continue;
                best = distance;
                *ret_block = b;
                *ret_span = s;
                *ret_sample = i;
            }
        }
    }
    return isfinite (best);
}

gdouble
dg_chart_step (const DgChart *chart, const DgDrawStyle *style, gdouble width, gdouble x,
               gint direction)
{
    DgTimeline timeline;
    DgPlot plot;
    dg__timeline_init (&timeline, chart);
    dg__plot_init (&plot, &timeline, chart, style, width, 100);
    gdouble best = NAN;
    /* Half a pixel further at least, so that a key press is always seen. */
    for (guint s = 0; s < timeline.spans->len; s++) {
        const DgSpan *span = &g_array_index (timeline.spans, DgSpan, s);
        for (guint i = 0; i < span->n_samples; i++) {
            gdouble at = dg__plot_x (&plot, &timeline, dg__span_time (span, i));
            if (!isfinite (dg__span_rate (span, i)))
                continue;
            if (direction > 0 && at > x + 0.5 && !(at >= best))
                best = at;
            if (direction < 0 && at < x - 0.5 && !(at <= best))
                best = at;
        }
    }
    dg__timeline_done (&timeline);
    return isfinite (best) ? best : x;
}
