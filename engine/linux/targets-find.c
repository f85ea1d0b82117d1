/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/linux/scan.h"

/* Absolute, without "." and "..", links not followed: enough to know which mount would have to
 * answer. (owned) */
static char *
plain_path (const char *path)
{
    char joined[2 * DG__PATH_SIZE] = "", *out, *rest, *word, *plain;
    size_t length = strlen (path), used = 0;

    if (path[0] != '/' && !getcwd (joined, DG__PATH_SIZE))
        return NULL;
    used = strlen (joined);
    if (used + length + 2 > sizeof joined || !(plain = malloc (used + length + 3)))
        return NULL;
    joined[used] = '/';
    memcpy (joined + used + 1, path, length + 1);
    out = plain;
    *out = 0;
    for (rest = joined; (word = strsep (&rest, "/"));) {
        if (strcmp (word, "..") == 0) {
            while (out > plain && *--out != '/')
                ;
            *out = 0;
        } else if (word[0] && strcmp (word, ".") != 0) {
            *out++ = '/';
            out = stpcpy (out, word);
        }
    }
    if (out == plain)
        strcpy (plain, "/");
    return plain;
}

static int
code_of_use (const DgTarget *target, const DgAsk *ask)
{
    switch (target->use) {
    case DG_TARGET_USABLE:
        return 0;
    case DG_TARGET_NOT_A_DISK:
        return DG_ERROR_NOT_A_DISK;
    case DG_TARGET_NO_ANSWER:
        return ask->is_answered ? DG_ERROR_GONE : DG_ERROR_TIMED_OUT;
    case DG_TARGET_READ_ONLY:
        return DG_ERROR_READ_ONLY;
    case DG_TARGET_FULL:
        return DG_ERROR_NO_SPACE;
    case DG_TARGET_NOT_MOUNTED:
        return DG_ERROR_NOT_FOUND;
    case DG_TARGET_NO_PERMISSION:
        break;
    }
    return DG_ERROR_NOT_PERMITTED;
}

/* What the other sources do not know, the device itself may be asked, if it can be read. */
static void
ask_label (DgScan *scan, const DgMount *mount, int block, DgAsk *ask, int64_t end)
{
    DgAsk label = { .line_hash = mount->line_hash };
    char device[DG__PATH_SIZE];

    if (block < 0 || !ask->is_answered
        || !dg__path (device, "%s/%s", scan->sys.dev, scan->blocks.blocks[block].name))
        return;
    label.device = device;
    label.device_major = scan->blocks.blocks[block].major;
    label.device_minor = scan->blocks.blocks[block].minor;
    if (dg__ask_all (&label, 1, end) == 0 && label.is_answered) {
        ask->label = label.label;
        ask->uuid = label.uuid;
    }
}

static int
find (DgScan *scan, const char *plain, DgAsk *ask, DgErrorDetail *ret_detail)
{
    DgTarget *target;
    int64_t end = dg__ask_end (DG__ASK_FIND_MS);
    int mount = dg__mounts_find (&scan->mounts, plain), code;

    ask->line_hash = mount >= 0 ? scan->mounts.mounts[mount].line_hash : 0;
    code = dg__ask_all (ask, 1, end);
    if (code != 0)
        return code;
    if (ret_detail && ask->is_answered && ask->os_code != 0)
        *ret_detail = (DgErrorDetail){ .operation = ask->real_path ? "statfs" : "realpath",
                                       .os_code = ask->os_code };
    if (ask->is_answered
        && (ask->os_code == ENOENT || ask->os_code == ELOOP || ask->os_code == ENAMETOOLONG))
        return DG_ERROR_NOT_FOUND;
    if (ask->is_answered && ask->os_code == ENOTDIR)
        return DG_ERROR_NOT_DIRECTORY;
    if (ask->real_path) {
        mount = dg__mounts_find (&scan->mounts, ask->real_path);
        ask->paths[0] = ask->real_path;
    }
    if (mount < 0)
        return ask->is_answered ? dg_error_from_os (ask->os_code ? ask->os_code : ENOENT)
                                : DG_ERROR_TIMED_OUT;
    target = dg__scan_add_target (scan);
    if (!target)
        return DG_ERROR_NO_MEMORY;
    ask_label (scan, &scan->mounts.mounts[mount],
               dg__scan_fill_target (scan, (uint32_t) mount, target), ask, end);
    dg__scan_use_answer (scan, &scan->mounts.mounts[mount], ask, target);
    free (target->folder);
    target->folder = strdup (ask->real_path ? ask->real_path : plain);
    dg__scan_finish_drives (scan);
    code = code_of_use (target, ask);
    if (code == DG_ERROR_NO_SPACE && ret_detail)
        *ret_detail =
            (DgErrorDetail){ .operation = "statfs",
                             .reserve_bytes = dg_targets_reserve_bytes (target->size_bytes),
                             .available_bytes = target->free_bytes };
    return scan->blocks.is_out_of_memory ? DG_ERROR_NO_MEMORY : code;
}

int
dg_targets_find (const DgRoots *roots, const char *path, DgTargetList **ret_list,
                 DgErrorDetail *ret_detail)
{
    DgScan scan;
    DgAsk ask = { .paths = { path }, .n_paths = 1, .want_real_path = true };
    char *plain = plain_path (path);
    int code = DG_ERROR_NOT_FOUND;

    if (!plain)
        return DG_ERROR_NOT_FOUND;
    code = dg__scan_init (&scan, roots);
    if (code == 0)
        code = path[0] ? find (&scan, plain, &ask, ret_detail) : DG_ERROR_NOT_FOUND;
    if (code != DG_ERROR_NO_MEMORY && scan.list && scan.list->n_targets == 1) {
        *ret_list = scan.list;
        scan.list = NULL;
    }
    dg__ask_done (&ask);
    dg__scan_done (&scan);
    free (plain);
    return code;
}
