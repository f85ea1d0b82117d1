/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether another Drive Gauge measures the same drive: a lock a whole drive, seen by all
 * users; for what is no drive (a network folder) one in the runtime folder, seen by this user. It
 * never hinders a run. One implementation a platform. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _DgDriveLock DgDriveLock;

/* `name`: of the whole drive, or anything that names the target. NULL where no folder can be used.
 * Main thread, does not block. */
DgDriveLock *dg_drive_lock_take (const gchar *name);

/* Has anybody else held it at any time since it was taken? Cheap; to be asked about once a second,
 * as the question itself looks. NULL-safe. */
gboolean dg_drive_lock_was_shared (DgDriveLock *lock);

/* NULL-safe. */
void dg_drive_lock_release (DgDriveLock *lock);

G_END_DECLS
