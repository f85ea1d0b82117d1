/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's own symbolic icons, drawn in the text's colour. An SVG file for each would make
 * every start load librsvg and what that hangs on, a tenth of the time until the window is seen.
 * Not in the accessible tree. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    DG_GLYPH_COPY,
    DG_GLYPH_DOWN,
    DG_GLYPH_DRIVE,
    DG_GLYPH_DRIVE_USB,
    DG_GLYPH_MENU,
    DG_GLYPH_REMOVE,
    DG_GLYPH_SAVE,
    DG_GLYPH_STOP,
    DG_N_GLYPHS
} DgGlyph;

GtkWidget *dg_glyph_new (DgGlyph glyph);

G_END_DECLS
