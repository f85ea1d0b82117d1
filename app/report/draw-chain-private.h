/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by draw-chain*.c only. */
#pragma once

#include "app/report/draw-private.h"

G_BEGIN_DECLS

typedef struct {
    cairo_t *cr;
    const DgDocLink *link;
    const DgDrawStyle *style;
    gdouble width, height;
    gdouble label_px, radius, unit; /* unit: how much larger than the window's usual size */
    gboolean is_narrow, could_be_faster;
} DgChainFrame;

static inline gboolean
dg__chain_knows (guint64 value)
{
    return value != DG_DOC_UNKNOWN && value != 0;
}

static inline gdouble
dg__chain_mirrored (const DgChainFrame *f, gdouble x)
{
    return f->style->right_to_left ? f->width - x : x;
}

/* draw-chain.c */
guint dg__chain_n_stations (const DgDocLink *link);
const DgDocNode *dg__chain_station (const DgDocLink *link, guint index);
const gchar *dg__chain_kind_word (const gchar *kind);

/* draw-chain-path.c: does `index` carry the mark of the narrowest segment? */
gboolean dg__chain_is_narrowest (const DgDocLink *link, guint index);
void dg__chain_draw_path (const DgChainFrame *f, gdouble from, gdouble to, gdouble top);

G_END_DECLS
