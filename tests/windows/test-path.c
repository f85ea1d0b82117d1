/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths as the engine's face has them and as the system gets them. */
#include "tests/engine/check.h"

#include <wchar.h>

#include "engine/windows/path.h"
#include "engine/windows/queries.h"
#include "engine/windows/volume.h"

static bool
is_text (wchar_t *text, const wchar_t *should)
{
    bool is_so = text != NULL && wcscmp (text, should) == 0;
    if (!is_so)
        printf ("# %ls, not %ls\n", text == NULL ? L"(null)" : text, should);
    free (text);
    return is_so;
}

static void
prefixes (void)
{
    static const struct {
        const char *path;
        const wchar_t *wide;
    } rows[] = {
        { "C:\\a\\b", L"\\\\?\\C:\\a\\b" },
        { "C:/a/./b//c/..", L"\\\\?\\C:\\a\\b" },
        { "c:\\", L"\\\\?\\c:\\" },
        { "C:\\a\\", L"\\\\?\\C:\\a\\" },
        { "C:\\\xd0\x96 \xf0\x9f\x98\x80", L"\\\\?\\C:\\\x0416 \xd83d\xde00" },
        { "\\\\server\\share", L"\\\\?\\UNC\\server\\share" },
        { "//server/share/a", L"\\\\?\\UNC\\server\\share\\a" },
        { "\\\\?\\C:\\a", L"\\\\?\\C:\\a" },
        { "\\\\?\\UNC\\server\\share\\a", L"\\\\?\\UNC\\server\\share\\a" },
        { "\\\\.\\PhysicalDrive0", L"\\\\.\\PhysicalDrive0" },
        { "NUL", L"\\\\.\\NUL" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK (is_text (dg__wide_path (rows[i].path), rows[i].wide));
    CHECK (dg__wide_path ("") == NULL);
    CHECK (dg__wide_path ("C:\\\xff") == NULL); /* no UTF-8 */

    char deep[2000] = "C:";
    while (strlen (deep) < 1900)
        strcat (deep, "\\a folder with a name");
    wchar_t *wide = dg__wide_path (deep);
    CHECK (wide != NULL && wcslen (wide) == strlen (deep) + 4);
    free (wide);
}

/* Two backslashes there are no path to a file system. */
static void
names_in_folders (void)
{
    static const struct {
        const char *folder;
        const wchar_t *path;
    } rows[] = {
        { "E:\\", L"\\\\?\\E:\\name" },
        { "E:\\a", L"\\\\?\\E:\\a\\name" },
        { "E:\\a\\", L"\\\\?\\E:\\a\\name" },
        { "\\\\server\\share", L"\\\\?\\UNC\\server\\share\\name" },
        { "\\\\server\\share\\", L"\\\\?\\UNC\\server\\share\\name" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        wchar_t *folder = dg__wide_path (rows[i].folder);
        CHECK (folder != NULL);
        if (folder != NULL)
            CHECK (is_text (dg__wide_join (folder, L"name"), rows[i].path));
        free (folder);
    }
}

static void
without_prefix (void)
{
    static const wchar_t *const rows[][2] = {
        { L"\\\\?\\C:\\a", L"C:\\a" },
        { L"\\\\?\\UNC\\server\\share\\a", L"\\\\server\\share\\a" },
        { L"\\\\?\\Volume{1}\\", L"\\\\?\\Volume{1}\\" },
        { L"C:\\a", L"C:\\a" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        wchar_t *path = wcsdup (rows[i][0]);
        dg__strip_prefix (path);
        CHECK (is_text (path, rows[i][1]));
    }
    wchar_t broken[] = { 'a', 0xd83d, 'b', 0 };
    char *utf8 = dg__utf8_of (broken);
    CHECK_TEXT (utf8, "a\xef\xbf\xbd"
                      "b");
    free (utf8);
}

/* As the list of volumes has it, whatever the path's prefix: it is asked further by that. */
static void
mount_points (void)
{
    wchar_t windows[MAX_PATH], mount[MAX_PATH], volume[64], listed[MAX_PATH];
    bool is_folder = false;
    CHECK (GetWindowsDirectoryW (windows, MAX_PATH) > 3);
    char *utf8 = dg__utf8_of (windows);
    wchar_t *path = dg__wide_path (utf8);
    CHECK (wcsncmp (path, L"\\\\?\\", 4) == 0);
    CHECK (dg__win_queries.locate (&dg__win_queries, path, mount, volume, &is_folder) == 0);
    windows[3] = L'\0';
    CHECK (is_folder && _wcsicmp (mount, windows) == 0);
    CHECK (volume[0] == L'\0'
           || (dg__win_queries.mount (&dg__win_queries, volume, listed)
               && _wcsicmp (mount, listed) == 0));
    DgVolume found = { 0 };
    CHECK (dg__volume_of (path, &found) == 0 && _wcsicmp (found.root, windows) == 0);
    free (path);
    free (utf8);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "the prefix for long paths", prefixes },
        { "a name in a folder", names_in_folders },
        { "as people write it", without_prefix },
        { "what a path lies on", mount_points },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
