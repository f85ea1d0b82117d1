/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

/* A file opened for reading refuses a write with this. */
const int files_code_odd = ERROR_INVALID_PARAMETER, files_code_read_only = ERROR_ACCESS_DENIED,
          files_code_full = ERROR_DISK_FULL;

static bool
widen (const char *path, wchar_t ret_wide[1024])
{
    return MultiByteToWideChar (CP_UTF8, 0, path, -1, ret_wide, 1000) != 0;
}

intptr_t
files_open (const char *path, FilesMode mode)
{
    wchar_t wide[1024];
    if (!widen (path, wide))
        return -1;
    return (intptr_t) CreateFileW (
        wide, mode == FILES_READ_ONLY ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
        mode == FILES_NEW ? CREATE_NEW : OPEN_EXISTING,
        mode == FILES_DIRECT ? FILE_FLAG_NO_BUFFERING : FILE_ATTRIBUTE_NORMAL, NULL);
}

void
files_close (intptr_t file)
{
    if (file != -1)
        CloseHandle ((HANDLE) file);
}

bool
files_place (char *ret_path, unsigned size, const char *name)
{
    const char *folder = getenv ("DG_TEST_FOLDER");
    if (folder == NULL)
        folder = getenv ("TEMP");
    return folder != NULL
           && snprintf (ret_path, size, "%s\\%s-%lu", folder, name, GetCurrentProcessId ())
                  < (int) size;
}

int64_t
files_read (intptr_t file, void *bytes, uint64_t size, uint64_t offset)
{
    OVERLAPPED at = { .Offset = (DWORD) offset, .OffsetHigh = (DWORD) (offset >> 32) };
    DWORD n;
    return ReadFile ((HANDLE) file, bytes, (DWORD) size, &n, &at) ? (int64_t) n
                                                                  : -(int64_t) GetLastError ();
}

int64_t
files_write (intptr_t file, const void *bytes, uint64_t size, uint64_t offset)
{
    OVERLAPPED at = { .Offset = (DWORD) offset, .OffsetHigh = (DWORD) (offset >> 32) };
    DWORD n;
    return WriteFile ((HANDLE) file, bytes, (DWORD) size, &n, &at) ? (int64_t) n
                                                                   : -(int64_t) GetLastError ();
}

bool
files_flush (intptr_t file)
{
    return FlushFileBuffers ((HANDLE) file);
}

uint64_t
files_size (intptr_t file)
{
    LARGE_INTEGER size;
    return GetFileSizeEx ((HANDLE) file, &size) ? (uint64_t) size.QuadPart : UINT64_MAX;
}

void
files_remove (const char *path)
{
    wchar_t wide[1024];
    if (widen (path, wide))
        DeleteFileW (wide);
}

intptr_t
files_open_used (const char *path)
{
    return files_open (path, FILES_NEW);
}

uint64_t
files_allocated_bytes (intptr_t file)
{
    FILE_STANDARD_INFO info;
    return GetFileInformationByHandleEx ((HANDLE) file, FileStandardInfo, &info, sizeof info)
               ? (uint64_t) info.AllocationSize.QuadPart
               : 0;
}

bool
files_make_folder (const char *path)
{
    wchar_t wide[1024];
    return widen (path, wide) && CreateDirectoryW (wide, NULL);
}

bool
files_remove_folder (const char *path)
{
    wchar_t wide[1024];
    return widen (path, wide) && RemoveDirectoryW (wide);
}

unsigned
files_count (const char *folder)
{
    wchar_t wide[1024];
    WIN32_FIND_DATAW found;
    unsigned n = 0;
    if (!widen (folder, wide))
        return 0;
    HANDLE search = FindFirstFileW (wcscat (wide, L"\\*"), &found);
    for (BOOL has = search != INVALID_HANDLE_VALUE; has; has = FindNextFileW (search, &found))
        n += found.cFileName[0] != L'.';
    if (search != INVALID_HANDLE_VALUE)
        FindClose (search);
    return n;
}

uint64_t
files_free_bytes (const char *folder)
{
    wchar_t wide[1024];
    ULARGE_INTEGER available;
    return widen (folder, wide) && GetDiskFreeSpaceExW (wide, &available, NULL, NULL)
               ? available.QuadPart
               : 0;
}

intptr_t
files_open_full (void)
{
    return -1;
}

bool
files_open_silent (intptr_t *ret_file, intptr_t *ret_other_end)
{
    return false;
}

bool
files_answer (intptr_t other_end, const void *bytes, uint64_t size)
{
    return false;
}

intptr_t
files_open_later (uint64_t bytes)
{
    return -1;
}

void
files_say_later (intptr_t file, bool says_later)
{
}

uint64_t
files_xz_bytes (const unsigned char *data, uint64_t bytes)
{
    return UINT64_MAX;
}
