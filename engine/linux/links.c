/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/links-private.h"

#include <stdlib.h>
#include <string.h>

int
dg__maker_add (DgLinkMaker *maker, DgNodeKind kind, char *name, const char *path)
{
    int index = (int) maker->n_nodes;

    if (maker->n_nodes == DG__MAX_NODES) {
        free (name);
        return -1;
    }
    maker->nodes[index] = (DgLinkNode){ .kind = kind, .name = name };
    maker->paths[index] = path ? strdup (path) : NULL;
    maker->n_nodes++;
    return index;
}

void
dg__maker_set_segment (DgLinkMaker *maker, int node, const DgSegment *segment,
                       uint64_t max_bits_per_s)
{
    DgLinkNode *n;

    if (node < 0)
        return;
    n = &maker->nodes[node];
    n->up_bits_per_s = segment->bits_per_s;
    n->up_max_bits_per_s = max_bits_per_s;
    free (n->up_name);
    n->up_name = segment->bits_per_s && segment->name ? strdup (segment->name) : NULL;
    maker->coded_bytes_per_s[node] = segment->bits_per_s ? segment->coded_bytes_per_s : 0;
    dg__copy_key (maker->keys[node], segment->bits_per_s ? segment->key : NULL);
}

void
dg__copy_key (char *ret_key, const char *key)
{
    size_t length = key ? strlen (key) : 0;

    if (length >= DG__LINK_KEY_SIZE)
        length = 0;
    memcpy (ret_key, key ? key : "", length);
    ret_key[length] = 0;
}

void
dg__maker_set_names (DgLinkMaker *maker, char *name, char *short_name, const char *protocol)
{
    free (maker->link->name);
    free (maker->link->short_name);
    free (maker->link->protocol);
    maker->link->name = name;
    maker->link->short_name = short_name;
    maker->link->protocol = protocol ? strdup (protocol) : NULL;
}

bool
dg__is_numbered (const char *base, const char *prefix)
{
    size_t length = strlen (prefix);

    if (strncmp (base, prefix, length) != 0 || base[length] == 0)
        return false;
    for (base += length; *base; base++)
        if (*base < '0' || *base > '9')
            return false;
    return true;
}

/* With native multipath a namespace lies below its subsystem, which links to its controllers. */
static bool
find_nvme_controller (const char *subsystem, char *ret_path)
{
    char **names = dg__names (subsystem);
    bool found = false;

    for (uint32_t i = 0; names && names[i] && !found; i++)
        found = dg__is_numbered (names[i], "nvme") && dg__real_path (subsystem, names[i], ret_path);
    dg__names_free (names);
    return found;
}

/* Up from the disk: the nearest bus decides. */
static void
read_bus (DgLinkMaker *maker)
{
    const DgBlock *block = &maker->blocks->blocks[maker->block];
    char path[DG__PATH_SIZE], bus[64];
    bool is_scsi = false, is_nvme = dg__has_prefix (block->name, "nvme");

    if (!dg__path (path, "%s", block->path))
        return;
    if (strstr (path, "/virtual/nvme-subsystem/")) {
        char controller[DG__PATH_SIZE];
        dg__parent_path (path, maker->blocks->sys->sysfs);
        if (find_nvme_controller (path, controller))
            memcpy (path, controller, sizeof path);
    }
    do {
        const char *base = dg__base_name (path);
        if (is_nvme && dg__is_numbered (base, "nvme")) {
            char transport[32];
            if (dg__attr (path, "transport", transport, sizeof transport)
                && strcmp (transport, "pcie") != 0) {
                dg__maker_set_names (maker, dg__format ("NVMe over %s", transport),
                                     dg__format ("NVMe over %s", transport), "nvme");
                return;
            }
        }
        if (dg__is_numbered (base, "ata")) {
            dg__link_ata (maker, path);
            return;
        }
        if (!dg__link_name (path, "subsystem", bus, sizeof bus))
            continue;
        is_scsi |= strcmp (bus, "scsi") == 0;
        if (strcmp (bus, "usb") == 0 && strchr (base, ':')) {
            dg__link_usb (maker, path);
            return;
        }
        if (strcmp (bus, "mmc") == 0) {
            dg__link_mmc (maker, path);
            return;
        }
        if (strcmp (bus, "virtio") == 0) {
            dg__link_virtio (maker, path);
            return;
        }
        if (strcmp (bus, "vmbus") == 0 || strcmp (bus, "xen") == 0 || strcmp (bus, "pseudo") == 0)
            break;
        if (strcmp (bus, "pci") == 0 || (strcmp (bus, "platform") == 0 && is_scsi)) {
            if (is_nvme)
                dg__link_nvme (maker, path);
            else
                dg__link_scsi_host (maker, path);
            return;
        }
    } while (dg__parent_path (path, maker->blocks->sys->sysfs));
    if (is_nvme)
        dg__maker_set_names (maker, NULL, NULL, "nvme");
    else
        dg__link_virtual (maker);
}

static void
judge (DgLinkMaker *maker)
{
    DgLink *link = maker->link;
    uint64_t least = 0;
    int narrowest = -1;

    for (uint32_t i = 0; i < maker->n_nodes; i++) {
        uint64_t coded = maker->coded_bytes_per_s[i];
        if (coded > 0 && (narrowest < 0 || coded < least)) {
            least = coded;
            narrowest = (int) i;
        }
    }
    if (narrowest < 0)
        return;
    for (uint32_t i = 0; i < maker->n_nodes; i++)
        maker->nodes[i].is_narrowest = maker->coded_bytes_per_s[i] == least;
    link->narrowest_bits_per_s = maker->nodes[narrowest].up_bits_per_s;
    const DgLinkRow *row = dg_link_table_find (maker->keys[narrowest]);
    if (row) {
        link->after_coding_bytes_per_s = row->after_coding_bytes_per_s;
        link->practical_low_bytes_per_s = row->practical_low_bytes_per_s;
        link->ceiling_bytes_per_s = row->practical_high_bytes_per_s;
    }
}

static char *
drive_name (const DgDrive *drive)
{
    return drive->model ? strdup (drive->model) : NULL;
}

DgLink *
dg__link_read (DgBlocks *blocks, int block, DgDrive *drive)
{
    DgLinkMaker maker = {
        .blocks = blocks, .block = block, .drive = drive, .link = calloc (1, sizeof *maker.link)
    };
    uint32_t drive_index = blocks->list->n_drives;

    if (!maker.link)
        return NULL;
    dg__maker_add (&maker, DG_NODE_DRIVE, drive_name (drive), NULL);
    read_bus (&maker);
    judge (&maker);
    maker.link->path = malloc (maker.n_nodes * sizeof *maker.link->path);
    for (uint32_t i = 0; i < maker.n_nodes; i++) {
        DgLinkNode *node = &maker.nodes[i];
        if ((node->kind == DG_NODE_HUB || node->kind == DG_NODE_BRIDGE) && maker.paths[i]
            && maker.link->path)
            dg__blocks_add_hub (blocks, drive_index, i, maker.paths[i]);
        else
            free (maker.paths[i]);
        if (maker.link->path) {
            maker.link->path[i] = *node;
        } else {
            free (node->name);
            free (node->up_name);
            free (node->up_max_name);
        }
    }
    if (!maker.link->path) {
        dg_link_free (maker.link);
        return NULL;
    }
    maker.link->n_path = maker.n_nodes;
    return maker.link;
}

/* Of all drives of the machine, whether they are in the list or not. */
void
dg__links_count_neighbours (DgBlocks *blocks)
{
    for (uint32_t i = 0; i < blocks->n_hubs; i++) {
        const DgHub *hub = &blocks->hubs[i];
        DgLink *link = blocks->list->drives[hub->drive].link;
        size_t length = strlen (hub->path);
        for (uint32_t k = 0; k < blocks->n_blocks; k++) {
            const DgBlock *block = &blocks->blocks[k];
            if (!block->is_physical || block->drive == (int) hub->drive
                || block->path_length <= length || block->path[length] != '/'
                || memcmp (block->path, hub->path, length) != 0)
                continue;
            /* An empty slot of a card reader is nobody. */
            if (block->drive >= 0 ? blocks->list->drives[block->drive].size_bytes > 0
                                  : dg__attr_u64 (block->path, "size", 0) > 0)
                link->path[hub->node].other_drives++;
        }
    }
}
