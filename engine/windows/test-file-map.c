/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the test file lies (FSCTL_GET_RETRIEVAL_POINTERS), and how much of it holds data. Reading
 * what was never written costs the drive nothing: it would be the fastest drive of all. */
#include "engine/windows/test-file-private.h"

#include <stddef.h>
#include <winioctl.h>

#define N_EXTENTS 256u
#define N_REGIONS 64u

/* FSCTL_QUERY_FILE_REGIONS (Windows 8; NTFS since Windows 10 1709): older headers lack it. */
#define QUERY_FILE_REGIONS CTL_CODE (FILE_DEVICE_FILE_SYSTEM, 161, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define USAGE_VALID_CACHED 0x1u
typedef struct {
    LONGLONG offset, length;
    DWORD usage, reserved;
} RegionQuestion;
typedef struct {
    LONGLONG offset, length;
    DWORD usage, reserved;
} Region;
typedef struct {
    DWORD flags, total_entries, entries, reserved;
    Region regions[N_REGIONS];
} RegionAnswer;

/* Pieces of the file one after the other on the volume count once. False where the file system does
 * not tell. */
static bool
count_extents (const DgTestFile *file, uint64_t *ret_extents, uint64_t *ret_hole_clusters)
{
    union {
        RETRIEVAL_POINTERS_BUFFER head;
        unsigned char
            room[sizeof (RETRIEVAL_POINTERS_BUFFER) + (N_EXTENTS - 1) * 2 * sizeof (LARGE_INTEGER)];
    } map = { 0 };
    STARTING_VCN_INPUT_BUFFER start = { .StartingVcn.QuadPart = 0 };
    uint64_t extents = 0, holes = 0;
    LONGLONG expected_lcn = -1;
    for (;;) {
        DWORD size = 0;
        BOOL is_last = DeviceIoControl (file->file, FSCTL_GET_RETRIEVAL_POINTERS, &start,
                                        sizeof start, &map, sizeof map, &size, NULL);
        if (!is_last && GetLastError () != ERROR_MORE_DATA)
            return false;
        LONGLONG vcn = map.head.StartingVcn.QuadPart;
        for (DWORD i = 0; i < map.head.ExtentCount && i < N_EXTENTS; i++) {
            LONGLONG next = map.head.Extents[i].NextVcn.QuadPart,
                     lcn = map.head.Extents[i].Lcn.QuadPart;
            if (lcn < 0)
                holes += (uint64_t) (next - vcn);
            else if (lcn != expected_lcn)
                extents++;
            expected_lcn = lcn < 0 ? -1 : lcn + (next - vcn);
            vcn = next;
        }
        if (is_last || vcn <= start.StartingVcn.QuadPart)
            break;
        start.StartingVcn.QuadPart = vcn;
    }
    *ret_extents = extents;
    *ret_hole_clusters = holes;
    return true;
}

/* Bytes of the file below its valid data length; DG_UNKNOWN_U64 where the file system does not
 * tell. */
static uint64_t
valid_bytes (const DgTestFile *file)
{
    RegionQuestion question = { 0, (LONGLONG) file->full_bytes, USAGE_VALID_CACHED, 0 };
    RegionAnswer answer;
    DWORD size = 0;
    if (!DeviceIoControl (file->file, QUERY_FILE_REGIONS, &question, sizeof question, &answer,
                          sizeof answer, &size, NULL)
        || size < offsetof (RegionAnswer, regions) || answer.total_entries > N_REGIONS)
        return DG_UNKNOWN_U64;
    uint64_t valid = 0;
    for (DWORD i = 0;
         i < answer.entries && size >= offsetof (RegionAnswer, regions) + (i + 1) * sizeof (Region);
         i++)
        if ((answer.regions[i].usage & USAGE_VALID_CACHED) != 0)
            valid += (uint64_t) answer.regions[i].length;
    return valid;
}

bool
dg__test_file_check_map (DgTestFile *file)
{
    FILE_BASIC_INFO basic;
    uint64_t extents, hole_clusters;
    if (GetFileInformationByHandleEx (file->file, FileBasicInfo, &basic, sizeof basic)) {
        file->result.is_compressed = (basic.FileAttributes & FILE_ATTRIBUTE_COMPRESSED) != 0;
        file->result.is_encoded =
            file->result.is_compressed || (basic.FileAttributes & FILE_ATTRIBUTE_ENCRYPTED) != 0;
    }
    uint64_t missing = 0;
    if (count_extents (file, &extents, &hole_clusters)) {
        file->result.extents = extents;
        missing = hole_clusters * file->volume.cluster_bytes;
    }
    uint64_t valid = valid_bytes (file);
    if (valid < file->full_bytes && file->full_bytes - valid > missing)
        missing = file->full_bytes - valid;
    file->result.missing_bytes = missing < file->full_bytes ? missing : file->full_bytes;
    return missing == 0 && !file->result.is_compressed;
}
