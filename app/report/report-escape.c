/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/report-escape.h"

#include <string.h>

#define ZERO_WIDTH_SPACE "\xe2\x80\x8b"

static gboolean
is_www (const gchar *text, const gchar *dot)
{
    return dot - text >= 3 && g_ascii_strncasecmp (dot - 3, "www", 3) == 0;
}

/* CommonMark lets any ASCII punctuation be escaped by a backslash; these are the ones that can
 * begin something. A mention ("@name") is found after that, so it is broken by a space without
 * width. */
gchar *
dg__escape_markdown (const gchar *text)
{
    GString *out = g_string_new (NULL);
    for (const gchar *p = text; *p != '\0'; p++) {
        if (*p == '\n' || *p == '\r') {
            g_string_append_c (out, ' ');
            continue;
        }
        if (strchr ("\\`*_[]<>#|~&$!{}", *p) != NULL || (*p == ':' && p[1] == '/')
            || (*p == '.' && is_www (text, p)))
            g_string_append_c (out, '\\');
        g_string_append_c (out, *p);
        if (*p == '@')
            g_string_append (out, ZERO_WIDTH_SPACE);
    }
    return g_string_free (out, FALSE);
}

/* BBCode has no escape: a space without width after each bracket and inside what boards turn into
 * links by themselves. */
gchar *
dg__escape_bbcode (const gchar *text)
{
    GString *out = g_string_new (NULL);
    for (const gchar *p = text; *p != '\0'; p++) {
        if (*p == '\n' || *p == '\r') {
            g_string_append_c (out, ' ');
            continue;
        }
        g_string_append_c (out, *p);
        if (*p == '[' || *p == ':' || *p == '@' || (*p == '.' && is_www (text, p)))
            if (*p != ':' || p[1] == '/')
                g_string_append (out, ZERO_WIDTH_SPACE);
    }
    return g_string_free (out, FALSE);
}

/* RFC 4180 for the quotes. A spreadsheet takes what begins with = + - @ (or a tab or return before
 * them) as a formula: an apostrophe makes it text. */
void
dg__append_csv_text (GString *out, const gchar *text)
{
    if (text == NULL)
        return;
    gboolean is_formula = *text != '\0' && strchr ("=+-@\t\r", *text) != NULL;
    gboolean needs_quotes = strpbrk (text, ",\"\r\n") != NULL;
    if (needs_quotes)
        g_string_append_c (out, '"');
    if (is_formula)
        g_string_append_c (out, '\'');
    for (const gchar *p = text; *p != '\0'; p++) {
        if (*p == '"')
            g_string_append_c (out, '"');
        g_string_append_c (out, *p);
    }
    if (needs_quotes)
        g_string_append_c (out, '"');
}
