/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"

gchar *
dg_locale_dir (const gchar *fixed)
{
    const gchar *told = g_getenv ("DRIVEGAUGE_LOCALEDIR");
    return g_strdup (told != NULL && *told != '\0' ? told : fixed);
}
