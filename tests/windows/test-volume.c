/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of the system's answers about a volume's blocks and counters. Wine knows neither. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>
#include <windows.h>
#include <winioctl.h>

/* ---- the system ---- */

#define VOLUME   ((HANDLE) (uintptr_t) 0x100)
#define DRIVE(n) ((HANDLE) (uintptr_t) (0x200 + (n)))
#define N_DRIVES 20u
#define ANY_FILE ((HANDLE) (uintptr_t) 0x300)

static struct {
    DWORD n_extents, extents[N_DRIVES]; /* the number of each one's drive */
    DWORD cut_bytes;                    /* that its list is shorter by */
    BOOL has_blocks, has_volume_counters;
    DWORD logical, physical, stored; /* of the device; of the file by itself, 0 = not told */
    int no_drive, no_counters;       /* a drive that cannot be opened, that does not count; or -1 */
    unsigned n_open;
} world;

static BOOL
refuse (DWORD error)
{
    SetLastError (error);
    return FALSE;
}

static HANDLE
fake_open (const wchar_t *path, DWORD access, DWORD share, void *security, DWORD how, DWORD flags,
           HANDLE model)
{
    unsigned n;
    if (access != 0) { /* more would need an administrator */
        SetLastError (ERROR_ACCESS_DENIED);
        return INVALID_HANDLE_VALUE;
    }
    bool is_drive = swscanf (path, L"\\\\.\\PhysicalDrive%u", &n) == 1;
    if ((is_drive && (int) n == world.no_drive)
        || (!is_drive && wcscmp (path, L"\\\\?\\Volume{1}") != 0)) {
        SetLastError (ERROR_FILE_NOT_FOUND);
        return INVALID_HANDLE_VALUE;
    }
    world.n_open++;
    return is_drive ? DRIVE (n) : VOLUME;
}

static BOOL
fake_close (HANDLE handle)
{
    world.n_open--;
    return TRUE;
}

/* Of drive n: 1000 n + 1 bytes read and so on; the volume counts as a drive 77 would. */
static BOOL
answer_performance (HANDLE device, DISK_PERFORMANCE *out, DWORD *ret_size)
{
    LONGLONG n = device == VOLUME ? 77 : (LONGLONG) (uintptr_t) device - 0x200;
    if (device == VOLUME ? !world.has_volume_counters : n == world.no_counters)
        return refuse (ERROR_INVALID_FUNCTION);
    *out = (DISK_PERFORMANCE){ .BytesRead.QuadPart = 1000 * n + 1,
                               .BytesWritten.QuadPart = 1000 * n + 2,
                               .ReadTime.QuadPart = 1000 * n + 3,
                               .WriteTime.QuadPart = 1000 * n + 4,
                               .ReadCount = (DWORD) (1000 * n + 5),
                               .WriteCount = (DWORD) (1000 * n + 6),
                               .QueueDepth = (DWORD) n + 7 };
    *ret_size = sizeof *out;
    return TRUE;
}

static BOOL
fake_control (HANDLE device, DWORD code, void *in, DWORD in_size, void *out, DWORD out_size,
              DWORD *ret_size, OVERLAPPED *overlapped)
{
    if (code == IOCTL_DISK_PERFORMANCE)
        return answer_performance (device, out, ret_size);
    if (code == IOCTL_STORAGE_QUERY_PROPERTY) {
        if (!world.has_blocks
            || ((STORAGE_PROPERTY_QUERY *) in)->PropertyId != StorageAccessAlignmentProperty)
            return refuse (ERROR_NOT_SUPPORTED);
        *(STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR *) out =
            (STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR){ .BytesPerLogicalSector = world.logical,
                                                   .BytesPerPhysicalSector = world.physical };
        *ret_size = sizeof (STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR) - world.cut_bytes;
        return TRUE;
    }
    VOLUME_DISK_EXTENTS *extents = out;
    DWORD size = (DWORD) offsetof (VOLUME_DISK_EXTENTS, Extents)
                 + world.n_extents * (DWORD) sizeof (DISK_EXTENT);
    if (size > out_size)
        return refuse (ERROR_MORE_DATA);
    extents->NumberOfDiskExtents = world.n_extents;
    for (DWORD i = 0; i < world.n_extents; i++)
        extents->Extents[i] = (DISK_EXTENT){ .DiskNumber = world.extents[i] };
    *ret_size = size - world.cut_bytes;
    return TRUE;
}

static BOOL
fake_information (HANDLE file, FILE_INFO_BY_HANDLE_CLASS which, void *out, DWORD size)
{
    if (which != FileStorageInfo || world.stored == 0)
        return refuse (ERROR_INVALID_PARAMETER);
    memset (out, 0, size);
    ((FILE_STORAGE_INFO *) out)->LogicalBytesPerSector = world.stored;
    return TRUE;
}

static DWORD
fake_final_path (HANDLE file, wchar_t *path, DWORD size, DWORD flags)
{
    if (size > 8)
        wcscpy (path, L"C:\\file");
    return size > 8 ? 7 : 8;
}

static BOOL
fake_volume_name (const wchar_t *mount, wchar_t *name, DWORD size)
{
    wcscpy (name, L"\\\\?\\Volume{1}\\");
    return TRUE;
}

static BOOL
fake_free_space (const wchar_t *root, DWORD *per_cluster, DWORD *per_sector, DWORD *free_clusters,
                 DWORD *clusters)
{
    *per_cluster = 8;
    *per_sector = 512;
    *free_clusters = *clusters = 1;
    return TRUE;
}

#define CreateFileW                       fake_open
#define CloseHandle                       fake_close
#define DeviceIoControl                   fake_control
#define GetFileInformationByHandleEx      fake_information
#define GetFinalPathNameByHandleW         fake_final_path
#define GetVolumeNameForVolumeMountPointW fake_volume_name
#define GetDiskFreeSpaceW                 fake_free_space
#include "engine/windows/volume.c"
#undef CreateFileW
#undef CloseHandle
#undef DeviceIoControl
#undef GetFileInformationByHandleEx
#undef GetFinalPathNameByHandleW
#undef GetVolumeNameForVolumeMountPointW
#undef GetDiskFreeSpaceW

#include "tests/engine/check.h"

static const DgVolume volume = { .device = L"\\\\?\\Volume{1}" };

static void
reset (void)
{
    world = (__typeof__ (world)){ .no_drive = -1, .no_counters = -1, .has_volume_counters = TRUE };
}

/* ---- cases ---- */

static void
blocks (void)
{
    uint32_t logical = 9, physical = 9;
    reset ();
    dg__volume_blocks (&volume, &logical, &physical);
    CHECK (logical == 0 && physical == 0);
    world.has_blocks = TRUE;
    world.logical = 512;
    world.physical = 4096;
    dg__volume_blocks (&volume, &logical, &physical);
    CHECK (logical == 512 && physical == 4096);
    world.cut_bytes = 8;
    dg__volume_blocks (&volume, &logical, &physical);
    CHECK (logical == 0 && physical == 0);
    DgVolume none = { .device = L"" };
    dg__volume_blocks (&none, &logical, &physical);
    CHECK (logical == 0 && physical == 0);
    CHECK_U64 (world.n_open, 0);
}

/* The file itself, else its device, else the volume; nonsense is not believed. */
static void
sectors (void)
{
    static const struct {
        DWORD stored, logical;
        uint32_t bytes;
    } rows[] = { { 4096, 512, 4096 }, { 512, 4096, 512 }, { 0, 4096, 4096 },
                 { 0, 0, 512 },       { 700, 0, 512 },    { 0, 65536, 512 } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        reset ();
        world.stored = rows[i].stored;
        world.logical = rows[i].logical;
        world.has_blocks = rows[i].logical != 0;
        CHECK_U64 (dg__file_sector_bytes (ANY_FILE), rows[i].bytes);
    }
}

static void
volume_counters (void)
{
    DgDriveCounters found;
    reset ();
    DgVolumeCounters *counters = dg__volume_counters_open (&volume);
    CHECK (counters != NULL);
    dg__volume_counters_read (counters, &found);
    CHECK_U64 (found.read_bytes, 77001);
    CHECK_U64 (found.written_bytes, 77002);
    CHECK_U64 (found.queue_time_ns, (77003 + 77004) * 100); /* they count in 100 ns */
    CHECK_U64 (found.inflight, 84);
    world.has_volume_counters = FALSE;
    dg__volume_counters_read (counters, &found);
    CHECK (found.read_bytes == DG_UNKNOWN_U64 && found.written_bytes == DG_UNKNOWN_U64
           && found.inflight == DG_UNKNOWN_U64);
    dg__volume_counters_close (counters);
    dg__volume_counters_read (NULL, &found);
    CHECK (found.read_bytes == DG_UNKNOWN_U64);
    DgVolume none = { .device = L"" }, gone = { .device = L"\\\\?\\Volume{2}" };
    CHECK (dg__volume_counters_open (&none) == NULL && dg__volume_counters_open (&gone) == NULL);
    CHECK_U64 (world.n_open, 0);
}

/* Each drive once; of a part of them nothing is said. */
static void
drive_counters (void)
{
    static const struct {
        DWORD n, extents[N_DRIVES], cut_bytes;
        int no_drive, no_counters;
        uint64_t read_bytes, inflight; /* 0 = unknown */
        bool is_one_to_one;
    } rows[] = {
        { 1, { 3 }, 0, -1, -1, 3001, 10, true },
        { 2, { 3, 3 }, 0, -1, -1, 3001, 10, true },
        { 3, { 3, 5, 3 }, 0, -1, -1, 8002, 22, false },
        { 2, { 3, 5 }, 0, 5, -1, 0, 0, false },
        { 2, { 3, 5 }, 0, -1, 5, 0, 0, false },
        { 2, { 3, 5 }, 8, -1, -1, 0, 0, false },
        { 16,
          { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
          0,
          -1,
          -1,
          120016,
          232,
          false },
        { 18, { 1 }, 0, -1, -1, 0, 0, false },
        { 0, { 0 }, 0, -1, -1, 0, 0, false },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        DgDriveCounters sum;
        reset ();
        world.n_extents = rows[i].n;
        memcpy (world.extents, rows[i].extents, sizeof world.extents);
        world.cut_bytes = rows[i].cut_bytes;
        world.no_drive = rows[i].no_drive;
        world.no_counters = rows[i].no_counters;
        DgVolumeCounters *counters = dg__volume_counters_open (&volume);
        CHECK (counters != NULL);
        dg__volume_counters_read_drives (counters, &sum);
        bool is_known = rows[i].read_bytes != 0;
        CHECK_U64 (sum.read_bytes, is_known ? rows[i].read_bytes : DG_UNKNOWN_U64);
        CHECK_U64 (sum.inflight, is_known ? rows[i].inflight : DG_UNKNOWN_U64);
        CHECK (sum.is_one_to_one == rows[i].is_one_to_one);
        dg__volume_counters_close (counters);
        CHECK_U64 (world.n_open, 0);
    }
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "blocks of the device", blocks },
        { "what unbuffered I/O is a multiple of", sectors },
        { "the volume's counters", volume_counters },
        { "the drives' counters", drive_counters },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
