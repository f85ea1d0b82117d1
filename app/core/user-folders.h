/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the user's own files lie, by the XDG Base Directory Specification. It says that relative
 * paths in its variables do not count, and GLib takes them: what is found would depend on the
 * folder that the program was started in. (transfer full). Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gchar *dg_user_data_folder (void);
gchar *dg_user_config_folder (void);

G_END_DECLS
