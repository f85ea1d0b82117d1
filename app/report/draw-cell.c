/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-private.h"

#include <math.h>
#include <string.h>

/* How much smaller the latencies may get where large text meets a narrow window. */
#define NARROW_SHRINK 0.72
/* The same for the usual cell, which is made wide enough, and for the large one of the demo. */
#define SHRINK       0.9
#define LARGE_SHRINK 0.5

/* What differs between the window's cell, its narrow form, the card's and the demo card's. Measures
 * in logical pixels, sizes in percent of the font. */
typedef struct {
    gdouble radius, strip, pad_left, pad_top, pad_bottom;
    gdouble figure, reason, beside, below; /* percent */
    gdouble figure_line, below_line;       /* line heights as a factor of the size */
    gdouble hatch_period, hatch_line;
    gdouble beside_gap;
    gdouble slack; /* added to the lines and paddings: line heights leave more room than the letters
                      need */
} CellForm;

static const CellForm window_form = { 8,  6,         12,          3, 10,  186, 121, 86,
                                      82, 30.0 / 26, 14.0 / 11.5, 7, 1.6, 8,   -3.3 };
static const CellForm narrow_form = { 8,  6,         9,         3, 11,  157, 114, 79,
                                      79, 27.0 / 22, 14.5 / 11, 7, 1.6, 6,   1.6 };
static const CellForm card_form = { 10, 9,         14,          4, 15,  231, 145, 100,
                                    97, 43.0 / 37, 18.0 / 15.5, 7, 1.6, 10,  2 };
static const CellForm big_form = { 14,  14,        22,        10, 26,  500, 230, 150,
                                   125, 90.0 / 80, 24.0 / 20, 9,  2.4, 16,  10 };

static const CellForm *
form_of (const DgCell *cell)
{
    if (cell->is_card)
        return cell->is_big ? &big_form : &card_form;
    return cell->is_narrow ? &narrow_form : &window_form;
}

typedef struct {
    cairo_t *cr;
    const DgCell *cell;
    const DgDrawStyle *style;
    const CellForm *form;
    gdouble width, height;
} Frame;

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
    const CellForm *form = form_of (&cell);
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
        *ret_min_width = ceil (text * (is_narrow ? NARROW_SHRINK : 1) + 2 * form->pad_left);
    }
}

/* Pixels from the starting edge of the inside. */
static gdouble
bar_length (const Frame *f, gdouble value)
{
    gdouble inner = f->width - 2;
    gdouble scale = f->cell->scale_max > 0 ? f->cell->scale_max : 1;
    return CLAMP (value / scale * inner, 2, inner);
}

/* From pixel a to pixel b of the bar, which grows from the right in right-to-left languages. */
static void
bar_rectangle (const Frame *f, gdouble a, gdouble b, gdouble y, gdouble height)
{
    gdouble x = f->style->right_to_left ? f->width - 1 - b : 1 + a;
    cairo_rectangle (f->cr, x, y, b - a, height);
}

static void
draw_strip (const Frame *f, gdouble length)
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
draw_excess (const Frame *f, gdouble from, gdouble to)
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
draw_whisker (const Frame *f)
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
draw_bar (const Frame *f)
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
draw_ceiling (const Frame *f)
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

/* ---- text ---- */

/* Writes on from *x in reading direction and moves it. */
static void
write_on (const Frame *f, const gchar *text, DgTextLook *look, gdouble *x, gdouble y)
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
write_sign (const Frame *f, DgSign sign, gdouble size, gdouble *x, gdouble middle_y)
{
    gdouble at = f->style->right_to_left ? f->width - *x - size : *x;
    dg_sign_draw (f->cr, sign, f->style, at, middle_y - size / 2, size);
    *x += size;
}

static gdouble
room_from (const Frame *f, gdouble x)
{
    return f->width - x - f->form->pad_left + 2;
}

static gdouble
whole_width (const Frame *f, const gchar *text, const DgTextLook *look)
{
    DgTextLook whole = *look;
    whole.max_width = 0;
    return dg__text_width (f->style, text, &whole);
}

/* As much smaller as the room up to `reserved` before its end asks for, but no smaller than
 * `least`. */
static void
fit (const Frame *f, const gchar *text, DgTextLook *look, gdouble x, gdouble reserved,
     gdouble least)
{
    gdouble room = room_from (f, x) - reserved, wide = whole_width (f, text, look);
    if (wide > room)
        look->px *= CLAMP (room / wide * 0.99, least, 1);
}

/* The one figure of the demo. */
static gboolean
is_large (const Frame *f)
{
    return f->cell->is_big || f->style->text_scale > 1;
}

/* It may have too little room for texts of its size. */
static gdouble
least_scale (const Frame *f)
{
    return is_large (f) ? LARGE_SHRINK : SHRINK;
}

static gboolean
has_value (const DgCell *cell)
{
    return cell->figure != NULL && strcmp (cell->figure, "—") != 0;
}

static void
draw_first_line (const Frame *f, gdouble baseline)
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
        fit (f, cell->figure, &reason, x, 0, NARROW_SHRINK);
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
    /* Without its unit a figure says nothing; the large one leaves room for its spread. */
    gdouble unit_gap = f->form->beside_gap * 0.75;
    gboolean has_spread = cell->beside != NULL && is_large (f) && !cell->is_narrow;
    if (cell->unit != NULL)
        fit (f, cell->figure, &figure, x, unit_gap + dg__text_width (f->style, cell->unit, &beside),
             NARROW_SHRINK);
    else if (cell->figure != NULL)
        fit (f, cell->figure, &figure, x,
             has_spread
                 ? f->form->beside_gap + whole_width (f, cell->beside, &beside) * NARROW_SHRINK
                 : 0,
             least_scale (f));
    write_on (f, cell->figure != NULL ? cell->figure : "—", &figure, &x, baseline);
    if (cell->unit != NULL) {
        x += unit_gap;
        write_on (f, cell->unit, &beside, &x, baseline);
    }
    if (cell->beside == NULL || *cell->beside == '\0')
        return;
    x += f->form->beside_gap;
    if (cell->beside_is_warning || cell->state == DG_DOC_RUNNING) {
        beside.weight = PANGO_WEIGHT_SEMIBOLD;
        beside.color = cell->beside_is_warning ? DG_COLOR_WARN : dg_palette_ink (cell->direction);
    }
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
        fit (f, cell->beside, &beside, x, 0, NARROW_SHRINK);
    /* Half a number would be a wrong one; the table of runs has it. */
    if (g_str_has_prefix (cell->beside, "±")
        && whole_width (f, cell->beside, &beside) > beside.max_width)
        return;
    write_on (f, cell->beside, &beside, &x, baseline);
}

/* Two lines when the cell is narrow: IOPS, then the latencies. Where one line is too long the
 * median loses its name: it stands before p99. */
static void
draw_below (const Frame *f, gdouble last_baseline)
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
        fit (f, second, &look, x, 0, MIN (NARROW_SHRINK * 0.95, least_scale (f)));
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
    fit (f, below, &look, x, 0, f->cell->state == DG_DOC_FAILED ? NARROW_SHRINK : least_scale (f));
    write_on (f, below, &look, &x, last_baseline);
}

static void
draw_text (const Frame *f)
{
    const CellForm *form = f->form;
    gdouble figure_line = dg__draw_px (f->style, form->figure) * form->figure_line;
    gdouble below_line = dg__draw_px (f->style, form->below) * form->below_line;
    draw_first_line (f, round (form->pad_top + figure_line * 0.82));
    draw_below (f, round (f->height - form->pad_bottom - below_line * 0.2));
}

static void
draw_border (const Frame *f)
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
    Frame f = { cr, cell, style, form_of (cell), width, height };
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
    draw_text (&f);
    draw_border (&f);
    if (cell->is_dimmed) {
        cairo_pop_group_to_source (cr);
        cairo_paint_with_alpha (cr, 0.5);
    }
    cairo_restore (cr);
}
