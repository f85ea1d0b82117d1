/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/link.h"

#include <stdlib.h>

void
dg_link_free (DgLink *link)
{
    if (!link)
        return;
    for (uint32_t i = 0; i < link->n_path; i++) {
        free (link->path[i].name);
        free (link->path[i].up_name);
        free (link->path[i].up_max_name);
    }
    free (link->path);
    free (link->name);
    free (link->short_name);
    free (link->protocol);
    free (link->best_name);
    free (link);
}
