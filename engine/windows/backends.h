/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: the backends' tables, and how they open the test file. */
#pragma once

#include "engine/backend.h"

#include <windows.h>

extern const DgBackend dg__backend_overlapped;
extern const DgBackend dg__backend_threads;

/* A handle of the queue's own to the test file, so that no two threads share a file object: by its
 * path, or where it has none by the handle that the caller brought. `flags`: FILE_FLAG_OVERLAPPED
 * or 0. Unbuffered, unless the file system refuses that. The sector size below which an I/O is
 * refused (0 when it is buffered) goes to ret_sector_bytes. INVALID_HANDLE_VALUE and GetLastError
 * () on failure. */
HANDLE dg__backend_open_file (const DgQueueSetup *setup, DWORD flags, uint32_t *ret_sector_bytes);
