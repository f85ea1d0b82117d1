/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/self/mountinfo: its lines, and which mount a path really lies on. Format: Linux
 * Documentation/filesystems/proc.rst, section 3.5. Paths are raw bytes, unescaped. Any thread. */
#pragma once

#include "engine/linux/sysfs.h"

typedef struct {
    uint64_t id, parent;
    uint32_t major, minor;
    char *root, *point, *options, *type, *source, *super_options; /* (owned) by DgMounts.text */
    size_t point_length;                                          /* without slashes at its end */
    uint64_t line_hash;                                           /* of the line as read */
    bool is_visible; /* a path walk to `point` ends here: not overmounted, not below something
                        overmounted */
} DgMount;

typedef struct {
    char *text;
    DgMount *mounts; /* in the kernel's order */
    uint32_t n_mounts;
} DgMounts;

/* DG_ERROR_SYSTEM (no mountinfo), DG_ERROR_NO_MEMORY. Lines that make no sense are left out. */
int dg__mounts_read (const DgSys *sys, DgMounts *ret_mounts);

/* The index of the mount that an absolute path without links, "." and ".." lies on; -1 if there is
 * none. */
int dg__mounts_find (const DgMounts *mounts, const char *path);

/* Is `name` one of the comma-separated options; `name=` finds a value's start. (nullable), points
 * into options. */
const char *dg__mount_option (const char *options, const char *name);

bool dg__mount_is_read_only (const DgMount *mount);

void dg__mounts_done (DgMounts *mounts);
