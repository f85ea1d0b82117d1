/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/numbers.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_CHARACTERS 256
#define REPLACEMENT     0xFFFDu

/* Characters that move, hide or reorder the text around them instead of being seen. */
static gboolean
is_harmful (gunichar c)
{
    if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029)
        return TRUE;
    /* Unicode bidirectional marks, embeddings, overrides and isolates (UAX 9). */
    if (c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069))
        return TRUE;
    /* Interlinear annotation, byte order mark, tags. */
    return c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

gchar *
dg_text_sanitize (const gchar *text)
{
    if (text == NULL)
        return NULL;

    /* More bytes than 256 characters can have are never looked at: a label may be megabytes long.
     */
    gsize length = strnlen (text, MOST_CHARACTERS * 4 + 4);
    g_autofree gchar *valid = g_utf8_make_valid (text, (gssize) length);
    GString *clean = g_string_sized_new (MIN (length, 1024) + 1);
    glong characters = 0;

    for (const gchar *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        if (++characters == MOST_CHARACTERS && *g_utf8_next_char (p) != '\0') {
            g_string_append (clean, "…");
            break;
        }
        gunichar c = g_utf8_get_char (p);
        g_string_append_unichar (clean, is_harmful (c) ? REPLACEMENT : c);
    }
    return g_string_free (clean, FALSE);
}

const gchar *
dg_text_of_error (const gchar *english)
{
    if (english == NULL || *english == '\0') /* "" names the catalogue's head */
        return english;
    const gchar *own = g_dgettext ("libc", english);
    return g_utf8_validate (own, -1, NULL) ? own : english;
}
