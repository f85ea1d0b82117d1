/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/sectors.h"

#include <stdlib.h>
#include <string.h>

static int
compare_sectors (const void *a, const void *b)
{
    return memcmp (*(const unsigned char *const *) a, *(const unsigned char *const *) b, 512);
}

uint64_t
sectors_repeated (const unsigned char *data, uint64_t bytes)
{
    uint64_t n = bytes / 512, repeated = 0;
    const unsigned char **sectors = calloc (n, sizeof *sectors);
    for (uint64_t i = 0; i < n; i++)
        sectors[i] = data + i * 512;
    qsort (sectors, n, sizeof *sectors, compare_sectors);
    for (uint64_t i = 1; i < n; i++)
        repeated += memcmp (sectors[i - 1], sectors[i], 512) == 0;
    free (sectors);
    return repeated;
}
