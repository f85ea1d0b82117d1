/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: what is written (DESIGN section 4.5), and the random numbers behind it. */
#pragma once

#include "engine/plan.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DG_SECTOR_BYTES 512u
/* From one sector's stamp to the next one's: each of eight goes to another cache line of its
 * sector. All in the same line of theirs would crowd an eighth of the sets of each cache. */
#define DG_STAMP_STEP_BYTES 576u
#define DG_PLACES_BYTES     (UINT64_C (1) << 20) /* the unit in which data must not repeat itself */

/* xoshiro256** by Blackman and Vigna (public domain, https://prng.di.unimi.it/). */
typedef struct {
    uint64_t s[4];
} DgRandom;

void dg__random_seed (DgRandom *random, uint64_t seed, uint64_t stream); /* splitmix64 over both */

/* Each word moves alone: stored singly and loaded in pairs, as a vectorizing compiler would have
 * it, the next number would wait 20 ns for the processor's store buffer. */
#define DG__ALONE(word) __asm__("" : "+r"(word))

static inline uint64_t
dg__random_next (DgRandom *random)
{
    uint64_t s0 = random->s[0], s1 = random->s[1], s2 = random->s[2], s3 = random->s[3];
    uint64_t product = s1 * 5, result = ((product << 7) | (product >> 57)) * 9, t = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 45) | (s3 >> 19);
    DG__ALONE (s0);
    DG__ALONE (s1);
    DG__ALONE (s2);
    DG__ALONE (s3);
    random->s[0] = s0;
    random->s[1] = s1;
    random->s[2] = s2;
    random->s[3] = s3;
    return result;
}

void dg__random_fill (DgRandom *random, void *bytes, size_t size); /* size: a multiple of 8 */

/* 2 MiB-aligned zeroed memory, in huge pages where they can be had, touched. NULL when there is
 * none. *ret_size: `size` rounded up to 2 MiB; give that to dg__memory_free (). One implementation
 * a platform (linux/memory.c, windows/memory.c). */
void *dg__memory_new (size_t size, uint64_t *ret_size);
void dg__memory_free (void *memory, uint64_t size);

/* `size` bytes on cache lines of their own (64), not zeroed; NULL when there is none. */
void *dg__lines_new (size_t size);
void dg__lines_free (void *lines); /* NULL-safe */

/* Stamps each sector of a block in place with run, offset and sequence, mixed so that the bytes
 * stay incompressible and no two sectors of a run are equal. The stamp is eight bytes of the
 * sector, in the first line of the first sector, the second of the second, and so on in eights;
 * what is left over has it in front. It runs through an odd constant's multiples from a start that
 * is mixed from all that distinguishes the block: one addition and one store a sector, and no
 * compressor sees a pattern in it. `size`: a multiple of the sector. */
static inline void
dg__stamp_sectors (unsigned char *block, uint64_t size, uint64_t run, uint64_t offset_bytes,
                   uint64_t sequence)
{
    const uint64_t step = 0x9e3779b97f4a7c15u;
    uint64_t stamp = offset_bytes + run * 0xd1342543de82ef95u + sequence * 0xda942042e4dd58b5u;
    stamp = (stamp ^ (stamp >> 30)) * 0xbf58476d1ce4e5b9u;
    stamp = (stamp ^ (stamp >> 27)) * 0x94d049bb133111ebu;
    stamp ^= stamp >> 31;

    unsigned char *end = block + size,
                  *end_of_eights = block + size / (8 * DG_SECTOR_BYTES) * (8 * DG_SECTOR_BYTES);
    for (; block < end_of_eights; block += 8 * DG_SECTOR_BYTES) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            memcpy (block + (size_t) i * DG_STAMP_STEP_BYTES, &stamp, sizeof stamp);
            stamp += step;
        }
    }
    for (; block < end; block += DG_SECTOR_BYTES) {
        memcpy (block, &stamp, sizeof stamp);
        stamp += step;
    }
}
