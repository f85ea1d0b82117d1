/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _CRT_RAND_S
#include "engine/windows/leftovers.h"
#include "engine/cleanup.h"
#include "engine/test-file.h"
#include "engine/windows/path.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <wchar.h>

#define PREFIX     L"drivegauge-test-"
#define SUFFIX     L".tmp"
#define N_DIGITS   16u
#define MAX_PLACES 64u

/* FILE_DISPOSITION_INFO_EX with FILE_DISPOSITION_FLAG_DELETE and _POSIX_SEMANTICS, Windows 10 1607;
 * not in all headers. */
#define INFO_DISPOSITION_EX        ((FILE_INFO_BY_HANDLE_CLASS) 21)
#define DISPOSITION_DELETE         0x1u
#define DISPOSITION_POSIX          0x2u
#define DISPOSITION_IGNORE_RO_ATTR 0x10u

static _Atomic (HANDLE) places[MAX_PLACES]; /* NULL = free */

bool
dg__test_name_new (wchar_t ret_name[DG_TEST_NAME_CHARS])
{
    unsigned high, low;
    if (rand_s (&high) != 0 || rand_s (&low) != 0)
        return false;
    swprintf (ret_name, DG_TEST_NAME_CHARS, PREFIX L"%08x%08x" SUFFIX, high, low);
    return true;
}

static bool
is_test_name (const wchar_t *name)
{
    const size_t prefix = wcslen (PREFIX), suffix = wcslen (SUFFIX);
    return wcslen (name) == prefix + N_DIGITS + suffix && wcsncmp (name, PREFIX, prefix) == 0
           && wcsspn (name + prefix, L"0123456789abcdef") == N_DIGITS
           && wcscmp (name + prefix + N_DIGITS, SUFFIX) == 0;
}

int
dg__test_file_register (HANDLE file)
{
    for (unsigned i = 0; i < MAX_PLACES; i++) {
        HANDLE expected = NULL;
        if (atomic_compare_exchange_strong (&places[i], &expected, file))
            return (int) i;
    }
    return -1;
}

void
dg__test_file_unregister (int place)
{
    if (place >= 0)
        atomic_store (&places[place], NULL);
}

bool
dg__test_file_posix_delete (HANDLE file)
{
    DWORD flags = DISPOSITION_DELETE | DISPOSITION_POSIX | DISPOSITION_IGNORE_RO_ATTR;
    return SetFileInformationByHandle (file, INFO_DISPOSITION_EX, &flags, sizeof flags);
}

void
dg__test_file_delete (HANDLE file)
{
    if (dg__test_file_posix_delete (file))
        return;
    FILE_DISPOSITION_INFO plain = { .DeleteFile = TRUE };
    SetFileInformationByHandle (file, FileDispositionInfo, &plain, sizeof plain);
}

void
dg_test_files_remove_all (void)
{
    DWORD saved = GetLastError ();
    for (unsigned i = 0; i < MAX_PLACES; i++) {
        HANDLE file = atomic_load (&places[i]);
        if (file != NULL)
            dg__test_file_delete (file);
    }
    SetLastError (saved);
}

/* However the process ends, the system closes its handles, and the first of each file has
 * FILE_FLAG_DELETE_ON_CLOSE. But of a drive that has been pulled out, or has no card in it, the
 * system would ask people in a dialog, and hold our thread until they answer. */
void
dg_test_files_guard_signals (void)
{
    SetErrorMode (GetErrorMode () | SEM_FAILCRITICALERRORS);
}

/* Opened without sharing: that fails while anybody has it open, and nobody can open it meanwhile. A
 * link is removed itself, not what it leads to. */
static bool
remove_if_free (const wchar_t *path)
{
    HANDLE file = CreateFileW (path, DELETE, 0, NULL, OPEN_EXISTING,
                               FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle (file);
    return GetFileAttributesW (path) == INVALID_FILE_ATTRIBUTES;
}

uint64_t
dg__test_file_remove_leftovers (const char *folder)
{
    uint64_t removed = 0;
    WIN32_FIND_DATAW found;
    wchar_t *base = dg__wide_path (folder);
    wchar_t *pattern = base == NULL ? NULL : dg__wide_join (base, PREFIX L"*" SUFFIX);
    HANDLE search = pattern == NULL ? INVALID_HANDLE_VALUE : FindFirstFileW (pattern, &found);
    for (BOOL has = search != INVALID_HANDLE_VALUE; has; has = FindNextFileW (search, &found)) {
        if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0
            || !is_test_name (found.cFileName))
            continue;
        wchar_t *path = dg__wide_join (base, found.cFileName);
        removed += path != NULL && remove_if_free (path);
        free (path);
    }
    if (search != INVALID_HANDLE_VALUE)
        FindClose (search);
    free (pattern);
    free (base);
    return removed;
}
