/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The making of one DgLink: the kinds of bus each add their stations, links.c judges the whole
 * chain. */
#pragma once

#include "engine/linux/links.h"

enum {
    DG__MAX_NODES = 24,
    DG__LINK_KEY_SIZE = 24
};

typedef struct {
    DgBlocks *blocks;
    int block;
    DgDrive *drive;
    DgLink *link;
    DgLinkNode nodes[DG__MAX_NODES];
    char *paths[DG__MAX_NODES]; /* (owned) (nullable) sysfs folder of the node */
    char keys[DG__MAX_NODES]
             [DG__LINK_KEY_SIZE];              /* of the row for the segment above; empty = none */
    uint64_t coded_bytes_per_s[DG__MAX_NODES]; /* of the segment above, line coding taken off */
    uint32_t n_nodes;
} DgLinkMaker;

/* What a segment carries. */
typedef struct {
    uint64_t bits_per_s; /* 0 = unknown */
    uint64_t coded_bytes_per_s;
    const char *key, *name; /* (nullable) */
} DgSegment;

/* Takes `name`. The index of the new node, -1 if there are too many. */
int dg__maker_add (DgLinkMaker *maker, DgNodeKind kind, char *name, const char *path);

void dg__maker_set_segment (DgLinkMaker *maker, int node, const DgSegment *segment,
                            uint64_t max_bits_per_s);

/* Name and speed of the link at the drive. Take what they are given. */
void dg__maker_set_names (DgLinkMaker *maker, char *name, char *short_name, const char *protocol);

/* An empty key if `key` is NULL or too long. */
void dg__copy_key (char *ret_key, const char *key);

/* `base` (a component of a path) is `prefix` and a number, and nothing else. */
bool dg__is_numbered (const char *base, const char *prefix);

/* links-usb.c: `path` is the folder of the USB interface. */
void dg__link_usb (DgLinkMaker *maker, const char *path);

/* links-ata.c: `path` is the folder of the ata port, "…/ata13". */
void dg__link_ata (DgLinkMaker *maker, const char *path);

/* links-pcie.c: the drive itself is the PCIe device at `path`. */
void dg__link_nvme (DgLinkMaker *maker, const char *path);

/* links-pcie.c: adds the host controller at the PCI (or platform) device `path` with its own link
 * and the switches above it. `name` serves if nothing better is known (nullable). */
void dg__link_controller (DgLinkMaker *maker, const char *path, const char *name);

/* links-pcie.c: "dddd:bb:dd.f" */
bool dg__is_pci_device (const char *base);

/* links-other.c */
void dg__link_mmc (DgLinkMaker *maker, const char *path);
void dg__link_scsi_host (DgLinkMaker *maker, const char *path);
void dg__link_virtio (DgLinkMaker *maker, const char *path);
void dg__link_virtual (DgLinkMaker *maker);
