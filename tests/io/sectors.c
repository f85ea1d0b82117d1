/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/sectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

uint64_t
sectors_xz_bytes (const unsigned char *data, uint64_t bytes)
{
    char raw[] = "/tmp/dg-sectors-XXXXXX", command[128];
    int fd = mkstemp (raw);
    if (fd < 0 || write (fd, data, bytes) != (ssize_t) bytes)
        return UINT64_MAX;
    close (fd);
    snprintf (command, sizeof command, "xz -6 -c %s 2>/dev/null | wc -c", raw);
    FILE *out = popen (command, "r");
    unsigned long long size = 0;
    if (out == NULL || fscanf (out, "%llu", &size) != 1 || size == 0)
        size = UINT64_MAX;
    if (out != NULL)
        pclose (out);
    unlink (raw);
    return size;
}
