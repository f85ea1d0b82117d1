/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and deleting the test file: what is refused, where it has a name, how its descriptors are
 * opened. */
#include "engine/linux/test-file-private.h"
#include "engine/linux/fs-type.h"
#include "engine/clock.h"
#include "engine/data.h"
#include "engine/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LEAST_ALIGNMENT 4096u
#define MOST_ALIGNMENT                                                                             \
    (1u << 20) /* FAT, exFAT and network file systems call up to 32 MiB their block */

int
dg__test_file_fail (DgErrorDetail *ret_detail, const char *operation, uint64_t offset_bytes,
                    uint64_t length_bytes, int os_code)
{
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = operation,
                                       .offset_bytes = offset_bytes,
                                       .length_bytes = length_bytes,
                                       .os_code = os_code };
    return dg_error_from_os (os_code);
}

static int
refuse (DgErrorDetail *ret_detail, int code, const char *operation, uint64_t length_bytes)
{
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = operation, .length_bytes = length_bytes };
    return code;
}

static uint64_t
page_bytes (void)
{
    long size = sysconf (_SC_PAGESIZE);
    return size > 0 ? (uint64_t) size : 4096;
}

static DgTestFile *
file_new (uint64_t size_bytes)
{
    DgTestFile *file = calloc (1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->fd = file->direct_fd = file->io_fd = file->folder_fd = file->place = -1;
    file->page_bytes = page_bytes ();
    file->result.size_bytes = size_bytes;
    file->result.extents = DG_UNKNOWN_U64;
    file->result.logical_block_bytes = DG_UNKNOWN_U64;
    file->result.physical_block_bytes = DG_UNKNOWN_U64;
    file->result.alignment_bytes = LEAST_ALIGNMENT;
    return file;
}

/* ---- what lies below ---- */

static void
learn_devices (DgTestFile *file, const DgDevices *devices)
{
    DgDeviceTraits traits;
    DgDevices drives;
    dg__device_traits (NULL, devices, &traits);
    dg__devices_below (NULL, devices, &drives);
    file->is_block_backed = devices->n > 0;
    file->has_caching_loop = traits.has_caching_loop;
    file->mounted = dg__counters_open (NULL, devices);
    file->drives = dg__counters_open (NULL, &drives);
    if (traits.logical_block_bytes != 0)
        file->result.logical_block_bytes = traits.logical_block_bytes;
    if (traits.physical_block_bytes != 0)
        file->result.physical_block_bytes = traits.physical_block_bytes;
}

/* False when the file cannot do direct I/O at all. */
static bool
learn_direct_alignment (DgTestFile *file, int fd)
{
#ifdef STATX_DIOALIGN
    struct statx stx;
    if (statx (fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0
        && (stx.stx_mask & STATX_DIOALIGN) != 0) {
        if (stx.stx_dio_offset_align == 0)
            return false;
        file->result.logical_block_bytes = stx.stx_dio_offset_align;
    }
#endif
    return true;
}

static uint64_t
power_of_two_below (uint64_t value)
{
    return value == 0 ? 0 : UINT64_C (1) << (63 - __builtin_clzll (value));
}

static void
set_alignment (DgTestFile *file, uint64_t fs_block_bytes)
{
    uint64_t a = LEAST_ALIGNMENT, physical = file->result.physical_block_bytes,
             logical = file->result.logical_block_bytes;
    if (physical != DG_UNKNOWN_U64 && physical > a)
        a = physical;
    if (logical != DG_UNKNOWN_U64 && logical > a)
        a = logical;
    if (file->kind == DG_FS_DISK && fs_block_bytes > a)
        a = fs_block_bytes;
    a = power_of_two_below (a);
    file->result.alignment_bytes = a > MOST_ALIGNMENT ? MOST_ALIGNMENT : a;
}

/* ---- the caller's own descriptor ---- */

static int
wrap_handle (const DgPlanTarget *target, DgTestFile *file, DgErrorDetail *ret_detail)
{
    struct stat st;
    int fd = (int) target->handle;
    if (fstat (fd, &st) != 0)
        return dg__test_file_fail (ret_detail, "stat", 0, 0, errno);
    int flags = fcntl (fd, F_GETFL);
    file->fd = file->direct_fd = file->io_fd = fd;
    file->full_bytes = target->file_bytes;
    file->result.is_direct = flags >= 0 && (flags & O_DIRECT) != 0;

    DgDevices devices = { .n = 0 };
    if (S_ISBLK (st.st_mode)) {
        devices.at[0] = (DgDeviceNumber){ major (st.st_rdev), minor (st.st_rdev) };
        devices.n = 1;
    } else if (S_ISREG (st.st_mode)) {
        struct statfs fs;
        DgFileMount mount;
        bool found = dg__file_mount (NULL, fd, &mount);
        if (fstatfs (fd, &fs) == 0) {
            file->f_type = (uint64_t) fs.f_type;
            file->kind = dg__fs_kind (file->f_type, found ? mount.type : NULL);
            if (found)
                dg__file_mount_devices (NULL, fd, &mount, dg__fs_is_btrfs (file->f_type), &devices);
        }
    }
    learn_devices (file, &devices);
    learn_direct_alignment (file, fd);
    set_alignment (file, 0);
    return DG_OK;
}

/* ---- our own file ---- */

/* By name where it has one; else through /proc, which also reaches a file without a name. */
static int
open_again (const DgTestFile *file, int flags)
{
    if (file->name[0] != '\0')
        return openat (file->folder_fd, file->name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags);
    char path[64];
    snprintf (path, sizeof path, "/proc/self/fd/%d", file->fd);
    return open (path, O_RDWR | O_CLOEXEC | flags);
}

static int
make_nameless (DgTestFile *file, int folder_fd, DgErrorDetail *ret_detail)
{
    file->fd = openat (folder_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file->fd >= 0)
        return DG_OK;
    /* Without O_TMPFILE the kernel sees an attempt to open a folder for writing, or a flag that it
     * does not know. */
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
        return dg__test_file_fail (ret_detail, "open", 0, 0, errno);
    for (int attempt = 0; attempt < 8; attempt++) {
        char name[DG_TEST_NAME_BYTES];
        if (!dg__test_name_new (name))
            return dg__test_file_fail (ret_detail, "getrandom", 0, 0, errno);
        file->fd =
            openat (folder_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file->fd >= 0) {
            if (unlinkat (folder_fd, name, 0) == 0)
                return DG_OK;
            return dg__test_file_fail (ret_detail, "unlink", 0, 0, errno);
        }
        if (errno != EEXIST)
            return dg__test_file_fail (ret_detail, "open", 0, 0, errno);
    }
    return dg__test_file_fail (ret_detail, "open", 0, 0, EEXIST);
}

static int
make_named (DgTestFile *file, int folder_fd, const char *folder, DgErrorDetail *ret_detail)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        if (!dg__test_name_new (file->name))
            return dg__test_file_fail (ret_detail, "getrandom", 0, 0, errno);
        file->place = dg__test_name_register (folder_fd, file->name);
        if (file->place < 0)
            return refuse (ret_detail, DG_ERROR_BUSY, "open", 0);
        file->fd = openat (folder_fd, file->name,
                           O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        int os_code = errno;
        if (file->fd >= 0) {
            /* A file system without locks (ENOLCK, EOPNOTSUPP) keeps its leftovers: they are only
             * removed when a lock proves that nobody uses them. */
            bool is_taken = flock (file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
            if (!is_taken && dg__test_name_is (folder_fd, file->name, file->fd)) {
                if (asprintf (&file->path, "%s/%s", folder, file->name) < 0) {
                    file->path = NULL;
                    return refuse (ret_detail, DG_ERROR_NO_MEMORY, "open", 0);
                }
                file->result.name_visible = true;
                return DG_OK;
            }
            /* Someone who clears up was faster than our lock: another name. */
            close (file->fd);
            file->fd = -1;
            unlinkat (folder_fd, file->name, 0);
            os_code = EEXIST;
        }
        dg__test_name_unregister (file->place);
        file->place = -1;
        file->name[0] = '\0';
        if (os_code != EEXIST)
            return dg__test_file_fail (ret_detail, "open", 0, 0, os_code);
    }
    return dg__test_file_fail (ret_detail, "open", 0, 0, EEXIST);
}

void
dg__test_file_set_buffered (DgTestFile *file)
{
    const int fds[] = { file->direct_fd, file->io_fd };
    for (unsigned i = 0; i < 2; i++) {
        int flags = fds[i] < 0 ? -1 : fcntl (fds[i], F_GETFL);
        if (flags >= 0)
            fcntl (fds[i], F_SETFL, flags & ~O_DIRECT);
    }
    file->result.is_direct = false;
    file->result.direct_reason =
        file->kind == DG_FS_MEMORY ? DG_REASON_MEMORY : DG_REASON_REFUSED_O_DIRECT;
}

/* The descriptors that data goes through. O_DIRECT is asked for at open, where network file systems
 * decide; it may still be refused at the transfer. */
static int
open_for_data (DgTestFile *file, bool write_through, DgErrorDetail *ret_detail)
{
    bool can_direct = learn_direct_alignment (file, file->fd);
    file->direct_fd = can_direct ? open_again (file, O_DIRECT) : -1;
    file->result.is_direct = file->direct_fd >= 0;
    if (file->direct_fd < 0) {
        if (can_direct && errno != EINVAL && errno != EOPNOTSUPP)
            return dg__test_file_fail (ret_detail, "open", 0, 0, errno);
        file->direct_fd = open_again (file, 0);
        if (file->direct_fd < 0)
            return dg__test_file_fail (ret_detail, "open", 0, 0, errno);
        dg__test_file_set_buffered (file);
    }
    file->io_fd = file->direct_fd;
    if (write_through) {
        file->io_fd = open_again (file, O_DSYNC | (file->result.is_direct ? O_DIRECT : 0));
        if (file->io_fd < 0)
            return dg__test_file_fail (ret_detail, "open", 0, 0, errno);
    }
    return DG_OK;
}

/* btrfs takes the flag only while the file is empty. What came of it stands in the result. (The
 * calls' numbers tell of a long, the kernel takes an int of it: the other half is for checkers.) */
static void
set_no_cow (DgTestFile *file, bool wanted)
{
    int flags[2] = { 0, 0 };
    if (ioctl (file->fd, FS_IOC_GETFLAGS, flags) != 0)
        return;
    if (wanted && (flags[0] & FS_NOCOW_FL) == 0) {
        int with[2] = { flags[0] | FS_NOCOW_FL, 0 };
        if (ioctl (file->fd, FS_IOC_SETFLAGS, with) == 0
            && ioctl (file->fd, FS_IOC_GETFLAGS, flags) != 0)
            flags[0] = with[0];
    }
    file->result.is_nocow = (flags[0] & FS_NOCOW_FL) != 0;
    file->result.is_compressed = (flags[0] & FS_COMPR_FL) != 0;
}

static int
check_space (const DgTestFile *file, const DgPlanTarget *target, DgErrorDetail *ret_detail)
{
    struct statfs fs;
    if (fstatfs (file->fd, &fs) != 0)
        return dg__test_file_fail (ret_detail, "statfs", 0, 0, errno);
    uint64_t unit = fs.f_frsize > 0 ? (uint64_t) fs.f_frsize : (uint64_t) fs.f_bsize;
    uint64_t reserve = target->reserve_bytes != 0
                           ? target->reserve_bytes
                           : dg__fs_reserve_bytes ((uint64_t) fs.f_blocks * unit);
    uint64_t copies = dg__fs_is_copy_on_write (file->f_type) && !file->result.is_nocow ? 3 : 1;
    uint64_t most = UINT64_MAX - reserve,
             needed = file->full_bytes > most / copies ? UINT64_MAX
                                                       : file->full_bytes * copies + reserve,
             available = (uint64_t) fs.f_bavail * unit;
    if (fs.f_blocks == 0
        || available >= needed) /* some FUSE and network file systems do not know their size */
        return DG_OK;
    if (ret_detail != NULL)
        *ret_detail = (DgErrorDetail){ .operation = "statfs",
                                       .needed_bytes = needed,
                                       .available_bytes = available };
    return DG_ERROR_NO_SPACE;
}

static int
allocate (DgTestFile *file, DgErrorDetail *ret_detail)
{
    if (!dg__fs_allocates_ahead (file->f_type))
        return DG_OK;
    int failed;
    do
        failed = fallocate (file->fd, 0, 0, (off_t) file->full_bytes);
    while (failed != 0 && errno == EINTR);
    if (failed == 0) {
        file->is_allocated = dg__fs_recovers_orphans (file->f_type);
        return DG_OK;
    }
    if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL)
        return DG_OK;
    return dg__test_file_fail (ret_detail, "fallocate", 0, file->full_bytes, errno);
}

static int
check_size (const DgTestFile *file, DgErrorDetail *ret_detail)
{
    struct rlimit limit;
    uint64_t most = dg__fs_max_file_bytes (file->f_type);
    /* Past the limit the kernel sends SIGXFSZ, which would end the program. */
    if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
        && limit.rlim_cur < most)
        most = limit.rlim_cur;
    if (file->full_bytes > most || file->full_bytes > INT64_MAX)
        return refuse (ret_detail, DG_ERROR_FILE_TOO_LARGE, "fallocate", file->full_bytes);
    return DG_OK;
}

static int
open_folder (const char *folder, DgErrorDetail *ret_detail)
{
    int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0
        && errno == EACCES) /* one may be allowed to make files where one may not list them */
        fd = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 ? fd : dg__test_file_fail (ret_detail, "open", 0, 0, errno);
}

static int
make_file (DgTestFile *file, int folder_fd, const DgPlanTarget *target, const DgPlan *plan,
           DgErrorDetail *ret_detail)
{
    struct statfs fs;
    DgFileMount mount;
    DgDevices devices = { .n = 0 };
    if (fstatfs (folder_fd, &fs) != 0)
        return dg__test_file_fail (ret_detail, "statfs", 0, 0, errno);
    bool found = dg__file_mount (NULL, folder_fd, &mount);
    file->f_type = (uint64_t) fs.f_type;
    file->kind = dg__fs_kind (file->f_type, found ? mount.type : NULL);
    if (file->kind == DG_FS_PSEUDO)
        return refuse (ret_detail, DG_ERROR_NOT_A_DISK, "open", 0);

    file->result.leftovers_removed = dg__test_file_remove_leftovers (target->folder);
    int error = dg__fs_recovers_orphans (file->f_type)
                    ? make_nameless (file, folder_fd, ret_detail)
                    : make_named (file, folder_fd, target->folder, ret_detail);
    if (error != DG_OK)
        return error;
    if (found)
        dg__file_mount_devices (NULL, file->fd, &mount, dg__fs_is_btrfs (file->f_type), &devices);
    learn_devices (file, &devices);
    set_no_cow (file, plan->no_cow);
    error = open_for_data (file, plan->write_through, ret_detail);
    if (error != DG_OK)
        return error;
    set_alignment (file, (uint64_t) fs.f_bsize);
    uint64_t a = file->result.alignment_bytes;
    file->full_bytes = (target->file_bytes + a - 1) / a * a;
    if ((error = check_size (file, ret_detail)) != DG_OK
        || (error = check_space (file, target, ret_detail)) != DG_OK)
        return error;
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
    int error;
    if (target->folder == NULL) {
        error = wrap_handle (target, file, ret_detail);
    } else {
        file->is_ours = true;
        file->folder_fd = open_folder (target->folder, ret_detail);
        error = file->folder_fd < 0 ? file->folder_fd
                                    : make_file (file, file->folder_fd, target, plan, ret_detail);
    }
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
    if (file->is_ours) {
        if (file->name[0] != '\0' && file->fd >= 0
            && dg__test_name_is (file->folder_fd, file->name, file->fd))
            unlinkat (file->folder_fd, file->name, 0);
        dg__test_name_unregister (file->place);
        if (file->io_fd >= 0 && file->io_fd != file->direct_fd)
            close (file->io_fd);
        if (file->direct_fd >= 0)
            close (file->direct_fd);
        if (file->fd >= 0)
            close (file->fd);
        if (file->folder_fd >= 0)
            close (file->folder_fd);
    }
    dg__counters_close (file->mounted);
    dg__counters_close (file->drives);
    free (file->path);
    free (file);
}

void
dg__test_file_leave (DgTestFile *file)
{
    dg__test_name_unregister (file->place);
    file->place = -1;
}

const DgFileResult *
dg__test_file_result (const DgTestFile *file)
{
    return &file->result;
}

intptr_t
dg__test_file_handle (const DgTestFile *file)
{
    return file->io_fd;
}

const char *
dg__test_file_path (const DgTestFile *file)
{
    return file->path;
}

int
dg__test_file_flush (DgTestFile *file, DgErrorDetail *ret_detail)
{
    int failed;
    do
        failed = fdatasync (file->io_fd);
    while (failed != 0 && errno == EINTR);
    /* A device or /dev/null of the caller may know no flush. */
    if (failed != 0 && !(errno == EINVAL && !file->is_ours))
        return dg__test_file_fail (ret_detail, "fdatasync", 0, file->full_bytes, errno);
    return DG_OK;
}

int
dg__test_file_nowait (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns)
{
    *ret_read_ns = 0;
    uint64_t size;
    unsigned char *block =
        block_bytes > file->full_bytes ? NULL : dg__memory_new (block_bytes, &size);
    if (block == NULL)
        return -1;
    int can = -1;
    struct iovec part = { block, block_bytes };
    uint64_t start_ns = dg__clock_ns ();
    ssize_t got = preadv2 (file->io_fd, &part, 1, 0, RWF_NOWAIT);
    if (got > 0)
        *ret_read_ns = dg__clock_ns () - start_ns;
    /* What the caller has opened may hold data of his: only read there. */
    if ((got >= 0 || errno == EAGAIN) && file->is_ours) {
        DgRandom random;
        dg__random_seed (&random, block_bytes, file->full_bytes);
        dg__random_fill (&random, block, block_bytes);
        dg__stamp_sectors (block, block_bytes, 0, 0, UINT64_MAX);
        got = pwritev2 (file->io_fd, &part, 1, 0, RWF_NOWAIT);
        if (got > 0)
            file->result.probe_bytes += (uint64_t) got;
    }
    if (got >= 0 || errno == EAGAIN)
        can = 1;
    else if (errno == EOPNOTSUPP)
        can = 0;
    dg__memory_free (block, size);
    return can;
}
