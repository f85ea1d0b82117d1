/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/targets.h"

#include <stdlib.h>

int
dg_targets_default (const DgTargetList *list)
{
    int best = -1, home = -1;

    for (uint32_t i = 0; i < list->n_targets; i++) {
        const DgTarget *target = &list->targets[i];
        bool is_external = false;
        if (target->use != DG_TARGET_USABLE)
            continue;
        for (uint32_t k = 0; k < target->n_drives; k++)
            is_external |= list->drives[target->drives[k]].is_external;
        if (is_external && (best < 0 || list->targets[best].mount_order < target->mount_order))
            best = (int) i;
        if (target->is_home)
            home = (int) i;
    }
    return best >= 0 ? best : home;
}

uint64_t
dg_targets_reserve_bytes (uint64_t size_bytes)
{
    const uint64_t least = UINT64_C (64) << 20, most = UINT64_C (2) << 30;
    uint64_t reserve = size_bytes / 50;

    return reserve < least ? least : reserve > most ? most : reserve;
}

static void
drive_done (DgDrive *drive)
{
    free (drive->name);
    free (drive->model);
    free (drive->vendor);
    free (drive->firmware);
    free (drive->serial);
    free (drive->write_cache);
    free (drive->scheduler);
    dg_link_free (drive->link);
}

void
dg__target_done (DgTarget *target)
{
    free (target->mount);
    free (target->folder);
    free (target->source);
    free (target->label);
    free (target->uuid);
    free (target->filesystem);
    free (target->options);
    for (uint32_t i = 0; i < target->n_layers; i++)
        free (target->layers[i]);
    free (target->layers);
    free (target->drives);
    free (target->mount_device);
}

void
dg_targets_free (DgTargetList *list)
{
    if (!list)
        return;
    for (uint32_t i = 0; i < list->n_drives; i++)
        drive_done (&list->drives[i]);
    for (uint32_t i = 0; i < list->n_targets; i++)
        dg__target_done (&list->targets[i]);
    free (list->drives);
    free (list->targets);
    free (list);
}
