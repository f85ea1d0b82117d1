/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/plan-copy.h"

#include <stdlib.h>
#include <string.h>

static void *
copy_array (const void *from, size_t n, size_t size)
{
    void *to = calloc (n, size);
    if (to != NULL)
        memcpy (to, from, n * size);
    return to;
}

static char *
copy_string (const char *from)
{
    size_t size = strlen (from) + 1;
    return copy_array (from, size, 1);
}

static int
copy_targets (DgPlan *copy, const DgPlan *plan)
{
    DgPlanTarget *targets = copy_array (plan->targets, plan->n_targets, sizeof *targets);
    copy->targets = targets;
    if (targets == NULL)
        return -1;
    for (uint32_t i = 0; i < plan->n_targets; i++)
        targets[i].folder = NULL;
    for (uint32_t i = 0; i < plan->n_targets; i++) {
        if (plan->targets[i].folder == NULL)
            continue;
        targets[i].folder = copy_string (plan->targets[i].folder);
        if (targets[i].folder == NULL)
            return -1;
    }
    return 0;
}

static int
copy_steps (DgPlan *copy, const DgPlan *plan)
{
    DgStep *steps = copy_array (plan->steps, plan->n_steps, sizeof *steps);
    copy->steps = steps;
    if (steps == NULL)
        return -1;
    for (uint32_t i = 0; i < plan->n_steps; i++)
        steps[i].streams = NULL;
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        steps[i].streams =
            copy_array (plan->steps[i].streams, plan->steps[i].n_streams, sizeof (DgStream));
        if (steps[i].streams == NULL)
            return -1;
    }
    return 0;
}

DgPlan *
dg__plan_copy (const DgPlan *plan)
{
    DgPlan *copy = copy_array (plan, 1, sizeof *plan);
    if (copy == NULL)
        return NULL;
    copy->targets = NULL;
    copy->steps = NULL;
    if (copy_targets (copy, plan) != 0 || copy_steps (copy, plan) != 0) {
        dg__plan_free (copy);
        return NULL;
    }
    return copy;
}

void
dg__plan_free (DgPlan *plan)
{
    if (plan == NULL)
        return;
    for (uint32_t i = 0; plan->targets != NULL && i < plan->n_targets; i++)
        free ((char *) plan->targets[i].folder);
    for (uint32_t i = 0; plan->steps != NULL && i < plan->n_steps; i++)
        free ((DgStream *) plan->steps[i].streams);
    free ((DgPlanTarget *) plan->targets);
    free ((DgStep *) plan->steps);
    free (plan);
}
