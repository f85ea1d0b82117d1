/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/host.h"

#include "app/core/numbers.h"

#include <windows.h>

#define VERSION_KEY L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
#define CPU_KEY     L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0"

static gchar *
read_text (const wchar_t *key, const wchar_t *name)
{
    wchar_t text[256];
    DWORD size = sizeof text;
    if (RegGetValueW (HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, NULL, text, &size)
        != ERROR_SUCCESS)
        return NULL;
    g_autofree gchar *utf8 = g_utf16_to_utf8 ((const gunichar2 *) text, -1, NULL, NULL, NULL);
    return utf8 == NULL ? NULL : dg_text_sanitize (g_strstrip (utf8));
}

static gboolean
read_number (const wchar_t *key, const wchar_t *name, DWORD *ret_number)
{
    DWORD size = sizeof *ret_number;
    return RegGetValueW (HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_DWORD, NULL, ret_number, &size)
           == ERROR_SUCCESS;
}

/* Windows 11 still calls itself "Windows 10" there; its builds begin at 22000. */
static gchar *
read_os (const gchar *build)
{
    g_autofree gchar *product = read_text (VERSION_KEY, L"ProductName");
    g_autofree gchar *release = read_text (VERSION_KEY, L"DisplayVersion");
    GString *os = g_string_new (product == NULL ? "Windows" : product);
    if (build != NULL && g_ascii_strtoull (build, NULL, 10) >= 22000)
        g_string_replace (os, "Windows 10", "Windows 11", 1);
    if (release != NULL && release[0] != '\0')
        g_string_append_printf (os, " %s", release);
    return g_string_free (os, FALSE);
}

static gchar *
read_kernel (const gchar *build)
{
    DWORD major, minor, revision;
    if (build == NULL || !read_number (VERSION_KEY, L"CurrentMajorVersionNumber", &major)
        || !read_number (VERSION_KEY, L"CurrentMinorVersionNumber", &minor))
        return NULL;
    if (!read_number (VERSION_KEY, L"UBR", &revision))
        return g_strdup_printf ("%lu.%lu.%s", major, minor, build);
    return g_strdup_printf ("%lu.%lu.%s.%lu", major, minor, build, revision);
}

/* `root` is for trees of files, which there are none of here. */
void
dg_host_read (const gchar *root, DgHost *ret_host)
{
    MEMORYSTATUSEX memory = { .dwLength = sizeof memory };
    SYSTEM_POWER_STATUS power;
    g_autofree gchar *build = read_text (VERSION_KEY, L"CurrentBuildNumber");
    ret_host->os = read_os (build);
    ret_host->kernel = read_kernel (build);
    ret_host->cpu = read_text (CPU_KEY, L"ProcessorNameString");
    ret_host->cpus = g_get_num_processors ();
    ret_host->memory_bytes = GlobalMemoryStatusEx (&memory) ? memory.ullTotalPhys : 0;
    ret_host->on_battery = -1;
    if (GetSystemPowerStatus (&power) && power.ACLineStatus <= 1)
        ret_host->on_battery = power.ACLineStatus == 0 ? 1 : 0;
}

void
dg_host_clear (DgHost *host)
{
    g_clear_pointer (&host->os, g_free);
    g_clear_pointer (&host->kernel, g_free);
    g_clear_pointer (&host->cpu, g_free);
}
