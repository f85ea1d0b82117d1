/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/report.h"
#include "app/report/report-private.h"

#include <string.h>

#define LONGEST_NAME 60

/* Letters and digits of any script, and a few marks that no file system minds. */
static gboolean
is_allowed (gunichar c)
{
    return g_unichar_isalnum (c) || (c < 128 && strchr (" -_.,()+", (int) c) != NULL);
}

static void
append_allowed (GString *name, const gchar *text)
{
    glong n = 0;
    for (const gchar *p = text; *p != '\0' && n < LONGEST_NAME; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (!is_allowed (c))
            c = ' ';
        /* One space only, and no dot behind one: neither ".." nor a hidden or extension-like part
         * can come about. */
        gboolean after_space = name->len == 0 || name->str[name->len - 1] == ' ';
        if ((c == ' ' || c == '.') && after_space)
            continue;
        if (c == '.' && name->str[name->len - 1] == '.')
            continue;
        g_string_append_unichar (name, c);
        n++;
    }
    while (name->len > 0 && (name->str[name->len - 1] == ' ' || name->str[name->len - 1] == '.'))
        g_string_truncate (name, name->len - 1);
}

gchar *
dg_report_file_name (const DgDocView *view)
{
    GString *name = g_string_new ("Drive Gauge ");
    g_autofree gchar *drive = dg__report_drive (view, NULL);
    if (drive != NULL)
        append_allowed (name, drive);
    g_autofree gchar *date = dg__report_date (view, '-', FALSE);
    if (date != NULL && name->str[name->len - 1] != ' ')
        g_string_append_c (name, ' ');
    for (const gchar *p = date; p != NULL && *p != '\0'; p++)
        if (*p != ':')
            g_string_append_c (name, *p);
    while (name->str[name->len - 1] == ' ')
        g_string_truncate (name, name->len - 1);
    return g_string_free (name, FALSE);
}
