/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/udisks.h"

#include <string.h>

/* The list frees with free (). */
static void
take_unknown (char **known, const gchar *text)
{
    if (*known == NULL && text != NULL)
        *known = strdup (text);
}

void
dg_udisks_fill (DgUdisks *self, DgTargetList *list)
{
    DgUdisksBlock block;

    if (self == NULL)
        return;
    for (guint i = 0; i < list->n_targets; i++) {
        DgTarget *target = &list->targets[i];
        if (!dg_udisks_lookup (self, target->mount_device, &block))
            continue;
        take_unknown (&target->label, block.label);
        take_unknown (&target->uuid, block.uuid);
        dg_udisks_block_clear (&block);
    }
    for (guint i = 0; i < list->n_drives; i++) {
        DgDrive *drive = &list->drives[i];
        if (!dg_udisks_lookup (self, drive->name, &block))
            continue;
        if (drive->model == NULL)
            take_unknown (&drive->vendor, block.drive_vendor);
        /* A card or stick of which only its kind is known: "flash_sd". */
        take_unknown (&drive->model, block.drive_model != NULL ? block.drive_model : block.media);
        if (g_strcmp0 (block.connection_bus, "usb") == 0
            || g_strcmp0 (block.connection_bus, "ieee1394") == 0)
            drive->is_external = true;
        dg_udisks_block_clear (&block);
    }
}
