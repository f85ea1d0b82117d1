/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/card.h"

#include <cairo-svg.h>

#define MOST_SCALE 4u

cairo_surface_t *
dg_card_render (const DgDocView *view, const DgCardOptions *options)
{
    gint width, height;
    guint scale = CLAMP (options->scale, 1u, MOST_SCALE);
    dg_card_measure (view, options, &width, &height);
    cairo_surface_t *surface = cairo_image_surface_create (
        CAIRO_FORMAT_ARGB32, width * (gint) scale, height * (gint) scale);
    cairo_surface_set_device_scale (surface, scale, scale);
    cairo_t *cr = cairo_create (surface);
    dg_card_draw (cr, view, options);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    return surface;
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
    g_byte_array_append (closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

/* Beside the old file and renamed, readable by its owner only. */
static gboolean
save (GByteArray *bytes, cairo_status_t status, GFile *file, GError **error)
{
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, cairo_status_to_string (status));
        return FALSE;
    }
    return g_file_replace_contents (file, (const gchar *) bytes->data, bytes->len, NULL, FALSE,
                                    G_FILE_CREATE_PRIVATE, NULL, NULL, error);
}

gboolean
dg_card_save_png (const DgDocView *view, const DgCardOptions *options, GFile *file, GError **error)
{
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    cairo_surface_t *surface = dg_card_render (view, options);
    cairo_status_t status = cairo_surface_write_to_png_stream (surface, append, bytes);
    cairo_surface_destroy (surface);
    return save (bytes, status, file, error);
}

gboolean
dg_card_save_svg (const DgDocView *view, const DgCardOptions *options, GFile *file, GError **error)
{
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    gint width, height;
    dg_card_measure (view, options, &width, &height);
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append, bytes, width, height);
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
    cairo_t *cr = cairo_create (surface);
    dg_card_draw (cr, view, options);
    cairo_status_t status = cairo_status (cr);
    cairo_destroy (cr);
    cairo_surface_finish (surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status (surface);
    cairo_surface_destroy (surface);
    return save (bytes, status, file, error);
}
