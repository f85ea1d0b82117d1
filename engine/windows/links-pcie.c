/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PCIe links by device properties (pciprop.h): what a function tells is the link above it. */
#include "engine/windows/links-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DevProp_PciDevice_BridgeType_… */
#define TYPE_ROOT_PORT     8u
#define TYPE_UPSTREAM_PORT 9u

typedef struct {
    uint32_t generation, width; /* 0 = unknown */
} PcieLink;

/* Bits of a lane, and bytes left after 8b/10b (1, 2), 128b/130b (3 to 5) and FLIT mode's 242 of 256
 * bytes (6). */
static const struct {
    uint64_t bits_per_s, coded_bytes_per_s;
} generations[] = { { 0, 0 },
                    { 2500000000, 250000000 },
                    { 5000000000, 500000000 },
                    { 8000000000, 984615385 },
                    { 16000000000, 1969230769 },
                    { 32000000000, 3938461538 },
                    { 64000000000, 7562500000 } };

static PcieLink
read_link (const DgLinkMaker *maker, const wchar_t *instance, DgWinNumber speed, DgWinNumber width)
{
    PcieLink link = { 0 };
    if (!maker->q->number (maker->q, instance, speed, &link.generation)
        || !maker->q->number (maker->q, instance, width, &link.width) || link.generation == 0
        || link.generation >= sizeof generations / sizeof *generations || link.width == 0
        || link.width > 32)
        return (PcieLink){ 0 };
    return link;
}

static void
set_segment (DgLinkMaker *maker, DgLinkNode *node, const wchar_t *instance)
{
    PcieLink now = read_link (maker, instance, DG_WIN_PCI_SPEED, DG_WIN_PCI_WIDTH),
             most = read_link (maker, instance, DG_WIN_PCI_MAX_SPEED, DG_WIN_PCI_MAX_WIDTH);
    char name[32], key[32];
    if (node == NULL || now.width == 0)
        return;
    snprintf (name, sizeof name, "PCIe %u.0 ×%u", now.generation, now.width);
    snprintf (key, sizeof key, "pcie-%u-x%u", now.generation, now.width);
    dg__win_link_set_segment (maker, node, generations[now.generation].bits_per_s * now.width,
                              generations[most.generation].bits_per_s * most.width,
                              generations[now.generation].coded_bytes_per_s * now.width, name, key);
    if (most.width != 0) {
        snprintf (name, sizeof name, "PCIe %u.0 ×%u", most.generation, most.width);
        free (node->up_max_name);
        node->up_max_name = strdup (name);
    }
}

/* Switches and the root port from chain[i] up. Of a switch only the upper side has a link that
 * counts: between its two sides there is none. */
static void
add_above (DgLinkMaker *maker, uint32_t i)
{
    for (; i < maker->n_chain && wcsncmp (maker->chain[i], L"PCI\\", 4) == 0; i++) {
        uint32_t type;
        if (!maker->q->number (maker->q, maker->chain[i], DG_WIN_PCI_TYPE, &type))
            continue;
        if (type == TYPE_UPSTREAM_PORT)
            set_segment (maker,
                         dg__win_link_add (maker, DG_NODE_BRIDGE,
                                           dg__win_device_name (maker->q, maker->chain[i])),
                         maker->chain[i]);
        else if (type == TYPE_ROOT_PORT)
            dg__win_link_add (maker, DG_NODE_PORT, dg__win_device_name (maker->q, maker->chain[i]));
    }
}

void
dg__win_link_nvme (DgLinkMaker *maker)
{
    DgLink *link = maker->link;
    link->kind = DG_LINK_PCIE;
    link->protocol = strdup ("nvme");
    for (uint32_t i = 0; i < maker->n_chain; i++) {
        if (wcsncmp (maker->chain[i], L"PCI\\", 4) != 0)
            continue;
        PcieLink now = read_link (maker, maker->chain[i], DG_WIN_PCI_SPEED, DG_WIN_PCI_WIDTH);
        set_segment (maker, &link->path[0], maker->chain[i]);
        if (link->path[0].up_name != NULL) {
            link->name = strdup (link->path[0].up_name);
            link->short_name = strdup (link->path[0].up_name);
        }
        link->speed_bits_per_s = link->path[0].up_bits_per_s;
        link->lanes = now.width;
        add_above (maker, i + 1);
        return;
    }
}

void
dg__win_link_controller (DgLinkMaker *maker, uint32_t i)
{
    DgLinkNode *node = dg__win_link_add (maker, DG_NODE_CONTROLLER,
                                         dg__win_device_name (maker->q, maker->chain[i]));
    uint32_t type;
    /* What sits in the chipset or the processor has no link that anything goes through. */
    if (i + 1 < maker->n_chain
        && maker->q->number (maker->q, maker->chain[i + 1], DG_WIN_PCI_TYPE, &type))
        set_segment (maker, node, maker->chain[i]);
    add_above (maker, i + 1);
}
