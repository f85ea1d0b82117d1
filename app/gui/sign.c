/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/sign.h"

#include "app/gui/style.h"

#define SIGN_SIZE     16
#define SWATCH_WIDTH  14
#define SWATCH_HEIGHT 10

static void
draw_sign (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
    DgDrawStyle style;
    gdouble size = MIN (width, height);
    dg_style_for (GTK_WIDGET (area), DG_UNIT_MB, &style);
    dg_sign_draw (cr, (DgSign) GPOINTER_TO_INT (data), &style, (width - size) / 2,
                  (height - size) / 2, size);
    dg_style_clear (&style);
}

GtkWidget *
dg_sign_new (DgSign sign)
{
    GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SIGN_SIZE);
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), SIGN_SIZE);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_sign,
                                    GINT_TO_POINTER ((gint) sign), NULL);
    return area;
}

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
    DgDirection direction = (DgDirection) GPOINTER_TO_INT (data);
    DgLook look = dg_style_get_look ();
    cairo_rectangle (cr, 0, 0, width, height);
    cairo_clip (cr);
    dg_palette_set_source (cr, look, dg_palette_line (direction));
    cairo_paint (cr);
    dg_palette_set_source (cr, look, DG_COLOR_CARD);
    if (direction == DG_DIRECTION_WRITE) {
        cairo_set_line_width (cr, 1.3);
        for (int x = -height; x < width + height; x += 4) {
            cairo_move_to (cr, x, height);
            cairo_line_to (cr, x + height, 0);
        }
        cairo_stroke (cr);
    } else if (direction == DG_DIRECTION_MIX) {
        cairo_rectangle (cr, 0, height / 2.0 - 1, width, 2);
        cairo_fill (cr);
    }
}

GtkWidget *
dg_swatch_new (DgDirection direction)
{
    GtkWidget *area =
        g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                      "valign", GTK_ALIGN_CENTER, NULL);
    gtk_widget_add_css_class (area, "dg-swatch");
    gtk_widget_set_overflow (area, GTK_OVERFLOW_HIDDEN);
    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SWATCH_WIDTH);
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), SWATCH_HEIGHT);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_swatch,
                                    GINT_TO_POINTER ((gint) direction), NULL);
    return area;
}
