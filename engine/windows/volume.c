/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/volume.h"
#include "engine/windows/path.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <winioctl.h>

#define MAX_DRIVES     16u
#define LARGEST_SECTOR 4096u
#define NS_PER_COUNTER 100u /* DISK_PERFORMANCE counts in 100 ns */
#define GIB            (UINT64_C (1) << 30)

static DgFsKind
kind_of (const wchar_t *root)
{
    switch (GetDriveTypeW (root)) {
    case DRIVE_REMOTE:
        return DG_FS_NETWORK;
    case DRIVE_RAMDISK:
        return DG_FS_MEMORY;
    default:
        return DG_FS_DISK;
    }
}

static void
read_device_name (DgVolume *volume)
{
    if (!GetVolumeNameForVolumeMountPointW (volume->root, volume->device, 64)) {
        volume->device[0] = L'\0';
        return;
    }
    /* With its backslash the name stands for the root folder, without it for the device. */
    size_t length = wcslen (volume->device);
    if (length > 0 && volume->device[length - 1] == L'\\')
        volume->device[length - 1] = L'\0';
}

int
dg__volume_of (const wchar_t *path, DgVolume *ret_volume)
{
    DgVolume volume = { 0 };
    if (!GetVolumePathNameW (path, volume.root, MAX_PATH))
        return (int) GetLastError ();
    dg__strip_prefix (volume.root);
    volume.kind = kind_of (volume.root);
    read_device_name (&volume);
    wchar_t filesystem[32];
    DWORD flags = 0;
    if (GetVolumeInformationW (volume.root, NULL, 0, NULL, NULL, &flags, filesystem, 32)) {
        wcscpy (volume.filesystem, filesystem);
        volume.flags = flags;
    }
    ULARGE_INTEGER available, total;
    if (GetDiskFreeSpaceExW (path, &available, &total, NULL)
        || GetDiskFreeSpaceExW (volume.root, &available, &total, NULL)) {
        volume.size_bytes = total.QuadPart;
        volume.free_bytes = available.QuadPart;
    }
    DWORD per_cluster, per_sector, free_clusters, clusters;
    if (GetDiskFreeSpaceW (volume.root, &per_cluster, &per_sector, &free_clusters, &clusters)) {
        volume.sector_bytes = per_sector;
        volume.cluster_bytes = per_cluster * per_sector;
    }
    *ret_volume = volume;
    return 0;
}

static HANDLE
open_device (const wchar_t *path)
{
    return CreateFileW (path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
}

void
dg__volume_blocks (const DgVolume *volume, uint32_t *ret_logical, uint32_t *ret_physical)
{
    HANDLE device =
        volume->device[0] == L'\0' ? INVALID_HANDLE_VALUE : open_device (volume->device);
    STORAGE_PROPERTY_QUERY query = { .PropertyId = StorageAccessAlignmentProperty,
                                     .QueryType = PropertyStandardQuery };
    STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR found = { 0 };
    DWORD size;
    bool is_known = device != INVALID_HANDLE_VALUE
                    && DeviceIoControl (device, IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof query,
                                        &found, sizeof found, &size, NULL)
                    && size >= sizeof found;
    if (device != INVALID_HANDLE_VALUE)
        CloseHandle (device);
    *ret_logical = is_known ? found.BytesPerLogicalSector : 0;
    *ret_physical = is_known ? found.BytesPerPhysicalSector : 0;
}

static bool
is_sector_size (uint32_t bytes)
{
    return bytes >= 512 && bytes <= LARGEST_SECTOR && (bytes & (bytes - 1)) == 0;
}

uint32_t
dg__file_sector_bytes (HANDLE file)
{
    FILE_STORAGE_INFO storage = { 0 };
    if (GetFileInformationByHandleEx (file, FileStorageInfo, &storage, sizeof storage)
        && is_sector_size (storage.LogicalBytesPerSector))
        return storage.LogicalBytesPerSector;
    DgVolume volume;
    DWORD n = GetFinalPathNameByHandleW (file, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *path = n == 0 ? NULL : malloc ((n + 1u) * sizeof *path);
    bool is_known = path != NULL
                    && GetFinalPathNameByHandleW (file, path, n + 1, FILE_NAME_NORMALIZED) != 0
                    && dg__volume_of (path, &volume) == 0;
    free (path);
    uint32_t logical = 0, physical;
    if (is_known)
        dg__volume_blocks (&volume, &logical, &physical);
    if (is_sector_size (logical))
        return logical;
    return is_known && is_sector_size (volume.sector_bytes) ? volume.sector_bytes : LARGEST_SECTOR;
}

uint64_t
dg__volume_max_file_bytes (const DgVolume *volume)
{
    if (_wcsicmp (volume->filesystem, L"FAT32") == 0)
        return 4 * GIB - 1;
    if (_wcsicmp (volume->filesystem, L"FAT") == 0 || _wcsicmp (volume->filesystem, L"FAT12") == 0
        || _wcsicmp (volume->filesystem, L"FAT16") == 0)
        return 2 * GIB - 1;
    return UINT64_MAX;
}

/* ---- counters ---- */

struct DgVolumeCounters {
    HANDLE volume;
    HANDLE drives[MAX_DRIVES];
    uint32_t n_drives;
    bool has_all; /* of the volume's drives: a part of them would be a wrong sum */
};

static void
open_drives (DgVolumeCounters *counters)
{
    union {
        VOLUME_DISK_EXTENTS head;
        unsigned char room[sizeof (VOLUME_DISK_EXTENTS) + MAX_DRIVES * sizeof (DISK_EXTENT)];
    } extents;
    DWORD size, seen[MAX_DRIVES];
    if (!DeviceIoControl (counters->volume, IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, NULL, 0, &extents,
                          sizeof extents, &size, NULL)
        || size < offsetof (VOLUME_DISK_EXTENTS, Extents)
        || extents.head.NumberOfDiskExtents > MAX_DRIVES
        || size < offsetof (VOLUME_DISK_EXTENTS, Extents)
                      + extents.head.NumberOfDiskExtents * sizeof (DISK_EXTENT))
        return;
    for (DWORD i = 0; i < extents.head.NumberOfDiskExtents; i++) {
        wchar_t path[40];
        bool is_new = true;
        for (uint32_t k = 0; k < counters->n_drives; k++)
            is_new &= seen[k] != extents.head.Extents[i].DiskNumber;
        if (!is_new)
            continue;
        swprintf (path, 40, L"\\\\.\\PhysicalDrive%lu", extents.head.Extents[i].DiskNumber);
        HANDLE drive = open_device (path);
        if (drive == INVALID_HANDLE_VALUE)
            return;
        seen[counters->n_drives] = extents.head.Extents[i].DiskNumber;
        counters->drives[counters->n_drives++] = drive;
    }
    counters->has_all = counters->n_drives > 0;
}

DgVolumeCounters *
dg__volume_counters_open (const DgVolume *volume)
{
    DgVolumeCounters *counters = volume->device[0] == L'\0' ? NULL : calloc (1, sizeof *counters);
    if (counters == NULL)
        return NULL;
    counters->volume = open_device (volume->device);
    if (counters->volume == INVALID_HANDLE_VALUE) {
        free (counters);
        return NULL;
    }
    open_drives (counters);
    return counters;
}

void
dg__volume_counters_close (DgVolumeCounters *counters)
{
    if (counters == NULL)
        return;
    CloseHandle (counters->volume);
    for (uint32_t i = 0; i < counters->n_drives; i++)
        CloseHandle (counters->drives[i]);
    free (counters);
}

static const DgDriveCounters unknown = { DG_UNKNOWN_U64, DG_UNKNOWN_U64, DG_UNKNOWN_U64,
                                         DG_UNKNOWN_U64, false };

static bool
read_performance (HANDLE device, DgDriveCounters *ret_counters)
{
    DISK_PERFORMANCE found;
    DWORD size;
    if (!DeviceIoControl (device, IOCTL_DISK_PERFORMANCE, NULL, 0, &found, sizeof found, &size,
                          NULL)
        || size < offsetof (DISK_PERFORMANCE, StorageManagerName))
        return false;
    *ret_counters = (DgDriveCounters){
        .is_one_to_one = true,
        .read_bytes = (uint64_t) found.BytesRead.QuadPart,
        .written_bytes = (uint64_t) found.BytesWritten.QuadPart,
        .queue_time_ns =
            (uint64_t) (found.ReadTime.QuadPart + found.WriteTime.QuadPart) * NS_PER_COUNTER,
        .inflight = found.QueueDepth,
    };
    return true;
}

void
dg__volume_counters_read (const DgVolumeCounters *counters, DgDriveCounters *ret_counters)
{
    DgDriveCounters found;
    *ret_counters =
        counters != NULL && read_performance (counters->volume, &found) ? found : unknown;
}

void
dg__volume_counters_read_drives (const DgVolumeCounters *counters, DgDriveCounters *ret_sum)
{
    DgDriveCounters sum = { 0 }, one;
    sum.is_one_to_one = counters != NULL && counters->n_drives == 1;
    bool is_known = counters != NULL && counters->has_all;
    for (uint32_t i = 0; is_known && i < counters->n_drives; i++) {
        is_known = read_performance (counters->drives[i], &one);
        if (!is_known)
            break;
        sum.read_bytes += one.read_bytes;
        sum.written_bytes += one.written_bytes;
        sum.queue_time_ns += one.queue_time_ns;
        sum.inflight += one.inflight;
    }
    *ret_sum = is_known ? sum : unknown;
}
