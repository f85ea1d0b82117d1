/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One look at the machine: what dg_targets_list () and dg_targets_find () share. Any thread. */
#pragma once

#include "engine/linux/ask.h"
#include "engine/linux/blocks.h"
#include "engine/linux/mountinfo.h"

typedef struct {
    char *device; /* kernel name */
    char *text;   /* decoded link name */
} DgDiskLink;

typedef struct {
    DgDiskLink *links;
    uint32_t n_links;
    bool is_read;
} DgDiskLinks;

typedef struct {
    DgSys sys;
    DgMounts mounts;
    DgBlocks blocks;
    DgTargetList *list; /* (owned) */
    DgDiskLinks by_label, by_uuid;
} DgScan;

int dg__scan_init (DgScan *scan, const DgRoots *roots);
void dg__scan_done (DgScan *scan);

/* Adds an empty target to the list; NULL without memory. */
DgTarget *dg__scan_add_target (DgScan *scan);

/* Everything about a mounted file system that can be known without touching it. The block device to
 * ask for a label, if none is known yet, else -1. */
int dg__scan_fill_target (DgScan *scan, uint32_t mount, DgTarget *target);

/* What a drive without a mounted file system can be told by: label, uuid, type of what is on it. */
void dg__scan_fill_unmounted (DgScan *scan, uint32_t drive, DgTarget *target);

/* After the drives are complete: what needs all of them. */
void dg__scan_finish_drives (DgScan *scan);

/* Puts an answer into a target: sizes, folder, use. `paths` of the ask must still be there. */
void dg__scan_use_answer (DgScan *scan, const DgMount *mount, DgAsk *ask, DgTarget *target);
