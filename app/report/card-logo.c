/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application's icon, drawn: the measures are those of data/icons on its grid of 128. */
#include "app/report/card-private.h"

#include <math.h>

static void
fill (cairo_t *cr, guint32 rgb)
{
    cairo_set_source_rgb (cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
                          (rgb & 0xff) / 255.0);
    cairo_fill (cr);
}

static void
box (cairo_t *cr, gdouble x, gdouble y, gdouble width, gdouble height, gdouble radius, guint32 rgb)
{
    dg__rounded_rectangle (cr, x, y, width, height, radius);
    fill (cr, rgb);
}

/* Angles in degrees clockwise from the right. */
static void
arc (cairo_t *cr, gdouble from, gdouble to, guint32 rgb)
{
    cairo_new_path (cr);
    cairo_arc (cr, 64, 60.5, 34.5, from * G_PI / 180, to * G_PI / 180);
    cairo_set_line_width (cr, 12);
    cairo_set_source_rgb (cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
                          (rgb & 0xff) / 255.0);
    cairo_stroke (cr);
}

void
dg__logo_draw (cairo_t *cr, gdouble x, gdouble y, gdouble size)
{
    cairo_save (cr);
    cairo_translate (cr, x, y);
    cairo_scale (cr, size / 128, size / 128);
    cairo_new_path (cr);
    box (cr, 14, 18, 100, 100, 13, 0x3d3846);
    box (cr, 14, 10, 100, 102, 13, 0x5e5c64);
    box (cr, 18, 14, 92, 94, 9, 0xffffff);
    /* The lower part has square upper corners. */
    cairo_move_to (cr, 18, 88);
    cairo_line_to (cr, 110, 88);
    cairo_line_to (cr, 110, 99);
    cairo_arc (cr, 101, 99, 9, 0, G_PI_2);
    cairo_arc (cr, 27, 99, 9, G_PI_2, G_PI);
    cairo_close_path (cr);
    fill (cr, 0x77767b);
    arc (cr, 150, 30, 0xdeddda);
    arc (cr, 150, -32.4, 0x3584e4);
    cairo_rectangle (cr, 90.5, 58.5, 16, 4);
    fill (cr, 0x3d3846);
    cairo_move_to (cr, 67.5, 66.1);
    cairo_line_to (cr, 91.9, 42.8);
    cairo_line_to (cr, 60.5, 54.9);
    cairo_close_path (cr);
    fill (cr, 0xe66100);
    cairo_arc (cr, 64, 60.5, 8.5, 0, 2 * G_PI);
    fill (cr, 0x3d3846);
    cairo_arc (cr, 64, 60.5, 3, 0, 2 * G_PI);
    fill (cr, 0xffffff);
    box (cr, 27, 95.5, 30, 5, 2.5, 0x5e5c64);
    cairo_arc (cr, 98, 98, 4, 0, 2 * G_PI);
    fill (cr, 0x57e389);
    cairo_restore (cr);
}
