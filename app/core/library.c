/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/library-private.h"

#include "app/core/app-error.h"
#include "app/core/document-private.h"
#include "app/core/identity.h"
#include "app/core/numbers.h"
#include "app/core/profile.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define INDEX_NAME "index" /* without ".json": no result is named so */

static GMutex listing; /* one reader and writer of the index at a time */

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

static gchar *
build_folder_path (void)
{
    return g_build_filename (g_get_user_data_dir (), "drivegauge", "results", NULL);
}

GFile *
dg_library_get_folder (void)
{
    g_autofree gchar *path = build_folder_path ();
    g_mkdir_with_parents (path, 0700);
    return g_file_new_for_path (path);
}

GFile *
dg_library_file (const gchar *id)
{
    if (id == NULL || !g_uuid_string_is_valid (id))
        return NULL;
    g_autofree gchar *folder = build_folder_path ();
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

/* ---- entries ---- */

static gdouble
shown_rate (json_t *test)
{
    return dg_json_double (json_object_get (test, "shown"), "bandwidth_bytes_per_s");
}

/* The figure of the profile's first row; of the first test of this direction when the profile is
 * not known here. */
static gdouble
first_row_rate (DgDocument *document, DgDirection direction)
{
    const DgDocView *view = dg_document_view (document);
    json_t *tests = json_object_get (dg_document_json (document), "tests");
    g_autofree gchar *name = NULL;
    guint n;
    const DgProfile *const *profiles = dg_profiles_builtin (&n);
    for (guint i = 0; i < n; i++)
        if (g_strcmp0 (profiles[i]->id, view->profile_id) == 0)
            name = dg_test_spec_dup_name (&profiles[i]->tests[0]);
    gdouble first = NAN;
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        if (test->direction != direction || g_strcmp0 (test->kind, "speed") != 0)
            continue;
        if (g_strcmp0 (test->name, name) == 0)
            return shown_rate (json_array_get (tests, i));
        if (isnan (first))
            first = shown_rate (json_array_get (tests, i));
    }
    return first;
}

static gchar *
drive_name (const DgDocView *view)
{
    if (view->n_targets == 0)
        return NULL;
    const DgDocTarget *target = &view->targets[0];
    const DgDocDrive *drive = &target->drive;
    if (drive->model != NULL && drive->vendor != NULL
        && strstr (drive->model, drive->vendor) == NULL)
        return g_strdup_printf ("%s %s", drive->vendor, drive->model);
    return g_strdup (drive->model != NULL    ? drive->model
                     : target->label != NULL ? target->label
                     : drive->name != NULL   ? drive->name
                                             : target->filesystem);
}

/* When its last test began: a row measured again makes a new document that begins with the old
 * one's start. */
static GDateTime *
last_start (const DgDocView *view)
{
    GDateTime *last = g_date_time_new_from_iso8601 (view->started, NULL);
    for (guint i = 0; i < view->n_tests; i++) {
        g_autoptr (GDateTime) time =
            view->tests[i].started == NULL
                ? NULL
                : g_date_time_new_from_iso8601 (view->tests[i].started, NULL);
        if (time != NULL && g_date_time_compare (time, last) > 0) {
            g_date_time_unref (last);
            last = g_steal_pointer (&time);
        }
    }
    return last;
}

static DgLibraryEntry *
entry_of (DgDocument *document)
{
    const DgDocView *view = dg_document_view (document);
    DgLibraryEntry *entry = g_new0 (DgLibraryEntry, 1);
    entry->id = g_strdup (view->id);
    entry->started = last_start (view);
    entry->drive = drive_name (view);
    entry->comment = g_strdup (view->comment);
    entry->state = g_strdup (view->state);
    entry->read_bytes_per_s = first_row_rate (document, DG_DIRECTION_READ);
    entry->write_bytes_per_s = first_row_rate (document, DG_DIRECTION_WRITE);
    if (view->n_targets > 0) {
        const DgDocTarget *target = &view->targets[0];
        entry->identity = g_strdup (target->drive.identity);
        entry->filesystem_uuid_or_path =
            g_strdup (target->filesystem_uuid != NULL ? target->filesystem_uuid : target->path);
    }
    return entry;
}

/* The entry of one file, from the index or from the file itself; NULL when it is no result or not
 * the one that its name says. */
static DgLibraryEntry *
read_entry (DgLibraryIndex *index, const gchar *folder, const gchar *name)
{
    gboolean is_damaged;
    g_autofree gchar *path = g_build_filename (folder, name, NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autoptr (GFileInfo) info =
        g_file_query_info (file,
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED
                                                          "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                           G_FILE_QUERY_INFO_NONE, NULL, NULL);
    if (info == NULL)
        return NULL;
    gint64 size = g_file_info_get_size (info);
    gint64 changed =
        (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
            * G_USEC_PER_SEC
        + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
    DgLibraryEntry *entry = dg_library_index_lookup (index, name, size, changed, &is_damaged);
    if (entry == NULL && !is_damaged) {
        g_autoptr (DgDocument) document = dg_library_load_summary (file);
        if (document != NULL
            && strncmp (name, dg_document_view (document)->id,
                        strlen (dg_document_view (document)->id))
                   == 0)
            entry = entry_of (document);
        dg_library_index_remember (index, name, size, changed, entry);
    }
    if (entry != NULL)
        entry->path = g_steal_pointer (&path);
    return entry;
}

static gint
compare_newest (gconstpointer a, gconstpointer b)
{
    const DgLibraryEntry *one = *(const DgLibraryEntry *const *) a,
                         *other = *(const DgLibraryEntry *const *) b;
    gint order = g_date_time_compare (other->started, one->started);
    return order != 0 ? order : strcmp (one->id, other->id);
}

static gboolean
is_result_name (const gchar *name)
{
    g_autofree gchar *id =
        g_str_has_suffix (name, ".json") ? g_strndup (name, strlen (name) - 5) : NULL;
    return id != NULL && g_uuid_string_is_valid (id);
}

GPtrArray *
dg_library_list (void)
{
    GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) dg_library_entry_free);
    g_autofree gchar *folder = build_folder_path ();
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    if (dir == NULL)
        return entries;
    g_autofree gchar *index_path = g_build_filename (folder, INDEX_NAME, NULL);
    g_mutex_lock (&listing);
    DgLibraryIndex *index = dg_library_index_load (index_path);
    const gchar *name;
    while ((name = g_dir_read_name (dir)) != NULL) {
        DgLibraryEntry *entry = is_result_name (name) ? read_entry (index, folder, name) : NULL;
        if (entry != NULL)
            g_ptr_array_add (entries, entry);
    }
    dg_library_index_close (index);
    g_mutex_unlock (&listing);
    g_ptr_array_sort (entries, compare_newest);
    return entries;
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    g_task_return_pointer (task, dg_library_list (), (GDestroyNotify) g_ptr_array_unref);
}

void
dg_library_list_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
    g_task_set_source_tag (task, dg_library_list_async);
    g_task_run_in_thread (task, list_in_thread);
}

GPtrArray *
dg_library_list_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}

DgDocument *
dg_library_last_of_drive (const DgDrive *drive)
{
    g_autofree gchar *identity = dg_identity_dup (drive->model, drive->serial);
    if (identity == NULL)
        return NULL;
    g_autoptr (GPtrArray) entries = dg_library_list ();
    for (guint i = 0; i < entries->len; i++) {
        const DgLibraryEntry *entry = entries->pdata[i];
        if (g_strcmp0 (entry->identity, identity) != 0)
            continue;
        g_autoptr (GFile) file = g_file_new_for_path (entry->path);
        DgDocument *document = dg_document_load (file, NULL);
        if (document != NULL)
            return document;
    }
    return NULL;
}
