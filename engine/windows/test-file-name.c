/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test file's name. A file without one cannot be left behind; but each worker opens it for
 * itself, and whether a file system opens what has no name any more is written down nowhere. So
 * what is best is tried on the empty file, block for block, and what fails is thrown away:
 *
 *   1. the name goes (POSIX delete), and queues open the file by the handle that made it;
 *   2. as many handles as the plan needs are opened first, then the name goes;
 *   3. the name stays, and the system deletes the file when its first handle is closed.
 *
 * Where a file without a name is lost space once the plug is pulled (FAT, exFAT, others' file
 * systems), only the last is tried. NTFS keeps such files in a folder of its own, which it empties
 * when it is mounted. */
#include "engine/windows/test-file-name.h"
#include "engine/data.h"
#include "engine/reason.h"
#include "engine/windows/path.h"

#include <stdlib.h>
#include <string.h>
#include <winioctl.h>

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

typedef enum {
    BY_HANDLE,
    BY_SPARES,
    NAME_KEPT
} Rung;
typedef enum {
    NAME_GONE,
    NAME_STAYS,
    HARMED
} Outcome;

/* ---- the system ---- */

/* A POSIX delete takes effect when the handle is closed that it was asked through. */
static bool
system_unlink (HANDLE file, const wchar_t *path, bool *ret_is_harmed)
{
    HANDLE second = ReOpenFile (file, DELETE, SHARE_ALL, FILE_FLAG_OPEN_REPARSE_POINT);
    if (second == INVALID_HANDLE_VALUE)
        return false;
    bool is_asked = dg__test_file_posix_delete (second);
    CloseHandle (second);
    bool is_gone = is_asked && GetFileAttributesW (path) == INVALID_FILE_ATTRIBUTES
                   && GetLastError () == ERROR_FILE_NOT_FOUND;
    *ret_is_harmed = is_asked && !is_gone;
    return is_gone;
}

static HANDLE
system_reopen (HANDLE file, DWORD access, DWORD flags)
{
    return ReOpenFile (file, access, SHARE_ALL, flags);
}

const DgNameCalls dg__name_calls = { system_unlink, system_reopen };

/* ---- does it work? ---- */

static bool
transfer (HANDLE file, bool is_write, unsigned char *bytes, DWORD size)
{
    HANDLE event = CreateEventW (NULL, TRUE, FALSE, NULL);
    OVERLAPPED at = { .hEvent = event };
    DWORD n = 0;
    bool is_done = event != NULL
                   && ((is_write ? WriteFile (file, bytes, size, NULL, &at)
                                 : ReadFile (file, bytes, size, NULL, &at))
                       || GetLastError () == ERROR_IO_PENDING)
                   && GetOverlappedResult (file, &at, &n, TRUE) && n == size;
    if (event != NULL)
        CloseHandle (event);
    return is_done;
}

static bool
passes_on (HANDLE from, HANDLE to, unsigned char *block, DWORD size, unsigned char fill)
{
    memset (block, fill, size);
    if (!transfer (from, true, block, size))
        return false;
    memset (block, 0, size);
    if (!transfer (to, false, block, size))
        return false;
    DWORD good = 0;
    while (good < size && block[good] == fill)
        good++;
    return good == size;
}

/* What one handle writes the other reads, both ways, and the file's length can be set. */
static bool
works (DgTestFile *file, HANDLE other)
{
    DWORD size = (DWORD) file->result.alignment_bytes;
    FILE_END_OF_FILE_INFO end = { .EndOfFile.QuadPart = 2 * (LONGLONG) size };
    LARGE_INTEGER found = { 0 };
    uint64_t allocated;
    unsigned char *block = dg__memory_new (size, &allocated);
    if (block == NULL)
        return false;
    bool is_good = passes_on (file->file, other, block, size, 0x5a)
                   && passes_on (other, file->file, block, size, 0xa5)
                   && SetFileInformationByHandle (file->file, FileEndOfFileInfo, &end, sizeof end)
                   && GetFileSizeEx (other, &found) && found.QuadPart == end.EndOfFile.QuadPart;
    file->result.probe_bytes += 2 * (uint64_t) size;
    dg__memory_free (block, allocated);
    return is_good;
}

/* ---- the rungs ---- */

static bool
may_go (const DgVolume *volume)
{
    return volume->kind == DG_FS_DISK
           && (_wcsicmp (volume->filesystem, L"NTFS") == 0
               || _wcsicmp (volume->filesystem, L"ReFS") == 0);
}

static DWORD
flags_of (const DgTestFile *file, const DgPlan *plan)
{
    return (file->result.is_direct ? FILE_FLAG_NO_BUFFERING : 0)
           | (plan->backend == DG_BACKEND_THREADS ? 0 : FILE_FLAG_OVERLAPPED)
           | (plan->write_through ? FILE_FLAG_WRITE_THROUGH : 0);
}

static Outcome
go_by_handle (const DgNameCalls *calls, DgTestFile *file, const wchar_t *path, const DgPlan *plan)
{
    bool is_harmed = false;
    if (!calls->unlink (file->file, path, &is_harmed))
        return is_harmed ? HARMED : NAME_STAYS;
    HANDLE other = calls->reopen (file->file, GENERIC_READ | GENERIC_WRITE, flags_of (file, plan));
    bool is_good = other != INVALID_HANDLE_VALUE && works (file, other);
    if (other != INVALID_HANDLE_VALUE)
        CloseHandle (other);
    return is_good ? NAME_GONE : HARMED;
}

/* The most that queues have open at once in any step. */
static uint32_t
handles_needed (const DgPlanTarget *target, const DgPlan *plan)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < plan->steps[i].n_streams; k++) {
            const DgStream *stream = &plan->steps[i].streams[k];
            if (&plan->targets[stream->target] == target)
                n += stream->threads
                     * (plan->backend == DG_BACKEND_THREADS ? stream->queue_depth : 1u);
        }
        most = n > most ? n : most;
    }
    return most;
}

static bool
open_spares (const DgNameCalls *calls, DgTestFile *file, const DgPlan *plan, uint32_t n)
{
    HANDLE *files = calloc (n, sizeof *files);
    uint32_t opened = 0;
    for (; files != NULL && opened < n; opened++) {
        files[opened] =
            calls->reopen (file->file, GENERIC_READ | GENERIC_WRITE, flags_of (file, plan));
        if (files[opened] == INVALID_HANDLE_VALUE)
            break;
    }
    if (files != NULL && opened == n)
        file->spares = dg__spares_new (file->file, plan->backend != DG_BACKEND_THREADS, files, n);
    for (uint32_t i = 0; file->spares == NULL && i < opened; i++)
        CloseHandle (files[i]);
    free (files);
    return file->spares != NULL;
}

static Outcome
go_by_spares (const DgNameCalls *calls, DgTestFile *file, const wchar_t *path,
              const DgPlanTarget *target, const DgPlan *plan)
{
    bool is_harmed = false, is_overlapped = plan->backend != DG_BACKEND_THREADS;
    if (!open_spares (calls, file, plan, handles_needed (target, plan)))
        return NAME_STAYS;
    if (calls->unlink (file->file, path, &is_harmed)) {
        DgSpare one;
        DgSpares *spares = dg__spares_take (file->file, is_overlapped, &one);
        bool is_good = works (file, one.file);
        dg__spares_give_back (spares, one);
        if (is_good)
            return NAME_GONE;
        is_harmed = true;
    }
    dg__spares_close (file->spares);
    file->spares = NULL;
    return is_harmed ? HARMED : NAME_STAYS;
}

/* ---- the file ---- */

static HANDLE
make (const wchar_t *path, DWORD flags)
{
    return CreateFileW (path, GENERIC_READ | GENERIC_WRITE | DELETE, SHARE_ALL, NULL, CREATE_NEW,
                        FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_FLAG_DELETE_ON_CLOSE
                            | FILE_FLAG_OPEN_REPARSE_POINT | flags,
                        NULL);
}

static int
make_named (DgTestFile *file, const wchar_t *folder, wchar_t **ret_path, DgErrorDetail *ret_detail)
{
    DWORD error = ERROR_FILE_EXISTS;
    for (int attempt = 0; attempt < 8 && error == ERROR_FILE_EXISTS; attempt++) {
        wchar_t name[DG_TEST_NAME_CHARS];
        if (!dg__test_name_new (name))
            return dg__test_file_refuse (ret_detail, DG_ERROR_SYSTEM, "rand_s", 0);
        wchar_t *path = dg__wide_join (folder, name);
        if (path == NULL)
            return dg__test_file_refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
        file->file = make (path, FILE_FLAG_NO_BUFFERING);
        file->result.is_direct = file->file != INVALID_HANDLE_VALUE;
        error = file->result.is_direct ? ERROR_SUCCESS : GetLastError ();
        if (error == ERROR_INVALID_PARAMETER) { /* a redirector that always caches */
            file->file = make (path, 0);
            error = file->file != INVALID_HANDLE_VALUE ? ERROR_SUCCESS : GetLastError ();
            file->result.direct_reason = DG_REASON_REFUSED_O_DIRECT;
        }
        if (error == ERROR_SUCCESS)
            *ret_path = path;
        else
            free (path);
    }
    return error == ERROR_SUCCESS ? DG_OK : dg__test_file_fail (ret_detail, "open", 0, 0, error);
}

/* A folder hands its compression on to what is made in it. */
static void
set_uncompressed (const DgTestFile *file)
{
    USHORT format = COMPRESSION_FORMAT_NONE;
    DWORD size;
    if ((file->volume.flags & FILE_FILE_COMPRESSION) != 0)
        DeviceIoControl (file->file, FSCTL_SET_COMPRESSION, &format, sizeof format, NULL, 0, &size,
                         NULL);
}

static int
keep_name (DgTestFile *file, const wchar_t *path, DgErrorDetail *ret_detail)
{
    file->place = dg__test_file_register (file->file);
    file->path = dg__utf8_of (path);
    file->result.name_visible = true;
    return file->path != NULL ? DG_OK
                              : dg__test_file_refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
}

int
dg__test_file_make (const DgNameCalls *calls, DgTestFile *file, const wchar_t *folder,
                    const DgPlanTarget *target, const DgPlan *plan, DgErrorDetail *ret_detail)
{
    for (Rung rung = may_go (&file->volume) ? BY_HANDLE : NAME_KEPT;; rung++) {
        wchar_t *path = NULL;
        int error = make_named (file, folder, &path, ret_detail);
        if (error != DG_OK)
            return error;
        set_uncompressed (file);
        Outcome outcome = rung == BY_HANDLE   ? go_by_handle (calls, file, path, plan)
                          : rung == BY_SPARES ? go_by_spares (calls, file, path, target, plan)
                                              : NAME_STAYS;
        if (outcome == NAME_STAYS)
            error = keep_name (file, path, ret_detail);
        free (path);
        if (outcome != HARMED)
            return error;
        CloseHandle (file->file);
        file->file = INVALID_HANDLE_VALUE;
    }
}
