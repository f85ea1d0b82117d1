/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs carry in them: icon, version, manifest, and the subsystem that they start in.
 * Arguments: the window's program, the command line's, the version. */
#include <glib.h>
#include <string.h>
#include <windows.h>

/* The icon's folder in a program (GRPICONDIR, documented with the resource formats). */
#pragma pack(push, 1)
typedef struct {
    BYTE width, height, colors, reserved; /* 0 = 256 pixels */
    WORD planes, bits;
    DWORD bytes;
    WORD id;
} IconEntry;
typedef struct {
    WORD reserved, type, n;
    IconEntry entries[];
} IconFolder;
#pragma pack(pop)

static gchar **programs; /* window, command line */
static const gchar *version;

static HMODULE
open_program (guint i)
{
    g_autofree gunichar2 *path = g_utf8_to_utf16 (programs[i], -1, NULL, NULL, NULL);
    HMODULE module = LoadLibraryExW ((const wchar_t *) path, NULL,
                                     LOAD_LIBRARY_AS_DATAFILE | LOAD_LIBRARY_AS_IMAGE_RESOURCE);
    g_assert_nonnull (module);
    return module;
}

static const void *
resource (HMODULE module, WORD id, const wchar_t *type, DWORD *ret_size)
{
    HRSRC found = FindResourceW (module, MAKEINTRESOURCEW (id), type);
    g_assert_nonnull (found);
    *ret_size = SizeofResource (module, found);
    const void *data = LockResource (LoadResource (module, found));
    g_assert_nonnull (data);
    return data;
}

/* Width by the picture itself: PNG, or a bitmap whose height counts its mask, too. */
static guint
picture_width (const guint8 *data, DWORD size)
{
    static const guint8 png[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    g_assert_cmpuint (size, >, 40);
    if (memcmp (data, png, sizeof png) == 0)
        return (guint) data[18] << 8 | data[19];
    const BITMAPINFOHEADER *header = (const void *) data;
    g_assert_cmpuint (header->biSize, ==, sizeof *header);
    g_assert_cmpint (header->biHeight, ==, 2 * header->biWidth);
    return (guint) header->biWidth;
}

static void
test_icon (void)
{
    static const guint wanted[] = { 16, 32, 48, 256 };
    for (guint p = 0; p < 2; p++) {
        HMODULE module = open_program (p);
        DWORD size;
        const IconFolder *folder = resource (module, 1, RT_GROUP_ICON, &size);
        g_assert_cmpuint (folder->type, ==, 1);
        g_assert_cmpuint (size, >=, sizeof *folder + folder->n * sizeof (IconEntry));
        guint found = 0;
        for (guint i = 0; i < folder->n; i++) {
            const IconEntry *entry = &folder->entries[i];
            guint width = entry->width == 0 ? 256 : entry->width;
            const guint8 *picture = resource (module, entry->id, RT_ICON, &size);
            g_assert_cmpuint (size, ==, entry->bytes);
            g_assert_cmpuint (picture_width (picture, size), ==, width);
            g_assert_cmpuint (entry->bits, ==, 32);
            for (guint w = 0; w < G_N_ELEMENTS (wanted); w++)
                found |= width == wanted[w] ? 1u << w : 0;
        }
        g_assert_cmphex (found, ==, (1u << G_N_ELEMENTS (wanted)) - 1);
        /* The system can make a picture of it. */
        HICON icon = LoadImageW (module, MAKEINTRESOURCEW (1), IMAGE_ICON, 32, 32, 0);
        g_assert_nonnull (icon);
        DestroyIcon (icon);
        FreeLibrary (module);
    }
}

static gchar *
version_text (const void *block, const wchar_t *name)
{
    wchar_t path[80] = L"\\StringFileInfo\\040904b0\\";
    void *text = NULL;
    UINT length = 0;
    g_assert_cmpuint (wcslen (path) + wcslen (name), <, G_N_ELEMENTS (path));
    wcscat (path, name);
    g_assert_true (VerQueryValueW (block, path, &text, &length));
    return g_utf16_to_utf8 (text, -1, NULL, NULL, NULL);
}

static void
test_version (void)
{
    static const struct {
        const gchar *file, *description;
    } names[] = { { "drivegauge.exe", "Drive Gauge" },
                  { "drivegauge-cli.exe", "Drive Gauge, command line" } };
    g_auto (GStrv) numbers = g_strsplit (version, ".", -1);
    g_assert_cmpuint (g_strv_length (numbers), >=, 2);
    for (guint p = 0; p < 2; p++) {
        g_autofree gunichar2 *path = g_utf8_to_utf16 (programs[p], -1, NULL, NULL, NULL);
        DWORD size = GetFileVersionInfoSizeW ((const wchar_t *) path, NULL);
        g_assert_cmpuint (size, >, 0);
        g_autofree void *block = g_malloc (size);
        g_assert_true (GetFileVersionInfoW ((const wchar_t *) path, 0, size, block));
        VS_FIXEDFILEINFO *fixed;
        UINT length;
        g_assert_true (VerQueryValueW (block, L"\\", (void **) &fixed, &length));
        g_assert_cmphex (fixed->dwSignature, ==, 0xfeef04bd);
        g_assert_cmpuint (fixed->dwFileType, ==, VFT_APP);
        g_assert_cmpuint (HIWORD (fixed->dwFileVersionMS), ==,
                          g_ascii_strtoull (numbers[0], NULL, 10));
        g_assert_cmpuint (LOWORD (fixed->dwFileVersionMS), ==,
                          g_ascii_strtoull (numbers[1], NULL, 10));
        g_autofree gchar *product = version_text (block, L"ProductName"),
                         *description = version_text (block, L"FileDescription"),
                         *file = version_text (block, L"OriginalFilename"),
                         *file_version = version_text (block, L"FileVersion"),
                         *product_version = version_text (block, L"ProductVersion"),
                         *licence = version_text (block, L"LegalCopyright");
        g_assert_cmpstr (product, ==, "Drive Gauge");
        g_assert_cmpstr (description, ==, names[p].description);
        g_assert_cmpstr (file, ==, names[p].file);
        g_assert_cmpstr (file_version, ==, version);
        g_assert_cmpstr (product_version, ==, version);
        g_assert_cmpstr (licence, ==, "GPL-3.0-or-later");
    }
}

static void
test_manifest (void)
{
    static const gchar *const parts[] = {
        "requestedExecutionLevel level=\"asInvoker\"", /* never asks for elevation */
        "PerMonitorV2",                                /* sharp on each screen */
        ">true/pm<",
        "<longPathAware",
        "{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}", /* Windows 10 and 11 */
        "Microsoft.Windows.Common-Controls",
    };
    for (guint p = 0; p < 2; p++) {
        HMODULE module = open_program (p);
        DWORD size;
        const gchar *data = resource (module, 1, RT_MANIFEST, &size);
        g_autofree gchar *text = g_strndup (data, size);
        for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
            if (strstr (text, parts[i]) == NULL)
                g_error ("%s is not in the manifest of %s", parts[i], programs[p]);
        FreeLibrary (module);
    }
}

/* A window needs no console behind it; the command line has one. */
static void
test_subsystem (void)
{
    static const WORD subsystems[] = { IMAGE_SUBSYSTEM_WINDOWS_GUI, IMAGE_SUBSYSTEM_WINDOWS_CUI };
    for (guint p = 0; p < 2; p++) {
        g_autofree gchar *data = NULL;
        gsize size;
        g_assert_true (g_file_get_contents (programs[p], &data, &size, NULL));
        const IMAGE_DOS_HEADER *dos = (const void *) data;
        g_assert_cmphex (dos->e_magic, ==, IMAGE_DOS_SIGNATURE);
        g_assert_cmpuint ((gsize) dos->e_lfanew + sizeof (IMAGE_NT_HEADERS64), <, size);
        const IMAGE_NT_HEADERS64 *nt = (const void *) (data + dos->e_lfanew);
        g_assert_cmphex (nt->Signature, ==, IMAGE_NT_SIGNATURE);
        g_assert_cmpuint (nt->OptionalHeader.Subsystem, ==, subsystems[p]);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    if (argc != 4) {
        g_printerr ("arguments: window's program, command line's program, version\n");
        return 2;
    }
    programs = argv + 1;
    version = argv[3];
    g_test_add_func ("/resources/icon", test_icon);
    g_test_add_func ("/resources/version", test_version);
    g_test_add_func ("/resources/manifest", test_manifest);
    g_test_add_func ("/resources/subsystem", test_subsystem);
    return g_test_run ();
}
