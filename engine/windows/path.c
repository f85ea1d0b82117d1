/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/path.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static wchar_t *
wide_of (const char *text)
{
    int n = MultiByteToWideChar (CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = n <= 0 ? NULL : malloc ((size_t) n * sizeof *wide);
    if (wide != NULL)
        MultiByteToWideChar (CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, n);
    return wide;
}

static bool
is_drive_path (const wchar_t *path)
{
    return ((path[0] >= L'A' && path[0] <= L'Z') || (path[0] >= L'a' && path[0] <= L'z'))
           && path[1] == L':';
}

wchar_t *
dg__wide_path (const char *path)
{
    wchar_t *wide = wide_of (path);
    if (wide == NULL || wide[0] == L'\0' || wcsncmp (wide, L"\\\\?\\", 4) == 0
        || wcsncmp (wide, L"\\\\.\\", 4) == 0) {
        if (wide != NULL && wide[0] == L'\0') {
            free (wide);
            return NULL;
        }
        return wide;
    }
    DWORD n = GetFullPathNameW (wide, 0, NULL, NULL);
    /* Room in front for the longest prefix. */
    wchar_t *room = n == 0 ? NULL : malloc (((size_t) n + 8) * sizeof *room);
    wchar_t *full = room == NULL ? NULL : room + 8;
    DWORD got = full == NULL ? 0 : GetFullPathNameW (wide, n, full, NULL);
    free (wide);
    if (got == 0 || got >= n) {
        free (room);
        return NULL;
    }
    const wchar_t *prefix = L"";
    if (is_drive_path (full)) {
        prefix = L"\\\\?\\";
    } else if (full[0] == L'\\' && full[1] == L'\\' && full[2] != L'?' && full[2] != L'.') {
        prefix = L"\\\\?\\UNC\\";
        full += 2;
        got -= 2;
    }
    size_t length = wcslen (prefix);
    memmove (room + length, full, ((size_t) got + 1) * sizeof *room);
    memcpy (room, prefix, length * sizeof *room);
    return room;
}

wchar_t *
dg__wide_join (const wchar_t *folder, const wchar_t *name)
{
    size_t length = wcslen (folder), room = length + wcslen (name) + 2;
    wchar_t *path = malloc (room * sizeof *path);
    if (path == NULL)
        return NULL;
    wcscpy (path, folder);
    if (length > 0 && folder[length - 1] != L'\\')
        wcscat (path, L"\\");
    wcscat (path, name);
    return path;
}

char *
dg__utf8_of (const wchar_t *text)
{
    int n = WideCharToMultiByte (CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = n <= 0 ? NULL : malloc ((size_t) n);
    if (utf8 != NULL)
        WideCharToMultiByte (CP_UTF8, 0, text, -1, utf8, n, NULL, NULL);
    return utf8;
}

void
dg__strip_prefix (wchar_t *path)
{
    size_t length = wcslen (path);
    if (wcsncmp (path, L"\\\\?\\UNC\\", 8) == 0)
        memmove (path + 2, path + 8, (length - 8 + 1) * sizeof *path);
    else if (wcsncmp (path, L"\\\\?\\", 4) == 0 && is_drive_path (path + 4))
        memmove (path, path + 4, (length - 4 + 1) * sizeof *path);
}
