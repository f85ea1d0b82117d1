/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/udev-data.h"

#include <stdlib.h>
#include <string.h>

void
dg__udev_read (const DgSys *sys, const char *id, DgUdev *ret_udev)
{
    char path[DG__PATH_SIZE];
    DgUdev udev = { 0 };

    if (dg__path (path, "%s/udev/data/%s", sys->run, id))
        udev.text = dg__read_all (path, 256 << 10, &udev.size);
    for (size_t i = 0; udev.text && i < udev.size; i++)
        if (udev.text[i] == '\n')
            udev.text[i] = 0;
    *ret_udev = udev;
}

const char *
dg__udev_get (const DgUdev *udev, const char *key)
{
    size_t length = strlen (key);

    for (size_t at = 0; udev->text && at < udev->size; at += strlen (udev->text + at) + 1) {
        const char *line = udev->text + at;
        if (line[0] == 'E' && line[1] == ':' && strncmp (line + 2, key, length) == 0
            && line[2 + length] == '=')
            return line[3 + length] ? line + 3 + length : NULL;
    }
    return NULL;
}

static int
hex_digit (char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

void
dg__udev_decode (char *text)
{
    char *out = text;

    while (*text) {
        if (text[0] == '\\' && text[1] == 'x' && hex_digit (text[2]) >= 0
            && hex_digit (text[3]) >= 0 && (text[2] != '0' || text[3] != '0')) {
            *out++ = (char) (hex_digit (text[2]) * 16 + hex_digit (text[3]));
            text += 4;
        } else {
            *out++ = *text++;
        }
    }
    *out = 0;
}

char *
dg__udev_dup (const DgUdev *udev, const char *key)
{
    const char *value = dg__udev_get (udev, key);
    size_t length = strlen (key);
    char *copy, *result;

    if (!value)
        return NULL;
    if (length < 4 || strcmp (key + length - 4, "_ENC") != 0)
        return dg__text_dup (value, strlen (value));
    copy = strdup (value);
    if (!copy)
        return NULL;
    dg__udev_decode (copy);
    result = dg__text_dup (copy, strlen (copy));
    free (copy);
    return result;
}

void
dg__udev_done (DgUdev *udev)
{
    free (udev->text);
    *udev = (DgUdev){ 0 };
}
