/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/engine/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
text (const char *value)
{
    return value ? value : "-";
}

/* A path below the root without it. */
static const char *
path (const Tree *tree, const char *value)
{
    static char buffers[4][4096];
    static unsigned n;
    char *buffer = buffers[n++ % 4];
    size_t length = strlen (tree->root);

    if (!value || strncmp (value, tree->root, length) != 0)
        return text (value);
    snprintf (buffer, sizeof buffers[0], "%%%s", value + length);
    return buffer;
}

static void
write_link (FILE *out, const DgLink *link)
{
    static const char *const kinds[] = { "unknown", "usb", "sata",   "pcie",
                                         "sd",      "mmc", "virtio", "virtual" };
    static const char *const nodes[] = { "drive", "bridge", "hub", "port", "controller" };

    fprintf (out, "  link %s | %s | %s | %s | lanes %u\n", kinds[link->kind], text (link->name),
             text (link->short_name), text (link->protocol), link->lanes);
    fprintf (out, "    speed %" PRIu64 " narrowest %" PRIu64 " best %s %" PRIu64 "%s\n",
             link->speed_bits_per_s, link->narrowest_bits_per_s, text (link->best_name),
             link->best_bits_per_s, link->is_uas_offered ? " uas-offered" : "");
    fprintf (out, "    bytes %" PRIu64 " low %" PRIu64 " ceiling %" PRIu64 "\n",
             link->after_coding_bytes_per_s, link->practical_low_bytes_per_s,
             link->ceiling_bytes_per_s);
    for (uint32_t i = 0; i < link->n_path; i++) {
        const DgLinkNode *node = &link->path[i];
        fprintf (out, "    %s %s | up %s %" PRIu64 " of %" PRIu64 "%s", nodes[node->kind],
                 text (node->name), text (node->up_name), node->up_bits_per_s,
                 node->up_max_bits_per_s, node->is_narrowest ? " narrowest" : "");
        if (node->other_drives)
            fprintf (out, " others %u", node->other_drives);
        fputc ('\n', out);
    }
}

static void
write_drive (FILE *out, const DgDrive *drive)
{
    fprintf (out, "drive %s | %s | %s | %s | %s\n", text (drive->name), text (drive->vendor),
             text (drive->model), text (drive->firmware), text (drive->serial));
    fprintf (out, "  size %" PRIu64 " blocks %u/%u rotational %d removable %d\n", drive->size_bytes,
             drive->logical_block_bytes, drive->physical_block_bytes, drive->rotational,
             drive->removable);
    fprintf (out, "  cache %s scheduler %s queue %u encrypted %d%s%s\n", text (drive->write_cache),
             text (drive->scheduler), drive->queue_limit, drive->is_encrypted,
             drive->is_virtual ? " virtual" : "", drive->is_external ? " external" : "");
    write_link (out, drive->link);
}

static void
write_target (FILE *out, const Tree *tree, const DgTarget *target)
{
    static const char *const uses[] = { "usable",    "not-mounted", "read-only", "no-permission",
                                        "no-answer", "not-a-disk",  "full" };
    static const char *const kinds[] = { "disk",    "memory", "network", "fuse",
                                         "overlay", "9p",     "zfs",     "pseudo" };

    fprintf (out, "target %s | folder %s | %s | %s\n", path (tree, target->mount),
             path (tree, target->folder), path (tree, target->source), uses[target->use]);
    fprintf (out, "  %s %s %s | label %s | uuid %s | device %s\n", kinds[target->fs_kind],
             text (target->filesystem), text (target->options), text (target->label),
             text (target->uuid), text (target->mount_device));
    fputs ("  drives", out);
    for (uint32_t i = 0; i < target->n_drives; i++)
        fprintf (out, " %u", target->drives[i]);
    for (uint32_t i = 0; i < target->n_layers; i++)
        fprintf (out, " [%s]", target->layers[i]);
    if (target->partition_start_bytes != UINT64_MAX)
        fprintf (out, " start %" PRIu64, target->partition_start_bytes);
    fprintf (out, "%s%s%s%s%s\n", target->is_encrypted ? " encrypted" : "",
             target->is_compressed ? " compressed" : "", target->is_copy_on_write ? " cow" : "",
             target->is_sandbox_ram ? " sandbox-ram" : "", target->is_home ? " home" : "");
}

char *
tree_record (const Tree *tree, const DgTargetList *list)
{
    char *record = NULL;
    size_t size;
    FILE *out = open_memstream (&record, &size);

    for (uint32_t i = 0; i < list->n_drives; i++)
        write_drive (out, &list->drives[i]);
    for (uint32_t i = 0; i < list->n_targets; i++)
        write_target (out, tree, &list->targets[i]);
    fclose (out);
    return record;
}
