/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as an object, on the real engine and a real folder, short. */
#include "app/core/app-error.h"
#include "app/core/library.h"
#include "app/core/runner.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MIB (1024u * 1024u)
#define MS  1000000u

static gchar *folder;

typedef struct {
    GMainLoop *loop;
    DgRunner *runner;
    DgDocument *document;
    GError *error;
    guint n_changes, n_ticks, stop_at_tick;
    gdouble greatest_fraction;
    gboolean went_back;
    guint64 greatest_prepared;
} Watch;

static void
changed_cb (DgRunner *runner, gpointer data)
{
    Watch *watch = data;
    g_assert_nonnull (dg_runner_get_document (runner));
    watch->n_changes++;
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Watch *watch = data;
    watch->document = dg_runner_run_finish (DG_RUNNER (source), result, &watch->error);
    g_main_loop_quit (watch->loop);
}

static gboolean
tick_cb (gpointer data)
{
    Watch *watch = data;
    DgProgress progress;
    dg_runner_get_progress (watch->runner, &progress);
    watch->went_back |= progress.fraction < watch->greatest_fraction;
    watch->greatest_fraction = MAX (watch->greatest_fraction, progress.fraction);
    watch->greatest_prepared = MAX (watch->greatest_prepared, progress.engine.prepared_bytes);
    g_assert_cmpfloat (progress.fraction, <=, 1.0);
    if (++watch->n_ticks == watch->stop_at_tick)
        dg_runner_stop (watch->runner);
    return G_SOURCE_CONTINUE;
}

static void
set_options (DgOptions *options)
{
    static const DgTestSpec tests[] = { { DG_ACCESS_SEQUENTIAL, 256 * 1024, 4, 1 },
                                        { DG_ACCESS_RANDOM, 4096, 1, 1 } };
    g_autoptr (DgProfile) profile =
        dg_profile_new_custom ("custom", "Short", tests, G_N_ELEMENTS (tests));
    dg_options_init (options);
    dg_options_set_profile (options, profile);
    options->size_bytes = 8 * MIB;
    options->runs = 2;
    options->duration_ns = 60 * MS;
    options->warmup_ns = 20 * MS;
    options->interval_ns = 20 * MS;
}

/* Measures and gives the watch back; its document or its error is set. */
static void
measure (Watch *watch, DgRunner *runner, const DgOptions *options, const gchar *path,
         DgDocument *previous, gboolean use_library)
{
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    g_assert_cmpint (dg_targets_find (NULL, path, &list, &detail), ==, 0);
    watch->runner = runner;
    watch->loop = g_main_loop_new (NULL, FALSE);
    gulong handler = g_signal_connect (runner, "document-changed", G_CALLBACK (changed_cb), watch);
    guint tick = g_timeout_add (20, tick_cb, watch);
    dg_runner_run_async (runner, options, list, 0, previous, use_library, done_cb, watch);
    /* It needs the list no longer. */
    dg_targets_free (list);
    g_main_loop_run (watch->loop);
    g_source_remove (tick);
    g_signal_handler_disconnect (runner, handler);
    g_main_loop_unref (watch->loop);
    g_assert_false (dg_runner_is_running (runner));
}

static void
assert_folder_is_empty (void)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    g_assert_nonnull (dir);
    g_assert_null (g_dir_read_name (dir));
}

static void
assert_round_trip (DgDocument *document)
{
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) again = dg_document_new_from_bytes (bytes, &error);
    g_assert_no_error (error);
    g_assert_true (json_equal (dg_document_json (document), dg_document_json (again)));
}

static void
test_done (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch watch = { 0 };
    set_options (&options);
    options.comment = g_strdup ("Rear port");
    options.directions[DG_DIRECTION_MIX] = TRUE;
    measure (&watch, runner, &options, folder, NULL, TRUE);
    g_assert_no_error (watch.error);
    g_assert_null (dg_runner_get_save_problem (runner));
    const DgDocView *view = dg_document_view (watch.document);
    g_assert_cmpstr (view->state, ==, "done");
    g_assert_cmpstr (view->comment, ==, "Rear port");
    g_assert_cmpstr (view->targets[0].path, ==, folder);
    g_assert_cmpuint (view->targets[0].file_size_bytes, ==, 8 * MIB);
    g_assert_cmpuint (view->mix_read_percent, ==, 70);
    /* Known, but not which: somebody else may measure this drive right now. */
    g_assert_cmpint (view->targets[0].also_running, >=, 0);
    g_assert_cmpuint (view->n_tests, ==, 6);
    static const struct {
        const gchar *name;
        DgDirection direction;
    } expected[] = { { "SEQ256K Q4T1", DG_DIRECTION_READ },  { "RND4K Q1T1", DG_DIRECTION_READ },
                     { "SEQ256K Q4T1", DG_DIRECTION_WRITE }, { "RND4K Q1T1", DG_DIRECTION_WRITE },
                     { "SEQ256K Q4T1", DG_DIRECTION_MIX },   { "RND4K Q1T1", DG_DIRECTION_MIX } };
    guint64 written = 0;
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        g_assert_cmpstr (test->name, ==, expected[i].name);
        g_assert_cmpint (test->direction, ==, expected[i].direction);
        g_assert_cmpint (test->state, ==, DG_DOC_DONE);
        g_assert_cmpuint (test->n_runs, ==, 2);
        g_assert_cmpint (test->shown, >=, 0);
        g_assert_cmpfloat (test->spread_percent, >=, 0.0);
        g_assert_nonnull (test->started);
        for (guint k = 0; k < test->n_runs; k++) {
            const DgDocRun *run = &test->runs[k];
            g_assert_cmpuint (run->elapsed_ns, >=, 60 * MS);
            g_assert_cmpfloat_with_epsilon (run->bandwidth_bytes_per_s,
                                            (gdouble) run->bytes * 1e9 / (gdouble) run->elapsed_ns,
                                            1.0);
            g_assert_cmpuint (run->ios * test->block_size_bytes, ==, run->bytes);
            g_assert_cmpuint (run->min_ns, <=, run->p50_ns);
            g_assert_cmpuint (run->p99_ns, <=, run->max_ns);
            if (test->direction == DG_DIRECTION_MIX)
                g_assert_cmpuint (run->read_bytes + run->write_bytes, ==, run->bytes);
            else
                g_assert_cmpuint (run->read_bytes, ==, DG_DOC_UNKNOWN);
            if (test->direction == DG_DIRECTION_WRITE)
                written += run->bytes;
        }
    }
    g_assert_cmpuint (view->bytes_written, >=, written + 8 * MIB);
    g_assert_cmpuint (watch.n_changes, >=, 2);
    g_assert_false (watch.went_back);
    g_assert_cmpfloat (watch.greatest_fraction, >, 0.5);
    assert_round_trip (watch.document);
    assert_folder_is_empty ();

    g_autoptr (GFile) file = dg_library_file (view->id);
    g_autoptr (DgDocument) saved = dg_document_load (file, &watch.error);
    g_assert_no_error (watch.error);
    g_assert_true (json_equal (dg_document_json (saved), dg_document_json (watch.document)));
    dg_document_unref (watch.document);
    dg_options_clear (&options);
}

/* One row again: the other tests are copied, each with its own start, and no time lies before the
 * document's. */
static void
test_row_alone (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch first = { 0 }, second = { 0 };
    set_options (&options);
    options.directions[DG_DIRECTION_WRITE] = FALSE;
    measure (&first, runner, &options, folder, NULL, FALSE);
    g_assert_no_error (first.error);
    options.only_test = 1;
    /* The document at hand may be the runner's own. */
    measure (&second, runner, &options, folder, dg_runner_get_document (runner), FALSE);
    g_assert_no_error (second.error);
    const DgDocView *before = dg_document_view (first.document),
                    *after = dg_document_view (second.document);
    g_assert_cmpstr (before->id, !=, after->id);
    g_assert_cmpuint (after->n_tests, ==, 2);
    g_assert_cmpstr (after->started, ==, before->started);
    g_assert_cmpstr (after->tests[0].name, ==, "SEQ256K Q4T1");
    g_assert_cmpstr (after->tests[0].started, ==, before->tests[0].started);
    g_assert_cmpstr (after->tests[1].name, ==, "RND4K Q1T1");
    g_assert_cmpstr (after->tests[1].started, !=, before->tests[1].started);
    g_assert_cmpuint (after->tests[1].runs[0].started_ns, >, before->tests[1].runs[1].started_ns);
    g_assert_cmpuint (after->bytes_read, >, before->bytes_read);
    dg_document_unref (first.document);
    dg_document_unref (second.document);
    dg_options_clear (&options);
}

static void
test_stop (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch watch = { .stop_at_tick = 25 };
    set_options (&options);
    options.runs = 9;
    options.duration_ns = 1000 * (guint64) MS;
    gint64 before = g_get_monotonic_time ();
    measure (&watch, runner, &options, folder, NULL, TRUE);
    g_assert_cmpint (g_get_monotonic_time () - before, <, 4 * G_USEC_PER_SEC);
    g_assert_no_error (watch.error);
    const DgDocView *view = dg_document_view (watch.document);
    g_assert_cmpstr (view->state, ==, "stopped");
    g_assert_cmpuint (view->n_tests, ==, 4);
    g_assert_cmpint (view->tests[3].state, ==, DG_DOC_NOT_RUN);
    g_assert_cmpstr (view->tests[3].reason, ==, "stopped-before");
    g_assert_cmpint (view->tests[3].shown, ==, -1);
    g_autoptr (GFile) file = dg_library_file (view->id);
    g_assert_true (g_file_query_exists (file, NULL));
    assert_folder_is_empty ();
    dg_document_unref (watch.document);
    dg_options_clear (&options);
}

/* While the file is still being prepared: a document all the same, in which nothing was run. */
static void
test_stop_early (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch watch = { .stop_at_tick = 1 };
    set_options (&options);
    options.size_bytes = 1024 * MIB;
    measure (&watch, runner, &options, folder, NULL, FALSE);
    g_assert_no_error (watch.error);
    const DgDocView *view = dg_document_view (watch.document);
    g_assert_cmpstr (view->state, ==, "stopped");
    g_assert_cmpuint (view->n_tests, ==, 4);
    for (guint i = 0; i < view->n_tests; i++) {
        g_assert_cmpint (view->tests[i].state, ==, DG_DOC_NOT_RUN);
        g_assert_cmpuint (view->tests[i].n_runs, ==, 0);
    }
    g_assert_cmpuint (view->bytes_written, <, 1024 * MIB);
    assert_round_trip (watch.document);
    assert_folder_is_empty ();
    dg_document_unref (watch.document);
    dg_options_clear (&options);
}

/* What the list knows to be unusable is not even tried. */
static void
test_unusable (void)
{
    static const struct {
        DgTargetUse use;
        DgAppErrorCode code;
    } uses[] = { { DG_TARGET_NOT_MOUNTED, DG_APP_ERROR_TARGET },
                 { DG_TARGET_READ_ONLY, DG_APP_ERROR_TARGET },
                 { DG_TARGET_NO_PERMISSION, DG_APP_ERROR_TARGET },
                 { DG_TARGET_NO_ANSWER, DG_APP_ERROR_TARGET },
                 { DG_TARGET_NOT_A_DISK, DG_APP_ERROR_TARGET },
                 { DG_TARGET_FULL, DG_APP_ERROR_SPACE } };
    DgOptions options;
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    set_options (&options);
    g_assert_cmpint (dg_targets_find (NULL, folder, &list, &detail), ==, 0);
    for (guint i = 0; i < G_N_ELEMENTS (uses); i++) {
        g_autoptr (DgRunner) runner = dg_runner_new ();
        Watch watch = { .loop = g_main_loop_new (NULL, FALSE) };
        list->targets[0].use = uses[i].use;
        dg_runner_run_async (runner, &options, list, 0, NULL, TRUE, done_cb, &watch);
        g_assert_false (dg_runner_is_running (runner));
        g_main_loop_run (watch.loop);
        g_assert_null (watch.document);
        g_assert_error (watch.error, DG_APP_ERROR, (gint) uses[i].code);
        g_assert_true (g_str_has_suffix (watch.error->message, "."));
        g_clear_error (&watch.error);
        g_main_loop_unref (watch.loop);
    }
    assert_folder_is_empty ();
    dg_targets_free (list);
    dg_options_clear (&options);
}

/* A library that cannot be written loses no figures, and is told of. */
static void
test_library_cannot_be_written (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch watch = { 0 };
    set_options (&options);
    options.only_test = 0;
    options.runs = 1;
    g_autoptr (GFile) results = dg_library_get_folder ();
    g_autofree gchar *path = g_file_get_path (results), *aside = g_strconcat (path, "-aside", NULL);
    g_assert_cmpint (g_rename (path, aside), ==, 0);
    g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
    measure (&watch, runner, &options, folder, NULL, TRUE);
    g_assert_no_error (watch.error);
    g_assert_nonnull (watch.document);
    g_assert_nonnull (dg_runner_get_save_problem (runner));
    g_assert_true (g_str_has_suffix (dg_runner_get_save_problem (runner), "."));
    g_assert_cmpint (g_unlink (path), ==, 0);
    g_assert_cmpint (g_rename (aside, path), ==, 0);
    dg_document_unref (watch.document);
    dg_options_clear (&options);
}

static void
test_target_cannot_be_used (void)
{
    g_autoptr (DgRunner) runner = dg_runner_new ();
    DgOptions options;
    Watch watch = { 0 };
    set_options (&options);
    options.size_bytes = G_GUINT64_CONSTANT (8) << 40;
    measure (&watch, runner, &options, folder, NULL, TRUE);
    g_assert_error (watch.error, DG_APP_ERROR, DG_APP_ERROR_SPACE);
    g_assert_null (watch.document);
    g_assert_null (dg_runner_get_document (runner));
    g_assert_nonnull (strstr (watch.error->message, folder));
    g_assert_cmpint (dg_app_error_exit_status (watch.error), ==, 3);
    assert_folder_is_empty ();
    g_clear_error (&watch.error);
    /* The same object serves again. */
    options.size_bytes = 8 * MIB;
    options.only_test = 0;
    options.runs = 1;
    measure (&watch, runner, &options, folder, NULL, FALSE);
    g_assert_no_error (watch.error);
    g_assert_true (isnan (dg_document_view (watch.document)->tests[0].spread_percent));
    dg_document_unref (watch.document);
    dg_options_clear (&options);
}

/* Two runs on one drive at once, in one process: both learn of it. */
static void
test_also_running (void)
{
    g_autoptr (DgRunner) one = dg_runner_new (), other = dg_runner_new ();
    DgOptions options;
    Watch first = { 0 }, second = { 0 };
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    set_options (&options);
    options.duration_ns = 400 * MS;
    options.only_test = 0;
    g_assert_cmpint (dg_targets_find (NULL, folder, &list, &detail), ==, 0);
    first.loop = g_main_loop_new (NULL, FALSE);
    dg_runner_run_async (one, &options, list, 0, NULL, FALSE, done_cb, &first);
    measure (&second, other, &options, folder, NULL, FALSE);
    if (first.document == NULL)
        g_main_loop_run (first.loop);
    g_main_loop_unref (first.loop);
    dg_targets_free (list);
    g_assert_no_error (first.error);
    g_assert_no_error (second.error);
    for (guint i = 0; i < 2; i++) {
        const DgDocView *view = dg_document_view (i == 0 ? first.document : second.document);
        gboolean found = FALSE;
        g_assert_cmpint (view->targets[0].also_running, ==, 1);
        for (guint k = 0; k < view->n_findings; k++)
            found |= strcmp (view->findings[k].id, "also-running") == 0;
        g_assert_true (found);
    }
    dg_document_unref (first.document);
    dg_document_unref (second.document);
    dg_options_clear (&options);
}

static void
remove_tree (const gchar *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    const gchar *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *child = g_build_filename (path, name, NULL);
        if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
            remove_tree (child);
        else
            g_unlink (child);
    }
    g_rmdir (path);
}

int
main (int argc, char **argv)
{
    g_autofree gchar *home = g_dir_make_tmp ("dg-runner-XXXXXX", NULL);
    g_autofree gchar *runtime = g_build_filename (home, "run", NULL);
    g_setenv ("XDG_DATA_HOME", home, TRUE);
    g_setenv ("XDG_CONFIG_HOME", home, TRUE);
    g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
    g_mkdir (runtime, 0700);
    folder = g_build_filename (home, "target", NULL);
    g_mkdir (folder, 0700);
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/runner/done", test_done);
    g_test_add_func ("/runner/row-alone", test_row_alone);
    g_test_add_func ("/runner/stop", test_stop);
    g_test_add_func ("/runner/stop-early", test_stop_early);
    g_test_add_func ("/runner/unusable", test_unusable);
    g_test_add_func ("/runner/library-cannot-be-written", test_library_cannot_be_written);
    g_test_add_func ("/runner/target-cannot-be-used", test_target_cannot_be_used);
    g_test_add_func ("/runner/also-running", test_also_running);
    int status = g_test_run ();
    remove_tree (home);
    g_free (folder);
    return status;
}
