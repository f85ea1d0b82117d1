/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result on its way out: to the clipboard or into a file, as picture, text or data. Main thread.
 */
#pragma once

#include "app/core/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    DG_EXPORT_PNG,
    DG_EXPORT_SVG,
    DG_EXPORT_TEXT,
    DG_EXPORT_MARKDOWN,
    DG_EXPORT_BBCODE,
    DG_EXPORT_CSV,
    DG_EXPORT_JSON,
    DG_EXPORT_JSON_ANONYMOUS,
    DG_N_EXPORTS
} DgExport;

/* "png", "svg", "text", "markdown", "bbcode", "csv", "json", "json-anonymous"; FALSE for any other
 * word. */
gboolean dg_export_from_id (const gchar *id, DgExport *ret_export);

/* What the file will hold. (transfer full) */
GBytes *dg_export_make (DgExport export, DgDocument *document, GError **error);

void dg_export_copy (DgExport export, DgDocument *document, GtkWidget *widget);
void dg_export_save (DgExport export, DgDocument *document, GtkWindow *parent);

G_END_DECLS
