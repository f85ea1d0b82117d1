/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive says about itself. Sysfs attributes: Linux Documentation/ABI/stable/sysfs-block and
 * testing/sysfs-bus-*. */
#include "engine/linux/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "engine/linux/ata-identify.h"

static char *
first (char *a, char *b)
{
    if (a) {
        free (b);
        return a;
    }
    return b;
}

/* "[mq-deadline] none" → "mq-deadline"; "none" alone has no brackets. */
static char *
active_scheduler (const char *path)
{
    char text[256], *open, *close;

    if (!dg__attr (path, "queue/scheduler", text, sizeof text))
        return NULL;
    open = strchr (text, '[');
    close = open ? strchr (open, ']') : NULL;
    if (close)
        return dg__text_dup (open + 1, (size_t) (close - open - 1));
    return strchr (text, ' ') ? NULL : dg__text_dup (text, strlen (text));
}

static uint32_t
attr_u32 (const char *path, const char *name)
{
    uint64_t value = dg__attr_u64 (path, name, 0);

    return value > UINT32_MAX ? 0 : (uint32_t) value;
}

static int
attr_flag (const char *path, const char *name)
{
    uint64_t value = dg__attr_u64 (path, name, UINT64_MAX);

    return value > 1 ? -1 : (int) value;
}

/* Names: the kernel cuts an ATA model to SCSI's 16 characters, the IDENTIFY page has all 40; udev
 * has the same text. */
static void
read_names (DgBlocks *blocks, int block, DgDrive *drive)
{
    const DgBlock *b = &blocks->blocks[block];
    const DgUdev *udev = dg__blocks_udev (blocks, block);
    char vendor[64], device[DG__PATH_SIZE];
    bool is_ata;

    drive->serial = dg__attr_dup (b->path, "serial"); /* virtio-blk */
    if (dg__path (device, "%s/device", b->path)) {
        dg__attr (device, "vendor", vendor, sizeof vendor);
        is_ata = strcmp (vendor, "ATA") == 0;
        if (is_ata) {
            DgAtaIdentify identify;
            if (dg__ata_identify_read (device, &identify)) {
                drive->model = dg__text_dup (identify.model, sizeof identify.model);
                drive->serial = dg__text_dup (identify.serial, sizeof identify.serial);
                drive->firmware = dg__text_dup (identify.firmware, sizeof identify.firmware);
            }
        } else if (!dg__has_prefix (vendor, "0x")) {
            drive->vendor = dg__text_dup (vendor, strlen (vendor));
        }
        drive->model =
            first (drive->model, first (is_ata ? dg__udev_dup (udev, "ID_MODEL_ENC") : NULL,
                                        dg__attr_dup (device, "model")));
        drive->model = first (drive->model, dg__attr_dup (device, "name")); /* SD, eMMC */
        drive->firmware = first (drive->firmware, first (dg__attr_dup (device, "firmware_rev"),
                                                         dg__attr_dup (device, "rev")));
        drive->firmware = first (drive->firmware, dg__attr_dup (device, "fwrev"));
        drive->serial = first (drive->serial, dg__attr_dup (device, "serial"));
        if (!drive->serial && dg__path (device, "%s/device/vpd_pg80", b->path)) {
            char page[256]; /* SPC: 4 bytes header, then the serial number */
            long n = dg__read_file (device, page, sizeof page);
            if (n > 4)
                drive->serial = dg__text_dup (page + 4, (size_t) n - 4);
        }
    }
    drive->model = first (
        drive->model, first (dg__udev_dup (udev, "ID_MODEL_ENC"), dg__udev_dup (udev, "ID_MODEL")));
    if (!drive->vendor && !dg__udev_get (udev, "ID_ATA"))
        drive->vendor = dg__udev_dup (udev, "ID_VENDOR_ENC");
    drive->firmware = first (drive->firmware, dg__udev_dup (udev, "ID_REVISION"));
    drive->serial = first (drive->serial, dg__udev_dup (udev, "ID_SERIAL_SHORT"));
}

void
dg__drive_read (DgBlocks *blocks, int block, DgDrive *ret_drive)
{
    const char *path = blocks->blocks[block].path;
    uint64_t sectors = dg__attr_u64 (path, "size", 0);
    uint32_t depth;

    ret_drive->name =
        dg__text_dup (blocks->blocks[block].name, strlen (blocks->blocks[block].name));
    read_names (blocks, block, ret_drive);
    ret_drive->size_bytes = sectors < UINT64_MAX / 512
                                ? sectors * 512
                                : 0; /* sysfs counts in 512 bytes whatever the block */
    ret_drive->rotational = attr_flag (path, "queue/rotational");
    ret_drive->removable = attr_flag (path, "removable");
    ret_drive->logical_block_bytes = attr_u32 (path, "queue/logical_block_size");
    ret_drive->physical_block_bytes = attr_u32 (path, "queue/physical_block_size");
    ret_drive->write_cache = dg__attr_dup (path, "queue/write_cache");
    ret_drive->scheduler = active_scheduler (path);
    ret_drive->queue_limit = attr_u32 (path, "queue/nr_requests");
    depth = attr_u32 (path, "device/queue_depth");
    if (depth > 0 && (depth < ret_drive->queue_limit || ret_drive->queue_limit == 0))
        ret_drive->queue_limit = depth;
    ret_drive->is_encrypted = -1;
}
