/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of targets that several owners and threads may hold: counted, never changed once made. And
 * its reading off the main thread. */
#pragma once

#include "app/core/document.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
    DgTargetList *list; /* (owned) never NULL */
} DgTargetSet;

/* Takes the list. (transfer full) Any thread. */
DgTargetSet *dg_target_set_new (DgTargetList *list);
DgTargetSet *dg_target_set_ref (DgTargetSet *set);
void dg_target_set_unref (DgTargetSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgTargetSet, dg_target_set_unref)

/* Everything that is mounted; read in a thread. Main thread. */
void dg_target_set_list_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
DgTargetSet *dg_target_set_list_finish (GAsyncResult *result, GError **error); /* (transfer full) */

/* The one target that `path` lies on, with that folder. Main thread. Errors: DG_APP_ERROR_TARGET.
 */
void dg_target_set_find_async (const gchar *path, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
DgTargetSet *dg_target_set_find_finish (GAsyncResult *result, GError **error); /* (transfer full) */

/* The drive below a target; NULL when there is none (network, memory) or not exactly known. */
const DgDrive *dg_target_set_drive (const DgTargetSet *set, guint index);

/* What people call it: model, else label, else the last part of the mount point. (transfer full)
 * sanitized */
gchar *dg_target_set_dup_title (const DgTargetSet *set, guint index);
/* "2 TB · exFAT". (transfer full) */
gchar *dg_target_set_dup_details (const DgTargetSet *set, guint index);
/* Why it cannot be measured, as a sentence; NULL when it can. (transfer full) */
gchar *dg_target_set_dup_reason (const DgTargetSet *set, guint index);

/* As the drawing functions want it, with borrowed strings: valid as long as the set.
 * dg_target_view_clear frees what was allocated. */
void dg_target_view_init (DgDocTarget *view, const DgTargetSet *set, guint index);
void dg_target_view_clear (DgDocTarget *view);

G_END_DECLS
