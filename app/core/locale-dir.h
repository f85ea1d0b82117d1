/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Where the translations are, in the encoding that bindtextdomain () takes: fixed when installed on
 * Linux, beside the program on Windows. `fixed`: DG_LOCALEDIR. (transfer full) */
gchar *dg_locale_dir (const gchar *fixed);
