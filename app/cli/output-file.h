/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file that is written whole. Errors: DG_APP_ERROR_OUTPUT with the file, the reason and what to
 * do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Absolute, symbolic links of what exists followed: a link stays a link, what it names is written.
 * (transfer full) */
gchar *dg_output_file_resolve (const gchar *path);

/* Could be written now. Makes and removes an empty file beside it; what is there is not touched. */
gboolean dg_output_file_check (const gchar *path, GError **error);

/* Regular files beside and renamed (mode 0600 if new); devices and pipes, files in folders without
 * permission, and what cannot be replaced, directly. */
gboolean dg_output_file_write (const gchar *path, const void *bytes, gsize size, GError **error);

G_END_DECLS
