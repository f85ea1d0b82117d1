/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/output-file.h"

#include "app/cli/platform.h"
#include "app/core/app-error.h"
#include "app/core/line-ends.h"
#include "app/core/numbers.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

typedef enum {
    PLACE_NEW,  /* does not exist */
    PLACE_FILE, /* regular */
    PLACE_FOLDER,
    PLACE_SPECIAL, /* device, pipe, socket */
} Place;

/* GLib takes the root for the current folder where that was deleted. */
static gboolean
has_current_folder (void)
{
    g_autofree gchar *folder = g_get_current_dir ();
    GStatBuf by_name, here;

    return g_stat (folder, &by_name) == 0 && g_stat (".", &here) == 0
           && by_name.st_dev == here.st_dev && by_name.st_ino == here.st_ino;
}

gchar *
dg_output_file_resolve (const gchar *path)
{
    if (!g_path_is_absolute (path) && !has_current_folder ())
        return g_strdup (path); /* it cannot be opened, and is called what it was */

    g_autofree gchar *absolute = g_canonicalize_filename (path, NULL);
    GStatBuf info;

    /* /dev/stdout is a link to a name that is none: devices and pipes are opened by the name given.
     */
    if (g_stat (absolute, &info) == 0 && !S_ISREG (info.st_mode))
        return g_steal_pointer (&absolute);

    /* As deep as the system would follow. */
    for (guint depth = 0; depth < 40; depth++) {
        g_autofree gchar *next = g_file_read_link (absolute, NULL);
        if (next == NULL)
            break;
        g_autofree gchar *folder = g_path_get_dirname (absolute);
        g_free (absolute);
        absolute = g_canonicalize_filename (next, folder);
    }
    return g_steal_pointer (&absolute);
}

static gboolean
fail (GError **error, const gchar *path, int os_code)
{
    g_autofree gchar *name = g_filename_display_name (path);
    g_autofree gchar *shown = dg_text_sanitize (name);

    g_set_error (error, DG_APP_ERROR,
                 DG_APP_ERROR_OUTPUT, /* Translators: a file, the system's reason */
                 _ ("%s cannot be written (%s). Name a file in a folder of yours."), shown,
                    g_strerror (os_code));
    return FALSE;
}

/* PLACE_NEW sets *ret_os_code when it is more than simply not there: a folder on the way that is
 * none, a name too long. */
static Place
get_place (const gchar *path, int *ret_os_code)
{
    GStatBuf info;

    *ret_os_code = 0;
    if (g_stat (path, &info) != 0) {
        *ret_os_code = errno == ENOENT ? 0 : errno;
        return PLACE_NEW;
    }
    if (S_ISDIR (info.st_mode))
        return PLACE_FOLDER;
    return S_ISREG (info.st_mode) ? PLACE_FILE : PLACE_SPECIAL;
}

/* An empty file beside it, mode 0600, to be renamed or removed; -1 with errno. It does not outlive
 * the process. */
static int
open_beside (const gchar *path, gchar **ret_beside)
{
    g_autofree gchar *folder = g_path_get_dirname (path);
    g_autofree gchar *beside = g_build_filename (folder, ".drivegauge-XXXXXX", NULL);
    int fd = g_mkstemp_full (beside, O_RDWR | dg_open_binary, 0600);

    if (fd != -1) {
        dg_platform_set_unfinished (fd, beside);
        *ret_beside = g_steal_pointer (&beside);
    }
    return fd;
}

static void
remove_unfinished (const gchar *path)
{
    g_unlink (path);
    dg_platform_set_unfinished (-1, NULL);
}

gboolean
dg_output_file_check (const gchar *path, GError **error)
{
    g_autofree gchar *beside = NULL;
    int os_code;
    Place place = get_place (path, &os_code);

    if (place == PLACE_FOLDER)
        return fail (error, path, EISDIR);
    if (os_code != 0)
        return fail (error, path, os_code);
    if (place != PLACE_NEW && g_access (path, W_OK) != 0)
        return fail (error, path, errno);
    if (place == PLACE_SPECIAL)
        return TRUE;
    int fd = open_beside (path, &beside);
    if (fd == -1) /* a file of ours in a folder of others is written directly */
        return place == PLACE_FILE ? TRUE : fail (error, path, errno);
    g_close (fd, NULL);
    remove_unfinished (beside);
    if (place != PLACE_NEW)
        return TRUE;
    /* The name itself: too long or with letters that this file system does not take, which some
     * systems only tell when it is made. */
    fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | dg_open_binary, 0600);
    if (fd == -1)
        return fail (error, path, errno);
    dg_platform_set_unfinished (fd, path);
    g_close (fd, NULL);
    remove_unfinished (path);
    return TRUE;
}

/* Closes fd. 0, or the system's code. */
static int
write_and_close (int fd, const gchar *bytes, gsize size, gboolean to_disk)
{
    gsize done = 0;
    int os_code = 0;

    while (done < size && os_code == 0) {
        gssize n = write (fd, bytes + done, MIN (size - done, 1u << 20));
        if (n >= 0)
            done += (gsize) n;
        else if (errno != EINTR)
            os_code = errno;
    }
    if (os_code == 0 && to_disk && g_fsync (fd) != 0)
        os_code = errno;
    if (!g_close (fd, NULL) && os_code == 0)
        os_code = EIO;
    return os_code;
}

static int
write_directly (const gchar *path, const void *bytes, gsize size)
{
    int fd = g_open (path, O_WRONLY | O_TRUNC | dg_open_binary, 0);

    return fd == -1 ? errno : write_and_close (fd, bytes, size, FALSE);
}

gboolean
dg_output_file_write (const gchar *path, const void *bytes, gsize size, GError **error)
{
    g_autofree gchar *beside = NULL;
    GStatBuf before;
    int os_code;
    Place place = get_place (path, &os_code);
    int fd = place == PLACE_SPECIAL ? -1 : open_beside (path, &beside);

    if (fd == -1) {
        os_code = place == PLACE_NEW ? errno : write_directly (path, bytes, size);
        return os_code == 0 ? TRUE : fail (error, path, os_code);
    }
    os_code = write_and_close (fd, bytes, size, TRUE);
    if (os_code == 0 && place == PLACE_FILE && g_stat (path, &before) == 0)
        g_chmod (beside, before.st_mode & 0777); /* what is replaced keeps its mode */
    if (os_code == 0 && g_rename (beside, path) == 0) {
        dg_platform_set_unfinished (-1, NULL);
        return TRUE;
    }
    /* A mount point, or another user's file in a folder such as /tmp, may be written and not
     * replaced. */
    if (os_code == 0)
        os_code = place == PLACE_FILE ? write_directly (path, bytes, size) : errno;
    remove_unfinished (beside);
    return os_code == 0 ? TRUE : fail (error, path, os_code);
}
