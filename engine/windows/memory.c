/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/data.h"

#include <malloc.h>
#include <windows.h>

#define LARGE_PAGE_BYTES ((uint64_t) 2 << 20)

/* Large pages need a right that users do not have and are not asked to get. */
void *
dg__memory_new (size_t size, uint64_t *ret_size)
{
    uint64_t rounded = ((uint64_t) size + LARGE_PAGE_BYTES - 1) & ~(LARGE_PAGE_BYTES - 1);
    if (size == 0 || rounded < size)
        return NULL;

    /* Reserved with room to align, committed only where it is used. */
    unsigned char *all =
        VirtualAlloc (NULL, rounded + LARGE_PAGE_BYTES, MEM_RESERVE, PAGE_READWRITE);
    if (all == NULL)
        return NULL;
    unsigned char *memory = (unsigned char *) (((uintptr_t) all + LARGE_PAGE_BYTES - 1)
                                               & ~(uintptr_t) (LARGE_PAGE_BYTES - 1));
    if (VirtualAlloc (memory, rounded, MEM_COMMIT, PAGE_READWRITE) == NULL) {
        VirtualFree (all, 0, MEM_RELEASE);
        return NULL;
    }
    memset (memory, 0, rounded);
    *ret_size = rounded;
    return memory;
}

void
dg__memory_free (void *memory, uint64_t size)
{
    MEMORY_BASIC_INFORMATION information;
    if (memory != NULL && VirtualQuery (memory, &information, sizeof information) != 0)
        VirtualFree (information.AllocationBase, 0, MEM_RELEASE);
}

void *
dg__lines_new (size_t size)
{
    return _aligned_malloc (size, 64);
}

void
dg__lines_free (void *lines)
{
    _aligned_free (lines);
}
