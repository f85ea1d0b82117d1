/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/data.h"

#include <string.h>

static uint64_t
splitmix (uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t
rotate (uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

void
dg__random_seed (DgRandom *random, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = splitmix (&state) ^ stream;
    for (int i = 0; i < 4; i++)
        random->s[i] = splitmix (&state);
}

void
dg__random_fill (DgRandom *random, void *bytes, size_t size)
{
    /* A copy whose address is never taken by a store: the compiler may keep the state in registers.
     */
    DgRandom local = *random;
    unsigned char *to = bytes;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t value = dg__random_next (&local);
        memcpy (to + i, &value, sizeof value);
    }
    *random = local;
}

/* The first eight bytes of a sector carry the stamp. It runs through an odd constant's multiples
 * from a start that is mixed from all that distinguishes the block: one addition and one store a
 * sector, and no compressor sees a pattern in it. */
void
dg__stamp_sectors (unsigned char *block, uint64_t size, uint64_t run, uint64_t offset_bytes,
                   uint64_t sequence)
{
    uint64_t state = offset_bytes ^ rotate (run, 40);
    uint64_t stamp = splitmix (&state) ^ sequence;
    stamp = splitmix (&stamp);
    for (unsigned char *end = block + size; block < end; block += DG_SECTOR_BYTES) {
        memcpy (block, &stamp, sizeof stamp);
        stamp += 0x9e3779b97f4a7c15u;
    }
}
