/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 1 000 machines whose sysfs, udev records and mountinfo have been cut, emptied, overwritten, or
 * linked in circles (fixed seed): nothing may crash, hang or say something that contradicts itself.
 */
#include "tests/engine/check.h"
#include "tests/engine/links-built.h"
#include "tests/engine/tree.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N_TREES = 1000,
    MAX_PATHS = 512
};

static char *paths[MAX_PATHS];
static unsigned n_paths;
static uint64_t state = 0x243f6a8885a308d3u;

static uint64_t
next_random (void)
{
    state ^= state << 13; /* xorshift64 */
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static unsigned
below (unsigned n)
{
    return (unsigned) (next_random () % n);
}

static int
collect (const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    if (ftw->level > 0 && n_paths < MAX_PATHS)
        paths[n_paths++] = strdup (path);
    return 0;
}

static void
overwrite (const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen (path, "w");

    if (file) {
        if (fwrite (bytes, 1, size, file) != size)
            printf ("# %s is shorter than meant\n", path);
        fclose (file);
    }
}

static void
break_file (const char *path, size_t old_size)
{
    static const char *const odd[] = { "",
                                       "\n",
                                       "-1\n",
                                       "99999999999999999999999\n",
                                       "18446744073709551615\n",
                                       "4294967296\n",
                                       "0x\n",
                                       "%s%n%s\n",
                                       "GT/s\n",
                                       "255\n",
                                       "1.\n",
                                       "[\n",
                                       "]none[\n",
                                       "\xff\xfe\xc0\x80\n",
                                       "8:\n",
                                       ":\n",
                                       "E:=\nE:ID_MODEL_ENC=\\x\\xzz\\x4\n" };
    unsigned char bytes[700];
    const char *text;

    switch (below (4)) {
    case 0:
        CHECK (truncate (path, (off_t) below ((unsigned) old_size + 1)) == 0);
        break;
    case 1:
        text = odd[below (sizeof odd / sizeof *odd)];
        overwrite (path, (const unsigned char *) text, strlen (text));
        break;
    case 2:
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char) next_random ();
        overwrite (path, bytes, below (sizeof bytes));
        break;
    default: { /* some bytes changed */
        FILE *file = fopen (path, "r+");
        for (unsigned i = below (4) + 1; file && old_size > 0 && i > 0; i--) {
            fseek (file, (long) below ((unsigned) old_size), SEEK_SET);
            fputc ((int) (next_random () & 255), file);
        }
        if (file)
            fclose (file);
    }
    }
}

static void
break_one (const Tree *tree)
{
    const char *path = paths[below (n_paths)];
    struct stat st;

    if (lstat (path, &st) != 0 || strcmp (path, tree->root) == 0)
        return;
    if (S_ISREG (st.st_mode) && below (5) > 0) {
        break_file (path, (size_t) st.st_size);
    } else if (S_ISLNK (st.st_mode) || S_ISREG (st.st_mode)) {
        unlink (path);
        switch (below (4)) {
        case 0:
            break;
        case 1:
            CHECK (mkfifo (path, 0644) == 0);
            break;
        case 2:
            CHECK (mkdir (path, 0755) == 0);
            break;
        default: /* to something else of the tree, or to itself */
            CHECK (symlink (below (4) ? paths[below (n_paths)] : path, path) == 0);
        }
    } else if (S_ISDIR (st.st_mode) && below (3) == 0) {
        char away[4200];
        snprintf (away, sizeof away, "%s-away", path);
        CHECK (rename (path, away) == 0);
    }
}

/* As the kernel might on a machine with everything at once. */
static void
build_more (Tree *tree)
{
    tree_block (tree, "virtual/block/md0", "9:0", "size=9\nmd/level=raid1\n");
    tree_slave (tree, "virtual/block/md0", below (2) ? "sda" : "dm-1");
    tree_block (tree, "virtual/block/dm-0", "253:0", "size=9\ndm/uuid=LVM-abc\ndm/name=vg-home\n");
    tree_slave (tree, "virtual/block/dm-0", "md0");
    tree_block (tree, "virtual/block/dm-1", "253:1",
                "size=9\ndm/uuid=CRYPT-LUKS2-abc\ndm/name=luks-1\n");
    tree_slave (tree, "virtual/block/dm-1", "dm-0");
    tree_link (tree, "sys/fs/btrfs/1111/devices/dm-1", "../../../../devices/virtual/block/dm-1");
    tree_link (tree, "dev/disk/by-label/x\\x20y", "../../dm-0");
    tree_udev (
        tree, "b253:1",
        "ID_FS_LABEL_ENC=home\nID_FS_UUID_ENC=0a1b\nID_FS_TYPE=zfs_member\nID_FS_LABEL=tank\n");
    tree_mount (tree, 100, "253:1", "/", "mnt/crypt", "rw", below (2) ? "ext4" : "btrfs",
                "/dev/mapper/luks-1", "rw,compress=zstd");
    tree_mount (tree, 100, "0:70", "/", "mnt/tank", "rw", "zfs", "tank/home", "rw");
    tree_mount (tree, 100, "0:73", "/", "mnt/merged", "rw", "overlay", "overlay",
                "rw,upperdir=/tmp");
    if (below (10) == 0)
        tree_file (tree, "flatpak-info", "");
}

static bool
is_utf8 (const char *text)
{
    while (*text) {
        unsigned char c = (unsigned char) *text++;
        unsigned more = c < 0x80                ? 0
                        : c >= 0xf0 && c < 0xf5 ? 3
                        : c >= 0xe0 && c < 0xf0 ? 2
                        : c >= 0xc2 && c < 0xe0 ? 1
                                                : 9;
        if (more == 9)
            return false;
        for (; more > 0; more--)
            if (((unsigned char) *text++ & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static void
check_sense (const DgTargetList *list)
{
    CHECK (dg_targets_default (list) < (int) list->n_targets);
    for (uint32_t i = 0; i < list->n_drives; i++) {
        const DgDrive *drive = &list->drives[i];
        const DgLink *link = drive->link;
        CHECK (link != NULL && link->n_path >= 1 && link->path[0].kind == DG_NODE_DRIVE);
        CHECK (drive->rotational >= -1 && drive->rotational <= 1 && drive->removable >= -1
               && drive->removable <= 1);
        CHECK (!drive->model || is_utf8 (drive->model));
        CHECK (!drive->vendor || is_utf8 (drive->vendor));
        CHECK (!drive->serial || is_utf8 (drive->serial));
        CHECK (link->ceiling_bytes_per_s <= link->after_coding_bytes_per_s);
        CHECK ((link->best_name == NULL) == (link->best_bits_per_s == 0));
        CHECK (link->best_bits_per_s == 0 || link->best_bits_per_s > link->speed_bits_per_s);
        for (uint32_t k = 0; k < link->n_path; k++)
            CHECK (!link->path[k].name || is_utf8 (link->path[k].name));
    }
    for (uint32_t i = 0; i < list->n_targets; i++) {
        const DgTarget *target = &list->targets[i];
        for (uint32_t k = 0; k < target->n_drives; k++)
            CHECK (target->drives[k] < list->n_drives);
        CHECK (target->mount != NULL || target->use == DG_TARGET_NOT_MOUNTED);
        CHECK ((target->use == DG_TARGET_USABLE || target->use == DG_TARGET_FULL)
               == (target->folder != NULL));
        CHECK (!target->label || is_utf8 (target->label));
    }
}

static void
broken_trees (void)
{
    unsigned n_listed = 0, n_drives = 0;

    for (unsigned i = 0; i < N_TREES && check_failures == 0; i++) {
        DgTargetList *list = NULL;
        Tree tree;
        int code;

        tree_init (&tree);
        built[i % n_built].build (&tree);
        build_more (&tree);
        nftw (tree.root, collect, 32, FTW_PHYS);
        for (unsigned k = 1 + below (30); k > 0; k--)
            break_one (&tree);
        code = dg_targets_list (&tree.roots, &list);
        CHECK (code == 0 || code == DG_ERROR_SYSTEM);
        CHECK ((code == 0) == (list != NULL));
        if (list) {
            char *record = tree_record (&tree, list);
            n_listed++;
            n_drives += list->n_drives;
            check_sense (list);
            if (check_failures)
                printf ("# tree %u:\n%s", i, record);
            free (record);
            dg_targets_free (list);
        }
        while (n_paths > 0)
            free (paths[--n_paths]);
        tree_done (&tree);
    }
    printf ("# %u listed, %u drives\n", n_listed, n_drives);
    CHECK (n_listed > N_TREES / 2
           && n_drives > N_TREES / 2); /* else the breaking is too coarse to test anything */
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "broken trees", broken_trees },
    };
    unsetenv ("XDG_CACHE_HOME");
    setenv ("HOME", "/nonexistent", 1);
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
