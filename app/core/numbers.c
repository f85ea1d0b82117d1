/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/numbers.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>

#define DASH          "—"
#define GROUP_SPACE   "\xe2\x80\xaf" /* U+202F, narrow no-break space */
#define LEFT_TO_RIGHT "\xe2\x80\x8e" /* U+200E, not seen */

/* Beyond this no figure of ours makes sense, and a double has lost its last digits. */
#define LARGEST 1e18

static const gchar *
decimal_mark (DgNumberFor purpose)
{
    if (purpose == DG_FOR_FILE)
        return ".";
    const gchar *mark = localeconv ()->decimal_point;
    return mark != NULL && mark[0] != '\0' && g_utf8_validate (mark, -1, NULL) ? mark : ".";
}

/* Between a number and its unit: in the window the two must not be torn apart. */
static const gchar *
unit_space (DgNumberFor purpose)
{
    return purpose == DG_FOR_WINDOW ? "\xc2\xa0" : " ";
}

static gchar *
format_fixed (gdouble value, guint decimals, DgNumberFor purpose)
{
    gchar format[8], plain[64];

    if (isnan (value))
        return g_strdup (DASH);
    value = CLAMP (value, -LARGEST, LARGEST);
    g_snprintf (format, sizeof format, "%%.%uf", MIN (decimals, 9u));
    g_ascii_formatd (plain, sizeof plain, format, value);
    if (purpose == DG_FOR_FILE)
        return g_strdup (plain);

    GString *text = g_string_new (NULL);
    const gchar *digits = plain;
    if (*digits == '-') {
        g_string_append (text, "−");
        digits++;
    }
    gsize whole = strspn (digits, "0123456789");
    for (gsize i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            g_string_append (text, GROUP_SPACE);
        g_string_append_c (text, digits[i]);
    }
    if (digits[whole] == '.') {
        g_string_append (text, decimal_mark (purpose));
        g_string_append (text, digits + whole + 1);
    }
    return g_string_free (text, FALSE);
}

/* The decimals that leave `significant` digits of a value, at most significant - 1, as the value
 * stands once it is rounded: 9.9996 has two, not three. */
static guint
decimals_for (gdouble value, guint significant)
{
    gdouble magnitude = fabs (value), limit = 10;
    guint decimals = significant - 1;

    while (decimals > 0) {
        gdouble step = pow (10, -(gdouble) decimals);
        if (magnitude + step / 2 < limit)
            return decimals;
        limit *= 10;
        decimals--;
    }
    return 0;
}

static gchar *
format_significant (gdouble value, guint significant, DgNumberFor purpose)
{
    return format_fixed (value, isnan (value) ? 0 : decimals_for (value, significant), purpose);
}

/* As format_significant, "2.00" becoming "2" and "1.90" "1.9". */
static gchar *
format_short (gdouble value, guint significant, DgNumberFor purpose)
{
    guint decimals = decimals_for (value, significant);
    gdouble scaled = round (value * pow (10, decimals));

    while (decimals > 0 && fmod (scaled, 10) == 0) {
        scaled /= 10;
        decimals--;
    }
    return format_fixed (value, decimals, purpose);
}

/* By its first letter. */
static gboolean
runs_leftwards (const gchar *text)
{
    while (*text != '\0' && !g_unichar_isalpha (g_utf8_get_char (text)))
        text = g_utf8_next_char (text);
    switch (g_unichar_get_script (g_utf8_get_char (text))) {
    case G_UNICODE_SCRIPT_ARABIC:
    case G_UNICODE_SCRIPT_HEBREW:
    case G_UNICODE_SCRIPT_SYRIAC:
    case G_UNICODE_SCRIPT_THAANA:
    case G_UNICODE_SCRIPT_NKO:
        return TRUE;
    default:
        return FALSE;
    }
}

gchar *
dg_number_in_order (gchar *text, DgNumberFor purpose)
{
    /* The language that the program speaks: that of the locale may have no catalogue. */
    if (purpose != DG_FOR_WINDOW || !runs_leftwards (_ ("Read")) || runs_leftwards (text))
        return text;
    g_autofree gchar *owned = text;
    return g_strconcat (LEFT_TO_RIGHT, owned, LEFT_TO_RIGHT, NULL);
}

static gchar *
with_unit (gchar *number /* (transfer full) */, const gchar *unit, DgNumberFor purpose)
{
    g_autofree gchar *owned = number;
    return dg_number_in_order (g_strconcat (owned, unit_space (purpose), unit, NULL), purpose);
}

const gchar *
dg_unit_name (DgUnit unit)
{
    switch (unit) {
    case DG_UNIT_MB:
        return "MB/s";
    case DG_UNIT_GB:
        return "GB/s";
    case DG_UNIT_MIB:
        return "MiB/s";
    case DG_UNIT_IOPS:
        return "IOPS";
    case DG_UNIT_US:
        return "µs";
    }
    return "";
}

gdouble
dg_unit_from_bytes_per_s (gdouble bytes_per_s, DgUnit unit)
{
    switch (unit) {
    case DG_UNIT_MB:
        return bytes_per_s / 1e6;
    case DG_UNIT_GB:
        return bytes_per_s / 1e9;
    case DG_UNIT_MIB:
        return bytes_per_s / 1048576.0;
    case DG_UNIT_IOPS:
    case DG_UNIT_US:
        break;
    }
    return NAN; /* neither can be had from a bandwidth */
}

gchar *
dg_number_rate (gdouble bytes_per_s, DgUnit unit, DgNumberFor purpose)
{
    return format_significant (dg_unit_from_bytes_per_s (bytes_per_s, unit), 4, purpose);
}

gchar *
dg_number_rate_and_unit (gdouble bytes_per_s, DgUnit unit, DgNumberFor purpose)
{
    return with_unit (dg_number_rate (bytes_per_s, unit, purpose), dg_unit_name (unit), purpose);
}

gchar *
dg_number_iops (gdouble iops, DgNumberFor purpose)
{
    return format_fixed (iops, 0, purpose);
}

gchar *
dg_number_latency (gdouble ns, DgNumberFor purpose)
{
    static const gchar *const units[] = { "ns", "µs", "ms", "s" };
    guint u = 0;

    if (isnan (ns))
        return g_strdup (DASH);
    /* 999.5 would be written as 1000. */
    while (u < G_N_ELEMENTS (units) - 1 && fabs (ns) >= 999.5) {
        ns /= 1000;
        u++;
    }
    return with_unit (format_significant (ns, 3, purpose), units[u], purpose);
}

gchar *
dg_number_latency_us (gdouble ns, DgNumberFor purpose)
{
    return format_significant (ns / 1000, 4, purpose);
}

gchar *
dg_number_percent (gdouble percent, DgNumberFor purpose)
{
    if (isnan (percent))
        return g_strdup (DASH);
    return with_unit (format_fixed (percent, 1, purpose), "%", purpose);
}

gchar *
dg_number_spread (gdouble percent, DgNumberFor purpose)
{
    if (isnan (percent))
        return g_strdup ("");
    g_autofree gchar *number = format_fixed (percent, 1, purpose);
    return with_unit (g_strconcat ("±", number, NULL), "%", purpose);
}

gchar *
dg_number_gib (guint64 bytes, DgNumberFor purpose)
{
    const gdouble mib = 1048576.0;

    if (bytes == G_MAXUINT64)
        return g_strdup (DASH);
    if (bytes == 0)
        return with_unit (g_strdup ("0"), "MiB", purpose);
    gdouble value = (gdouble) bytes / mib;
    if (value < 1024)
        return with_unit (format_significant (value, 3, purpose), "MiB", purpose);
    value /= 1024;
    if (value < 999.5)
        return with_unit (format_significant (value, 3, purpose), "GiB", purpose);
    return with_unit (format_significant (value / 1024, 3, purpose), "TiB", purpose);
}

gchar *
dg_number_size (guint64 bytes, DgNumberFor purpose)
{
    static const gchar *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
    guint u = 0;

    if (bytes == G_MAXUINT64)
        return g_strdup (DASH);
    gdouble value = (gdouble) bytes;
    while (u < G_N_ELEMENTS (units) - 1 && value >= 999.5) {
        value /= 1000;
        u++;
    }
    return with_unit (format_short (value, 3, purpose), units[u], purpose);
}

gchar *
dg_number_file_size (guint64 bytes, DgNumberFor purpose)
{
    static const gchar *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    guint u = 0;

    /* Exact: the greatest unit that leaves a whole number. */
    if (bytes == G_MAXUINT64)
        return g_strdup (DASH);
    while (bytes != 0 && bytes % 1024 == 0 && u < G_N_ELEMENTS (units) - 1) {
        bytes /= 1024;
        u++;
    }
    return dg_number_in_order (g_strdup_printf ("%" G_GUINT64_FORMAT " %s", bytes, units[u]),
                               purpose);
}

gchar *
dg_number_seconds (gdouble seconds, guint decimals, DgNumberFor purpose)
{
    if (!isfinite (seconds))
        return g_strdup (DASH);
    g_autofree gchar *number = format_fixed (seconds, decimals, purpose);
    /* Translators: seconds, as short as possible */
    return dg_number_in_order (
        g_strdup_printf (purpose == DG_FOR_WINDOW ? _ ("%s s") : "%s s", number), purpose);
}

gchar *
dg_number_duration (guint64 ns, DgNumberFor purpose)
{
    gboolean window = purpose == DG_FOR_WINDOW;

    if (ns == G_MAXUINT64)
        return g_strdup (DASH);
    if (ns < 9950000000u) { /* one decimal, where there is one */
        gdouble seconds = (gdouble) ns / 1e9;
        gboolean is_whole = round (seconds * 10) == round (seconds) * 10;
        return dg_number_seconds (seconds, is_whole ? 0 : 1, purpose);
    }
    guint64 seconds = ns / 1000000000u + (ns % 1000000000u >= 500000000u);
    if (seconds < 60)
        return dg_number_seconds ((gdouble) seconds, 0, purpose);
    guint64 large = seconds / 60, small = seconds % 60;
    const gchar *both =
        window ? /* Translators: minutes and seconds, as short as possible */ _ ("%u min %u s")
               : "%u min %u s";
    const gchar *alone =
        window ? /* Translators: minutes, as short as possible */ _ ("%u min") : "%u min";
    if (large >= 60) {
        large = seconds / 3600;
        small = seconds % 3600 / 60;
        both = window ? /* Translators: hours and minutes, as short as possible */ _ ("%u h %u min")
                      : "%u h %u min";
        alone = window ? /* Translators: hours, as short as possible */ _ ("%u h") : "%u h";
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    gchar *text = small != 0 ? g_strdup_printf (both, (guint) large, (guint) small)
                             : g_strdup_printf (alone, (guint) large);
#pragma GCC diagnostic pop
    return dg_number_in_order (text, purpose);
}

gchar *
dg_number_line_rate (guint64 bits_per_s, DgNumberFor purpose)
{
    if (bits_per_s == G_MAXUINT64 || bits_per_s == 0)
        return g_strdup (DASH);
    gdouble value = (gdouble) bits_per_s / 1e6;
    if (value < 999.5)
        return with_unit (format_short (value, 3, purpose), "Mb/s", purpose);
    return with_unit (format_short (value / 1000, 3, purpose), "Gb/s", purpose);
}

gchar *
dg_number_celsius (gdouble celsius, DgNumberFor purpose)
{
    if (isnan (celsius))
        return g_strdup (DASH);
    return with_unit (format_fixed (celsius, 0, purpose), "°C", purpose);
}

gchar *
dg_number_celsius_range (gdouble low, gdouble high, DgNumberFor purpose)
{
    if (round (low) == round (high) || isnan (low) || isnan (high))
        return dg_number_celsius (high, purpose);
    g_autofree gchar *from = format_fixed (low, 0, purpose);
    gchar *to = format_fixed (high, 0, purpose);
    gchar *both = g_strconcat (from, "–", to, NULL);
    g_free (to);
    return with_unit (both, "°C", purpose);
}

gchar *
dg_number_count (guint64 n, DgNumberFor purpose)
{
    if (n == G_MAXUINT64)
        return g_strdup (DASH);
    return format_fixed ((gdouble) n, 0, purpose);
}

gchar *
dg_number_fixed (gdouble value, guint decimals)
{
    return format_fixed (value, decimals, DG_FOR_FILE);
}
