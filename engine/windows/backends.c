/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/backends.h"
#include "engine/windows/path.h"
#include "engine/windows/volume.h"

#include <stdlib.h>

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

const DgBackend *
dg__backend_find (DgBackendId id)
{
    for (const DgBackend *const *backend = backends; *backend != NULL; backend++)
        if ((*backend)->id == id)
            return *backend;
    return NULL;
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

/* A caller's own handle may be for reading only; the queue then is, too. */
static HANDLE
open_for_all (const DgQueueSetup *setup, const wchar_t *path, DWORD flags)
{
    HANDLE file = open_by (setup, path, GENERIC_READ | GENERIC_WRITE, flags);
    DWORD error = GetLastError ();
    if (file == INVALID_HANDLE_VALUE && path == NULL
        && (error == ERROR_ACCESS_DENIED || error == ERROR_WRITE_PROTECT))
        file = open_by (setup, path, GENERIC_READ, flags);
    return file;
}

HANDLE
dg__backend_open_file (const DgQueueSetup *setup, DWORD flags, uint32_t *ret_sector_bytes)
{
    wchar_t *path = NULL;
    if (setup->path != NULL && (path = dg__wide_path (setup->path)) == NULL) {
        SetLastError (ERROR_INVALID_NAME);
        return INVALID_HANDLE_VALUE;
    }
    if (setup->write_through)
        flags |= FILE_FLAG_WRITE_THROUGH;
    HANDLE file = open_for_all (setup, path, flags | FILE_FLAG_NO_BUFFERING);
    bool is_direct = file != INVALID_HANDLE_VALUE;
    if (!is_direct && GetLastError () == ERROR_INVALID_PARAMETER)
        file = open_for_all (setup, path, flags);
    free (path);
    if (file != INVALID_HANDLE_VALUE)
        *ret_sector_bytes = is_direct ? dg__file_sector_bytes (file) : 0;
    return file;
}
