/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application's icon, drawn: the measures are those of data/icons on its grid of 128. */
#include "app/report/card-private.h"

#include <math.h>

static void
set_color (cairo_t *cr, guint32 rgb)
{
    cairo_set_source_rgb (cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
                          (rgb & 0xff) / 255.0);
}

static void
fill (cairo_t *cr, guint32 rgb)
{
    set_color (cr, rgb);
    cairo_fill (cr);
}

static void
stroke (cairo_t *cr, guint32 rgb)
{
    set_color (cr, rgb);
    cairo_stroke (cr);
}

static void
box (cairo_t *cr, gdouble x, gdouble y, gdouble width, gdouble height, gdouble radius, guint32 rgb)
{
    cairo_new_path (cr);
    dg__rounded_rectangle (cr, x, y, width, height, radius);
    fill (cr, rgb);
}

/* Around the middle; angles in degrees clockwise from the right. */
static void
arc (cairo_t *cr, gdouble from, gdouble to, guint32 rgb)
{
    cairo_new_path (cr);
    cairo_arc (cr, 64, 64, 34, from * G_PI / 180, to * G_PI / 180);
    cairo_set_line_width (cr, 12);
    stroke (cr, rgb);
}

static void
line (cairo_t *cr, gdouble x1, gdouble y1, gdouble x2, gdouble y2, gdouble width, guint32 rgb)
{
    cairo_new_path (cr);
    cairo_move_to (cr, x1, y1);
    cairo_line_to (cr, x2, y2);
    cairo_set_line_width (cr, width);
    stroke (cr, rgb);
}

static void
dot (cairo_t *cr, gdouble radius, guint32 rgb)
{
    cairo_new_path (cr);
    cairo_arc (cr, 64, 64, radius, 0, 2 * G_PI);
    fill (cr, rgb);
}

void
dg__logo_draw (cairo_t *cr, gdouble x, gdouble y, gdouble size)
{
    cairo_save (cr);
    cairo_translate (cr, x, y);
    cairo_scale (cr, size / 128, size / 128);
    box (cr, 48, 104, 32, 16, 2, 0x9a9996);
    box (cr, 52.5, 114.5, 23, 3, 1.5, 0x5e5c64);
    box (cr, 8, 8, 112, 104, 18, 0x3d3846);
    box (cr, 8, 8, 112, 100, 18, 0x5e5c64);
    box (cr, 16, 16, 96, 88, 11, 0xf6f5f4);
    arc (cr, 150, 30, 0xc0bfbc);
    arc (cr, 150, -60, 0x3584e4);
    line (cr, 88.76, 60.52, 105.59, 58.15, 5, 0x241f31);
    cairo_new_path (cr);
    cairo_move_to (cr, 69.2, 67);
    cairo_line_to (cr, 81.5, 33.69);
    cairo_line_to (cr, 58.8, 61);
    cairo_close_path (cr);
    fill (cr, 0xff7800);
    dot (cr, 8, 0x241f31);
    dot (cr, 2.8, 0xf6f5f4);
    box (cr, 48, 88, 32, 6, 3, 0xc0bfbc);
    cairo_restore (cr);
}
