/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file system that does not answer (a server that is away) holds the thread that asks it in the
 * kernel, where it handles no signal. So what may ask one is done in a thread of its own while the
 * first one waits, which the kernel gives the signals to. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls `function` in a thread and returns what it returned. Once a signal has come meanwhile,
 * function has a second left; then the process ends with status 1, saying why. */
int dg_patience_call (int (*function) (gpointer data), gpointer data);

G_END_DECLS
