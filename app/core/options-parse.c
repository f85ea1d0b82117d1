/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as people type them. Only digits and one decimal point: what strtod takes besides (nan,
 * inf, 1e9, 0x10, " 1") is refused. */
#include "app/core/options.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIB            G_GUINT64_CONSTANT (1048576)
#define LARGEST_SIZE   (16 * MIB * MIB) /* 16 TiB */
#define LONGEST_NUMBER 20u

/* How many bytes of `text` are a plain decimal number; 0 if it does not begin with one. */
static gsize
number_length (const gchar *text)
{
    gsize whole = strspn (text, "0123456789"), part = 0;

    if (whole == 0)
        return 0;
    if (text[whole] == '.') {
        part = strspn (text + whole + 1, "0123456789");
        if (part == 0)
            return 0;
        part++;
    }
    return whole + part;
}

static gboolean
size_unit (const gchar *text, guint64 *ret_unit)
{
    static const struct {
        const gchar *name;
        guint64 bytes;
    } units[] = {
        { "", 1 },
        { "B", 1 },
        { "KB", 1000 },
        { "MB", 1000000 },
        { "GB", G_GUINT64_CONSTANT (1000000000) },
        { "TB", G_GUINT64_CONSTANT (1000000000000) },
        { "KiB", 1024 },
        { "MiB", MIB },
        { "GiB", 1024 * MIB },
        { "TiB", MIB * MIB },
        /* As in the names of tests: SEQ1M is 1 MiB. */
        { "K", 1024 },
        { "M", MIB },
        { "G", 1024 * MIB },
        { "T", MIB * MIB },
    };

    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (g_ascii_strcasecmp (text, units[i].name) == 0) {
            *ret_unit = units[i].bytes;
            return TRUE;
        }
    return FALSE;
}

gboolean
dg_parse_size (const gchar *text, guint64 *ret_bytes, GError **error)
{
    const gchar *given = text != NULL ? text : "";
    gsize length = number_length (given);
    g_autofree gchar *shown = dg_text_sanitize (given);
    guint64 unit = 0;

    if (length == 0 || length > LONGEST_NUMBER
        || !size_unit (given + length + (given[length] == ' '), &unit)) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("“%s” is not a size. Write it like 64MiB, 1GiB or 1GB; 1 MiB to 16 TiB are possible."),
                        shown);
        return FALSE;
    }
    g_autofree gchar *number = g_strndup (given, length);
    gdouble bytes = g_ascii_strtod (number, NULL) * (gdouble) unit;
    if (bytes < (gdouble) MIB) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("“%s” is too small: rounded down to whole MiB nothing would be left. Take 1 MiB to 16 TiB."),
                        shown);
        return FALSE;
    }
    if (bytes > (gdouble) LARGEST_SIZE) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("“%s” is too large. Take 1 MiB to 16 TiB."), shown);
        return FALSE;
    }
    *ret_bytes = (guint64) bytes;
    return TRUE;
}

gboolean
dg_parse_seconds (const gchar *text, gdouble min_s, gdouble max_s, guint64 *ret_ns, GError **error)
{
    const gchar *given = text != NULL ? text : "";
    gsize length = number_length (given);

    if (length != 0 && length <= LONGEST_NUMBER && given[length] == '\0') {
        gdouble seconds = g_ascii_strtod (given, NULL);
        if (seconds >= min_s && seconds <= max_s) {
            *ret_ns = (guint64) round (seconds * 1e9);
            return TRUE;
        }
    }
    g_autofree gchar *shown = dg_text_sanitize (given);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                 _ ("“%s” is not a number of seconds from %g to %g. Write it like 2 or 2.5."),
                    shown, min_s, max_s);
    return FALSE;
}

gboolean
dg_parse_count (const gchar *text, guint min, guint max, guint *ret_value, GError **error)
{
    const gchar *given = text != NULL ? text : "";
    gsize length = strspn (given, "0123456789");

    if (length >= 1 && length <= 9 && given[length] == '\0') {
        guint64 value = g_ascii_strtoull (given, NULL, 10);
        if (value >= min && value <= max) {
            *ret_value = (guint) value;
            return TRUE;
        }
    }
    g_autofree gchar *shown = dg_text_sanitize (given);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                 _ ("“%s” is not a whole number from %u to %u."), shown, min, max);
    return FALSE;
}
