/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands at the pointer: never over the point that it is about. */
#include "app/report/chart-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gchar *
second_line (const DgSpan *span, const DgTimeline *timeline, gdouble time_s, DgNumberFor purpose)
{
    const gchar *what = span->kind == DG__SPAN_WARMUP ? _ ("warm-up, discarded")
                                                      : span->kind == DG__SPAN_EARLY
        ? _ ("not used")
        : NULL;
    GString *line = g_string_new (NULL);
    if (span->run > 0)
        /* Translators: number of a run of a test */
        g_string_append_printf (line, _ ("run %u"), span->run);
    if (what != NULL)
        g_string_append_printf (line, "%s%s", line->len > 0 ? ", " : "", what);
    if (!timeline->is_packed) {
        g_autofree gchar *at = dg_number_duration ((guint64) (MAX (time_s, 0) * 1e9), purpose);
        g_string_append_printf (line, "%s%s", line->len > 0 ? " · " : "", at);
    }
    return g_string_free (line, FALSE);
}

typedef struct {
    const DgBlock *block;
    const DgSpan *span;
    gdouble bytes_per_s, time_s;
    gchar *value, *title, *under;
} Tip;

static void
tip_clear (Tip *tip)
{
    g_free (tip->value);
    g_free (tip->title);
    g_free (tip->under);
}

/* `ret_tip` is untouched, and nothing to be cleared, when there is no sample. */
static gboolean
tip_init (Tip *ret_tip, const DgPlot *plot, const DgTimeline *timeline, const DgDrawStyle *style,
          gdouble x)
{
    guint block, span, sample;
    if (!(x >= 0) || !dg__chart_nearest (plot, timeline, x, &block, &span, &sample))
        return FALSE;
    Tip tip = { .block = &g_array_index (timeline->blocks, DgBlock, block),
                .span = &g_array_index (timeline->spans, DgSpan, span) };
    DgNumberFor purpose = dg__number_for (style);
    DgUnit unit = dg__chart_unit (style);
    tip.bytes_per_s = dg__span_rate (tip.span, sample);
    tip.time_s = dg__span_time (tip.span, sample);
    tip.value = dg_number_rate_and_unit (tip.bytes_per_s, unit, purpose);
    tip.title = g_strdup_printf ("%s %s", tip.block->name != NULL ? tip.block->name : "",
                                 dg__direction_word (tip.block->direction));
    tip.under = second_line (tip.span, timeline, tip.time_s, purpose);
    *ret_tip = tip;
    return TRUE;
}

gchar *
dg_chart_describe_point (const DgChart *chart, const DgDrawStyle *style, gdouble width, gdouble x)
{
    DgTimeline timeline;
    DgPlot plot;
    Tip tip;
    gchar *text = NULL;
    dg__timeline_init (&timeline, chart);
    dg__plot_init (&plot, &timeline, chart, style, width, 100);
    if (tip_init (&tip, &plot, &timeline, style, x)) {
        text = g_strjoin (", ", tip.value, tip.title, tip.under, NULL);
        tip_clear (&tip);
    }
    dg__timeline_done (&timeline);
    return text;
}

void
dg__chart_draw_tip (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                    const DgChart *chart, const DgDrawStyle *style)
{
    Tip tip;
    if (!tip_init (&tip, plot, timeline, style, chart->pointer_x))
        return;
    gdouble x = dg__plot_x (plot, timeline, tip.time_s), y = dg__plot_y (plot, tip.bytes_per_s);

    DgTextLook bold = { .px = plot->legend_px,
                        .weight = PANGO_WEIGHT_SEMIBOLD,
                        .color = DG_COLOR_FG };
    DgTextLook plain = { .px = plot->tick_px,
                         .weight = PANGO_WEIGHT_NORMAL,
                         .color = DG_COLOR_DIM };
    gdouble width = MAX (dg__text_width (style, tip.value, &bold),
                         MAX (dg__text_width (style, tip.title, &plain),
                              dg__text_width (style, tip.under, &plain)))
                    + 18;
    gdouble line = plot->legend_px * 1.35, height = 3 * line + 8, gap = 12;

    gdouble left = x + gap + width <= plot->width ? x + gap : x - gap - width;
    gdouble top = CLAMP (y - height / 2, 0, MAX (plot->height - height, 0));
    if (left < 0) { /* no room on either side: above or below the point */
        left = CLAMP (x - width / 2, 0, MAX (plot->width - width, 0));
        top = y - gap - height >= 0 ? y - gap - height : y + gap;
    }
    cairo_move_to (cr, round (x) + 0.5, plot->top);
    cairo_line_to (cr, round (x) + 0.5, plot->bottom);
    cairo_set_line_width (cr, 1);
    dg__set_source_alpha (cr, style, DG_COLOR_FG, 0.45);
    cairo_stroke (cr);
    cairo_arc (cr, x, y, 3.5, 0, 2 * G_PI);
    dg_palette_set_source (
        cr, style->look,
        tip.span->kind == DG__SPAN_EARLY ? DG_COLOR_FAINT : dg_palette_line (tip.block->direction));
    cairo_fill (cr);

    dg__rounded_rectangle (cr, round (left) + 0.5, round (top) + 0.5, round (width),
                           round (height) - 1, 6);
    dg_palette_set_source (cr, style->look, DG_COLOR_CARD);
    cairo_fill_preserve (cr);
    dg_palette_set_source (cr, style->look, DG_COLOR_LINE2);
    cairo_stroke (cr);
    gdouble text_x = round (left) + 9, text_y = round (top) + 4 + line * 0.78;
    dg__text_draw (cr, style, tip.value, &bold, text_x, text_y, DG_ALIGN_LEFT);
    dg__text_draw (cr, style, tip.title, &plain, text_x, text_y + line, DG_ALIGN_LEFT);
    dg__text_draw (cr, style, tip.under, &plain, text_x, text_y + 2 * line, DG_ALIGN_LEFT);
    tip_clear (&tip);
}
