/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings that have a place in time, at that place: a line with a sign and a few words. */
#include "app/report/chart-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct {
    cairo_t *cr;
    const DgPlot *plot;
    const DgTimeline *timeline;
    const DgDrawStyle *style;
} Frame;

/* The time at which so many bytes of the test, its warm-up included, had been moved; NAN. */
static gdouble
time_of_bytes (const Frame *f, const DgBlock *block, guint64 bytes)
{
    guint64 total = 0;
    for (guint i = 0; i < block->n_spans; i++) {
        const DgSpan *span = &g_array_index (f->timeline->spans, DgSpan, block->first_span + i);
        for (guint k = 0; k < span->n_samples; k++) {
            if (total >= bytes && span->kind != DG__SPAN_WARMUP)
                return span->from_s + k * span->step_s;
            total += span->samples[k];
        }
    }
    return NAN;
}

static void
draw_words (const Frame *f, gdouble x, gdouble room, const gchar *first, const gchar *second)
{
    gdouble size = round (f->plot->tick_px * 1.1), line = f->plot->tick_px * 1.2;
    DgTextLook look = { .px = f->plot->tick_px,
                        .weight = PANGO_WEIGHT_SEMIBOLD,
                        .color = DG_COLOR_WARN };
    gdouble text_x = x + 4 + size + 4, top = f->plot->top + 2;
    if (isfinite (f->plot->ceiling)) { /* not across its line */
        gdouble ceiling = dg__plot_y (f->plot, f->plot->ceiling);
        if (ceiling > top - 6 && ceiling < top + 2 * line)
            top = ceiling + 4;
    }
    dg_sign_draw (f->cr, DG_SIGN_WARNING, f->style, x + 4, top, size);
    if (text_x + dg__text_width (f->style, first, &look) > x + room)
        return; /* the sign alone; the findings say it in words */
    dg__text_draw (f->cr, f->style, first, &look, text_x, top + line * 0.8, DG_ALIGN_LEFT);
    look.weight = PANGO_WEIGHT_NORMAL;
    if (second != NULL && text_x + dg__text_width (f->style, second, &look) <= x + room)
        dg__text_draw (f->cr, f->style, second, &look, text_x, top + line * 1.8, DG_ALIGN_LEFT);
}

static void
draw_line (const Frame *f, gdouble x)
{
    cairo_move_to (f->cr, round (x) + 0.5, f->plot->top);
    cairo_line_to (f->cr, round (x) + 0.5, f->plot->bottom);
    cairo_set_line_width (f->cr, 1);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_WARN);
    cairo_stroke (f->cr);
}

static void
draw_cache_end (const Frame *f, const DgBlock *block, json_t *values)
{
    json_t *bytes = json_object_get (values, "written_bytes");
    if (!json_is_integer (bytes) || json_integer_value (bytes) < 0)
        return;
    guint64 written = (guint64) json_integer_value (bytes);
    gdouble at = time_of_bytes (f, block, written);
    if (!isfinite (at))
        return;
    gdouble x = dg__plot_x (f->plot, f->timeline, at),
            end = dg__plot_x (f->plot, f->timeline, block->to_s);
    g_autofree gchar *amount = dg_number_gib (written, dg__number_for (f->style));
    /* Translators: how much a test had written when the drive's cache was full */
    g_autofree gchar *second = g_strdup_printf (_ ("%s into the test"), amount);
    draw_line (f, x);
    draw_words (f, x, end - x, _ ("cache full"), second);
}

static void
draw_throttled (const Frame *f, const DgBlock *block, json_t *values)
{
    gboolean is_at_limit = json_is_number (json_object_get (values, "limit_celsius"));
    gdouble from = dg__plot_x (f->plot, f->timeline, block->from_s),
            to = dg__plot_x (f->plot, f->timeline, block->to_s);
    cairo_rectangle (f->cr, from, f->plot->top, to - from, f->plot->bottom - f->plot->top);
    dg__fill_hatch (f->cr, f->style, DG_COLOR_WARN, 0.22, 12, 1.6);
    draw_line (f, from);
    draw_words (f, from, to - from, is_at_limit ? _ ("too hot") : _ ("slower when warm"), NULL);
}

static const DgBlock *
block_of (const DgTimeline *timeline, gint test)
{
    for (guint i = 0; i < timeline->blocks->len; i++) {
        const DgBlock *block = &g_array_index (timeline->blocks, DgBlock, i);
        if (block->test == test && test >= 0)
            return block;
    }
    return NULL;
}

void
dg__chart_draw_marks (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                      const DgChart *chart, const DgDrawStyle *style)
{
    Frame f = { cr, plot, timeline, style };
    for (guint i = 0; chart->view != NULL && i < chart->view->n_findings; i++) {
        const DgDocFinding *finding = &chart->view->findings[i];
        const DgBlock *block = block_of (timeline, finding->test);
        if (block == NULL)
            continue;
        if (g_strcmp0 (finding->id, "cache-ended") == 0)
            draw_cache_end (&f, block, finding->values);
        else if (g_strcmp0 (finding->id, "throttled") == 0)
            draw_throttled (&f, block, finding->values);
    }
}
