/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file systems there are, what lies below them, which folder is used, and why one is refused.
 */
#include "tests/engine/check.h"
#include "tests/engine/tree.h"

#include <sys/stat.h>
#include <unistd.h>

#define DISK "size=1000000\nqueue/rotational=0\nremovable=0\n"

static Tree tree;
static DgTargetList *list;

static void
begin (void)
{
    tree_init (&tree);
    chmod (tree.root, 0755);
    setenv ("HOME", "/nonexistent", 1);
    unsetenv ("XDG_CACHE_HOME");
}

static void
end (void)
{
    dg_targets_free (list);
    list = NULL;
    tree_done (&tree);
}

static void
relist (void)
{
    dg_targets_free (list);
    list = NULL;
    CHECK_U64 (dg_targets_list (&tree.roots, &list), 0);
    if (!list)
        list = calloc (1, sizeof *list);
}

static const char *
full (const char *path)
{
    static char buffers[4][4096];
    static unsigned n;
    char *buffer = buffers[n++ % 4];

    snprintf (buffer, sizeof buffers[0], "%s/%s", tree.root, path);
    return buffer;
}

static DgTarget none;

static DgTarget *
by_source (const char *source)
{
    for (uint32_t i = 0; i < list->n_targets; i++)
        if (list->targets[i].source && strcmp (list->targets[i].source, source) == 0)
            return &list->targets[i];
    check_failures++;
    printf ("# nothing from %s\n", source);
    return &none;
}

static int
find (const char *path)
{
    DgErrorDetail detail = { 0 };
    int code;

    dg_targets_free (list);
    list = NULL;
    code = dg_targets_find (&tree.roots, path, &list, &detail);
    if (list)
        CHECK_U64 (list->n_targets, 1);
    return code;
}

static void
check_drives (const DgTarget *target, const char *names)
{
    char text[256] = "";

    for (uint32_t i = 0; i < target->n_drives; i++)
        snprintf (text + strlen (text), sizeof text - strlen (text), "%s%s", i ? " " : "",
                  list->drives[target->drives[i]].name);
    CHECK_TEXT (text, names);
}

static void
check_layers (const DgTarget *target, const char *layers)
{
    char text[512] = "";

    for (uint32_t i = 0; i < target->n_layers; i++)
        snprintf (text + strlen (text), sizeof text - strlen (text), "%s%s", i ? ", " : "",
                  target->layers[i]);
    CHECK_TEXT (text, layers);
}

/* Root may write everywhere, which tells nothing about the choice of folders. */
static void
be_nobody (bool nobody)
{
    if (getuid () == 0)
        CHECK_U64 (seteuid (nobody ? 65534 : 0), 0);
}

static void
paths_and_escapes (void)
{
    unsigned root, data;

    begin ();
    tree_folder (&tree, "mnt/my disk\\é");
    tree_folder (&tree, "mnt/data/inner/deep");
    root = tree_mount (&tree, 1, "8:1", "/", "mnt", "rw", "ext4", "/dev/a", "rw");
    tree_mount (&tree, root, "8:2", "/", "mnt/my\\040disk\\134é", "rw", "ext4", "/dev/b\\011c",
                "rw");
    data = tree_mount (&tree, root, "8:3", "/", "mnt/data", "rw", "xfs", "/dev/d", "rw");
    tree_mount (&tree, data, "8:4", "/", "mnt/data/inner", "rw", "xfs", "/dev/e", "rw");
    relist ();
    CHECK_TEXT (by_source ("/dev/b\tc")->mount, full ("mnt/my disk\\é"));
    CHECK_U64 (by_source ("/dev/b\tc")->use, DG_TARGET_USABLE);
    CHECK_U64 (find (full ("mnt/data/inner/deep")), 0);
    CHECK_TEXT (list->targets[0].source, "/dev/e");
    CHECK_TEXT (list->targets[0].folder, full ("mnt/data/inner/deep"));
    CHECK_U64 (find (full ("mnt/data")), 0);
    CHECK_TEXT (list->targets[0].source, "/dev/d");
    tree_folder (&tree, "mnt/database");
    CHECK_U64 (find (full ("mnt/database")), 0);
    CHECK_TEXT (list->targets[0].source, "/dev/a");
    end ();
}

static void
overmounts (void)
{
    unsigned root, first, second;

    begin ();
    tree_folder (&tree, "mnt/x/y");
    root = tree_mount (&tree, 1, "8:1", "/", "mnt", "rw", "ext4", "/dev/root", "rw");
    tree_mount (&tree, root, "8:2", "/", "mnt/x/y", "rw", "ext4", "/dev/hidden-below", "rw");
    first = tree_mount (&tree, root, "8:3", "/", "mnt/x", "rw", "ext4", "/dev/covered", "rw");
    second = tree_mount (&tree, first, "8:4", "/", "mnt/x", "rw", "ext4", "/dev/top", "rw");
    relist ();
    CHECK_U64 (list->n_targets, 2);
    CHECK_TEXT (by_source ("/dev/top")->mount, full ("mnt/x"));
    CHECK_U64 (find (full ("mnt/x/y")), 0);
    CHECK_TEXT (list->targets[0].source, "/dev/top");
    tree_mount (&tree, second, "8:5", "/", "mnt/x/y", "rw", "ext4", "/dev/on-top", "rw");
    CHECK_U64 (find (full ("mnt/x/y")), 0);
    CHECK_TEXT (list->targets[0].source, "/dev/on-top");
    end ();
}

static void
bind_mounts_once (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (&tree, "platform/x/block/sda/sda2", "8:2", "partition=2\nstart=4096\nsize=9\n");
    tree_file (&tree, "etc/hosts", "");
    tree_mount (&tree, 1, "8:2", "/containers/1/hosts", "etc/hosts\\040", "rw", "ext4", "/dev/sda2",
                "rw");
    tree_mount (&tree, 1, "8:2", "/srv/deep", "srv/deep", "rw", "ext4", "/dev/sda2", "rw");
    tree_mount (&tree, 1, "8:2", "/", "mnt", "rw", "ext4", "/dev/sda2", "rw");
    relist ();
    CHECK_U64 (list->n_targets, 1);
    CHECK_TEXT (list->targets[0].mount, full ("mnt"));
    CHECK_U64 (list->targets[0].partition_start_bytes, 4096 * 512);
    CHECK_TEXT (list->targets[0].mount_device, "sda2");
    check_drives (&list->targets[0], "sda");
    end ();

    /* Only a file of it is to be seen: the drive is told as not mounted, the file is no target. */
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_folder (&tree, "etc");
    tree_file (&tree, "etc/hosts", "");
    tree_mount (&tree, 1, "8:0", "/containers/1/hosts", full ("etc/hosts"), "rw", "ext4",
                "/dev/sda", "rw");
    relist ();
    CHECK_U64 (list->n_targets, 1);
    CHECK (list->targets[0].mount == NULL);
    CHECK_U64 (list->targets[0].use, DG_TARGET_NOT_MOUNTED);
    end ();
}

static void
choice_of_folder (void)
{
    begin ();
    tree_folder (&tree, "mnt/home/me");
    tree_folder (&tree, "mnt/cache");
    tree_folder (&tree, "other");
    tree_mount (&tree, 1, "8:1", "/", "mnt", "rw", "ext4", "/dev/a", "rw");
    tree_mount (&tree, 1, "8:2", "/", "other", "rw", "ext4", "/dev/b", "rw");
    tree_link (&tree, "home-link", "mnt/home/me");
    setenv ("HOME", full ("home-link"), 1);
    setenv ("XDG_CACHE_HOME", full ("mnt/cache"), 1);
    chmod (full ("mnt"), 0555);
    chmod (full ("other"), 0555);
    chmod (full ("mnt/home/me"), 0777);
    chmod (full ("mnt/cache"), 0777);
    be_nobody (true);
    relist ();
    CHECK_TEXT (by_source ("/dev/a")->mount, full ("mnt"));
    CHECK_TEXT (by_source ("/dev/a")->folder, full ("mnt/home/me"));
    CHECK (by_source ("/dev/a")->is_home);
    CHECK_U64 (by_source ("/dev/b")->use, DG_TARGET_NO_PERMISSION);
    CHECK (by_source ("/dev/b")->folder == NULL);
    CHECK_U64 ((uint64_t) find (full ("other")), (uint64_t) DG_ERROR_NOT_PERMITTED);
    CHECK (list && list->targets[0].use == DG_TARGET_NO_PERMISSION);
    be_nobody (false);
    chmod (full ("mnt/home/me"), 0555);
    be_nobody (true);
    relist ();
    CHECK_TEXT (by_source ("/dev/a")->folder, full ("mnt/cache"));
    be_nobody (false);
    chmod (full ("mnt"), 0777);
    be_nobody (true);
    relist ();
    CHECK_TEXT (by_source ("/dev/a")->folder, full ("mnt"));
    be_nobody (false);

    /* Another mount of the same file system, where the user may write. */
    chmod (full ("mnt"), 0555);
    setenv ("HOME", "/nonexistent", 1);
    unsetenv ("XDG_CACHE_HOME");
    tree_mount (&tree, 1, "8:1", "/shared", "shared", "rw", "ext4", "/dev/a", "rw");
    chmod (full ("shared"), 0777);
    be_nobody (true);
    relist ();
    CHECK_TEXT (by_source ("/dev/a")->folder, full ("shared"));
    CHECK_TEXT (by_source ("/dev/a")->mount, full ("shared"));
    be_nobody (false);
    end ();
}

static void
refusals (void)
{
    unsigned kernel, devices;

    begin ();
    tree_file (&tree, "mnt/file", "");
    tree_mount (&tree, 1, "8:1", "/", "mnt", "rw", "ext4", "/dev/a", "rw");
    tree_mount (&tree, 1, "8:2", "/", "ro-mount", "ro,relatime", "ext4", "/dev/b", "rw");
    tree_mount (&tree, 1, "8:3", "/", "ro-system", "rw,relatime", "ext4", "/dev/c",
                "ro,errors=remount-ro");
    tree_mount (&tree, 1, "0:20", "/", "pseudo", "rw", "proc", "proc", "rw");
    kernel = tree_mount (&tree, 1, "0:22", "/", "kernel", "rw", "sysfs", "sysfs", "rw");
    tree_mount (&tree, kernel, "0:28", "/", "kernel/fs/cgroup", "rw", "tmpfs", "groups", "rw");
    devices = tree_mount (&tree, 1, "0:6", "/", "devices", "rw", "devtmpfs", "devtmpfs", "rw");
    tree_mount (&tree, devices, "0:23", "/", "devices/shm", "rw", "tmpfs", "shm", "rw");
    tree_mount (&tree, 1, "8:4", "/", "dev/data", "rw", "ext4", "/dev/d", "rw");
    tree_mount (&tree, 1, "0:50", "/", "doc", "rw", "fuse.portal", "portal", "rw,user_id=1000");
    tree_mount (&tree, 1, "0:51", "/", "gone", "rw", "ext4", "/dev/gone", "rw");
    tree_remove (&tree, "gone");
    relist ();
    CHECK_U64 (list->n_targets, 6); /* not the groups, a place for mounts of the kernel's */
    CHECK_U64 (by_source ("shm")->use, DG_TARGET_USABLE);
    CHECK_U64 (by_source ("/dev/b")->use, DG_TARGET_READ_ONLY);
    CHECK_U64 (by_source ("/dev/c")->use, DG_TARGET_READ_ONLY);
    CHECK_U64 (by_source ("/dev/d")->use, DG_TARGET_USABLE);
    CHECK_U64 (by_source ("/dev/gone")->use, DG_TARGET_NOT_MOUNTED);
    CHECK_TEXT (by_source ("/dev/c")->options, "rw,relatime,errors=remount-ro");
    CHECK (find (full ("mnt/file")) == DG_ERROR_NOT_DIRECTORY);
    CHECK (list == NULL);
    CHECK (find (full ("mnt/none")) == DG_ERROR_NOT_FOUND);
    CHECK (find ("") == DG_ERROR_NOT_FOUND);
    CHECK (find (full ("pseudo")) == DG_ERROR_NOT_A_DISK);
    CHECK (list && list->targets[0].fs_kind == DG_FS_PSEUDO);
    CHECK (find (full ("doc")) == DG_ERROR_NOT_A_DISK);
    CHECK (find (full ("dev/data")) == 0);
    CHECK (find (full ("ro-mount")) == DG_ERROR_READ_ONLY);
    CHECK (list && list->targets[0].use == DG_TARGET_READ_ONLY);
    tree_link (&tree, "way", "mnt");
    CHECK (find (full ("way/../way/.")) == 0);
    CHECK_TEXT (list ? list->targets[0].folder : NULL, full ("mnt"));
    CHECK (chdir (full ("mnt")) == 0);
    CHECK (find (".") == 0);
    CHECK_TEXT (list ? list->targets[0].folder : NULL, full ("mnt"));
    CHECK (chdir ("/") == 0);
    end ();
}

static void
images (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (&tree, "virtual/block/loop0", "7:0", "size=9\n");
    tree_block (&tree, "virtual/block/loop1", "7:1", "size=9\n");
    tree_mount (&tree, 1, "7:0", "/", "snap", "ro", "squashfs", "/dev/loop0", "ro");
    tree_mount (&tree, 1, "7:1", "/", "loop", "rw", "ext4", "/dev/loop1", "rw");
    tree_mount (&tree, 1, "8:0", "/", "cd", "ro", "iso9660", "/dev/sda", "ro");
    relist ();
    CHECK_U64 (list->n_targets, 2);
    CHECK_U64 (list->n_drives, 2);
    CHECK_U64 (by_source ("/dev/sda")->use, DG_TARGET_READ_ONLY);
    CHECK_U64 (by_source ("/dev/loop1")->use, DG_TARGET_USABLE);
    check_drives (by_source ("/dev/loop1"), "loop1");
    CHECK (list->drives[1].is_virtual);
    end ();
}

static void
sandbox (void)
{
    unsigned home;

    begin ();
    tree_file (&tree, "flatpak-info", "[Application]\n");
    tree_folder (&tree, "home/me");
    home = tree_mount (&tree, 1, "0:60", "/", "home/me", "rw", "tmpfs", "tmpfs", "rw");
    tree_mount (&tree, 1, "0:61", "/", "tmp", "rw", "tmpfs", "other-tmpfs", "rw");
    tree_mount (&tree, home, "8:1", "/home/me/.var/app/x", "home/me/.var/app/x", "rw", "ext4",
                "/dev/a", "rw");
    setenv ("HOME", full ("home/me"), 1);
    relist ();
    CHECK (list->in_sandbox);
    CHECK_U64 (by_source ("tmpfs")->use, DG_TARGET_NOT_A_DISK);
    CHECK (by_source ("tmpfs")->is_sandbox_ram && by_source ("tmpfs")->is_home);
    CHECK_U64 (list->n_targets, 2);
    CHECK_U64 (by_source ("/dev/a")->use, DG_TARGET_USABLE);
    CHECK (dg_targets_default (list) == -1);
    CHECK (find (full ("tmp")) == DG_ERROR_NOT_A_DISK);
    CHECK (list && list->targets[0].is_sandbox_ram);
    tree_remove (&tree, "flatpak-info");
    CHECK (find (full ("tmp")) == 0);
    CHECK (list && list->targets[0].fs_kind == DG_FS_MEMORY && !list->targets[0].is_sandbox_ram);
    end ();
}

static void
luks_on_lvm_on_md (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (&tree, "platform/x/block/sda/sda1", "8:1", "partition=1\nstart=2048\nsize=9\n");
    tree_block (&tree, "platform/x/block/sdb", "8:16", DISK);
    tree_block (&tree, "platform/x/block/sdb/sdb1", "8:17", "partition=1\nstart=2048\nsize=9\n");
    tree_block (&tree, "platform/x/block/sdc", "8:32", DISK);
    tree_block (&tree, "virtual/block/md0", "9:0", "size=9\nmd/level=raid1\n");
    tree_slave (&tree, "virtual/block/md0", "sda1");
    tree_slave (&tree, "virtual/block/md0", "sdb1");
    tree_block (&tree, "virtual/block/dm-0", "253:0", "size=9\ndm/uuid=LVM-abc\ndm/name=vg-home\n");
    tree_slave (&tree, "virtual/block/dm-0", "md0");
    tree_block (&tree, "virtual/block/dm-1", "253:1",
                "size=9\ndm/uuid=CRYPT-LUKS2-abc-luks-1\ndm/name=luks-1\n");
    tree_slave (&tree, "virtual/block/dm-1", "dm-0");
    tree_udev (&tree, "b253:1", "ID_FS_LABEL_ENC=home\\x2fdata\nID_FS_UUID_ENC=0a1b\n");
    tree_mount (&tree, 1, "253:1", "/", "mnt", "rw", "ext4", "/dev/mapper/luks-1", "rw");
    relist ();
    CHECK_U64 (list->n_drives, 3);
    CHECK_U64 (list->n_targets, 2);
    check_drives (&list->targets[0], "sda sdb");
    check_layers (&list->targets[0], "crypt dm-1 (luks-1), lvm dm-0 (vg-home), raid1 md0");
    CHECK (list->targets[0].is_encrypted);
    CHECK_TEXT (list->targets[0].mount_device, "dm-1");
    CHECK_TEXT (list->targets[0].label, "home/data");
    CHECK_TEXT (list->targets[0].uuid, "0a1b");
    CHECK_U64 (list->drives[0].is_encrypted, 1);
    CHECK_U64 (list->drives[1].is_encrypted, 1);
    CHECK_U64 (list->drives[2].is_encrypted, 0);
    check_drives (&list->targets[1], "sdc");
    CHECK_U64 (list->targets[1].use, DG_TARGET_NOT_MOUNTED);
    end ();
}

static void
btrfs_subvolumes (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (&tree, "platform/x/block/sda/sda3", "8:3", "partition=3\nstart=4096\nsize=9\n");
    tree_block (&tree, "platform/x/block/sdb", "8:16", DISK);
    tree_attrs (&tree, "sys/fs/btrfs/11111111-2222", "label=pool\n");
    tree_folder (&tree, "sys/fs/btrfs/features");
    tree_link (&tree, "sys/fs/btrfs/11111111-2222/devices/sda3",
               "../../../../devices/platform/x/block/sda/sda3");
    tree_link (&tree, "sys/fs/btrfs/11111111-2222/devices/sdb",
               "../../../../devices/platform/x/block/sdb");
    tree_mount (&tree, 1, "0:40", "/@", "mnt", "rw,relatime", "btrfs", "/dev/sda3",
                "rw,compress=zstd:3,ssd,subvol=/@");
    tree_mount (&tree, 1, "0:40", "/@home", "mnt/home", "rw,relatime", "btrfs", "/dev/sda3",
                "rw,compress=zstd:3,ssd,subvol=/@home");
    relist ();
    CHECK_U64 (list->n_targets, 1);
    check_drives (&list->targets[0], "sda sdb");
    CHECK_TEXT (list->targets[0].mount, full ("mnt"));
    CHECK_TEXT (list->targets[0].label, "pool");
    CHECK_TEXT (list->targets[0].uuid, "11111111-2222");
    CHECK (list->targets[0].is_compressed && list->targets[0].is_copy_on_write
           && !list->targets[0].is_encrypted);
    CHECK_U64 (list->targets[0].fs_kind, DG_FS_DISK);
    CHECK_U64 (list->targets[0].partition_start_bytes, 4096 * 512);
    end ();
}

static void
not_on_block_devices (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_block (&tree, "platform/x/block/sda/sda1", "8:1", "partition=1\nstart=2048\nsize=9\n");
    tree_block (&tree, "platform/x/block/sdb", "8:16", DISK);
    tree_block (&tree, "platform/x/block/sdb/sdb1", "8:17", "partition=1\nstart=2048\nsize=9\n");
    tree_udev (&tree, "b8:1", "ID_FS_TYPE=zfs_member\nID_FS_LABEL=tank\n");
    tree_link (&tree, "dev/disk/by-label/My\\x20Stick", "../../sdb1");
    tree_link (&tree, "dev/disk/by-uuid/ABCD-1234", "../../sdb1");
    tree_mount (&tree, 1, "0:70", "/", "tank", "rw", "zfs", "tank/home", "rw,xattr");
    tree_mount (&tree, 1, "0:71", "/", "nfs", "rw", "nfs4", "server:/export", "rw,vers=4.2");
    tree_mount (&tree, 1, "8:17", "/", "stick", "rw,nosuid", "fuseblk", "/dev/sdb1",
                "rw,user_id=0,allow_other");
    tree_mount (&tree, 1, "0:72", "/", "sshfs", "rw", "fuse.sshfs", "me@host:/", "rw");
    tree_mount (&tree, 1, "0:73", "/", "merged", "rw", "overlay", "overlay",
                "rw,lowerdir=/l,upperdir=/none,workdir=/w");
    relist ();
    CHECK_U64 (by_source ("tank/home")->fs_kind, DG_FS_ZFS);
    CHECK (by_source ("tank/home")->is_copy_on_write);
    check_drives (by_source ("tank/home"), "sda");
    CHECK_U64 (by_source ("server:/export")->fs_kind, DG_FS_NETWORK);
    CHECK_U64 (by_source ("server:/export")->n_drives, 0);
    CHECK_U64 (by_source ("server:/export")->use, DG_TARGET_USABLE);
    CHECK_U64 (by_source ("/dev/sdb1")->fs_kind, DG_FS_FUSE);
    CHECK_TEXT (by_source ("/dev/sdb1")->label, "My Stick");
    CHECK_TEXT (by_source ("/dev/sdb1")->uuid, "ABCD-1234");
    check_drives (by_source ("/dev/sdb1"), "sdb");
    CHECK_U64 (by_source ("me@host:/")->fs_kind, DG_FS_FUSE);
    CHECK_U64 (by_source ("me@host:/")->n_drives, 0);
    CHECK_U64 (by_source ("overlay")->n_drives, 0);
    end ();

    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_attrs (&tree, "sys/fs/btrfs/11111111-2222", "label=pool\n");
    tree_link (&tree, "sys/fs/btrfs/11111111-2222/devices/sda",
               "../../../../devices/platform/x/block/sda");
    tree_mount (&tree, 1, "0:40", "/", "mnt", "rw", "btrfs", "/dev/sda", "rw");
    char options[600];
    snprintf (options, sizeof options, "rw,lowerdir=/l,upperdir=%s/mnt/upper,workdir=/w",
              tree.root);
    tree_mount (&tree, 1, "0:73", "/", "merged", "rw", "overlay", "overlay", options);
    relist ();
    CHECK_U64 (by_source ("overlay")->fs_kind, DG_FS_OVERLAY);
    check_drives (by_source ("overlay"), "sda");
    check_layers (by_source ("overlay"), "overlay");
    CHECK (!by_source ("overlay")->label
           && !by_source ("overlay")->uuid); /* two targets with one uuid could be mistaken */
    CHECK_TEXT (by_source ("/dev/sda")->uuid, "11111111-2222");
    end ();
}

static void
first_choice (void)
{
    begin ();
    tree_block (&tree, "platform/x/block/sda", "8:0", DISK);
    tree_attrs (&tree, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1",
                "subsystem=->../../bus/usb\nspeed=5000\n");
    tree_attrs (&tree, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0",
                "subsystem=->../../bus/usb\n");
    tree_block (&tree, "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host1/block/sdb", "8:16", DISK);
    tree_block (&tree, "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host1/block/sdc", "8:32", DISK);
    tree_udev (&tree, "b8:32",
               "ID_FS_USAGE=filesystem\nID_FS_TYPE=vfat\nID_FS_LABEL_ENC=OLD\\x20STICK\nID_FS_UUID_"
               "ENC=1-2\n");
    tree_folder (&tree, "home/me");
    tree_mount (&tree, 1, "8:0", "/", "home", "rw", "ext4", "/dev/sda", "rw");
    setenv ("HOME", full ("home/me"), 1);
    relist ();
    CHECK (dg_targets_default (list) >= 0 && list->targets[dg_targets_default (list)].is_home);
    CHECK (list->n_drives == 3 && list->drives[1].is_external && !list->drives[0].is_external);
    CHECK_TEXT (by_source ("/dev/sdc")->label, "OLD STICK");
    CHECK_TEXT (by_source ("/dev/sdc")->filesystem, "vfat");
    CHECK_U64 (by_source ("/dev/sdc")->use, DG_TARGET_NOT_MOUNTED);
    tree_mount (&tree, 1, "8:32", "/", "two", "rw", "vfat", "/dev/sdc", "rw");
    tree_mount (&tree, 1, "8:16", "/", "one", "rw", "vfat", "/dev/sdb", "rw");
    relist ();
    CHECK (dg_targets_default (list) == (int) (by_source ("/dev/sdb") - list->targets));
    CHECK_U64 (list->n_targets, 3);
    CHECK_TEXT (list->targets[1].source, "/dev/sdb"); /* grouped by drive */
    end ();
}

static void
reserve (void)
{
    CHECK_U64 (dg_targets_reserve_bytes (0), UINT64_C (64) << 20);
    CHECK_U64 (dg_targets_reserve_bytes (UINT64_C (10) << 30), (UINT64_C (10) << 30) / 50);
    CHECK_U64 (dg_targets_reserve_bytes (UINT64_C (1) << 40), UINT64_C (2) << 30);
}

static void
nothing_there (void)
{
    DgRoots roots = { "/nonexistent", "/nonexistent", "/nonexistent", "/nonexistent",
                      "/nonexistent" };
    DgTargetList *untouched = (DgTargetList *) &roots;
    DgErrorDetail detail = { 0 };

    CHECK (dg_targets_list (&roots, &untouched) == DG_ERROR_SYSTEM);
    CHECK (dg_targets_find (&roots, "/", &untouched, &detail) == DG_ERROR_SYSTEM);
    CHECK (untouched == (DgTargetList *) &roots);
    dg_targets_free (NULL);

    /* Mounts, but no sysfs. */
    begin ();
    tree_remove (&tree, "sys");
    tree_mount (&tree, 1, "8:1", "/", "mnt", "rw", "ext4", "/dev/sda1", "rw");
    relist ();
    CHECK_U64 (list->n_drives, 0);
    CHECK_U64 (list->n_targets, 1);
    CHECK_U64 (list->targets[0].use, DG_TARGET_USABLE);
    end ();
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "paths and escapes", paths_and_escapes },
        { "overmounts", overmounts },
        { "bind mounts once", bind_mounts_once },
        { "choice of folder", choice_of_folder },
        { "refusals", refusals },
        { "images", images },
        { "sandbox", sandbox },
        { "luks on lvm on md", luks_on_lvm_on_md },
        { "btrfs subvolumes", btrfs_subvolumes },
        { "zfs, network, fuse, overlay", not_on_block_devices },
        { "first choice", first_choice },
        { "reserve", reserve },
        { "nothing there", nothing_there },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
