/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings portal (org.freedesktop.portal.Settings, namespace org.freedesktop.appearance). */
#include "app/gui/desktop-scheme.h"

#include <gio/gio.h>

#define PORTAL_NAME      "org.freedesktop.portal.Desktop"
#define PORTAL_PATH      "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE       "org.freedesktop.appearance"

struct DgDesktopScheme {
    DgDesktopSchemeFunc func;
    gpointer data;
    GCancellable *cancellable;
    GDBusConnection *bus; /* (nullable) until it is there */
    guint subscription;
    guint32 scheme; /* 0 no preference, 1 dark, 2 light */
    guint32 contrast;
};

static void
tell (DgDesktopScheme *self)
{
    DgDesktopLook look = self->scheme == 1   ? DG_DESKTOP_DARK
                         : self->scheme == 2 ? DG_DESKTOP_LIGHT
                                             : DG_DESKTOP_NO_PREFERENCE;
    self->func (look, self->contrast == 1, self->data);
}

static void
take_setting (DgDesktopScheme *self, const gchar *key, GVariant *value)
{
    g_autoptr (GVariant) inner = g_variant_ref (value);
    while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
        GVariant *next = g_variant_get_variant (inner);
        g_variant_unref (inner);
        inner = next;
    }
    if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
        return;
    if (g_str_equal (key, "color-scheme"))
        self->scheme = g_variant_get_uint32 (inner);
    else if (g_str_equal (key, "contrast"))
        self->contrast = g_variant_get_uint32 (inner);
}

static void
setting_changed_cb (GDBusConnection *bus, const gchar *sender, const gchar *path,
                    const gchar *interface, const gchar *signal, GVariant *parameters,
                    gpointer user_data)
{
    DgDesktopScheme *self = user_data;
    const gchar *space, *key;
    g_autoptr (GVariant) value = NULL;
    if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
        return;
    g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
    if (!g_str_equal (space, APPEARANCE))
        return;
    take_setting (self, key, value);
    tell (self);
}

static void
read_all_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GVariant) reply =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
    if (!reply)
        return; /* no portal, or the watch has gone */
    DgDesktopScheme *self = user_data;
    g_autoptr (GVariant) spaces = g_variant_get_child_value (reply, 0);
    g_autoptr (GVariant) values =
        g_variant_lookup_value (spaces, APPEARANCE, G_VARIANT_TYPE_VARDICT);
    if (!values)
        return;
    GVariantIter iter;
    const gchar *key;
    GVariant *value;
    g_variant_iter_init (&iter, values);
    while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
        take_setting (self, key, value);
    tell (self);
}

static void
bus_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GError) error = NULL;
    GDBusConnection *bus = g_bus_get_finish (result, &error);
    if (!bus)
        return;
    DgDesktopScheme *self = user_data;
    const gchar *const spaces[] = { APPEARANCE, NULL };
    self->bus = bus;
    self->subscription = g_dbus_connection_signal_subscribe (
        bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, APPEARANCE,
        G_DBUS_SIGNAL_FLAGS_NONE, setting_changed_cb, self, NULL);
    g_dbus_connection_call (bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "ReadAll",
                            g_variant_new ("(^as)", spaces), G_VARIANT_TYPE ("(a{sa{sv}})"),
                            G_DBUS_CALL_FLAGS_NONE, 5000, self->cancellable, read_all_cb, self);
}

DgDesktopScheme *
dg_desktop_scheme_watch (DgDesktopSchemeFunc func, gpointer data)
{
    DgDesktopScheme *self = g_new0 (DgDesktopScheme, 1);
    self->func = func;
    self->data = data;
    self->cancellable = g_cancellable_new ();
    g_bus_get (G_BUS_TYPE_SESSION, self->cancellable, bus_cb, self);
    return self;
}

void
dg_desktop_scheme_free (DgDesktopScheme *self)
{
    if (self == NULL)
        return;
    /* A call that has not come back ends with an error and does not look at its data. */
    g_cancellable_cancel (self->cancellable);
    if (self->subscription)
        g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
    g_clear_object (&self->bus);
    g_clear_object (&self->cancellable);
    g_free (self);
}
