/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The look of the whole program: one style sheet, the colours of app/report/palette.h, and what the
 * drawing functions need to know. Main thread. */
#pragma once

#include "app/core/settings.h"
#include "app/report/drawing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Loads the style sheet for the display. */
void dg_style_init (GdkDisplay *display);

/* Dark and contrast as wished by setting and desktop; every drawing follows. */
void dg_style_set_look (gboolean dark, gboolean high_contrast);
DgLook dg_style_get_look (void);

/* For drawing in `widget`. `ret_style->font` is owned by the caller: dg_style_clear. */
void dg_style_for (GtkWidget *widget, DgUnit unit, DgDrawStyle *ret_style);
void dg_style_clear (DgDrawStyle *style);

/* The desktop's text against 11 pt at 96 dpi: 1.5 = half as large again. */
gdouble dg_style_text_scale (GtkWidget *widget);

G_END_DECLS
