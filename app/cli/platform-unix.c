/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/platform.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static atomic_int stop_signal;
static atomic_uint signal_count;
static atomic_bool ends_at_once;
static gchar *end_line;                    /* set before ends_at_once */
static _Atomic (const gchar *) unfinished; /* (nullable) */
static gboolean has_output = TRUE;

/* This and what follows: only what may be done in a signal handler. */
static void
alarm_cb (int number)
{
    _exit (1);
}

/* A file system that does not answer any more is not waited for. */
static void
remove_unfinished (void)
{
    const gchar *path = atomic_exchange (&unfinished, NULL);
    if (path == NULL)
        return;
    signal (SIGALRM, alarm_cb);
    alarm (1);
    unlink (path);
}

static void
end_at_once (int number)
{
    remove_unfinished ();
    if (number != SIGPIPE && write (2, end_line, strlen (end_line)) < 0)
        _exit (1);
    _exit (1);
}

static void
signal_cb (int number)
{
    if (atomic_load (&ends_at_once))
        end_at_once (number);
    int none = 0;
    atomic_compare_exchange_strong (&stop_signal, &none, number);
    atomic_fetch_add (&signal_count, 1);
}

/* The first socket, that of the system bus, makes GLib ignore SIGPIPE for the whole process: it is
 * done here, and undone. */
static void
keep_pipe_signal (void)
{
    struct sigaction action;

    if (sigaction (SIGPIPE, NULL, &action) != 0)
        return;
    g_type_class_unref (g_type_class_ref (G_TYPE_SOCKET));
    sigaction (SIGPIPE, &action, NULL);
}

void
dg_platform_init (void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
        struct sigaction action;
        if (sigaction (numbers[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
            continue; /* nohup and background jobs of plain shells mean it */
        action = (struct sigaction){ .sa_handler = signal_cb, .sa_flags = SA_RESTART };
        sigemptyset (&action.sa_mask);
        sigaction (numbers[i], &action, NULL);
    }
    keep_pipe_signal ();
    g_log_writer_default_set_use_stderr (TRUE);
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl (fd, F_GETFD) != -1)
            continue;
        if (fd == 1)
            has_output = FALSE;
        if (open ("/dev/null", O_RDWR) == -1)
            return;
    }
}

void
dg_platform_end_at_signals (gchar *line)
{
    end_line = line;
    atomic_store (&ends_at_once, true);
    if (atomic_load (&stop_signal) != 0)
        end_at_once (atomic_load (&stop_signal));
}

gint
dg_platform_stop_signal (void)
{
    return atomic_load (&stop_signal);
}

const gchar *
dg_platform_stop_name (void)
{
    return g_strsignal (atomic_load (&stop_signal));
}

guint
dg_platform_signal_count (void)
{
    return atomic_load (&signal_count);
}

void
dg_platform_set_unfinished (gint fd, const gchar *path)
{
    atomic_store (&unfinished, path);
}

void
dg_platform_end (gint status)
{
    remove_unfinished ();
    _exit (status);
}

gchar **
dg_platform_arguments (int argc, char **argv)
{
    return g_strdupv (argv);
}

gboolean
dg_platform_is_terminal (gint fd)
{
    return isatty (fd) == 1;
}

guint
dg_platform_terminal_columns (gint fd)
{
    struct winsize size;

    return ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20 ? size.ws_col : 80;
}

gboolean
dg_platform_has_output (void)
{
    return has_output;
}

const gchar *
dg_platform_fio_engine (void)
{
    return "io_uring";
}
