/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Linux: what a file system's type means for measuring. Pure tables; any thread.
 */
#pragma once

#include "engine/targets.h"

#include <stdbool.h>
#include <stdint.h>

/* By statfs (2) f_type; an unknown one is DG_FS_DISK. FUSE and virtiofs share a magic: the name
 * tells more where there is one. */
DgFsKind dg__fs_kind_from_magic (uint64_t f_type);

/* By the type's name in /proc/self/mountinfo: "ext4", "fuseblk", "fuse.sshfs", "nfs4"; an unknown
 * one is DG_FS_DISK. "fuse.portal" (the document portal) is DG_FS_PSEUDO. */
DgFsKind dg__fs_kind_from_name (const char *type);

/* Both known: the stricter of the two (pseudo, else the first that is not DG_FS_DISK, the name's
 * before the magic's). `type` may be NULL. */
DgFsKind dg__fs_kind (uint64_t f_type, const char *type);

/* True where an open file without a name costs nothing after a crash or a pulled plug: the file
 * system frees it at the next mount (or forgets everything). False for FAT, exFAT, NTFS, FUSE,
 * network and all that is not known. */
bool dg__fs_recovers_orphans (uint64_t f_type);

/* Overwriting goes to new blocks: btrfs, ZFS, bcachefs, NILFS2. */
bool dg__fs_is_copy_on_write (uint64_t f_type);

/* The largest file it can hold, UINT64_MAX where that is no limit worth asking (FAT: 4 GiB - 1). */
uint64_t dg__fs_max_file_bytes (uint64_t f_type);

/* fallocate (2) really reserves, and what it reserved may be written in any order. FAT fills with
 * zeros through the page cache instead, and ntfs3 does so for the gap before a write beyond what
 * has been written. */
bool dg__fs_allocates_ahead (uint64_t f_type);

bool dg__fs_is_btrfs (uint64_t f_type);

/* Bytes that stay free: clamp (2 % of the file system, 64 MiB, 2 GiB). */
uint64_t dg__fs_reserve_bytes (uint64_t size_bytes);
