/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What UDisks2 knows, when it is there: asynchronously, never needed. Main thread. */
#pragma once

#include "engine/engine.h"

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

/* Fills what the list does not know from what UDisks2 knows: label and UUID of file systems, model
 * and vendor of drives, and that a drive is plugged in from outside. Nothing is replaced. `self`
 * nullable. */
void dg_udisks_fill (DgUdisks *self, DgTargetList *list);

/* Asks the drive `kernel_name` ("sda") for its temperature through UDisks2, which commands the
 * drive: only before and after a measurement. At most 2 s. */
void dg_udisks_read_temperature_async (DgUdisks *self, const gchar *kernel_name,
                                       GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);
/* FALSE when there is none, or none of the last 15 s. */
gboolean dg_udisks_read_temperature_finish (DgUdisks *self, GAsyncResult *result,
                                            gdouble *ret_celsius);

G_END_DECLS
