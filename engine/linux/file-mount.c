/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/file-mount.h"

#include <dirent.h>
#include <linux/btrfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static bool
mount_id (const char *proc, int fd, int *ret_id)
{
    char path[4096], line[128];
    snprintf (path, sizeof path, "%s/self/fdinfo/%d", proc, fd);
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return false;
    bool found = false;
    while (!found && fgets (line, sizeof line, file) != NULL)
        found = sscanf (line, "mnt_id: %d", ret_id) == 1;
    fclose (file);
    return found;
}

/* "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw": the number of optional fields before
 * the dash varies. */
static bool
parse_line (const char *line, int wanted, DgFileMount *ret_mount)
{
    int id;
    DgFileMount m = { 0 };
    if (sscanf (line, "%d %*d %u:%u", &id, &m.device.major, &m.device.minor) != 3 || id != wanted)
        return false;
    const char *dash = strstr (line, " - ");
    if (dash == NULL || sscanf (dash + 3, "%63s", m.type) != 1)
        return false;
    *ret_mount = m;
    return true;
}

bool
dg__file_mount (const char *proc, int fd, DgFileMount *ret_mount)
{
    int id;
    if (proc == NULL)
        proc = "/proc";
    if (!mount_id (proc, fd, &id))
        return false;
    char path[4096];
    snprintf (path, sizeof path, "%s/self/mountinfo", proc);
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return false;
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    while (!found && getline (&line, &size, file) != -1)
        found = parse_line (line, id, ret_mount);
    free (line);
    fclose (file);
    return found;
}

static bool
read_device_number (const char *path, DgDeviceNumber *ret_number)
{
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return false;
    bool ok = fscanf (file, "%u:%u", &ret_number->major, &ret_number->minor) == 2;
    fclose (file);
    return ok;
}

static void
btrfs_devices (const char *sysfs, int fd, DgDevices *ret_devices)
{
    struct btrfs_ioctl_fs_info_args info;
    memset (&info, 0, sizeof info);
    if (ioctl (fd, BTRFS_IOC_FS_INFO, &info) != 0)
        return;
    const unsigned char *u = info.fsid;
    char folder[4096];
    snprintf (
        folder, sizeof folder,
        "%s/fs/btrfs/%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x/devices",
        sysfs, u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12],
        u[13], u[14], u[15]);
    DIR *dir = opendir (folder);
    if (dir == NULL)
        return;
    uint32_t n = 0;
    bool is_whole = true;
    for (struct dirent *entry; (entry = readdir (dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[8192];
        snprintf (path, sizeof path, "%s/%s/dev", folder, entry->d_name);
        if (n == DG_MAX_DEVICES || !read_device_number (path, &ret_devices->at[n]))
            is_whole = false;
        else
            n++;
    }
    closedir (dir);
    ret_devices->n = is_whole ? n : 0;
}

void
dg__file_mount_devices (const char *sysfs, int fd, const DgFileMount *mount, bool is_btrfs,
                        DgDevices *ret_devices)
{
    ret_devices->n = 0;
    if (is_btrfs) {
        btrfs_devices (sysfs == NULL ? "/sys" : sysfs, fd, ret_devices);
    } else if (mount->device.major != 0) { /* 0: anonymous, no block device of its own */
        ret_devices->at[0] = mount->device;
        ret_devices->n = 1;
    }
}
