/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flock(2): everybody who measures holds the lock shared. Whoever can make it exclusive for a
 * moment is alone. Making it exclusive gives the shared one up for a moment, so one look may miss
 * another run, and the next one finds it. */
#include "app/core/drive-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct _DgDriveLock {
    int fd;
    gboolean was_shared;
};

#define TRIES 5

/* A folder of this user that nobody else can write in; -1 if it cannot be had. */
static int
open_folder (const gchar *path)
{
    struct stat status;
    if (mkdir (path, 0700) != 0 && errno != EEXIST)
        return -1;
    int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0
        && (fstat (fd, &status) != 0 || status.st_uid != geteuid ()
            || (status.st_mode & 022) != 0)) {
        close (fd);
        return -1;
    }
    return fd;
}

static int
open_any_folder (void)
{
    const gchar *runtime = g_getenv ("XDG_RUNTIME_DIR");
    int fd = -1;
    if (runtime != NULL && g_path_is_absolute (runtime)) {
        g_autofree gchar *path = g_build_filename (runtime, "drivegauge", NULL);
        fd = open_folder (path);
    }
    if (fd < 0) {
        g_autofree gchar *name = g_strdup_printf ("drivegauge-%lu", (gulong) geteuid ());
        g_autofree gchar *path = g_build_filename (g_get_tmp_dir (), name, NULL);
        fd = open_folder (path);
    }
    return fd;
}

/* Holds the lock shared. Another run's look takes it away for microseconds only. */
static void
share (DgDriveLock *lock)
{
    for (guint i = 0; i < TRIES; i++) {
        if (flock (lock->fd, LOCK_SH | LOCK_NB) == 0)
            return;
        g_usleep (200);
    }
}

static void
look (DgDriveLock *lock)
{
    if (flock (lock->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        lock->was_shared = TRUE;
    share (lock);
}

/* A file of the kernel's that every user may open and nobody can replace: the lock is seen by all
 * users, in sandboxes too, and leaves nothing behind. Whoever holds it needlessly can make others'
 * results say that they ran at the same time, and do no more. */
static int
open_drive (const gchar *name)
{
    if (name[0] == '\0' || name[0] == '.' || strchr (name, '/') != NULL)
        return -1;
    g_autofree gchar *path = g_build_filename ("/sys/block", name, "size", NULL);
    return open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

static int
open_named (const gchar *name)
{
    int folder = open_any_folder ();
    if (folder < 0)
        return -1;
    g_autofree gchar *file = g_strdup_printf ("%s.lock", name);
    g_strcanon (file, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-.", '_');
    if (file[0] == '.')
        file[0] = '_';
    int fd = openat (folder, file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    close (folder);
    return fd;
}

DgDriveLock *
dg_drive_lock_take (const gchar *name)
{
    int fd = open_drive (name);
    if (fd < 0)
        fd = open_named (name);
    if (fd < 0)
        return NULL;
    DgDriveLock *lock = g_new0 (DgDriveLock, 1);
    lock->fd = fd;
    look (lock);
    return lock;
}

gboolean
dg_drive_lock_was_shared (DgDriveLock *lock)
{
    if (lock == NULL)
        return FALSE;
    if (!lock->was_shared)
        look (lock);
    return lock->was_shared;
}

/* The file stays: deleting it while another run opens it would give two runs two locks. */
void
dg_drive_lock_release (DgDriveLock *lock)
{
    if (lock == NULL)
        return;
    close (lock->fd);
    g_free (lock);
}
