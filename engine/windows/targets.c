/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes and the drives below them, as a list in the order of the drives. */
#include "engine/windows/targets.h"
#include "engine/windows/ask.h"
#include "engine/windows/links.h"
#include "engine/windows/path.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winioctl.h>

#define MOST_DISKS   64u
#define MOST_VOLUMES 128u

typedef struct {
    const DgWinQueries *q;
    DgTargetList *list;
    uint32_t numbers[MOST_DISKS];   /* PhysicalDrive numbers */
    wchar_t *instances[MOST_DISKS]; /* (owned) */
    const char *policies[MOST_DISKS];
    bool is_out_of_memory;
} Scan;

/* ---- drives ---- */

static bool
disk_number (const DgWinQueries *q, const wchar_t *path, uint32_t *ret_number)
{
    STORAGE_DEVICE_NUMBER found = { 0 };
    DWORD size = 0;
    if (!q->control (q, path, IOCTL_STORAGE_GET_DEVICE_NUMBER, NULL, 0, &found, sizeof found, &size)
        || size < sizeof found)
        return false;
    *ret_number = found.DeviceNumber;
    return true;
}

static void
scan_disks (Scan *scan)
{
    DgTargetList *list = scan->list;
    wchar_t path[DG_WIN_TEXT], instance[DG_WIN_TEXT];
    list->drives = calloc (MOST_DISKS, sizeof *list->drives);
    scan->is_out_of_memory |= list->drives == NULL;
    for (uint32_t i = 0; !scan->is_out_of_memory && list->n_drives < MOST_DISKS
                         && scan->q->disk (scan->q, i, path, instance);
         i++) {
        uint32_t k = list->n_drives;
        if (!disk_number (scan->q, path, &scan->numbers[k])
            || !dg__win_drive_read (scan->q, scan->numbers[k], path, instance, &list->drives[k],
                                    &scan->policies[k]))
            continue;
        list->n_drives++;
        scan->instances[k] = wcsdup (instance);
        scan->is_out_of_memory |= scan->instances[k] == NULL;
    }
    if (!scan->is_out_of_memory)
        dg__win_links_count_neighbours (scan->q, list->drives, scan->instances, list->n_drives);
}

/* A disk that the system does not list but has volumes on: what it tells by its number. -1 if
 * nothing. */
static int
drive_of_number (Scan *scan, uint32_t number)
{
    DgTargetList *list = scan->list;
    for (uint32_t i = 0; i < list->n_drives; i++)
        if (scan->numbers[i] == number)
            return (int) i;
    wchar_t path[40];
    uint32_t k = list->n_drives;
    swprintf (path, 40, L"\\\\.\\PhysicalDrive%u", number);
    if (k == MOST_DISKS
        || !dg__win_drive_read (scan->q, number, path, L"", &list->drives[k], &scan->policies[k]))
        return -1;
    scan->numbers[k] = number;
    scan->instances[k] = wcsdup (L"");
    list->n_drives++;
    return (int) k;
}

/* ---- targets ---- */

static DgTarget *
add_target (Scan *scan)
{
    DgTargetList *list = scan->list;
    DgTarget *more = realloc (list->targets, (list->n_targets + 1) * sizeof *more);
    if (more == NULL) {
        scan->is_out_of_memory = true;
        return NULL;
    }
    list->targets = more;
    DgTarget *target = &more[list->n_targets];
    *target = (DgTarget){ .partition_start_bytes = UINT64_MAX,
                          .use = DG_TARGET_NOT_MOUNTED,
                          .mount_order = list->n_targets };
    list->n_targets++;
    return target;
}

static char *
path_of (const wchar_t *path)
{
    wchar_t *copy = path[0] == L'\0' ? NULL : wcsdup (path);
    if (copy == NULL)
        return NULL;
    dg__strip_prefix (copy);
    char *utf8 = dg__utf8_of (copy);
    free (copy);
    return utf8;
}

static void
add_drives (Scan *scan, DgTarget *target, const wchar_t *volume)
{
    union {
        VOLUME_DISK_EXTENTS head;
        unsigned char room[sizeof (VOLUME_DISK_EXTENTS) + MOST_DISKS * sizeof (DISK_EXTENT)];
    } extents;
    wchar_t device[64];
    DWORD size = 0;
    size_t length = wcslen (volume);
    if (length == 0)
        return;
    wcscpy (device, volume);
    if (device[length - 1] == L'\\')
        device[length - 1] = L'\0';
    if (!scan->q->control (scan->q, device, IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, NULL, 0, &extents,
                           sizeof extents, &size)
        || size < sizeof extents.head)
        return;
    uint32_t n = extents.head.NumberOfDiskExtents;
    target->drives = calloc (MOST_DISKS, sizeof *target->drives);
    for (uint32_t i = 0;
         target->drives != NULL && i < n && target->n_drives < MOST_DISKS
         && size >= offsetof (VOLUME_DISK_EXTENTS, Extents) + (i + 1) * sizeof (DISK_EXTENT);
         i++) {
        int drive = drive_of_number (scan, extents.head.Extents[i].DiskNumber);
        bool is_new = drive >= 0;
        for (uint32_t k = 0; k < target->n_drives; k++)
            is_new &= (int) target->drives[k] != drive;
        if (is_new)
            target->drives[target->n_drives++] = (uint32_t) drive;
    }
    if (n == 1)
        target->partition_start_bytes = (uint64_t) extents.head.Extents[0].StartingOffset.QuadPart;
}

static DgFsKind
kind_of (DWORD drive_type)
{
    return drive_type == DRIVE_REMOTE    ? DG_FS_NETWORK
           : drive_type == DRIVE_RAMDISK ? DG_FS_MEMORY
                                         : DG_FS_DISK;
}

static void
set_encryption (Scan *scan, DgTarget *target, int bitlocker)
{
    target->is_encrypted = bitlocker == 1;
    if (bitlocker == 1 && (target->layers = calloc (1, sizeof *target->layers)) != NULL) {
        target->layers[0] = strdup ("BitLocker");
        target->n_layers = target->layers[0] != NULL ? 1 : 0;
    }
    for (uint32_t i = 0; bitlocker >= 0 && i < target->n_drives; i++) {
        DgDrive *drive = &scan->list->drives[target->drives[i]];
        if (drive->is_encrypted < bitlocker)
            drive->is_encrypted = bitlocker;
    }
}

static void
set_information (Scan *scan, DgTarget *target, const DgWinAsk *ask)
{
    const DgWinVolume *found = &ask->information;
    char serial[16];
    target->label = found->label[0] != L'\0' ? dg__utf8_of (found->label) : NULL;
    target->filesystem = found->filesystem[0] != L'\0' ? dg__utf8_of (found->filesystem) : NULL;
    target->fs_kind = kind_of (found->drive_type);
    target->size_bytes = found->size_bytes;
    target->free_bytes = found->free_bytes;
    target->block_bytes = found->cluster_bytes;
    target->is_copy_on_write = _wcsicmp (found->filesystem, L"ReFS") == 0;
    if (found->serial != 0) {
        snprintf (serial, sizeof serial, "%04lX-%04lX", found->serial >> 16,
                  found->serial & 0xffffu);
        target->uuid = strdup (serial);
    }
    const char *policy = target->n_drives > 0 ? scan->policies[target->drives[0]] : NULL;
    target->options = policy == NULL ? NULL : strdup (policy);
    set_encryption (scan, target, ask->bitlocker);
}

static DgTargetUse
use_of (const DgTarget *target, const DgWinAsk *ask)
{
    if (!ask->is_answered)
        return DG_TARGET_NO_ANSWER;
    if (!ask->has_information)
        return DG_TARGET_NOT_MOUNTED;
    if ((ask->information.flags & FILE_READ_ONLY_VOLUME) != 0)
        return DG_TARGET_READ_ONLY;
    if (ask->path != NULL ? !ask->can_write : ask->folder[0] == L'\0')
        return DG_TARGET_NO_PERMISSION;
    if (target->size_bytes != 0
        && target->free_bytes < dg_targets_reserve_bytes (target->size_bytes))
        return DG_TARGET_FULL;
    return DG_TARGET_USABLE;
}

static void
fill_target (Scan *scan, DgTarget *target, const DgWinAsk *ask)
{
    bool is_mounted = ask->path != NULL || wcscmp (ask->mount, ask->volume) != 0;
    if (is_mounted) {
        target->mount = path_of (ask->mount);
        target->folder = path_of (ask->path != NULL ? ask->path : ask->folder);
    }
    target->source = ask->volume[0] != L'\0' ? dg__utf8_of (ask->volume) : NULL;
    target->is_home = ask->is_home;
    add_drives (scan, target, ask->volume);
    if (ask->has_information)
        set_information (scan, target, ask);
    target->use = is_mounted ? use_of (target, ask) : DG_TARGET_NOT_MOUNTED;
}

/* ---- the list ---- */

static uint32_t
collect (Scan *scan, DgWinAsk **asks)
{
    wchar_t volume[64], mount[MAX_PATH];
    uint32_t n = 0;
    for (uint32_t i = 0; n < MOST_VOLUMES && scan->q->volume (scan->q, i, volume); i++) {
        /* Without a place in the tree a volume still has its own name, by which it can be asked. */
        bool is_mounted = scan->q->mount (scan->q, volume, mount);
        asks[n] = dg__win_ask_new (is_mounted ? mount : volume, volume, NULL);
        n += asks[n] != NULL;
    }
    for (uint32_t i = 0; n < MOST_VOLUMES && scan->q->remote (scan->q, i, mount); i++) {
        asks[n] = dg__win_ask_new (mount, L"", NULL);
        n += asks[n] != NULL;
    }
    return n;
}

static bool
is_worth_listing (const DgWinAsk *ask)
{
    /* A reader without a card, a drive without a disc. */
    return !ask->is_answered
           || (ask->has_information && ask->information.drive_type != DRIVE_CDROM);
}

static void
add_volumes (Scan *scan)
{
    DgWinAsk *asks[MOST_VOLUMES];
    uint32_t n = collect (scan, asks);
    scan->is_out_of_memory |= !dg__win_ask_all (scan->q, asks, n);
    for (uint32_t i = 0; i < n; i++) {
        DgTarget *target = is_worth_listing (asks[i]) ? add_target (scan) : NULL;
        if (target != NULL)
            fill_target (scan, target, asks[i]);
        dg__win_ask_free (asks[i]);
    }
}

static uint32_t
first_drive (const DgTarget *target)
{
    return target->n_drives > 0 ? target->drives[0] : UINT32_MAX;
}

static int
compare_targets (const void *a, const void *b)
{
    const DgTarget *x = a, *y = b;
    uint32_t drive_x = first_drive (x), drive_y = first_drive (y);
    if (drive_x != drive_y)
        return drive_x < drive_y ? -1 : 1;
    return x->mount_order < y->mount_order ? -1 : x->mount_order > y->mount_order;
}

static void
add_bare_drives (Scan *scan)
{
    for (uint32_t i = 0; i < scan->list->n_drives; i++) {
        bool is_used = scan->list->drives[i].size_bytes == 0; /* an empty slot of a card reader */
        for (uint32_t k = 0; k < scan->list->n_targets; k++)
            for (uint32_t d = 0; d < scan->list->targets[k].n_drives; d++)
                is_used |= scan->list->targets[k].drives[d] == i;
        DgTarget *target = is_used ? NULL : add_target (scan);
        if (target != NULL && (target->drives = malloc (sizeof *target->drives)) != NULL) {
            target->drives[0] = i;
            target->n_drives = 1;
        }
    }
}

static int
scan_init (Scan *scan, const DgWinQueries *q)
{
    *scan = (Scan){ .q = q, .list = calloc (1, sizeof *scan->list) };
    if (scan->list == NULL)
        return DG_ERROR_NO_MEMORY;
    scan_disks (scan);
    return scan->is_out_of_memory ? DG_ERROR_NO_MEMORY : DG_OK;
}

static void
scan_done (Scan *scan)
{
    for (uint32_t i = 0; i < MOST_DISKS; i++)
        free (scan->instances[i]);
    dg_targets_free (scan->list);
}

int
dg__win_targets_list (const DgWinQueries *q, DgTargetList **ret_list)
{
    Scan scan;
    int error = scan_init (&scan, q);
    if (error == DG_OK) {
        add_volumes (&scan);
        add_bare_drives (&scan);
        error = scan.is_out_of_memory ? DG_ERROR_NO_MEMORY : DG_OK;
    }
    if (error == DG_OK) {
        if (scan.list->n_targets > 1)
            qsort (scan.list->targets, scan.list->n_targets, sizeof *scan.list->targets,
                   compare_targets);
        *ret_list = scan.list;
        scan.list = NULL;
    }
    scan_done (&scan);
    return error;
}

/* ---- one ---- */

static int
code_of_use (const DgTarget *target)
{
    switch (target->use) {
    case DG_TARGET_USABLE:
        return DG_OK;
    case DG_TARGET_READ_ONLY:
        return DG_ERROR_READ_ONLY;
    case DG_TARGET_FULL:
        return DG_ERROR_NO_SPACE;
    case DG_TARGET_NO_ANSWER:
        return DG_ERROR_TIMED_OUT;
    case DG_TARGET_NOT_A_DISK:
        return DG_ERROR_NOT_A_DISK;
    case DG_TARGET_NOT_MOUNTED:
        return DG_ERROR_GONE;
    case DG_TARGET_NO_PERMISSION:
        break;
    }
    return DG_ERROR_NOT_PERMITTED;
}

/* Only the drives that the target lies on. */
static void
keep_own_drives (DgTargetList *list)
{
    DgTarget *target = &list->targets[0];
    DgTargetList others = { .drives = list->drives, .n_drives = 0 };
    DgDrive *own = calloc (target->n_drives > 0 ? target->n_drives : 1, sizeof *own);
    if (own == NULL)
        return;
    for (uint32_t i = 0; i < list->n_drives; i++) {
        int at = -1;
        for (uint32_t k = 0; k < target->n_drives; k++)
            if (target->drives[k] == i)
                at = (int) k;
        if (at >= 0)
            own[at] = list->drives[i];
        else
            others.drives[others.n_drives++] = list->drives[i];
    }
    DgTargetList *gone = malloc (sizeof *gone);
    if (gone != NULL) {
        *gone = others;
        dg_targets_free (gone);
    }
    list->drives = own;
    list->n_drives = target->n_drives;
    for (uint32_t k = 0; k < target->n_drives; k++)
        target->drives[k] = k;
}

static int
find (Scan *scan, const wchar_t *path, DgErrorDetail *ret_detail)
{
    DgWinAsk *ask = dg__win_ask_new (NULL, NULL, path);
    if (ask == NULL || !dg__win_ask_all (scan->q, &ask, 1)) {
        dg__win_ask_free (ask);
        return DG_ERROR_NO_MEMORY;
    }
    int code = !ask->is_answered ? DG_ERROR_TIMED_OUT : DG_OK;
    if (code == DG_OK && ask->os_code != 0) {
        if (ret_detail != NULL)
            *ret_detail = (DgErrorDetail){ .operation = "open", .os_code = (int) ask->os_code };
        code = dg_error_from_os ((int) ask->os_code);
    }
    DgTarget *target = code == DG_OK ? add_target (scan) : NULL;
    if (target != NULL) {
        fill_target (scan, target, ask);
        keep_own_drives (scan->list);
        code = !ask->is_folder ? DG_ERROR_NOT_DIRECTORY : code_of_use (target);
        if (code == DG_ERROR_NO_SPACE && ret_detail != NULL)
            *ret_detail =
                (DgErrorDetail){ .operation = "GetDiskFreeSpaceEx",
                                 .reserve_bytes = dg_targets_reserve_bytes (target->size_bytes),
                                 .available_bytes = target->free_bytes };
    }
    dg__win_ask_free (ask);
    return scan->is_out_of_memory ? DG_ERROR_NO_MEMORY : code;
}

int
dg__win_targets_find (const DgWinQueries *q, const char *path, DgTargetList **ret_list,
                      DgErrorDetail *ret_detail)
{
    Scan scan;
    wchar_t *wide = dg__wide_path (path);
    if (wide == NULL)
        return DG_ERROR_NOT_FOUND;
    int code = scan_init (&scan, q);
    if (code == DG_OK)
        code = find (&scan, wide, ret_detail);
    free (wide);
    if (code != DG_ERROR_NO_MEMORY && scan.list != NULL && scan.list->n_targets == 1) {
        *ret_list = scan.list;
        scan.list = NULL;
    }
    scan_done (&scan);
    return code;
}

int
dg_targets_list (const DgRoots *roots, DgTargetList **ret_list)
{
    return dg__win_targets_list (&dg__win_queries, ret_list);
}

int
dg_targets_find (const DgRoots *roots, const char *path, DgTargetList **ret_list,
                 DgErrorDetail *ret_detail)
{
    return dg__win_targets_find (&dg__win_queries, path, ret_list, ret_detail);
}
