/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/message.h"

#include "app/cli/platform.h"
#include "app/core/app-error.h"
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

static gboolean has_progress;

/* Quotation marks, dashes and ellipses have plain forms. Not g_convert(), to which a plain form is
 * an error. */
static gchar *
transliterate (const gchar *text, const gchar *charset)
{
    g_autofree gchar *to = g_strconcat (charset, "//TRANSLIT", NULL);
    GIConv converter = g_iconv_open (to, "UTF-8");

    if (converter == (GIConv) -1)
        return NULL;
    gsize in_left = strlen (text), room = in_left * 4 + 8, out_left = room;
    gchar *local = g_malloc (room + 1), *out = local, *in = (gchar *) text;
    gboolean is_well = g_iconv (converter, &in, &in_left, &out, &out_left) != (gsize) -1;
    g_iconv_close (converter);
    *out = '\0';
    if (!is_well)
        g_clear_pointer (&local, g_free);
    return local;
}

gchar *
dg_message_to_locale (const gchar *text)
{
    const gchar *charset;

    if (g_get_charset (&charset))
        return g_strdup (text);
    gchar *local = transliterate (text, charset);
    if (local == NULL)
        local = g_convert_with_fallback (text, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
    return local != NULL ? local : g_strdup (text); /* an encoding that nobody knows */
}

DgNumberFor
dg_message_numbers (void)
{
    return g_get_charset (NULL) ? DG_FOR_WINDOW : DG_FOR_FILE;
}

static void
put (const gchar *text)
{
    g_autofree gchar *local = dg_message_to_locale (text);

    fputs (local, stderr);
    fflush (stderr);
}

void
dg_message_progress (const gchar *text)
{
    if (text == NULL && !has_progress)
        return;
    has_progress = text != NULL;
    if (text == NULL) {
        put ("\r\033[K");
        return;
    }
    /* A line that wraps could not be overwritten. */
    glong columns = (glong) dg_platform_terminal_columns (2) - 1;
    g_autofree gchar *shown =
        g_utf8_strlen (text, -1) > columns ? g_utf8_substring (text, 0, columns) : g_strdup (text);
    g_autofree gchar *line = g_strdup_printf ("\r%s\033[K", shown);
    put (line);
}

gchar *
dg_message_line (const gchar *text)
{
    g_autofree gchar *line = g_strdup_printf ("%s: %s\n", DG_PROGRAM, text);

    return dg_message_to_locale (line);
}

void
dg_message (const gchar *format, ...)
{
    va_list arguments;

    va_start (arguments, format);
    g_autofree gchar *text = g_strdup_vprintf (format, arguments);
    va_end (arguments);
    dg_message_progress (NULL);
    g_autofree gchar *line = dg_message_line (text);
    fputs (line, stderr);
    fflush (stderr);
}

int
dg_message_error (GError *error)
{
    int status = dg_app_error_exit_status (error);

    dg_message ("%s", error->message);
    g_error_free (error);
    return status;
}

gboolean
dg_message_output (const void *bytes, gsize size)
{
    errno = dg_platform_has_output () ? 0 : EBADF;
    if (errno == 0 && fwrite (bytes, 1, size, stdout) == size && fflush (stdout) == 0)
        return TRUE;
    dg_message (_ ("Standard output cannot be written (%s). Check where it goes: a full disk, a closed pipe?"),
        g_strerror (errno));
    return FALSE;
}
