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
