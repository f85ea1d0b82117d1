/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and deleting the test file: what is refused, what its length and space are. The handle
 * that made it deletes it. */
#include "engine/windows/codes.h"
#include "engine/windows/path.h"
#include "engine/windows/test-file-name.h"

#include <stdlib.h>
#include <winioctl.h>

#define LEAST_ALIGNMENT 4096u
#define MOST_ALIGNMENT  (1u << 20) /* clusters can have 2 MiB and more */

int
dg__test_file_fail (DgErrorDetail *ret_detail, const char *operation, uint64_t offset_bytes,
                    uint64_t length_bytes, DWORD os_code)
{
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = operation,
                                       .offset_bytes = offset_bytes,
                                       .length_bytes = length_bytes,
                                       .os_code = (int) os_code };
    return dg_error_from_os ((int) os_code);
}

int
dg__test_file_refuse (DgErrorDetail *ret_detail, int code, const char *operation,
                      uint64_t length_bytes)
{
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = operation, .length_bytes = length_bytes };
    return code;
}

static DgTestFile *
file_new (uint64_t size_bytes)
{
    DgTestFile *file = calloc (1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->file = INVALID_HANDLE_VALUE;
    file->place = -1;
    file->result.size_bytes = size_bytes;
    file->result.extents = DG_UNKNOWN_U64;
    file->result.logical_block_bytes = DG_UNKNOWN_U64;
    file->result.physical_block_bytes = DG_UNKNOWN_U64;
    file->result.alignment_bytes = LEAST_ALIGNMENT;
    return file;
}

static uint64_t
power_of_two_below (uint64_t value)
{
    return value == 0 ? 0 : UINT64_C (1) << (63 - __builtin_clzll (value));
}

static void
learn_blocks (DgTestFile *file)
{
    uint32_t logical, physical;
    dg__volume_blocks (&file->volume, &logical, &physical);
    if (logical == 0)
        logical = file->volume.sector_bytes;
    if (logical != 0)
        file->result.logical_block_bytes = logical;
    if (physical != 0)
        file->result.physical_block_bytes = physical;

    uint64_t a = LEAST_ALIGNMENT;
    if (logical > a)
        a = logical;
    if (physical > a)
        a = physical;
    if (file->volume.kind == DG_FS_DISK && file->volume.cluster_bytes > a)
        a = file->volume.cluster_bytes;
    a = power_of_two_below (a);
    file->result.alignment_bytes = a > MOST_ALIGNMENT ? MOST_ALIGNMENT : a;
}

/* Queues go by the file itself, which on a share or a pool may ask for more than its volume tells:
 * what they would refuse is not to be run. */
static void
learn_sector (DgTestFile *file)
{
    uint64_t *logical = &file->result.logical_block_bytes;
    if (!file->result.is_direct || *logical == DG_UNKNOWN_U64)
        return;
    uint32_t sector = dg__file_sector_bytes (file->file);
    if (sector > *logical)
        *logical = sector;
}

/* ---- the caller's own handle ---- */

static int
wrap_handle (const DgPlanTarget *target, DgTestFile *file, DgErrorDetail *ret_detail)
{
    HANDLE handle = (HANDLE) target->handle;
    SetLastError (ERROR_SUCCESS);
    if (GetFileType (handle) == FILE_TYPE_UNKNOWN && GetLastError () != ERROR_SUCCESS)
        return dg__test_file_fail (ret_detail, "stat", 0, 0, GetLastError ());
    file->file = handle;
    file->full_bytes = target->file_bytes;
    file->result.is_direct = true; /* the queues open it again without a cache */
    DWORD n = GetFinalPathNameByHandleW (handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *path = n == 0 ? NULL : malloc ((n + 1u) * sizeof *path);
    if (path != NULL && GetFinalPathNameByHandleW (handle, path, n + 1, FILE_NAME_NORMALIZED) != 0
        && dg__volume_of (path, &file->volume) == 0) {
        learn_blocks (file);
        file->counters = dg__volume_counters_open (&file->volume);
    }
    free (path);
    return DG_OK;
}

/* ---- our own file ---- */

static int
check_space (const DgTestFile *file, const DgPlanTarget *target, DgErrorDetail *ret_detail)
{
    const DgVolume *volume = &file->volume;
    uint64_t reserve = target->reserve_bytes != 0 ? target->reserve_bytes
                                                  : dg_targets_reserve_bytes (volume->size_bytes);
    uint64_t needed =
        file->full_bytes > UINT64_MAX - reserve ? UINT64_MAX : file->full_bytes + reserve;
    if (volume->size_bytes == 0 || volume->free_bytes >= needed)
        return DG_OK;
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = "GetDiskFreeSpaceEx",
                                       .needed_bytes = needed,
                                       .available_bytes = volume->free_bytes };
    return DG_ERROR_NO_SPACE;
}

/* The space first, in as few pieces as there are, then the length; what lies in it is written
 * before anything is read. */
static int
allocate (DgTestFile *file, DgErrorDetail *ret_detail)
{
    FILE_ALLOCATION_INFO space = { .AllocationSize.QuadPart = (LONGLONG) file->full_bytes };
    FILE_END_OF_FILE_INFO end = { .EndOfFile.QuadPart = (LONGLONG) file->full_bytes };
    if (!SetFileInformationByHandle (file->file, FileAllocationInfo, &space, sizeof space)) {
        DWORD error = GetLastError ();
        if (error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL
            || error == DG_OS_DISK_QUOTA_EXCEEDED)
            return dg__test_file_fail (ret_detail, "FileAllocationInfo", 0, file->full_bytes,
                                       error);
    }
    if (!SetFileInformationByHandle (file->file, FileEndOfFileInfo, &end, sizeof end))
        return dg__test_file_fail (ret_detail, "FileEndOfFileInfo", 0, file->full_bytes,
                                   GetLastError ());
    return DG_OK;
}

static int
make_file (const DgNameCalls *calls, DgTestFile *file, const DgPlanTarget *target,
           const DgPlan *plan, DgErrorDetail *ret_detail)
{
    wchar_t *folder = dg__wide_path (target->folder);
    if (folder == NULL)
        return dg__test_file_refuse (ret_detail, DG_ERROR_NOT_FOUND, "open", 0);
    int error = DG_OK;
    DWORD attributes = GetFileAttributesW (folder);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        error = dg__test_file_fail (ret_detail, "open", 0, 0, GetLastError ());
    else if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
        error = dg__test_file_refuse (ret_detail, DG_ERROR_NOT_DIRECTORY, "open", 0);
    if (error == DG_OK) {
        int os_code = dg__volume_of (folder, &file->volume);
        if (os_code != 0)
            error = dg__test_file_fail (ret_detail, "statfs", 0, 0, (DWORD) os_code);
    }
    if (error == DG_OK) {
        file->result.leftovers_removed = dg__test_file_remove_leftovers (target->folder);
        learn_blocks (file);
        uint64_t a = file->result.alignment_bytes;
        file->full_bytes = (target->file_bytes + a - 1) / a * a;
        if (file->full_bytes > dg__volume_max_file_bytes (&file->volume))
            error = dg__test_file_refuse (ret_detail, DG_ERROR_FILE_TOO_LARGE, "FileEndOfFileInfo",
                                          file->full_bytes);
    }
    if (error == DG_OK)
        error = check_space (file, target, ret_detail);
    if (error == DG_OK)
        error = dg__test_file_make (calls, file, folder, target, plan, ret_detail);
    free (folder);
    if (error != DG_OK)
        return error;
    learn_sector (file);
    file->counters = dg__volume_counters_open (&file->volume);
    return allocate (file, ret_detail);
}

int
dg__test_file_create_by (const DgNameCalls *calls, const DgPlanTarget *target, const DgPlan *plan,
                         DgTestFile **ret_file, DgErrorDetail *ret_detail)
{
    if (target->file_bytes == 0 || target->file_bytes > INT64_MAX - MOST_ALIGNMENT)
        return dg__test_file_refuse (ret_detail, DG_ERROR_INVALID, "open", target->file_bytes);
    DgTestFile *file = file_new (target->file_bytes);
    if (file == NULL)
        return dg__test_file_refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
    file->is_ours = target->folder != NULL;
    int error = file->is_ours ? make_file (calls, file, target, plan, ret_detail)
                              : wrap_handle (target, file, ret_detail);
    if (error != DG_OK) {
        dg__test_file_close (file);
        return error;
    }
    *ret_file = file;
    return DG_OK;
}

int
dg__test_file_create (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file,
                      DgErrorDetail *ret_detail)
{
    return dg__test_file_create_by (&dg__name_calls, target, plan, ret_file, ret_detail);
}

void
dg__test_file_leave (DgTestFile *file)
{
    dg__test_file_unregister (file->place);
    file->place = -1;
}

void
dg__test_file_close (DgTestFile *file)
{
    if (file == NULL)
        return;
    dg__test_file_unregister (file->place);
    dg__spares_close (file->spares);
    if (file->is_ours && file->file != INVALID_HANDLE_VALUE) {
        dg__test_file_delete (file->file);
        CloseHandle (file->file);
    }
    dg__volume_counters_close (file->counters);
    free (file->path);
    free (file);
}

const DgFileResult *
dg__test_file_result (const DgTestFile *file)
{
    return &file->result;
}

intptr_t
dg__test_file_handle (const DgTestFile *file)
{
    return (intptr_t) file->file;
}

const char *
dg__test_file_path (const DgTestFile *file)
{
    return file->path;
}

int
dg__test_file_flush (DgTestFile *file, DgErrorDetail *ret_detail)
{
    if (FlushFileBuffers (file->file))
        return DG_OK;
    DWORD error = GetLastError ();
    /* A caller's handle may be for reading only, or know no flush. */
    if (!file->is_ours && (error == ERROR_ACCESS_DENIED || error == ERROR_INVALID_FUNCTION))
        return DG_OK;
    return dg__test_file_fail (ret_detail, "FlushFileBuffers", 0, file->full_bytes, error);
}

/* Opened without a cache, it has none; what the drive keeps is not ours to drop. */
void
dg__test_file_drop_cache (DgTestFile *file)
{
    dg__test_file_flush (file, NULL);
}

int
dg__test_file_nowait (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns)
{
    *ret_read_ns = 0;
    return -1; /* no such thing here */
}
