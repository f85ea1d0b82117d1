/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drives of this machine and the file systems on them. Pure reading: no root, no writing, nothing is commanded. May block on a file
 * system that does not answer only where a function says so. */
#pragma once

#include "engine/error.h"
#include "engine/link.h"

#include <stdbool.h>
#include <stdint.h>

/* Where to read, for tests; NULL members (or a NULL pointer) mean the system's own. Linux only. */
typedef struct {
    const char *sysfs; /* "/sys" */
    const char *proc;  /* "/proc": self/mountinfo, partitions */
    const char *run;   /* "/run": udev/data */
    const char *dev;   /* "/dev": disk/by-*, mapper */
    const char *sandbox_info; /* "/.flatpak-info": there means inside a sandbox */
} DgRoots;

/* A whole drive. Strings: (owned) (nullable), valid UTF-8, untrusted, trimmed. 0 or -1 = unknown as said. */
typedef struct {
    char *name;                    /* kernel name of the whole disk: "nvme0n1", "sda"; Windows: "PhysicalDrive0" */
    char *model, *vendor, *firmware, *serial;
    uint64_t size_bytes;           /* 0 = unknown */
    int rotational, removable;     /* 1, 0, -1 = unknown (BOT says 1 whatever the drive is: then -1) */
    uint32_t logical_block_bytes, physical_block_bytes; /* 0 = unknown */
    char *write_cache;             /* "write back", "write through" */
    char *scheduler;               /* the active one: "none", "mq-deadline" */
    uint32_t queue_limit;          /* nr_requests or the device's queue depth, the smaller; 0 = unknown */
    int is_encrypted;              /* a dm-crypt or BitLocker layer above it; -1 = unknown */
    bool is_virtual;               /* loop, ram, zram, null_blk, virtio, ... */
    bool is_external;              /* plugged in from outside: USB, SD, Thunderbolt; false = built in or unknown */
    DgLink *link;                  /* (owned) never NULL */
} DgDrive;

typedef enum {
    DG_TARGET_USABLE,
    DG_TARGET_NOT_MOUNTED,
    DG_TARGET_READ_ONLY,
    DG_TARGET_NO_PERMISSION,       /* no folder on it can be written to by this user */
    DG_TARGET_NO_ANSWER,           /* statfs or open did not return in time */
    DG_TARGET_NOT_A_DISK,          /* pseudo file systems, a sandbox's RAM folder, document portal */
    DG_TARGET_FULL,                /* not even the reserve is free */
} DgTargetUse;

typedef enum {
    DG_FS_DISK,                    /* an ordinary file system on block devices */
    DG_FS_MEMORY,                  /* tmpfs, ramfs */
    DG_FS_NETWORK,
    DG_FS_FUSE,
    DG_FS_OVERLAY,
    DG_FS_9P,
    DG_FS_ZFS,
    DG_FS_PSEUDO,                  /* proc, sysfs, devtmpfs, ...: never measured */
} DgFsKind;

/* A mounted file system (or a whole drive without one: mount == NULL). `mount`, `folder`, `source` and `options` are raw bytes as the
 * system has them (they must work as paths); the others are valid UTF-8. All are untrusted. */
typedef struct {
    char *mount;                   /* (owned) (nullable) mount point */
    char *folder;                  /* (owned) (nullable) the folder in it that would be used: the first writable of mount root, $HOME,
                                      $XDG_CACHE_HOME, /var/tmp on that file system */
    char *source;                  /* (owned) (nullable) "/dev/sda1", "server:/export" */
    char *label, *uuid;            /* (owned) (nullable) of the file system */
    char *filesystem;              /* (owned) (nullable) "ext4", "exfat", "fuse.sshfs", ... */
    char *options;                 /* (owned) (nullable) mount options */
    DgFsKind fs_kind;
    uint64_t size_bytes, free_bytes; /* free to this user; 0 size = unknown */
    uint32_t block_bytes;          /* the file system's block, 0 = unknown */
    char **layers;                 /* (owned) between file system and drive, top first: "crypt dm-0 (luks-…)", "lvm dm-1", "raid1 md0" */
    uint32_t n_layers;
    uint64_t partition_start_bytes; /* UINT64_MAX = unknown or no partition */
    uint32_t *drives;              /* (owned) indices into DgTargetList.drives of the drives below it; none for network, tmpfs, ... */
    uint32_t n_drives;
    uint64_t mount_order;          /* later mounts are greater (the line in mountinfo; ids are used again) */
    char *mount_device;            /* (owned) (nullable) kernel name of the device mounted: "sda1", "dm-0" */
    bool is_sandbox_ram;           /* inside a sandbox: a folder that is RAM, not the host's */
    bool is_home;                  /* $HOME lies on it */
    bool is_compressed, is_copy_on_write, is_encrypted; /* as mount options, type and layers tell */
    DgTargetUse use;
} DgTarget;

typedef struct {
    DgDrive *drives;               /* (owned) */
    uint32_t n_drives;
    DgTarget *targets;             /* (owned) grouped by drive; drives without a target have one with mount == NULL */
    uint32_t n_targets;
    bool in_sandbox;
} DgTargetList;

/* Lists everything. statfs and access run in helper threads, all at once, with 1 s together (Windows: 2 s); a mount that does not answer is NO_ANSWER, its
 * thread is left behind, and it is not asked again by this process before its line in mountinfo changes or the late answer has come.
 * Pseudo file systems, read-only images in files and RAM that nobody may write to are not listed; a file system mounted in several places is listed once. DG_ERROR_NO_MEMORY,
 * DG_ERROR_SYSTEM (no mountinfo). Any thread; not the GUI's. */
int dg_targets_list (const DgRoots *roots, DgTargetList **ret_list);

/* The target that `path` (absolute or relative, must exist) lies on, as a list with exactly one target (and its drives); its `folder` is the
 * given path made absolute. Codes: DG_ERROR_NOT_FOUND, _NOT_DIRECTORY (a file, FIFO, device node), _NOT_PERMITTED, _TIMED_OUT, _NOT_A_DISK, _READ_ONLY, _NO_SPACE (not even the reserve is free), _GONE (nobody is behind the mount),
 * each with the list still set when the mount was found, so that a caller can say more. May block up to 2 s. Any thread. */
int dg_targets_find (const DgRoots *roots, const char *path, DgTargetList **ret_list, DgErrorDetail *ret_detail);

/* The best first choice (DESIGN section 7): the external usable drive mounted last, else the file system of $HOME; -1 if none. */
int dg_targets_default (const DgTargetList *list);

/* Bytes that must stay free on it: clamp (2 % of the file system, 64 MiB, 2 GiB). */
uint64_t dg_targets_reserve_bytes (uint64_t size_bytes);

/* NULL-safe. */
void dg_targets_free (DgTargetList *list);

/* Engine-internal: what one target owns. */
void dg__target_done (DgTarget *target);
