/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/data.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE_BYTES ((uint64_t) 2 << 20)

void *
dg__memory_new (size_t size, uint64_t *ret_size)
{
    uint64_t rounded = ((uint64_t) size + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
    if (size == 0 || rounded < size)
        return NULL;

    /* Two mebibytes more, of which what lies outside the aligned part goes back at once. */
    unsigned char *all = mmap (NULL, rounded + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    uint64_t before =
        (HUGE_PAGE_BYTES - ((uintptr_t) all & (HUGE_PAGE_BYTES - 1))) & (HUGE_PAGE_BYTES - 1);
    unsigned char *memory = all + before;
    if (before > 0)
        munmap (all, before);
    if (before < HUGE_PAGE_BYTES)
        munmap (memory + rounded, HUGE_PAGE_BYTES - before);

    /* With huge pages a request of 1 MiB is one segment instead of 256. Refused, it works all the
     * same. */
    madvise (memory, rounded, MADV_HUGEPAGE);
    memset (memory, 0, rounded);
    *ret_size = rounded;
    return memory;
}

void
dg__memory_free (void *memory, uint64_t size)
{
    if (memory != NULL)
        munmap (memory, size);
}

void *
dg__lines_new (size_t size)
{
    return aligned_alloc (64, (size + 63) & ~(size_t) 63);
}

void
dg__lines_free (void *lines)
{
    free (lines);
}
