/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/histogram.h"

uint64_t
dg_histogram_middle_ns (uint32_t index)
{
    const uint32_t n = 1u << DG_HISTOGRAM_SUB_BITS;
    if (index < n)
        return index;
    uint32_t shift = index / n - 1;
    uint64_t low = (uint64_t) (n + index % n) << shift;
    return low + ((uint64_t) 1 << shift) / 2;
}

void
dg_histogram_merge (DgHistogram *to, const DgHistogram *from)
{
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++)
        to->counts[i] += from->counts[i];
}

uint64_t
dg_histogram_total (const DgHistogram *histogram)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++)
        total += histogram->counts[i];
    return total;
}

uint64_t
dg_histogram_percentile_ns (const DgHistogram *histogram, uint32_t per_mille, uint64_t min_ns,
                            uint64_t max_ns)
{
    uint64_t total = dg_histogram_total (histogram);
    if (total == 0)
        return 0;
    /* ceil (total * per_mille / 1000) without overflow */
    uint64_t rank = total / 1000 * per_mille + (total % 1000 * per_mille + 999) / 1000;
    if (rank == 0)
        rank = 1;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < DG_HISTOGRAM_BUCKETS; i++) {
        seen += histogram->counts[i];
        if (seen >= rank) {
            uint64_t value = dg_histogram_middle_ns (i);
            if (value < min_ns)
                return min_ns;
            return value > max_ns ? max_ns : value;
        }
    }
    return max_ns;
}
