/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What UDisks2 knows, when it is there: asynchronously, never needed. Main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DG_TYPE_UDISKS (dg_udisks_get_type ())
G_DECLARE_FINAL_TYPE (DgUdisks, dg_udisks, DG, UDISKS, GObject)

/* Signal "changed": a drive or file system came, went or changed. With no bus or no UDisks2 it
 * stays empty. */
DgUdisks *dg_udisks_new (void);

typedef struct {
    gchar *label, *uuid, *drive_model, *drive_vendor, *media,
        *connection_bus; /* (nullable) sanitized */
    gdouble celsius;     /* NAN */
} DgUdisksBlock;

/* By kernel name ("sda1" or "sda"); FALSE if not known. Free with dg_udisks_block_clear. */
gboolean dg_udisks_lookup (DgUdisks *self, const gchar *kernel_name, DgUdisksBlock *ret_block);
void dg_udisks_block_clear (DgUdisksBlock *block);

G_END_DECLS
