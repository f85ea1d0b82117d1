/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/window-private.h"

#include "app/gui/application.h"
#include "app/gui/chart-table.h"
#include "app/gui/export.h"
#include "app/gui/file-dialog.h"
#include "app/gui/measuring-dialog.h"
#include "app/gui/plan-menus.h"
#include "app/gui/profile-editor.h"
#include "app/gui/recent-dialog.h"
#include "app/gui/size-dialog.h"

#include <glib/gi18n.h>

static void
start_stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    DgSession *session = DG_WINDOW (data)->session;
    if (dg_session_is_running (session))
        dg_session_stop (session);
    else
        dg_session_start (session, -1);
}

static void
smaller_size_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_session_restart_smaller (DG_WINDOW (data)->session);
}

static void
close_result_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_session_close_saved (DG_WINDOW (data)->session);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    DgWindow *self = data;
    DgDocument *document = dg_session_get_document (self->session);
    DgExport export;
    if (document && dg_export_from_id (g_variant_get_string (parameter, NULL), &export))
        dg_export_copy (export, document, GTK_WIDGET (self));
}

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    DgWindow *self = data;
    DgDocument *document = dg_session_get_document (self->session);
    DgExport export;
    if (document && dg_export_from_id (g_variant_get_string (parameter, NULL), &export))
        dg_export_save (export, document, GTK_WINDOW (self));
}

static void
open_chosen_cb (GFile *file, gpointer data)
{
    dg_session_load_file (DG_WINDOW (data)->session, file, FALSE);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_file_dialog_open (GTK_WINDOW (data), _ ("Open a result"), open_chosen_cb, data);
}

static void
folder_chosen_cb (GFile *file, gpointer data)
{
    const gchar *path = g_file_peek_path (file);
    if (path)
        dg_session_choose_folder (DG_WINDOW (data)->session, path);
    else
        dg_alert_show (GTK_WINDOW (data),
                       _ ("This folder cannot be used"),
                          _ ("It is not on a mounted file system. Choose a folder on a drive."));
}

static void
choose_folder_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_file_dialog_folder (GTK_WINDOW (data), _ ("Choose a folder on the drive"),
                                                 dg_session_get_folder (DG_WINDOW (data)->session),
                                                 folder_chosen_cb, data);
}

static void
recent_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_recent_dialog_show (GTK_WINDOW (data), DG_WINDOW (data)->session);
}

static void
queues_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_profile_editor_show (GTK_WINDOW (data), DG_WINDOW (data)->session);
}

static void
measuring_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_measuring_dialog_show (GTK_WINDOW (data), DG_WINDOW (data)->session);
}

static void
other_size_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_size_dialog_show (GTK_WINDOW (data), DG_WINDOW (data)->session);
}

static void
chart_table_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    dg_chart_table_show (GTK_WIDGET (data), DG_WINDOW (data)->session);
}

static const gchar *const scheme_ids[] = { "system", "light", "dark" };

static void
scheme_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    GtkApplication *application = gtk_window_get_application (GTK_WINDOW (data));
    for (guint i = 0; i < G_N_ELEMENTS (scheme_ids); i++)
        if (g_str_equal (scheme_ids[i], g_variant_get_string (value, NULL))) {
            dg_settings_get ()->scheme = (DgScheme) i;
            dg_settings_changed ();
            g_simple_action_set_state (action, value);
            if (DG_IS_APPLICATION (application))
                dg_application_set_scheme (DG_APPLICATION (application), (DgScheme) i);
        }
}

static void
image_scale_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    guint64 scale;
    if (!g_ascii_string_to_unsigned (g_variant_get_string (value, NULL), 10, 1, 4, &scale, NULL))
        return;
    dg_settings_get ()->image_scale = (guint) scale;
    dg_settings_changed ();
    g_simple_action_set_state (action, value);
}

static void
image_dark_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    dg_settings_get ()->image_dark = g_variant_get_boolean (value);
    dg_settings_changed ();
    g_simple_action_set_state (action, value);
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    GtkWidget *dialog = g_object_new (
        GTK_TYPE_ABOUT_DIALOG, "transient-for", data, "modal", TRUE, "program-name",
        _ ("Drive Gauge"), "version", DG_VERSION, "logo-icon-name", DG_APP_ID, "license-type",
           GTK_LICENSE_GPL_3_0, "website", "https://drivegauge.github.io/", "comments",
           _ ("What a drive can really do, and why."),
              /* Translators: put your name here. */
              "translator-credits", _ ("translator-credits"), NULL);
    gtk_window_present (GTK_WINDOW (dialog));
}

static void
set_enabled (DgWindow *self, const gchar *name, gboolean is_enabled)
{
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

static void
session_cb (DgSession *session, DgWindow *self)
{
    gboolean is_running = dg_session_is_running (session);
    gboolean has_document = dg_session_get_document (session) != NULL && !is_running;
    static const gchar *const idle_only[] = { "open",   "recent",    "choose-folder",
                                              "queues", "measuring", "other-size" };
    for (guint i = 0; i < G_N_ELEMENTS (idle_only); i++)
        set_enabled (self, idle_only[i], !is_running);
    set_enabled (self, "copy", has_document);
    set_enabled (self, "save", has_document);
    set_enabled (self, "chart-table", has_document);
    set_enabled (self, "smaller-size", is_running);
    set_enabled (self, "close-result", dg_session_is_saved (session));
    gtk_widget_set_sensitive (GTK_WIDGET (self->copy_button), has_document);
    gtk_widget_set_sensitive (GTK_WIDGET (self->save_button), has_document);
}

void
dg__window_add_actions (DgWindow *self)
{
    const DgSettings *settings = dg_settings_get ();
    static const GActionEntry entries[] = {
        { "start-stop", start_stop_cb, NULL, NULL, NULL, { 0 } },
        { "smaller-size", smaller_size_cb, NULL, NULL, NULL, { 0 } },
        { "close-result", close_result_cb, NULL, NULL, NULL, { 0 } },
        { "copy", copy_cb, "s", NULL, NULL, { 0 } },
        { "save", save_cb, "s", NULL, NULL, { 0 } },
        { "open", open_cb, NULL, NULL, NULL, { 0 } },
        { "recent", recent_cb, NULL, NULL, NULL, { 0 } },
        { "choose-folder", choose_folder_cb, NULL, NULL, NULL, { 0 } },
        { "queues", queues_cb, NULL, NULL, NULL, { 0 } },
        { "measuring", measuring_cb, NULL, NULL, NULL, { 0 } },
        { "other-size", other_size_cb, NULL, NULL, NULL, { 0 } },
        { "chart-table", chart_table_cb, NULL, NULL, NULL, { 0 } },
        { "scheme", NULL, "s", "'system'", scheme_cb, { 0 } },
        { "image-scale", NULL, "s", "'1'", image_scale_cb, { 0 } },
        { "image-dark", NULL, NULL, "false", image_dark_cb, { 0 } },
        { "about", about_cb, NULL, NULL, NULL, { 0 } },
    };
    GActionMap *map = G_ACTION_MAP (self);
    g_autofree gchar *scale = g_strdup_printf ("%u", CLAMP (settings->image_scale, 1, 4));
    g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
    dg_plan_menus_add_actions (map, self->session);
    g_simple_action_set_state (
        G_SIMPLE_ACTION (g_action_map_lookup_action (map, "scheme")),
        g_variant_new_string (scheme_ids[MIN ((guint) settings->scheme, 2)]));
    g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "image-scale")),
                               g_variant_new_string (scale));
    g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "image-dark")),
                               g_variant_new_boolean (settings->image_dark));
    g_signal_connect (self->session, "document-changed", G_CALLBACK (session_cb), self);
    g_signal_connect (self->session, "running-changed", G_CALLBACK (session_cb), self);
    session_cb (self->session, self);
}

/* Shortcuts of the window's class come after the focused widget's own, so Ctrl+C in the comment
 * still copies the comment. */
void
dg__window_class_add_shortcuts (GtkWidgetClass *klass)
{
    static const struct {
        guint key;
        GdkModifierType modifiers;
        const gchar *action, *parameter;
    } shortcuts[] = {
        { GDK_KEY_r, GDK_CONTROL_MASK, "win.start-stop", NULL },
        { GDK_KEY_F5, 0, "win.start-stop", NULL },
        { GDK_KEY_c, GDK_CONTROL_MASK, "win.copy", "png" },
        { GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.copy", "text" },
        { GDK_KEY_s, GDK_CONTROL_MASK, "win.save", "png" },
        { GDK_KEY_t, GDK_CONTROL_MASK, "win.save", "text" },
        { GDK_KEY_o, GDK_CONTROL_MASK, "win.open", NULL },
        { GDK_KEY_h, GDK_CONTROL_MASK, "win.recent", NULL },
        { GDK_KEY_q, GDK_CONTROL_MASK, "win.queues", NULL },
        { GDK_KEY_comma, GDK_CONTROL_MASK, "win.measuring", NULL },
        { GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL },
    };
    for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
        gtk_widget_class_add_binding_action (
            klass, shortcuts[i].key, shortcuts[i].modifiers, shortcuts[i].action,
            shortcuts[i].parameter ? "s" : NULL, shortcuts[i].parameter);
}
