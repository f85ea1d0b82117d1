/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one place where text is made from numbers. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    DG_UNIT_MB,
    DG_UNIT_GB,
    DG_UNIT_MIB,
    DG_UNIT_IOPS,
    DG_UNIT_US
} DgUnit;
typedef enum {
    DG_FOR_WINDOW /* user's locale, U+202F groups */,
    DG_FOR_FILE /* C locale, no groups */
} DgNumberFor;

const gchar *
dg_unit_name (DgUnit unit); /* "MB/s", "GB/s", "MiB/s", "IOPS", "µs": never translated */

/* Four significant digits, from 1000 up whole: "1 036", "987.2", "58.31", "9.624", "0.812"; "—" for
 * NAN. All (transfer full). */
gchar *dg_number_rate (gdouble bytes_per_s, DgUnit unit, DgNumberFor purpose);
gchar *dg_number_rate_and_unit (gdouble bytes_per_s, DgUnit unit,
                                DgNumberFor purpose);      /* "1 036 MB/s" */
gchar *dg_number_iops (gdouble iops, DgNumberFor purpose); /* whole */
gchar *dg_number_latency (
    gdouble ns, DgNumberFor purpose); /* three digits with unit, 1 to 999: "66.8 µs", "8.08 ms" */
gchar *dg_number_latency_us (gdouble ns,
                             DgNumberFor purpose); /* in µs without unit, four significant digits */
gchar *dg_number_percent (gdouble percent,
                          DgNumberFor purpose); /* "±0.4 %" without the sign: one decimal "0.4 %" */
gchar *dg_number_spread (gdouble percent, DgNumberFor purpose); /* "±0.4 %"; "" for NAN */
gchar *
dg_number_gib (guint64 bytes,
               DgNumberFor purpose); /* "16.3 GiB", three digits; MiB below 1 GiB, TiB from 1000 */
gchar *dg_number_size (guint64 bytes,
                       DgNumberFor purpose); /* of drives: "2 TB", "512 GB" (decimal) */
gchar *dg_number_file_size (guint64 bytes, DgNumberFor purpose); /* of test files: "1 GiB" */
gchar *dg_number_duration (guint64 ns, DgNumberFor purpose);     /* "1 min 14 s", "25 s", "0.5 s" */
gchar *dg_number_seconds (gdouble seconds, guint decimals,
                          DgNumberFor purpose); /* for columns: "12.30 s" where decimals are 2 */
gchar *dg_number_line_rate (guint64 bits_per_s, DgNumberFor purpose); /* "10 Gb/s", "480 Mb/s" */
gchar *dg_number_celsius (gdouble celsius, DgNumberFor purpose);      /* "34 °C" */
gchar *dg_number_celsius_range (gdouble low, gdouble high,
                                DgNumberFor purpose); /* "34–50 °C", "34 °C" if both are the same */
gchar *dg_number_count (guint64 n, DgNumberFor purpose);

/* A number and its unit stay together, in the order of their own, among words that run from right
 * to left: there, and in the window only, `text` (taken) comes back between marks that are not
 * seen. The texts above that have a unit have them. (transfer full) */
gchar *dg_number_in_order (gchar *text, DgNumberFor purpose);

/* Plain "%.*f" in the C locale. */
gchar *dg_number_fixed (gdouble value, guint decimals);

/* The value in the unit, for axes: bytes/s -> MB/s etc. */
gdouble dg_unit_from_bytes_per_s (gdouble bytes_per_s, DgUnit unit);

/* Untrusted text: valid UTF-8, control and bidi characters as U+FFFD, at most 256 characters. NULL
 * gives NULL. */
gchar *dg_text_sanitize (const gchar *text);

/* What the system says of an error, as documents have it ("Input/output error"), in the user's
 * language where the system itself knows it in that; else `english`. NULL gives NULL. */
const gchar *dg_text_of_error (const gchar *english);

G_END_DECLS
