/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/graveyard.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Grave {
    struct Grave *next;
    void *thing;
} Grave;

static _Atomic (Grave *) graves;
static _Atomic unsigned count;

void
dg__graveyard_bury (void *thing)
{
    /* without memory for the grave the thing is lost just as well, only a leak checker would see it
     */
    Grave *grave = malloc (sizeof *grave);
    if (grave != NULL) {
        grave->thing = thing;
        grave->next = atomic_load (&graves);
        while (!atomic_compare_exchange_weak (&graves, &grave->next, grave))
            ;
    }
    atomic_fetch_add (&count, 1);
}

unsigned
dg__graveyard_count (void)
{
    return atomic_load (&count);
}
