/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/library-private.h"

#include "app/core/app-error.h"
#include "app/core/document-private.h"

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
    return g_build_filename (g_get_user_data_dir (), "drivegauge", "results", NULL);
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

gboolean
dg_library_write (const gchar *id, const gchar *text, GError **error)
{
    g_autoptr (GFile) file = dg_library_file (id);
    if (file == NULL)
        return refuse_id (error);
    g_object_unref (dg_library_get_folder ()); /* makes it: the first result has none yet */
    return dg_document_write_text (text, file, error);
}

gboolean
dg_library_save (DgDocument *document, GError **error)
{
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    return dg_library_write (dg_document_view (document)->id, text, error);
}

gboolean
dg_library_delete (const gchar *id, GError **error)
{
    g_autoptr (GFile) file = dg_library_file (id);
    if (file == NULL)
        return refuse_id (error);
    g_autofree gchar *path = g_file_get_path (file);
    if (g_unlink (path) == 0 || errno == ENOENT)
        return TRUE;
    g_set_error (
        error, DG_APP_ERROR, DG_APP_ERROR_OUTPUT,
        /* translators: the reason that the system gives */
        _ ("The result could not be deleted: %s. Check that you may change your own data folder."),
           g_strerror (errno));
    return FALSE;
}
