/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: the backends' tables, and how they open the test file. */
#pragma once

#include "engine/backend.h"
#include "engine/windows/spares.h"

#include <windows.h>

extern const DgBackend dg__backend_overlapped;
extern const DgBackend dg__backend_threads;

/* A handle of a queue's own to the test file, so that no two threads share a file object. */
typedef struct {
    DgSpare handle;        /* `port` is the queue's to make, where it needs one and there is none */
    uint32_t sector_bytes; /* below it an I/O is refused; 0 when it is buffered */
    DgSpares *spares;      /* (nullable) lent by */
} DgBackendFile;

/* By the file's path, or where it has none by the handle that made it (or that the caller brought),
 * or else one that was opened in time. Unbuffered, unless the file system refuses that. False and
 * GetLastError () on failure. */
bool dg__backend_file_open (const DgQueueSetup *setup, bool is_overlapped, DgBackendFile *ret_file);

/* Nothing may be under way on it. */
void dg__backend_file_close (DgBackendFile *file);
