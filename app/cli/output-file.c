/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/output-file.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

typedef enum {
    PLACE_NEW,  /* does not exist */
    PLACE_FILE, /* regular */
    PLACE_FOLDER,
    PLACE_SPECIAL, /* device, pipe, socket */
} Place;

gchar *
dg_output_file_resolve (const gchar *path)
{
    g_autofree gchar *absolute = g_canonicalize_filename (path, NULL);

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

static Place
get_place (const gchar *path)
{
    GStatBuf info;

    if (g_stat (path, &info) != 0)
        return PLACE_NEW;
    if (S_ISDIR (info.st_mode))
        return PLACE_FOLDER;
    return S_ISREG (info.st_mode) ? PLACE_FILE : PLACE_SPECIAL;
}

/* 0, or why no file can be made beside it. */
static int
try_beside (const gchar *path)
{
    g_autofree gchar *folder = g_path_get_dirname (path);
    g_autofree gchar *beside = g_build_filename (folder, ".drivegauge-XXXXXX", NULL);
    int fd = g_mkstemp_full (beside, O_RDWR, 0600);

    if (fd == -1)
        return errno;
    g_close (fd, NULL);
    g_unlink (beside);
    return 0;
}

gboolean
dg_output_file_check (const gchar *path, GError **error)
{
    Place place = get_place (path);
    int os_code;

    if (place == PLACE_FOLDER)
        return fail (error, path, EISDIR);
    if (place != PLACE_NEW && g_access (path, W_OK) != 0)
        return fail (error, path, errno);
    if (place == PLACE_SPECIAL)
        return TRUE;
    os_code = try_beside (path);
    return os_code == 0 || place == PLACE_FILE ? TRUE : fail (error, path, os_code);
}

static gboolean
write_directly (const gchar *path, const gchar *bytes, gsize size, GError **error)
{
    int fd = g_open (path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);
    gsize done = 0;
    int os_code = 0;

    if (fd == -1)
        return fail (error, path, errno);
    while (done < size && os_code == 0) {
        gssize n = write (fd, bytes + done, MIN (size - done, 1u << 20));
        if (n >= 0)
            done += (gsize) n;
        else if (errno != EINTR)
            os_code = errno;
    }
    if (!g_close (fd, NULL) && os_code == 0)
        os_code = EIO;
    return os_code == 0 ? TRUE : fail (error, path, os_code);
}

gboolean
dg_output_file_write (const gchar *path, const void *bytes, gsize size, GError **error)
{
    g_autoptr (GError) beside_error = NULL;
    Place place = get_place (path);

    if (place == PLACE_SPECIAL || (place == PLACE_FILE && try_beside (path) != 0))
        return write_directly (path, bytes, size, error);
    if (g_file_set_contents_full (path, bytes, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                  &beside_error))
        return TRUE;
    g_autofree gchar *name = g_filename_display_name (path);
    g_autofree gchar *shown = dg_text_sanitize (name);
    g_autofree gchar *reason = dg_text_sanitize (beside_error->message);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_OUTPUT,
                 _ ("%s cannot be written (%s). Name a file in a folder of yours."), shown, reason);
    return FALSE;
}
