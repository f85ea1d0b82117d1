/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/mount-watch.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    GSourceFunc changed;
    gpointer user_data;
    int fd;
} Watch;

static void
watch_free (gpointer data)
{
    Watch *watch = data;
    close (watch->fd);
    g_free (watch);
}

/* The kernel raises POLLPRI and POLLERR once for each change of the table (proc(5)). */
static gboolean
watch_cb (gint fd, GIOCondition condition, gpointer data)
{
    Watch *watch = data;
    watch->changed (watch->user_data);
    return G_SOURCE_CONTINUE;
}

guint
dg_mount_watch_add (GSourceFunc changed, gpointer user_data)
{
    int fd = open ("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    Watch *watch = g_new (Watch, 1);
    *watch = (Watch){ changed, user_data, fd };
    return g_unix_fd_add_full (G_PRIORITY_DEFAULT, fd, G_IO_PRI, watch_cb, watch, watch_free);
}

/* proc(5): space, tab, newline and backslash are written as a backslash and three octal digits. */
static gchar *
unescape (const gchar *field)
{
    return g_strcompress (field);
}

/* 36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw; of several at one place the last
 * is on top. */
gboolean
dg_mount_is_there (const gchar *mount, const gchar *source)
{
    g_autofree gchar *text = NULL;
    gboolean is_there = FALSE;
    if (!mount || !g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
        return TRUE;
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        gchar *tail = strstr (lines[i], " - ");
        g_auto (GStrv) head = g_strsplit (lines[i], " ", 6);
        if (!tail || g_strv_length (head) < 6)
            continue;
        g_auto (GStrv) fields = g_strsplit (tail + 3, " ", 3);
        g_autofree gchar *point = unescape (head[4]);
        if (g_strv_length (fields) < 2 || strcmp (point, mount) != 0)
            continue;
        g_autofree gchar *from = unescape (fields[1]);
        is_there = !source || strcmp (from, source) == 0;
    }
    return is_there;
}

/* Names and sizes in /sys/block: a card put into a reader changes its size only. The order of the
 * folder does not matter. */
guint64
dg_drives_signature (void)
{
    g_autoptr (GDir) dir = g_dir_open ("/sys/block", 0, NULL);
    const gchar *name;
    guint64 sum = 0;
    while (dir && (name = g_dir_read_name (dir))) {
        g_autofree gchar *path = g_build_filename ("/sys/block", name, "size", NULL);
        g_autofree gchar *size = NULL;
        g_file_get_contents (path, &size, NULL, NULL);
        sum += (guint64) g_str_hash (name) * 2654435761u ^ (size ? g_str_hash (size) : 0);
    }
    return sum;
}
