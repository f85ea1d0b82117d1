/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Format: Linux Documentation/ABI/testing/sysfs-ata. The drive's own greatest speed is in its
 * IDENTIFY data. */
#include "engine/linux/links-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/linux/ata-identify.h"

/* "6.0 Gbps", "<unknown>" */
static uint64_t
read_rate (const char *folder, const char *name)
{
    unsigned whole, tenth;
    char text[32];

    if (!dg__attr (folder, name, text, sizeof text)
        || sscanf (text, "%u.%1u Gbps", &whole, &tenth) != 2 || whole > 100)
        return 0;
    return whole * UINT64_C (1000000000) + tenth * UINT64_C (100000000);
}

static char *
name_of (uint64_t bits_per_s)
{
    unsigned tenths = (unsigned) (bits_per_s / 100000000);

    if (bits_per_s == 0)
        return NULL;
    return tenths % 10 ? dg__format ("SATA %u.%u Gb/s", tenths / 10, tenths % 10)
                       : dg__format ("SATA %u Gb/s", tenths / 10);
}

/* The fastest SATA port of this machine. */
static uint64_t
best_port (const DgSys *sys)
{
    char folder[DG__PATH_SIZE], path[DG__PATH_SIZE], **names = NULL;
    uint64_t best = 0;

    if (dg__path (folder, "%s/class/ata_link", sys->sysfs))
        names = dg__names (folder);
    for (uint32_t i = 0; names && names[i]; i++) {
        uint64_t rate;
        if (!dg__path (path, "%s/%s", folder, names[i]))
            continue;
        rate = read_rate (path, "hw_sata_spd_limit");
        best = rate > best ? rate : best;
    }
    dg__names_free (names);
    return best;
}

void
dg__link_ata (DgLinkMaker *maker, const char *path)
{
    const char *number = dg__base_name (path) + 3;
    char folder[DG__PATH_SIZE], controller[DG__PATH_SIZE], driver[64] = "", key[DG__LINK_KEY_SIZE];
    DgAtaIdentify identify = { .best_sata_bits_per_s = 0 };
    DgLink *link = maker->link;
    uint64_t rate = 0, best;
    char *name;

    if (dg__path (folder, "%s/link%s/ata_link/link%s", path, number, number))
        rate = read_rate (folder, "sata_spd");
    if (dg__path (folder, "%s/device", maker->blocks->blocks[maker->block].path))
        dg__ata_identify_read (folder, &identify);
    dg__path (controller, "%s", path);
    if (dg__parent_path (controller, maker->blocks->sys->sysfs))
        dg__link_name (controller, "driver", driver, sizeof driver);

    name = name_of (rate);
    snprintf (key, sizeof key, "sata-%u", (unsigned) (rate / 1000000));
    DgSegment segment = { rate, rate / 10, key, name ? name + 5 : NULL }; /* 8b/10b */
    dg__maker_set_segment (maker, 0, &segment, identify.best_sata_bits_per_s);
    free (maker->nodes[0].up_max_name);
    maker->nodes[0].up_max_name = name_of (identify.best_sata_bits_per_s);
    link->kind = rate || strcmp (driver, "ahci") == 0 ? DG_LINK_SATA : DG_LINK_UNKNOWN;
    link->speed_bits_per_s = rate;
    dg__maker_set_names (maker, name ? strdup (name) : NULL, name,
                         strcmp (driver, "ahci") == 0 ? "ahci"
                         : link->kind == DG_LINK_SATA ? "sata"
                                                      : "ide");

    if (rate && identify.best_sata_bits_per_s > rate) {
        best = best_port (maker->blocks->sys);
        if (best > identify.best_sata_bits_per_s)
            best = identify.best_sata_bits_per_s;
        if (best > rate) {
            link->best_name = name_of (best);
            link->best_bits_per_s = best;
        }
    }
    dg__link_controller (maker, controller, NULL);
}
