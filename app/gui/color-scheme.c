/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/color-scheme.h"

#include "app/gui/style.h"

#define PORTAL_NAME      "org.freedesktop.portal.Desktop"
#define PORTAL_PATH      "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE       "org.freedesktop.appearance"

struct _DgColorScheme {
    GObject parent_instance;

    GtkSettings *settings;
    GCancellable *cancellable;
    GDBusConnection *bus; /* (nullable) until it is there */
    guint subscription;
    DgScheme wish;
    guint32 desktop_scheme; /* 0 no preference, 1 dark, 2 light */
    guint32 desktop_contrast;
    gboolean theme_was_dark; /* GTK's own setting before we touched it */
};

G_DEFINE_FINAL_TYPE (DgColorScheme, dg_color_scheme, G_TYPE_OBJECT)

enum {
    CHANGED,
    N_SIGNALS
};
static guint signals[N_SIGNALS];

static gboolean
theme_is (GtkSettings *settings, const gchar *part)
{
    const gchar *forced = g_getenv ("GTK_THEME");
    g_autofree gchar *name = NULL;
    g_object_get (settings, "gtk-theme-name", &name, NULL);
    if (forced && *forced) {
        g_free (name);
        name = g_strdup (forced);
    }
    g_autofree gchar *folded = name ? g_ascii_strdown (name, -1) : NULL;
    return folded && strstr (folded, part);
}

static void
apply (DgColorScheme *self)
{
    const gchar *forced = g_getenv ("GTK_THEME");
    gboolean forced_dark =
        forced && (theme_is (self->settings, "dark") || theme_is (self->settings, "inverse"));
    gboolean contrast = self->desktop_contrast == 1 || theme_is (self->settings, "highcontrast")
                        || theme_is (self->settings, "-hc");
    gboolean dark =
        self->wish == DG_SCHEME_DARK
        || (self->wish == DG_SCHEME_SYSTEM
            && (self->desktop_scheme == 1 || (self->desktop_scheme == 0 && self->theme_was_dark)));
    /* GTK_THEME wins over every setting inside GTK, so our own colours have to follow it. */
    if (forced && *forced)
        dark = forced_dark;
    g_object_set (self->settings, "gtk-application-prefer-dark-theme", dark, NULL);
    dg_style_set_look (dark, contrast);
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
take_setting (DgColorScheme *self, const gchar *key, GVariant *value)
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
        self->desktop_scheme = g_variant_get_uint32 (inner);
    else if (g_str_equal (key, "contrast"))
        self->desktop_contrast = g_variant_get_uint32 (inner);
}

static void
setting_changed_cb (GDBusConnection *bus, const gchar *sender, const gchar *path,
                    const gchar *interface, const gchar *signal, GVariant *parameters,
                    gpointer user_data)
{
    DgColorScheme *self = user_data;
    const gchar *space, *key;
    g_autoptr (GVariant) value = NULL;
    if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
        return;
    g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
    if (!g_str_equal (space, APPEARANCE))
        return;
    take_setting (self, key, value);
    apply (self);
}

static void
read_all_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GVariant) reply =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
    if (!reply)
        return; /* no portal, or this object has gone */
    DgColorScheme *self = user_data;
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
    apply (self);
}

static void
bus_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GError) error = NULL;
    GDBusConnection *bus = g_bus_get_finish (result, &error);
    if (!bus)
        return;
    DgColorScheme *self = user_data;
    const gchar *const spaces[] = { APPEARANCE, NULL };
    self->bus = bus;
    self->subscription = g_dbus_connection_signal_subscribe (
        bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, APPEARANCE,
        G_DBUS_SIGNAL_FLAGS_NONE, setting_changed_cb, self, NULL);
    g_dbus_connection_call (bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "ReadAll",
                            g_variant_new ("(^as)", spaces), G_VARIANT_TYPE ("(a{sa{sv}})"),
                            G_DBUS_CALL_FLAGS_NONE, 5000, self->cancellable, read_all_cb, self);
}

static void
theme_notify_cb (GtkSettings *settings, GParamSpec *spec, gpointer user_data)
{
    apply (user_data);
}

static void
dg_color_scheme_dispose (GObject *object)
{
    DgColorScheme *self = DG_COLOR_SCHEME (object);
    g_cancellable_cancel (self->cancellable);
    if (self->subscription)
        g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
    self->subscription = 0;
    if (self->settings)
        g_signal_handlers_disconnect_by_data (self->settings, self);
    g_clear_object (&self->settings);
    g_clear_object (&self->bus);
    G_OBJECT_CLASS (dg_color_scheme_parent_class)->dispose (object);
}

static void
dg_color_scheme_finalize (GObject *object)
{
    DgColorScheme *self = DG_COLOR_SCHEME (object);
    g_clear_object (&self->cancellable);
    G_OBJECT_CLASS (dg_color_scheme_parent_class)->finalize (object);
}

static void
dg_color_scheme_class_init (DgColorSchemeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_color_scheme_dispose;
    G_OBJECT_CLASS (klass)->finalize = dg_color_scheme_finalize;
    signals[CHANGED] = g_signal_new ("changed", DG_TYPE_COLOR_SCHEME, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
}

static void
dg_color_scheme_init (DgColorScheme *self)
{
    self->cancellable = g_cancellable_new ();
}

DgColorScheme *
dg_color_scheme_new (GtkSettings *settings)
{
    DgColorScheme *self = g_object_new (DG_TYPE_COLOR_SCHEME, NULL);
    self->settings = g_object_ref (settings);
    self->wish = dg_settings_get ()->scheme;
    g_object_get (settings, "gtk-application-prefer-dark-theme", &self->theme_was_dark, NULL);
    g_signal_connect (settings, "notify::gtk-theme-name", G_CALLBACK (theme_notify_cb), self);
    apply (self);
    g_bus_get (G_BUS_TYPE_SESSION, self->cancellable, bus_cb, self);
    return self;
}

void
dg_color_scheme_set_wish (DgColorScheme *self, DgScheme scheme)
{
    if (self->wish == scheme)
        return;
    self->wish = scheme;
    apply (self);
}
