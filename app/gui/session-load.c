/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/session-private.h"

#include <glib/gi18n.h>

#define MOST_WAIT_S 15 /* a sleeping disk takes ten to wake, a dead one never answers */

typedef struct {
    GFile *file;
    gboolean is_in_library;
    guint timeout;
} LoadRequest;

static void
load_request_free (gpointer data)
{
    LoadRequest *request = data;
    g_object_unref (request->file);
    g_free (request);
}

static gboolean
wait_is_over_cb (gpointer data)
{
    GTask *task = data;
    ((LoadRequest *) g_task_get_task_data (task))->timeout = 0;
    g_cancellable_cancel (g_task_get_cancellable (task));
    return G_SOURCE_REMOVE;
}

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    GFile *file = ((LoadRequest *) data)->file;
    GError *error = NULL;
    if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY) {
        g_task_return_pointer (task, NULL, NULL);
        return;
    }
    DgDocument *document = dg_document_load (file, &error);
    if (document)
        g_task_return_pointer (task, document, (GDestroyNotify) dg_document_unref);
    else
        g_task_return_error (task, error);
}

static void
fail_unanswered (DgSession *self, GFile *file)
{
    g_autofree gchar *name = g_file_get_parse_name (file);
    g_autofree gchar *shown = dg_text_sanitize (name);
    g_autofree gchar *sentence = g_strdup_printf (
        /* Translators: %s is a file or folder. */
        _ ("“%s” cannot be opened now. Check the connection of the drive that it is on, then try again."),
           shown);
    dg__session_fail (self, _ ("The drive does not answer"), sentence);
}

static void
load_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    DgSession *self = DG_SESSION (source);
    LoadRequest *request = g_task_get_task_data (G_TASK (result));
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) document = g_task_propagate_pointer (G_TASK (result), &error);
    g_clear_handle_id (&request->timeout, g_source_remove);
    const gchar *path = g_file_peek_path (request->file);
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        fail_unanswered (self, request->file);
    else if (error)
        dg__session_fail (self, _ ("This result cannot be opened"), error->message);
    else if (self->is_running)
        dg__session_fail (self, _ ("A measurement is going on"),
                                   _ ("Stop it first, or open the result when it has ended."));
    else if (document)
        dg_session_show_saved (self, document, request->is_in_library);
    else if (path)
        dg_session_choose_folder (self, path);
}

void
dg_session_load_file (DgSession *self, GFile *file, gboolean is_in_library)
{
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (GTask) task = g_task_new (self, cancellable, load_cb, NULL);
    LoadRequest *request = g_new0 (LoadRequest, 1);
    request->file = g_object_ref (file);
    request->is_in_library = is_in_library;
    request->timeout = g_timeout_add_seconds_full (G_PRIORITY_DEFAULT, MOST_WAIT_S, wait_is_over_cb,
                                                   g_object_ref (task), g_object_unref);
    g_task_set_task_data (task, request, load_request_free);
    g_task_set_return_on_cancel (task, TRUE);
    g_task_run_in_thread (task, load_thread);
}
