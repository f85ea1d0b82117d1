/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and deleting the test file: what is refused, what its length and space are. It keeps its
 * name while it is in use, for each worker opens it by that; the handle that made it deletes it. */
#include "engine/windows/test-file-private.h"
#include "engine/reason.h"
#include "engine/windows/codes.h"
#include "engine/windows/path.h"

#include <stdlib.h>
#include <winioctl.h>

#define LEAST_ALIGNMENT 4096u
#define MOST_ALIGNMENT  (1u << 20) /* clusters can have 2 MiB and more */
#define SHARE_ALL       (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

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

static int
refuse (DgErrorDetail *ret_detail, int code, const char *operation, uint64_t length_bytes)
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
    uint32_t logical = 0, physical = 0;
    HANDLE device = file->volume.device[0] == L'\0'
                        ? INVALID_HANDLE_VALUE
                        : CreateFileW (file->volume.device, 0, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                       NULL, OPEN_EXISTING, 0, NULL);
    if (device != INVALID_HANDLE_VALUE) {
        dg__device_blocks (device, &logical, &physical);
        CloseHandle (device);
    }
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

static wchar_t *
joined (const wchar_t *folder, const wchar_t *name)
{
    size_t length = wcslen (folder), room = length + wcslen (name) + 2;
    wchar_t *path = malloc (room * sizeof *path);
    if (path != NULL)
        swprintf (path, room, L"%ls%ls%ls", folder,
                  length > 0 && folder[length - 1] == L'\\' ? L"" : L"\\", name);
    return path;
}

static HANDLE
make (const wchar_t *path, DWORD flags)
{
    return CreateFileW (path, GENERIC_READ | GENERIC_WRITE | DELETE, SHARE_ALL, NULL, CREATE_NEW,
                        FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE
                            | FILE_FLAG_OPEN_REPARSE_POINT | flags,
                        NULL);
}

static int
make_named (DgTestFile *file, const wchar_t *folder, DgErrorDetail *ret_detail)
{
    DWORD error = ERROR_FILE_EXISTS;
    for (int attempt = 0; attempt < 8 && error == ERROR_FILE_EXISTS; attempt++) {
        wchar_t name[DG_TEST_NAME_CHARS];
        if (!dg__test_name_new (name))
            return refuse (ret_detail, DG_ERROR_SYSTEM, "rand_s", 0);
        wchar_t *path = joined (folder, name);
        if (path == NULL)
            return refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
        file->file = make (path, FILE_FLAG_NO_BUFFERING);
        file->result.is_direct = file->file != INVALID_HANDLE_VALUE;
        error = file->result.is_direct ? ERROR_SUCCESS : GetLastError ();
        if (error == ERROR_INVALID_PARAMETER) { /* a redirector that always caches */
            file->file = make (path, 0);
            error = file->file != INVALID_HANDLE_VALUE ? ERROR_SUCCESS : GetLastError ();
            file->result.direct_reason = DG_REASON_REFUSED_O_DIRECT;
        }
        if (error == ERROR_SUCCESS) {
            file->place = dg__test_file_register (file->file);
            file->path = dg__utf8_of (path);
        }
        free (path);
    }
    if (error != ERROR_SUCCESS)
        return dg__test_file_fail (ret_detail, "open", 0, 0, error);
    if (file->path == NULL)
        return refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
    file->result.name_visible = true;
    return DG_OK;
}

/* A folder hands its compression on to what is made in it. */
static void
set_uncompressed (DgTestFile *file)
{
    USHORT format = COMPRESSION_FORMAT_NONE;
    DWORD size;
    if ((file->volume.flags & FILE_FILE_COMPRESSION) != 0)
        DeviceIoControl (file->file, FSCTL_SET_COMPRESSION, &format, sizeof format, NULL, 0, &size,
                         NULL);
}

static int
check_space (const DgTestFile *file, const DgPlanTarget *target, DgErrorDetail *ret_detail)
{
    const DgVolume *volume = &file->volume;
    uint64_t reserve = target->reserve_bytes != 0 ? target->reserve_bytes
                                                  : dg_targets_reserve_bytes (volume->size_bytes);
    uint64_t needed = file->full_bytes + reserve;
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
make_file (DgTestFile *file, const DgPlanTarget *target, DgErrorDetail *ret_detail)
{
    wchar_t *folder = dg__wide_path (target->folder);
    if (folder == NULL)
        return refuse (ret_detail, DG_ERROR_NOT_FOUND, "open", 0);
    int error = DG_OK;
    DWORD attributes = GetFileAttributesW (folder);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        error = dg__test_file_fail (ret_detail, "open", 0, 0, GetLastError ());
    else if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
        error = refuse (ret_detail, DG_ERROR_NOT_DIRECTORY, "open", 0);
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
            error =
                refuse (ret_detail, DG_ERROR_FILE_TOO_LARGE, "FileEndOfFileInfo", file->full_bytes);
    }
    if (error == DG_OK)
        error = check_space (file, target, ret_detail);
    if (error == DG_OK)
        error = make_named (file, folder, ret_detail);
    free (folder);
    if (error != DG_OK)
        return error;
    set_uncompressed (file);
    file->counters = dg__volume_counters_open (&file->volume);
    return allocate (file, ret_detail);
}

int
dg__test_file_create (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file,
                      DgErrorDetail *ret_detail)
{
    if (target->file_bytes == 0 || target->file_bytes > INT64_MAX - MOST_ALIGNMENT)
        return refuse (ret_detail, DG_ERROR_INVALID, "open", target->file_bytes);
    DgTestFile *file = file_new (target->file_bytes);
    if (file == NULL)
        return refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
    file->is_ours = target->folder != NULL;
    int error = file->is_ours ? make_file (file, target, ret_detail)
                              : wrap_handle (target, file, ret_detail);
    if (error != DG_OK) {
        dg__test_file_close (file);
        return error;
    }
    *ret_file = file;
    return DG_OK;
}

void
dg__test_file_close (DgTestFile *file)
{
    if (file == NULL)
        return;
    dg__test_file_unregister (file->place);
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
dg__test_file_nowait (DgTestFile *file, uint64_t block_bytes)
{
    return -1; /* no such thing here */
}
