/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/mount-watch.h"

#include <windows.h>

/* Letters come and go rarely; a look every five seconds is cheap and needs no window procedure. */
guint
dg_mount_watch_add (GSourceFunc changed, gpointer user_data)
{
    return g_timeout_add_seconds (5, changed, user_data);
}

/* A letter that has gone fails at once when the test file is made, and no other drive takes it
 * within that moment. */
gboolean
dg_mount_is_there (const gchar *mount, const gchar *source)
{
    return TRUE;
}

/* One bit a letter. */
guint64
dg_drives_signature (void)
{
    return GetLogicalDrives ();
}
