/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All block devices of sysfs, what lies on what, and the DgDrives made of those that a list speaks
 * of. Any thread. */
#pragma once

#include "engine/linux/sysfs.h"
#include "engine/linux/udev-data.h"

typedef struct {
    uint32_t major, minor;
    char *path; /* (owned) the real folder below sysfs */
    size_t path_length;
    const char *name; /* in path */
    int parent;       /* the whole disk of a partition, else -1 */
    int drive;        /* index of its DgDrive, -1 until there is one */
    bool is_physical; /* to be listed even if nothing on it is mounted */
    bool is_stacked;  /* lies on others: dm, md, bcache */
    bool has_udev;    /* udev has been read */
    DgUdev udev;
} DgBlock;

/* A hub or bridge in the chain of a drive. */
typedef struct {
    uint32_t drive, node;
    char *path; /* (owned) */
} DgHub;

typedef struct {
    const DgSys *sys;
    DgBlock *blocks; /* by name, natural order */
    uint32_t n_blocks;
    DgTargetList *list;     /* gets the drives */
    uint32_t *drive_blocks; /* (owned) DgTargetList.drives[i] is blocks[drive_blocks[i]] */
    DgHub *hubs;            /* (owned) */
    uint32_t n_hubs;
    bool is_out_of_memory;
} DgBlocks;

/* DG_ERROR_NO_MEMORY; no sysfs is an empty table. `sys` and `list` must outlive it. */
int dg__blocks_read (const DgSys *sys, DgTargetList *list, DgBlocks *ret_blocks);
void dg__blocks_done (DgBlocks *blocks);

int dg__blocks_find_number (const DgBlocks *blocks, uint32_t major, uint32_t minor);
int dg__blocks_find_name (const DgBlocks *blocks, const char *name);

/* By "/dev/sda1", "/dev/mapper/name", "/dev/disk/by-uuid/…". -1 if it is none of ours. */
int dg__blocks_find_device (const DgBlocks *blocks, const char *device);

const DgUdev *dg__blocks_udev (DgBlocks *blocks, int block);

/* The drive of a whole disk, made when it is first asked for (with its link); -1 without memory. */
int dg__blocks_drive (DgBlocks *blocks, int block);

/* Adds the layers above the drives, the drives, and the partition's start to a target. */
void dg__blocks_resolve (DgBlocks *blocks, int block, DgTarget *target);

/* Marks the drives below dm-crypt, and locked LUKS partitions. After all drives have been made. */
void dg__blocks_mark_encrypted (DgBlocks *blocks);

/* Takes `path`. */
void dg__blocks_add_hub (DgBlocks *blocks, uint32_t drive, uint32_t node, char *path);

/* Fills a record from sysfs and udev (drives.c). */
void dg__drive_read (DgBlocks *blocks, int block, DgDrive *ret_drive);

/* Appends to an array that grows by doubling at powers of two; false without memory. */
bool dg__append_u32 (uint32_t **array, uint32_t *n, uint32_t value);
