/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by engine/windows/test-file*.c only. */
#pragma once

#include "engine/windows/leftovers.h"
#include "engine/windows/spares.h"
#include "engine/windows/volume.h"

struct DgTestFile {
    DgFileResult result;
    bool is_ours;     /* false: the caller's handle, used as it is */
    HANDLE file;      /* made the file, fills it, deletes it when closed; not overlapped, unbuffered
                         unless that was refused */
    int place;        /* in the list of files to delete; -1 */
    DgSpares *spares; /* (owned) (nullable) for queues, where only that works */
    char *path;       /* (owned) (nullable) for queues; NULL once it has no name */
    uint64_t full_bytes; /* its length: size_bytes rounded up to the alignment */
    DgVolume volume;
    DgVolumeCounters *counters; /* (owned) (nullable) */
};

/* Fills the detail (nullable) and turns a GetLastError () code into a DgError. */
int dg__test_file_fail (DgErrorDetail *ret_detail, const char *operation, uint64_t offset_bytes,
                        uint64_t length_bytes, DWORD os_code);

/* The same for what the system was not asked; returns `code`. */
int dg__test_file_refuse (DgErrorDetail *ret_detail, int code, const char *operation,
                          uint64_t length_bytes);

/* test-file-map.c: where the file lies. Fills in extents, missing_bytes, is_compressed, is_encoded.
 * True when every byte of it has been written as far as the file system can tell. */
bool dg__test_file_check_map (DgTestFile *file);
