/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between udisks.c, udisks-fill.c and udisks-temperature.c only. */
#pragma once

#include "app/core/udisks.h"

#define DG_UDISKS_BUS_NAME "org.freedesktop.UDisks2"

/* The drive's object below a block device; (transfer full) (nullable) */
GDBusObject *dg__udisks_find_drive (DgUdisks *self, const gchar *kernel_name);
/* (transfer full) (nullable) */
GDBusConnection *dg__udisks_dup_bus (DgUdisks *self);
