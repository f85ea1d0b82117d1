/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of a cell and what is written around it. */
#include "app/report/draw-cell-private.h"

#include <math.h>
#include <string.h>

/* Writes on from *x in reading direction and moves it. */
static void
write_on (const DgCellFrame *f, const gchar *text, DgTextLook *look, gdouble *x, gdouble y)
{
    gdouble room = f->width - *x - f->form->pad_left + 2;
    if (room < look->px)
        return;
    look->max_width = room;
    gdouble at = f->style->right_to_left ? f->width - *x : *x;
    *x += dg__text_draw (f->cr, f->style, text, look, at, y,
                         f->style->right_to_left ? DG_ALIGN_RIGHT : DG_ALIGN_LEFT);
}

static void
write_sign (const DgCellFrame *f, DgSign sign, gdouble size, gdouble *x, gdouble middle_y)
{
    gdouble at = f->style->right_to_left ? f->width - *x - size : *x;
    dg_sign_draw (f->cr, sign, f->style, at, middle_y - size / 2, size);
    *x += size;
}

static gdouble
room_from (const DgCellFrame *f, gdouble x)
{
    return f->width - x - f->form->pad_left + 2;
}

static gdouble
whole_width (const DgCellFrame *f, const gchar *text, const DgTextLook *look)
{
    DgTextLook whole = *look;
    whole.max_width = 0;
    return dg__text_width (f->style, text, &whole);
}

/* As much smaller as the room up to `reserved` before its end asks for, but no smaller than
 * `least`. */
static void
fit (const DgCellFrame *f, const gchar *text, DgTextLook *look, gdouble x, gdouble reserved,
     gdouble least)
{
    gdouble room = room_from (f, x) - reserved, wide = whole_width (f, text, look);
    if (wide > room)
        look->px *= CLAMP (room / wide * 0.99, least, 1);
}

/* The one figure of the demo. */
static gboolean
is_large (const DgCellFrame *f)
{
    return f->cell->is_big || f->style->text_scale > 1;
}

/* It may have too little room for texts of its size. */
static gdouble
least_scale (const DgCellFrame *f)
{
    return is_large (f) ? DG_LARGE_SHRINK : DG_SHRINK;
}

static gboolean
has_value (const DgCell *cell)
{
    return cell->figure != NULL && strcmp (cell->figure, "—") != 0;
}

static void
draw_first_line (const DgCellFrame *f, gdouble baseline)
{
    const DgCell *cell = f->cell;
    gdouble x = f->form->pad_left + 1;
    if (cell->state == DG_DOC_FAILED && has_value (cell)) {
        DgTextLook reason = { .px = dg__draw_px (f->style, f->form->reason),
                              .weight = PANGO_WEIGHT_SEMIBOLD,
                              .color = DG_COLOR_ERROR };
        gdouble sign = round (reason.px * 0.9);
        baseline -= reason.px * 0.1;
        write_sign (f, DG_SIGN_ERROR, sign, &x, baseline - reason.px * 0.36);
        x += sign * 0.45;
        fit (f, cell->figure, &reason, x, 0, DG_NARROW_SHRINK);
        write_on (f, cell->figure, &reason, &x, baseline);
        return;
    }
    DgTextLook figure = { .px = dg__draw_px (f->style, f->form->figure),
                          .weight = PANGO_WEIGHT_BOLD,
                          .color = cell->is_doubtful ? DG_COLOR_FAINT : DG_COLOR_FG,
                          .is_tight = TRUE };
    if (!has_value (cell)) {
        figure.weight = PANGO_WEIGHT_NORMAL;
        figure.color = DG_COLOR_FAINT;
    }
    DgTextLook beside = { .px = dg__draw_px (f->style, f->form->beside),
                          .weight = PANGO_WEIGHT_NORMAL,
                          .color = DG_COLOR_DIM };
    DgTextLook unit = beside;
    if (cell->beside_is_warning || cell->state == DG_DOC_RUNNING) {
        beside.weight = PANGO_WEIGHT_SEMIBOLD;
        beside.color = cell->beside_is_warning ? DG_COLOR_WARN : dg_palette_ink (cell->direction);
    }
    /* Without its unit a figure says nothing; the large one and the one of a narrow cell leave room
     * for their spread. */
    gdouble unit_gap = f->form->beside_gap * 0.75;
    gboolean has_spread = cell->beside != NULL
                          && (cell->is_narrow ? strstr (cell->beside, "±") != NULL : is_large (f));
    if (cell->unit != NULL)
        fit (f, cell->figure, &figure, x, unit_gap + dg__text_width (f->style, cell->unit, &unit),
             DG_NARROW_SHRINK);
    else if (cell->figure != NULL)
        fit (f, cell->figure, &figure, x,
             has_spread
                 ? f->form->beside_gap + whole_width (f, cell->beside, &beside) * DG_NARROW_SHRINK
                 : 0,
             least_scale (f));
    write_on (f, cell->figure != NULL ? cell->figure : "—", &figure, &x, baseline);
    if (cell->unit != NULL) {
        x += unit_gap;
        write_on (f, cell->unit, &unit, &x, baseline);
    }
    if (cell->beside == NULL || *cell->beside == '\0')
        return;
    x += f->form->beside_gap;
    if (cell->is_above_link) {
        gdouble sign = round (beside.px * 1.15);
        write_sign (f, DG_SIGN_WARNING, sign, &x, baseline - beside.px * 0.36);
        x += sign * 0.4;
        /* The sign alone says more than half a word; the finding has the sentence. */
        if (dg__text_width (f->style, cell->beside, &beside) > room_from (f, x))
            return;
    }
    /* A long reason may use the place below it, where nothing else stands then. */
    gboolean may_wrap = cell->below == NULL && !has_value (cell);
    beside.max_lines = may_wrap ? 2 : 1;
    beside.max_width = room_from (f, x);
    if (may_wrap && beside.max_width > beside.px
        && dg__text_height (f->style, cell->beside, &beside) > beside.px * 1.9)
        baseline -= beside.px * 0.35;
    if (!may_wrap)
        fit (f, cell->beside, &beside, x, 0, DG_NARROW_SHRINK);
    /* Half a number would be a wrong one; the table of runs has it. */
    if (strstr (cell->beside, "±") && whole_width (f, cell->beside, &beside) > beside.max_width)
        return;
    write_on (f, cell->beside, &beside, &x, baseline);
}

/* Two lines when the cell is narrow: IOPS, then the latencies. Where one line is too long the
 * median loses its name: it stands before p99. */
static void
draw_below (const DgCellFrame *f, gdouble last_baseline)
{
    const gchar *below = f->cell->below;
    if (below == NULL || *below == '\0')
        return;
    DgTextLook look = { .px = dg__draw_px (f->style, f->form->below),
                        .weight = PANGO_WEIGHT_NORMAL,
                        .color = DG_COLOR_DIM,
                        .marks_figures = f->cell->is_card };
    gdouble x = f->form->pad_left + 1;
    const gchar *split = f->cell->is_narrow ? strstr (below, " · ") : NULL;
    if (split != NULL) {
        g_autofree gchar *first = g_strndup (below, (gsize) (split - below));
        write_on (f, first, &look, &x, last_baseline - look.px * f->form->below_line);
        x = f->form->pad_left + 1;
        const gchar *second = split + strlen (" · ");
        look.max_width = 0; /* the whole text is meant */
        if (g_str_has_prefix (second, "p50 ")
            && dg__text_width (f->style, second, &look) > room_from (f, x))
            second += strlen ("p50 ");
        fit (f, second, &look, x, 0, MIN (DG_NARROW_SHRINK * 0.95, least_scale (f)));
        write_on (f, second, &look, &x, last_baseline);
        return;
    }
    if (f->cell->is_narrow) { /* what was measured below a failure has no two halves */
        look.max_lines = 2;
        write_on (f, below, &look, &x, last_baseline - look.px * f->form->below_line);
        return;
    }
    g_autofree gchar *shorter = NULL;
    const gchar *p50 = strstr (below, " · p50 ");
    if (p50 != NULL && dg__text_width (f->style, below, &look) > room_from (f, x)) {
        const gchar *value = p50 + strlen (" · p50 ");
        shorter = g_strdup_printf ("%.*s · %s", (int) (p50 - below), below, value);
        below = shorter;
    }
    fit (f, below, &look, x, 0,
         f->cell->state == DG_DOC_FAILED ? DG_NARROW_SHRINK : least_scale (f));
    write_on (f, below, &look, &x, last_baseline);
}

void
dg__cell_draw_text (const DgCellFrame *f)
{
    const DgCellForm *form = f->form;
    gdouble figure_line = dg__draw_px (f->style, form->figure) * form->figure_line;
    gdouble below_line = dg__draw_px (f->style, form->below) * form->below_line;
    draw_first_line (f, round (form->pad_top + figure_line * 0.82));
    draw_below (f, round (f->height - form->pad_bottom - below_line * 0.2));
}
