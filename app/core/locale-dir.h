/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Where the translations are, in the encoding that bindtextdomain () takes: fixed when installed on
 * Linux, beside the program on Windows. The uninstalled program on Linux is told by the variable
 * DRIVEGAUGE_LOCALEDIR. `fixed`: DG_LOCALEDIR. (transfer full) */
gchar *dg_locale_dir (const gchar *fixed);
