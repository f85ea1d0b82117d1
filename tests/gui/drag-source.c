/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another program's window that files are dragged out of. Arguments: the files. Not installed. */
#include <gtk/gtk.h>

static GdkContentProvider *
prepare_cb (GtkDragSource *source, gdouble x, gdouble y, gpointer data)
{
    const gchar *const *paths = data;
    GSList *files = NULL;
    for (guint i = 0; paths[i]; i++)
        files = g_slist_append (files, g_file_new_for_commandline_arg (paths[i]));
    GdkContentProvider *provider = gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, files);
    g_slist_free_full (files, g_object_unref);
    return provider;
}

static void
end_cb (GtkDragSource *source, GdkDrag *drag, gboolean is_delete, gpointer data)
{
    g_print ("ended: %u\n", gdk_drag_get_selected_action (drag));
}

int
main (int argc, char **argv)
{
    gtk_init ();
    GtkWidget *window = gtk_window_new (), *label = gtk_label_new ("Drag this");
    GtkDragSource *source = gtk_drag_source_new ();
    g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), argv + 1);
    g_signal_connect (source, "drag-end", G_CALLBACK (end_cb), NULL);
    gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
    gtk_window_set_title (GTK_WINDOW (window), "Drag source");
    gtk_window_set_default_size (GTK_WINDOW (window), 200, 120);
    gtk_window_set_child (GTK_WINDOW (window), label);
    gtk_window_present (GTK_WINDOW (window));
    while (g_list_model_get_n_items (gtk_window_get_toplevels ()) > 0)
        g_main_context_iteration (NULL, TRUE);
    return 0;
}
