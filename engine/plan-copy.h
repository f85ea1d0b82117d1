/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: a plan of one's own. */
#pragma once

#include "engine/plan.h"

/* A deep copy: targets, folders, steps, streams. null_script is shared. NULL when there is no
 * memory. */
DgPlan *dg__plan_copy (const DgPlan *plan);

/* NULL-safe. */
void dg__plan_free (DgPlan *plan);
