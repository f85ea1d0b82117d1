/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thousand damaged documents from a fixed seed: each is read or refused with a sentence,
 * described and written again, and nothing crashes. */
#include "app/core/app-error.h"
#include "app/core/document.h"
#include "app/core/findings.h"

#include <string.h>

#define ROUNDS 1000u
#define SEED   20251130u

static gchar *sample;
static gsize sample_length;

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
    g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
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
    g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
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

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
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
    int status = g_test_run ();
    free (sample);
    return status;
}
