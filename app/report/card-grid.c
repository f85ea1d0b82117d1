/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/card-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LABEL_COLUMN 118.0
#define SPARK_HEIGHT 56.0

static gdouble
column_x (const DgCard *card, guint column)
{
    return DG__CARD_MARGIN + LABEL_COLUMN + 18 + column * card->column_step;
}

static gchar *
column_title (const DgCard *card, DgDirection direction)
{
    guint64 percent =
        direction == DG_DIRECTION_MIX ? dg__report_mix_percent (card->view) : DG_DOC_UNKNOWN;
    if (percent > 100)
        return g_strdup (dg__direction_title (direction));
    return g_strdup_printf ("%s %u / %u", dg__direction_title (direction), (guint) percent,
                            100 - (guint) percent);
}

static gchar *
column_unit (const DgCard *card)
{
    const gchar *unit = dg_unit_name (card->style.unit);
    gboolean is_best = card->view->statistic_best, is_short = card->n_directions > 2;
    if (is_short && card->view->runs != 1)
        return g_strdup_printf ("%s, %s", unit, is_best ? _ ("best run") : _ ("median run"));
    if (card->view->runs == 1)
        return g_strdup_printf ("%s, %s", unit, _ ("one run"));
    return g_strdup_printf ("%s, %s", unit,
                            is_best ? _ ("best of the runs") : _ ("median of the runs"));
}

static void
draw_head (cairo_t *cr, const DgCard *card, DgDirection direction, gdouble x)
{
    DgTextLook title_look = { .px = 19, .weight = PANGO_WEIGHT_SEMIBOLD, .color = DG_COLOR_FG };
    DgTextLook small_look = { .px = 16, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_DIM };
    gdouble middle = card->head_y + 14, baseline = middle + 6.5;
    g_autofree gchar *title = column_title (card, direction), *unit = column_unit (card);
    dg__swatch (cr, &card->style, direction, x + 14, round (middle - 6.5), 20, 13);
    gdouble at = x + 14 + 20 + 9;
    at += dg__text_draw (cr, &card->style, title, &title_look, at, baseline, DG_ALIGN_LEFT) + 9;
    small_look.max_width = x + card->cell_width - at;
    dg__text_draw (cr, &card->style, unit, &small_look, at, baseline, DG_ALIGN_LEFT);
    if (card->spark_width > 0) {
        small_look.max_width = 0;
        dg__text_draw (cr, &card->style,
                       _ ("over time"), &small_look, x + card->cell_width + 12, baseline,
                          DG_ALIGN_LEFT);
    }
}

static void
draw_label (cairo_t *cr, const DgCard *card, const DgCardRow *row, gdouble middle)
{
    DgTextLook first_look = { .px = 20,
                              .weight = PANGO_WEIGHT_SEMIBOLD,
                              .color = DG_COLOR_FG,
                              .max_width = LABEL_COLUMN + 10 };
    DgTextLook second_look = { .px = 16,
                               .weight = PANGO_WEIGHT_NORMAL,
                               .color = DG_COLOR_DIM,
                               .max_width = LABEL_COLUMN + 10 };
    const gchar *space = strchr (row->name, ' ');
    g_autofree gchar *first =
        space != NULL ? g_strndup (row->name, (gsize) (space - row->name)) : g_strdup (row->name);
    dg__text_draw (cr, &card->style, first, &first_look, DG__CARD_MARGIN,
                   space != NULL ? middle - 4 : middle + 7, DG_ALIGN_LEFT);
    if (space != NULL)
        dg__text_draw (cr, &card->style, space + 1, &second_look, DG__CARD_MARGIN, middle + 17,
                       DG_ALIGN_LEFT);
}

static void
draw_cell (cairo_t *cr, const DgCard *card, const DgCardRow *row, DgDirection direction, gdouble x,
           gdouble y)
{
    gint test = row->tests[direction];
    DgCell cell;
    dg_cell_from_test (&cell, card->view, test, direction, &row->row, &card->style);
    cell.is_card = TRUE;
    cell.is_big = card->is_demo;
    cairo_save (cr);
    cairo_translate (cr, x, y);
    dg_cell_draw (cr, &cell, &card->style, card->cell_width, card->cell_height);
    cairo_restore (cr);
    dg_cell_clear (&cell);
    if (card->spark_width > 0 && test >= 0)
        dg__spark_draw (cr, &card->view->tests[test], &card->style, x + card->cell_width + 12,
                        y + (card->cell_height - SPARK_HEIGHT) / 2, card->spark_width,
                        SPARK_HEIGHT);
}

void
dg__card_draw_grid (cairo_t *cr, const DgCard *card)
{
    guint column = 0;
    for (guint d = 0; d < 3; d++)
        if (card->directions[d])
            draw_head (cr, card, (DgDirection) d, column_x (card, column++));
    for (guint i = 0; i < card->rows->len; i++) {
        const DgCardRow *row = &g_array_index (card->rows, DgCardRow, i);
        gdouble y = card->grid_y + i * (card->cell_height + 9);
        draw_label (cr, card, row, y + card->cell_height / 2);
        column = 0;
        for (guint d = 0; d < 3; d++)
            if (card->directions[d])
                draw_cell (cr, card, row, (DgDirection) d, column_x (card, column++), y);
    }
}
