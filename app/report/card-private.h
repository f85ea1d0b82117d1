/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The card is laid out once from top to bottom; measuring and drawing use the same layout. */
#pragma once

#include "app/report/card.h"
#include "app/report/draw-private.h"
#include "app/report/report-private.h"

G_BEGIN_DECLS

#define DG__CARD_MARGIN 36.0

typedef struct {
    gchar *name; /* (owned) as the tests are called */
    DgProfileRow row;
    gboolean has_unit;
    gint tests[3]; /* by direction, -1 = none */
} DgCardRow;

typedef struct {
    DgSign sign;
    gchar *text; /* (owned) */
    guint bold_bytes;
    gdouble height;
} DgCardFinding;

typedef struct {
    const gchar *label; /* translated, static */
    gchar *value;       /* (owned) */
} DgCardCondition;

typedef struct {
    const DgDocView *view;
    DgDrawStyle style;
    gdouble width, height;
    gchar *title, *size, *subtitle; /* (owned) (nullable) */
    gboolean has_chain, is_demo;
    GArray *rows;       /* DgCardRow */
    GArray *findings;   /* DgCardFinding */
    GArray *conditions; /* DgCardCondition */
    gboolean directions[3];
    guint n_directions;
    gdouble cell_width, spark_width, column_step; /* spark_width 0: none */
    gdouble cell_height;
    gdouble subtitle_y, subtitle_height, chain_y, head_y, grid_y, findings_y, conditions_y;
} DgCard;

void dg__card_init (DgCard *card, const DgDocView *view, const DgCardOptions *options);
void dg__card_done (DgCard *card);

/* card-facts.c: what stands on it */
void dg__card_add_rows (DgCard *card);
void dg__card_add_findings (DgCard *card, gdouble text_width);
void dg__card_add_conditions (DgCard *card);

/* card-grid.c, card-foot.c, card-logo.c */
void dg__card_draw_grid (cairo_t *cr, const DgCard *card);
void dg__card_draw_findings (cairo_t *cr, const DgCard *card);
void dg__card_draw_conditions (cairo_t *cr, const DgCard *card);
void dg__logo_draw (cairo_t *cr, gdouble x, gdouble y, gdouble size);

/* A test's runs side by side on a scale of their own from zero. */
void dg__spark_draw (cairo_t *cr, const DgDocTest *test, const DgDrawStyle *style, gdouble x,
                     gdouble y, gdouble width, gdouble height);

extern const DgTextLook dg__card_finding_look; /* max_width to be set */

G_END_DECLS
