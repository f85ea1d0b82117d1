/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/dialog.h"

void
dg_dialog_present (GtkWindow *dialog, GtkWindow *parent)
{
    GtkEventController *controller = gtk_shortcut_controller_new ();
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                          gtk_named_action_new ("window.close")));
    gtk_widget_add_controller (GTK_WIDGET (dialog), controller);
    gtk_window_set_transient_for (dialog, parent);
    gtk_window_present (dialog);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers,
        GtkWidget *list)
{
    gboolean is_back = key == GDK_KEY_ISO_Left_Tab || (modifiers & GDK_SHIFT_MASK) != 0;
    if ((key != GDK_KEY_Tab && key != GDK_KEY_ISO_Left_Tab) || (modifiers & GDK_CONTROL_MASK))
        return GDK_EVENT_PROPAGATE;
    GtkWidget *wanted = g_object_get_data (G_OBJECT (list), is_back ? "previous" : "next");
    GtkDirectionType direction = is_back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD;
    return gtk_widget_child_focus (wanted, direction) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

void
dg_dialog_leave_list_by_tab (GtkWidget *list, GtkWidget *next, GtkWidget *previous)
{
    GtkEventController *controller = gtk_event_controller_key_new ();
    g_object_set_data (G_OBJECT (list), "next", next);
    g_object_set_data (G_OBJECT (list), "previous", previous);
    gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
    g_signal_connect (controller, "key-pressed", G_CALLBACK (key_cb), list);
    gtk_widget_add_controller (list, controller);
}
