/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/chart-private.h"

#include <math.h>
#include <string.h>

#include "app/report/draw-axis.h"

#define ABBREVIATED_BELOW_PX 34

typedef struct {
    cairo_t *cr;
    const DgPlot *plot;
    const DgTimeline *timeline;
    const DgChart *chart;
    const DgDrawStyle *style;
} Frame;

gdouble
dg_chart_height (const DgDrawStyle *style, gboolean is_narrow)
{
    return ceil (dg__draw_px (style, 86) * 1.7 + dg__draw_px (style, is_narrow ? 75 : 79) * 3
                 + dg__draw_px (style, 100) * 7.1);
}

static void
horizontal (const Frame *f, gdouble y, DgColor color)
{
    gdouble at = round (y) + 0.5;
    cairo_move_to (f->cr, f->plot->left, at);
    cairo_line_to (f->cr, f->plot->right, at);
    cairo_set_line_width (f->cr, 1);
    dg_palette_set_source (f->cr, f->style->look, color);
    cairo_stroke (f->cr);
}

static gchar *
tick_text (const Frame *f, gdouble value, guint decimals)
{
    if (decimals == 0)
        return dg_number_count ((guint64) llround (value), dg__number_for (f->style));
    g_autofree gchar *text = dg_number_fixed (value, decimals);
    if (f->style->for_file)
        return g_steal_pointer (&text);
    /* The locale's mark: taken from a number that has one. */
    g_autofree gchar *sample = dg_number_rate (1.5e6, DG_UNIT_MB, DG_FOR_WINDOW);
    return strchr (sample, ',') != NULL ? g_strdelimit (g_steal_pointer (&text), ".", ',')
                                        : g_steal_pointer (&text);
}

static void
draw_rate_axis (const Frame *f)
{
    const DgPlot *plot = f->plot;
    DgUnit unit = dg__chart_unit (f->style);
    if (!(f->timeline->greatest_bytes_per_s > 0) && !isfinite (plot->ceiling)) {
        horizontal (f, plot->bottom, DG_COLOR_LINE2); /* no scale yet: none is invented */
        return;
    }
    gdouble in_unit = dg_unit_from_bytes_per_s (1, unit), greatest = plot->greatest * in_unit;
    guint most = (guint) CLAMP ((plot->bottom - plot->top) / (plot->tick_px * 2.3), 1, 8);
    gdouble step = dg__axis_step (greatest, most);
    guint decimals = dg__axis_decimals (step);
    DgTextLook look = { .px = plot->tick_px, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_DIM };
    for (guint i = 0; i * step / 2 <= greatest; i++) {
        gdouble value = i * step / 2, y = dg__plot_y (plot, value / in_unit);
        horizontal (f, y, i == 0 ? DG_COLOR_LINE2 : DG_COLOR_GRID);
        if (i % 2 != 0)
            continue;
        g_autofree gchar *text = tick_text (f, value, decimals);
        dg__text_draw (f->cr, f->style, text, &look, plot->left - plot->tick_px * 0.55,
                       y + plot->tick_px * 0.36, DG_ALIGN_RIGHT);
    }
}

static gdouble
celsius_y (const DgPlot *plot, gdouble celsius)
{
    return plot->bottom
           - (celsius - plot->celsius_low) / (plot->celsius_high - plot->celsius_low)
                 * (plot->bottom - plot->top);
}

static void
draw_celsius_axis (const Frame *f)
{
    const DgPlot *plot = f->plot;
    if (!isfinite (plot->celsius_low))
        return;
    DgTextLook look = { .px = plot->tick_px,
                        .weight = PANGO_WEIGHT_NORMAL,
                        .color = DG_COLOR_TEMP };
    for (gdouble c = plot->celsius_low + 10; c < plot->celsius_high; c += 20) {
        g_autofree gchar *text = dg_number_celsius (c, dg__number_for (f->style));
        dg__text_draw (f->cr, f->style, text, &look, plot->right + plot->tick_px * 0.55,
                       celsius_y (plot, c) + plot->tick_px * 0.36, DG_ALIGN_LEFT);
    }
}

/* ---- tests ---- */

static void
draw_shade (const Frame *f, const DgSpan *span)
{
    gdouble from = dg__plot_x (f->plot, f->timeline, span->from_s),
            to = dg__plot_x (f->plot, f->timeline, span->to_s);
    if (span->kind == DG__SPAN_WARMUP || to - from < 1.5)
        return;
    cairo_rectangle (f->cr, from + 0.5, f->plot->top, to - from - 1,
                     f->plot->bottom - f->plot->top);
    dg__set_source_alpha (f->cr, f->style, DG_COLOR_FG,
                          dg_palette_has_fill (f->style->look) ? 0.035 : 0.08);
    cairo_fill (f->cr);
}

static void
draw_area (const Frame *f, const DgSpan *span, DgDirection direction)
{
    gdouble first, last;
    gboolean is_early = span->kind == DG__SPAN_EARLY, is_warmup = span->kind == DG__SPAN_WARMUP;
    gboolean has_fill = dg_palette_has_fill (f->style->look),
             has_hatch = direction == DG_DIRECTION_WRITE && !is_early && !is_warmup;
    if (!has_fill && !has_hatch)
        return;
    cairo_new_path (f->cr);
    if (!dg__span_path (f->cr, span, f->plot, f->timeline, &first, &last))
        return;
    cairo_line_to (f->cr, last, f->plot->bottom);
    cairo_line_to (f->cr, first, f->plot->bottom);
    cairo_close_path (f->cr);
    if (has_fill) {
        dg__set_source_alpha (f->cr, f->style,
                              is_early ? DG_COLOR_TROUGH : dg_palette_fill (direction),
                              is_warmup ? 0.35 : 0.9);
        if (has_hatch)
            cairo_fill_preserve (f->cr);
        else
            cairo_fill (f->cr);
    }
    if (has_hatch)
        dg__fill_hatch (f->cr, f->style, DG_COLOR_WRITE, 0.27, 8, 1.6);
}

static void
draw_line (const Frame *f, const DgSpan *span, DgDirection direction)
{
    gdouble first, last;
    const double dashes[] = { 2, 2 };
    gboolean is_warmup = span->kind == DG__SPAN_WARMUP;
    cairo_new_path (f->cr);
    if (!dg__span_path (f->cr, span, f->plot, f->timeline, &first, &last))
        return;
    if (span->n_samples == 1) /* one point has no line */
        cairo_arc (f->cr, first, dg__plot_y (f->plot, dg__span_rate (span, 0)), 0.5, 0, 2 * G_PI);
    /* Round joins are dear where a pixel has several points, and not seen. */
    gdouble step_px = dg__plot_x (f->plot, f->timeline, span->step_s) - f->plot->left;
    cairo_set_line_join (f->cr, step_px < 2 ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width (f->cr, is_warmup ? 1 : 1.6);
    dg__set_source_alpha (f->cr, f->style,
                          span->kind == DG__SPAN_EARLY ? DG_COLOR_FAINT
                                                       : dg_palette_line (direction),
                          is_warmup ? 0.7 : 1);
    if (is_warmup)
        cairo_set_dash (f->cr, dashes, 2, 0);
    cairo_stroke (f->cr);
    cairo_set_dash (f->cr, NULL, 0, 0);
}

/* "SEQ1M Q8T1" in two lines, "S1M" where it is narrow. */
static void
draw_name (const Frame *f, const DgBlock *block, gdouble from, gdouble to)
{
    const DgPlot *plot = f->plot;
    const gchar *space = block->name != NULL ? strchr (block->name, ' ') : NULL;
    if (block->name == NULL)
        return;
    g_autofree gchar *first = space != NULL ? g_strndup (block->name, (gsize) (space - block->name))
                                            : g_strdup (block->name);
    DgTextLook look = { .px = plot->tick_px,
                        .weight = PANGO_WEIGHT_NORMAL,
                        .color = block->is_planned ? DG_COLOR_FAINT : DG_COLOR_FG };
    gdouble room = to - from + 2, middle = (from + to) / 2,
            baseline = plot->bottom + 8 + plot->tick_px;
    gboolean has_prefix = g_str_has_prefix (first, "SEQ") || g_str_has_prefix (first, "RND");
    if (has_prefix
        && (to - from < ABBREVIATED_BELOW_PX || dg__text_width (f->style, first, &look) > room))
        memmove (first + 1, first + 3, strlen (first + 3) + 1);
    if (dg__text_width (f->style, first, &look) > room)
        return;
    dg__text_draw (f->cr, f->style, first, &look, middle, baseline, DG_ALIGN_CENTER);
    look.color = block->is_planned ? DG_COLOR_FAINT : DG_COLOR_DIM;
    if (space != NULL && dg__text_width (f->style, space + 1, &look) <= room)
        dg__text_draw (f->cr, f->style, space + 1, &look, middle, baseline + plot->tick_px,
                       DG_ALIGN_CENTER);
}

static void
draw_block (const Frame *f, const DgBlock *block)
{
    gdouble from = dg__plot_x (f->plot, f->timeline, block->from_s),
            to = dg__plot_x (f->plot, f->timeline, block->to_s);
    for (guint i = 0; i < block->n_spans; i++)
        draw_shade (f, &g_array_index (f->timeline->spans, DgSpan, block->first_span + i));
    for (guint i = 0; i < block->n_spans; i++) {
        const DgSpan *span = &g_array_index (f->timeline->spans, DgSpan, block->first_span + i);
        draw_area (f, span, block->direction);
        draw_line (f, span, block->direction);
    }
    cairo_rectangle (f->cr, from, f->plot->bottom + 3.25, MAX (to - from, 1), 2.5);
    dg_palette_set_source (f->cr, f->style->look,
                           block->is_planned ? DG_COLOR_LINE2 : dg_palette_line (block->direction));
    cairo_fill (f->cr);
    draw_name (f, block, from, to);
}

static void
draw_ceiling (const Frame *f)
{
    const double dashes[] = { 5, 4 };
    if (!isfinite (f->plot->ceiling))
        return;
    gdouble y = round (dg__plot_y (f->plot, f->plot->ceiling)) + 0.5;
    cairo_move_to (f->cr, f->plot->left, y);
    cairo_line_to (f->cr, f->plot->right, y);
    cairo_set_line_width (f->cr, 1.3);
    cairo_set_dash (f->cr, dashes, 2, 0);
    dg__set_source_alpha (f->cr, f->style, DG_COLOR_FG, 0.7);
    cairo_stroke (f->cr);
    cairo_set_dash (f->cr, NULL, 0, 0);
}

/* Values more than 15 s apart are not joined. */
static void
draw_celsius (const Frame *f)
{
    const double dashes[] = { 1, 3.6 };
    const DgDocView *view = f->chart->view;
    gdouble last_s = NAN;
    if (!isfinite (f->plot->celsius_low) || f->timeline->is_packed)
        return;
    cairo_save (f->cr);
    cairo_rectangle (f->cr, f->plot->left - 1, f->plot->top, f->plot->right - f->plot->left + 2,
                     f->plot->bottom - f->plot->top);
    cairo_clip (f->cr);
    for (guint i = 0; i < view->n_temperatures; i++) {
        const DgDocTemperature *t = &view->temperatures[i];
        if (t->target != 0 || g_strcmp0 (t->sensor, f->plot->sensor) != 0 || !isfinite (t->celsius)
            || t->at_ns == DG_DOC_UNKNOWN)
            continue;
        gdouble s = (gdouble) t->at_ns / 1e9 - f->timeline->shift_s;
        gdouble x = dg__plot_x (f->plot, f->timeline, s), y = celsius_y (f->plot, t->celsius);
        if (s - last_s <= 15)
            cairo_line_to (f->cr, x, y);
        else {
            cairo_move_to (f->cr, x, y);
            cairo_line_to (f->cr, x + 0.1, y); /* a lone value is a dot */
        }
        last_s = s;
    }
    cairo_set_line_width (f->cr, 1.8);
    cairo_set_line_cap (f->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_dash (f->cr, dashes, 2, 0);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_TEMP);
    cairo_stroke (f->cr);
    cairo_restore (f->cr);
}

static void
draw_now (const Frame *f)
{
    if (!isfinite (f->timeline->now_s))
        return;
    gdouble x = round (dg__plot_x (f->plot, f->timeline, f->timeline->now_s)) + 0.5;
    cairo_move_to (f->cr, x, f->plot->top);
    cairo_line_to (f->cr, x, f->plot->bottom);
    cairo_set_line_width (f->cr, 1);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_FG);
    cairo_stroke (f->cr);
    if (f->chart->n_live_samples == 0 || f->chart->live_test_direction < 0)
        return;
    gdouble rate = (gdouble) f->chart->live_samples[f->chart->n_live_samples - 1] * 10;
    cairo_arc (f->cr, x, dg__plot_y (f->plot, rate), 3.5, 0, 2 * G_PI);
    dg_palette_set_source (f->cr, f->style->look,
                           dg_palette_line ((DgDirection) f->chart->live_test_direction));
    cairo_fill_preserve (f->cr);
    cairo_set_line_width (f->cr, 1.5);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_CARD);
    cairo_stroke (f->cr);
}

void
dg_chart_draw (cairo_t *cr, const DgChart *chart, const DgDrawStyle *style, gdouble width,
               gdouble height)
{
    DgTimeline timeline;
    DgPlot plot;
    dg__timeline_init (&timeline, chart);
    dg__plot_init (&plot, &timeline, chart, style, width, height);
    Frame f = { cr, &plot, &timeline, chart, style };
    if (plot.bottom > plot.top && plot.right > plot.left) {
        cairo_save (cr);
        cairo_new_path (cr);
        dg__chart_draw_legend (cr, &plot, &timeline, chart, style);
        draw_rate_axis (&f);
        draw_celsius_axis (&f);
        for (guint i = 0; i < timeline.blocks->len; i++)
            draw_block (&f, &g_array_index (timeline.blocks, DgBlock, i));
        draw_ceiling (&f);
        draw_celsius (&f);
        dg__chart_draw_marks (cr, &plot, &timeline, chart, style);
        draw_now (&f);
        dg__chart_draw_tip (cr, &plot, &timeline, chart, style);
        cairo_restore (cr);
    }
    dg__timeline_done (&timeline);
}
