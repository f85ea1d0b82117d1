/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-cell-private.h"

#include <math.h>
#include <string.h>

static const DgCellForm window_form = { 8,  6,         12,          3, 10,  186, 121, 86,
                                        82, 30.0 / 26, 14.0 / 11.5, 7, 1.6, 8,   -3.3 };
static const DgCellForm narrow_form = { 8,  6,         9,         3, 11,  157, 114, 79,
                                        79, 27.0 / 22, 14.5 / 11, 7, 1.6, 6,   1.6 };
static const DgCellForm card_form = { 10, 9,         14,          4, 15,  231, 145, 100,
                                      97, 43.0 / 37, 18.0 / 15.5, 7, 1.6, 10,  2 };
static const DgCellForm big_form = { 14,  14,        22,        10, 26,  500, 230, 150,
                                     125, 90.0 / 80, 24.0 / 20, 9,  2.4, 16,  10 };

static const DgCellForm *
form_of (const DgCell *cell)
{
    if (cell->is_card)
        return cell->is_big ? &big_form : &card_form;
    return cell->is_narrow ? &narrow_form : &window_form;
}

gdouble
dg_cell_scale (gdouble greatest, gdouble ceiling)
{
    gboolean knows_greatest = isfinite (greatest) && greatest > 0;
    if (!isfinite (ceiling) || ceiling <= 0)
        return knows_greatest ? greatest / 0.92 : 1;
    gdouble scale = ceiling / 0.92;
    return knows_greatest ? MAX (scale, greatest / 0.97) : scale;
}

void
dg_cell_measure (PangoContext *context, const DgDrawStyle *style, gboolean is_card,
                 gboolean is_narrow, gdouble *ret_min_width, gdouble *ret_height)
{
    DgCell cell = { .is_card = is_card, .is_narrow = is_narrow };
    const DgCellForm *form = form_of (&cell);
    gdouble figure = dg__draw_px (style, form->figure);
    gdouble below = dg__draw_px (style, form->below);
    guint lines = is_narrow ? 2 : 1;
    if (ret_height != NULL)
        *ret_height = ceil (figure * form->figure_line + lines * below * form->below_line
                            + form->pad_top + form->pad_bottom + form->slack);
    if (ret_min_width != NULL) { /* the widest usual line */
        DgTextLook look = { .px = below, .weight = PANGO_WEIGHT_NORMAL };
        const gchar *widest =
            is_narrow ? "88.8 ms · p99 88.8 ms" : "888 888 IOPS · 88.8 ms · p99 88.8 ms";
        gdouble text = dg__text_width (style, widest, &look);
        *ret_min_width = ceil (text * (is_narrow ? DG_NARROW_SHRINK : 1) + 2 * form->pad_left);
    }
}

/* Pixels from the starting edge of the inside. */
static gdouble
bar_length (const DgCellFrame *f, gdouble value)
{
    gdouble inner = f->width - 2;
    gdouble scale = f->cell->scale_max > 0 ? f->cell->scale_max : 1;
    return CLAMP (value / scale * inner, 2, inner);
}

/* From pixel a to pixel b of the bar, which grows from the right in right-to-left languages. */
static void
bar_rectangle (const DgCellFrame *f, gdouble a, gdouble b, gdouble y, gdouble height)
{
    gdouble x = f->style->right_to_left ? f->width - 1 - b : 1 + a;
    cairo_rectangle (f->cr, x, y, b - a, height);
}

static void
draw_strip (const DgCellFrame *f, gdouble length)
{
    DgDirection direction = f->cell->direction;
    gdouble strip = f->form->strip, y = f->height - 1 - strip;
    bar_rectangle (f, 0, length, y, strip);
    dg_palette_set_source (f->cr, f->style->look, dg_palette_line (direction));
    cairo_fill (f->cr);
    if (direction == DG_DIRECTION_WRITE) {
        bar_rectangle (f, 0, length, y, strip);
        dg__fill_hatch (f->cr, f->style, DG_COLOR_CARD, 0.6, f->form->hatch_period,
                        f->form->hatch_line);
    } else if (direction == DG_DIRECTION_MIX) {
        bar_rectangle (f, 0, length, y + strip / 2 - 1, 2);
        dg__set_source_alpha (f->cr, f->style, DG_COLOR_CARD, 0.6);
        cairo_fill (f->cr);
    }
}

static void
draw_excess (const DgCellFrame *f, gdouble from, gdouble to)
{
    gdouble strip = f->form->strip;
    if (dg_palette_has_fill (f->style->look)) {
        bar_rectangle (f, from, to, 1, f->height - 2);
        dg_palette_set_source (f->cr, f->style->look, DG_COLOR_WARN_FILL);
        cairo_fill (f->cr);
    }
    bar_rectangle (f, from, to, f->height - 1 - strip, strip);
    dg__fill_hatch (f->cr, f->style, DG_COLOR_WARN, 0.55, 8, 2.5);
}

static void
draw_whisker (const DgCellFrame *f)
{
    const DgCell *cell = f->cell;
    if (!isfinite (cell->slowest) || !isfinite (cell->fastest))
        return;
    gdouble a = bar_length (f, cell->slowest), b = bar_length (f, cell->fastest);
    if (b - a <= 4)
        return;
    gdouble strip = f->form->strip, bottom = f->height - 1, top = bottom - strip - 2;
    bar_rectangle (f, a - 1, b + 1, top, strip + 2);
    dg__set_source_alpha (f->cr, f->style, DG_COLOR_CARD, 0.85);
    cairo_fill (f->cr);
    dg_palette_set_source (f->cr, f->style->look, dg_palette_ink (cell->direction));
    bar_rectangle (f, a - 0.8, a + 0.8, top, strip + 2);
    bar_rectangle (f, b - 0.8, b + 0.8, top, strip + 2);
    bar_rectangle (f, a, b, bottom - strip / 2 - 1.8, 1.6);
    cairo_fill (f->cr);
}

static void
draw_bar (const DgCellFrame *f)
{
    const DgCell *cell = f->cell;
    if (!isfinite (cell->value) || cell->value <= 0)
        return;
    gdouble length = bar_length (f, cell->value), plain = length;
    gboolean is_above =
        cell->is_above_link && isfinite (cell->ceiling) && cell->value > cell->ceiling;
    if (is_above)
        plain = MIN (bar_length (f, cell->ceiling), length);
    if (dg_palette_has_fill (f->style->look)) {
        bar_rectangle (f, 0, plain, 1, f->height - 2);
        dg_palette_set_source (f->cr, f->style->look, dg_palette_fill (cell->direction));
        cairo_fill (f->cr);
    }
    draw_strip (f, plain);
    if (is_above)
        draw_excess (f, plain, length);
    draw_whisker (f);
}

static void
draw_ceiling (const DgCellFrame *f)
{
    if (!isfinite (f->cell->ceiling) || f->cell->ceiling <= 0 || !(f->cell->scale_max > 0)
        || f->cell->ceiling > f->cell->scale_max) /* of a mix: both directions' together */
        return;
    const double dashes[] = { 4, 3 };
    gdouble at = round (f->cell->ceiling / f->cell->scale_max * (f->width - 2)) + 0.5;
    gdouble x = f->style->right_to_left ? f->width - 1 - at : 1 + at;
    cairo_move_to (f->cr, x, 1);
    cairo_line_to (f->cr, x, f->height - 1);
    cairo_set_line_width (f->cr, 1.5);
    cairo_set_dash (f->cr, dashes, 2, 0);
    dg__set_source_alpha (f->cr, f->style, DG_COLOR_FG, 0.7);
    cairo_stroke (f->cr);
    cairo_set_dash (f->cr, NULL, 0, 0);
}

static void
draw_border (const DgCellFrame *f)
{
    gboolean is_running = f->cell->state == DG_DOC_RUNNING;
    gdouble line = is_running ? 2 : 1;
    dg__rounded_rectangle (f->cr, line / 2, line / 2, f->width - line, f->height - line,
                           f->form->radius - line / 2);
    cairo_set_line_width (f->cr, line);
    dg_palette_set_source (f->cr, f->style->look,
                           is_running ? dg_palette_line (f->cell->direction) : DG_COLOR_LINE);
    cairo_stroke (f->cr);
}

void
dg_cell_draw (cairo_t *cr, const DgCell *cell, const DgDrawStyle *style, gdouble width,
              gdouble height)
{
    DgCellFrame f = { cr, cell, style, form_of (cell), width, height };
    cairo_save (cr);
    if (cell->is_dimmed)
        cairo_push_group (cr);
    dg__rounded_rectangle (cr, 0, 0, width, height, f.form->radius);
    dg_palette_set_source (cr, style->look, DG_COLOR_CARD);
    cairo_fill_preserve (cr);
    cairo_save (cr);
    cairo_clip (cr);
    draw_bar (&f);
    draw_ceiling (&f);
    cairo_restore (cr);
    dg__cell_draw_text (&f);
    draw_border (&f);
    if (cell->is_dimmed) {
        cairo_pop_group_to_source (cr);
        cairo_paint_with_alpha (cr, 0.5);
    }
    cairo_restore (cr);
}
