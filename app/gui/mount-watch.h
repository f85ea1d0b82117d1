/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells when the table of mounted file systems has changed. One implementation a platform. Main
 * thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls `changed` after each change, several close ones as one. Returns a source id for
 * g_source_remove; 0 if it cannot be watched. */
guint dg_mount_watch_add (GSourceFunc changed, gpointer user_data);

/* Is `source` (nullable) mounted at `mount` (nullable) right now? TRUE too where that cannot be told.
 * Reads one small table, never the file system itself. */
gboolean dg_mount_is_there (const gchar *mount, const gchar *source);

/* A number that changes when a drive or a medium comes or goes, mounted or not. Asks no drive. */
guint64 dg_drives_signature (void);

G_END_DECLS
