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
