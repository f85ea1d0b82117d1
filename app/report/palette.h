/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of colours, for the window and for pictures. */
#pragma once

#include "engine/plan.h"

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    DG_LOOK_LIGHT,
    DG_LOOK_DARK,
    DG_LOOK_CONTRAST_LIGHT,
    DG_LOOK_CONTRAST_DARK
} DgLook;

typedef enum {
    DG_COLOR_WINDOW,
    DG_COLOR_HEADER,
    DG_COLOR_CARD,
    DG_COLOR_FG,
    DG_COLOR_DIM,
    DG_COLOR_FAINT,
    DG_COLOR_LINE,
    DG_COLOR_LINE2,
    DG_COLOR_GRID,
    DG_COLOR_TROUGH,
    DG_COLOR_READ,
    DG_COLOR_READ_FILL,
    DG_COLOR_READ_INK,
    DG_COLOR_WRITE,
    DG_COLOR_WRITE_FILL,
    DG_COLOR_WRITE_INK,
    DG_COLOR_MIX,
    DG_COLOR_MIX_FILL,
    DG_COLOR_MIX_INK,
    DG_COLOR_TEMP,
    DG_COLOR_ACCENT,
    DG_COLOR_OK,
    DG_COLOR_INFO,
    DG_COLOR_WARN,
    DG_COLOR_ERROR,
    DG_COLOR_WARN_FILL,
    DG_COLOR_ERROR_FILL,
    DG_N_COLORS
} DgColor;

typedef struct {
    gdouble red, green, blue;
} DgRgb;

DgRgb dg_palette_get (DgLook look, DgColor color);
gboolean dg_palette_has_fill (DgLook look); /* high contrast leaves the fills out */
void dg_palette_set_source (cairo_t *cr, DgLook look, DgColor color);
DgColor dg_palette_line (DgDirection direction);
DgColor dg_palette_fill (DgDirection direction);
DgColor dg_palette_ink (DgDirection direction);

/* "@define-color dg_window #fafafb; ..." for the style sheet. (transfer full) */
gchar *dg_palette_to_css (DgLook look);

G_END_DECLS
