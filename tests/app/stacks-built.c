/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/app/stacks-built.h"

#include <stdio.h>

#define DISK "size=1953525168\nqueue/rotational=0\nremovable=0\n"
#define PART "partition=1\nstart=2048\nsize=1953521664\n"

/* Two SATA-like disks without a known link, each with a partition. */
static void
two_disks (Tree *tree)
{
    tree_block (tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (tree, "platform/x/block/sda/sda1", "8:1", PART);
    tree_block (tree, "platform/x/block/sdb", "8:16", DISK);
    tree_block (tree, "platform/x/block/sdb/sdb1", "8:17", PART);
}

static void
luks_on_lvm_on_md (Tree *tree)
{
    two_disks (tree);
    tree_block (tree, "virtual/block/md0", "9:0", "size=9\nmd/level=raid1\n");
    tree_slave (tree, "virtual/block/md0", "sda1");
    tree_slave (tree, "virtual/block/md0", "sdb1");
    tree_block (tree, "virtual/block/dm-0", "253:0", "size=9\ndm/uuid=LVM-abc\ndm/name=vg-home\n");
    tree_slave (tree, "virtual/block/dm-0", "md0");
    tree_block (tree, "virtual/block/dm-1", "253:1",
                "size=9\ndm/uuid=CRYPT-LUKS2-abc-luks-1\ndm/name=luks-1\n");
    tree_slave (tree, "virtual/block/dm-1", "dm-0");
    tree_mount (tree, 1, "253:1", "/", "mnt", "rw", "ext4", "/dev/mapper/luks-1", "rw");
}

static void
nvme (Tree *tree, unsigned number)
{
    char path[300], lines[300], id[32];

    snprintf (path, sizeof path, "sys/devices/pci0000:00/0000:00:0%u.0", number + 1);
    tree_attrs (tree, path, "subsystem=->../../bus/pci\nclass=0x060400\n");
    snprintf (lines, sizeof lines,
              "subsystem=->../../bus/pci\nclass=0x010802\ncurrent_link_speed=8.0 GT/s "
              "PCIe\ncurrent_link_width=4\nmax_link_speed=8.0 GT/s PCIe\nmax_link_width=4\n");
    snprintf (path, sizeof path, "sys/devices/pci0000:00/0000:00:0%u.0/0000:0%u:00.0", number + 1,
              number + 1);
    tree_attrs (tree, path, lines);
    snprintf (path, sizeof path, "sys/devices/pci0000:00/0000:00:0%u.0/0000:0%u:00.0/nvme/nvme%u",
              number + 1, number + 1, number);
    tree_attrs (tree, path, "subsystem=->../../class/nvme\ntransport=pcie\nmodel=SSD\n");
    snprintf (path, sizeof path, "pci0000:00/0000:00:0%u.0/0000:0%u:00.0/nvme/nvme%u/nvme%un1",
              number + 1, number + 1, number, number);
    snprintf (lines, sizeof lines, DISK "device=->../../nvme%u\n", number);
    snprintf (id, sizeof id, "259:%u", number);
    tree_block (tree, path, id, lines);
}

/* Twice as fast as the link of each: no ceiling may be drawn. */
static void
raid0_on_two_nvme (Tree *tree)
{
    nvme (tree, 0);
    nvme (tree, 1);
    tree_block (tree, "virtual/block/md1", "9:1", "size=9\nmd/level=raid0\n");
    tree_slave (tree, "virtual/block/md1", "nvme0n1");
    tree_slave (tree, "virtual/block/md1", "nvme1n1");
    tree_mount (tree, 1, "9:1", "/", "mnt", "rw", "xfs", "/dev/md1", "rw");
}

static void
btrfs_subvolume (Tree *tree)
{
    two_disks (tree);
    tree_attrs (tree, "sys/fs/btrfs/11111111-2222", "label=pool\n");
    tree_link (tree, "sys/fs/btrfs/11111111-2222/devices/sda1",
               "../../../../devices/platform/x/block/sda/sda1");
    tree_mount (tree, 1, "0:40", "/@home", "mnt", "rw,relatime", "btrfs", "/dev/sda1",
                "rw,compress=zstd:3,ssd,subvol=/@home");
}

static void
zfs (Tree *tree)
{
    two_disks (tree);
    tree_udev (tree, "b8:1", "ID_FS_TYPE=zfs_member\nID_FS_LABEL=tank\n");
    tree_mount (tree, 1, "0:70", "/", "mnt", "rw", "zfs", "tank/home", "rw,xattr");
}

static void
nfs (Tree *tree)
{
    tree_mount (tree, 1, "0:71", "/", "mnt", "rw", "nfs4", "server:/export", "rw,vers=4.2");
}

static void
exfat_by_fuse (Tree *tree)
{
    two_disks (tree);
    tree_udev (tree, "b8:17", "ID_FS_TYPE=exfat\nID_FS_LABEL_ENC=STICK\nID_FS_UUID=ABCD-1234\n");
    tree_mount (tree, 1, "8:17", "/", "mnt", "rw,nosuid", "fuseblk", "/dev/sdb1",
                "rw,user_id=0,allow_other");
}

static void
memory (Tree *tree)
{
    tree_mount (tree, 1, "0:80", "/", "mnt", "rw", "tmpfs", "tmpfs", "rw");
}

const Built stacks[] = {
    { "stack-luks-on-lvm-on-md", luks_on_lvm_on_md },
    { "stack-raid0-on-two-nvme", raid0_on_two_nvme },
    { "stack-btrfs-subvolume", btrfs_subvolume },
    { "stack-zfs", zfs },
    { "stack-nfs", nfs },
    { "stack-exfat-by-fuse", exfat_by_fuse },
    { "stack-tmpfs", memory },
};
const unsigned n_stacks = sizeof stacks / sizeof *stacks;
