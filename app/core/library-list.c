/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library has: entries, by way of the index where it knows them. */
#include "app/core/library-private.h"

#include "app/core/document-private.h"
#include "app/core/identity.h"
#include "app/core/profile.h"

#include <math.h>
#include <string.h>

#define INDEX_NAME "index" /* without ".json": no result is named so */

static GMutex listing; /* one reader and writer of the index at a time */

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
    entry->is_best = view->statistic_best && view->runs != 1;
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

/* ---- listing ---- */

typedef struct {
    gchar *name;
    gint64 size_bytes, changed_us;
} Found;

static void
found_clear (gpointer data)
{
    g_free (((Found *) data)->name);
}

static gint
compare_changed (gconstpointer a, gconstpointer b)
{
    const Found *one = a, *other = b;
    return one->changed_us > other->changed_us   ? -1
           : one->changed_us < other->changed_us ? 1
                                                 : strcmp (one->name, other->name);
}

static gboolean
is_result_name (const gchar *name)
{
    g_autofree gchar *id =
        g_str_has_suffix (name, ".json") ? g_strndup (name, strlen (name) - 5) : NULL;
    return id != NULL && g_uuid_string_is_valid (id);
}

static gboolean
look_at (const gchar *folder, const gchar *name, Found *ret_found)
{
    g_autoptr (GFile) file = g_file_new_build_filename (folder, name, NULL);
    g_autoptr (GFileInfo) info =
        g_file_query_info (file,
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED
                                                          "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                           G_FILE_QUERY_INFO_NONE, NULL, NULL);
    if (info == NULL)
        return FALSE;
    *ret_found = (Found){
        .name = g_strdup (name),
        .size_bytes = g_file_info_get_size (info),
        .changed_us =
            (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
                * G_USEC_PER_SEC
            + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC),
    };
    return TRUE;
}

/* Those changed last come first: they are what is asked for, and what a list shows first. */
static GArray *
find_files (const gchar *folder)
{
    GArray *files = g_array_new (FALSE, FALSE, sizeof (Found));
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const gchar *name;
    Found found;
    g_array_set_clear_func (files, found_clear);
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (is_result_name (name) && look_at (folder, name, &found))
            g_array_append_val (files, found);
    g_array_sort (files, compare_changed);
    return files;
}

/* The entry of one file, from the index or from the file itself; NULL when it is no result or not
 * the one that its name says. */
static DgLibraryEntry *
read_entry (DgLibraryIndex *index, const gchar *folder, const Found *found)
{
    gboolean is_damaged;
    DgLibraryEntry *entry = dg_library_index_lookup (index, found->name, found->size_bytes,
                                                     found->changed_us, &is_damaged);
    g_autofree gchar *path = g_build_filename (folder, found->name, NULL);
    if (entry == NULL && !is_damaged) {
        g_autoptr (GFile) file = g_file_new_for_path (path);
        g_autoptr (DgDocument) document = dg_library_load_summary (file, &is_damaged);
        if (document != NULL
            && strncmp (found->name, dg_document_view (document)->id,
                        strlen (dg_document_view (document)->id))
                   == 0)
            entry = entry_of (document);
        /* What could not be read today may be read tomorrow, or by another version. */
        if (document != NULL || is_damaged)
            dg_library_index_remember (index, found->name, found->size_bytes, found->changed_us,
                                       entry);
    }
    if (entry != NULL)
        entry->path = g_steal_pointer (&path);
    return entry;
}

typedef void (*TakeFunc) (DgLibraryEntry *entry, gpointer data); /* (transfer full) */

static void
read_all (GCancellable *cancellable, TakeFunc take, gpointer data)
{
    g_autofree gchar *folder = dg_library_dup_folder ();
    g_autofree gchar *index_path = g_build_filename (folder, INDEX_NAME, NULL);
    g_autoptr (GArray) files = find_files (folder);
    guint i;
    if (files->len == 0 && !g_file_test (index_path, G_FILE_TEST_EXISTS))
        return;
    g_mutex_lock (&listing);
    DgLibraryIndex *index = dg_library_index_load (index_path);
    for (i = 0; i < files->len && !g_cancellable_is_cancelled (cancellable); i++) {
        DgLibraryEntry *entry = read_entry (index, folder, &g_array_index (files, Found, i));
        if (entry != NULL)
            take (entry, data);
    }
    dg_library_index_close (index, i == files->len);
    g_mutex_unlock (&listing);
}

gint
dg_library_entry_compare (const DgLibraryEntry *a, const DgLibraryEntry *b)
{
    gint order = g_date_time_compare (b->started, a->started);
    return order != 0 ? order : strcmp (a->id, b->id);
}

static gint
compare_newest (gconstpointer a, gconstpointer b)
{
    return dg_library_entry_compare (*(const DgLibraryEntry *const *) a,
                                     *(const DgLibraryEntry *const *) b);
}

static GPtrArray *
entries_new (void)
{
    return g_ptr_array_new_with_free_func ((GDestroyNotify) dg_library_entry_free);
}

static void
add_to_all (DgLibraryEntry *entry, gpointer data)
{
    g_ptr_array_add (data, entry);
}

GPtrArray *
dg_library_list (void)
{
    GPtrArray *entries = entries_new ();
    read_all (NULL, add_to_all, entries);
    g_ptr_array_sort (entries, compare_newest);
    return entries;
}

/* ---- listing in parts ---- */

#define PART_US 40000 /* after which what has been read so far is shown */

typedef struct {
    DgLibraryPartFunc func;
    gpointer user_data;
    GCancellable *cancellable; /* (nullable) */
    GMainContext *context;
    GPtrArray *entries; /* (owned) */
    gint64 due_us;
} Listing;

typedef struct {
    DgLibraryPartFunc func;
    gpointer user_data;
    GCancellable *cancellable;
    GPtrArray *entries;
} Part;

static gboolean
part_cb (gpointer data)
{
    Part *part = data;
    if (!g_cancellable_is_cancelled (part->cancellable))
        part->func (part->entries, part->user_data);
    return G_SOURCE_REMOVE;
}

static void
part_free (gpointer data)
{
    Part *part = data;
    g_ptr_array_unref (part->entries);
    g_clear_object (&part->cancellable);
    g_free (part);
}

static void
hand_over (Listing *self)
{
    if (self->entries->len == 0)
        return;
    Part *part = g_new (Part, 1);
    g_autoptr (GSource) source = g_idle_source_new ();
    g_ptr_array_sort (self->entries, compare_newest);
    *part = (Part){ self->func, self->user_data,
                    self->cancellable ? g_object_ref (self->cancellable) : NULL,
                    g_steal_pointer (&self->entries) };
    self->entries = entries_new ();
    /* as the task's end, so that it comes before that */
    g_source_set_priority (source, G_PRIORITY_DEFAULT);
    g_source_set_callback (source, part_cb, part, part_free);
    g_source_attach (source, self->context);
}

static void
add_to_part (DgLibraryEntry *entry, gpointer data)
{
    Listing *self = data;
    g_ptr_array_add (self->entries, entry);
    if (g_get_monotonic_time () < self->due_us)
        return;
    hand_over (self);
    self->due_us = g_get_monotonic_time () + PART_US;
}

static void
listing_free (gpointer data)
{
    Listing *self = data;
    g_main_context_unref (self->context);
    g_ptr_array_unref (self->entries);
    g_clear_object (&self->cancellable);
    g_free (self);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    Listing *self = data;
    self->due_us = g_get_monotonic_time () + PART_US;
    read_all (cancellable, add_to_part, self);
    hand_over (self);
    g_task_return_boolean (task, TRUE);
}

void
dg_library_list_async (GCancellable *cancellable, DgLibraryPartFunc part,
                       GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
    Listing *self = g_new (Listing, 1);
    *self = (Listing){ part,
                       user_data,
                       cancellable ? g_object_ref (cancellable) : NULL,
                       g_main_context_ref_thread_default (),
                       entries_new (),
                       0 };
    g_task_set_source_tag (task, dg_library_list_async);
    g_task_set_task_data (task, self, listing_free);
    g_task_run_in_thread (task, list_in_thread);
}

gboolean
dg_library_list_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean (G_TASK (result), error);
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
