/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: engine/targets.h by any answers. */
#pragma once

#include "engine/targets.h"
#include "engine/windows/queries.h"

int dg__win_targets_list (const DgWinQueries *q, DgTargetList **ret_list);
int dg__win_targets_find (const DgWinQueries *q, const char *path, DgTargetList **ret_list,
                          DgErrorDetail *ret_detail);
