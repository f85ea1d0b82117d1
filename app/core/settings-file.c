/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/settings-file.h"

#include <glib/gstdio.h>

/* Nothing of ours comes near this size; a greater file is not ours. */
#define MOST_BYTES (1024 * 1024)

gchar *
dg__settings_file_path (void)
{
    return g_build_filename (g_get_user_config_dir (), "drivegauge", "settings.ini", NULL);
}

GKeyFile *
dg__settings_file_get (void)
{
    static GKeyFile *file;

    if (file != NULL)
        return file;
    file = g_key_file_new ();
    g_autofree gchar *path = dg__settings_file_path ();
    GStatBuf info;
    if (g_stat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > MOST_BYTES)
        return file;
    /* A damaged file is worth no message: the defaults are used and it is written anew. */
    if (!g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, NULL)) {
        g_key_file_free (file);
        file = g_key_file_new ();
    }
    return file;
}

gboolean
dg__settings_file_save (GError **error)
{
    gsize length;
    g_autofree gchar *path = dg__settings_file_path ();
    g_autofree gchar *folder = g_path_get_dirname (path);
    g_autofree gchar *text = g_key_file_to_data (dg__settings_file_get (), &length, NULL);

    g_mkdir_with_parents (folder, 0700);
    return g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                     0600, error);
}
