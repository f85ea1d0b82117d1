/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The making of one DgLink, shared by engine/windows/links*.c only. */
#pragma once

#include "engine/windows/links.h"

#define DG_WIN_MOST_NODES 24u
#define DG_WIN_MOST_CHAIN 24u

typedef struct {
    const DgWinQueries *q;
    DgDrive *drive;
    DgLink *link;                                  /* path has room for DG_WIN_MOST_NODES */
    wchar_t chain[DG_WIN_MOST_CHAIN][DG_WIN_TEXT]; /* the drive's parents, upwards */
    uint32_t n_chain;
    uint64_t coded_bytes_per_s[DG_WIN_MOST_NODES]; /* of the segment above, line coding taken off; 0
                                                      = unknown */
    const DgLinkRow *rows[DG_WIN_MOST_NODES];      /* (nullable) */
} DgLinkMaker;

/* Takes `name`. NULL if there are too many. */
DgLinkNode *dg__win_link_add (DgLinkMaker *maker, DgNodeKind kind, char *name);

/* Nothing when node is NULL or bits_per_s is 0. */
void dg__win_link_set_segment (DgLinkMaker *maker, DgLinkNode *node, uint64_t bits_per_s,
                               uint64_t max_bits_per_s, uint64_t coded_bytes_per_s,
                               const char *name, const char *key);

/* (owned) (nullable) */
char *dg__win_device_name (const DgWinQueries *q, const wchar_t *instance);

/* links-usb.c */
void dg__win_link_usb (DgLinkMaker *maker);

/* links-pcie.c: the drive's controller is the drive itself; the controller at chain[i] and what
 * lies above it. */
void dg__win_link_nvme (DgLinkMaker *maker);
void dg__win_link_controller (DgLinkMaker *maker, uint32_t i);
