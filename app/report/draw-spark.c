/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/card-private.h"

#include <math.h>

typedef struct {
    cairo_t *cr;
    const DgDrawStyle *style;
    DgDirection direction;
    gdouble top, height, greatest;
} Frame;

/* bytes/s; NAN for a last sample that is too short to mean something. */
static gdouble
rate_at (const DgDocRun *run, guint i)
{
    gdouble step = (gdouble) run->sample_step_ns / 1e9;
    if (i + 1 == run->n_samples && run->elapsed_ns != DG_DOC_UNKNOWN) {
        gdouble left = (gdouble) run->elapsed_ns / 1e9 - i * step;
        if (left < step * 0.3)
            return NAN;
        step = MIN (step, left);
    }
    return (gdouble) run->samples[i] / step;
}

static gboolean
has_samples (const DgDocRun *run)
{
    return run->n_samples > 1 && run->sample_step_ns > 0 && run->sample_step_ns != DG_DOC_UNKNOWN;
}

static gdouble
greatest_rate (const DgDocTest *test, guint *ret_n)
{
    gdouble greatest = 0;
    *ret_n = 0;
    for (guint i = 0; i < test->n_runs; i++) {
        *ret_n += has_samples (&test->runs[i]) ? 1 : 0;
        for (guint k = 0; has_samples (&test->runs[i]) && k < test->runs[i].n_samples; k++) {
            gdouble rate = rate_at (&test->runs[i], k);
            if (isfinite (rate))
                greatest = MAX (greatest, rate);
        }
    }
    return greatest;
}

static void
add_point (const Frame *f, const DgDocRun *run, guint i, gdouble x, gdouble width, gdouble *last_x)
{
    gdouble rate = rate_at (run, i);
    if (!isfinite (rate))
        return;
    *last_x = x + width * i / (run->n_samples - 1);
    cairo_line_to (f->cr, *last_x,
                   f->top + f->height - rate / (f->greatest * 1.12) * (f->height - 2) - 1);
}

/* Of more samples than a line of this width can show, the lowest and the highest of each stretch
 * are drawn. */
static void
add_stretch (const Frame *f, const DgDocRun *run, guint from, guint to, gdouble x, gdouble width,
             gdouble *last_x)
{
    guint low = from, high = from;
    for (guint i = from + 1; i < to; i++) {
        low = run->samples[i] < run->samples[low] ? i : low;
        high = run->samples[i] > run->samples[high] ? i : high;
    }
    add_point (f, run, MIN (low, high), x, width, last_x);
    if (low != high)
        add_point (f, run, MAX (low, high), x, width, last_x);
}

static void
run_path (const Frame *f, const DgDocRun *run, gdouble x, gdouble width, gboolean as_area)
{
    gdouble last_x = x, bottom = f->top + f->height;
    guint stretch = (guint) MAX (1, run->n_samples / MAX (1, 4 * width));
    cairo_new_path (f->cr);
    if (as_area)
        cairo_move_to (f->cr, x, bottom);
    for (guint i = 0; i < run->n_samples; i += stretch)
        add_stretch (f, run, i, MIN (i + stretch, run->n_samples), x, width, &last_x);
    if (as_area) {
        cairo_line_to (f->cr, last_x, bottom);
        cairo_close_path (f->cr);
    }
}

static void
draw_run (const Frame *f, const DgDocRun *run, gdouble x, gdouble width)
{
    gboolean is_early = !run->used;
    if (dg_palette_has_fill (f->style->look)) {
        run_path (f, run, x, width, TRUE);
        dg_palette_set_source (f->cr, f->style->look,
                               is_early ? DG_COLOR_TROUGH : dg_palette_fill (f->direction));
        cairo_fill (f->cr);
    }
    if (f->direction == DG_DIRECTION_WRITE && !is_early) {
        run_path (f, run, x, width, TRUE);
        dg__fill_hatch (f->cr, f->style, DG_COLOR_WRITE, 0.25, 8.5, 1.6);
    }
    run_path (f, run, x, width, FALSE);
    cairo_set_line_width (f->cr, 1.8);
    cairo_set_line_join (f->cr, CAIRO_LINE_JOIN_ROUND);
    dg_palette_set_source (f->cr, f->style->look,
                           is_early ? DG_COLOR_FAINT : dg_palette_line (f->direction));
    cairo_stroke (f->cr);
}

void
dg__spark_draw (cairo_t *cr, const DgDocTest *test, const DgDrawStyle *style, gdouble x, gdouble y,
                gdouble width, gdouble height)
{
    guint n, drawn = 0;
    Frame f = { cr, style, test->direction, y, height, greatest_rate (test, &n) };
    if (n == 0 || !(f.greatest > 0))
        return;
    gdouble gap = n > 5 ? 2 : 3, run_width = (width - gap * (n - 1)) / n;
    for (guint i = 0; i < test->n_runs; i++)
        if (has_samples (&test->runs[i]))
            draw_run (&f, &test->runs[i], x + drawn++ * (run_width + gap), run_width);
    cairo_rectangle (cr, x, round (y + height) - 1, width, 1);
    dg_palette_set_source (cr, style->look, DG_COLOR_LINE2);
    cairo_fill (cr);
}
