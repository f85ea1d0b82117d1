/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/linux/fs-type.h"
#include "engine/linux/scan.h"

/* Folders of this user that may be used when the root of a file system may not be written to. */
enum {
    USER_HOME,
    USER_CACHE,
    USER_VAR_TMP,
    N_USER
};

typedef struct {
    char *text; /* (owned) (nullable) */
    int mount;
} UserFolder;

/* The mounts of one file system, best first. */
typedef struct {
    uint32_t *mounts; /* (owned) */
    uint32_t n_mounts;
} Group;

typedef struct {
    DgScan scan;
    UserFolder user[N_USER];
    Group *groups;
    uint32_t n_groups;
    DgAsk *asks; /* one a group */
} Lister;

static void
lister_done (Lister *lister)
{
    for (uint32_t i = 0; i < lister->n_groups; i++)
        free (lister->groups[i].mounts);
    for (uint32_t i = 0; lister->asks && i < lister->n_groups; i++) {
        free ((char *) lister->asks[i].device);
        dg__ask_done (&lister->asks[i]);
    }
    for (int i = 0; i < N_USER; i++)
        free (lister->user[i].text);
    free (lister->groups);
    free (lister->asks);
    dg__scan_done (&lister->scan);
}

/* Links on the way to them are followed, in a thread, since a home may lie on a server that is
 * away. */
static int
find_user_folders (Lister *lister, int64_t end)
{
    const char *home = getenv ("HOME"), *cache = getenv ("XDG_CACHE_HOME");
    DgMounts *mounts = &lister->scan.mounts;
    DgAsk asks[N_USER];
    int code;

    if (home && home[0] == '/')
        lister->user[USER_HOME].text = strdup (home);
    if (cache && cache[0] == '/')
        lister->user[USER_CACHE].text = strdup (cache);
    else if (home && home[0] == '/')
        lister->user[USER_CACHE].text = dg__format ("%s/.cache", home);
    lister->user[USER_VAR_TMP].text = strdup ("/var/tmp");

    memset (asks, 0, sizeof asks);
    for (int i = 0; i < N_USER; i++) {
        const char *text = lister->user[i].text;
        lister->user[i].mount = text ? dg__mounts_find (mounts, text) : -1;
        if (text)
            asks[i] = (DgAsk){ .paths = { text }, .n_paths = 1, .want_real_path = true };
        if (lister->user[i].mount >= 0)
            asks[i].line_hash = mounts->mounts[lister->user[i].mount].line_hash;
    }
    code = dg__ask_all (asks, N_USER, end);
    for (int i = 0; i < N_USER; i++) {
        if (asks[i].real_path) {
            free (lister->user[i].text);
            lister->user[i].text = asks[i].real_path;
            asks[i].real_path = NULL;
            lister->user[i].mount = dg__mounts_find (mounts, lister->user[i].text);
        }
        dg__ask_done (&asks[i]);
    }
    return code;
}

static bool
is_better (const DgMount *a, const DgMount *b)
{
    bool a_read_only = dg__mount_is_read_only (a), b_read_only = dg__mount_is_read_only (b);
    size_t a_root = strlen (a->root), b_root = strlen (b->root);

    if (a_read_only != b_read_only)
        return b_read_only;
    if (a_root != b_root)
        return a_root < b_root;
    return strlen (a->point) < strlen (b->point);
}

/* A read-only image in a file (a snap, a CD): it can never be written to, and nobody takes it for a
 * drive. On a real drive it is told as read-only. */
static bool
is_image (const Lister *lister, const DgMount *mount)
{
    static const char *const types[] = { "squashfs", "erofs", "cramfs", "romfs", "iso9660" };
    int block = dg__blocks_find_number (&lister->scan.blocks, mount->major, mount->minor);

    if (block >= 0 && lister->scan.blocks.blocks[block].parent >= 0)
        block = lister->scan.blocks.blocks[block].parent;
    if (block < 0 || lister->scan.blocks.blocks[block].is_physical
        || lister->scan.blocks.blocks[block].is_stacked)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp (mount->type, types[i]) == 0)
            return true;
    return false;
}

/* /sys/fs/cgroup is a tmpfs where control groups have the older layout: a place for mount points of
 * the kernel's, and no target. /dev/shm is one: on devtmpfs, which is RAM as well. */
static bool
is_on_kernel_tree (const DgMounts *mounts, const DgMount *mount)
{
    for (uint32_t i = 0; i < mounts->n_mounts; i++)
        if (mounts->mounts[i].id == mount->parent && mount->parent != mount->id)
            return dg__fs_kind_from_name (mounts->mounts[i].type) == DG_FS_PSEUDO
                   && strcmp (mounts->mounts[i].type, "devtmpfs") != 0;
    return false;
}

static bool
is_wanted (const Lister *lister, uint32_t index)
{
    const DgMount *mount = &lister->scan.mounts.mounts[index];
    DgFsKind kind = dg__fs_kind_from_name (mount->type);

    if (!mount->is_visible || kind == DG_FS_PSEUDO || is_image (lister, mount)
        || (kind == DG_FS_MEMORY && is_on_kernel_tree (&lister->scan.mounts, mount)))
        return false;
    /* A sandbox has many small RAM folders; only the one that the user takes for the home is worth
     * a word. */
    return kind != DG_FS_MEMORY || !lister->scan.list->in_sandbox
           || lister->user[USER_HOME].mount == (int) index;
}

static int
make_groups (Lister *lister)
{
    const DgMounts *mounts = &lister->scan.mounts;

    lister->groups = calloc (mounts->n_mounts + 1u, sizeof *lister->groups);
    if (!lister->groups)
        return DG_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < mounts->n_mounts; i++) {
        const DgMount *mount = &mounts->mounts[i];
        Group *group = NULL;
        if (!is_wanted (lister, i))
            continue;
        for (uint32_t k = 0; k < lister->n_groups && !group; k++) {
            const DgMount *first = &mounts->mounts[lister->groups[k].mounts[0]];
            if (first->major == mount->major && first->minor == mount->minor
                && strcmp (first->type, mount->type) == 0)
                group = &lister->groups[k];
        }
        if (!group)
            group = &lister->groups[lister->n_groups++];
        if (!dg__append_u32 (&group->mounts, &group->n_mounts, i))
            return DG_ERROR_NO_MEMORY;
        for (uint32_t k = group->n_mounts - 1;
             k > 0 && is_better (mount, &mounts->mounts[group->mounts[k - 1]]); k--) {
            group->mounts[k] = group->mounts[k - 1];
            group->mounts[k - 1] = i;
        }
    }
    return 0;
}

static bool
group_has (const Group *group, int mount)
{
    for (uint32_t i = 0; i < group->n_mounts; i++)
        if ((int) group->mounts[i] == mount)
            return true;
    return false;
}

static void
add_path (DgAsk *ask, const char *path)
{
    if (ask->n_paths < DG__ASK_MAX_PATHS)
        ask->paths[ask->n_paths++] = path;
}

static int
ask_groups (Lister *lister, int64_t end)
{
    const DgMounts *mounts = &lister->scan.mounts;

    lister->asks = calloc (lister->n_groups + 1u, sizeof *lister->asks);
    if (!lister->asks)
        return DG_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < lister->n_groups; i++) {
        const Group *group = &lister->groups[i];
        const DgMount *best = &mounts->mounts[group->mounts[0]];
        DgTarget *target = dg__scan_add_target (&lister->scan);
        DgAsk *ask = &lister->asks[i];
        int block;
        if (!target)
            return DG_ERROR_NO_MEMORY;
        block = dg__scan_fill_target (&lister->scan, group->mounts[0], target);
        target->is_home = group_has (group, lister->user[USER_HOME].mount);
        if (block >= 0) {
            ask->device =
                dg__format ("%s/%s", lister->scan.sys.dev, lister->scan.blocks.blocks[block].name);
            ask->device_major = lister->scan.blocks.blocks[block].major;
            ask->device_minor = lister->scan.blocks.blocks[block].minor;
        }
        ask->line_hash = best->line_hash;
        add_path (ask, best->point);
        for (int k = 0; k < N_USER; k++)
            if (lister->user[k].text && group_has (group, lister->user[k].mount))
                add_path (ask, lister->user[k].text);
        for (uint32_t k = 1; k < group->n_mounts; k++)
            add_path (ask, mounts->mounts[group->mounts[k]].point);
    }
    return dg__ask_all (lister->asks, lister->n_groups, end);
}

static bool
is_below (const char *path, const char *folder)
{
    size_t length = strlen (folder);

    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The mount shown is the one that the folder lies on, so that the folder is always below it. */
static void
show_mount_of_folder (Lister *lister, const Group *group, DgTarget *target, const DgAsk *ask)
{
    int index = ask->folder >= 0 ? ask->folder : ask->first_folder, mount;
    char *point;

    if (!ask->is_answered || index <= 0)
        return;
    mount = dg__mounts_find (&lister->scan.mounts, ask->paths[index]);
    if (!group_has (group, mount)
        || (ask->folder > 0 && ask->first_folder == 0
            && is_below (ask->paths[index], target->mount)))
        return;
    point = strdup (lister->scan.mounts.mounts[mount].point);
    if (point) {
        free (target->mount);
        target->mount = point;
    }
}

/* RAM that nobody may write to, and file systems of which only single files are to be seen here (a
 * container's /etc/hosts). */
static bool
is_worth_showing (const DgTarget *target, const DgAsk *ask)
{
    if (target->fs_kind == DG_FS_PSEUDO)
        return false;
    if (target->fs_kind == DG_FS_MEMORY && !target->is_sandbox_ram)
        return target->use == DG_TARGET_USABLE || target->use == DG_TARGET_FULL;
    return !ask->is_answered || ask->first_folder >= 0 || ask->os_code != ENOTDIR;
}

static int
by_drive (const void *a, const void *b)
{
    const DgTarget *x = a, *y = b;
    uint32_t x_drive = x->n_drives ? x->drives[0] : UINT32_MAX,
             y_drive = y->n_drives ? y->drives[0] : UINT32_MAX;

    if (x_drive != y_drive)
        return x_drive < y_drive ? -1 : 1;
    return x->mount_order < y->mount_order ? -1 : x->mount_order > y->mount_order;
}

static void
drop_target (DgTargetList *list, uint32_t index)
{
    dg__target_done (&list->targets[index]);
    memmove (&list->targets[index], &list->targets[index + 1],
             (list->n_targets - index - 1) * sizeof *list->targets);
    list->n_targets--;
}

static int
add_unmounted (Lister *lister)
{
    DgTargetList *list = lister->scan.list;

    for (uint32_t i = 0; i < list->n_drives; i++) {
        bool has_target = false;
        DgTarget *target;
        for (uint32_t k = 0; k < list->n_targets && !has_target; k++)
            for (uint32_t d = 0; d < list->targets[k].n_drives; d++)
                has_target |= list->targets[k].drives[d] == i;
        if (has_target)
            continue;
        target = dg__scan_add_target (&lister->scan);
        if (!target)
            return DG_ERROR_NO_MEMORY;
        dg__scan_fill_unmounted (&lister->scan, i, target);
    }
    return 0;
}

static int
run (Lister *lister, const DgRoots *roots)
{
    /* A home that is away must not take the time of the others. */
    int64_t folders_end = dg__ask_end (DG__ASK_LIST_MS / 2), end = dg__ask_end (DG__ASK_LIST_MS);
    int code = dg__scan_init (&lister->scan, roots);
    DgBlocks *blocks = &lister->scan.blocks;
    DgTargetList *list = lister->scan.list;

    for (uint32_t i = 0; code == 0 && i < blocks->n_blocks; i++)
        if (blocks->blocks[i].is_physical)
            dg__blocks_drive (blocks, (int) i);
    if (code == 0)
        code = find_user_folders (lister, folders_end);
    if (code == 0)
        code = make_groups (lister);
    if (code == 0)
        code = ask_groups (lister, end);
    if (code != 0)
        return code;
    for (uint32_t i = 0; i < lister->n_groups; i++) {
        dg__scan_use_answer (&lister->scan,
                             &lister->scan.mounts.mounts[lister->groups[i].mounts[0]],
                             &lister->asks[i], &list->targets[i]);
        show_mount_of_folder (lister, &lister->groups[i], &list->targets[i], &lister->asks[i]);
    }
    for (uint32_t i = lister->n_groups; i-- > 0;)
        if (!is_worth_showing (&list->targets[i], &lister->asks[i]))
            drop_target (list, i);
    code = add_unmounted (lister);
    dg__scan_finish_drives (&lister->scan);
    if (list->n_targets)
        qsort (list->targets, list->n_targets, sizeof *list->targets, by_drive);
    return code == 0 && blocks->is_out_of_memory ? DG_ERROR_NO_MEMORY : code;
}

int
dg_targets_list (const DgRoots *roots, DgTargetList **ret_list)
{
    Lister lister = { 0 };
    int code = run (&lister, roots);

    if (code == 0) {
        *ret_list = lister.scan.list;
        lister.scan.list = NULL;
    }
    lister_done (&lister);
    return code;
}
