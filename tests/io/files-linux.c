/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/mman.h>
#include <unistd.h>

const int files_code_odd = EINVAL, files_code_read_only = EBADF, files_code_full = ENOSPC;

intptr_t
files_open (const char *path, FilesMode mode)
{
    switch (mode) {
    case FILES_NEW:
        return open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    case FILES_DIRECT:
        return open (path, O_RDWR | O_DIRECT | O_CLOEXEC);
    case FILES_READ_ONLY:
        return open (path, O_RDONLY | O_CLOEXEC);
    }
    return -1;
}

void
files_close (intptr_t file)
{
    if (file >= 0)
        close ((int) file);
}

bool
files_place (char *ret_path, unsigned size, const char *name)
{
    const char *folders[] = { getenv ("DG_TEST_FOLDER"), "/var/tmp", "." };
    for (size_t i = 0; i < 3; i++)
        if (folders[i] != NULL && access (folders[i], W_OK) == 0)
            return snprintf (ret_path, size, "%s/%s-%ld", folders[i], name, (long) getpid ())
                   < (int) size;
    return false;
}

int64_t
files_read (intptr_t file, void *bytes, uint64_t size, uint64_t offset)
{
    return pread ((int) file, bytes, size, (off_t) offset);
}

int64_t
files_write (intptr_t file, const void *bytes, uint64_t size, uint64_t offset)
{
    return pwrite ((int) file, bytes, size, (off_t) offset);
}

bool
files_flush (intptr_t file)
{
    return fdatasync ((int) file) == 0;
}

uint64_t
files_size (intptr_t file)
{
    struct stat info;
    return fstat ((int) file, &info) == 0 ? (uint64_t) info.st_size : UINT64_MAX;
}

void
files_remove (const char *path)
{
    unlink (path);
}

intptr_t
files_open_used (const char *path)
{
    int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0 ? fd : -1;
}

uint64_t
files_allocated_bytes (intptr_t file)
{
    struct stat info;
    return fstat ((int) file, &info) == 0 ? (uint64_t) info.st_blocks * 512 : 0;
}

bool
files_make_folder (const char *path)
{
    return mkdir (path, 0700) == 0;
}

bool
files_remove_folder (const char *path)
{
    return rmdir (path) == 0;
}

unsigned
files_count (const char *folder)
{
    unsigned n = 0;
    DIR *dir = opendir (folder);
    for (struct dirent *e; dir != NULL && (e = readdir (dir)) != NULL;)
        n += e->d_name[0] != '.';
    if (dir != NULL)
        closedir (dir);
    return n;
}

uint64_t
files_free_bytes (const char *folder)
{
    struct statfs fs = { 0 };
    int fd = open (folder, O_RDONLY | O_DIRECTORY);
    syncfs (fd);
    bool is_known = fstatfs (fd, &fs) == 0;
    close (fd);
    return is_known ? (uint64_t) fs.f_bfree * (uint64_t) fs.f_bsize : 0;
}

intptr_t
files_open_full (void)
{
    return open ("/dev/full", O_RDWR | O_CLOEXEC);
}

bool
files_open_silent (intptr_t *ret_file, intptr_t *ret_other_end)
{
    int ends[2];
    if (pipe2 (ends, O_CLOEXEC) != 0)
        return false;
    *ret_file = ends[0];
    *ret_other_end = ends[1];
    return true;
}

bool
files_answer (intptr_t other_end, const void *bytes, uint64_t size)
{
    return write ((int) other_end, bytes, size) == (ssize_t) size;
}

intptr_t
files_open_later (uint64_t bytes)
{
    int fd = memfd_create ("later", MFD_CLOEXEC);
    return fd >= 0 && ftruncate (fd, (off_t) bytes) == 0 ? fd : -1;
}

/* io_uring then tries once without waiting, and hands EAGAIN over. */
void
files_say_later (intptr_t file, bool says_later)
{
    int flags = fcntl ((int) file, F_GETFL);
    fcntl ((int) file, F_SETFL, says_later ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

uint64_t
files_xz_bytes (const unsigned char *data, uint64_t bytes)
{
    char raw[] = "/tmp/dg-sectors-XXXXXX", command[128];
    int fd = mkstemp (raw);
    if (fd < 0 || write (fd, data, bytes) != (ssize_t) bytes)
        return UINT64_MAX;
    close (fd);
    snprintf (command, sizeof command, "xz -6 -T0 --block-size=1MiB -c %s 2>/dev/null | wc -c",
              raw);
    FILE *out = popen (command, "r");
    unsigned long long size = 0;
    if (out == NULL || fscanf (out, "%llu", &size) != 1 || size == 0)
        size = UINT64_MAX;
    if (out != NULL)
        pclose (out);
    unlink (raw);
    return size;
}
