/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/blocks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/linux/links.h"

bool
dg__append_u32 (uint32_t **array, uint32_t *n, uint32_t value)
{
    if ((*n & (*n - 1)) == 0) {
        uint32_t *more = realloc (*array, (*n ? *n * 2u : 1u) * sizeof *more);
        if (!more)
            return false;
        *array = more;
    }
    (*array)[(*n)++] = value;
    return true;
}

/* The links in dev/block and class/block read "../../devices/…"; that saves a realpath each. */
static char *
block_path (const DgSys *sys, const char *folder, const char *name)
{
    char link[DG__PATH_SIZE], path[DG__PATH_SIZE];
    const char *rest = link;
    ssize_t n;

    if (!dg__path (path, "%s/%s", folder, name))
        return NULL;
    n = readlink (path, link, sizeof link - 1);
    if (n <= 0)
        return NULL;
    link[n] = 0;
    while (dg__has_prefix (rest, "../"))
        rest += 3;
    if (dg__has_prefix (rest, "devices/") && !strstr (rest, "/../")) {
        if (dg__path (path, "%s/%s", sys->sysfs, rest))
            return strdup (path);
    } else if (dg__real_path (folder, name, path)) {
        return strdup (path);
    }
    return NULL;
}

static bool
has_entries (const char *path, const char *name)
{
    char folder[DG__PATH_SIZE], **names;
    bool found;

    if (!dg__path (folder, "%s/%s", path, name))
        return false;
    names = dg__names (folder);
    found = names && names[0];
    dg__names_free (names);
    return found;
}

static int
by_name (const void *a, const void *b)
{
    return strverscmp (((const DgBlock *) a)->name, ((const DgBlock *) b)->name);
}

static int
find_path (const DgBlocks *blocks, const char *path, size_t length)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++)
        if (blocks->blocks[i].path_length == length
            && memcmp (blocks->blocks[i].path, path, length) == 0)
            return (int) i;
    return -1;
}

static void
classify (DgBlocks *blocks)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++) {
        DgBlock *block = &blocks->blocks[i];
        bool is_virtual =
            strstr (block->path, "/devices/virtual/") && !strstr (block->path, "/virtual/nvme-");
        block->parent = find_path (blocks, block->path, (size_t) (block->name - 1 - block->path));
        if (block->parent >= 0)
            continue;
        block->is_stacked = is_virtual && has_entries (block->path, "slaves");
        block->is_physical = !is_virtual && !dg__has_prefix (block->name, "sr")
                             && !dg__has_prefix (block->name, "fd")
                             && dg__attr_u64 (block->path, "hidden", 0) == 0;
    }
}

int
dg__blocks_read (const DgSys *sys, DgTargetList *list, DgBlocks *ret_blocks)
{
    DgBlocks blocks = { .sys = sys, .list = list };
    char folder[DG__PATH_SIZE], **names = NULL;
    uint32_t n_allocated = 0;
    bool has_numbers = true;

    if (dg__path (folder, "%s/dev/block", sys->sysfs))
        names = dg__names (folder);
    if (!names && dg__path (folder, "%s/class/block", sys->sysfs)) {
        names = dg__names (folder);
        has_numbers = false;
    }
    for (uint32_t i = 0; names && names[i]; i++) {
        DgBlock block = { .drive = -1, .parent = -1 };
        char text[32];
        if (!(block.path = block_path (sys, folder, names[i])))
            continue;
        block.path_length = strlen (block.path);
        block.name = dg__base_name (block.path);
        if (!has_numbers)
            dg__attr (block.path, "dev", text, sizeof text);
        if (sscanf (has_numbers ? names[i] : text, "%u:%u", &block.major, &block.minor) != 2) {
            free (block.path);
            continue;
        }
        if (blocks.n_blocks == n_allocated) {
            n_allocated = n_allocated ? n_allocated * 2 : 64;
            DgBlock *more = realloc (blocks.blocks, n_allocated * sizeof *more);
            if (!more) {
                free (block.path);
                dg__names_free (names);
                dg__blocks_done (&blocks);
                return DG_ERROR_NO_MEMORY;
            }
            blocks.blocks = more;
        }
        blocks.blocks[blocks.n_blocks++] = block;
    }
    dg__names_free (names);
    if (blocks.n_blocks)
        qsort (blocks.blocks, blocks.n_blocks, sizeof *blocks.blocks, by_name);
    classify (&blocks);
    *ret_blocks = blocks;
    return 0;
}

void
dg__blocks_done (DgBlocks *blocks)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++) {
        free (blocks->blocks[i].path);
        dg__udev_done (&blocks->blocks[i].udev);
    }
    for (uint32_t i = 0; i < blocks->n_hubs; i++)
        free (blocks->hubs[i].path);
    free (blocks->hubs);
    free (blocks->blocks);
    free (blocks->drive_blocks);
    *blocks = (DgBlocks){ 0 };
}

int
dg__blocks_find_number (const DgBlocks *blocks, uint32_t major, uint32_t minor)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++)
        if (blocks->blocks[i].major == major && blocks->blocks[i].minor == minor)
            return (int) i;
    return -1;
}

int
dg__blocks_find_name (const DgBlocks *blocks, const char *name)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++)
        if (strcmp (blocks->blocks[i].name, name) == 0)
            return (int) i;
    return -1;
}

int
dg__blocks_find_device (const DgBlocks *blocks, const char *device)
{
    char path[DG__PATH_SIZE], name[256];
    int found;

    if (!dg__has_prefix (device, "/dev/"))
        return -1;
    found = dg__blocks_find_name (blocks, device + 5);
    if (found >= 0)
        return found;
    if (dg__real_path (blocks->sys->dev, device + 5, path)) {
        found = dg__blocks_find_name (blocks, dg__base_name (path));
        if (found >= 0)
            return found;
    }
    if (!dg__has_prefix (device, "/dev/mapper/"))
        return -1;
    for (uint32_t i = 0; i < blocks->n_blocks; i++)
        if (blocks->blocks[i].is_stacked
            && dg__attr (blocks->blocks[i].path, "dm/name", name, sizeof name)
            && strcmp (name, device + 12) == 0)
            return (int) i;
    return -1;
}

const DgUdev *
dg__blocks_udev (DgBlocks *blocks, int block)
{
    DgBlock *b = &blocks->blocks[block];
    char id[40];

    if (!b->has_udev) {
        snprintf (id, sizeof id, "b%u:%u", b->major, b->minor);
        dg__udev_read (blocks->sys, id, &b->udev);
        b->has_udev = true;
    }
    return &b->udev;
}

int
dg__blocks_drive (DgBlocks *blocks, int block)
{
    DgBlock *b = &blocks->blocks[block];
    DgTargetList *list = blocks->list;
    DgDrive *more;
    uint32_t n = list->n_drives;

    if (b->drive >= 0)
        return b->drive;
    more = realloc (list->drives, (n + 1) * sizeof *more);
    if (more)
        list->drives = more;
    if (!more || !dg__append_u32 (&blocks->drive_blocks, &n, (uint32_t) block)) {
        blocks->is_out_of_memory = true;
        return -1;
    }
    list->drives[list->n_drives] = (DgDrive){ 0 };
    dg__drive_read (blocks, block, &list->drives[list->n_drives]);
    list->drives[list->n_drives].link =
        dg__link_read (blocks, block, &list->drives[list->n_drives]);
    list->n_drives++;
    if (!list->drives[list->n_drives - 1].link)
        blocks->is_out_of_memory = true;
    return b->drive = (int) list->n_drives - 1;
}

void
dg__blocks_add_hub (DgBlocks *blocks, uint32_t drive, uint32_t node, char *path)
{
    DgHub *more = realloc (blocks->hubs, (blocks->n_hubs + 1) * sizeof *more);

    if (!more) {
        blocks->is_out_of_memory = true;
        free (path);
        return;
    }
    blocks->hubs = more;
    blocks->hubs[blocks->n_hubs++] = (DgHub){ drive, node, path };
}
