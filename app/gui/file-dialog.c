/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/file-dialog.h"

#include "app/gui/accessible.h"

#include <glib/gi18n.h>

typedef struct {
    GtkFileChooserNative *native; /* (owned) as long as it is open */
    DgFileDialogFunc chosen;
    gpointer user_data;
    GDestroyNotify destroy; /* (nullable) */
} FileRequest;

static void
file_response_cb (GtkNativeDialog *dialog, gint response, gpointer data)
{
    FileRequest *request = data;
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
        if (file)
            request->chosen (file, request->user_data);
    }
    if (request->destroy)
        request->destroy (request->user_data);
    gtk_native_dialog_destroy (dialog);
    g_object_unref (request->native);
    g_free (request);
}

static GtkFileChooser *
ask_file (GtkWindow *parent, const gchar *title, GtkFileChooserAction action, const gchar *accept,
          DgFileDialogFunc chosen, gpointer user_data, GDestroyNotify destroy)
{
    FileRequest *request = g_new0 (FileRequest, 1);
    request->native = gtk_file_chooser_native_new (title, parent, action, accept, NULL);
    request->chosen = chosen;
    request->user_data = user_data;
    request->destroy = destroy;
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (request->native), TRUE);
    g_signal_connect (request->native, "response", G_CALLBACK (file_response_cb), request);
    return GTK_FILE_CHOOSER (request->native);
}

void
dg_file_dialog_open (GtkWindow *parent, const gchar *title, DgFileDialogFunc chosen,
                     gpointer user_data)
{
    GtkFileChooser *chooser =
        ask_file (parent, title, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen, user_data, NULL);
    g_autoptr (GtkFileFilter) results = gtk_file_filter_new (), all = gtk_file_filter_new ();
    gtk_file_filter_set_name (results, _ ("Results (JSON)"));
    gtk_file_filter_add_suffix (results, "json");
    gtk_file_filter_set_name (all, _ ("All files"));
    gtk_file_filter_add_pattern (all, "*");
    gtk_file_chooser_add_filter (chooser, results);
    gtk_file_chooser_add_filter (chooser, all);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
dg_file_dialog_save (GtkWindow *parent, const gchar *title, const gchar *name,
                     DgFileDialogFunc chosen, gpointer user_data, GDestroyNotify destroy)
{
    GtkFileChooser *chooser =
        ask_file (parent, title, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, chosen, user_data, destroy);
    gtk_file_chooser_set_current_name (chooser, name);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
dg_file_dialog_folder (GtkWindow *parent, const gchar *title, const gchar *start,
                       DgFileDialogFunc chosen, gpointer user_data)
{
    GtkFileChooser *chooser = ask_file (parent, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                        _ ("_Choose"), chosen, user_data, NULL);
    if (start) {
        g_autoptr (GFile) folder = g_file_new_for_path (start);
        gtk_file_chooser_set_current_folder (chooser, folder, NULL);
    }
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- alerts ---- */

void
dg_alert_show (GtkWindow *parent, const gchar *title, const gchar *sentence)
{
    GtkWidget *dialog =
        gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", title);
    dg_accessible_name_from_label (
        gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE));
    if (sentence)
        gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", sentence);
    g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
    gtk_window_present (GTK_WINDOW (dialog));
}

typedef struct {
    void (*confirmed) (gpointer user_data);
    gpointer user_data;
    GDestroyNotify destroy;
} AskRequest;

static void
ask_response_cb (GtkDialog *dialog, gint response, gpointer data)
{
    AskRequest *request = data;
    if (response == GTK_RESPONSE_ACCEPT)
        request->confirmed (request->user_data);
    if (request->destroy)
        request->destroy (request->user_data);
    g_free (request);
    gtk_window_destroy (GTK_WINDOW (dialog));
}

void
dg_alert_ask (GtkWindow *parent, const gchar *title, const gchar *sentence, const gchar *label,
              void (*confirmed) (gpointer user_data), gpointer user_data, GDestroyNotify destroy)
{
    AskRequest *request = g_new (AskRequest, 1);
    *request = (AskRequest){ confirmed, user_data, destroy };
    GtkWidget *dialog =
        gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                GTK_MESSAGE_QUESTION, GTK_BUTTONS_CANCEL, "%s", title);
    gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", sentence);
    dg_accessible_name_from_label (
        gtk_dialog_add_button (GTK_DIALOG (dialog), label, GTK_RESPONSE_ACCEPT));
    dg_accessible_name_from_label (
        gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL));
    g_signal_connect (dialog, "response", G_CALLBACK (ask_response_cb), request);
    gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- the file manager ---- */

typedef struct {
    GtkWindow *parent; /* (nullable) weak */
    GFile *file;
} ShowRequest;

static void
show_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    ShowRequest *request = data;
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) reply =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
    if (!reply && request->parent) {
        /* No file manager speaks this protocol: at least open the folder. */
        g_autoptr (GFile) folder = g_file_get_parent (request->file);
        g_autofree gchar *uri = g_file_get_uri (folder ? folder : request->file);
        gtk_show_uri (request->parent, uri, GDK_CURRENT_TIME);
    }
    g_clear_weak_pointer (&request->parent);
    g_object_unref (request->file);
    g_free (request);
}

void
dg_file_show (GtkWindow *parent, GFile *file)
{
    GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
    g_autofree gchar *uri = g_file_get_uri (file);
    if (!bus) {
        g_autoptr (GFile) folder = g_file_get_parent (file);
        g_autofree gchar *folder_uri = g_file_get_uri (folder ? folder : file);
        gtk_show_uri (parent, folder_uri, GDK_CURRENT_TIME);
        return;
    }
    const gchar *const uris[] = { uri, NULL };
    ShowRequest *request = g_new0 (ShowRequest, 1);
    g_set_weak_pointer (&request->parent, parent);
    request->file = g_object_ref (file);
    g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                            "org.freedesktop.FileManager1", "ShowItems",
                            g_variant_new ("(^ass)", uris, ""), NULL, G_DBUS_CALL_FLAGS_NONE, 5000,
                            NULL, show_cb, request);
}
