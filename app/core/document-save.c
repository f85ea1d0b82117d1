/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/app-error.h"
#include "app/core/document-private.h"
#include "app/core/numbers.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

/* ---- text ---- */

static gboolean
is_flat (json_t *value)
{
    if (json_is_object (value))
        return json_object_size (value) == 0;
    for (gsize i = 0; i < json_array_size (value); i++)
        if (!is_flat (json_array_get (value, i)))
            return FALSE;
    return TRUE;
}

static void
append_compact (GString *text, json_t *value)
{
    char *compact = json_dumps (value, JSON_ENCODE_ANY | JSON_COMPACT);
    g_string_append (text, compact == NULL ? "null" : compact);
    free (compact);
}

static void
append_indent (GString *text, guint depth)
{
    g_string_append_c (text, '\n');
    for (guint i = 0; i < depth; i++)
        g_string_append (text, "  ");
}

/* Objects are indented; arrays of numbers stay on one line, or a histogram would take a line a
 * digit. */
static void
append_value (GString *text, json_t *value, guint depth)
{
    if (is_flat (value)) {
        append_compact (text, value);
        return;
    }
    gboolean is_object = json_is_object (value), first = TRUE;
    g_string_append_c (text, is_object ? '{' : '[');
    if (is_object) {
        const gchar *key;
        json_t *member;
        json_object_foreach (value, key, member)
        {
            if (!first)
                g_string_append_c (text, ',');
            first = FALSE;
            append_indent (text, depth + 1);
            json_t *name = json_string (key);
            append_compact (text, name);
            json_decref (name);
            g_string_append (text, ": ");
            append_value (text, member, depth + 1);
        }
    } else {
        for (gsize i = 0; i < json_array_size (value); i++) {
            if (i > 0)
                g_string_append_c (text, ',');
            append_indent (text, depth + 1);
            append_value (text, json_array_get (value, i), depth + 1);
        }
    }
    append_indent (text, depth);
    g_string_append_c (text, is_object ? '}' : ']');
}

/* ---- without identity ---- */

/* A mount option may carry a path or a user's number; the words that findings need do not. */
static json_t *
anonymous_options (const gchar *options)
{
    g_auto (GStrv) parts = g_strsplit (options, ",", -1);
    g_autoptr (GString) kept = g_string_new (NULL);
    for (guint i = 0; parts[i] != NULL; i++) {
        if (strchr (parts[i], '/') != NULL || g_str_has_prefix (parts[i], "uid=")
            || g_str_has_prefix (parts[i], "gid=") || g_str_has_prefix (parts[i], "user")
            || g_str_has_prefix (parts[i], "addr="))
            continue;
        g_string_append_printf (kept, "%s%s", kept->len > 0 ? "," : "", parts[i]);
    }
    return json_string (kept->str);
}

/* "crypt dm-0 (luks-1f9a...)": what stands in brackets is a name of this machine. */
static void
make_layers_anonymous (json_t *layers)
{
    for (gsize i = 0; i < json_array_size (layers); i++) {
        const gchar *layer = json_string_value (json_array_get (layers, i));
        if (layer == NULL)
            continue;
        g_autofree gchar *cut = g_strndup (layer, strcspn (layer, "("));
        json_array_set_new (layers, i, json_string (g_strchomp (cut)));
    }
}

static void
make_anonymous (json_t *root)
{
    json_t *targets = json_object_get (root, "targets");
    for (gsize i = 0; i < json_array_size (targets); i++) {
        static const gchar *const names[] = { "path", "mount", "filesystem_uuid", "source" };
        json_t *target = json_array_get (targets, i), *drive = json_object_get (target, "drive");
        for (guint k = 0; k < G_N_ELEMENTS (names); k++)
            if (json_object_get (target, names[k]) != NULL)
                json_object_set_new (target, names[k], json_null ());
        if (json_is_object (drive)) {
            json_object_set_new (drive, "identity", json_null ());
            json_object_del (drive, "serial");
        }
        const gchar *options = json_string_value (json_object_get (target, "options"));
        if (options != NULL)
            json_object_set_new (target, "options", anonymous_options (options));
        make_layers_anonymous (json_object_get (target, "layers"));
    }
    json_t *host = json_object_get (root, "host");
    json_object_del (host, "name");
    json_object_del (host, "hostname");
}

/* ---- public ---- */

const gchar *
dg__document_problem (const GError *problem)
{
    static const struct {
        gint file_code, io_code, os_code;
    } codes[] = {
        { G_FILE_ERROR_NOENT, G_IO_ERROR_NOT_FOUND, ENOENT },
        { G_FILE_ERROR_ACCES, G_IO_ERROR_PERMISSION_DENIED, EACCES },
        { G_FILE_ERROR_PERM, G_IO_ERROR_PERMISSION_DENIED, EPERM },
        { G_FILE_ERROR_NOSPC, G_IO_ERROR_NO_SPACE, ENOSPC },
        { G_FILE_ERROR_ROFS, G_IO_ERROR_READ_ONLY, EROFS },
        { G_FILE_ERROR_NOTDIR, G_IO_ERROR_NOT_DIRECTORY, ENOTDIR },
        { G_FILE_ERROR_ISDIR, G_IO_ERROR_IS_DIRECTORY, EISDIR },
        { G_FILE_ERROR_NAMETOOLONG, G_IO_ERROR_FILENAME_TOO_LONG, ENAMETOOLONG },
        { G_FILE_ERROR_LOOP, G_IO_ERROR_TOO_MANY_LINKS, ELOOP },
    };
    for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
        if (g_error_matches (problem, G_FILE_ERROR, codes[i].file_code)
            || g_error_matches (problem, G_IO_ERROR, codes[i].io_code))
            return g_strerror (codes[i].os_code);
    return problem->message;
}

gchar *
dg_document_to_text (const DgDocument *document, gboolean with_identity)
{
    GString *text = g_string_new (NULL);
    if (with_identity) {
        append_value (text, document->root, 0);
    } else {
        json_t *copy = json_deep_copy (document->root);
        make_anonymous (copy);
        append_value (text, copy, 0);
        json_decref (copy);
    }
    g_string_append_c (text, '\n');
    return g_string_free (text, FALSE);
}

gboolean
dg_document_write_text (const gchar *text, GFile *file, GError **error)
{
    g_autofree gchar *path = g_file_get_path (file);
    g_autoptr (GError) problem = NULL;
    gboolean saved;
    if (path != NULL)
        saved = g_file_set_contents_full (
            path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600,
            &problem);
    else
        saved = g_file_replace_contents (file, text, strlen (text), NULL, FALSE,
                                         G_FILE_CREATE_PRIVATE, NULL, NULL, &problem);
    if (saved)
        return TRUE;
    g_autofree gchar *name = g_file_get_parse_name (file);
    g_autofree gchar *shown = dg_text_sanitize (name);
    g_autofree gchar *reason = dg_text_sanitize (dg__document_problem (problem));
    g_set_error (
        error, DG_APP_ERROR, DG_APP_ERROR_OUTPUT,
        /* translators: the first %s is a file name, the second the reason */
        _ ("The result could not be saved as “%s”: %s. Choose another folder or make room there."),
           shown, reason);
    return FALSE;
}

gboolean
dg_document_save (const DgDocument *document, GFile *file, gboolean with_identity, GError **error)
{
    g_autofree gchar *text = dg_document_to_text (document, with_identity);
    return dg_document_write_text (text, file, error);
}
