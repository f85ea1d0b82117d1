/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/color-scheme.h"

#include "app/gui/desktop-scheme.h"
#include "app/gui/style.h"

struct _DgColorScheme {
    GObject parent_instance;

    GtkSettings *settings;
    DgDesktopScheme *desktop; /* (owned) */
    DgScheme wish;
    DgDesktopLook desktop_look;
    gboolean desktop_contrast;
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
    gboolean contrast = self->desktop_contrast || theme_is (self->settings, "highcontrast")
                        || theme_is (self->settings, "-hc");
    gboolean dark =
        self->wish == DG_SCHEME_DARK
        || (self->wish == DG_SCHEME_SYSTEM
            && (self->desktop_look == DG_DESKTOP_DARK
                || (self->desktop_look == DG_DESKTOP_NO_PREFERENCE && self->theme_was_dark)));
    /* GTK_THEME wins over every setting inside GTK, so our own colours have to follow it. */
    if (forced && *forced)
        dark = forced_dark;
    /* GTK reads its whole theme again whenever this is set, even to what it was. */
    gboolean theme_is_dark;
    g_object_get (self->settings, "gtk-application-prefer-dark-theme", &theme_is_dark, NULL);
    if (theme_is_dark != dark)
        g_object_set (self->settings, "gtk-application-prefer-dark-theme", dark, NULL);
    dg_style_set_look (dark, contrast);
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
desktop_cb (DgDesktopLook look, gboolean high_contrast, gpointer user_data)
{
    DgColorScheme *self = user_data;
    self->desktop_look = look;
    self->desktop_contrast = high_contrast;
    apply (self);
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
    g_clear_pointer (&self->desktop, dg_desktop_scheme_free);
    if (self->settings)
        g_signal_handlers_disconnect_by_data (self->settings, self);
    g_clear_object (&self->settings);
    G_OBJECT_CLASS (dg_color_scheme_parent_class)->dispose (object);
}

static void
dg_color_scheme_class_init (DgColorSchemeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_color_scheme_dispose;
    signals[CHANGED] = g_signal_new ("changed", DG_TYPE_COLOR_SCHEME, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
}

static void
dg_color_scheme_init (DgColorScheme *self)
{
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
    self->desktop = dg_desktop_scheme_watch (desktop_cb, self);
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
