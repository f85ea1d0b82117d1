/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LockFileEx: as on Linux, everybody who measures holds the first byte shared, and whoever can have
 * it alone for a moment is alone. */
#include "app/core/drive-lock.h"

#include <glib/gstdio.h>
#include <windows.h>

struct _DgDriveLock {
    HANDLE file;
    gboolean is_held, was_shared;
};

#define TRIES 5

static gboolean
lock (DgDriveLock *self, DWORD flags)
{
    OVERLAPPED where = { 0 };
    return LockFileEx (self->file, flags | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where);
}

static void
unlock (DgDriveLock *self)
{
    OVERLAPPED where = { 0 };
    UnlockFileEx (self->file, 0, 1, 0, &where);
}

static void
look (DgDriveLock *self)
{
    if (self->is_held)
        unlock (self);
    self->is_held = FALSE;
    if (lock (self, LOCKFILE_EXCLUSIVE_LOCK))
        unlock (self);
    else if (GetLastError () == ERROR_LOCK_VIOLATION || GetLastError () == ERROR_IO_PENDING)
        self->was_shared = TRUE;
    for (guint i = 0; i < TRIES && !self->is_held; i++) {
        self->is_held = lock (self, 0);
        if (!self->is_held)
            g_usleep (200);
    }
}

DgDriveLock *
dg_drive_lock_take (const gchar *name)
{
    g_autofree gchar *folder = g_build_filename (g_get_user_runtime_dir (), "drivegauge", NULL);
    g_autofree gchar *file = g_strdup_printf ("%s.lock", name);
    g_strcanon (file, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-.", '_');
    if (file[0] == '.')
        file[0] = '_';
    g_mkdir_with_parents (folder, 0700);
    g_autofree gchar *path = g_build_filename (folder, file, NULL);
    g_autofree gunichar2 *wide = g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
    if (wide == NULL)
        return NULL;
    HANDLE handle = CreateFileW ((const wchar_t *) wide, GENERIC_READ | GENERIC_WRITE,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                 OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    DgDriveLock *self = g_new0 (DgDriveLock, 1);
    self->file = handle;
    look (self);
    return self;
}

gboolean
dg_drive_lock_was_shared (DgDriveLock *self)
{
    if (self == NULL)
        return FALSE;
    if (!self->was_shared)
        look (self);
    return self->was_shared;
}

void
dg_drive_lock_release (DgDriveLock *self)
{
    if (self == NULL)
        return;
    CloseHandle (self->file);
    g_free (self);
}
