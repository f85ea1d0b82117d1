/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library: newest first, quick with a thousand results, careful with names and damaged files.
 */
#include "app/core/app-error.h"
#include "app/core/identity.h"
#include "app/core/library-private.h"
#include "tests/app/private.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define MANY 1000u

static gchar *home;
static json_t *sample;

static DgDocument *
make (const gchar *id, const gchar *started, const gchar *comment)
{
    g_autoptr (GError) error = NULL;
    json_t *root = json_deep_copy (sample);
    json_object_set_new (root, "id", json_string (id));
    json_object_set_new (root, "started", json_string (started));
    json_object_set_new (root, "comment", json_string (comment));
    json_t *tests = json_object_get (root, "tests");
    for (gsize i = 0; i < json_array_size (tests); i++)
        json_object_set_new (json_array_get (tests, i), "started", json_string (started));
    DgDocument *document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    json_decref (root);
    return document;
}

static void
save_new (const gchar *started, const gchar *comment, gchar **ret_id)
{
    g_autoptr (GError) error = NULL;
    g_autofree gchar *id = g_uuid_string_random ();
    g_autoptr (DgDocument) document = make (id, started, comment);
    g_assert_true (dg_library_save (document, &error));
    g_assert_no_error (error);
    if (ret_id != NULL)
        *ret_id = g_steal_pointer (&id);
}

static void
write_file (const gchar *name, const gchar *content, gssize length)
{
    g_autoptr (GFile) folder = dg_library_get_folder ();
    g_autofree gchar *path = g_build_filename (g_file_peek_path (folder), name, NULL);
    g_assert_true (
        g_file_set_contents_full (path, content, length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
empty_library (void)
{
    g_autoptr (GFile) folder = dg_library_get_folder ();
    g_autoptr (GDir) dir = g_dir_open (g_file_peek_path (folder), 0, NULL);
    const gchar *name;
    while ((name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *path = g_build_filename (g_file_peek_path (folder), name, NULL);
        g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
test_entries (void)
{
    g_autoptr (GError) error = NULL;
    g_autofree gchar *middle = NULL, *newest = NULL;
    empty_library ();
    save_new ("2025-01-02T10:00:00+01:00", "middle", &middle);
    save_new ("2025-01-02T12:00:00+05:00", "oldest", NULL);
    save_new ("2025-01-02T09:30:00Z", "newest", &newest);
    g_autoptr (GPtrArray) entries = dg_library_list ();
    g_assert_cmpuint (entries->len, ==, 3);
    const DgLibraryEntry *entry = entries->pdata[0];
    g_assert_cmpstr (entry->id, ==, newest);
    g_assert_cmpstr (entry->comment, ==, "newest");
    g_assert_cmpstr (entry->drive, ==, "Samsung T7 Shield");
    g_assert_cmpstr (entry->state, ==, "done");
    g_assert_cmpstr (entry->filesystem_uuid_or_path, ==, "6E3F-1D2C");
    g_assert_cmpfloat_with_epsilon (entry->read_bytes_per_s, 1036e6, 1e6);
    g_assert_cmpfloat_with_epsilon (entry->write_bytes_per_s, 987.2e6, 1e6);
    g_assert_cmpstr (((DgLibraryEntry *) entries->pdata[1])->comment, ==, "middle");
    g_assert_cmpstr (((DgLibraryEntry *) entries->pdata[2])->comment, ==, "oldest");

    /* From the index, it is the same; a changed file is read again. */
    g_autoptr (DgDocument) document =
        make (middle, "2025-01-02T10:00:00+01:00", "changed to something longer");
    g_assert_true (dg_library_save (document, &error));
    g_autoptr (GPtrArray) again = dg_library_list ();
    g_assert_cmpuint (again->len, ==, 3);
    g_assert_cmpfloat (((DgLibraryEntry *) again->pdata[0])->read_bytes_per_s, ==,
                       entry->read_bytes_per_s);
    g_assert_cmpstr (((DgLibraryEntry *) again->pdata[1])->comment, ==,
                     "changed to something longer");

    g_assert_true (dg_library_delete (middle, &error));
    g_autoptr (GPtrArray) left = dg_library_list ();
    g_assert_cmpuint (left->len, ==, 2);
}

static void
test_damaged (void)
{
    empty_library ();
    save_new ("2025-01-02T10:00:00Z", "good", NULL);
    write_file ("11111111-2222-4333-8444-555555555555.json", "{", -1);
    write_file ("11111111-2222-4333-8444-555555555556.json", "", 0);
    write_file ("notes.json", "{}", -1);
    /* Cut off within its runs, and behind them. */
    g_autoptr (DgDocument) whole =
        make ("51111111-2222-4333-8444-555555555557", "2025-01-02T10:00:00Z", "cut");
    g_autofree gchar *cut = dg_document_to_text (whole, TRUE);
    write_file ("51111111-2222-4333-8444-555555555557.json", cut, strstr (cut, "histogram") - cut);
    write_file ("61111111-2222-4333-8444-555555555557.json", cut, (gssize) strlen (cut) - 100);
    /* A document under a name that is not its own. */
    g_autoptr (DgDocument) other =
        make ("21111111-2222-4333-8444-555555555557", "2025-01-02T10:00:00Z", "elsewhere");
    g_autofree gchar *text = dg_document_to_text (other, TRUE);
    write_file ("31111111-2222-4333-8444-555555555557.json", text, -1);
    g_autoptr (GFile) folder = dg_library_get_folder ();
    g_autofree gchar *odd = g_build_filename (g_file_peek_path (folder),
                                              "41111111-2222-4333-8444-555555555557.json", NULL);
    g_assert_cmpint (g_mkdir (odd, 0700), ==, 0);
    for (guint i = 0; i < 2; i++) {
        g_autoptr (GPtrArray) entries = dg_library_list ();
        g_assert_cmpuint (entries->len, ==, 1);
        g_assert_cmpstr (((DgLibraryEntry *) entries->pdata[0])->comment, ==, "good");
        /* The second time with a damaged index. */
        write_file ("index", "[1, 2", -1);
    }
}

/* The list reads only part of a file; damaged ones must do no harm there either. */
static void
test_damaged_bytes (void)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (20251130);
    g_autoptr (DgDocument) document =
        make ("51111111-2222-4333-8444-555555555557", "2025-01-02T10:00:00Z", "\\ \"runs\": [");
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    g_autofree gchar *path = g_build_filename (home, "damaged.json", NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    guint n_read = 0;
    gboolean is_damaged;
    for (guint i = 0; i < 300; i++) {
        gsize length = i == 0 ? strlen (text)
                              : (gsize) g_rand_int_range (random, 1, (gint32) strlen (text) + 1);
        g_autofree gchar *copy = g_strdup (text);
        for (guint k = 0; k < 4 && i > 0; k++)
            copy[g_rand_int_range (random, 0, (gint32) length)] =
                "\\\"[]{}:,x"[g_rand_int_range (random, 0, 9)];
        g_assert_true (g_file_set_contents_full (path, copy, (gssize) length,
                                                 G_FILE_SET_CONTENTS_NONE, 0600, NULL));
        g_autoptr (DgDocument) summary = dg_library_load_summary (file, &is_damaged);
        n_read += summary != NULL ? 1 : 0;
        g_assert_true (summary == NULL || !is_damaged);
        if (i == 0) {
            g_assert_nonnull (summary);
            g_assert_cmpuint (dg_document_view (summary)->n_tests, ==, 2);
            g_assert_cmpuint (dg_document_view (summary)->tests[1].n_runs, ==, 0);
            g_assert_cmpstr (dg_document_view (summary)->comment, ==, "\\ \"runs\": [");
        }
    }
    g_assert_cmpuint (n_read, <, 100);
    g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
test_names (void)
{
    g_autoptr (GError) error = NULL;
    g_assert_null (dg_library_file ("../../escape"));
    g_assert_null (dg_library_file (NULL));
    g_assert_null (dg_library_file ("5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11/.."));
    g_assert_false (dg_library_delete ("../../escape", &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID);
    g_autoptr (GFile) folder = dg_library_get_folder ();
    assert_private (g_file_peek_path (folder), 0700);
}

typedef struct {
    GPtrArray *entries;
    guint n_parts;
    gboolean is_done;
} Collected;

static void
part_cb (GPtrArray *entries, gpointer data)
{
    Collected *collected = data;
    g_assert_false (collected->is_done);
    g_assert_cmpuint (entries->len, >, 0);
    collected->n_parts++;
    g_ptr_array_set_free_func (entries, NULL);
    for (guint i = 0; i < entries->len; i++) {
        g_ptr_array_add (collected->entries, entries->pdata[i]);
        if (i > 0)
            g_assert_cmpint (dg_library_entry_compare (entries->pdata[i - 1], entries->pdata[i]), <,
                             0);
    }
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    ((Collected *) data)->is_done = dg_library_list_finish (result, NULL);
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
    return strcmp ((*(const DgLibraryEntry *const *) a)->id,
                   (*(const DgLibraryEntry *const *) b)->id);
}

static void
list_in_parts (Collected *collected)
{
    *collected = (Collected){ .entries = g_ptr_array_new_with_free_func (
                                  (GDestroyNotify) dg_library_entry_free) };
    dg_library_list_async (NULL, part_cb, listed_cb, collected);
    while (!collected->is_done)
        g_main_context_iteration (NULL, TRUE);
}

static void
remove_index (void)
{
    g_autoptr (GFile) folder = dg_library_get_folder ();
    g_autofree gchar *path = g_build_filename (g_file_peek_path (folder), "index", NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
test_many (void)
{
    empty_library ();
    for (guint i = 0; i < MANY; i++) {
        g_autofree gchar *started = g_strdup_printf ("2025-%02u-%02uT%02u:%02u:00Z", 1 + i % 12,
                                                     1 + i % 28, i % 24, i % 60);
        /* Written without waiting for the disk, which a thousand times would take long. */
        g_autofree gchar *id = g_uuid_string_random (), *name = g_strconcat (id, ".json", NULL);
        g_autoptr (DgDocument) document = make (id, started, "one of many");
        g_autofree gchar *text = dg_document_to_text (document, TRUE);
        write_file (name, text, -1);
    }
    gint64 start = g_get_monotonic_time (), cpu = clock ();
    g_autoptr (GPtrArray) first = dg_library_list ();
    cpu = clock () - cpu;
    g_test_message ("for the first time in %.3f s, processor %.3f s",
                    (gdouble) (g_get_monotonic_time () - start) / 1e6,
                    (gdouble) cpu / CLOCKS_PER_SEC);
    g_assert_cmpuint (first->len, ==, MANY);
    for (guint i = 1; i < MANY; i++)
        g_assert_cmpint (dg_library_entry_compare (first->pdata[i - 1], first->pdata[i]), <, 0);

    Collected collected;
    gint64 before = g_get_monotonic_time ();
    list_in_parts (&collected);
    gint64 elapsed = g_get_monotonic_time () - before;
    g_test_message ("%u entries in %.3f s, %u parts", MANY, (gdouble) elapsed / 1e6,
                    collected.n_parts);
    g_assert_cmpint (elapsed, <, TEST_LIST_US);
    g_ptr_array_sort (first, compare_ids);
    for (guint i = 0; i < 2; i++) {
        g_assert_cmpuint (collected.entries->len, ==, MANY);
        g_ptr_array_sort (collected.entries, compare_ids);
        for (guint k = 0; k < MANY; k++)
            g_assert_cmpstr (((DgLibraryEntry *) collected.entries->pdata[k])->id, ==,
                             ((DgLibraryEntry *) first->pdata[k])->id);
        g_ptr_array_unref (collected.entries);
        /* and once more without the index */
        if (i == 0) {
            remove_index ();
            list_in_parts (&collected);
            g_test_message ("without the index in %u parts", collected.n_parts);
        }
    }
    empty_library ();
}

/* What a listing that was broken off did not come to is not forgotten. */
static void
test_broken_off (void)
{
    gboolean is_damaged;
    g_autofree gchar *path = g_build_filename (home, "index-of-test", NULL);
    DgLibraryEntry entry = { .id = (gchar *) "a", .drive = (gchar *) "drive" };
    g_autoptr (GDateTime) started = g_date_time_new_utc (2025, 1, 2, 10, 0, 0);
    entry.started = started;
    DgLibraryIndex *index = dg_library_index_load (path);
    dg_library_index_remember (index, "a.json", 1, 2, &entry);
    dg_library_index_remember (index, "b.json", 1, 2, &entry);
    dg_library_index_close (index, TRUE);
    for (guint were_all = 0; were_all < 2; were_all++) {
        index = dg_library_index_load (path);
        DgLibraryEntry *found = dg_library_index_lookup (index, "a.json", 1, 2, &is_damaged);
        g_assert_nonnull (found);
        g_assert_cmpstr (found->drive, ==, "drive");
        dg_library_entry_free (found);
        dg_library_index_close (index, were_all == 1);
        index = dg_library_index_load (path);
        found = dg_library_index_lookup (index, "b.json", 1, 2, &is_damaged);
        g_assert_true ((found != NULL) == (were_all == 0));
        dg_library_entry_free (found);
        dg_library_index_close (index, FALSE);
    }
    g_assert_cmpint (g_unlink (path), ==, 0);
}

/* The same file, written anew with the same size and time: what is known of it comes from the
 * index.
 */
static void
rewrite (const gchar *id, const gchar *old, const gchar *new)
{
    g_autoptr (GFile) file = dg_library_file (id);
    g_autofree gchar *text = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (GFileInfo) info = g_file_query_info (
        file, G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
        G_FILE_QUERY_INFO_NONE, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, NULL, NULL));
    g_auto (GStrv) parts = g_strsplit (text, old, 2);
    g_assert_cmpuint (g_strv_length (parts), ==, 2);
    g_autofree gchar *changed = g_strjoinv (new, parts);
    g_assert_cmpuint (strlen (changed), ==, strlen (text));
    g_autofree gchar *name = g_path_get_basename (g_file_peek_path (file));
    write_file (name, changed, -1);
    g_file_set_attributes_from_info (file, info, G_FILE_QUERY_INFO_NONE, NULL, &error);
    g_assert_no_error (error);
}

static guint
count_listed (void)
{
    g_autoptr (GPtrArray) entries = dg_library_list ();
    return entries->len;
}

/* A result that an older program cannot read, or nobody just now, is not out of the list for good.
 */
static void
test_comes_back (void)
{
    g_autofree gchar *id = NULL, *damaged = NULL;
    gboolean is_damaged = TRUE;
    empty_library ();
    save_new ("2025-01-02T10:00:00Z", "newer", &id);
    rewrite (id, "\"version\": 1,", "\"version\": 2,");
    g_assert_cmpuint (count_listed (), ==, 0);
    rewrite (id, "\"version\": 2,", "\"version\": 1,");
    g_assert_cmpuint (count_listed (), ==, 1);

    g_autoptr (GFile) missing = g_file_new_for_path ("/nowhere/at/all");
    g_assert_null (dg_library_load_summary (missing, &is_damaged));
    g_assert_false (is_damaged);

    /* A damaged one is not read each time, but by the next version. */
    save_new ("2025-01-02T10:00:00Z", "damaged", &damaged);
    rewrite (damaged, "\"state\"", "\"stale\"");
    g_assert_cmpuint (count_listed (), ==, 1);
    rewrite (damaged, "\"stale\"", "\"state\"");
    g_assert_cmpuint (count_listed (), ==, 1);
    g_autoptr (GFile) folder = dg_library_get_folder ();
    g_autofree gchar *path = g_build_filename (g_file_peek_path (folder), "index", NULL),
                     *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (GStrv) parts = g_strsplit (text, "\"program\":\"", 2);
    g_autofree gchar *other = g_strjoinv ("\"program\":\"0.", parts);
    g_assert_cmpuint (g_strv_length (parts), ==, 2);
    write_file ("index", other, -1);
    g_assert_cmpuint (count_listed (), ==, 2);
    empty_library ();
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_assert_true (dg_library_save_finish (result, NULL));
    ++*(guint *) data;
}

/* However the threads come: what was asked for last stands, be it a deletion. */
static void
test_save_order (void)
{
    g_autofree gchar *id = g_uuid_string_random ();
    g_autoptr (GFile) file = dg_library_file (id);
    g_autoptr (DgDocument) document = make (id, "2025-01-02T10:00:00Z", "first");
    for (guint turn = 0; turn < 2; turn++) {
        guint n_done = 0;
        for (guint i = 0; i < 20; i++) {
            g_autofree gchar *comment = g_strdup_printf ("comment %u", i);
            dg_document_set_comment (document, comment);
            dg_library_save_async (document, saved_cb, &n_done);
        }
        dg_document_set_comment (document, "the last");
        if (turn == 0)
            g_assert_true (dg_library_save (document, NULL));
        else
            g_assert_true (dg_library_delete (id, NULL));
        while (n_done < 20)
            g_main_context_iteration (NULL, TRUE);
        if (turn == 1) {
            g_assert_false (g_file_query_exists (file, NULL));
            continue;
        }
        g_autoptr (DgDocument) stands = dg_document_load (file, NULL);
        g_assert_cmpstr (dg_document_view (stands)->comment, ==, "the last");
    }
}

/* That its figures are the best of the runs is part of an entry, read anew or not. */
static void
test_best (void)
{
    json_t *plan = json_object_get (sample, "plan");
    empty_library ();
    save_new ("2025-01-02T10:00:00Z", "median", NULL);
    json_object_set_new (plan, "statistic", json_string ("best"));
    save_new ("2025-01-03T10:00:00Z", "best", NULL);
    json_object_set_new (plan, "statistic", json_string ("median"));
    for (guint i = 0; i < 2; i++) {
        g_autoptr (GPtrArray) entries = dg_library_list ();
        g_assert_cmpuint (entries->len, ==, 2);
        g_assert_true (((DgLibraryEntry *) entries->pdata[0])->is_best);
        g_assert_false (((DgLibraryEntry *) entries->pdata[1])->is_best);
    }
    empty_library ();
}

static void
test_last_of_drive (void)
{
    g_autofree gchar *identity = dg_identity_dup ("T7 Shield", "S6NJNS0W");
    g_assert_cmpstr (identity, ==, "a7082b7a95b0777f33927b27ce405dc9");
    empty_library ();
    json_t *drive =
        json_object_get (json_array_get (json_object_get (sample, "targets"), 0), "drive");
    json_object_set_new (drive, "identity", json_string (identity));
    save_new ("2025-01-02T10:00:00Z", "older", NULL);
    save_new ("2025-01-03T10:00:00Z", "newer", NULL);
    json_object_set_new (drive, "identity", json_string ("00000000000000000000000000000000"));
    save_new ("2025-01-04T10:00:00Z", "another drive", NULL);
    DgDrive own = { .model = (gchar *) "T7 Shield", .serial = (gchar *) "S6NJNS0W" },
            unknown = { .model = (gchar *) "T7 Shield" };
    g_autoptr (DgDocument) last = dg_library_last_of_drive (&own);
    g_assert_nonnull (last);
    g_assert_cmpstr (dg_document_view (last)->comment, ==, "newer");
    g_assert_null (dg_library_last_of_drive (&unknown));
    empty_library ();
}

int
main (int argc, char **argv)
{
    home = g_dir_make_tmp ("dg-library-XXXXXX", NULL);
    g_setenv ("XDG_DATA_HOME", home, TRUE);
    g_test_init (&argc, &argv, NULL);
    g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "documents", "t7.json", NULL);
    sample = json_load_file (path, 0, NULL);
    g_assert_nonnull (sample);
    /* The first row is enough; a thousand are made of it. */
    json_t *tests = json_object_get (sample, "tests");
    json_object_set_new (
        sample, "tests",
        json_pack ("[O, O]", json_array_get (tests, 0), json_array_get (tests, 4)));
    g_test_add_func ("/library/entries", test_entries);
    g_test_add_func ("/library/damaged", test_damaged);
    g_test_add_func ("/library/damaged-bytes", test_damaged_bytes);
    g_test_add_func ("/library/names", test_names);
    g_test_add_func ("/library/many", test_many);
    g_test_add_func ("/library/broken-off", test_broken_off);
    g_test_add_func ("/library/comes-back", test_comes_back);
    g_test_add_func ("/library/best", test_best);
    g_test_add_func ("/library/save-order", test_save_order);
    g_test_add_func ("/library/last-of-drive", test_last_of_drive);
    int status = g_test_run ();
    json_decref (sample);
    g_autofree gchar *results = g_build_filename (home, "drivegauge", "results", NULL),
                     *folder = g_build_filename (home, "drivegauge", NULL);
    empty_library ();
    g_rmdir (results);
    g_rmdir (folder);
    g_rmdir (home);
    g_free (home);
    return status;
}
