/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/backends.h"
#include "engine/windows/path.h"
#include "engine/windows/volume.h"

#include <stdlib.h>
#include <winternl.h>

static const DgBackend *const backends[] = {
    &dg__backend_threads,
    &dg__backend_overlapped,
    NULL,
};

const DgBackend *const *
dg__backends (void)
{
    return backends;
}

static HANDLE
open_by (const DgQueueSetup *setup, const wchar_t *path, DWORD access, DWORD flags)
{
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    if (path != NULL)
        return CreateFileW (path, access, share, NULL, OPEN_EXISTING,
                            flags | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    return ReOpenFile ((HANDLE) setup->handle, access, share, flags);
}

/* Opening again can give more than the caller's handle has: what he opened for reading stays that.
 */
static DWORD
access_of (const DgQueueSetup *setup)
{
    IO_STATUS_BLOCK status;
    ACCESS_MASK granted = 0; /* FILE_ACCESS_INFORMATION */
    if (setup->path != NULL
        || NtQueryInformationFile ((HANDLE) setup->handle, &status, &granted, sizeof granted,
                                   FileAccessInformation)
               != 0)
        return GENERIC_READ | GENERIC_WRITE;
    return ((granted & FILE_READ_DATA) != 0 ? GENERIC_READ : 0)
           | ((granted & FILE_WRITE_DATA) != 0 ? GENERIC_WRITE : 0);
}

static HANDLE
open_own (const DgQueueSetup *setup, DWORD flags, bool *ret_is_direct)
{
    wchar_t *path = NULL;
    if (setup->path != NULL && (path = dg__wide_path (setup->path)) == NULL) {
        SetLastError (ERROR_INVALID_NAME);
        return INVALID_HANDLE_VALUE;
    }
    DWORD access = access_of (setup);
    HANDLE file = open_by (setup, path, access, flags | FILE_FLAG_NO_BUFFERING);
    *ret_is_direct = file != INVALID_HANDLE_VALUE;
    if (!*ret_is_direct && GetLastError () == ERROR_INVALID_PARAMETER)
        file = open_by (setup, path, access, flags);
    free (path);
    return file;
}

bool
dg__backend_file_open (const DgQueueSetup *setup, bool is_overlapped, DgBackendFile *ret_file)
{
    DgBackendFile file = { { INVALID_HANDLE_VALUE, NULL }, 0, NULL };
    bool is_direct = true;
    if (setup->path == NULL)
        file.spares = dg__spares_take ((HANDLE) setup->handle, is_overlapped, &file.handle);
    if (file.spares == NULL)
        file.handle.file = open_own (setup,
                                     (is_overlapped ? FILE_FLAG_OVERLAPPED : 0)
                                         | (setup->write_through ? FILE_FLAG_WRITE_THROUGH : 0),
                                     &is_direct);
    if (file.handle.file == INVALID_HANDLE_VALUE)
        return false;
    if (is_direct)
        file.sector_bytes = dg__file_sector_bytes (file.handle.file);
    *ret_file = file;
    return true;
}

void
dg__backend_file_close (DgBackendFile *file)
{
    if (file->spares != NULL) {
        dg__spares_give_back (file->spares, file->handle);
        return;
    }
    CloseHandle (file->handle.file);
    if (file->handle.port != NULL)
        CloseHandle (file->handle.port);
}
