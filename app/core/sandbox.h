/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sandbox of a Flatpak lets this program see, in sentences: which permission, or which
 * folder, makes a target measurable. The facts are read from "/.flatpak-info" (flatpak-metadata(5):
 * [Application] name, [Context] filesystems). Any thread. */
#pragma once

#include "engine/targets.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define DG_SANDBOX_INFO_FILE "/.flatpak-info"

typedef struct {
    gchar *app_id;   /* (owned) */
    gchar *home;     /* (owned) */
    gchar **folders; /* (owned) permitted folders as absolute paths; "/" for `host` */
} DgSandbox;

/* NULL outside a sandbox. `info_file`: DG_SANDBOX_INFO_FILE unless a test says otherwise. (transfer
 * full) */
DgSandbox *dg_sandbox_new (const gchar *info_file);
void dg_sandbox_free (DgSandbox *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgSandbox, dg_sandbox_free)

/* The permitted folder that `path` lies in; NULL when there is none. (borrowed) */
const gchar *dg_sandbox_permitted (const DgSandbox *self, const gchar *path);

/* A permitted folder that was not there when the program started, so that whatever is mounted in it
 * later is never seen; NULL when all are there. (borrowed) */
const gchar *dg_sandbox_missing (const DgSandbox *self);

/* Why `path` cannot be measured, as a sentence with what to do, when the sandbox is the reason;
 * NULL when it is not. `engine_code`: what dg_targets_find said. `target`: (nullable) what it
 * found. `host_path`: (nullable) what the portal tells. (transfer full), sanitized */
gchar *dg_sandbox_dup_reason (const DgSandbox *self, const gchar *path, int engine_code,
                              const DgTarget *target, const gchar *host_path);

/* The path outside of what the document portal handed in: the attribute
 * "user.document-portal.host-path", xdg-desktop-portal 1.20 and later; NULL when it is not told.
 * May block on a file system that does not answer. (transfer full) */
gchar *dg_sandbox_dup_host_path (const gchar *path);

/* dg_targets_find with the sandbox in mind: a path of the document portal is replaced by the folder
 * behind it where that may be seen. `ret_list`: one target, (transfer full). Errors: DG_APP_ERROR,
 * with what to permit where the sandbox is the reason. May block 2 s. */
gboolean dg_sandbox_find_target (const gchar *path, DgTargetList **ret_list, GError **error);

G_END_DECLS
