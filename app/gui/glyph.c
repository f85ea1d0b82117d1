/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/glyph.h"

#define GLYPH_SIZE 16

/* In a square of 16; a box within a box is a hole in it. */
typedef struct {
    gdouble x, y, width, height, radius;
} Box;

typedef struct {
    Box boxes[4];
    gdouble points[2][26]; /* x, y, x, y ...; 0, 0 ends */
} Shape;

static const Shape shapes[DG_N_GLYPHS] = {
    [DG_GLYPH_COPY] = { { { 5.5, 4.6, 8.5, 10.4, 1.5 } },
                        { { 3.2, 1,   9.8,  1,   11,   2.2, 11, 3.6, 9.4, 3.6, 9.4,  2.6, 3.6,
                            2.6, 3.6, 10.4, 4.6, 10.4, 4.6, 12, 3.2, 12,  2,   10.8, 2,   2.2 } } },
    [DG_GLYPH_DOWN] = { { { 0 } }, { { 4, 6.2, 12, 6.2, 8, 10.6 } } },
    [DG_GLYPH_DRIVE] = { { { 2, 1, 12, 14, 1.5 },
                           { 3.6, 2.6, 8.8, 7.2, 0 },
                           { 3.6, 11.3, 8.8, 2.1, 0 },
                           { 10, 11.8, 1.5, 1.1, 0 } },
                         { { 0 } } },
    [DG_GLYPH_DRIVE_USB] = { { { 2.5, 4.2, 11, 11, 1.4 }, { 4.1, 5.8, 7.8, 7.8, 0 } },
                             { { 5, 4.2, 5, 0.8, 11, 0.8, 11, 4.2, 9.5, 4.2, 9.5, 2.3, 6.5, 2.3,
                                 6.5, 4.2 } } },
    [DG_GLYPH_MENU] = { { { 2, 3, 12, 1.8, 0 }, { 2, 7.1, 12, 1.8, 0 }, { 2, 11.2, 12, 1.8, 0 } },
                        { { 0 } } },
    [DG_GLYPH_REMOVE] = { { { 3, 7.2, 10, 1.7, 0 } }, { { 0 } } },
    [DG_GLYPH_SAVE] = { { { 0 } },
                        { { 7.2, 1, 8.8, 1, 8.8, 7, 10.8, 5, 12, 6.2, 8, 10.2, 4, 6.2, 5.2, 5, 7.2,
                            7 },
                          { 2,  10.5, 3.6, 10.5, 3.6,  13.4, 12.4, 13.4, 12.4, 10.5,
                            14, 10.5, 14,  14.4, 13.4, 15,   2.6,  15,   2,    14.4 } } },
    [DG_GLYPH_STOP] = { { { 4.5, 4.5, 7, 7, 0 } }, { { 0 } } },
};

static void
add_box (cairo_t *cr, const Box *box)
{
    gdouble left = box->x, top = box->y, r = box->radius;
    gdouble right = left + box->width, bottom = top + box->height;
    if (r <= 0) {
        cairo_rectangle (cr, left, top, box->width, box->height);
        return;
    }
    cairo_new_sub_path (cr);
    cairo_arc (cr, right - r, top + r, r, -G_PI / 2, 0);
    cairo_arc (cr, right - r, bottom - r, r, 0, G_PI / 2);
    cairo_arc (cr, left + r, bottom - r, r, G_PI / 2, G_PI);
    cairo_arc (cr, left + r, top + r, r, G_PI, G_PI * 3 / 2);
    cairo_close_path (cr);
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
    const Shape *shape = &shapes[GPOINTER_TO_UINT (data)];
    GdkRGBA color;
    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
    gdk_cairo_set_source_rgba (cr, &color);
    cairo_translate (cr, (width - GLYPH_SIZE) / 2.0, (height - GLYPH_SIZE) / 2.0);
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    for (guint i = 0; i < G_N_ELEMENTS (shape->boxes) && shape->boxes[i].width > 0; i++)
        add_box (cr, &shape->boxes[i]);
    for (guint i = 0; i < G_N_ELEMENTS (shape->points); i++) {
        const gdouble *p = shape->points[i];
        for (guint k = 0; k < G_N_ELEMENTS (shape->points[i]) && p[k] > 0; k += 2)
            if (k == 0)
                cairo_move_to (cr, p[k], p[k + 1]);
            else
                cairo_line_to (cr, p[k], p[k + 1]);
        cairo_close_path (cr);
    }
    cairo_fill (cr);
}

GtkWidget *
dg_glyph_new (DgGlyph glyph)
{
    GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), GLYPH_SIZE);
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), GLYPH_SIZE);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb, GUINT_TO_POINTER (glyph),
                                    NULL);
    return area;
}
