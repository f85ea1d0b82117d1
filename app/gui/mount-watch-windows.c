/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/mount-watch.h"

/* Letters come and go rarely; a look every five seconds is cheap and needs no window procedure. */
guint
dg_mount_watch_add (GSourceFunc changed, gpointer user_data)
{
    return g_timeout_add_seconds (5, changed, user_data);
}
