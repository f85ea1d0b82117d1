/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signs of findings: octagon, triangle, circle and tick, so that the shape tells them apart as well
 * as the colour. On a grid of 16 x 16. */
#include "app/report/draw-private.h"

DgSign
dg_sign_of (DgSeverity severity)
{
    switch (severity) {
    case DG_SEVERITY_INVALID:
        return DG_SIGN_ERROR;
    case DG_SEVERITY_WARNING:
        return DG_SIGN_WARNING;
    case DG_SEVERITY_INFO:
        break;
    }
    return DG_SIGN_INFO;
}

static void
octagon (cairo_t *cr)
{
    static const gdouble points[][2] = { { 5, 1 },   { 11, 1 }, { 15, 5 }, { 15, 11 },
                                         { 11, 15 }, { 5, 15 }, { 1, 11 }, { 1, 5 } };
    for (guint i = 0; i < G_N_ELEMENTS (points); i++)
        cairo_line_to (cr, points[i][0], points[i][1]);
    cairo_close_path (cr);
}

static void
triangle (cairo_t *cr)
{
    cairo_move_to (cr, 8, 1.2);
    cairo_line_to (cr, 15.4, 14.5);
    cairo_line_to (cr, 0.6, 14.5);
    cairo_close_path (cr);
}

static void
circle (cairo_t *cr, gdouble x, gdouble y, gdouble radius)
{
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
}

/* A stroke of 1.8 from top to bottom with a dot. The even-odd rule cuts it out of the shape, so
 * that the ground shows through. */
static void
mark (cairo_t *cr, gdouble top, gdouble bottom, gdouble dot)
{
    cairo_rectangle (cr, 7.1, top, 1.8, bottom - top);
    circle (cr, 8, dot, 1.1);
}

static void
tick (cairo_t *cr)
{
    static const gdouble points[][2] = { { 11.3, 5 },  { 12.5, 6.2 }, { 7, 11.7 },
                                         { 3.6, 8.3 }, { 4.8, 7.1 },  { 7, 9.3 } };
    cairo_new_sub_path (cr);
    for (guint i = 0; i < G_N_ELEMENTS (points); i++)
        cairo_line_to (cr, points[i][0], points[i][1]);
    cairo_close_path (cr);
}

void
dg_sign_draw (cairo_t *cr, DgSign sign, const DgDrawStyle *style, gdouble x, gdouble y,
              gdouble size)
{
    static const DgColor colors[] = { [DG_SIGN_ERROR] = DG_COLOR_ERROR,
                                      [DG_SIGN_WARNING] = DG_COLOR_WARN,
                                      [DG_SIGN_INFO] = DG_COLOR_INFO,
                                      [DG_SIGN_PROOF] = DG_COLOR_OK };
    cairo_save (cr);
    cairo_translate (cr, x, y);
    cairo_scale (cr, size / 16, size / 16);
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_new_path (cr);
    switch (sign) {
    case DG_SIGN_ERROR:
        octagon (cr);
        mark (cr, 4, 9, 11.3);
        break;
    case DG_SIGN_WARNING:
        triangle (cr);
        mark (cr, 6, 10.2, 12.3);
        break;
    case DG_SIGN_INFO:
        circle (cr, 8, 8, 7);
        mark (cr, 7, 12, 4.85);
        break;
    case DG_SIGN_PROOF:
        circle (cr, 8, 8, 7);
        tick (cr);
        break;
    }
    dg_palette_set_source (cr, style->look, colors[sign]);
    cairo_fill (cr);
    cairo_restore (cr);
}
