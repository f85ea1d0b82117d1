/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/user-folders.h"

gchar *
dg_user_data_folder (void)
{
    const gchar *folder = g_get_user_data_dir ();

    return g_path_is_absolute (folder)
               ? g_strdup (folder)
               : g_build_filename (g_get_home_dir (), ".local", "share", NULL);
}

gchar *
dg_user_config_folder (void)
{
    const gchar *folder = g_get_user_config_dir ();

    return g_path_is_absolute (folder) ? g_strdup (folder)
                                       : g_build_filename (g_get_home_dir (), ".config", NULL);
}
