/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/application.h"

#include "app/gui/color-scheme.h"
#include "app/gui/program-icon.h"
#include "app/gui/style.h"
#include "app/gui/window.h"

#include <glib/gi18n.h>

struct _DgApplication {
    GtkApplication parent_instance;

    DgColorScheme *scheme;
    gboolean wants_dialog; /* --open: the dialog comes with the first window */
};

G_DEFINE_FINAL_TYPE (DgApplication, dg_application, GTK_TYPE_APPLICATION)

static DgWindow *
the_window (DgApplication *self)
{
    for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l; l = l->next)
        if (DG_IS_WINDOW (l->data))
            return l->data;
    return NULL;
}

static void
look_changed_cb (DgColorScheme *scheme, DgApplication *self)
{
    DgWindow *window = the_window (self);
    if (window)
        dg_window_look_changed (window);
}

/* The icon is an SVG file, and reading one loads some ten libraries: after the window is seen. */
static gboolean
icon_cb (gpointer data)
{
    dg_program_icon_set (data);
    return G_SOURCE_REMOVE;
}

static void
dg_application_startup (GApplication *application)
{
    DgApplication *self = DG_APPLICATION (application);
    G_APPLICATION_CLASS (dg_application_parent_class)->startup (application);
    dg_style_init (gdk_display_get_default ());
    self->scheme = dg_color_scheme_new (gtk_settings_get_default ());
    g_signal_connect (self->scheme, "changed", G_CALLBACK (look_changed_cb), self);
}

static DgWindow *
present_window (DgApplication *self)
{
    DgWindow *window = the_window (self);
    if (!window) {
        window = DG_WINDOW (dg_window_new (GTK_APPLICATION (self)));
        g_idle_add_full (G_PRIORITY_LOW, icon_cb, g_object_ref (window), g_object_unref);
    }
    gtk_window_present (GTK_WINDOW (window));
    return window;
}

static void
dg_application_activate (GApplication *application)
{
    DgApplication *self = DG_APPLICATION (application);
    DgWindow *window = present_window (self);
    if (self->wants_dialog)
        g_action_group_activate_action (G_ACTION_GROUP (window), "open", NULL);
    self->wants_dialog = FALSE;
}

/* The program that is running already shows the dialog. */
static void
choose_result_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    DG_APPLICATION (data)->wants_dialog = TRUE;
    g_application_activate (G_APPLICATION (data));
}

static gint
dg_application_handle_local_options (GApplication *application, GVariantDict *options)
{
    if (g_variant_dict_contains (options, "version")) {
        g_print ("drivegauge %s\n", DG_VERSION);
        return 0;
    }
    if (!g_variant_dict_contains (options, "open")
        || !g_application_register (application, NULL, NULL))
        return -1;
    if (g_application_get_is_remote (application)) {
        g_action_group_activate_action (G_ACTION_GROUP (application), "choose-result", NULL);
        return 0;
    }
    DG_APPLICATION (application)->wants_dialog = TRUE;
    return -1;
}

static void
dg_application_open (GApplication *application, GFile **files, gint n_files, const gchar *hint)
{
    DgWindow *window = present_window (DG_APPLICATION (application));
    dg_window_open (window, files[0]);
}

static void
dg_application_shutdown (GApplication *application)
{
    DgApplication *self = DG_APPLICATION (application);
    dg_settings_flush ();
    if (self->scheme)
        g_signal_handlers_disconnect_by_data (self->scheme, self);
    g_clear_object (&self->scheme);
    G_APPLICATION_CLASS (dg_application_parent_class)->shutdown (application);
}

static void
dg_application_class_init (DgApplicationClass *klass)
{
    GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
    application_class->startup = dg_application_startup;
    application_class->activate = dg_application_activate;
    application_class->open = dg_application_open;
    application_class->handle_local_options = dg_application_handle_local_options;
    application_class->shutdown = dg_application_shutdown;
}

static void
dg_application_init (DgApplication *self)
{
    static const GOptionEntry options[] = {
        { "open", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Ask for a saved result and show it"), NULL },
          { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Show the version"), NULL }, { 0 },
        };
    static const GActionEntry actions[] = {
        { "choose-result", choose_result_cb, NULL, NULL, NULL, { 0 } },
    };
    g_application_add_main_option_entries (G_APPLICATION (self), options);
    /* translators: in the help of the command line: what may be named after the options */
    g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FOLDER|RESULT]"));
    g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

DgApplication *
dg_application_new (void)
{
    g_set_application_name (_ ("Drive Gauge"));
    return g_object_new (DG_TYPE_APPLICATION, "application-id", DG_APP_ID, "flags",
                         G_APPLICATION_HANDLES_OPEN, NULL);
}

void
dg_application_set_scheme (DgApplication *self, DgScheme scheme)
{
    dg_color_scheme_set_wish (self->scheme, scheme);
}

void
dg_application_end (DgApplication *self)
{
    DgWindow *window = the_window (self);
    if (window)
        dg_window_close (window);
    else
        g_application_quit (G_APPLICATION (self));
}
