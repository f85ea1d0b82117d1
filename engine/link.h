/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive hangs on, and what that can carry. Strings are valid UTF-8, raw (untrusted) apart from that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    DG_LINK_UNKNOWN,
    DG_LINK_USB,
    DG_LINK_SATA,
    DG_LINK_PCIE,
    DG_LINK_SD,
    DG_LINK_MMC,
    DG_LINK_VIRTIO,
    DG_LINK_VIRTUAL, /* loop, null_blk, brd, zram, scsi_debug, a hypervisor's disk */
} DgLinkKind;

typedef enum {
    DG_NODE_DRIVE,
    DG_NODE_BRIDGE,     /* USB to SATA/NVMe, PCIe switch or bridge */
    DG_NODE_HUB,
    DG_NODE_PORT,       /* a root port: USB or PCIe */
    DG_NODE_CONTROLLER, /* xHCI, AHCI, NVMe root complex end, SD host */
} DgNodeKind;

/* One station of the chain, drive first, host controller last. */
typedef struct {
    DgNodeKind kind;
    char *name;                    /* (owned) (nullable) "GL3590", "Port 3", "ASM3242"; NULL = unknown, never guessed */
    uint64_t up_bits_per_s;        /* negotiated line rate of the segment from this node towards the host; 0 = unknown or none */
    uint64_t up_max_bits_per_s;    /* what this node itself could do on that segment; 0 = unknown */
    char *up_max_name;             /* (owned) (nullable) the same as people know it; PCIe and SATA only */
    char *up_name;                 /* (owned) (nullable) "10 Gb/s", "PCIe 3.0 ×2", "480 Mb/s" */
    uint32_t other_drives;         /* further drives behind this hub or bridge (shared-hub) */
    bool is_narrowest;             /* its up segment is as slow as the slowest of the chain */
} DgLinkNode;

typedef struct {
    DgLinkKind kind;
    char *name;                    /* (owned) (nullable) as people know it: "USB 3.2 Gen 2 (10 Gb/s), UAS" */
    char *short_name;              /* (owned) (nullable) "USB 3.2 Gen 2" */
    char *protocol;                /* (owned) (nullable) "bot", "uas", "nvme", "ahci", "mmc", "virtio-blk", ... */
    uint64_t speed_bits_per_s;     /* negotiated at the drive; 0 = unknown */
    uint64_t narrowest_bits_per_s; /* of the whole chain, 0 = unknown */
    uint32_t lanes;                /* 0 = unknown or no such thing */
    DgLinkNode *path;              /* (owned) */
    uint32_t n_path;
    /* From the table in engine/link-table.c for the narrowest link; all 0 when there is no row. */
    uint64_t after_coding_bytes_per_s, practical_low_bytes_per_s, ceiling_bytes_per_s;
    char *best_name;               /* (owned) (nullable) what drive and host could do on a better port: "USB 3.2 Gen 2 (10 Gb/s)" */
    uint64_t best_bits_per_s;      /* 0 = unknown, or no better than now */
    bool is_uas_offered;           /* USB: its descriptors offer UAS, whatever is used */
} DgLink;

/* One row of what links can carry. */
typedef struct {
    const char *key;               /* "usb-480", "usb-5000-bot", "usb-5000-uas", "sata-6000", "pcie-3-x4", ... */
    const char *name;              /* "USB 3.2 Gen 1 (5 Gb/s), UAS" */
    uint64_t line_bits_per_s;
    uint64_t after_coding_bytes_per_s, practical_low_bytes_per_s, practical_high_bytes_per_s;
    const char *source;            /* where the figures come from */
} DgLinkRow;

/* The functions below: any thread; none can fail.
 *
 * The table, `*ret_count` rows; static. */
const DgLinkRow *dg_link_table (uint32_t *ret_count);

/* The row for a key (not nullable), NULL if there is none; static. */
const DgLinkRow *dg_link_table_find (const char *key);

/* With all that it owns. NULL-safe; once, and while nobody else uses it. */
void dg_link_free (DgLink *link);
