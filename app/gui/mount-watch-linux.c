/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/mount-watch.h"

#include <fcntl.h>
#include <glib-unix.h>
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
