/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the device that is mounted down to the drives, through the slaves/ folders of dm, md and
 * bcache. */
#include "engine/linux/blocks.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* The kernel allows no loops; a broken tree might. */
enum {
    MAX_DEPTH = 16
};

/* What made a dm device stands before the first '-' of its uuid: cryptsetup, lvm2, multipath-tools,
 * kpartx, dmraid, vdo. */
static const struct {
    const char *prefix, *word;
} dm_kinds[] = {
    { "CRYPT-", "crypt" },   { "LVM-", "lvm" },     { "mpath-", "multipath" },
    { "part", "partition" }, { "DMRAID-", "raid" }, { "VDO-", "vdo" },
};

static const char *
dm_kind (const DgBlock *block)
{
    char uuid[256];

    if (dg__attr (block->path, "dm/uuid", uuid, sizeof uuid))
        for (size_t i = 0; i < sizeof dm_kinds / sizeof *dm_kinds; i++)
            if (dg__has_prefix (uuid, dm_kinds[i].prefix))
                return dm_kinds[i].word;
    return "dm";
}

static char *
layer_text (const DgBlock *block)
{
    char *name, *text;

    if (dg__has_prefix (block->name, "md") && (name = dg__attr_dup (block->path, "md/level"))) {
        text = dg__format ("%s %s", name, block->name);
        free (name);
        return text;
    }
    if (!dg__has_prefix (block->name, "dm-"))
        return dg__format ("%s %s",
                           dg__has_prefix (block->name, "bcache") ? "bcache"
                           : dg__has_prefix (block->name, "md")   ? "md"
                                                                  : "stack",
                           block->name);
    name = dg__attr_dup (block->path, "dm/name");
    text = name ? dg__format ("%s %s (%s)", dm_kind (block), block->name, name)
                : dg__format ("%s %s", dm_kind (block), block->name);
    free (name);
    return text;
}

static void
add_layer (DgBlocks *blocks, DgTarget *target, const DgBlock *block)
{
    char *text = layer_text (block), **more = NULL;

    for (uint32_t i = 0; text && i < target->n_layers; i++)
        if (strcmp (target->layers[i], text) == 0) {
            free (text);
            return;
        }
    if (text)
        more = realloc (target->layers, (target->n_layers + 1) * sizeof *more);
    if (!more) {
        free (text);
        blocks->is_out_of_memory = true;
        return;
    }
    target->layers = more;
    target->layers[target->n_layers++] = text;
    target->is_encrypted |= dg__has_prefix (text, "crypt ");
    target->is_compressed |= dg__has_prefix (text, "vdo ");
}

static void
add_drive (DgBlocks *blocks, DgTarget *target, int block)
{
    int drive = dg__blocks_drive (blocks, block);

    for (uint32_t i = 0; drive >= 0 && i < target->n_drives; i++)
        if (target->drives[i] == (uint32_t) drive)
            return;
    if (drive < 0 || !dg__append_u32 (&target->drives, &target->n_drives, (uint32_t) drive))
        blocks->is_out_of_memory = true;
}

typedef void (*SlaveFunc) (DgBlocks *blocks, int block, void *data, unsigned depth);

/* In natural order of the names. */
static void
each_slave (DgBlocks *blocks, int block, SlaveFunc func, void *data, unsigned depth)
{
    char folder[DG__PATH_SIZE];
    struct dirent **entries = NULL;
    int n;

    if (depth >= MAX_DEPTH || !dg__path (folder, "%s/slaves", blocks->blocks[block].path))
        return;
    n = scandir (folder, &entries, NULL, versionsort);
    for (int i = 0; i < n; i++) {
        int slave =
            entries[i]->d_name[0] == '.' ? -1 : dg__blocks_find_name (blocks, entries[i]->d_name);
        if (slave >= 0)
            func (blocks, slave, data, depth + 1);
        free (entries[i]);
    }
    if (n >= 0)
        free (entries);
}

static void
resolve (DgBlocks *blocks, int block, void *data, unsigned depth)
{
    DgTarget *target = data;
    const DgBlock *b = &blocks->blocks[block];

    if (b->parent >= 0) {
        uint64_t start = dg__attr_u64 (b->path, "start", UINT64_MAX);
        if (target->partition_start_bytes == UINT64_MAX && start < UINT64_MAX / 512)
            target->partition_start_bytes = start * 512;
        block = b->parent;
        b = &blocks->blocks[block];
    }
    if (!b->is_stacked) {
        add_drive (blocks, target, block);
        return;
    }
    add_layer (blocks, target, b);
    each_slave (blocks, block, resolve, target, depth);
}

void
dg__blocks_resolve (DgBlocks *blocks, int block, DgTarget *target)
{
    resolve (blocks, block, target, 0);
}

static void
mark (DgBlocks *blocks, int block, void *data, unsigned depth)
{
    const DgBlock *b = &blocks->blocks[block];

    if (b->parent >= 0)
        b = &blocks->blocks[block = b->parent];
    if (b->is_stacked)
        each_slave (blocks, block, mark, data, depth);
    else if (b->drive >= 0)
        blocks->list->drives[b->drive].is_encrypted = 1;
}

void
dg__blocks_mark_encrypted (DgBlocks *blocks)
{
    for (uint32_t i = 0; i < blocks->list->n_drives; i++)
        blocks->list->drives[i].is_encrypted = 0;
    for (uint32_t i = 0; i < blocks->n_blocks; i++) {
        const DgBlock *b = &blocks->blocks[i];
        const char *type;
        if (b->is_stacked && dg__has_prefix (b->name, "dm-") && strcmp (dm_kind (b), "crypt") == 0)
            mark (blocks, (int) i, NULL, 0);
        else if (!b->is_stacked
                 && (b->drive >= 0 || (b->parent >= 0 && blocks->blocks[b->parent].drive >= 0))
                 && (type = dg__udev_get (dg__blocks_udev (blocks, (int) i), "ID_FS_TYPE"))
                 && (strcmp (type, "crypto_LUKS") == 0 || strcmp (type, "BitLocker") == 0))
            mark (blocks, (int) i, NULL, 0);
    }
}
