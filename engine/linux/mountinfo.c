/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/mountinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
hash_of (const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (; *text; text++)
        hash = (hash ^ (unsigned char) *text) * 0x100000001b3u;
    return hash;
}

/* The kernel writes space, tab, newline, backslash and '#' as \ooo. */
static void
unescape (char *text)
{
    char *out = text;

    for (; *text; text++) {
        if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' && text[2] <= '7'
            && text[3] >= '0' && text[3] <= '7') {
            *out++ = (char) ((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 3;
        } else {
            *out++ = *text;
        }
    }
    *out = 0;
}

/* id parent major:minor root point options [optional...] - type source super_options */
static bool
parse_line (char *line, DgMount *ret_mount)
{
    DgMount mount = { .line_hash = hash_of (line) };
    char *fields[6], *rest = line, *word;
    unsigned long long id, parent;
    int n = 0;

    while (n < 6 && (word = strsep (&rest, " ")))
        fields[n++] = word;
    if (n < 6 || !rest)
        return false;
    while ((word = strsep (&rest, " ")))
        if (strcmp (word, "-") == 0)
            break;
    if (!word || !(mount.type = strsep (&rest, " ")) || !(mount.source = strsep (&rest, " ")))
        return false;
    mount.super_options = rest ? strsep (&rest, " ") : line + strlen (line);
    if (sscanf (fields[0], "%llu", &id) != 1 || sscanf (fields[1], "%llu", &parent) != 1
        || sscanf (fields[2], "%u:%u", &mount.major, &mount.minor) != 2)
        return false;
    mount.id = id;
    mount.parent = parent;
    mount.root = fields[3];
    mount.point = fields[4];
    mount.options = fields[5];
    unescape (mount.root);
    unescape (mount.point);
    unescape (mount.type);
    unescape (mount.source);
    unescape (mount.super_options);
    if (mount.point[0] != '/' || !mount.type[0])
        return false;
    mount.point_length = strlen (mount.point);
    while (mount.point_length > 0 && mount.point[mount.point_length - 1] == '/')
        mount.point_length--;
    *ret_mount = mount;
    return true;
}

int
dg__mounts_read (const DgSys *sys, DgMounts *ret_mounts)
{
    DgMounts mounts = { 0 };
    char path[DG__PATH_SIZE], *rest, *line;
    size_t size, n_lines = 1;

    if (!dg__path (path, "%s/self/mountinfo", sys->proc)
        || !(mounts.text = dg__read_all (path, 64 << 20, &size)))
        return DG_ERROR_SYSTEM;
    for (size_t i = 0; i < size; i++)
        n_lines += mounts.text[i] == '\n';
    mounts.mounts = calloc (n_lines, sizeof *mounts.mounts);
    if (!mounts.mounts) {
        dg__mounts_done (&mounts);
        return DG_ERROR_NO_MEMORY;
    }
    for (rest = mounts.text; (line = strsep (&rest, "\n"));)
        mounts.n_mounts += parse_line (line, &mounts.mounts[mounts.n_mounts]);
    for (uint32_t i = 0; i < mounts.n_mounts; i++)
        mounts.mounts[i].is_visible = dg__mounts_find (&mounts, mounts.mounts[i].point) == (int) i;
    *ret_mounts = mounts;
    return 0;
}

/* More than 0, and the more the longer the mount point, if path is it or lies below it. */
static size_t
covers (const DgMount *mount, const char *path, size_t path_length)
{
    size_t length = mount->point_length;

    if (length > path_length || (path[length] != 0 && path[length] != '/'))
        return 0;
    return memcmp (path, mount->point, length) == 0 ? length + 1 : 0;
}

static bool
has_id (const DgMounts *mounts, uint64_t id)
{
    for (uint32_t i = 0; i < mounts->n_mounts; i++)
        if (mounts->mounts[i].id == id)
            return true;
    return false;
}

/* As the kernel walks a path: from the root mount down, at each mount taking the first mount point
 * on the way. What lies deeper below the same mount is hidden by it. */
int
dg__mounts_find (const DgMounts *mounts, const char *path)
{
    size_t path_length = strlen (path);
    int current = -1;

    for (uint32_t step = 0; step <= mounts->n_mounts; step++) {
        int next = -1;
        size_t next_length = SIZE_MAX;
        for (uint32_t i = 0; i < mounts->n_mounts; i++) {
            const DgMount *mount = &mounts->mounts[i];
            size_t length;
            if ((int) i == current || (current >= 0 && mount->parent != mounts->mounts[current].id))
                continue;
            length = covers (mount, path, path_length);
            if (length == 0 || length > next_length)
                continue;
            if (current < 0 && mount->parent != mount->id && has_id (mounts, mount->parent))
                continue;
            next = (int) i;
            next_length = length;
        }
        if (next < 0)
            break;
        current = next;
    }
    return current;
}

const char *
dg__mount_option (const char *options, const char *name)
{
    size_t length = strlen (name);

    for (const char *option = options; option; option = strchr (option, ',')) {
        option += *option == ',';
        if (strncmp (option, name, length) == 0
            && (name[length - 1] == '=' || option[length] == 0 || option[length] == ','))
            return name[length - 1] == '=' ? option + length : option;
    }
    return NULL;
}

bool
dg__mount_is_read_only (const DgMount *mount)
{
    return dg__mount_option (mount->options, "ro") || dg__mount_option (mount->super_options, "ro");
}

void
dg__mounts_done (DgMounts *mounts)
{
    free (mounts->text);
    free (mounts->mounts);
    *mounts = (DgMounts){ 0 };
}
