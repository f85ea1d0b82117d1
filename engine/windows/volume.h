/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: the volume that a file or folder lies on, and what it counts. */
#pragma once

#include "engine/targets.h"
#include "engine/test-file.h"

#include <windows.h>

typedef struct {
    wchar_t
        root[MAX_PATH]; /* mount point, with its backslash: "C:\", "D:\mnt\", "\\server\share\" */
    wchar_t device[64]; /* "\\?\Volume{…}", to be opened; "" where there is none */
    wchar_t filesystem[32]; /* "NTFS"; "" = unknown */
    DWORD flags;            /* FILE_READ_ONLY_VOLUME, FILE_FILE_COMPRESSION, …; 0 = unknown */
    DgFsKind kind;
    uint64_t size_bytes, free_bytes;      /* free to this user; both 0 = unknown */
    uint32_t cluster_bytes, sector_bytes; /* 0 = unknown */
} DgVolume;

/* Of a path with or without prefix. 0, or a GetLastError () code. */
int dg__volume_of (const wchar_t *path, DgVolume *ret_volume);

/* Logical and physical block of the device below (IOCTL_STORAGE_QUERY_PROPERTY, access alignment);
 * 0 = unknown. */
void dg__volume_blocks (const DgVolume *volume, uint32_t *ret_logical, uint32_t *ret_physical);

/* What unbuffered I/O on the file must be a multiple of; 4096 when nobody knows. */
uint32_t dg__file_sector_bytes (HANDLE file);

/* The largest file that the file system takes; UINT64_MAX = no limit that matters. */
uint64_t dg__volume_max_file_bytes (const DgVolume *volume);

typedef struct DgVolumeCounters DgVolumeCounters;

/* IOCTL_DISK_PERFORMANCE of the volume and of each drive below it: needs no rights. NULL when there
 * is nothing to open. */
DgVolumeCounters *dg__volume_counters_open (const DgVolume *volume);
void dg__volume_counters_close (DgVolumeCounters *counters); /* NULL-safe */

/* All DG_UNKNOWN_U64 when they cannot be had. */
void dg__volume_counters_read (const DgVolumeCounters *counters, DgDriveCounters *ret_counters);
void dg__volume_counters_read_drives (const DgVolumeCounters *counters, DgDriveCounters *ret_sum);
