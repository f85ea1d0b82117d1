/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/export.h"

#include "app/core/line-ends.h"
#include "app/core/settings.h"
#include "app/gui/file-dialog.h"
#include "app/report/card.h"
#include "app/report/report.h"

#include <glib/gi18n.h>

static const struct {
    const gchar *id, *extension;
} exports[DG_N_EXPORTS] = {
    [DG_EXPORT_PNG] = { "png", "png" },
    [DG_EXPORT_SVG] = { "svg", "svg" },
    [DG_EXPORT_TEXT] = { "text", "txt" },
    [DG_EXPORT_MARKDOWN] = { "markdown", "md" },
    [DG_EXPORT_BBCODE] = { "bbcode", "bbcode.txt" },
    [DG_EXPORT_CSV] = { "csv", "csv" },
    [DG_EXPORT_JSON] = { "json", "json" },
    [DG_EXPORT_JSON_ANONYMOUS] = { "json-anonymous", "json" },
};

gboolean
dg_export_from_id (const gchar *id, DgExport *ret_export)
{
    for (guint i = 0; i < DG_N_EXPORTS; i++)
        if (g_str_equal (exports[i].id, id)) {
            *ret_export = (DgExport) i;
            return TRUE;
        }
    return FALSE;
}

static DgCardOptions
card_options (void)
{
    const DgSettings *settings = dg_settings_get ();
    return (DgCardOptions){
        .look = settings->image_dark ? DG_LOOK_DARK : DG_LOOK_LIGHT,
        .scale = CLAMP (settings->image_scale, 1, 4),
        .unit = settings->unit,
    };
}

static cairo_status_t
append_png (void *closure, const unsigned char *data, unsigned int length)
{
    g_byte_array_append (closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static GBytes *
make_png (const DgDocView *view)
{
    DgCardOptions options = card_options ();
    GByteArray *png = g_byte_array_new ();
    cairo_surface_t *surface = dg_card_render (view, &options);
    cairo_surface_write_to_png_stream (surface, append_png, png);
    cairo_surface_destroy (surface);
    return g_byte_array_free_to_bytes (png);
}

/* The card writes vector files itself; the file's own folder may be anywhere, so it is made in ours
 * first. */
static GBytes *
make_svg (const DgDocView *view, GError **error)
{
    DgCardOptions options = card_options ();
    g_autoptr (GFileIOStream) stream = NULL;
    g_autoptr (GFile) file = g_file_new_tmp ("drivegauge-XXXXXX.svg", &stream, error);
    GBytes *bytes = NULL;
    if (!file)
        return NULL;
    if (dg_card_save_svg (view, &options, file, error))
        bytes = g_file_load_bytes (file, NULL, NULL, error);
    g_file_delete (file, NULL, NULL);
    return bytes;
}

static GBytes *
take_text (gchar *text)
{
    return g_bytes_new_take (text, strlen (text));
}

GBytes *
dg_export_make (DgExport export, DgDocument *document, GError **error)
{
    const DgDocView *view = dg_document_view (document);
    switch (export) {
    case DG_EXPORT_PNG:
        return make_png (view);
    case DG_EXPORT_SVG:
        return make_svg (view, error);
    case DG_EXPORT_TEXT:
        return take_text (dg_report_text (view));
    case DG_EXPORT_MARKDOWN:
        return take_text (dg_report_markdown (view));
    case DG_EXPORT_BBCODE:
        return take_text (dg_report_bbcode (view));
    case DG_EXPORT_CSV:
        return take_text (dg_report_csv (view));
    case DG_EXPORT_JSON_ANONYMOUS:
        return take_text (dg_document_to_text (document, FALSE));
    default:
        return take_text (dg_document_to_text (document, TRUE));
    }
}

static GdkTexture *
make_texture (const DgDocView *view)
{
    DgCardOptions options = card_options ();
    cairo_surface_t *surface = dg_card_render (view, &options);
    cairo_surface_flush (surface);
    int width = cairo_image_surface_get_width (surface);
    int height = cairo_image_surface_get_height (surface);
    int stride = cairo_image_surface_get_stride (surface);
    g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (
        cairo_image_surface_get_data (surface), (gsize) stride * (gsize) height,
        (GDestroyNotify) cairo_surface_destroy, surface);
    return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
}

void
dg_export_copy (DgExport export, DgDocument *document, GtkWidget *widget)
{
    GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);
    if (export == DG_EXPORT_PNG) {
        g_autoptr (GdkTexture) texture = make_texture (dg_document_view (document));
        gdk_clipboard_set_texture (clipboard, texture);
        return;
    }
    g_autoptr (GBytes) bytes = dg_export_make (export, document, NULL);
    if (!bytes)
        return;
    g_autofree gchar *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    gdk_clipboard_set_text (clipboard, text);
}

/* ---- saving ---- */

typedef struct {
    DgExport export;
    DgDocument *document;
    GtkWindow *parent; /* weak */
} SaveRequest;

static void
save_request_free (gpointer data)
{
    SaveRequest *request = data;
    dg_document_unref (request->document);
    g_clear_weak_pointer (&request->parent);
    g_free (request);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GtkWindow *parent = data;
    g_autoptr (GError) error = NULL;
    if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
        dg_alert_show (gtk_widget_get_visible (GTK_WIDGET (parent)) ? parent : NULL,
                       _ ("The file could not be saved"), error->message);
    g_object_unref (parent);
}

static void
save_chosen_cb (GFile *file, gpointer data)
{
    SaveRequest *request = data;
    g_autoptr (GError) error = NULL;
    if (!request->parent)
        return;
    g_autoptr (GBytes) bytes = dg_export_make (request->export, request->document, &error);
    if (!bytes) {
        dg_alert_show (request->parent, _ ("The file could not be saved"), error->message);
        return;
    }
    gboolean is_plain = request->export == DG_EXPORT_TEXT || request->export == DG_EXPORT_MARKDOWN
                        || request->export == DG_EXPORT_BBCODE;
    g_autoptr (GBytes) lines = is_plain ? dg_line_ends_for_file (bytes) : g_bytes_ref (bytes);
    g_file_replace_contents_bytes_async (file, lines, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL,
                                         saved_cb, g_object_ref (request->parent));
}

void
dg_export_save (DgExport export, DgDocument *document, GtkWindow *parent)
{
    SaveRequest *request = g_new0 (SaveRequest, 1);
    g_autofree gchar *base = dg_report_file_name (dg_document_view (document));
    g_autofree gchar *name = g_strdup_printf ("%s.%s", base, exports[export].extension);
    request->export = export;
    request->document = dg_document_ref (document);
    g_set_weak_pointer (&request->parent, parent);
    dg_file_dialog_save (parent, _ ("Save the result"), name, save_chosen_cb, request,
                                    save_request_free);
}
