/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line needs of the system: signals, terminal, arguments. One implementation a
 * platform. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The first line of main: catches INT, TERM, HUP and PIPE (Windows: the console's events), those
 * inherited as ignored excepted, and makes sure that standard input, output and error are
 * something, so that no file of ours gets their numbers. What libraries log goes to standard error:
 * standard output is the result's. */
void dg_platform_init (void);

/* From now on a signal ends the process at once with status 1 (also one that came before), and with
 * this line on standard error, which is kept: not when a pipe closes, as its reader knows why. Not
 * called by `run`. */
void dg_platform_end_at_signals (gchar *line);

/* The signal that asked to stop, 0 if none did. */
gint dg_platform_stop_signal (void);

/* What people call it. (static) */
const gchar *dg_platform_stop_name (void);

/* How many have come so far. */
guint dg_platform_signal_count (void);

/* Ends the process at once, whatever its other threads do. */
void dg_platform_end (gint status) G_GNUC_NORETURN;

/* A file being written, which is deleted when the process ends at once, by a signal or by
 * dg_platform_end (); NULL: none any more. The path stays the caller's until then. One thread at a
 * time. */
void dg_platform_set_unfinished (gint fd, const gchar *path);

/* Arguments in the encoding of file names (Windows: UTF-8). (transfer full) */
gchar **dg_platform_arguments (int argc, char **argv);

gboolean dg_platform_is_terminal (gint fd);
guint dg_platform_terminal_columns (gint fd); /* 80 if not known */

/* FALSE when standard output was closed before the start. */
gboolean dg_platform_has_output (void);

/* fio's name of what "auto" usually takes here. (static) */
const gchar *dg_platform_fio_engine (void);

G_END_DECLS
