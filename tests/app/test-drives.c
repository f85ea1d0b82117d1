/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a drive's sysfs to the sentence: each recorded or built machine of tests/engine becomes a
 * document, whose link is read back and whose findings are expected in links/NAME.txt. With --write
 * they are written there (then read what changed). */
#include "app/core/document-build.h"
#include "app/core/findings.h"
#include "tests/app/stacks-built.h"

#include <string.h>

static const gchar *engine_folder;
static gchar *expected_folder;
static gboolean is_writing;

/* The same document with one test that read at `rate`. */
static DgDocument *
with_test (DgDocument *document, gdouble rate)
{
    g_autoptr (GError) error = NULL;
    json_t *root = json_deep_copy (dg_document_json (document));
    json_t *run = json_pack ("{s:I, s:I, s:I, s:I, s:f, s:f, s:s, s:s, s:b, s:I, s:I, s:[]}",
                             "started_ns", (json_int_t) 1000000000, "bytes",
                             (json_int_t) (rate * 2), "ios", (json_int_t) 2000, "elapsed_ns",
                             (json_int_t) 2000000000, "bandwidth_bytes_per_s", rate, "iops", 1000.0,
                             "backend", "io_uring", "direct", "proved", "used", 1, "first_io_ns",
                             (json_int_t) 1000000, "foreign_bytes", (json_int_t) 0, "errors");
    json_t *test = json_pack (
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:i, s:[o], s:{s:i, s:s, s:n}}", "kind", "speed",
        "name", "SEQ1M Q1T1", "direction", "read", "state", "done", "block_size_bytes", 1048576,
        "queue_depth", 1, "threads", 1, "access", "sequential", "read_percent", 100, "runs", run,
        "shown", "run", 0, "statistic", "median", "spread_percent");
    g_assert_nonnull (test);
    json_array_append_new (json_object_get (root, "tests"), test);
    DgDocument *made = dg_document_new_from_json (root, &error);
    g_assert_no_error (error);
    json_decref (root);
    dg_document_renew_findings (made);
    return made;
}

static void
append_findings (GString *text, const gchar *when, DgDocument *document, gboolean with_sentence)
{
    const DgDocView *view = dg_document_view (document);
    g_string_append_printf (text, "  %s:", when);
    if (view->n_findings == 0)
        g_string_append (text, " nothing");
    for (guint i = 0; i < view->n_findings; i++) {
        static const gchar *const severities[] = { "info", "warning", "invalid" };
        const DgDocFinding *finding = &view->findings[i];
        if (with_sentence)
            g_string_append_printf (text, "\n    %s (%s) %s", finding->id,
                                    severities[finding->severity], finding->text);
        else
            g_string_append_printf (text, " %s", finding->id);
    }
    g_string_append_c (text, '\n');
}

static const gchar *
known (const gchar *text)
{
    return text != NULL ? text : "-";
}

static void
append_file_system (GString *text, const DgDocTarget *target)
{
    g_autofree gchar *layers = g_strjoinv (", ", target->layers);
    g_string_append_printf (text, "  %s (%s)%s%s\n", known (target->filesystem),
                            known (target->filesystem_kind), *layers ? " on " : "", layers);
}

static void
append_link (GString *text, const DgDocTarget *target)
{
    const DgDocLink *link = &target->link;
    if (!target->has_link) {
        g_string_append (text, "  no link\n");
        return;
    }
    g_string_append_printf (text, "  link %s | %s | %s | %s | uas offered %d\n", known (link->kind),
                            known (link->name), known (link->short_name), known (link->protocol),
                            link->uas_offered);
    if (link->ceiling_bytes_per_s != DG_DOC_UNKNOWN)
        g_string_append_printf (text,
                                "  carries %" G_GUINT64_FORMAT ", usual %" G_GUINT64_FORMAT
                                " to %" G_GUINT64_FORMAT "\n",
                                link->after_coding_bytes_per_s, link->practical_low_bytes_per_s,
                                link->ceiling_bytes_per_s);
    for (guint i = 0; i < link->n_path; i++) {
        const DgDocNode *node = &link->path[i];
        g_string_append_printf (text, "  %s %s", node->kind, known (node->name));
        if (node->up_name != NULL)
            g_string_append_printf (text, " =[%s%s]=", node->up_name,
                                    node->is_narrowest ? ", narrowest" : "");
        if (node->up_max_name != NULL)
            g_string_append_printf (text, " of %s", node->up_max_name);
        g_string_append_c (text, '\n');
    }
}

static void
append_target (GString *text, const DgTargetList *list, guint index)
{
    DgOptions options;
    dg_options_init (&options);
    DgPlan *plan = dg_options_make_plan (&options, "/nowhere");
    g_autoptr (DgBuilder) builder = dg_builder_new (&options, plan, list, index, NULL);
    g_autoptr (DgDocument) document = dg_builder_make (builder);
    const DgDocTarget *target = &dg_document_view (document)->targets[0];

    g_string_append_printf (text, "drive %s | %s\n", known (target->drive.name),
                            known (target->drive.model));
    append_file_system (text, target);
    append_link (text, target);
    append_findings (text, "unmeasured", document, TRUE);
    if (target->has_link && target->link.ceiling_bytes_per_s != DG_DOC_UNKNOWN) {
        gdouble ceiling = (gdouble) target->link.ceiling_bytes_per_s,
                most = (gdouble) target->link.after_coding_bytes_per_s;
        g_autoptr (DgDocument) slow = with_test (document, 0.2 * ceiling);
        g_autoptr (DgDocument) full = with_test (document, 0.95 * ceiling);
        g_autoptr (DgDocument) impossible = with_test (document, 1.1 * most);
        append_findings (text, "at 20 %", slow, FALSE);
        append_findings (text, "at 95 %", full, FALSE);
        append_findings (text, "above", impossible, FALSE);
    }
    dg_options_plan_free (plan);
    dg_options_clear (&options);
}

static void
check (Tree *tree, const gchar *name)
{
    DgTargetList *list = NULL;
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (GError) error = NULL;
    g_autofree gchar *base = g_strconcat (name, ".txt", NULL);
    g_autofree gchar *path = g_build_filename (expected_folder, base, NULL);
    g_autofree gchar *expected = NULL;

    g_assert_cmpint (dg_targets_list (&tree->roots, &list), ==, 0);
    g_assert_cmpuint (list->n_targets, >, 0);
    for (guint i = 0; i < list->n_targets; i++)
        append_target (text, list, i);
    dg_targets_free (list);
    if (is_writing) {
        g_file_set_contents (path, text->str, -1, &error);
        g_assert_no_error (error);
        return;
    }
    g_file_get_contents (path, &expected, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (text->str, ==, expected);
}

static void
test_recorded (gconstpointer data)
{
    g_autofree gchar *fixtures = g_build_filename (engine_folder, "fixtures", NULL);
    Tree tree;

    tree_init (&tree);
    if (tree_fixture (&tree, fixtures, data))
        check (&tree, data);
    else
        g_test_skip ("no tar with xz");
    tree_done (&tree);
}

static void
test_built (gconstpointer data)
{
    const Built *machine = data;
    Tree tree;

    tree_init (&tree);
    machine->build (&tree);
    check (&tree, machine->name);
    tree_done (&tree);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    engine_folder = argc > 1 ? argv[1] : "../engine";
    expected_folder = g_test_build_filename (G_TEST_DIST, "links", NULL);
    is_writing = argc > 2 && strcmp (argv[2], "--write") == 0;
    g_unsetenv ("XDG_CACHE_HOME");
    g_setenv ("HOME", "/nonexistent", TRUE);
    for (guint i = 0; i < tree_n_recorded; i++) {
        g_autofree gchar *path = g_strdup_printf ("/drives/%s", tree_recorded[i]);
        g_test_add_data_func (path, tree_recorded[i], test_recorded);
    }
    for (guint i = 0; i < n_built; i++) {
        g_autofree gchar *path = g_strdup_printf ("/drives/%s", built[i].name);
        g_test_add_data_func (path, &built[i], test_built);
    }
    for (guint i = 0; i < n_stacks; i++) {
        g_autofree gchar *path = g_strdup_printf ("/drives/%s", stacks[i].name);
        g_test_add_data_func (path, &stacks[i], test_built);
    }
    int status = g_test_run ();
    g_free (expected_folder);
    return status;
}
