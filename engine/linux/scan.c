/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/scan.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/linux/fs-type.h"
#include "engine/linux/links.h"

int
dg__scan_init (DgScan *scan, const DgRoots *roots)
{
    int code;

    *scan = (DgScan){ .sys = dg__sys_init (roots) };
    scan->list = calloc (1, sizeof *scan->list);
    code = scan->list ? dg__mounts_read (&scan->sys, &scan->mounts) : DG_ERROR_NO_MEMORY;
    if (code == 0)
        code = dg__blocks_read (&scan->sys, scan->list, &scan->blocks);
    if (code == 0)
        scan->list->in_sandbox = access (scan->sys.sandbox_info, F_OK) == 0;
    return code;
}

static void
links_done (DgDiskLinks *links)
{
    for (uint32_t i = 0; i < links->n_links; i++) {
        free (links->links[i].device);
        free (links->links[i].text);
    }
    free (links->links);
}

void
dg__scan_done (DgScan *scan)
{
    links_done (&scan->by_label);
    links_done (&scan->by_uuid);
    dg__blocks_done (&scan->blocks);
    dg__mounts_done (&scan->mounts);
    dg_targets_free (scan->list);
    scan->list = NULL;
}

DgTarget *
dg__scan_add_target (DgScan *scan)
{
    DgTargetList *list = scan->list;
    DgTarget *more = list->targets;

    if ((list->n_targets & (list->n_targets - 1)) == 0)
        more =
            realloc (list->targets, (list->n_targets ? list->n_targets * 2u : 1u) * sizeof *more);
    if (!more)
        return NULL;
    list->targets = more;
    more += list->n_targets++;
    *more = (DgTarget){ .partition_start_bytes = UINT64_MAX };
    return more;
}

static void
links_read (const DgSys *sys, const char *folder, DgDiskLinks *links)
{
    char path[DG__PATH_SIZE], device[256];
    struct dirent *entry;
    DIR *dir;

    links->is_read = true;
    if (!dg__path (path, "%s/disk/%s", sys->dev, folder) || !(dir = opendir (path)))
        return;
    while ((entry = readdir (dir))) {
        DgDiskLink link = { 0 }, *more;
        if (!dg__link_name (path, entry->d_name, device, sizeof device))
            continue;
        more = realloc (links->links, (links->n_links + 1) * sizeof *more);
        if (!more)
            break;
        links->links = more;
        dg__udev_decode (entry->d_name);
        link.device = strdup (device);
        link.text = dg__text_dup (entry->d_name, strlen (entry->d_name));
        links->links[links->n_links++] = link;
    }
    closedir (dir);
}

static char *
links_find (const DgSys *sys, const char *folder, DgDiskLinks *links, const char *device)
{
    if (!links->is_read)
        links_read (sys, folder, links);
    for (uint32_t i = 0; i < links->n_links; i++)
        if (links->links[i].device && links->links[i].text
            && strcmp (links->links[i].device, device) == 0)
            return strdup (links->links[i].text);
    return NULL;
}

static void
read_label (DgScan *scan, int block, DgTarget *target)
{
    const DgUdev *udev = dg__blocks_udev (&scan->blocks, block);
    const char *name = scan->blocks.blocks[block].name;

    if (!target->label)
        target->label = dg__udev_dup (udev, "ID_FS_LABEL_ENC");
    if (!target->uuid)
        target->uuid = dg__udev_dup (udev, "ID_FS_UUID_ENC");
    if (udev->text)
        return;
    if (!target->label)
        target->label = links_find (&scan->sys, "by-label", &scan->by_label, name);
    if (!target->uuid)
        target->uuid = links_find (&scan->sys, "by-uuid", &scan->by_uuid, name);
}

/* A btrfs lies on all devices in /sys/fs/btrfs/UUID/devices, of which mountinfo tells one. */
static void
resolve_btrfs (DgScan *scan, int block, DgTarget *target)
{
    char folder[DG__PATH_SIZE], path[DG__PATH_SIZE];
    const char *name = scan->blocks.blocks[block].name;
    struct dirent *entry, **devices = NULL;
    DIR *dir = NULL;
    int n = -1;

    if (dg__path (folder, "%s/fs/btrfs", scan->sys.sysfs))
        dir = opendir (folder);
    while (dir && n < 0 && (entry = readdir (dir))) {
        if (entry->d_name[0] == '.'
            || !dg__path (path, "%s/%s/devices/%s", folder, entry->d_name, name)
            || access (path, F_OK) != 0)
            continue;
        if (dg__path (path, "%s/%s", folder, entry->d_name)) {
            target->uuid = dg__text_dup (entry->d_name, strlen (entry->d_name));
            target->label = dg__attr_dup (path, "label");
        }
        if (dg__path (path, "%s/%s/devices", folder, entry->d_name))
            n = scandir (path, &devices, NULL, versionsort);
    }
    if (dir)
        closedir (dir);
    dg__blocks_resolve (&scan->blocks, block, target);
    for (int i = 0; i < n; i++) {
        int other = devices[i]->d_name[0] == '.'
                        ? -1
                        : dg__blocks_find_name (&scan->blocks, devices[i]->d_name);
        if (other >= 0 && other != block)
            dg__blocks_resolve (&scan->blocks, other, target);
        free (devices[i]);
    }
    if (n >= 0)
        free (devices);
}

/* Only root may ask the pool itself; udev has noted its members. */
static void
resolve_zfs (DgScan *scan, const char *source, DgTarget *target)
{
    size_t length = strcspn (source, "/");

    for (uint32_t i = 0; i < scan->blocks.n_blocks; i++) {
        const DgUdev *udev = dg__blocks_udev (&scan->blocks, (int) i);
        const char *type = dg__udev_get (udev, "ID_FS_TYPE"),
                   *pool = dg__udev_get (udev, "ID_FS_LABEL");
        if (type && pool && strcmp (type, "zfs_member") == 0 && strncmp (pool, source, length) == 0
            && pool[length] == 0)
            dg__blocks_resolve (&scan->blocks, (int) i, target);
    }
}

static int
find_block (DgScan *scan, const DgMount *mount)
{
    int block = dg__blocks_find_number (&scan->blocks, mount->major, mount->minor);
    char device[DG__PATH_SIZE];

    if (block >= 0)
        return block;
    /* bcachefs: "/dev/sda:/dev/sdb" */
    dg__path (device, "%.*s", (int) strcspn (mount->source, ":"), mount->source);
    return dg__blocks_find_device (&scan->blocks, device);
}

static int resolve_mount (DgScan *scan, const DgMount *mount, DgTarget *target, unsigned depth);

/* Writes to an overlay go to the file system of upperdir=, writes to an eCryptfs to that of its
 * source. */
static void
resolve_upper (DgScan *scan, const DgMount *mount, DgTarget *target, unsigned depth)
{
    const char *upper = dg__mount_option (mount->super_options, "upperdir=");
    char path[DG__PATH_SIZE];
    int below;

    if (!upper && mount->source[0] == '/')
        upper = mount->source;
    if (!upper || depth >= 4)
        return;
    dg__path (path, "%.*s", (int) strcspn (upper, ","), upper);
    below = path[0] == '/' ? dg__mounts_find (&scan->mounts, path) : -1;
    if (below >= 0 && &scan->mounts.mounts[below] != mount)
        resolve_mount (scan, &scan->mounts.mounts[below], target, depth + 1);
}

static int
resolve_mount (DgScan *scan, const DgMount *mount, DgTarget *target, unsigned depth)
{
    DgFsKind kind = dg__fs_kind_from_name (mount->type);
    int block = -1;

    switch (kind) {
    case DG_FS_ZFS:
        resolve_zfs (scan, mount->source, target);
        break;
    case DG_FS_OVERLAY:
        resolve_upper (scan, mount, target, depth);
        break;
    case DG_FS_DISK:
    case DG_FS_FUSE: /* fuseblk */
        block = find_block (scan, mount);
        if (block >= 0 && strcmp (mount->type, "btrfs") == 0)
            resolve_btrfs (scan, block, target);
        else if (block >= 0)
            dg__blocks_resolve (&scan->blocks, block, target);
        for (const char *more = strchr (mount->source, ':'); block >= 0 && more && more[1] == '/';
             more = strchr (more + 1, ':')) {
            char device[DG__PATH_SIZE];
            dg__path (device, "%.*s", (int) strcspn (more + 1, ":"), more + 1);
            int other = dg__blocks_find_device (&scan->blocks, device);
            if (other >= 0)
                dg__blocks_resolve (&scan->blocks, other, target);
        }
        break;
    default:
        break;
    }
    return block;
}

static bool
is_one_of (const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp (text, *words) == 0)
            return true;
    return false;
}

static void
judge_type (const DgMount *mount, DgTarget *target)
{
    static const char *const copying[] = { "btrfs", "zfs", "bcachefs", "nilfs2", NULL };
    static const char *const crypting[] = { "ecryptfs",   "fuse.gocryptfs", "fuse.encfs",
                                            "fuse.cryfs", "fuse.securefs",  NULL };
    const char *compress = dg__mount_option (mount->super_options, "compress=");

    if (!compress)
        compress = dg__mount_option (mount->super_options, "compress-force=");
    if (!compress)
        compress = dg__mount_option (mount->super_options, "compression=");
    if (compress ? !dg__has_prefix (compress, "no")
                 : !!dg__mount_option (mount->super_options, "compress"))
        target->is_compressed = true;
    target->is_copy_on_write =
        is_one_of (mount->type, copying) && !dg__mount_option (mount->super_options, "nodatacow");
    target->is_encrypted |= is_one_of (mount->type, crypting);
}

/* Those of the mount, then those of the file system that the mount's do not already say. */
static char *
all_options (const DgMount *mount)
{
    char *text = malloc (strlen (mount->options) + strlen (mount->super_options) + 2);
    const char *option = mount->super_options;

    if (!text)
        return NULL;
    strcpy (text, mount->options);
    while (*option) {
        size_t length = strcspn (option, ",");
        bool is_known =
            length == 2 && (strncmp (option, "rw", 2) == 0 || strncmp (option, "ro", 2) == 0);
        if (!is_known && length > 0) {
            strcat (text, ",");
            strncat (text, option, length);
        }
        option += length + (option[length] == ',');
    }
    return text;
}

int
dg__scan_fill_target (DgScan *scan, uint32_t index, DgTarget *target)
{
    const DgMount *mount = &scan->mounts.mounts[index];
    int block;

    target->mount = strdup (mount->point);
    target->source = strdup (mount->source);
    target->filesystem = dg__text_dup (mount->type, strlen (mount->type));
    target->options = all_options (mount);
    target->fs_kind = dg__fs_kind_from_name (mount->type);
    target->mount_order = index + 1;
    target->is_sandbox_ram = scan->list->in_sandbox && target->fs_kind == DG_FS_MEMORY;
    judge_type (mount, target);
    block = resolve_mount (scan, mount, target, 0);
    if (target->fs_kind == DG_FS_OVERLAY) { /* not those of the file system below */
        free (target->label);
        free (target->uuid);
        target->label = target->uuid = NULL;
    }
    if (target->fs_kind == DG_FS_OVERLAY && target->n_drives > 0 && !target->is_encrypted) {
        char **more = realloc (target->layers, (target->n_layers + 1) * sizeof *more);
        if (more) {
            memmove (more + 1, more, target->n_layers * sizeof *more);
            target->layers = more;
            more[0] = dg__text_dup (mount->type, strlen (mount->type));
            target->n_layers += 1;
        }
    }
    if (block < 0)
        return -1;
    target->mount_device = strdup (scan->blocks.blocks[block].name);
    read_label (scan, block, target);
    return target->label || target->uuid ? -1 : block;
}

void
dg__scan_fill_unmounted (DgScan *scan, uint32_t drive, DgTarget *target)
{
    int whole = (int) scan->blocks.drive_blocks[drive], found = whole;

    for (uint32_t i = 0; i < scan->blocks.n_blocks; i++) {
        const char *usage;
        if (((int) i != whole && scan->blocks.blocks[i].parent != whole))
            continue;
        usage = dg__udev_get (dg__blocks_udev (&scan->blocks, (int) i), "ID_FS_USAGE");
        if (usage && strcmp (usage, "filesystem") == 0) {
            found = (int) i;
            read_label (scan, found, target);
            if (target->label)
                break;
        }
    }
    read_label (scan, found, target);
    target->source = dg__format ("/dev/%s", scan->blocks.blocks[found].name);
    target->filesystem = dg__udev_dup (dg__blocks_udev (&scan->blocks, found), "ID_FS_TYPE");
    target->use = DG_TARGET_NOT_MOUNTED;
    if (!dg__append_u32 (&target->drives, &target->n_drives, drive))
        scan->blocks.is_out_of_memory = true;
}

void
dg__scan_finish_drives (DgScan *scan)
{
    dg__blocks_mark_encrypted (&scan->blocks);
    dg__links_count_neighbours (&scan->blocks);
}

static DgTargetUse
judge (const DgTarget *target, const DgMount *mount, const DgAsk *ask)
{
    if (target->fs_kind == DG_FS_PSEUDO || target->is_sandbox_ram)
        return DG_TARGET_NOT_A_DISK;
    if (!ask->is_answered)
        return DG_TARGET_NO_ANSWER;
    if (ask->os_code == ENOENT)
        return DG_TARGET_NOT_MOUNTED;
    if (ask->os_code != 0 && ask->os_code != EACCES && ask->os_code != EPERM
        && ask->os_code != ENOTDIR)
        return DG_TARGET_NO_ANSWER; /* ENOTCONN, ESTALE, EIO: there is nobody behind it */
    if (dg__mount_is_read_only (mount) || ask->is_read_only
        || (ask->folder < 0 && ask->folder_os_code == EROFS))
        return DG_TARGET_READ_ONLY;
    if (ask->folder < 0)
        return DG_TARGET_NO_PERMISSION;
    if (target->size_bytes > 0
        && target->free_bytes <= dg_targets_reserve_bytes (target->size_bytes))
        return DG_TARGET_FULL;
    return DG_TARGET_USABLE;
}

void
dg__scan_use_answer (DgScan *scan, const DgMount *mount, DgAsk *ask, DgTarget *target)
{
    if (ask->is_answered && ask->os_code == 0) {
        target->size_bytes = ask->size_bytes;
        target->free_bytes = ask->free_bytes;
        target->block_bytes = ask->block_bytes;
    }
    if (!target->label && ask->label) {
        target->label = ask->label;
        ask->label = NULL;
    }
    if (!target->uuid && ask->uuid) {
        target->uuid = ask->uuid;
        ask->uuid = NULL;
    }
    target->use = judge (target, mount, ask);
    if (target->use == DG_TARGET_USABLE || target->use == DG_TARGET_FULL)
        target->folder = strdup (ask->paths[ask->folder]);
}
