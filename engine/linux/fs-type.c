/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Magic numbers: linux/magic.h and, for those that it lacks, the file systems' own headers in the
 * kernel tree. */
#include "engine/linux/fs-type.h"

#include <stddef.h>
#include <string.h>

enum {
    TRAIT_ORPHANS = 1, /* recovers orphans, see dg__fs_recovers_orphans () */
    TRAIT_COW = 2,
    TRAIT_FAT = 4,
    TRAIT_BTRFS = 8,
    TRAIT_IN_ORDER = 16, /* see dg__fs_allocates_ahead () */
};

typedef struct {
    uint32_t magic;
    DgFsKind kind;
    unsigned traits;
} Magic;

static const Magic magics[] = {
    { 0x0000EF53, DG_FS_DISK, TRAIT_ORPHANS }, /* ext2, ext3, ext4 */
    { 0x58465342, DG_FS_DISK, TRAIT_ORPHANS }, /* XFS */
    { 0x9123683E, DG_FS_DISK, TRAIT_ORPHANS | TRAIT_COW | TRAIT_BTRFS },
    { 0xF2F52010, DG_FS_DISK, TRAIT_ORPHANS },              /* F2FS */
    { 0xCA451A4E, DG_FS_DISK, TRAIT_ORPHANS | TRAIT_COW },  /* bcachefs */
    { 0x00003434, DG_FS_DISK, TRAIT_COW },                  /* NILFS2 */
    { 0x00004D44, DG_FS_DISK, TRAIT_FAT | TRAIT_IN_ORDER }, /* msdos, vfat */
    { 0x2011BAB0, DG_FS_DISK, 0 },                          /* exFAT */
    { 0x5346544E, DG_FS_DISK, 0 },                          /* ntfs */
    { 0x7366746E, DG_FS_DISK, TRAIT_IN_ORDER },             /* ntfs3 */
    { 0x01021994, DG_FS_MEMORY, TRAIT_ORPHANS },            /* tmpfs */
    { 0x858458F6, DG_FS_MEMORY, TRAIT_ORPHANS },            /* ramfs */
    { 0x794C7630, DG_FS_OVERLAY, TRAIT_ORPHANS },
    { 0x2FC12FC1, DG_FS_ZFS, TRAIT_ORPHANS | TRAIT_COW },
    { 0x01021997, DG_FS_9P, 0 },
    { 0x65735546, DG_FS_FUSE, 0 },
    { 0x00006969, DG_FS_NETWORK, 0 }, /* NFS */
    { 0xFF534D42, DG_FS_NETWORK, 0 }, /* CIFS */
    { 0xFE534D42, DG_FS_NETWORK, 0 }, /* SMB2 */
    { 0x0000517B, DG_FS_NETWORK, 0 }, /* SMB */
    { 0x5346414F, DG_FS_NETWORK, 0 }, /* AFS */
    { 0x6B414653, DG_FS_NETWORK, 0 }, /* kAFS */
    { 0x73757245, DG_FS_NETWORK, 0 }, /* Coda */
    { 0x0000564C, DG_FS_NETWORK, 0 }, /* NCP */
    { 0x00C36400, DG_FS_NETWORK, 0 }, /* Ceph */
    { 0x01161970, DG_FS_NETWORK, 0 }, /* GFS2: shared block storage with cluster locks */
    { 0x7461636F, DG_FS_NETWORK, 0 }, /* OCFS2 */
    { 0x0BD00BD0, DG_FS_NETWORK, 0 }, /* Lustre */
    { 0x20030528, DG_FS_NETWORK, 0 }, /* OrangeFS */
    { 0x786F4256, DG_FS_NETWORK, 0 }, /* VirtualBox shared folder */
    { 0xBACBACBC, DG_FS_NETWORK, 0 }, /* VMware shared folder */
    { 0x00009FA0, DG_FS_PSEUDO, 0 },  /* proc */
    { 0x62656572, DG_FS_PSEUDO, 0 },  /* sysfs */
    { 0x00001CD1, DG_FS_PSEUDO, 0 },  /* devpts */
    { 0x0027E0EB, DG_FS_PSEUDO, 0 },  /* cgroup */
    { 0x63677270, DG_FS_PSEUDO, 0 },  /* cgroup2 */
    { 0x64626720, DG_FS_PSEUDO, 0 },  /* debugfs */
    { 0x74726163, DG_FS_PSEUDO, 0 },  /* tracefs */
    { 0x73636673, DG_FS_PSEUDO, 0 },  /* securityfs */
    { 0xF97CFF8C, DG_FS_PSEUDO, 0 },  /* selinuxfs */
    { 0x43415D53, DG_FS_PSEUDO, 0 },  /* smackfs */
    { 0xCAFE4A11, DG_FS_PSEUDO, 0 },  /* bpf */
    { 0x6165676C, DG_FS_PSEUDO, 0 },  /* pstore */
    { 0xDE5E81E4, DG_FS_PSEUDO, 0 },  /* efivarfs */
    { 0x958458F6, DG_FS_PSEUDO, 0 },  /* hugetlbfs */
    { 0x42494E4D, DG_FS_PSEUDO, 0 },  /* binfmt_misc */
    { 0x62656570, DG_FS_PSEUDO, 0 },  /* configfs */
    { 0x19800202, DG_FS_PSEUDO, 0 },  /* mqueue */
    { 0x00000187, DG_FS_PSEUDO, 0 },  /* autofs: what is mounted on it has its own type */
    { 0x6E736673, DG_FS_PSEUDO, 0 },  /* nsfs */
    { 0x67596969, DG_FS_PSEUDO, 0 },  /* rpc_pipefs */
};

typedef struct {
    const char *name;
    DgFsKind kind;
} Name;

static const Name names[] = {
    { "tmpfs", DG_FS_MEMORY },
    { "ramfs", DG_FS_MEMORY },
    { "rootfs", DG_FS_MEMORY },
    { "overlay", DG_FS_OVERLAY },
    { "aufs", DG_FS_OVERLAY },
    { "ecryptfs", DG_FS_OVERLAY },
    { "9p", DG_FS_9P },
    { "zfs", DG_FS_ZFS },
    { "fuse", DG_FS_FUSE },
    { "fuseblk", DG_FS_FUSE },
    { "virtiofs", DG_FS_FUSE },
    { "nfs", DG_FS_NETWORK },
    { "nfs4", DG_FS_NETWORK },
    { "cifs", DG_FS_NETWORK },
    { "smb3", DG_FS_NETWORK },
    { "smbfs", DG_FS_NETWORK },
    { "afs", DG_FS_NETWORK },
    { "coda", DG_FS_NETWORK },
    { "ncpfs", DG_FS_NETWORK },
    { "ceph", DG_FS_NETWORK },
    { "gfs2", DG_FS_NETWORK },
    { "ocfs2", DG_FS_NETWORK },
    { "lustre", DG_FS_NETWORK },
    { "orangefs", DG_FS_NETWORK },
    { "vboxsf", DG_FS_NETWORK },
    { "vmhgfs", DG_FS_NETWORK },
    { "davfs", DG_FS_NETWORK },
    { "proc", DG_FS_PSEUDO },
    { "sysfs", DG_FS_PSEUDO },
    { "devtmpfs", DG_FS_PSEUDO },
    { "devpts", DG_FS_PSEUDO },
    { "cgroup", DG_FS_PSEUDO },
    { "cgroup2", DG_FS_PSEUDO },
    { "cpuset", DG_FS_PSEUDO },
    { "debugfs", DG_FS_PSEUDO },
    { "tracefs", DG_FS_PSEUDO },
    { "securityfs", DG_FS_PSEUDO },
    { "selinuxfs", DG_FS_PSEUDO },
    { "smackfs", DG_FS_PSEUDO },
    { "bpf", DG_FS_PSEUDO },
    { "pstore", DG_FS_PSEUDO },
    { "efivarfs", DG_FS_PSEUDO },
    { "hugetlbfs", DG_FS_PSEUDO },
    { "binfmt_misc", DG_FS_PSEUDO },
    { "configfs", DG_FS_PSEUDO },
    { "mqueue", DG_FS_PSEUDO },
    { "autofs", DG_FS_PSEUDO },
    { "nsfs", DG_FS_PSEUDO },
    { "rpc_pipefs", DG_FS_PSEUDO },
    { "fusectl", DG_FS_PSEUDO },
    { "nfsd", DG_FS_PSEUDO },
    { "resctrl", DG_FS_PSEUDO },
    { "functionfs", DG_FS_PSEUDO },
    { "sockfs", DG_FS_PSEUDO },
    { "pipefs", DG_FS_PSEUDO },
    { "bdev", DG_FS_PSEUDO },
    { "fuse.portal", DG_FS_PSEUDO },
    { "fuse.lxcfs", DG_FS_PSEUDO },
    { "fuse.sshfs", DG_FS_FUSE },
};

static const Magic *
find_magic (uint64_t f_type)
{
    /* f_type is a signed long on some systems: only the low 32 bits are the magic. */
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (magics[i].magic == (uint32_t) f_type)
            return &magics[i];
    return NULL;
}

static bool
has_trait (uint64_t f_type, unsigned trait)
{
    const Magic *m = find_magic (f_type);
    return m != NULL && (m->traits & trait) != 0;
}

DgFsKind
dg__fs_kind_from_magic (uint64_t f_type)
{
    const Magic *m = find_magic (f_type);
    return m == NULL ? DG_FS_DISK : m->kind;
}

DgFsKind
dg__fs_kind_from_name (const char *type)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp (names[i].name, type) == 0)
            return names[i].kind;
    return strncmp (type, "fuse.", 5) == 0 ? DG_FS_FUSE : DG_FS_DISK;
}

DgFsKind
dg__fs_kind (uint64_t f_type, const char *type)
{
    DgFsKind by_magic = dg__fs_kind_from_magic (f_type);
    DgFsKind by_name = type == NULL ? DG_FS_DISK : dg__fs_kind_from_name (type);
    if (by_magic == DG_FS_PSEUDO || by_name == DG_FS_PSEUDO)
        return DG_FS_PSEUDO;
    return by_name != DG_FS_DISK ? by_name : by_magic;
}

bool
dg__fs_recovers_orphans (uint64_t f_type)
{
    return has_trait (f_type, TRAIT_ORPHANS);
}

bool
dg__fs_is_copy_on_write (uint64_t f_type)
{
    return has_trait (f_type, TRAIT_COW);
}

uint64_t
dg__fs_max_file_bytes (uint64_t f_type)
{
    return has_trait (f_type, TRAIT_FAT) ? UINT32_MAX : UINT64_MAX;
}

bool
dg__fs_allocates_ahead (uint64_t f_type)
{
    return !has_trait (f_type, TRAIT_IN_ORDER);
}

bool
dg__fs_is_btrfs (uint64_t f_type)
{
    return has_trait (f_type, TRAIT_BTRFS);
}

uint64_t
dg__fs_reserve_bytes (uint64_t size_bytes)
{
    const uint64_t least = UINT64_C (64) << 20, most = UINT64_C (2) << 30;
    uint64_t wanted = size_bytes / 50;
    return wanted < least ? least : wanted > most ? most : wanted;
}
