/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive hangs on, from the folders above it in sysfs. Any thread. */
#pragma once

#include "engine/linux/blocks.h"

/* (owned) NULL only without memory. Also corrects in `drive`, which must be filled already, what
 * the link makes doubtful: rotational, is_external, is_virtual. */
DgLink *dg__link_read (DgBlocks *blocks, int block, DgDrive *drive);

/* Fills other_drives of every hub and bridge, from all drives of the list. */
void dg__links_count_neighbours (DgBlocks *blocks);
