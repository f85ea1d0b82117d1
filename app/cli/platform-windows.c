/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/platform.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <io.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static atomic_int stop_signal;
static atomic_int stop_event = -1;
static atomic_uint signal_count;
static atomic_bool ends_at_once;
static gchar *end_line;                    /* set before ends_at_once */
static _Atomic (const gchar *) unfinished; /* (nullable) */
static atomic_int unfinished_fd;           /* set before it */

/* What they were; the console outlives us. */
static UINT console_charset; /* 0: not ours to change */
static DWORD console_mode;
static gboolean has_console_mode;

static void
restore_console (void)
{
    if (console_charset != 0)
        SetConsoleOutputCP (console_charset);
    if (has_console_mode)
        SetConsoleMode (GetStdHandle (STD_ERROR_HANDLE), console_mode);
}

/* What is open here cannot be deleted. */
static void
remove_unfinished (void)
{
    const gchar *path = atomic_exchange (&unfinished, NULL);
    if (path == NULL)
        return;
    CloseHandle ((HANDLE) _get_osfhandle (atomic_load (&unfinished_fd)));
    g_unlink (path);
}

static void
end_at_once (void)
{
    DWORD n;
    remove_unfinished ();
    WriteFile (GetStdHandle (STD_ERROR_HANDLE), end_line, (DWORD) strlen (end_line), &n, NULL);
    restore_console ();
    ExitProcess (1);
}

static BOOL WINAPI
console_cb (DWORD event)
{
    if (atomic_load (&ends_at_once))
        end_at_once ();
    int none = 0, no_event = -1;
    atomic_compare_exchange_strong (&stop_event, &no_event, (int) event);
    atomic_compare_exchange_strong (&stop_signal, &none, event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    atomic_fetch_add (&signal_count, 1);
    /* When the console closes, the process ends as soon as this returns: the time that the system
     * grants is used. */
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep (INFINITE);
    return TRUE;
}

/* g_log_writer_default_set_use_stderr() is not for programs with threads, and GLib's own libraries
 * start some here before main does. */
static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
    const gchar *domain = NULL;
    for (gsize i = 0; i < n; i++)
        if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
            domain = fields[i].value;
    if (g_log_writer_default_would_drop (level, domain))
        return G_LOG_WRITER_HANDLED;
    g_autofree gchar *text = g_log_writer_format_fields (level, fields, n, FALSE);
    fprintf (stderr, "%s\n", text);
    fflush (stderr);
    return G_LOG_WRITER_HANDLED;
}

void
dg_platform_init (void)
{
    g_log_set_writer_func (log_cb, NULL, NULL);
    SetConsoleCtrlHandler (console_cb, TRUE);
    /* All text is UTF-8, on the console and in files and pipes; GLib asks this variable for the
     * user's charset before it asks the system. */
    g_setenv ("CHARSET", "UTF-8", TRUE);
    console_charset = GetConsoleOutputCP ();
    if (console_charset != 0 && !SetConsoleOutputCP (CP_UTF8))
        console_charset = 0;
    /* The progress line erases itself by an escape sequence, which a plain console shows as
     * letters unless it is asked. */
    HANDLE console = GetStdHandle (STD_ERROR_HANDLE);
    has_console_mode =
        GetConsoleMode (console, &console_mode)
        && SetConsoleMode (console, console_mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    atexit (restore_console);
    /* "\n" stays "\n", and pictures stay whole. In text mode the C library would take what goes to
     * a console for the locale's code page and translate it once more. */
    _setmode (1, _O_BINARY);
    _setmode (2, _O_BINARY);
}

void
dg_platform_end_at_signals (gchar *line)
{
    end_line = line;
    atomic_store (&ends_at_once, true);
    if (atomic_load (&stop_signal) != 0)
        end_at_once ();
}

gint
dg_platform_stop_signal (void)
{
    return atomic_load (&stop_signal);
}

const gchar *
dg_platform_stop_name (void)
{
    switch (atomic_load (&stop_event)) {
    case CTRL_C_EVENT:
        return "Ctrl+C";
    case CTRL_BREAK_EVENT:
        return "Ctrl+Break";
    case CTRL_CLOSE_EVENT:
        return "CTRL_CLOSE_EVENT";
    default:
        return "CTRL_SHUTDOWN_EVENT";
    }
}

guint
dg_platform_signal_count (void)
{
    return atomic_load (&signal_count);
}

void
dg_platform_set_unfinished (gint fd, const gchar *path)
{
    atomic_store (&unfinished_fd, fd);
    atomic_store (&unfinished, path);
}

void
dg_platform_end (gint status)
{
    remove_unfinished ();
    restore_console ();
    _exit (status);
}

gchar **
dg_platform_arguments (int argc, char **argv)
{
    return g_win32_get_command_line ();
}

/* _isatty() takes NUL for a terminal. */
gboolean
dg_platform_is_terminal (gint fd)
{
    DWORD mode;

    return GetConsoleMode ((HANDLE) _get_osfhandle (fd), &mode) != 0;
}

guint
dg_platform_terminal_columns (gint fd)
{
    CONSOLE_SCREEN_BUFFER_INFO info;

    if (!GetConsoleScreenBufferInfo ((HANDLE) _get_osfhandle (fd), &info))
        return 80;
    return (guint) MAX (info.srWindow.Right - info.srWindow.Left + 1, 20);
}

gboolean
dg_platform_has_output (void)
{
    return _get_osfhandle (1) >= 0;
}

const gchar *
dg_platform_fio_engine (void)
{
    return "windowsaio";
}
