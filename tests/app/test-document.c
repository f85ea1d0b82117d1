/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents: what is read, what is kept, what is refused. */
#include "app/core/app-error.h"
#include "app/core/document.h"
#include "tests/app/private.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static DgDocument *
load (const gchar *name, GError **error)
{
    g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "documents", name, NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    return dg_document_load (file, error);
}

static DgDocument *
load_sample (void)
{
    g_autoptr (GError) error = NULL;
    DgDocument *document = load ("t7.json", &error);
    g_assert_no_error (error);
    return document;
}

static DgDocument *
parse (const gchar *text, gssize length, GError **error)
{
    g_autoptr (GBytes) bytes = g_bytes_new (text, length < 0 ? strlen (text) : (gsize) length);
    return dg_document_new_from_bytes (bytes, error);
}

static void
test_view (void)
{
    g_autoptr (DgDocument) document = load_sample ();
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpstr (view->id, ==, "5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11");
    g_assert_cmpint (view->state_code, ==, DG_DOC_DONE);
    g_assert_cmpstr (view->profile_id, ==, "default");
    g_assert_cmpuint (view->runs, ==, 0);
    g_assert_true (view->has_direction[DG_DIRECTION_READ] && view->has_direction[DG_DIRECTION_WRITE]
                   && !view->has_direction[DG_DIRECTION_MIX]);
    g_assert_cmpuint (view->mix_read_percent, ==, DG_DOC_UNKNOWN);
    g_assert_cmpuint (view->n_targets, ==, 1);
    g_assert_cmpstr (view->targets[0].drive.model, ==, "T7 Shield");
    g_assert_cmpuint (view->targets[0].link.n_path, ==, 5);
    g_assert_cmpuint (view->targets[0].link.path[4].up_bits_per_s, ==, DG_DOC_UNKNOWN);
    g_assert_true (view->targets[0].link.path[1].is_narrowest);
    g_assert_cmpuint (view->n_tests, ==, 8);
    const DgDocTest *test = &view->tests[6];
    g_assert_cmpstr (test->name, ==, "RND4K Q32T1");
    g_assert_cmpint (test->direction, ==, DG_DIRECTION_WRITE);
    g_assert_cmpint (test->access, ==, DG_ACCESS_RANDOM);
    g_assert_cmpuint (test->n_runs, ==, 9);
    g_assert_cmpfloat_with_epsilon (test->spread_percent, 4.2, 0.01);
    const DgDocRun *run = &test->runs[test->shown];
    g_assert_cmpuint (run->n_samples, ==, 20);
    g_assert_cmpuint (run->sample_step_ns, ==, 100000000);
    g_assert_cmpuint (run->read_bytes, ==, DG_DOC_UNKNOWN);
    g_assert_cmpfloat_with_epsilon (run->bandwidth_bytes_per_s,
                                    (gdouble) run->bytes * 1e9 / (gdouble) run->elapsed_ns, 1e-3);
    g_assert_cmpuint (view->tests[0].flush_ns, ==, DG_DOC_UNKNOWN);
}

/* Every key of the tree is there again after saving, the ones that nobody here knows included. */
static void
test_unknown_keys (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) sample = load_sample ();
    json_t *root = json_deep_copy (dg_document_json (sample));
    json_object_set_new (root, "x_colour", json_string ("plum"));
    json_object_set_new (json_array_get (json_object_get (root, "targets"), 0), "x_shelf",
                         json_integer (4));
    json_t *sweep = json_pack ("{s:s, s:s, s:[i, i], s:{s:b}}", "kind", "weighing", "name",
                               "Weight", "grams", 31, 32, "runs", "x", 1);
    json_array_append_new (json_object_get (root, "tests"), sweep);
    json_array_append_new (json_object_get (root, "findings"),
                           json_pack ("{s:s, s:s, s:s}", "id", "too-heavy", "severity", "warning",
                                      "text", "It is heavy."));
    g_autoptr (DgDocument) document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (dg_document_view (document)->tests[8].name, ==, "Weight");
    g_assert_cmpuint (dg_document_view (document)->tests[8].n_runs, ==, 0);

    dg_document_renew_findings (document);
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    g_autoptr (DgDocument) again = parse (text, -1, &error);
    g_assert_no_error (error);
    /* The findings are made anew, and the unknown one moves to their end. */
    json_t *findings = json_object_get (dg_document_json (again), "findings");
    g_assert_cmpstr (json_string_value (json_object_get (
                         json_array_get (findings, json_array_size (findings) - 1), "id")),
                     ==, "too-heavy");
    json_object_del (root, "findings");
    json_object_del (dg_document_json (again), "findings");
    g_assert_true (json_equal (root, dg_document_json (again)));
    json_decref (root);
}

static void
refused (const gchar *text, gssize length, gint code)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) document = parse (text, length, &error);
    g_assert_null (document);
    g_assert_error (error, DG_APP_ERROR, code);
    g_assert_cmpuint (strlen (error->message), >, 30);
    g_assert_true (g_str_has_suffix (error->message, "."));
}

static void
test_refused (void)
{
    refused ("", 0, DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("{", -1, DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("[]", -1, DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("null", -1, DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("\xff\xfe{}", -1, DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("{\"format\": \"drivegauge-result\", \"version\": 2}", -1,
             DG_APP_ERROR_DOCUMENT_NEWER);
    refused ("{\"format\": \"drivegauge-result\", \"version\": 99999999999}", -1,
             DG_APP_ERROR_DOCUMENT_NEWER);
    refused ("{\"format\": \"drivegauge-result\", \"version\": \"1\"}", -1,
             DG_APP_ERROR_DOCUMENT_INVALID);
    refused ("{\"format\": \"drivegauge-result\", \"version\": 1}", -1,
             DG_APP_ERROR_DOCUMENT_INVALID);

    g_autofree gchar *deep = g_strnfill (5000000, '[');
    refused (deep, -1, DG_APP_ERROR_DOCUMENT_TOO_LARGE);
    g_autofree gchar *huge = g_malloc0 (64u * 1024u * 1024u + 1u);
    refused (huge, 64 * 1024 * 1024 + 1, DG_APP_ERROR_DOCUMENT_TOO_LARGE);

    GString *wide = g_string_new ("{\"a\": [0");
    for (guint i = 0; i < 1000000; i++)
        g_string_append (wide, ",0");
    g_string_append (wide, "]}");
    refused (wide->str, -1, DG_APP_ERROR_DOCUMENT_TOO_LARGE);
    g_string_free (wide, TRUE);
}

/* Each required key, taken away and given another type. */
static void
test_required (void)
{
    static const gchar *const keys[] = { "format",  "version", "id",      "started",
                                         "state",   "origin",  "program", "host",
                                         "targets", "plan",    "tests" };
    g_autoptr (DgDocument) sample = load_sample ();
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        for (guint with = 0; with < 2; with++) {
            g_autoptr (GError) error = NULL;
            json_t *root = json_copy (dg_document_json (sample));
            if (with)
                json_object_set_new (root, keys[i], json_true ());
            else
                json_object_del (root, keys[i]);
            g_assert_null (dg_document_new_from_json (root, &error));
            g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID);
            json_decref (root);
        }
    json_t *root = json_copy (dg_document_json (sample));
    json_object_set_new (root, "id", json_string ("../../../etc/passwd"));
    g_assert_null (dg_document_new_from_json (root, NULL));
    /* A test that still goes on is never saved. */
    json_object_set_new (root, "id", json_string ("5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11"));
    json_object_set_new (root, "state", json_string ("running"));
    char *text = json_dumps (root, 0);
    refused (text, -1, DG_APP_ERROR_DOCUMENT_INVALID);
    free (text);
    json_decref (root);
}

static void
test_file (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) document = load_sample ();
    g_autofree gchar *folder = g_dir_make_tmp ("dg-document-XXXXXX", &error);
    g_assert_no_error (error);
    g_autofree gchar *path = g_build_filename (folder, "a.json", NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_assert_true (dg_document_save (document, file, TRUE, &error));
    g_assert_no_error (error);
    assert_private (path, 0600);
    g_autoptr (DgDocument) again = dg_document_load (file, &error);
    g_assert_no_error (error);
    g_assert_true (json_equal (dg_document_json (document), dg_document_json (again)));
    g_assert_cmpint (g_unlink (path), ==, 0);

    g_assert_null (dg_document_load (file, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID);
    g_clear_error (&error);
    g_autoptr (GFile) here = g_file_new_for_path (folder);
    g_assert_null (dg_document_load (here, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID);
    g_clear_error (&error);
    /* 100 MB of nothing: refused by its size, before it is read. */
    g_autofree gchar *large_path = g_build_filename (folder, "large.json", NULL);
    g_assert_true (g_file_set_contents (large_path, "{", 1, NULL));
    g_assert_cmpint (truncate (large_path, 100000000), ==, 0);
    g_autoptr (GFile) large = g_file_new_for_path (large_path);
    g_assert_null (dg_document_load (large, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_TOO_LARGE);
    g_clear_error (&error);
    g_assert_cmpint (g_unlink (large_path), ==, 0);
    g_autoptr (GFile) nowhere = g_file_new_build_filename (folder, "no", "where.json", NULL);
    g_assert_false (dg_document_save (document, nowhere, TRUE, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_OUTPUT);
    g_assert_cmpint (dg_app_error_exit_status (error), ==, 3);
    g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* What never ends, and what nobody writes into, must not hold anybody up. */
static void
test_special (void)
{
#ifdef G_OS_WIN32
    static const gchar *const names[] = { "\\\\.\\NUL", "\\\\.\\C:", "\\\\.\\PhysicalDrive0",
                                          "\\\\.\\pipe\\drivegauge-test-nobody" };
#else
    g_autofree gchar *fifo = g_build_filename (g_get_tmp_dir (), "dg-document-fifo", NULL);
    g_unlink (fifo);
    g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
    const gchar *const names[] = { "/dev/zero", "/dev/null", fifo };
#endif
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (GFile) file = g_file_new_for_path (names[i]);
        g_assert_null (dg_document_load (file, &error));
        g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID);
    }
#ifndef G_OS_WIN32
    g_assert_cmpint (g_unlink (fifo), ==, 0);
#endif
}

static void
test_without_identity (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) sample = load_sample ();
    json_t *layers = json_object_get (
        json_array_get (json_object_get (dg_document_json (sample), "targets"), 0), "layers");
    json_array_append_new (layers, json_string ("crypt dm-0 (luks-5d1f-secret)"));
    g_autofree gchar *text = dg_document_to_text (sample, FALSE);
    g_assert_null (strstr (text, "0123456789abcdef"));
    g_assert_null (strstr (text, "/media"));
    g_assert_null (strstr (text, "6E3F-1D2C"));
    g_assert_null (strstr (text, "uid=1000"));
    g_assert_null (strstr (text, "secret"));
    g_assert_nonnull (strstr (text, "crypt dm-0"));
    g_autoptr (DgDocument) again = parse (text, -1, &error);
    g_assert_no_error (error);
    g_assert_null (dg_document_view (again)->targets[0].drive.identity);
    g_assert_cmpstr (dg_document_view (again)->targets[0].label, ==, "T7 Shield");
    /* The one at hand keeps what it has. */
    g_assert_nonnull (dg_document_view (sample)->targets[0].drive.identity);
}

static void
test_hostile_text (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) sample = load_sample ();
    json_t *root = json_deep_copy (dg_document_json (sample));
    json_t *target = json_array_get (json_object_get (root, "targets"), 0);
    g_autofree gchar *label = g_strnfill (10000, 'x');
    json_object_set_new (target, "label", json_string (label));
    json_object_set_new (root, "comment", json_string ("<b>a</b>\x1b[31m\n\u202Eevil\u202C"));
    g_autoptr (DgDocument) document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpint (g_utf8_strlen (view->targets[0].label, -1), ==, 256);
    g_assert_cmpstr (view->comment, ==, "<b>a</b>\uFFFD[31m\uFFFD\uFFFDevil\uFFFD");

    g_autofree gchar *comment = g_strnfill (10000, 'y');
    dg_document_set_comment (document, comment);
    g_assert_cmpint (g_utf8_strlen (view->comment, -1), ==, 256);
    dg_document_set_comment (document, "Rear port");
    g_assert_cmpstr (json_string_value (json_object_get (dg_document_json (document), "comment")),
                     ==, "Rear port");
    dg_document_set_comment (document, "");
    g_assert_null (view->comment);
    g_assert_null (json_object_get (dg_document_json (document), "comment"));
    json_decref (root);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/document/view", test_view);
    g_test_add_func ("/document/unknown-keys", test_unknown_keys);
    g_test_add_func ("/document/refused", test_refused);
    g_test_add_func ("/document/required", test_required);
    g_test_add_func ("/document/file", test_file);
    g_test_add_func ("/document/special", test_special);
    g_test_add_func ("/document/without-identity", test_without_identity);
    g_test_add_func ("/document/hostile-text", test_hostile_text);
    return g_test_run ();
}
