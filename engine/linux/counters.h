/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Linux: what block devices counted (Documentation/admin-guide/iostats.rst,
 * Documentation/block/stat.rst). `sysfs` NULL = "/sys". */
#pragma once

#include "engine/linux/file-mount.h"
#include "engine/test-file.h"

#include <stdbool.h>
#include <stdint.h>

/* What the devices and all that lies below them are like. */
typedef struct {
    bool
        has_caching_loop; /* a loop device without direct I/O (loop/dio 0) somewhere in the stack */
    uint32_t logical_block_bytes,
        physical_block_bytes; /* the largest of `devices` themselves; 0 = unknown */
} DgDeviceTraits;

void dg__device_traits (const char *sysfs, const DgDevices *devices, DgDeviceTraits *ret_traits);

/* The whole drives below `devices`: of a partition its disk, of dm, md and bcache what lies below,
 * through slaves/. Each once; none when there are more than DG_MAX_DEVICES. */
void dg__devices_below (const char *sysfs, const DgDevices *devices, DgDevices *ret_drives);

typedef struct DgCounters DgCounters;

/* Opens the counters of `devices`. NULL when there are none, one cannot be opened, or it is told
 * not to count (queue/iostats 0). */
DgCounters *dg__counters_open (const char *sysfs, const DgDevices *devices);

/* Their sum now; all DG_UNKNOWN_U64 when `counters` is NULL, a device has gone, or one has never
 * counted anything (multipath NVMe heads of old kernels). Allocates nothing. */
void dg__counters_read (const DgCounters *counters, DgDriveCounters *ret_sum);

/* NULL-safe. */
void dg__counters_close (DgCounters *counters);
