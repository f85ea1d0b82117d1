/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/window-private.h"

#include "app/gui/accessible.h"
#include "app/gui/file-dialog.h"
#include "app/gui/glyph.h"
#include "app/gui/window-menus.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (DgWindow, dg_window, GTK_TYPE_APPLICATION_WINDOW)

#define DEFAULT_WIDTH  880
#define DEFAULT_HEIGHT 760

static void
remember_size (DgWindow *self)
{
    DgSettings *settings = dg_settings_get ();
    gint width, height;
    settings->window_maximized = gtk_window_is_maximized (GTK_WINDOW (self));
    if (!settings->window_maximized) {
        gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
        settings->window_width = width;
        settings->window_height = height;
    }
    dg_settings_changed ();
}

static gboolean
dg_window_close_request (GtkWindow *window)
{
    DgWindow *self = DG_WINDOW (window);
    remember_size (self);
    if (dg_session_is_running (self->session)) {
        self->is_closing = TRUE;
        dg_session_stop (self->session);
        return TRUE;
    }
    return GTK_WINDOW_CLASS (dg_window_parent_class)->close_request (window);
}

void
dg_window_close (DgWindow *self)
{
    gtk_window_close (GTK_WINDOW (self));
}

/* The machine must not fall asleep over a measurement. */
static void
running_cb (DgSession *session, DgWindow *self)
{
    GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
    gboolean is_running = dg_session_is_running (session);
    if (is_running && !self->inhibit_cookie && application)
        self->inhibit_cookie = gtk_application_inhibit (application, GTK_WINDOW (self),
                                                        GTK_APPLICATION_INHIBIT_SUSPEND
                                                            | GTK_APPLICATION_INHIBIT_LOGOUT,
                                                        _ ("A drive is being measured"));
    else if (!is_running && self->inhibit_cookie) {
        gtk_application_uninhibit (application, self->inhibit_cookie);
        self->inhibit_cookie = 0;
    }
    if (!is_running && self->is_closing)
        gtk_window_destroy (GTK_WINDOW (self));
}

static void
failed_cb (DgSession *session, const gchar *title, const gchar *sentence, DgWindow *self)
{
    if (!self->is_closing)
        dg_alert_show (GTK_WINDOW (self), title, sentence);
}

void
dg_window_open (DgWindow *self, GFile *file)
{
    dg_session_load_file (self->session, file, FALSE);
}

static void
narrow_cb (DgSpeedPage *page, gboolean is_narrow, DgWindow *self)
{
    dg_target_chooser_set_narrow (self->target_chooser, is_narrow);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, gdouble x, gdouble y, DgWindow *self)
{
    GSList *files = g_value_get_boxed (value);
    if (!files)
        return FALSE;
    dg_window_open (self, files->data);
    return TRUE;
}

void
dg_window_look_changed (DgWindow *self)
{
    dg_speed_page_look_changed (self->speed_page);
}

DgSession *
dg_window_get_session (DgWindow *self)
{
    return self->session;
}

/* Menus are made when they are first opened. */
static void
create_menu (GtkMenuButton *button, gpointer data)
{
    if (gtk_menu_button_get_popover (button))
        return;
    g_autoptr (GMenuModel) model = dg_window_menu_new (GPOINTER_TO_INT (data));
    gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (model));
}

static void
dg_window_dispose (GObject *object)
{
    DgWindow *self = DG_WINDOW (object);
    if (self->session)
        g_signal_handlers_disconnect_by_data (self->session, self);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_window_parent_class)->dispose (object);
}

static void
dg_window_class_init (DgWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = dg_window_dispose;
    GTK_WINDOW_CLASS (klass)->close_request = dg_window_close_request;
    g_type_ensure (DG_TYPE_TARGET_CHOOSER);
    g_type_ensure (DG_TYPE_SPEED_PAGE);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/io/github/drivegauge/DriveGauge/window.ui");
    gtk_widget_class_bind_template_child (widget_class, DgWindow, target_chooser);
    gtk_widget_class_bind_template_child (widget_class, DgWindow, speed_page);
    gtk_widget_class_bind_template_child (widget_class, DgWindow, copy_button);
    gtk_widget_class_bind_template_child (widget_class, DgWindow, save_button);
    gtk_widget_class_bind_template_child (widget_class, DgWindow, menu_button);
    dg__window_class_add_shortcuts (widget_class);
}

static void
set_menu (GtkMenuButton *button, DgWindowMenu menu, DgGlyph glyph, const gchar *name)
{
    gtk_menu_button_set_child (button, dg_glyph_new (glyph));
    gtk_widget_add_css_class (gtk_widget_get_first_child (GTK_WIDGET (button)), "image-button");
    gtk_menu_button_set_create_popup_func (button, create_menu, GINT_TO_POINTER ((gint) menu),
                                           NULL);
    gtk_widget_set_tooltip_text (GTK_WIDGET (button), name);
    dg_accessible_set_name (GTK_WIDGET (button), name);
}

/* Once there is a window to show it over. */
static void
mapped_cb (DgWindow *self, gpointer data)
{
    g_autofree gchar *problem = dg_settings_take_problem ();
    if (problem)
        dg_alert_show (GTK_WINDOW (self), _ ("The settings were damaged"), problem);
}

static void
dg_window_init (DgWindow *self)
{
    const DgSettings *settings = dg_settings_get ();
    self->session = dg_session_new ();
    gtk_widget_init_template (GTK_WIDGET (self));
    dg__window_add_actions (self);
    set_menu (self->copy_button, DG_WINDOW_MENU_COPY, DG_GLYPH_COPY, _ ("Copy"));
    set_menu (self->save_button, DG_WINDOW_MENU_SAVE, DG_GLYPH_SAVE, _ ("Save"));
    set_menu (self->menu_button, DG_WINDOW_MENU_MAIN, DG_GLYPH_MENU, _ ("Main menu"));
    dg_target_chooser_set_session (self->target_chooser, self->session);
    dg_speed_page_set_session (self->speed_page, self->session);
    g_signal_connect (self->speed_page, "narrow-changed", G_CALLBACK (narrow_cb), self);
    g_signal_connect (self->session, "running-changed", G_CALLBACK (running_cb), self);
    g_signal_connect (self->session, "failed", G_CALLBACK (failed_cb), self);

    g_signal_connect_after (self, "map", G_CALLBACK (mapped_cb), NULL);

    GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect (drop, "drop", G_CALLBACK (drop_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));

    gtk_window_set_default_size (
        GTK_WINDOW (self), settings->window_width > 0 ? settings->window_width : DEFAULT_WIDTH,
        settings->window_height > 0 ? settings->window_height : DEFAULT_HEIGHT);
    if (settings->window_maximized)
        gtk_window_maximize (GTK_WINDOW (self));
}

GtkWidget *
dg_window_new (GtkApplication *application)
{
    return g_object_new (DG_TYPE_WINDOW, "application", application, NULL);
}
