/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/host-windows.h"

#include "app/core/host.h"
#include "app/core/numbers.h"

#include <string.h>
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

/* What Windows itself tells; GetVersionEx and the registry's numbers depend on a program's manifest
 * and on compatibility settings. */
static gboolean
read_version (RTL_OSVERSIONINFOEXW *ret_version)
{
    typedef LONG (WINAPI * RtlGetVersionFunc) (RTL_OSVERSIONINFOW *);
    HMODULE ntdll = GetModuleHandleW (L"ntdll.dll");
    RtlGetVersionFunc get =
        ntdll == NULL
            ? NULL
            : (RtlGetVersionFunc) (void (*) (void)) GetProcAddress (ntdll, "RtlGetVersion");
    ret_version->dwOSVersionInfoSize = sizeof *ret_version;
    return get != NULL && get ((RTL_OSVERSIONINFOW *) ret_version) == 0;
}

/* The newest whose first build is not above this one. Server and desktop share build numbers. */
static const gchar *
base_name (guint major, guint minor, guint build, gboolean is_server)
{
    static const struct {
        guint major, minor, build;
        const gchar *desktop, *server;
    } names[] = {
        { 10, 0, 26100, "Windows 11", "Windows Server 2025" },
        { 10, 0, 22000, "Windows 11", "Windows Server 2022" },
        { 10, 0, 20348, "Windows 10", "Windows Server 2022" },
        { 10, 0, 17763, "Windows 10", "Windows Server 2019" },
        { 10, 0, 0, "Windows 10", "Windows Server 2016" },
        { 6, 3, 0, "Windows 8.1", "Windows Server 2012 R2" },
        { 6, 2, 0, "Windows 8", "Windows Server 2012" },
        { 6, 1, 0, "Windows 7", "Windows Server 2008 R2" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        if (names[i].major == major && names[i].minor == minor && build >= names[i].build)
            return is_server ? names[i].server : names[i].desktop;
    return "Windows";
}

/* "Windows 10 Pro" -> "Pro"; NULL when it speaks of another Windows. Windows 11 still calls itself
 * "Windows 10" there. */
static const gchar *
edition (const gchar *product, const gchar *base)
{
    const gchar *called = strcmp (base, "Windows 11") == 0 ? "Windows 10" : base;
    if (product == NULL)
        return NULL;
    const gchar *rest = g_str_has_prefix (product, base)     ? product + strlen (base)
                        : g_str_has_prefix (product, called) ? product + strlen (called)
                                                             : "";
    return rest[0] == ' ' && rest[1] != '\0' ? rest + 1 : NULL;
}

gchar *
dg__windows_name (const DgWindowsVersion *v)
{
    const gchar *base = base_name (v->major, v->minor, v->build, v->is_server);
    const gchar *kind = edition (v->product, base);
    GString *name = g_string_new (base);
    if (kind != NULL)
        g_string_append_printf (name, " %s", kind);
    /* Left behind by another version when the registry names another build. */
    if (v->display != NULL && v->display[0] != '\0' && v->registry_build == v->build)
        g_string_append_printf (name, " %s", v->display);
    g_string_append_printf (name, " (build %u)", v->build);
    return g_string_free (name, FALSE);
}

static void
read_system (DgHost *host)
{
    RTL_OSVERSIONINFOEXW version = { 0 };
    DWORD revision;
    g_autofree gchar *build = read_text (VERSION_KEY, L"CurrentBuildNumber");
    g_autofree gchar *product = read_text (VERSION_KEY, L"ProductName");
    g_autofree gchar *display = read_text (VERSION_KEY, L"DisplayVersion");
    g_autofree gchar *release = read_text (VERSION_KEY, L"ReleaseId"); /* before 20H2 */
    if (!read_version (&version))
        return;
    DgWindowsVersion v = { .major = version.dwMajorVersion,
                           .minor = version.dwMinorVersion,
                           .build = version.dwBuildNumber,
                           .is_server = version.wProductType != VER_NT_WORKSTATION,
                           .registry_build =
                               build == NULL ? 0 : (guint) g_ascii_strtoull (build, NULL, 10),
                           .product = product,
                           .display = display != NULL ? display : release };
    host->os = dg__windows_name (&v);
    host->kernel = v.registry_build == v.build && read_number (VERSION_KEY, L"UBR", &revision)
                       ? g_strdup_printf ("%u.%u.%u.%lu", v.major, v.minor, v.build, revision)
                       : g_strdup_printf ("%u.%u.%u", v.major, v.minor, v.build);
}

/* `root` is for trees of files, which there are none of here. */
void
dg_host_read (const gchar *root, DgHost *ret_host)
{
    MEMORYSTATUSEX memory = { .dwLength = sizeof memory };
    SYSTEM_POWER_STATUS power;
    ret_host->os = ret_host->kernel = NULL;
    read_system (ret_host);
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
