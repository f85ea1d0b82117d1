/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result picture: 1200 logical pixels wide, as high as it needs (804 for four rows with a link
 * chain). */
#pragma once

#include "app/core/document.h"
#include "app/report/palette.h"

#include <cairo.h>

G_BEGIN_DECLS

typedef struct {
    DgLook look; /* light or dark */
    guint scale; /* 1 to 4 */
    gint unit;   /* DgUnit; DG_UNIT_MB usual */
    gint width;  /* logical; 0 = 1200 */
} DgCardOptions;

void dg_card_measure (const DgDocView *view, const DgCardOptions *options, gint *ret_width,
                      gint *ret_height); /* logical */
void dg_card_draw (cairo_t *cr, const DgDocView *view, const DgCardOptions *options);
cairo_surface_t *
dg_card_render (const DgDocView *view,
                const DgCardOptions *options); /* (transfer full) ARGB32 image, device pixels */
gboolean dg_card_save_png (const DgDocView *view, const DgCardOptions *options, GFile *file,
                           GError **error);
gboolean dg_card_save_svg (const DgDocView *view, const DgCardOptions *options, GFile *file,
                           GError **error);

G_END_DECLS
