/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the document says about this machine; nothing that names it. One implementation a platform.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    gchar *os, *kernel, *cpu; /* (owned) (nullable) */
    guint cpus;               /* that this process may run on */
    guint64 memory_bytes;     /* 0 = unknown */
    gint on_battery;          /* 1, 0, -1 = unknown */
} DgHost;

/* Reads a few small files of the system. `root`: (nullable) where /etc, /proc and /sys are, for
 * tests. Any thread. */
void dg_host_read (const gchar *root, DgHost *ret_host);
void dg_host_clear (DgHost *host);

G_END_DECLS
