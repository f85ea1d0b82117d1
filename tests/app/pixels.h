/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at pictures by their pixels. */
#pragma once

#include "app/report/drawing.h"
#include "tests/app/report-sample.h"

#include <math.h>

static inline DgDocument *
load (const gchar *name)
{
    g_autoptr (GError) error = NULL;
    json_t *root = report_sample_new (name);
    DgDocument *document = dg_document_new_from_json (root, &error);
    json_decref (root);
    g_assert_no_error (error);
    return document;
}

static inline guint32
pixel (cairo_surface_t *surface, gint x, gint y)
{
    g_assert_cmpint (x, >=, 0);
    g_assert_cmpint (x, <, cairo_image_surface_get_width (surface));
    g_assert_cmpint (y, >=, 0);
    g_assert_cmpint (y, <, cairo_image_surface_get_height (surface));
    const guchar *row = cairo_image_surface_get_data (surface)
                        + (gsize) y * (gsize) cairo_image_surface_get_stride (surface);
    return ((const guint32 *) (const void *) row)[x] & 0xffffff;
}

static inline guint32
color (DgLook look, DgColor c)
{
    DgRgb rgb = dg_palette_get (look, c);
    return (guint32) lround (rgb.red * 255) << 16 | (guint32) lround (rgb.green * 255) << 8
           | (guint32) lround (rgb.blue * 255);
}

static inline guint
count_color (cairo_surface_t *surface, guint32 wanted)
{
    guint n = 0;
    for (gint y = 0; y < cairo_image_surface_get_height (surface); y++) {
        const guchar *row = cairo_image_surface_get_data (surface)
                            + (gsize) y * (gsize) cairo_image_surface_get_stride (surface);
        for (gint x = 0; x < cairo_image_surface_get_width (surface); x++)
            n += (((const guint32 *) (const void *) row)[x] & 0xffffff) == wanted ? 1 : 0;
    }
    return n;
}
