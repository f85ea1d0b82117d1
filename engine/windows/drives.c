/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One drive, as its storage properties tell (winioctl.h). None of these needs rights on the drive.
 */
#include "engine/windows/links.h"
#include "engine/windows/path.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winioctl.h>

#define BUS_SPACES 0x10 /* BusTypeSpaces */

static bool
query (const DgWinQueries *q, const wchar_t *device, STORAGE_PROPERTY_ID id, void *out, DWORD size,
       DWORD least)
{
    STORAGE_PROPERTY_QUERY question = { .PropertyId = id, .QueryType = PropertyStandardQuery };
    DWORD got = 0;
    memset (out, 0, size);
    return q->control (q, device, IOCTL_STORAGE_QUERY_PROPERTY, &question, sizeof question, out,
                       size, &got)
           && got >= least;
}

/* A text at an offset of the descriptor: bytes of the drive's own, which need be no UTF-8. NULL
 * when there is nothing in it. (owned) */
static char *
text_at (const unsigned char *descriptor, DWORD size, DWORD offset)
{
    if (offset == 0 || offset >= size)
        return NULL;
    char text[256];
    size_t n = 0;
    for (DWORD i = offset; i < size && descriptor[i] != 0 && n < sizeof text - 1; i++)
        text[n++] = descriptor[i] >= 0x20 && descriptor[i] < 0x7f ? (char) descriptor[i] : '?';
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    const char *start = text + strspn (text, " ");
    return *start != '\0' ? strdup (start) : NULL;
}

static bool
is_virtual_bus (int bus)
{
    return bus == BusTypeVirtual || bus == BusTypeFileBackedVirtual || bus == BUS_SPACES
           || bus == BusTypeiScsi;
}

static int
read_rotational (const DgWinQueries *q, const wchar_t *device)
{
    DEVICE_SEEK_PENALTY_DESCRIPTOR found;
    if (!query (q, device, StorageDeviceSeekPenaltyProperty, &found, sizeof found, sizeof found))
        return -1;
    return found.IncursSeekPenalty ? 1 : 0;
}

static char *
read_write_cache (const DgWinQueries *q, const wchar_t *device)
{
    STORAGE_WRITE_CACHE_PROPERTY found;
    if (!query (q, device, StorageDeviceWriteCacheProperty, &found, sizeof found,
                offsetof (STORAGE_WRITE_CACHE_PROPERTY, WriteCacheChangeable)))
        return NULL;
    if (found.WriteCacheEnabled == WriteCacheEnabled)
        return strdup (found.WriteCacheType == WriteCacheTypeWriteThrough ? "write through"
                                                                          : "write back");
    return found.WriteCacheEnabled == WriteCacheDisabled ? strdup ("write through") : NULL;
}

static uint64_t
read_size (const DgWinQueries *q, const wchar_t *device)
{
    DISK_GEOMETRY_EX found = { 0 };
    DWORD got = 0;
    bool is_known = q->control (q, device, IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, NULL, 0, &found,
                                sizeof found, &got)
                    && got >= offsetof (DISK_GEOMETRY_EX, Data);
    return is_known ? (uint64_t) found.DiskSize.QuadPart : 0;
}

/* With "quick removal" Windows keeps no write cache of its own for the drive. */
static const char *
read_policy (const DgWinQueries *q, const wchar_t *device, uint32_t removal)
{
    STORAGE_HOTPLUG_INFO found = { 0 };
    DWORD got = 0;
    if (removal <= 1
        || !q->control (q, device, IOCTL_STORAGE_GET_HOTPLUG_INFO, NULL, 0, &found, sizeof found,
                        &got)
        || got < sizeof found)
        return NULL;
    return found.DeviceHotplug ? "quick removal" : "better performance";
}

bool
dg__win_drive_read (const DgWinQueries *q, uint32_t number, const wchar_t *device,
                    const wchar_t *instance, DgDrive *ret_drive, const char **ret_policy)
{
    union {
        STORAGE_DEVICE_DESCRIPTOR head;
        unsigned char bytes[1024];
    } descriptor;
    if (!query (q, device, StorageDeviceProperty, &descriptor, sizeof descriptor,
                offsetof (STORAGE_DEVICE_DESCRIPTOR, RawDeviceProperties)))
        return false;
    DWORD size =
        descriptor.head.Size < sizeof descriptor ? descriptor.head.Size : sizeof descriptor;
    int bus = descriptor.head.BusType;
    char name[32];
    snprintf (name, sizeof name, "PhysicalDrive%u", (unsigned) number);
    uint32_t removal = 0;
    q->number (q, instance, DG_WIN_REMOVAL_POLICY, &removal);

    DgDrive drive = {
        .name = strdup (name),
        .model = text_at (descriptor.bytes, size, descriptor.head.ProductIdOffset),
        .vendor = text_at (descriptor.bytes, size, descriptor.head.VendorIdOffset),
        .firmware = text_at (descriptor.bytes, size, descriptor.head.ProductRevisionOffset),
        .serial = text_at (descriptor.bytes, size, descriptor.head.SerialNumberOffset),
        .size_bytes = read_size (q, device),
        .rotational = read_rotational (q, device),
        .removable = descriptor.head.RemovableMedia ? 1 : 0,
        .write_cache = read_write_cache (q, device),
        .is_encrypted = -1,
        .is_virtual = is_virtual_bus (bus),
        .is_external = bus == BusTypeUsb || bus == BusTypeSd || bus == BusType1394 || removal == 3,
    };
    /* What NVMe and ATA drives call their vendor is the name of the bus. */
    if (drive.vendor != NULL
        && (strcmp (drive.vendor, "NVMe") == 0 || strcmp (drive.vendor, "ATA") == 0)) {
        free (drive.vendor);
        drive.vendor = NULL;
    }
    STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR blocks;
    if (query (q, device, StorageAccessAlignmentProperty, &blocks, sizeof blocks, sizeof blocks)) {
        drive.logical_block_bytes = blocks.BytesPerLogicalSector;
        drive.physical_block_bytes = blocks.BytesPerPhysicalSector;
    }
    drive.link = dg__win_link_read (q, instance, bus, &drive);
    if (drive.link == NULL || drive.name == NULL) {
        DgTargetList *one = calloc (1, sizeof *one);
        if (one != NULL && (one->drives = malloc (sizeof drive)) != NULL) {
            one->drives[0] = drive;
            one->n_drives = 1;
        }
        dg_targets_free (one);
        return false;
    }
    *ret_policy = read_policy (q, device, removal);
    *ret_drive = drive;
    return true;
}
