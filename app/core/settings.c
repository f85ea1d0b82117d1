/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/settings.h"

#include "app/core/settings-file.h"
#include "app/core/settings-private.h"

#define WINDOW         "Window"
#define PICTURE        "Picture"
#define WRITE_DELAY_S  1
#define SMALLEST_WIDTH 360
#define LARGEST_WIDTH  16384

static DgSettings settings;
static gboolean is_loaded;
static guint write_source;

static const gchar *const unit_words[] = { "MB/s", "GB/s", "MiB/s", "IOPS", "us", NULL };
static const gchar *const scheme_words[] = { "system", "light", "dark", NULL };

/* ---- one value, its fallback when it is missing or damaged ---- */

gint
dg__settings_get_word (const gchar *group, const gchar *key, const gchar *const *words,
                       gint fallback)
{
    g_autofree gchar *text = g_key_file_get_string (dg__settings_file_get (), group, key, NULL);

    for (gint i = 0; text != NULL && words[i] != NULL; i++)
        if (g_strcmp0 (text, words[i]) == 0)
            return i;
    return fallback;
}

guint64
dg__settings_get_number (const gchar *group, const gchar *key, guint64 min, guint64 max,
                         guint64 fallback)
{
    g_autoptr (GError) error = NULL;
    guint64 value = g_key_file_get_uint64 (dg__settings_file_get (), group, key, &error);

    return error == NULL && value >= min && value <= max ? value : fallback;
}

gboolean
dg__settings_get_truth (const gchar *group, const gchar *key, gboolean fallback)
{
    g_autoptr (GError) error = NULL;
    gboolean value = g_key_file_get_boolean (dg__settings_file_get (), group, key, &error);

    return error == NULL ? value : fallback;
}

gchar *
dg__settings_get_text (const gchar *group, const gchar *key)
{
    gchar *text = g_key_file_get_string (dg__settings_file_get (), group, key, NULL);

    if (text != NULL && text[0] == '\0')
        g_clear_pointer (&text, g_free);
    return text;
}

/* Stored escaped: a path may begin with a space or hold a backslash. */
static void
set_text (const gchar *group, const gchar *key, const gchar *text)
{
    GKeyFile *file = dg__settings_file_get ();

    if (text != NULL && text[0] != '\0' && g_utf8_validate (text, -1, NULL))
        g_key_file_set_string (file, group, key, text);
    else
        g_key_file_remove_key (file, group, key, NULL);
}

/* ---- the whole ---- */

DgSettings *
dg_settings_get (void)
{
    if (is_loaded)
        return &settings;
    is_loaded = TRUE;
    settings = (DgSettings){
        .unit = (DgUnit) dg__settings_get_word (WINDOW, "Unit", unit_words, DG_UNIT_MB),
        .scheme =
            (DgScheme) dg__settings_get_word (WINDOW, "Scheme", scheme_words, DG_SCHEME_SYSTEM),
        .window_width =
            (gint) dg__settings_get_number (WINDOW, "Width", SMALLEST_WIDTH, LARGEST_WIDTH, 880),
        .window_height = (gint) dg__settings_get_number (WINDOW, "Height", 200, LARGEST_WIDTH, 760),
        .window_maximized = dg__settings_get_truth (WINDOW, "Maximized", FALSE),
        .target_uuid = dg__settings_get_text (WINDOW, "TargetUuid"),
        .target_folder = dg__settings_get_text (WINDOW, "TargetFolder"),
        .target_name = dg__settings_get_text (WINDOW, "TargetName"),
        .image_scale = (guint) dg__settings_get_number (PICTURE, "Scale", 1, 4, 1),
        .image_dark = dg__settings_get_truth (PICTURE, "Dark", FALSE),
        .with_identity = dg__settings_get_truth (PICTURE, "WithIdentity", TRUE),
    };
    return &settings;
}

static void
store (void)
{
    GKeyFile *file = dg__settings_file_get ();
    const DgSettings *s = dg_settings_get ();

    g_key_file_set_string (file, WINDOW, "Unit", unit_words[CLAMP ((gint) s->unit, 0, DG_UNIT_US)]);
    g_key_file_set_string (file, WINDOW, "Scheme",
                           scheme_words[CLAMP ((gint) s->scheme, 0, DG_SCHEME_DARK)]);
    g_key_file_set_integer (file, WINDOW, "Width", s->window_width);
    g_key_file_set_integer (file, WINDOW, "Height", s->window_height);
    g_key_file_set_boolean (file, WINDOW, "Maximized", s->window_maximized);
    set_text (WINDOW, "TargetUuid", s->target_uuid);
    set_text (WINDOW, "TargetFolder", s->target_folder);
    set_text (WINDOW, "TargetName", s->target_name);
    g_key_file_set_integer (file, PICTURE, "Scale", (gint) s->image_scale);
    g_key_file_set_boolean (file, PICTURE, "Dark", s->image_dark);
    g_key_file_set_boolean (file, PICTURE, "WithIdentity", s->with_identity);
}

static gboolean
write_cb (gpointer user_data)
{
    write_source = 0;
    store ();
    dg__settings_file_save (
        NULL); /* a full disk must not stop a measurement; the next change tries again */
    return G_SOURCE_REMOVE;
}

gchar *
dg_settings_take_problem (void)
{
    return dg__settings_file_take_problem ();
}

void
dg_settings_changed (void)
{
    g_clear_handle_id (&write_source, g_source_remove);
    write_source = g_timeout_add_seconds (WRITE_DELAY_S, write_cb, NULL);
}

void
dg_settings_flush (void)
{
    if (write_source == 0)
        return;
    g_clear_handle_id (&write_source, g_source_remove);
    write_cb (NULL);
}
