/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found is said in whole sentences, whatever is not known. */
#include "tests/app/finding-cases.h"

#include <string.h>

/* Whole sentences without a hole or a dash for what is missing. */
static void
assert_is_whole (const DgDocView *view, const DgDocFinding *finding, const gchar *missing)
{
    static const gchar *const holes[] = {
        "—",  "  ", " .",   " ,",  " ;",  "()",   "( ",
        " )", "“”", "by .", "inf", "nan", "null", "18446744073709551615",
        "?"
    };
    g_autofree gchar *title = NULL, *sentence = NULL;
    dg_finding_describe (view, finding, &title, &sentence);
    g_autofree gchar *whole = g_strdup_printf ("%s %s", title, sentence);
    g_test_message ("%s is missing: %s", missing, whole);
    g_assert_true (g_str_has_suffix (title, ":") || g_str_has_suffix (title, "."));
    g_assert_true (g_str_has_suffix (sentence, "."));
    g_assert_cmpint (g_utf8_strlen (sentence, -1), >, 40);
    for (guint i = 0; i < G_N_ELEMENTS (holes); i++)
        if (strstr (whole, holes[i]) != NULL)
            g_error ("%s is missing: %s", missing, whole);
    if (g_str_has_suffix (title, "."))
        g_assert_false (g_str_has_prefix (sentence, "a ") || g_str_has_prefix (sentence, "this "));
}

static void
look_at_finding (json_t *root, const gchar *missing)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) document = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, 1);
    assert_is_whole (view, &view->findings[0], missing);
}

/* Of a finding in a file: each of its values alone, all of them, the test that it names. */
static void
test_values_missing (gconstpointer data)
{
    const FindingCase *c = data;
    g_autoptr (DgDocument) document = finding_case_document (c);
    json_t *root = json_deep_copy (dg_document_json (document)),
           *finding = json_array_get (json_object_get (root, "findings"), 0);
    const gchar *key;
    json_t *value;
    json_object_foreach (json_object_get (finding, "values"), key, value)
    {
        json_t *changed = json_deep_copy (root);
        json_t *there = json_array_get (json_object_get (changed, "findings"), 0);
        json_object_set_new (json_object_get (there, "values"), key, json_null ());
        look_at_finding (changed, key);
        json_object_set_new (there, "test", json_null ());
        json_object_set_new (there, "target", json_null ());
        look_at_finding (changed, "its test");
        json_decref (changed);
    }
    json_object_set_new (finding, "values", json_object ());
    look_at_finding (root, "each value");
    json_object_set_new (finding, "test", json_null ());
    look_at_finding (root, "each value and the test");
    json_decref (root);
}

static void
look_at_all (json_t *root, const gchar *missing)
{
    g_autoptr (DgDocument) document = make_document (root);
    const DgDocView *view = dg_document_view (document);
    for (guint i = 0; i < view->n_findings; i++)
        assert_is_whole (view, &view->findings[i], missing);
}

/* Each key below `at` is null once: what is still found is said in full. */
static void
without_each (json_t *root, json_t *at, const gchar *path)
{
    if (json_is_array (at)) {
        /* Elements of a kind: samples would be thousands. */
        for (gsize i = 0; i < MIN (json_array_size (at), 3); i++) {
            g_autofree gchar *below = g_strdup_printf ("%s.%u", path, (guint) i);
            without_each (root, json_array_get (at, i), below);
        }
        return;
    }
    g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
    const gchar *key;
    json_t *value;
    json_object_foreach (at, key, value) g_ptr_array_add (keys, g_strdup (key));
    for (guint i = 0; i < keys->len; i++) {
        g_autofree gchar *below = g_strdup_printf ("%s.%s", path, (gchar *) keys->pdata[i]);
        json_t *kept = json_incref (json_object_get (at, keys->pdata[i]));
        json_object_set_new (at, keys->pdata[i], json_null ());
        look_at_all (root, below);
        json_object_set (at, keys->pdata[i], kept);
        without_each (root, kept, below);
        json_decref (kept);
    }
}

static void
test_inputs_missing (gconstpointer data)
{
    const FindingCase *c = data;
    json_t *root = make_base (c->n_runs);
    for (guint i = 0; i < G_N_ELEMENTS (c->changes) && c->changes[i] != NULL; i++)
        edit (root, c->changes[i]);
    static const gchar *const rooms[] = { "host", "targets", "plan", "tests", "temperatures" };
    for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
        without_each (root, json_object_get (root, rooms[i]), rooms[i]);
    json_decref (root);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < n_finding_cases; i++) {
        if (finding_cases[i].id[0] == '\0')
            continue;
        g_autofree gchar *values =
            g_strdup_printf ("/findings/values-missing/%s/%u", finding_cases[i].id, i);
        g_autofree gchar *inputs =
            g_strdup_printf ("/findings/inputs-missing/%s/%u", finding_cases[i].id, i);
        g_test_add_data_func (values, &finding_cases[i], test_values_missing);
        g_test_add_data_func (inputs, &finding_cases[i], test_inputs_missing);
    }
    return g_test_run ();
}
