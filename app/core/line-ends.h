/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Text with "\n" as files of this system end their lines: "\r\n" on Windows. For the formats whose
 * own rules do not fix it. Any thread. */
GBytes *dg_line_ends_for_file (GBytes *text);

/* What open() needs besides so that bytes stay as they are. */
extern const int dg_open_binary;
