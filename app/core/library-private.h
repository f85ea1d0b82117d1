/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by library*.c and the runner only. */
/* The index, which spares reading a file again that has not changed. Any thread, one at a time. */
#pragma once

#include "app/core/library.h"

G_BEGIN_DECLS

typedef struct _DgLibraryIndex DgLibraryIndex;

/* A missing or damaged index is an empty one. */
DgLibraryIndex *dg_library_index_load (const gchar *path);

/* The entry of the file `name`, NULL when its size or time has changed since or it is not known.
 * ret_is_damaged: known, and no document. (transfer full), without `path`. */
DgLibraryEntry *dg_library_index_lookup (DgLibraryIndex *index, const gchar *name,
                                         gint64 size_bytes, gint64 changed_us,
                                         gboolean *ret_is_damaged);

/* `entry` NULL: a damaged file. */
void dg_library_index_remember (DgLibraryIndex *index, const gchar *name, gint64 size_bytes,
                                gint64 changed_us, const DgLibraryEntry *entry);

/* Writes if anything changed; forgets what was neither looked up nor remembered if that were all files that there are. */
void dg_library_index_close (DgLibraryIndex *index, gboolean were_all);

/* ---- reading ---- */

gchar *dg_library_dup_folder (void); /* its path; need not exist */

/* As dg_document_load (), but without a link, a file, and any list but targets and tests. NULL when it is damaged (ret_is_damaged), could not
 * be read this time, or is newer than this program. Any thread. */
DgDocument *dg_library_load_summary (GFile *file, gboolean *ret_is_damaged);

G_END_DECLS
