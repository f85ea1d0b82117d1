/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SD and eMMC, SCSI host adapters, virtio, and drives that hang on nothing. */
#include "engine/linux/links-private.h"

#include <stdlib.h>
#include <string.h>

/* Bus modes as the kernel calls them in debugfs (drivers/mmc/core/debugfs.c), which only root may
 * read. Rates: SD Physical Layer and JEDEC eMMC specifications, for 4 and 8 data lines. */
static const struct {
    const char *mode, *name, *short_name, *key;
    unsigned lines;
    uint64_t bytes_per_s;
} modes[] = {
    { "(sd high-speed)", "SD High Speed (25 MB/s)", "SD High Speed", NULL, 4, 25000000 },
    { "(sd uhs SDR50)", "SD UHS-I SDR50 (50 MB/s)", "SD UHS-I", NULL, 4, 50000000 },
    { "(sd uhs DDR50)", "SD UHS-I DDR50 (50 MB/s)", "SD UHS-I", NULL, 4, 50000000 },
    { "(sd uhs SDR104)", "SD UHS-I SDR104 (104 MB/s)", "SD UHS-I", "sd-104", 4, 104000000 },
    { "(mmc DDR52)", "eMMC DDR52 (104 MB/s)", "eMMC DDR52", NULL, 8, 104000000 },
    { "(mmc HS200)", "eMMC HS200 (200 MB/s)", "eMMC HS200", NULL, 8, 200000000 },
    { "(mmc HS400)", "eMMC HS400 (400 MB/s)", "eMMC HS400", "mmc-hs400", 8, 400000000 },
    { "(mmc HS400 enhanced strobe)", "eMMC HS400 (400 MB/s)", "eMMC HS400", "mmc-hs400", 8,
      400000000 },
};

static void
read_mode (DgLinkMaker *maker, const char *host)
{
    char path[DG__PATH_SIZE], text[1024];
    const char *timing;

    if (!dg__path (path, "%s/kernel/debug/%s/ios", maker->blocks->sys->sysfs, host)
        || dg__read_file (path, text, sizeof text) <= 0
        || !(timing = strstr (text, "timing spec:")))
        return;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *mode = strstr (timing, modes[i].mode);
        if (!mode || mode > timing + strcspn (timing, "\n")
            || !strstr (text, modes[i].lines == 4 ? "(4 bits)" : "(8 bits)"))
            continue;
        char *rate = dg__format ("%u MB/s", (unsigned) (modes[i].bytes_per_s / 1000000));
        DgSegment segment = { modes[i].bytes_per_s * 8, modes[i].bytes_per_s, modes[i].key, rate };
        dg__maker_set_segment (maker, 0, &segment, 0);
        dg__maker_set_names (maker, strdup (modes[i].name), strdup (modes[i].short_name), "mmc");
        maker->link->speed_bits_per_s = segment.bits_per_s;
        free (rate);
        return;
    }
}

void
dg__link_mmc (DgLinkMaker *maker, const char *path)
{
    char type[16] = "", host[DG__PATH_SIZE];
    bool is_card;

    dg__attr (path, "type", type, sizeof type);
    is_card = dg__has_prefix (type, "SD");
    maker->link->kind = is_card ? DG_LINK_SD : DG_LINK_MMC;
    maker->drive->is_external = is_card;
    dg__maker_set_names (maker, strdup (is_card ? "SD card" : "eMMC"),
                         strdup (is_card ? "SD" : "eMMC"), "mmc");
    dg__path (host, "%s", path);
    while (dg__parent_path (host, maker->blocks->sys->sysfs)) {
        const char *base = dg__base_name (host);
        if (dg__is_numbered (base, "mmc"))
            read_mode (maker, base);
        else if (strcmp (base, "mmc_host") != 0)
            break;
    }
    dg__link_controller (maker, host, NULL);
}

void
dg__link_scsi_host (DgLinkMaker *maker, const char *path)
{
    bool is_sas = strstr (maker->blocks->blocks[maker->block].path, "/end_device-") != NULL;

    dg__maker_set_names (maker, is_sas ? strdup ("SAS") : NULL, is_sas ? strdup ("SAS") : NULL,
                         is_sas ? "sas" : "scsi");
    dg__link_controller (maker, path, NULL);
}

void
dg__link_virtio (DgLinkMaker *maker, const char *path)
{
    char driver[64];
    bool is_scsi = dg__link_name (path, "driver", driver, sizeof driver)
                   && strcmp (driver, "virtio_scsi") == 0;

    maker->link->kind = DG_LINK_VIRTIO;
    maker->drive->is_virtual = true;
    if (maker->drive->rotational == 1
        && !is_scsi) /* virtio-blk cannot tell: the kernel's default */
        maker->drive->rotational = -1;
    dg__maker_set_names (maker, strdup ("virtio (virtual drive)"), strdup ("virtio"),
                         is_scsi ? "virtio-scsi" : "virtio-blk");
}

void
dg__link_virtual (DgLinkMaker *maker)
{
    static const struct {
        const char *prefix, *name, *protocol;
    } kinds[] = {
        { "loop", "Loop device (a file)", "loop" },
        { "zram", "Compressed RAM (zram)", "zram" },
        { "ram", "RAM disk", "brd" },
        { "nullb", "null_blk (no drive)", "null_blk" },
        { "nbd", "Network block device", "nbd" },
        { "rbd", "Ceph block device", "rbd" },
        { "drbd", "DRBD", "drbd" },
        { "zd", "ZFS volume", "zvol" },
        { "xvd", "Xen (virtual drive)", "xen" },
    };
    const DgBlock *block = &maker->blocks->blocks[maker->block];
    const char *name = "Virtual drive", *protocol = NULL;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (dg__is_numbered (block->name, kinds[i].prefix)
            || (strcmp (kinds[i].prefix, "xvd") == 0 && dg__has_prefix (block->name, "xvd"))) {
            name = kinds[i].name;
            protocol = kinds[i].protocol;
            break;
        }
    if (maker->drive->model && strcmp (maker->drive->model, "scsi_debug") == 0) {
        name = "scsi_debug (virtual drive)";
        protocol = "scsi_debug";
    }
    maker->link->kind = DG_LINK_VIRTUAL;
    maker->drive->is_virtual = true;
    if (maker->drive->rotational == 1) /* the kernel's default for what cannot tell */
        maker->drive->rotational = -1;
    dg__maker_set_names (maker, strdup (name), strdup (name), protocol);
}
