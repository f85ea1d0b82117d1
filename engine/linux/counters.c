/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/counters.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LEVELS                                                                                 \
    16u /* dm on md on dm ... : deeper than anyone stacks, so that a loop in a damaged tree ends   \
         */

struct DgCounters {
    uint32_t n;
    int stat_fd[DG_MAX_DEVICES];
    int inflight_fd[DG_MAX_DEVICES]; /* -1: use the field in stat */
};

/* The folder of a device in sysfs, with all links resolved. */
static bool
device_folder (const char *sysfs, DgDeviceNumber number, char ret_folder[PATH_MAX])
{
    char path[PATH_MAX];
    snprintf (path, sizeof path, "%s/dev/block/%u:%u", sysfs == NULL ? "/sys" : sysfs, number.major,
              number.minor);
    return realpath (path, ret_folder) != NULL;
}

static bool
exists (const char *folder, const char *name)
{
    char path[PATH_MAX + 64];
    snprintf (path, sizeof path, "%s/%s", folder, name);
    return access (path, F_OK) == 0;
}

static bool
read_number (const char *folder, const char *name, uint64_t *ret_value)
{
    char path[PATH_MAX + 64];
    snprintf (path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return false;
    unsigned long long value;
    bool ok = fscanf (file, "%llu", &value) == 1;
    fclose (file);
    if (ok)
        *ret_value = value;
    return ok;
}

static bool
read_device (const char *folder, DgDeviceNumber *ret_number)
{
    char path[2 * PATH_MAX];
    snprintf (path, sizeof path, "%s/dev", folder);
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return false;
    bool ok = fscanf (file, "%u:%u", &ret_number->major, &ret_number->minor) == 2;
    fclose (file);
    return ok;
}

/* A partition has no queue and no slaves of its own: those are its disk's. */
static void
to_whole_disk (char folder[PATH_MAX])
{
    if (!exists (folder, "partition"))
        return;
    char *slash = strrchr (folder, '/');
    if (slash != NULL)
        *slash = '\0';
}

typedef struct {
    const char *sysfs;
    DgDevices *drives; /* (nullable) */
    bool has_caching_loop, is_too_much;
} Walk;

static void
add_drive (Walk *walk, DgDeviceNumber number)
{
    DgDevices *drives = walk->drives;
    for (uint32_t i = 0; i < drives->n; i++)
        if (drives->at[i].major == number.major && drives->at[i].minor == number.minor)
            return;
    if (drives->n < DG_MAX_DEVICES)
        drives->at[drives->n++] = number;
    else
        walk->is_too_much = true;
}

static void
walk_down (Walk *walk, DgDeviceNumber number, uint32_t level)
{
    char folder[PATH_MAX];
    if (level == MAX_LEVELS || !device_folder (walk->sysfs, number, folder))
        return;
    to_whole_disk (folder);
    uint64_t dio;
    if (read_number (folder, "loop/dio", &dio) && dio == 0)
        walk->has_caching_loop = true;

    char path[PATH_MAX + 512];
    snprintf (path, sizeof path, "%s/slaves", folder);
    DIR *dir = opendir (path);
    uint32_t n_slaves = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;) {
        DgDeviceNumber slave;
        if (entry->d_name[0] == '.')
            continue;
        snprintf (path, sizeof path, "%s/slaves/%s", folder, entry->d_name);
        if (!read_device (path, &slave))
            continue;
        n_slaves++;
        walk_down (walk, slave, level + 1);
    }
    if (dir != NULL)
        closedir (dir);
    DgDeviceNumber whole;
    if (n_slaves == 0 && walk->drives != NULL && read_device (folder, &whole))
        add_drive (walk, whole);
}

void
dg__devices_below (const char *sysfs, const DgDevices *devices, DgDevices *ret_drives)
{
    ret_drives->n = 0;
    Walk walk = { .sysfs = sysfs, .drives = ret_drives };
    for (uint32_t i = 0; i < devices->n; i++)
        walk_down (&walk, devices->at[i], 0);
    if (walk.is_too_much) /* a part of the sum would be taken for the whole */
        ret_drives->n = 0;
}

void
dg__device_traits (const char *sysfs, const DgDevices *devices, DgDeviceTraits *ret_traits)
{
    *ret_traits = (DgDeviceTraits){ 0 };
    Walk walk = { .sysfs = sysfs };
    for (uint32_t i = 0; i < devices->n; i++) {
        char folder[PATH_MAX];
        uint64_t bytes;
        walk_down (&walk, devices->at[i], 0);
        if (!device_folder (sysfs, devices->at[i], folder))
            continue;
        to_whole_disk (folder);
        if (read_number (folder, "queue/logical_block_size", &bytes)
            && bytes > ret_traits->logical_block_bytes)
            ret_traits->logical_block_bytes = (uint32_t) bytes;
        if (read_number (folder, "queue/physical_block_size", &bytes)
            && bytes > ret_traits->physical_block_bytes)
            ret_traits->physical_block_bytes = (uint32_t) bytes;
    }
    ret_traits->has_caching_loop = walk.has_caching_loop;
}

/* Up to `max` numbers of a sysfs file read from its start. Returns how many, 0 when it cannot be
 * read. */
static uint32_t
read_fields (int fd, uint64_t *ret_fields, uint32_t max)
{
    char text[512];
    ssize_t size = pread (fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    uint32_t n = 0;
    char *at = text;
    while (n < max) {
        char *end;
        unsigned long long value = strtoull (at, &end, 10);
        if (end == at)
            break;
        ret_fields[n++] = value;
        at = end;
    }
    return n;
}

/* Fields of .../stat: 0 reads, 2 sectors read, 4 writes, 6 sectors written, 8 in flight, 10 time in
 * queue in ms. Sectors are 512 bytes whatever the device's block is. */
enum {
    STAT_FIELDS = 11
};

static bool
is_counting (const char *folder)
{
    char whole[PATH_MAX];
    memcpy (whole, folder, PATH_MAX);
    to_whole_disk (whole);
    uint64_t is_on;
    return !read_number (whole, "queue/iostats", &is_on) || is_on != 0;
}

DgCounters *
dg__counters_open (const char *sysfs, const DgDevices *devices)
{
    if (devices->n == 0)
        return NULL;
    DgCounters *counters = calloc (1, sizeof *counters);
    if (counters == NULL)
        return NULL;
    for (uint32_t i = 0; i < devices->n; i++) {
        char folder[PATH_MAX], path[PATH_MAX + 64];
        if (!device_folder (sysfs, devices->at[i], folder) || !is_counting (folder))
            goto none;
        snprintf (path, sizeof path, "%s/stat", folder);
        int fd = open (path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            goto none;
        snprintf (path, sizeof path, "%s/inflight", folder);
        counters->stat_fd[i] = fd;
        counters->inflight_fd[i] = open (path, O_RDONLY | O_CLOEXEC);
        counters->n = i + 1;
    }
    return counters;
none:
    dg__counters_close (counters);
    return NULL;
}

void
dg__counters_read (const DgCounters *counters, DgDriveCounters *ret_sum)
{
    const DgDriveCounters unknown = { DG_UNKNOWN_U64, DG_UNKNOWN_U64, DG_UNKNOWN_U64,
                                      DG_UNKNOWN_U64, false };
    *ret_sum = unknown;
    if (counters == NULL)
        return;
    DgDriveCounters sum = { .is_one_to_one = counters->n == 1 };
    for (uint32_t i = 0; i < counters->n; i++) {
        uint64_t f[STAT_FIELDS], in_flight[2];
        if (read_fields (counters->stat_fd[i], f, STAT_FIELDS) != STAT_FIELDS || (f[0] | f[4]) == 0)
            return;
        sum.read_bytes += f[2] * 512;
        sum.written_bytes += f[6] * 512;
        sum.queue_time_ns += f[10] * 1000000;
        if (counters->inflight_fd[i] >= 0
            && read_fields (counters->inflight_fd[i], in_flight, 2) == 2)
            sum.inflight += in_flight[0] + in_flight[1];
        else
            sum.inflight += f[8];
    }
    *ret_sum = sum;
}

void
dg__counters_close (DgCounters *counters)
{
    if (counters == NULL)
        return;
    for (uint32_t i = 0; i < counters->n; i++) {
        close (counters->stat_fd[i]);
        if (counters->inflight_fd[i] >= 0)
            close (counters->inflight_fd[i]);
    }
    free (counters);
}
