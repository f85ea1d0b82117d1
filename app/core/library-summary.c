/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result without what a list of results has no use for: the runs alone are nine tenths of the
 * text. */
#include "app/core/library-private.h"

#include "app/core/app-error.h"
#include "app/core/document-private.h"

#include <string.h>

/* The text ends with a NUL at `length`, which is where the searches end; another one within it is
 * passed over. */

/* Behind the closing quote of the string that begins at `at`; length if there is none. */
static gsize
end_of_string (const gchar *text, gsize length, gsize at)
{
    for (at++; at < length; at++) {
        at += strcspn (text + at, "\\\"");
        if (at < length && text[at] == '\\')
            at++;
        else if (at < length && text[at] == '"')
            return at + 1;
    }
    return length;
}

/* Behind the bracket that closes the one at `at`; length if there is none. */
static gsize
end_of_array (const gchar *text, gsize length, gsize at)
{
    guint depth = 0;
    while (at < length) {
        at += strcspn (text + at, "[]{}\"");
        if (at >= length)
            break;
        gchar c = text[at];
        if (c == '"') {
            at = end_of_string (text, length, at);
            continue;
        }
        at++;
        if (c == '[' || c == '{')
            depth++;
        else if ((c == ']' || c == '}') && --depth == 0)
            return at;
    }
    return length;
}

/* Lists are left out but those that a result must have; of objects these. */
static gboolean
is_left_out (const gchar *key, gsize length, gchar bracket)
{
    static const gchar *const lists[] = { "targets", "tests" };
    static const gchar *const objects[] = { "link", "file", "warmup", "stop" };
    const gchar *const *names = bracket == '[' ? lists : objects;
    guint n = bracket == '[' ? G_N_ELEMENTS (lists) : G_N_ELEMENTS (objects);
    gboolean is_named = FALSE;
    for (guint i = 0; i < n && !is_named; i++)
        is_named = strlen (names[i]) == length && memcmp (names[i], key, length) == 0;
    return bracket == '[' ? !is_named : is_named;
}

/* Where the list or object begins that follows the key ending at `at`; 0 if something else follows.
 */
static gsize
value_after (const gchar *text, gsize length, gsize at)
{
    while (at < length && g_ascii_isspace (text[at]))
        at++;
    if (at >= length || text[at] != ':')
        return 0;
    for (at++; at < length && g_ascii_isspace (text[at]); at++)
        ;
    return at < length && (text[at] == '[' || text[at] == '{') ? at : 0;
}

static GString *
shortened (const gchar *text, gsize length)
{
    GString *rest = g_string_sized_new (length / 8 + 16);
    gsize at = 0, copied = 0;
    while (at < length) {
        const gchar *quote = memchr (text + at, '"', length - at);
        if (quote == NULL)
            break;
        gsize begin = (gsize) (quote - text), end = end_of_string (text, length, begin);
        gsize value = value_after (text, length, end);
        at = end;
        if (value == 0 || end < begin + 2 || !is_left_out (quote + 1, end - begin - 2, text[value]))
            continue;
        g_string_append_len (rest, text + copied, (gssize) (value - copied));
        at = copied = end_of_array (text, length, value);
        /* Not closed: neither is what is left, and the parser will say so. */
        if (text[at - 1] == ']' || text[at - 1] == '}')
            g_string_append (rest, text[value] == '[' ? "[]" : "{}");
    }
    return g_string_append_len (rest, text + copied, (gssize) (length - copied));
}

DgDocument *
dg_library_load_summary (GFile *file, gboolean *ret_is_damaged)
{
    *ret_is_damaged = FALSE;
    g_autoptr (GFileInfo) info =
        g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                           G_FILE_QUERY_INFO_NONE, NULL, NULL);
    g_autofree gchar *text = NULL;
    gsize length;
    if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR
        || g_file_info_get_size (info) > (goffset) DG_DOCUMENT_MAX_BYTES
        || !g_file_get_contents (g_file_peek_path (file), &text, &length, NULL))
        return NULL;
    GString *rest = shortened (text, length);
    g_autoptr (GBytes) bytes = g_bytes_new_take (rest->str, rest->len);
    g_string_free (rest, FALSE);
    g_autoptr (GError) error = NULL;
    DgDocument *document = dg_document_new_from_bytes (bytes, &error);
    *ret_is_damaged =
        document == NULL && !g_error_matches (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_NEWER);
    return document;
}
