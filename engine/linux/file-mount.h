/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Linux: which mount an open file lies on. st_dev cannot tell (btrfs gives each
 * subvolume an anonymous one). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DG_MAX_DEVICES 64u

typedef struct {
    uint32_t major, minor;
} DgDeviceNumber;

/* The block devices that a file system lies on. */
typedef struct {
    DgDeviceNumber at[DG_MAX_DEVICES];
    uint32_t n; /* 0: none, or not known */
} DgDevices;

typedef struct {
    char type[64]; /* "ext4", "fuse.sshfs" */
    DgDeviceNumber device;
} DgFileMount;

/* From the mount id in /proc/self/fdinfo (proc (5)) and its line in /proc/self/mountinfo; `proc`
 * NULL = "/proc". False when either cannot be read. */
bool dg__file_mount (const char *proc, int fd, DgFileMount *ret_mount);

/* The devices below `mount`: its own; of btrfs all that belong to it (BTRFS_IOC_FS_INFO and
 * /sys/fs/btrfs, `sysfs` NULL = "/sys"). n = 0 when there is no block device or more than
 * DG_MAX_DEVICES. */
void dg__file_mount_devices (const char *sysfs, int fd, const DgFileMount *mount, bool is_btrfs,
                             DgDevices *ret_devices);
