/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart in words: title, what each mark means, and a sentence for reading aloud. */
#include "app/report/chart-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "app/report/report-private.h"

typedef struct {
    cairo_t *cr;
    const DgPlot *plot;
    const DgDrawStyle *style;
    gdouble x, far_x, baseline;
} Legend;

typedef enum {
    MARK_SWATCH,
    MARK_WARMUP,
    MARK_CEILING,
    MARK_CELSIUS
} Mark;

#define MARK_WIDTH 18
#define KEY_GAP    14

static void
draw_mark_line (const Legend *l, Mark mark, gdouble x)
{
    static const double warmup[] = { 2, 2 }, ceiling[] = { 5, 3 }, celsius[] = { 1, 3.6 };
    const double *dashes = mark == MARK_WARMUP ? warmup : mark == MARK_CEILING ? ceiling : celsius;
    gdouble y = round (l->baseline - l->plot->legend_px * 0.36) + 0.5;
    cairo_save (l->cr);
    cairo_move_to (l->cr, x, y);
    cairo_line_to (l->cr, x + MARK_WIDTH, y);
    cairo_set_dash (l->cr, dashes, 2, 0);
    cairo_set_line_width (l->cr, mark == MARK_WARMUP ? 1.2 : mark == MARK_CEILING ? 1.5 : 2);
    if (mark == MARK_CELSIUS)
        cairo_set_line_cap (l->cr, CAIRO_LINE_CAP_ROUND);
    dg_palette_set_source (l->cr, l->style->look,
                           mark == MARK_WARMUP    ? DG_COLOR_DIM
                           : mark == MARK_CEILING ? DG_COLOR_FG
                                                  : DG_COLOR_TEMP);
    cairo_stroke (l->cr);
    cairo_restore (l->cr);
}

static gdouble
mark_width (Mark mark)
{
    return mark == MARK_SWATCH ? 14 : MARK_WIDTH;
}

static gdouble
key_width (const DgDrawStyle *style, const DgPlot *plot, Mark mark, const gchar *word)
{
    DgTextLook look = { .px = plot->legend_px, .weight = PANGO_WEIGHT_NORMAL };
    return mark_width (mark) + 6 + dg__text_width (style, word, &look) + KEY_GAP;
}

/* A key at the present place, or before the far edge; nothing when there is no room for it. */
static void
add_key (Legend *l, Mark mark, DgDirection direction, const gchar *word, gboolean is_far)
{
    DgTextLook look = { .px = l->plot->legend_px,
                        .weight = PANGO_WEIGHT_NORMAL,
                        .color = mark == MARK_CELSIUS ? DG_COLOR_TEMP : DG_COLOR_DIM };
    gdouble width = mark_width (mark) + 6 + dg__text_width (l->style, word, &look);
    if (l->x + width > l->far_x)
        return;
    gdouble x = is_far ? l->far_x - width : l->x;
    gboolean is_rtl = l->style->right_to_left;
    gdouble mark_x = is_rtl ? l->plot->width - x - mark_width (mark) : x;
    if (mark == MARK_SWATCH)
        dg__swatch (l->cr, l->style, direction, mark_x, l->baseline - l->plot->legend_px * 0.36 - 5,
                    14, 10);
    else
        draw_mark_line (l, mark, mark_x);
    gdouble text_x = x + mark_width (mark) + 6;
    dg__text_draw (l->cr, l->style, word, &look, is_rtl ? l->plot->width - text_x : text_x,
                   l->baseline, is_rtl ? DG_ALIGN_RIGHT : DG_ALIGN_LEFT);
    if (is_far)
        l->far_x = x - KEY_GAP;
    else
        l->x += width + KEY_GAP;
}

static void
add_words (Legend *l, const gchar *text, PangoWeight weight, DgColor color, gdouble px)
{
    DgTextLook look = {
        .px = px, .weight = weight, .color = color, .max_width = MAX (l->far_x - l->x, 1)
    };
    gboolean is_rtl = l->style->right_to_left;
    l->x += dg__text_draw (l->cr, l->style, text, &look, is_rtl ? l->plot->width - l->x : l->x,
                           l->baseline, is_rtl ? DG_ALIGN_RIGHT : DG_ALIGN_LEFT)
            + KEY_GAP;
}

static gboolean
has_direction (const DgTimeline *timeline, DgDirection direction)
{
    for (guint i = 0; i < timeline->blocks->len; i++)
        if (g_array_index (timeline->blocks, DgBlock, i).direction == direction)
            return TRUE;
    return FALSE;
}

static gboolean
has_warmup (const DgTimeline *timeline)
{
    for (guint i = 0; i < timeline->spans->len; i++) {
        const DgSpan *span = &g_array_index (timeline->spans, DgSpan, i);
        if (span->kind == DG__SPAN_WARMUP && span->n_samples > 0)
            return TRUE;
    }
    return FALSE;
}

/* What the keys that stand nowhere else take, with the gaps behind them. */
static gdouble
keys_width (const DgPlot *plot, const DgTimeline *timeline, const DgDrawStyle *style)
{
    gdouble width = 0;
    if (isfinite (plot->celsius_low) && !timeline->is_packed)
        width += key_width (style, plot, MARK_CELSIUS, _ ("drive temperature"));
    for (guint d = 0; d < 3; d++)
        if (has_direction (timeline, (DgDirection) d))
            width += key_width (style, plot, MARK_SWATCH, dg__direction_word ((DgDirection) d));
    return width;
}

void
dg__chart_draw_legend (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                       const DgChart *chart, const DgDrawStyle *style)
{
    Legend l = { cr, plot, style, 0, plot->width, round (plot->legend_px * 1.15) };
    const gchar *title = timeline->is_packed ? _ ("Throughput, tests of different times")
                                             : _ ("Throughput over time");
    const gchar *shown = chart->is_narrow ? _ ("Over time") : title;
    const gchar *unit = dg_unit_name (dg__chart_unit (style));
    DgTextLook look = { .px = plot->legend_px * 1.08, .weight = PANGO_WEIGHT_SEMIBOLD };
    gdouble keys = keys_width (plot, timeline, style) - KEY_GAP;
    gdouble title_width = dg__text_width (style, shown, &look) + KEY_GAP;
    gdouble unit_width = dg__text_width (style, unit, &look) + KEY_GAP;
    /* Where there is little room, what the keys tell stands nowhere else. */
    gboolean has_title = !chart->is_narrow || title_width + keys <= plot->width;
    gboolean has_unit = !chart->is_narrow || title_width + unit_width + keys <= plot->width;
    if (has_title)
        add_words (&l, shown, PANGO_WEIGHT_SEMIBOLD, DG_COLOR_FG, look.px);
    if (has_unit)
        add_words (&l, unit, PANGO_WEIGHT_NORMAL, DG_COLOR_DIM, plot->legend_px);
    /* From the far edge first: these two have no other place where they are named. */
    if (isfinite (plot->celsius_low) && !timeline->is_packed)
        add_key (&l, MARK_CELSIUS, 0, _ ("drive temperature"), TRUE);
    if (isfinite (plot->ceiling) && !chart->is_narrow)
        add_key (&l, MARK_CEILING, 0, _ ("ceiling of the link"), TRUE);
    if (plot->ceiling_is_beyond && !chart->is_narrow)
        add_key (&l, MARK_CEILING, 0, _ ("ceiling of the link: above this scale"), TRUE);
    for (guint d = 0; d < 3; d++)
        if (has_direction (timeline, (DgDirection) d))
            add_key (&l, MARK_SWATCH, (DgDirection) d, dg__direction_word ((DgDirection) d), FALSE);
    if (!chart->is_narrow && has_warmup (timeline))
        add_key (&l, MARK_WARMUP, 0, _ ("warm-up, discarded"), FALSE);
}

gchar *
dg_chart_describe (const DgChart *chart, const DgDrawStyle *style)
{
    DgTimeline timeline;
    DgTemperatureSpan span;
    GString *text = g_string_new (NULL);
    dg__timeline_init (&timeline, chart);
    if (timeline.spans->len == 0)
        g_string_append (text, _ ("Throughput over time: nothing measured yet"));
    else {
        DgUnit unit = dg__chart_unit (style);
        g_autofree gchar *time =
            dg_number_duration ((guint64) (timeline.end_s * 1e9), dg__number_for (style));
        g_autofree gchar *rate =
            dg_number_rate (timeline.greatest_bytes_per_s, unit, dg__number_for (style));
        /* Translators: a duration, a count of tests, a rate and its unit */
        g_string_append_printf (text,
                                ngettext ("Throughput over %s, %u test; highest %s %s",
                                          "Throughput over %s, %u tests; highest %s %s",
                                          timeline.blocks->len),
                                time, timeline.blocks->len, rate, dg_unit_name (unit));
    }
    if (chart->view != NULL && dg__report_temperatures (chart->view, &span)) {
        g_autofree gchar *low = dg_number_celsius (span.lowest, dg__number_for (style));
        g_autofree gchar *high = dg_number_celsius (span.highest, dg__number_for (style));
        /* Translators: lowest and highest temperature */
        g_string_append_printf (text, _ ("; drive %s to %s"), low, high);
    }
    dg__timeline_done (&timeline);
    return g_string_free (text, FALSE);
}
