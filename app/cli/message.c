/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/message.h"

#include "app/cli/platform.h"
#include "app/core/app-error.h"
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>

static gboolean has_progress;

void
dg_message_progress (const gchar *text)
{
    if (text == NULL && !has_progress)
        return;
    has_progress = text != NULL;
    if (text == NULL) {
        g_printerr ("\r\033[K");
        return;
    }
    /* A line that wraps could not be overwritten. */
    glong columns = (glong) dg_platform_terminal_columns (2) - 1;
    g_autofree gchar *shown =
        g_utf8_strlen (text, -1) > columns ? g_utf8_substring (text, 0, columns) : g_strdup (text);
    g_printerr ("\r%s\033[K", shown);
}

void
dg_message (const gchar *format, ...)
{
    va_list arguments;

    va_start (arguments, format);
    g_autofree gchar *text = g_strdup_vprintf (format, arguments);
    va_end (arguments);
    dg_message_progress (NULL);
    g_printerr ("%s: %s\n", DG_PROGRAM, text);
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
