/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/library-private.h"

#include "app/core/numbers.h"
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define INDEX_VERSION   2
#define INDEX_MAX_BYTES (64u * 1024u * 1024u)

struct _DgLibraryIndex {
    gchar *path;
    json_t *old; /* (owned) file name -> record */
    json_t *now; /* (owned) */
    gboolean is_changed;
};

/* A pipe would be waited for, and a device may have no end. */
static gboolean
is_readable (const gchar *path)
{
    GStatBuf info;

    return g_stat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size < INDEX_MAX_BYTES;
}

DgLibraryIndex *
dg_library_index_load (const gchar *path)
{
    DgLibraryIndex *self = g_new0 (DgLibraryIndex, 1);
    g_autofree gchar *text = NULL;
    gsize length;
    self->path = g_strdup (path);
    self->now = json_object ();
    json_t *root = NULL;
    if (is_readable (path) && g_file_get_contents (path, &text, &length, NULL))
        root = json_loadb (text, length, 0, NULL);
    /* Another version of the program may read more of the files, and more out of them. */
    const gchar *program = json_string_value (json_object_get (root, "program"));
    if (json_integer_value (json_object_get (root, "version")) == INDEX_VERSION
        && g_strcmp0 (program, DG_VERSION) == 0)
        self->old = json_incref (json_object_get (root, "files"));
    json_decref (root);
    return self;
}

static gchar *
dup_text (json_t *record, const gchar *key)
{
    return dg_text_sanitize (json_string_value (json_object_get (record, key)));
}

static gdouble
real_of (json_t *record, const gchar *key)
{
    json_t *value = json_object_get (record, key);
    return json_is_number (value) ? json_number_value (value) : NAN;
}

DgLibraryEntry *
dg_library_index_lookup (DgLibraryIndex *self, const gchar *name, gint64 size_bytes,
                         gint64 changed_us, gboolean *ret_is_damaged)
{
    json_t *record = json_object_get (self->old, name);
    *ret_is_damaged = FALSE;
    if (json_integer_value (json_object_get (record, "size_bytes")) != size_bytes
        || json_integer_value (json_object_get (record, "changed_us")) != changed_us)
        return NULL;
    const gchar *started = json_string_value (json_object_get (record, "started"));
    g_autoptr (GDateTime) time =
        started == NULL ? NULL : g_date_time_new_from_iso8601 (started, NULL);
    gboolean is_damaged = json_is_true (json_object_get (record, "damaged"));
    if (!is_damaged && time == NULL)
        return NULL;
    json_object_set (self->now, name, record);
    *ret_is_damaged = is_damaged;
    if (is_damaged)
        return NULL;
    DgLibraryEntry *entry = g_new0 (DgLibraryEntry, 1);
    entry->id = g_strndup (name, strcspn (name, "."));
    entry->started = g_steal_pointer (&time);
    entry->drive = dup_text (record, "drive");
    entry->comment = dup_text (record, "comment");
    entry->state = dup_text (record, "state");
    entry->is_best = json_is_true (json_object_get (record, "best"));
    entry->read_bytes_per_s = real_of (record, "read_bytes_per_s");
    entry->write_bytes_per_s = real_of (record, "write_bytes_per_s");
    entry->identity = dup_text (record, "identity");
    entry->filesystem_uuid_or_path = dup_text (record, "filesystem");
    return entry;
}

static void
set_text (json_t *record, const gchar *key, const gchar *text)
{
    if (text != NULL)
        json_object_set_new (record, key, json_string (text));
}

void
dg_library_index_remember (DgLibraryIndex *self, const gchar *name, gint64 size_bytes,
                           gint64 changed_us, const DgLibraryEntry *entry)
{
    json_t *record = json_object ();
    json_object_set_new (record, "size_bytes", json_integer (size_bytes));
    json_object_set_new (record, "changed_us", json_integer (changed_us));
    if (entry == NULL) {
        json_object_set_new (record, "damaged", json_true ());
    } else {
        g_autofree gchar *started = g_date_time_format_iso8601 (entry->started);
        set_text (record, "started", started);
        set_text (record, "drive", entry->drive);
        set_text (record, "comment", entry->comment);
        set_text (record, "state", entry->state);
        set_text (record, "identity", entry->identity);
        set_text (record, "filesystem", entry->filesystem_uuid_or_path);
        if (entry->is_best)
            json_object_set_new (record, "best", json_true ());
        if (isfinite (entry->read_bytes_per_s))
            json_object_set_new (record, "read_bytes_per_s", json_real (entry->read_bytes_per_s));
        if (isfinite (entry->write_bytes_per_s))
            json_object_set_new (record, "write_bytes_per_s", json_real (entry->write_bytes_per_s));
    }
    json_object_set_new (self->now, name, record);
    self->is_changed = TRUE;
}

/* An index that cannot be written costs time only. */
void
dg_library_index_close (DgLibraryIndex *self, gboolean were_all)
{
    if (!were_all && self->old != NULL)
        json_object_update_missing (self->now, self->old);
    if (self->is_changed || json_object_size (self->old) != json_object_size (self->now)) {
        json_t *root = json_pack ("{s:i, s:s, s:O}", "version", INDEX_VERSION, "program",
                                  DG_VERSION, "files", self->now);
        char *text = json_dumps (root, JSON_COMPACT);
        if (text != NULL)
            g_file_set_contents_full (self->path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                      NULL);
        free (text);
        json_decref (root);
    }
    json_decref (self->old);
    json_decref (self->now);
    g_free (self->path);
    g_free (self);
}
