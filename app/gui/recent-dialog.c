/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/recent-dialog.h"

#include "app/gui/accessible.h"
#include "app/gui/dialog.h"
#include "app/gui/file-dialog.h"
#include "app/gui/page-foot.h"
#include "app/gui/recent-item.h"

#include <glib/gi18n.h>

typedef struct {
    DgSession *session;
    GtkWindow *window;
    GListStore *store;
    GtkSingleSelection *selection;
    GtkWidget *stack, *list, *open, *show_file, *remove;
    GCancellable *cancellable;
} RecentDialog;

static void
recent_dialog_free (gpointer data)
{
    RecentDialog *self = data;
    g_cancellable_cancel (self->cancellable);
    g_object_unref (self->cancellable);
    g_object_unref (self->store);
    g_object_unref (self->session);
    g_free (self);
}

static const DgLibraryEntry *
selected (RecentDialog *self)
{
    DgRecentItem *item = gtk_single_selection_get_selected_item (self->selection);
    return item ? dg_recent_item_get_entry (item) : NULL;
}

/* ---- rows ---- */

static GtkWidget *
text_label (const gchar *css_class, gfloat xalign)
{
    GtkWidget *label = gtk_label_new (NULL);
    gtk_label_set_xalign (GTK_LABEL (label), xalign);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    if (css_class)
        gtk_widget_add_css_class (label, css_class);
    return label;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
    GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
    GtkWidget *drive = text_label ("strong", 0), *about = text_label ("small", 0);
    GtkWidget *figures = text_label ("numeric", 1);
    gtk_widget_set_hexpand (texts, TRUE);
    gtk_box_append (GTK_BOX (texts), drive);
    gtk_box_append (GTK_BOX (texts), about);
    gtk_box_append (GTK_BOX (row), texts);
    gtk_box_append (GTK_BOX (row), figures);
    g_object_set_data (G_OBJECT (row), "drive", drive);
    g_object_set_data (G_OBJECT (row), "about", about);
    g_object_set_data (G_OBJECT (row), "figures", figures);
    gtk_list_item_set_child (item, row);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    RecentDialog *self = data;
    GtkWidget *row = gtk_list_item_get_child (item);
    const DgLibraryEntry *entry =
        dg_recent_item_get_entry (DG_RECENT_ITEM (gtk_list_item_get_item (item)));
    DgUnit unit = dg_session_get_unit (self->session);
    if (unit == DG_UNIT_IOPS || unit == DG_UNIT_US)
        unit = DG_UNIT_MB;
    g_autofree gchar *when = entry->started ? dg_page_foot_dup_date (entry->started) : NULL;
    GString *about = g_string_new (when ? when : "—");
    if (entry->is_best)
        g_string_append_printf (about, " · %s", _ ("best of the runs"));
    if (entry->comment && *entry->comment)
        g_string_append_printf (about, " · %s", entry->comment);
    g_autofree gchar *read = dg_number_rate (entry->read_bytes_per_s, unit, DG_FOR_WINDOW);
    g_autofree gchar *write = dg_number_rate (entry->write_bytes_per_s, unit, DG_FOR_WINDOW);
    /* Translators: the rates of the first row, reading and writing, and their unit. */
    g_autofree gchar *figures =
        g_strdup_printf (_ ("%s / %s %s"), read, write, dg_unit_name (unit));
    gtk_label_set_text (g_object_get_data (G_OBJECT (row), "drive"),
                        entry->drive ? entry->drive : _ ("Unknown drive"));
    gtk_label_set_text (g_object_get_data (G_OBJECT (row), "about"), about->str);
    gtk_label_set_text (g_object_get_data (G_OBJECT (row), "figures"), figures);
    g_string_free (about, TRUE);
}

/* ---- what can be done with one ---- */

static void
open_cb (GtkWidget *widget, RecentDialog *self)
{
    const DgLibraryEntry *entry = selected (self);
    g_autoptr (GFile) file = entry ? dg_library_file (entry->id) : NULL;
    if (!file)
        return;
    dg_session_load_file (self->session, file, TRUE);
    gtk_window_destroy (self->window);
}

static void
activate_cb (GtkListView *view, guint position, RecentDialog *self)
{
    gtk_single_selection_set_selected (self->selection, position);
    open_cb (NULL, self);
}

static void
show_file_cb (GtkButton *button, RecentDialog *self)
{
    const DgLibraryEntry *entry = selected (self);
    g_autoptr (GFile) file = entry ? dg_library_file (entry->id) : NULL;
    if (file)
        dg_file_show (self->window, file);
}

static void
update_buttons (RecentDialog *self)
{
    gboolean has_any = g_list_model_get_n_items (G_LIST_MODEL (self->store)) > 0;
    gtk_widget_set_sensitive (self->open, has_any);
    gtk_widget_set_sensitive (self->show_file, has_any);
    gtk_widget_set_sensitive (self->remove, has_any);
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), has_any ? "list" : "empty");
}

static void
delete_confirmed (gpointer data)
{
    RecentDialog *self = data;
    const DgLibraryEntry *entry = selected (self);
    g_autoptr (GError) error = NULL;
    if (!entry)
        return;
    if (!dg_library_delete (entry->id, &error)) {
        dg_alert_show (self->window, _ ("The result could not be deleted"), error->message);
        return;
    }
    dg_session_result_deleted (self->session, entry->id);
    g_list_store_remove (self->store, gtk_single_selection_get_selected (self->selection));
    update_buttons (self);
}

static void
delete_cb (GtkButton *button, RecentDialog *self)
{
    const DgLibraryEntry *entry = selected (self);
    if (!entry)
        return;
    g_autofree gchar *when = entry->started ? dg_page_foot_dup_date (entry->started) : NULL;
    /* Translators: name of a drive, date of its measurement. */
    g_autofree gchar *sentence =
        g_strdup_printf (_ ("%s, %s. Its file will be deleted."),
                            entry->drive ? entry->drive : _ ("Unknown drive"), when ? when : "—");
    dg_alert_ask (self->window, _ ("Delete this result?"), sentence,
                                   _ ("_Delete"), delete_confirmed, self, NULL);
}

static gint
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
    return dg_library_entry_compare (dg_recent_item_get_entry ((DgRecentItem *) a),
                                     dg_recent_item_get_entry ((DgRecentItem *) b));
}

static void
part_cb (GPtrArray *entries, gpointer data)
{
    RecentDialog *self = data;
    g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
    gboolean is_first = g_list_model_get_n_items (G_LIST_MODEL (self->store)) == 0;
    g_ptr_array_set_free_func (entries, NULL);
    for (guint i = 0; i < entries->len; i++)
        g_ptr_array_add (items, dg_recent_item_new (g_ptr_array_index (entries, i)));
    if (is_first) {
        g_list_store_splice (self->store, 0, 0, items->pdata, items->len);
        if (!gtk_window_get_focus (self->window))
            gtk_widget_grab_focus (self->list);
    }
    for (guint i = 0; i < items->len && !is_first; i++)
        g_list_store_insert_sorted (self->store, items->pdata[i], compare_items, NULL);
    update_buttons (self);
    if (is_first)
        gtk_widget_grab_focus (self->list);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    if (dg_library_list_finish (result, NULL))
        update_buttons (data);
}

void
dg_recent_dialog_show (GtkWindow *parent, DgSession *session)
{
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/drivegauge/DriveGauge/recent-dialog.ui");
    RecentDialog *self = g_new0 (RecentDialog, 1);
    GtkWidget *list = self->list = GTK_WIDGET (gtk_builder_get_object (builder, "list"));
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    self->session = g_object_ref (session);
    self->cancellable = g_cancellable_new ();
    self->window = GTK_WINDOW (gtk_builder_get_object (builder, "window"));
    self->stack = GTK_WIDGET (gtk_builder_get_object (builder, "stack"));
    self->list = list;
    self->open = GTK_WIDGET (gtk_builder_get_object (builder, "open"));
    self->show_file = GTK_WIDGET (gtk_builder_get_object (builder, "show_file"));
    self->remove = GTK_WIDGET (gtk_builder_get_object (builder, "remove"));
    self->store = g_list_store_new (DG_TYPE_RECENT_ITEM);
    self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->store)));
    g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
    g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
    gtk_list_view_set_factory (GTK_LIST_VIEW (list), factory);
    g_object_unref (factory);
    gtk_list_view_set_model (GTK_LIST_VIEW (list), GTK_SELECTION_MODEL (self->selection));
    g_object_unref (self->selection); /* kept by the list */
    dg_accessible_set_name (list, _ ("Saved results"));
    dg_dialog_leave_list_by_tab (list, self->remove, self->open);
    dg_accessible_name_from_label (self->open);
    dg_accessible_name_from_label (self->show_file);
    dg_accessible_name_from_label (self->remove);
    g_signal_connect (list, "activate", G_CALLBACK (activate_cb), self);
    g_signal_connect (self->open, "clicked", G_CALLBACK (open_cb), self);
    g_signal_connect (self->show_file, "clicked", G_CALLBACK (show_file_cb), self);
    g_signal_connect (self->remove, "clicked", G_CALLBACK (delete_cb), self);
    g_object_set_data_full (G_OBJECT (self->window), "dialog", self, recent_dialog_free);
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list"); /* until it is known */
    dg_library_list_async (self->cancellable, part_cb, listed_cb, self);
    dg_dialog_present (self->window, parent);
}
