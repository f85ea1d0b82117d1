/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each finding stands in the window under its result, whole. */
#include "app/gui/findings-list.h"
#include "app/gui/style.h"
#include "tests/app/finding-cases.h"
#include "tests/gui/scratch.h"

#include <string.h>

static DgSession *session;
static GtkWidget *list;

static void
collect (GtkWidget *widget, GString *text)
{
    if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget))
        g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        collect (child, text);
}

static void
test_shown (gconstpointer data)
{
    g_autoptr (DgDocument) document = finding_case_document (data);
    const DgDocView *view = dg_document_view (document);
    dg_session_show_saved (session, document, FALSE);
    for (gint64 end = g_get_monotonic_time () + 20000; g_get_monotonic_time () < end;)
        g_main_context_iteration (NULL, FALSE);
    g_autoptr (GString) text = g_string_new (NULL);
    collect (list, text);
    g_assert_cmpuint (view->n_findings, ==, 1);
    g_autofree gchar *title = NULL, *sentence = NULL, *line = NULL;
    dg_finding_describe (view, &view->findings[0], &title, &sentence);
    line = g_strdup_printf ("%s %s\n", title, sentence);
    if (!g_str_has_prefix (text->str, line))
        g_error ("not in the window: %s, but: %s", line, text->str);
    /* the file's sentence is the same, but for the user's way of writing numbers */
    g_assert_true (g_str_has_prefix (view->findings[0].text, title));
}

int
main (int argc, char **argv)
{
    use_scratch_folders ();
    gtk_test_init (&argc, &argv, NULL);
    session = dg_session_new ();
    GtkWidget *window = gtk_window_new ();
    list = g_object_new (DG_TYPE_FINDINGS_LIST, NULL);
    dg_findings_list_set_session (DG_FINDINGS_LIST (list), session);
    gtk_window_set_child (GTK_WINDOW (window), list);
    gtk_window_set_default_size (GTK_WINDOW (window), 900, 200);
    gtk_window_present (GTK_WINDOW (window));
    gtk_test_widget_wait_for_draw (window);
    for (guint i = 0; i < n_finding_cases; i++) {
        if (finding_cases[i].id[0] == '\0')
            continue;
        g_autofree gchar *name = g_strdup_printf ("/window/%s/%u", finding_cases[i].id, i);
        g_test_add_data_func (name, &finding_cases[i], test_shown);
    }
    int status = g_test_run ();
    gtk_window_destroy (GTK_WINDOW (window));
    g_object_unref (session);
    return status;
}
