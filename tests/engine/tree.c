/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/engine/tree.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const tree_recorded[] = {
    "brd",
    "gadget-usb3-samsung-t7",
    "loop",
    "null_blk",
    "nvme",
    "nvme-4kn-8gt-x4-port",
    "sata-hdd",
    "sata-ssd",
    "scsi_debug-removable",
    "sdcard",
    "usb1-bot",
    "usb1-bot-behind-hub",
    "usb2-bot",
    "usb2-uas-ssd",
    "usb3-bot",
    "usb3-bot-removable",
    "usb3-uas-ssd",
    "virtio-blk",
    "virtio-scsi-hdd",
};
const unsigned tree_n_recorded = sizeof tree_recorded / sizeof *tree_recorded;

static void
die (const char *what, const char *path)
{
    printf ("Bail out! %s %s: %s\n", what, path, strerror (errno));
    exit (1);
}

static void
make_parents (char *path)
{
    for (char *slash = strchr (path + 1, '/'); slash; slash = strchr (slash + 1, '/')) {
        *slash = 0;
        if (mkdir (path, 0755) != 0 && errno != EEXIST)
            die ("mkdir", path);
        *slash = '/';
    }
}

static void
full_path (Tree *tree, const char *path, char *ret_path)
{
    snprintf (ret_path, 4096, "%s/%s", tree->root, path);
    make_parents (ret_path);
}

void
tree_init (Tree *tree)
{
    const char *tmp = getenv ("TMPDIR");

    memset (tree, 0, sizeof *tree);
    /* In memory where that can be: a thousand trees are many small files. */
    if (access ("/dev/shm", W_OK | X_OK) == 0)
        tmp = "/dev/shm";
    snprintf (tree->root, sizeof tree->root, "%.200s/dg-tree-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp (tree->root))
        die ("mkdtemp", tree->root);
    snprintf (tree->sysfs, sizeof tree->sysfs, "%s/sys", tree->root);
    snprintf (tree->proc, sizeof tree->proc, "%s/proc", tree->root);
    snprintf (tree->run, sizeof tree->run, "%s/run", tree->root);
    snprintf (tree->dev, sizeof tree->dev, "%s/dev", tree->root);
    snprintf (tree->sandbox_info, sizeof tree->sandbox_info, "%s/flatpak-info", tree->root);
    tree->roots = (DgRoots){ tree->sysfs, tree->proc, tree->run, tree->dev, tree->sandbox_info };
    tree_folder (tree, "sys/dev/block");
    tree_folder (tree, "sys/class/block");
    tree_folder (tree, "run/udev/data");
    tree_folder (tree, "dev");
    tree_file (tree, "proc/self/mountinfo", "");
}

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    return remove (path);
}

void
tree_done (Tree *tree)
{
    nftw (tree->root, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}

void
tree_remove (Tree *tree, const char *path)
{
    char full[4096];

    full_path (tree, path, full);
    nftw (full, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}

void
tree_folder (Tree *tree, const char *path)
{
    char full[4096];

    full_path (tree, path, full);
    if (mkdir (full, 0755) != 0 && errno != EEXIST)
        die ("mkdir", full);
}

void
tree_bytes (Tree *tree, const char *path, const void *bytes, size_t size)
{
    char full[4096];
    FILE *file;

    full_path (tree, path, full);
    file = fopen (full, "w");
    if (!file || fwrite (bytes, 1, size, file) != size || fclose (file) != 0)
        die ("write", full);
}

void
tree_file (Tree *tree, const char *path, const char *text)
{
    tree_bytes (tree, path, text, strlen (text));
}

void
tree_link (Tree *tree, const char *path, const char *target)
{
    char full[4096];

    full_path (tree, path, full);
    unlink (full);
    if (symlink (target, full) != 0)
        die ("symlink", full);
}

void
tree_attrs (Tree *tree, const char *folder, const char *lines)
{
    char *copy = strdup (lines), *rest = copy, *line;

    tree_folder (tree, folder);
    while ((line = strsep (&rest, "\n"))) {
        char *value = strchr (line, '='), path[4096];
        if (!value)
            continue;
        *value++ = 0;
        snprintf (path, sizeof path, "%s/%s", folder, line);
        if (strncmp (value, "->", 2) == 0) {
            tree_link (tree, path, value + 2);
        } else {
            char text[512];
            snprintf (text, sizeof text, "%s\n", value);
            tree_file (tree, path, text);
        }
    }
    free (copy);
}

void
tree_block (Tree *tree, const char *path, const char *number, const char *lines)
{
    const char *name = strrchr (path, '/') + 1;
    char link[4096], target[4096], folder[4096], text[64];

    snprintf (folder, sizeof folder, "sys/devices/%s", path);
    tree_attrs (tree, folder, "subsystem=->block\n");
    tree_attrs (tree, folder, lines);
    snprintf (link, sizeof link, "sys/devices/%s/dev", path);
    snprintf (text, sizeof text, "%s\n", number);
    tree_file (tree, link, text);
    snprintf (target, sizeof target, "../../devices/%s", path);
    snprintf (link, sizeof link, "sys/dev/block/%s", number);
    tree_link (tree, link, target);
    snprintf (link, sizeof link, "sys/class/block/%s", name);
    tree_link (tree, link, target);
}

void
tree_slave (Tree *tree, const char *path, const char *slave)
{
    char link[4096], target[4096];

    snprintf (link, sizeof link, "sys/devices/%s/slaves/%s", path, slave);
    snprintf (target, sizeof target, "%s/class/block/%s", tree->sysfs, slave);
    tree_link (tree, link, target);
}

void
tree_udev (Tree *tree, const char *id, const char *lines)
{
    char path[512], text[8192] = "S:disk/none\nI:1\n", *copy = strdup (lines), *rest = copy, *line;

    while ((line = strsep (&rest, "\n")))
        if (*line)
            snprintf (text + strlen (text), sizeof text - strlen (text), "E:%s\n", line);
    snprintf (path, sizeof path, "run/udev/data/%s", id);
    tree_file (tree, path, text);
    free (copy);
}

unsigned
tree_mount (Tree *tree, unsigned parent, const char *number, const char *root, const char *point,
            const char *options, const char *type, const char *source, const char *super_options)
{
    char path[4096];
    FILE *file;

    full_path (tree, "proc/self/mountinfo", path);
    file = fopen (path, "a");
    if (!file)
        die ("open", path);
    if (point[0] == '/') {
        fprintf (file, "%u %u %s %s %s %s shared:1 - %s %s %s\n", 100 + tree->n_mounts, parent,
                 number, root, point, options, type, source, super_options);
    } else {
        fprintf (file, "%u %u %s %s %s/%s %s shared:1 - %s %s %s\n", 100 + tree->n_mounts, parent,
                 number, root, tree->root, point, options, type, source, super_options);
        if (!strchr (point, '\\'))
            tree_folder (tree, point);
    }
    fclose (file);
    return 100 + tree->n_mounts++;
}

/* udevadm writes "E: KEY=VALUE", the database itself "E:KEY=VALUE". */
static void
convert_udev (Tree *tree, const char *folder, const char *name, const char *number)
{
    char path[4096], line[4096], lines[8192] = "", id[64];
    FILE *file;

    snprintf (path, sizeof path, "%s/%s.udev", folder, name);
    file = fopen (path, "r");
    if (!file)
        die ("open", path);
    while (fgets (line, sizeof line, file))
        if (strncmp (line, "E: ", 3) == 0 && strlen (lines) + strlen (line) < sizeof lines)
            strcat (lines, line + 3);
    fclose (file);
    snprintf (id, sizeof id, "b%s", number);
    tree_udev (tree, id, lines);
}

bool
tree_fixture (Tree *tree, const char *folder, const char *name)
{
    char command[8192], path[4096], number[32] = "", *disk = NULL;
    struct dirent *entry;
    FILE *file;
    DIR *dir;

    snprintf (command, sizeof command,
              "command -v xz >/dev/null && tar -xJf '%s/%s.sysfs.tar.xz' --no-same-owner -C '%s'",
              folder, name, tree->root);
    if (system (command) != 0)
        return false;
    full_path (tree, "sys/block", path);
    dir = opendir (path);
    while (dir && (entry = readdir (dir)))
        if (entry->d_name[0] != '.') {
            free (disk);
            disk = strdup (entry->d_name);
        }
    if (!dir || !disk)
        die ("no disk in", path);
    closedir (dir);
    snprintf (path, sizeof path, "%s/sys/block/%s/dev", tree->root, disk);
    file = fopen (path, "r");
    if (!file || fscanf (file, "%31s", number) != 1)
        die ("read", path);
    fclose (file);
    convert_udev (tree, folder, name, number);
    snprintf (path, sizeof path, "/dev/%s", disk);
    tree_mount (tree, 1, number, "/", "mnt", "rw,relatime", "ext4", path, "rw");
    free (disk);
    return true;
}
