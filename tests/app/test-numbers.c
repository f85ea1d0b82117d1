/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/numbers.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#define CHECK(call, expected)                                                                      \
    do {                                                                                           \
        g_autofree gchar *made = (call);                                                           \
        g_assert_cmpstr (made, ==, expected);                                                      \
    } while (0)

static const DgNumberFor FILE_ = DG_FOR_FILE;

static void
test_rate (void)
{
    CHECK (dg_number_rate (1036.4e6, DG_UNIT_MB, FILE_), "1036");
    CHECK (dg_number_rate (987.16e6, DG_UNIT_MB, FILE_), "987.2");
    CHECK (dg_number_rate (58.312e6, DG_UNIT_MB, FILE_), "58.31");
    CHECK (dg_number_rate (9.6241e6, DG_UNIT_MB, FILE_), "9.624");
    CHECK (dg_number_rate (0.8124e6, DG_UNIT_MB, FILE_), "0.812");
    /* Rounding that makes one digit more. */
    CHECK (dg_number_rate (999.96e6, DG_UNIT_MB, FILE_), "1000");
    CHECK (dg_number_rate (999.94e6, DG_UNIT_MB, FILE_), "999.9");
    CHECK (dg_number_rate (99.996e6, DG_UNIT_MB, FILE_), "100.0");
    CHECK (dg_number_rate (9.9996e6, DG_UNIT_MB, FILE_), "10.00");
    CHECK (dg_number_rate (1234567e6, DG_UNIT_MB, FILE_), "1234567");
    CHECK (dg_number_rate (7.4123e9, DG_UNIT_GB, FILE_), "7.412");
    CHECK (dg_number_rate (1048576, DG_UNIT_MIB, FILE_), "1.000");
    CHECK (dg_number_rate (NAN, DG_UNIT_MB, FILE_), "—");
    CHECK (dg_number_rate (1e6, DG_UNIT_IOPS, FILE_), "—");
    CHECK (dg_number_rate (INFINITY, DG_UNIT_MB, FILE_), "1000000000000000000");
}

static void
test_latency (void)
{
    CHECK (dg_number_latency (66812, FILE_), "66.8 µs");
    CHECK (dg_number_latency (8081000, FILE_), "8.08 ms");
    CHECK (dg_number_latency (812, FILE_), "812 ns");
    CHECK (dg_number_latency (999.4, FILE_), "999 ns");
    CHECK (dg_number_latency (999.6, FILE_), "1.00 µs");
    CHECK (dg_number_latency (999600, FILE_), "1.00 ms");
    CHECK (dg_number_latency (1.5e9, FILE_), "1.50 s");
    CHECK (dg_number_latency (4321e9, FILE_), "4321 s");
    CHECK (dg_number_latency (NAN, FILE_), "—");
    CHECK (dg_number_latency_us (3611160, FILE_), "3611");
    CHECK (dg_number_latency_us (66812, FILE_), "66.81");
    CHECK (dg_number_iops (988.4, FILE_), "988");
    CHECK (dg_number_iops (1234567.5, FILE_), "1234568");
    CHECK (dg_number_iops (NAN, FILE_), "—");
}

static void
test_spread (void)
{
    CHECK (dg_number_spread (0.44, FILE_), "±0.4 %");
    CHECK (dg_number_spread (NAN, FILE_), "");
    CHECK (dg_number_percent (0.44, FILE_), "0.4 %");
    CHECK (dg_number_percent (NAN, FILE_), "—");
}

static void
test_sizes (void)
{
    CHECK (dg_number_gib (G_GUINT64_CONSTANT (17502000000), FILE_), "16.3 GiB");
    CHECK (dg_number_gib (512u << 20, FILE_), "512 MiB");
    CHECK (dg_number_gib (G_GUINT64_CONSTANT (1) << 30, FILE_), "1.00 GiB");
    CHECK (dg_number_gib (G_GUINT64_CONSTANT (1) << 40, FILE_), "1.00 TiB");
    CHECK (dg_number_gib (0, FILE_), "0 MiB");
    CHECK (dg_number_gib (G_MAXUINT64, FILE_), "—");
    CHECK (dg_number_size (G_GUINT64_CONSTANT (2000398934016), FILE_), "2 TB");
    CHECK (dg_number_size (G_GUINT64_CONSTANT (512110190592), FILE_), "512 GB");
    CHECK (dg_number_size (G_GUINT64_CONSTANT (1920383410176), FILE_), "1.92 TB");
    CHECK (dg_number_size (G_GUINT64_CONSTANT (999999999999), FILE_), "1 TB");
    CHECK (dg_number_size (0, FILE_), "0 B");
    CHECK (dg_number_file_size (G_GUINT64_CONSTANT (1) << 30, FILE_), "1 GiB");
    CHECK (dg_number_file_size (64u << 20, FILE_), "64 MiB");
    CHECK (dg_number_file_size (1536u << 20, FILE_), "1536 MiB");
    CHECK (dg_number_file_size (1000000000, FILE_), "1000000000 B");
    CHECK (dg_number_line_rate (G_GUINT64_CONSTANT (10000000000), FILE_), "10 Gb/s");
    CHECK (dg_number_line_rate (480000000, FILE_), "480 Mb/s");
    CHECK (dg_number_line_rate (1500000000, FILE_), "1.5 Gb/s");
    CHECK (dg_number_line_rate (0, FILE_), "—");
}

static void
test_times (void)
{
    CHECK (dg_number_duration (G_GUINT64_CONSTANT (74000000000), FILE_), "1 min 14 s");
    CHECK (dg_number_duration (G_GUINT64_CONSTANT (25000000000), FILE_), "25 s");
    CHECK (dg_number_duration (500000000, FILE_), "0.5 s");
    CHECK (dg_number_duration (2000000000, FILE_), "2 s");
    CHECK (dg_number_duration (G_GUINT64_CONSTANT (9960000000), FILE_), "10 s");
    CHECK (dg_number_duration (G_GUINT64_CONSTANT (59600000000), FILE_), "1 min");
    CHECK (dg_number_duration (G_GUINT64_CONSTANT (7500000000000), FILE_), "2 h 5 min");
    CHECK (dg_number_duration (G_MAXUINT64, FILE_), "—");
    CHECK (dg_number_seconds (0, 1, FILE_), "0.0 s");
    CHECK (dg_number_seconds (12.346, 2, FILE_), "12.35 s");
    CHECK (dg_number_seconds (1075, 1, FILE_), "1075.0 s");
    CHECK (dg_number_seconds (NAN, 1, FILE_), "—");
    CHECK (dg_number_celsius (34.4, FILE_), "34 °C");
    CHECK (dg_number_celsius (NAN, FILE_), "—");
    CHECK (dg_number_celsius_range (34.4, 49.6, FILE_), "34–50 °C");
    CHECK (dg_number_celsius_range (33.6, 34.4, FILE_), "34 °C");
    CHECK (dg_number_count (1234567, FILE_), "1234567");
    CHECK (dg_number_fixed (1.005, 1), "1.0");
    CHECK (dg_number_fixed (-2.5, 2), "-2.50");
}

/* In the window: groups, and numbers that do not leave their units. */
static void
test_window (void)
{
    CHECK (dg_number_rate (1036.4e6, DG_UNIT_MB, DG_FOR_WINDOW), "1\xe2\x80\xaf"
                                                                 "036");
    CHECK (dg_number_iops (1234567, DG_FOR_WINDOW), "1\xe2\x80\xaf"
                                                    "234\xe2\x80\xaf"
                                                    "567");
    CHECK (dg_number_count (999, DG_FOR_WINDOW), "999");
    CHECK (dg_number_rate_and_unit (58.312e6, DG_UNIT_MB, DG_FOR_WINDOW), "58.31\xc2\xa0MB/s");
    CHECK (dg_number_rate_and_unit (58.312e6, DG_UNIT_MIB, FILE_), "55.61 MiB/s");
    CHECK (dg_number_latency (66812, DG_FOR_WINDOW), "66.8\xc2\xa0µs");
}

/* A decimal comma reaches the window and never a file. */
static void
test_comma (void)
{
    static const gchar *const names[] = { "ru_RU.UTF-8", "ru_RU.utf8", "de_DE.UTF-8", "de_DE.utf8",
                                          "fr_FR.UTF-8" };
    gboolean has_locale = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS (names) && !has_locale; i++)
        has_locale =
            setlocale (LC_ALL, names[i]) != NULL && strcmp (localeconv ()->decimal_point, ",") == 0;
    if (!has_locale) {
        g_test_skip ("no locale with a decimal comma is installed");
        return;
    }
    CHECK (dg_number_rate (58.312e6, DG_UNIT_MB, DG_FOR_WINDOW), "58,31");
    CHECK (dg_number_rate (58.312e6, DG_UNIT_MB, DG_FOR_FILE), "58.31");
    CHECK (dg_number_fixed (0.5, 1), "0.5");
    CHECK (dg_number_duration (500000000, DG_FOR_FILE), "0.5 s");
    setlocale (LC_ALL, "C.UTF-8");
}

static void
test_sanitize (void)
{
    g_assert_null (dg_text_sanitize (NULL));
    CHECK (dg_text_sanitize (""), "");
    CHECK (dg_text_sanitize ("Samsung <b>T7</b> & Co"), "Samsung <b>T7</b> & Co");
    CHECK (dg_text_sanitize ("a\nb\tc\x7f"
                             "d\x1b[31m"),
           "a�b�c�d�[31m");
    CHECK (dg_text_sanitize ("\xe2\x80\xae"
                             "txt.exe\xe2\x81\xa6"),
           "�txt.exe�");
    CHECK (dg_text_sanitize ("\xc2\x85|\xe2\x80\xa8|\xef\xbb\xbf"), "�|�|�");
    CHECK (dg_text_sanitize ("caf\xe9!"), "caf�!");
    CHECK (dg_text_sanitize ("диск 硬碟 💾"), "диск 硬碟 💾");
}

static void
test_sanitize_long (void)
{
    g_autofree gchar *exact = g_strnfill (256, 'x');
    CHECK (dg_text_sanitize (exact), exact);

    GString *long_text = g_string_new (NULL);
    for (guint i = 0; i < 10000; i++)
        g_string_append (long_text, "ж");
    g_autofree gchar *cut = dg_text_sanitize (long_text->str);
    g_assert_cmpint (g_utf8_strlen (cut, -1), ==, 256);
    g_assert_true (g_utf8_validate (cut, -1, NULL));
    g_assert_true (g_str_has_suffix (cut, "ж…"));
    g_string_free (long_text, TRUE);

    g_autofree gchar *broken = g_strnfill (5000, '\xff');
    g_autofree gchar *clean = dg_text_sanitize (broken);
    g_assert_true (g_utf8_validate (clean, -1, NULL));
    g_assert_cmpint (g_utf8_strlen (clean, -1), ==, 256);
}

/* Of an error the system speaks the user's language where it can; a document's words never name the
 * head of its catalogue. */
static void
test_error_text (void)
{
    g_assert_null (dg_text_of_error (NULL));
    g_assert_cmpstr (dg_text_of_error (""), ==, "");
    g_assert_cmpstr (dg_text_of_error ("No such words: \n"), ==, "No such words: \n");
    g_assert_cmpstr (dg_text_of_error ("Input/output error"), ==, "Input/output error");
    g_autofree gchar *before = g_strdup (setlocale (LC_ALL, NULL));
    if (setlocale (LC_ALL, "ru_RU.UTF-8") == NULL
        || !g_file_test ("/usr/share/locale/ru/LC_MESSAGES/libc.mo", G_FILE_TEST_EXISTS)
        || g_getenv ("LANGUAGE") != NULL) {
        g_test_skip ("no Russian system");
    } else {
        g_assert_cmpstr (dg_text_of_error ("Input/output error"), ==, "Ошибка ввода/вывода");
        g_assert_cmpstr (dg_text_of_error (""), ==, "");
    }
    setlocale (LC_ALL, before);
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/numbers/rate", test_rate);
    g_test_add_func ("/numbers/latency", test_latency);
    g_test_add_func ("/numbers/spread", test_spread);
    g_test_add_func ("/numbers/sizes", test_sizes);
    g_test_add_func ("/numbers/times", test_times);
    g_test_add_func ("/numbers/window", test_window);
    g_test_add_func ("/numbers/comma", test_comma);
    g_test_add_func ("/text/sanitize", test_sanitize);
    g_test_add_func ("/text/error", test_error_text);
    g_test_add_func ("/text/long", test_sanitize_long);
    return g_test_run ();
}
