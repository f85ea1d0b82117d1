/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the text of a document that counts nesting and entries, so that a hostile file is
 * refused before it takes memory. It need not be right about text that is no JSON: the parser
 * refuses that. */
#include "app/core/app-error.h"
#include "app/core/document-private.h"

#include <glib/gi18n.h>

static gboolean
too_large (GError **error, const gchar *why)
{
    g_set_error (
        error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_TOO_LARGE,
        /* translators: %s is one of the short reasons that follow */
        _ ("This file is no result that Drive Gauge could have saved (%s). Open another one."),
           why);
    return FALSE;
}

gboolean
dg_document_scan (const gchar *text, gsize length, GError **error)
{
    if (length > DG_DOCUMENT_MAX_BYTES)
        return too_large (error, _ ("it is larger than 64 MiB"));
    guint commas[DG_DOCUMENT_MAX_DEPTH + 1] = { 0 };
    guint depth = 0;
    gsize values = 0;
    gboolean in_string = FALSE;
    for (gsize i = 0; i < length; i++) {
        gchar c = text[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = FALSE;
            continue;
        }
        if (c == '"') {
            in_string = TRUE;
        } else if (c == '[' || c == '{') {
            if (++depth > DG_DOCUMENT_MAX_DEPTH)
                return too_large (error, _ ("it is nested more than 64 deep"));
            commas[depth] = 0;
            values++;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        } else if (c == ',') {
            if (++commas[depth] >= DG_DOCUMENT_MAX_ENTRIES)
                return too_large (error, _ ("a list in it has more than 1,000,000 entries"));
            if (++values > DG_DOCUMENT_MAX_VALUES)
                return too_large (error, _ ("it has more than 4,000,000 values"));
        }
    }
    return TRUE;
}
