/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/library-private.h"

#include "app/core/app-error.h"
#include "app/core/document-private.h"
#include "app/core/user-folders.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

void
dg_library_entry_free (DgLibraryEntry *entry)
{
    if (entry == NULL)
        return;
    g_free (entry->id);
    g_free (entry->path);
    g_clear_pointer (&entry->started, g_date_time_unref);
    g_free (entry->drive);
    g_free (entry->comment);
    g_free (entry->state);
    g_free (entry->identity);
    g_free (entry->filesystem_uuid_or_path);
    g_free (entry);
}

gchar *
dg_library_dup_folder (void)
{
    g_autofree gchar *folder = dg_user_data_folder ();

    return g_build_filename (folder, "drivegauge", "results", NULL);
}

GFile *
dg_library_get_folder (void)
{
    g_autofree gchar *path = dg_library_dup_folder ();
    g_mkdir_with_parents (path, 0700);
    return g_file_new_for_path (path);
}

GFile *
dg_library_file (const gchar *id)
{
    if (id == NULL || !g_uuid_string_is_valid (id))
        return NULL;
    g_autofree gchar *folder = dg_library_dup_folder ();
    g_autofree gchar *name = g_strconcat (id, ".json", NULL);
    return g_file_new_build_filename (folder, name, NULL);
}

static gboolean
refuse_id (GError **error)
{
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID,
                 _ ("This result has no valid id, so the library cannot name a file after it. Save it under a name of your own."));
    return FALSE;
}

/* Of two savings of one result the one that was asked for last stands, whichever thread comes
 * first. */
static GMutex writing;
static GHashTable *written; /* id -> the number of what stands in its file */
static gint n_asked;

static gboolean
write_numbered (const gchar *id, const gchar *text, gint number, GError **error)
{
    g_autoptr (GFile) file = dg_library_file (id);
    if (file == NULL)
        return refuse_id (error);
    g_object_unref (dg_library_get_folder ()); /* makes it: the first result has none yet */
    g_mutex_lock (&writing);
    if (written == NULL)
        written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    gboolean is_done = TRUE;
    if (GPOINTER_TO_INT (g_hash_table_lookup (written, id)) < number) {
        is_done = dg_document_write_text (text, file, error);
        g_hash_table_insert (written, g_strdup (id), GINT_TO_POINTER (number));
    }
    g_mutex_unlock (&writing);
    return is_done;
}

gboolean
dg_library_save (DgDocument *document, GError **error)
{
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    return write_numbered (dg_document_view (document)->id, text,
                           g_atomic_int_add (&n_asked, 1) + 1, error);
}

typedef struct {
    gchar *id, *text;
    gint number;
} Saving;

static void
saving_free (gpointer data)
{
    Saving *saving = data;
    g_free (saving->id);
    g_free (saving->text);
    g_free (saving);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Saving *saving = data;
    GError *error = NULL;
    if (write_numbered (saving->id, saving->text, saving->number, &error))
        g_task_return_boolean (task, TRUE);
    else
        g_task_return_error (task, error);
}

void
dg_library_save_async (DgDocument *document, GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
    Saving *saving = g_new (Saving, 1);
    *saving = (Saving){ g_strdup (dg_document_view (document)->id),
                        dg_document_to_text (document, TRUE), g_atomic_int_add (&n_asked, 1) + 1 };
    g_task_set_task_data (task, saving, saving_free);
    g_task_run_in_thread (task, save_in_thread);
}

gboolean
dg_library_save_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
dg_library_delete (const gchar *id, GError **error)
{
    g_autoptr (GFile) file = dg_library_file (id);
    if (file == NULL)
        return refuse_id (error);
    g_autofree gchar *path = g_file_get_path (file);
    /* What was to be saved before that is not to bring it back. */
    g_mutex_lock (&writing);
    if (written == NULL)
        written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert (written, g_strdup (id),
                         GINT_TO_POINTER (g_atomic_int_add (&n_asked, 1) + 1));
    int problem = g_unlink (path) == 0 ? 0 : errno;
    g_mutex_unlock (&writing);
    if (problem == 0 || problem == ENOENT)
        return TRUE;
    g_set_error (
        error, DG_APP_ERROR, DG_APP_ERROR_OUTPUT,
        /* translators: the reason that the system gives */
        _ ("The result could not be deleted: %s. Check that you may change your own data folder."),
           g_strerror (problem));
    return FALSE;
}
