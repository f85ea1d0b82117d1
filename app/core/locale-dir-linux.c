/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"

#include <libintl.h>
#include <locale.h>

void
dg_locale_init (const gchar *domain, const gchar *fixed)
{
    const gchar *told = g_getenv ("DRIVEGAUGE_LOCALEDIR");
    setlocale (LC_ALL, "");
    bindtextdomain (domain, told != NULL && *told != '\0' ? told : fixed);
    bind_textdomain_codeset (domain, "UTF-8");
    textdomain (domain);
}
