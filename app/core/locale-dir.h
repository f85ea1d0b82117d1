/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The user's language: locale, and `domain` as the texts' domain, in UTF-8. Its translations are
 * fixed when installed on Linux, beside the program on Windows. The uninstalled program on Linux is
 * told by the variable DRIVEGAUGE_LOCALEDIR. `fixed`: DG_LOCALEDIR. Once, first in main. */
void dg_locale_init (const gchar *domain, const gchar *fixed);
