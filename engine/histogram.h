/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-linear latency histogram. Values are nanoseconds. With S = DG_HISTOGRAM_SUB_BITS a value v < 2^S has the bucket v; any other
 * has, with e = floor(log2 v),  index = (e - S + 1) * 2^S + ((v >> (e - S)) & (2^S - 1)).
 * Bucket i >= 2^S covers [(2^S + i % 2^S) << (i / 2^S - 1), that + (1 << (i / 2^S - 1)) - 1]. The greatest error of a value read back
 * from its bucket's middle is 1/2^(S+1) < 1.6 %. Saved documents state `index` and `sub_bits` and depend on this formula. The functions are pure: any
 * thread, as long as nobody else changes the histogram meanwhile. None can fail. */
#pragma once

#include <stdint.h>

#define DG_HISTOGRAM_SUB_BITS 6u
#define DG_HISTOGRAM_BUCKETS  ((64u - DG_HISTOGRAM_SUB_BITS + 1u) << DG_HISTOGRAM_SUB_BITS) /* every uint64_t has one */

typedef struct {
    uint64_t counts[DG_HISTOGRAM_BUCKETS];
} DgHistogram;

static inline uint32_t
dg_histogram_index (uint64_t value_ns)
{
    if (value_ns < (1u << DG_HISTOGRAM_SUB_BITS))
        return (uint32_t) value_ns;
    uint32_t e = 63u - (uint32_t) __builtin_clzll (value_ns);
    return ((e - DG_HISTOGRAM_SUB_BITS + 1u) << DG_HISTOGRAM_SUB_BITS)
           + (uint32_t) ((value_ns >> (e - DG_HISTOGRAM_SUB_BITS)) & ((1u << DG_HISTOGRAM_SUB_BITS) - 1u));
}

/* The middle of bucket `index` (< DG_HISTOGRAM_BUCKETS), rounded down, in ns. */
uint64_t dg_histogram_middle_ns (uint32_t index);

/* Adds `from` to `to`. */
void dg_histogram_merge (DgHistogram *to, const DgHistogram *from);

/* Sum of all counts. */
uint64_t dg_histogram_total (const DgHistogram *histogram);

/* The value below which `per_mille` thousandths (0 to 1000; 500 = p50, 999 = p99.9) of the entries lie: the bucket of the entry with rank
 * ceil(total * per_mille / 1000), its middle, clamped to [min_ns, max_ns]. 0 for an empty histogram. */
uint64_t dg_histogram_percentile_ns (const DgHistogram *histogram, uint32_t per_mille, uint64_t min_ns, uint64_t max_ns);
