/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/size-dialog.h"

#include "app/gui/accessible.h"
#include "app/gui/dialog.h"

#include <glib/gi18n.h>
#include <locale.h>

typedef struct {
    DgSession *session;
    GtkWidget *window, *entry, *message;
} SizeDialog;

static void
size_dialog_free (gpointer data)
{
    SizeDialog *self = data;
    g_object_unref (self->session);
    g_free (self);
}

static void
accept_cb (GtkWidget *widget, SizeDialog *self)
{
    guint64 bytes, before = dg_session_get_options (self->session)->size_bytes;
    g_autoptr (GError) error = NULL;
    DgOptions *options = dg_session_get_options (self->session);
    g_autofree gchar *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
    /* "1,5 GiB" where the decimal mark is a comma; elsewhere it parts thousands. */
    if (localeconv ()->decimal_point[0] == ',')
        g_strdelimit (text, ",", '.');
    if (dg_parse_size (text, &bytes, &error)) {
        options->size_bytes = bytes;
        if (dg_options_check (options, &error)) {
            options->size_bytes = dg_options_rounded_size (options);
            dg_session_options_changed (self->session);
            gtk_window_destroy (GTK_WINDOW (self->window));
            return;
        }
        options->size_bytes = before;
    }
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    gtk_widget_add_css_class (self->entry, "error");
}

void
dg_size_dialog_show (GtkWindow *parent, DgSession *session)
{
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/drivegauge/DriveGauge/size-dialog.ui");
    SizeDialog *self = g_new0 (SizeDialog, 1);
    self->session = g_object_ref (session);
    self->window = GTK_WIDGET (gtk_builder_get_object (builder, "window"));
    self->entry = GTK_WIDGET (gtk_builder_get_object (builder, "entry"));
    self->message = GTK_WIDGET (gtk_builder_get_object (builder, "message"));
    g_autofree gchar *now =
        dg_number_file_size (dg_session_get_options (session)->size_bytes, DG_FOR_FILE);
    gtk_editable_set_text (GTK_EDITABLE (self->entry), now);
    dg_accessible_set_name (self->entry, _ ("Size of the test file"));
    g_signal_connect (self->entry, "activate", G_CALLBACK (accept_cb), self);
    g_signal_connect (gtk_builder_get_object (builder, "accept"), "clicked", G_CALLBACK (accept_cb),
                      self);
    g_object_set_data_full (G_OBJECT (self->window), "dialog", self, size_dialog_free);
    dg_dialog_present (GTK_WINDOW (self->window), parent);
}
