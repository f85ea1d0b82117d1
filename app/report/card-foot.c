/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings and conditions of the card. */
#include "app/report/card-private.h"

#include <math.h>

#define COLUMNS     4
#define LEAST_GAP   24.0
#define LABEL_GAP   7.0
#define LINE_HEIGHT 23.0

void
dg__card_draw_findings (cairo_t *cr, const DgCard *card)
{
    gdouble y = card->findings_y;
    for (guint i = 0; i < card->findings->len; i++) {
        const DgCardFinding *finding = &g_array_index (card->findings, DgCardFinding, i);
        DgTextLook look = dg__card_finding_look;
        look.max_width = card->width - 2 * DG__CARD_MARGIN - 31;
        look.bold_bytes = finding->bold_bytes;
        dg_sign_draw (cr, finding->sign, &card->style, DG__CARD_MARGIN, y + 1, 20);
        dg__text_draw (cr, &card->style, finding->text, &look, DG__CARD_MARGIN + 31, y + 17,
                       DG_ALIGN_LEFT);
        y += finding->height + 6;
    }
}

static const DgTextLook label_look = { .px = 15,
                                       .weight = PANGO_WEIGHT_NORMAL,
                                       .color = DG_COLOR_DIM };
static const DgTextLook value_look = { .px = 15,
                                       .weight = PANGO_WEIGHT_NORMAL,
                                       .color = DG_COLOR_FG };

static gdouble
natural_width (const DgCard *card, const DgCardCondition *condition)
{
    return dg__text_width (&card->style, condition->label, &label_look) + LABEL_GAP
           + dg__text_width (&card->style, condition->value, &value_look) + 1;
}

/* Columns as wide as their texts; when that is too much the widest give way. */
static void
column_widths (const DgCard *card, gdouble room, gdouble widths[COLUMNS])
{
    gdouble sum = 0;
    for (guint c = 0; c < COLUMNS; c++)
        widths[c] = 0;
    for (guint i = 0; i < card->conditions->len; i++)
        widths[i % COLUMNS] =
            MAX (widths[i % COLUMNS],
                 natural_width (card, &g_array_index (card->conditions, DgCardCondition, i)));
    for (guint c = 0; c < COLUMNS; c++)
        sum += widths[c];
    for (guint turn = 0; turn < 200 && sum > room; turn++) {
        guint widest = 0;
        for (guint c = 1; c < COLUMNS; c++)
            if (widths[c] > widths[widest])
                widest = c;
        gdouble less = MIN (8, sum - room);
        widths[widest] -= less;
        sum -= less;
    }
}

void
dg__card_draw_conditions (cairo_t *cr, const DgCard *card)
{
    gdouble widths[COLUMNS], sum = 0, x = DG__CARD_MARGIN;
    gdouble room = card->width - 2 * DG__CARD_MARGIN;
    guint n = card->conditions->len, columns = MIN (n, COLUMNS);
    if (n == 0)
        return;
    cairo_rectangle (cr, DG__CARD_MARGIN, card->conditions_y, room, 1);
    dg_palette_set_source (cr, card->style.look, DG_COLOR_LINE);
    cairo_fill (cr);
    column_widths (card, room - (COLUMNS - 1) * LEAST_GAP, widths);
    for (guint c = 0; c < columns; c++)
        sum += widths[c];
    gdouble gap = columns > 1 ? (room - sum) / (columns - 1) : 0;
    if (columns < COLUMNS)
        gap = MIN (gap, 60);
    for (guint c = 0; c < columns; c++) {
        for (guint i = c; i < n; i += COLUMNS) {
            const DgCardCondition *condition =
                &g_array_index (card->conditions, DgCardCondition, i);
            gdouble baseline = card->conditions_y + 13 + 14.5 + LINE_HEIGHT * (i / COLUMNS);
            DgTextLook look = value_look;
            gdouble at = x
                         + dg__text_draw (cr, &card->style, condition->label, &label_look, x,
                                          baseline, DG_ALIGN_LEFT)
                         + LABEL_GAP;
            look.max_width = MAX (widths[c] - (at - x), 10);
            dg__text_draw (cr, &card->style, condition->value, &look, at, baseline, DG_ALIGN_LEFT);
        }
        x += widths[c] + gap;
    }
}
