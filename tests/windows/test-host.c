/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How Windows versions are called, what is read of the one at hand, what drives answer about their
 * temperature, and how saved text ends its lines. */
#include "app/core/host-windows.h"
#include "app/core/host.h"
#include "app/core/line-ends.h"
#include "app/core/temperature-windows.h"

#include <math.h>
#include <string.h>

static void
test_names (void)
{
    static const struct {
        DgWindowsVersion version;
        const gchar *name;
    } names[] = {
        { { 10, 0, 22631, FALSE, 22631, "Windows 10 Pro", "23H2" },
          "Windows 11 Pro 23H2 (build 22631)" },
        { { 10, 0, 22000, FALSE, 22000, "Windows 10 Home", "21H2" },
          "Windows 11 Home 21H2 (build 22000)" },
        { { 10, 0, 19045, FALSE, 19045, "Windows 10 Enterprise LTSC", "22H2" },
          "Windows 10 Enterprise LTSC 22H2 (build 19045)" },
        { { 10, 0, 21999, FALSE, 21999, "Windows 10 Pro", NULL }, "Windows 10 Pro (build 21999)" },
        { { 10, 0, 26100, FALSE, 26100, "Windows 11 Pro", "24H2" },
          "Windows 11 Pro 24H2 (build 26100)" },
        { { 10, 0, 20348, TRUE, 20348, "Windows Server 2022 Standard", "21H2" },
          "Windows Server 2022 Standard 21H2 (build 20348)" },
        { { 10, 0, 26100, TRUE, 26100, "Windows Server 2025 Datacenter", "24H2" },
          "Windows Server 2025 Datacenter 24H2 (build 26100)" },
        { { 10, 0, 14393, TRUE, 14393, "Windows Server 2016 Standard", "1607" },
          "Windows Server 2016 Standard 1607 (build 14393)" },
        /* A registry that speaks of another Windows, as Wine's may. */
        { { 10, 0, 19043, FALSE, 7601, "Microsoft Windows 7", NULL }, "Windows 10 (build 19043)" },
        { { 10, 0, 19043, FALSE, 7601, "Windows 7 Professional", "22H2" },
          "Windows 10 (build 19043)" },
        { { 10, 0, 19043, FALSE, 0, NULL, NULL }, "Windows 10 (build 19043)" },
        { { 6, 1, 7601, FALSE, 7601, "Windows 7 Ultimate", NULL },
          "Windows 7 Ultimate (build 7601)" },
        { { 6, 3, 9600, FALSE, 9600, "Windows 8.1", NULL }, "Windows 8.1 (build 9600)" },
        { { 12, 0, 30000, FALSE, 30000, "Windows 12 Pro", "29H2" },
          "Windows 12 Pro 29H2 (build 30000)" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree gchar *name = dg__windows_name (&names[i].version);
        g_assert_cmpstr (name, ==, names[i].name);
    }
}

static void
test_this (void)
{
    DgHost host;
    dg_host_read (NULL, &host);
    g_assert_nonnull (host.os);
    g_assert_nonnull (host.kernel);
    g_test_message ("%s, %s", host.os, host.kernel);
    g_assert_true (g_str_has_prefix (host.os, "Windows "));
    /* The name and the version speak of one Windows, whatever the registry says. */
    if (g_str_has_prefix (host.kernel, "10."))
        g_assert_true (g_str_has_prefix (host.os, "Windows 10")
                       || g_str_has_prefix (host.os, "Windows 11")
                       || g_str_has_prefix (host.os, "Windows Server"));
    g_auto (GStrv) numbers = g_strsplit (host.kernel, ".", -1);
    g_assert_cmpuint (g_strv_length (numbers), >=, 3);
    g_autofree gchar *build = g_strdup_printf ("(build %s)", numbers[2]);
    g_assert_true (g_str_has_suffix (host.os, build));
    g_assert_cmpuint (host.cpus, >=, 1);
    g_assert_cmpuint (host.memory_bytes, >, 64u << 20);
    g_assert_cmpint (host.on_battery, >=, -1);
    g_assert_cmpint (host.on_battery, <=, 1);
    dg_host_clear (&host);
}

static void
test_temperature (void)
{
    DgTemperature temperature = { 0 };
    g_assert_false (dg_temperature_read (NULL, "PhysicalDrive99", &temperature));
    g_assert_false (dg_temperature_read (NULL, "..\\PhysicalDrive0", &temperature));
    g_assert_false (dg_temperature_read (NULL, NULL, &temperature));
    g_assert_null (temperature.sensor);
}

/* Answers as winioctl.h documents them: version, size, critical, warning, how many sensors; then of
 * each its number, temperature, thresholds. -32768: not reported. */
static void
test_temperature_answers (void)
{
    static const struct {
        gint16 critical, warning, celsius;
        guint16 n;
        gsize size;
        gboolean is_told;
        gdouble limit;
    } rows[] = {
        { 85, 82, 41, 1, 40, TRUE, 82 },         { 85, 82, 41, 3, 280, TRUE, 82 },
        { 85, -32768, 41, 1, 40, TRUE, 85 },     { 85, 0, -5, 1, 40, TRUE, 85 },
        { -32768, -32768, 0, 1, 40, TRUE, NAN }, { 0, 0, 41, 1, 40, TRUE, NAN },
        { 85, 82, -32768, 1, 40, FALSE, 0 }, /* the sensor says nothing */
        { 85, 82, 255, 1, 40, FALSE, 0 },        { 85, 82, 41, 0, 40, FALSE, 0 },
        { 85, 82, 41, 1, 39, FALSE, 0 },         { 85, 82, 41, 1, 0, FALSE, 0 },
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        guint8 answer[280] = { 0 };
        DgTemperature temperature = { 0 };
        *(guint32 *) answer = *(guint32 *) (answer + 4) = 40;
        memcpy (answer + 8, &rows[i].critical, 2);
        memcpy (answer + 10, &rows[i].warning, 2);
        memcpy (answer + 12, &rows[i].n, 2);
        memcpy (answer + 26, &rows[i].celsius, 2);
        g_assert_cmpint (dg__temperature_of_answer (answer, rows[i].size, &temperature), ==,
                         rows[i].is_told);
        g_assert_true ((temperature.sensor != NULL) == rows[i].is_told);
        if (rows[i].is_told) {
            g_assert_cmpfloat (temperature.celsius, ==, rows[i].celsius);
            g_assert_true (isnan (rows[i].limit) ? isnan (temperature.limit_celsius)
                                                 : temperature.limit_celsius == rows[i].limit);
        }
        dg_temperature_clear (&temperature);
    }
}

static void
test_line_ends (void)
{
    static const gchar before[] = "a\n\nb\r\nc\n", after[] = "a\r\n\r\nb\r\nc\r\n";
    g_autoptr (GBytes) text = g_bytes_new_static (before, sizeof before - 1);
    g_autoptr (GBytes) made = dg_line_ends_for_file (text);
    gsize size;
    const gchar *data = g_bytes_get_data (made, &size);
    g_assert_cmpmem (data, size, after, sizeof after - 1);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/host/names", test_names);
    g_test_add_func ("/host/this", test_this);
    g_test_add_func ("/host/temperature", test_temperature);
    g_test_add_func ("/host/temperature-answers", test_temperature_answers);
    g_test_add_func ("/host/line-ends", test_line_ends);
    return g_test_run ();
}
