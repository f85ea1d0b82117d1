/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The saved results: one JSON file each in the user's data folder (DESIGN sections 3, 5), named <id>.json. */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

typedef struct {
    gchar *id, *path;
    GDateTime *started;
    gchar *drive, *comment, *state; /* (nullable) sanitized */
    gdouble read_bytes_per_s, write_bytes_per_s; /* of the first row; NAN */
    gboolean is_best; /* they are the best of several runs, not their median */
    gchar *identity;                /* (nullable) */
    gchar *filesystem_uuid_or_path; /* (nullable) */
} DgLibraryEntry;

void dg_library_entry_free (DgLibraryEntry *entry);

GFile *dg_library_get_folder (void); /* (transfer full) created when missing, 0700; $XDG_DATA_HOME/drivegauge/results */
gboolean dg_library_save (DgDocument *document, GError **error); /* atomically; refuses an id that is no UUID */
/* The same off the caller's thread, with the document as it is now. Of several savings of one result the last one asked for stands. */
void dg_library_save_async (DgDocument *document, GAsyncReadyCallback callback, gpointer user_data);
gboolean dg_library_save_finish (GAsyncResult *result, GError **error);
gboolean dg_library_delete (const gchar *id, GError **error);
GFile *dg_library_file (const gchar *id); /* (transfer full), NULL for an id that is no UUID */

gint dg_library_entry_compare (const DgLibraryEntry *a, const DgLibraryEntry *b); /* the newest first */

/* Newest first; damaged files are left out. An index file remembers size, mtime and the entry: 1 000 within 0.5 s. (transfer full) of DgLibraryEntry. Blocking: */
GPtrArray *dg_library_list (void);

/* In the caller's main context, several times before the callback: some more entries, in order within themselves; those of the files changed last come
 * first. Not called any more after a cancel. Who takes the entries has to unset the array's free function. */
typedef void (*DgLibraryPartFunc) (GPtrArray *entries, gpointer user_data);
void dg_library_list_async (GCancellable *cancellable, DgLibraryPartFunc part, GAsyncReadyCallback callback, gpointer user_data);
gboolean dg_library_list_finish (GAsyncResult *result, GError **error);

/* The newest result of this drive, NULL if none. (transfer full) Blocking. */
DgDocument *dg_library_last_of_drive (const DgDrive *drive);

G_END_DECLS
