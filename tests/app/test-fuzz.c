/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thousand damaged documents from a fixed seed ($DRIVEGAUGE_FUZZ_SEED: another): each is read or
 * refused with a sentence, described, shown in each form and written again, and nothing crashes. */
#include "app/core/app-error.h"
#include "app/core/document.h"
#include "app/core/findings.h"
#include "app/core/numbers.h"
#include "app/report/card.h"
#include "app/report/report.h"

#include <string.h>

#define ROUNDS       1000u
#define SEED         20251130u
#define CARD_EACH    20u /* a picture takes as long as a hundred texts */
#define LONGEST_TEXT (4u << 20)

static gchar *sample;
static gsize sample_length;
static guint32 seed = SEED;
static guint n_shown;

static void
show (const DgDocView *view)
{
    gchar *(*const forms[]) (const DgDocView *) = { dg_report_text, dg_report_markdown,
                                                    dg_report_bbcode, dg_report_csv };

    for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
        g_autofree gchar *text = forms[i](view);
        g_assert_true (g_utf8_validate (text, -1, NULL));
        g_assert_cmpuint (strlen (text), <, LONGEST_TEXT);
        for (const gchar *at = text; *at != '\0'; at++)
            g_assert_true ((guchar) *at >= ' ' || *at == '\n' || *at == '\r');
    }
    if (n_shown++ % CARD_EACH != 0)
        return;
    DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1, .unit = DG_UNIT_MB };
    cairo_surface_t *surface = dg_card_render (view, &options);
    g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
    cairo_surface_destroy (surface);
}

/* Everything that a reader of a document does. */
static void
use (DgDocument *document)
{
    g_autoptr (GError) error = NULL;
    dg_document_renew_findings (document);
    const DgDocView *view = dg_document_view (document);
    for (guint i = 0; i < view->n_findings; i++) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        dg_finding_describe (view, &view->findings[i], &title, &sentence);
        g_assert_true (g_utf8_validate (title, -1, NULL));
        g_assert_true (g_utf8_validate (sentence, -1, NULL));
    }
    for (guint i = 0; i < view->n_tests; i++)
        g_assert_cmpint (view->tests[i].shown, <, (gint) view->tests[i].n_runs);
    show (view);
    g_autofree gchar *without = dg_document_to_text (document, FALSE);
    g_assert_true (g_utf8_validate (without, -1, NULL));
    g_autofree gchar *text = dg_document_to_text (document, TRUE);
    g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
    g_autoptr (DgDocument) again = dg_document_new_from_bytes (bytes, &error);
    if (view->state_code != DG_DOC_RUNNING) {
        g_assert_no_error (error);
        g_assert_true (json_equal (dg_document_json (again), dg_document_json (document)));
    }
}

static gboolean
read_and_use (const gchar *text, gsize length)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = g_bytes_new (text, length);
    g_autoptr (DgDocument) document = dg_document_new_from_bytes (bytes, &error);
    if (document == NULL) {
        g_assert_cmpint (error->domain, ==, DG_APP_ERROR);
        g_assert_true (g_utf8_validate (error->message, -1, NULL));
        return FALSE;
    }
    use (document);
    return TRUE;
}

static void
test_bytes (void)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    for (guint i = 0; i < ROUNDS; i++) {
        gsize length = sample_length;
        g_autofree gchar *text = g_memdup2 (sample, length);
        guint n = (guint) g_rand_int_range (random, 1, 6);
        for (guint k = 0; k < n; k++) {
            gsize at = (gsize) g_rand_int_range (random, 0, (gint32) length);
            text[at] = (gchar) g_rand_int_range (random, 0, 256);
        }
        if (g_rand_int_range (random, 0, 4) == 0)
            length = (gsize) g_rand_int_range (random, 0, (gint32) length);
        read_and_use (text, length);
    }
}

/* ---- trees ---- */

static json_t *
random_value (GRand *random)
{
    switch (g_rand_int_range (random, 0, 12)) {
    case 0:
        return json_null ();
    case 1:
        return json_true ();
    case 2:
        return json_integer (-1);
    case 3:
        return json_integer (G_MAXINT64);
    case 4:
        return json_integer (G_MININT64);
    case 5:
        return json_integer (g_rand_int_range (random, 0, 100));
    case 6:
        return json_real (1e308);
    case 7:
        return json_real (-1e-308);
    case 8:
        return json_string ("<b>%s%n\u202E</b>");
    case 9:
        return json_pack ("[i, {s:i}, []]", 1, "a", 2);
    case 10:
        return json_object ();
    default:
        return json_array ();
    }
}

/* Walks to a random place and puts something else there, or nothing. */
static void
damage (GRand *random, json_t *at)
{
    for (guint depth = 0; depth < 12; depth++) {
        gboolean is_array = json_is_array (at);
        gsize n = is_array ? json_array_size (at) : json_object_size (at);
        if (n == 0)
            return;
        gsize pick = (gsize) g_rand_int_range (random, 0, (gint32) n);
        const gchar *key = NULL;
        json_t *child;
        if (is_array) {
            child = json_array_get (at, pick);
        } else {
            void *iterator = json_object_iter (at);
            for (gsize i = 0; i < pick; i++)
                iterator = json_object_iter_next (at, iterator);
            key = json_object_iter_key (iterator);
            child = json_object_iter_value (iterator);
        }
        gboolean is_leaf = !json_is_array (child) && !json_is_object (child);
        if (!is_leaf && g_rand_int_range (random, 0, 4) != 0) {
            at = child;
            continue;
        }
        if (is_array)
            json_array_set_new (at, pick, random_value (random));
        else if (g_rand_int_range (random, 0, 5) == 0)
            json_object_del (at, key);
        else
            json_object_set_new (at, key, random_value (random));
        return;
    }
}

static void
test_trees (void)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    json_t *root = json_loadb (sample, sample_length, 0, NULL);
    guint n_read = 0;
    for (guint i = 0; i < ROUNDS; i++) {
        json_t *copy = json_deep_copy (root);
        guint n = (guint) g_rand_int_range (random, 1, 40);
        json_t *tests = json_object_get (copy, "tests");
        for (guint k = 0; k < n; k++) {
            gsize test = (gsize) g_rand_int_range (random, 0, (gint32) json_array_size (tests));
            damage (random, k % 3 == 0   ? json_array_get (json_object_get (copy, "targets"), 0)
                            : k % 3 == 1 ? json_array_get (tests, test)
                                         : json_object_get (copy, "plan"));
        }
        if (g_rand_int_range (random, 0, 4) == 0)
            damage (random, copy);
        g_autofree gchar *text = json_dumps (copy, 0);
        n_read += read_and_use (text, strlen (text)) ? 1 : 0;
        json_decref (copy);
    }
    /* Damage below the required keys must not make a document unreadable. */
    g_assert_cmpuint (n_read, >, ROUNDS / 4);
    json_decref (root);
}

/* ---- few bytes that ask for many ---- */

static json_t *
repeat (guint n, const char *format)
{
    json_t *list = json_array ();
    for (guint i = 0; i < n; i++)
        json_array_append_new (list, json_pack (format, "name", "x"));
    return list;
}

/* A chain that stands in the line of each run: a megabyte of JSON, and gigabytes of CSV. */
static void
test_amplified (void)
{
    g_autoptr (GError) error = NULL;
    json_t *root = json_loadb (sample, sample_length, 0, NULL);
    json_t *link = json_object_get (json_array_get (json_object_get (root, "targets"), 0), "link");
    json_object_set_new (link, "path", repeat (20000, "{s:s}"));
    json_t *test = json_array_get (json_object_get (root, "tests"), 0);
    json_object_set_new (test, "runs", repeat (20000, "{s:s}"));
    g_autofree gchar *text = json_dumps (root, 0);
    json_decref (root);
    g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
    g_autoptr (DgDocument) document = dg_document_new_from_bytes (bytes, &error);
    g_assert_no_error (error);
    g_autofree gchar *csv = dg_report_csv (dg_document_view (document));
    g_assert_cmpuint (strlen (csv), >, strlen (text));
    g_assert_cmpuint (strlen (csv), <, 80u << 20);
    g_assert_true (g_str_has_suffix (csv, "\r\n"));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    const gchar *given = g_getenv ("DRIVEGAUGE_FUZZ_SEED");
    if (given != NULL)
        seed = (guint32) g_ascii_strtoull (given, NULL, 10);
    g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "documents", "t7.json", NULL);
    json_t *root = json_load_file (path, 0, NULL);
    json_t *tests = json_object_get (root, "tests");
    json_object_set_new (
        root, "tests", json_pack ("[O, O]", json_array_get (tests, 3), json_array_get (tests, 6)));
    sample = json_dumps (root, JSON_INDENT (1));
    sample_length = strlen (sample);
    json_decref (root);
    g_test_add_func ("/fuzz/bytes", test_bytes);
    g_test_add_func ("/fuzz/trees", test_trees);
    g_test_add_func ("/fuzz/amplified", test_amplified);
    int status = g_test_run ();
    free (sample);
    return status;
}
