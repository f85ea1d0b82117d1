/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/links.h"

#include <stdlib.h>

DgLink *
dg__link_read (DgBlocks *blocks, int block, DgDrive *drive)
{
    return calloc (1, sizeof (DgLink));
}

void
dg__links_count_neighbours (DgBlocks *blocks)
{
}
