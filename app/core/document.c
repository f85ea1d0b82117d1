/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/document-private.h"

#include "app/core/app-error.h"
#include "app/core/findings.h"
#include "app/core/numbers.h"

#include <glib/gi18n.h>

static void
document_free (DgDocument *self)
{
    g_clear_pointer (&self->owned, g_ptr_array_unref);
    g_clear_pointer (&self->findings, g_ptr_array_unref);
    g_clear_pointer (&self->view.comment, g_free);
    g_clear_pointer (&self->root, json_decref);
    g_free (self);
}

DgDocument *
dg_document_new_from_json (json_t *root, GError **error)
{
    DgDocument *self = g_new0 (DgDocument, 1);
    g_atomic_ref_count_init (&self->references);
    self->root = json_incref (root);
    self->owned = g_ptr_array_new_with_free_func (g_free);
    self->findings = g_ptr_array_new_with_free_func (g_free);
    if (!dg_document_make_view (self, error)) {
        document_free (self);
        return NULL;
    }
    return self;
}

static DgDocument *
new_from_text (const gchar *text, gsize length, GError **error)
{
    if (!dg_document_scan (text, length, error))
        return NULL;
    json_error_t where;
    json_t *root = json_loadb (text, length, 0, &where);
    if (root == NULL) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID,
                     /* translators: %d is the number of a line */
                     length == 0
                     ? _ ("This file is empty. Choose a file that Drive Gauge has saved as JSON.")
                     : _ ("This file is damaged or is no JSON (line %d). Choose a file that Drive Gauge has saved as JSON."),
                          where.line);
        return NULL;
    }
    DgDocument *document = dg_document_new_from_json (root, error);
    json_decref (root);
    if (document != NULL && document->view.state_code == DG_DOC_RUNNING) {
        g_clear_pointer (&document, dg_document_unref);
        dg_document_refuse_key ("state", error);
    }
    return document;
}

DgDocument *
dg_document_new_from_bytes (GBytes *bytes, GError **error)
{
    gsize length;
    const gchar *text = g_bytes_get_data (bytes, &length);
    return new_from_text (text == NULL ? "" : text, length, error);
}

static gboolean
cannot_read (GFile *file, const gchar *why, GError **error)
{
    g_autofree gchar *name = g_file_get_parse_name (file);
    g_autofree gchar *shown = dg_text_sanitize (name);
    g_autofree gchar *reason = dg_text_sanitize (why);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID,
                 /* translators: the first %s is a file name, the second the reason */
                 _ ("“%s” cannot be read: %s. Choose a file that Drive Gauge has saved as JSON."),
                    shown, reason);
    return FALSE;
}

/* A FIFO or a device would never end, so only regular files are opened. */
static gboolean
check_file (GFile *file, GError **error)
{
    g_autoptr (GError) problem = NULL;
    g_autoptr (GFileInfo) info =
        g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                           G_FILE_QUERY_INFO_NONE, NULL, &problem);
    if (info == NULL)
        return cannot_read (file, dg__document_problem (problem), error);
    GFileType type = g_file_info_get_file_type (info);
    if (type == G_FILE_TYPE_DIRECTORY)
        return cannot_read (file, _ ("it is a folder"), error);
    if (type != G_FILE_TYPE_REGULAR)
        return cannot_read (file, _ ("it is no ordinary file"), error);
    if (g_file_info_get_size (info) > (goffset) DG_DOCUMENT_MAX_BYTES)
        return dg_document_scan (NULL, DG_DOCUMENT_MAX_BYTES + 1, error);
    return TRUE;
}

DgDocument *
dg_document_load (GFile *file, GError **error)
{
    g_autoptr (GError) problem = NULL;
    if (!check_file (file, error))
        return NULL;
    g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &problem);
    if (stream == NULL) {
        cannot_read (file, dg__document_problem (problem), error);
        return NULL;
    }
    /* The file may grow between the question for its size and here. */
    g_autoptr (GByteArray) content = g_byte_array_new ();
    for (;;) {
        g_autoptr (GBytes) piece =
            g_input_stream_read_bytes (G_INPUT_STREAM (stream), 1u << 20, NULL, &problem);
        if (piece == NULL) {
            cannot_read (file, dg__document_problem (problem), error);
            return NULL;
        }
        gsize length;
        const guint8 *data = g_bytes_get_data (piece, &length);
        if (length == 0)
            break;
        if (content->len + length > DG_DOCUMENT_MAX_BYTES) {
            dg_document_scan (NULL, DG_DOCUMENT_MAX_BYTES + 1, error);
            return NULL;
        }
        g_byte_array_append (content, data, (guint) length);
    }
    return new_from_text (content->data == NULL ? "" : (const gchar *) content->data, content->len,
                          error);
}

DgDocument *
dg_document_ref (DgDocument *document)
{
    g_atomic_ref_count_inc (&document->references);
    return document;
}

void
dg_document_unref (DgDocument *document)
{
    if (document != NULL && g_atomic_ref_count_dec (&document->references))
        document_free (document);
}

const DgDocView *
dg_document_view (const DgDocument *document)
{
    return &document->view;
}

json_t *
dg_document_json (const DgDocument *document)
{
    return document->root;
}

void
dg_document_set_comment (DgDocument *document, const gchar *comment)
{
    g_autofree gchar *text = dg_text_sanitize (comment);
    if (text == NULL || text[0] == '\0')
        json_object_del (document->root, "comment");
    else
        json_object_set_new (document->root, "comment", json_string (text));
    dg_document_make_comment_view (document);
}

/* Findings of a kind that a newer program knows are kept as they are. */
void
dg_document_renew_findings (DgDocument *document)
{
    json_t *made = dg_findings_make (&document->view);
    json_t *old = json_object_get (document->root, "findings");
    for (gsize i = 0; i < json_array_size (old); i++) {
        json_t *finding = json_array_get (old, i);
        const gchar *id = json_string_value (json_object_get (finding, "id"));
        if (id != NULL && !dg_findings_is_known (id))
            json_array_append (made, finding);
    }
    json_object_set_new (document->root, "findings", made);
    dg_document_make_findings_view (document);
}
