/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"

#include <libintl.h>
#include <locale.h>

/* The zip may lie in a folder whose name no code page holds. */
void
dg_locale_init (const gchar *domain, const gchar *fixed)
{
    g_autofree gchar *root = g_win32_get_package_installation_directory_of_module (NULL);
    g_autofree gchar *folder = g_build_filename (root, "share", "locale", NULL);
    g_autofree gunichar2 *wide = g_utf8_to_utf16 (folder, -1, NULL, NULL, NULL);
    setlocale (LC_ALL, "");
    if (wide != NULL)
        wbindtextdomain (domain, (const wchar_t *) wide);
    bind_textdomain_codeset (domain, "UTF-8");
    textdomain (domain);
}
