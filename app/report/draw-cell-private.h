/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by draw-cell*.c only. */
#pragma once

#include "app/report/draw-private.h"

G_BEGIN_DECLS

/* How much smaller the latencies may get where large text meets a narrow window. */
#define DG_NARROW_SHRINK 0.72
/* The same for the usual cell, which is made wide enough, and for the large one of the demo. */
#define DG_SHRINK       0.9
#define DG_LARGE_SHRINK 0.5

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
} DgCellForm;

typedef struct {
    cairo_t *cr;
    const DgCell *cell;
    const DgDrawStyle *style;
    const DgCellForm *form;
    gdouble width, height;
} DgCellFrame;

/* draw-cell-text.c */
void dg__cell_draw_text (const DgCellFrame *f);

G_END_DECLS
