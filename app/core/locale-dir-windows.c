/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"

gchar *
dg_locale_dir (const gchar *fixed)
{
    g_autofree gchar *root = g_win32_get_package_installation_directory_of_module (NULL);
    g_autofree gchar *folder = g_build_filename (root, "share", "locale", NULL);
    gchar *local = g_win32_locale_filename_from_utf8 (folder);
    return local != NULL ? local : g_steal_pointer (&folder);
}
