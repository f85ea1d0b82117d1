/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What udev wrote down about a device: the "E:KEY=VALUE" lines of /run/udev/data/b8:16, +usb:1-2,
 * +pci:0000:00:14.0. Format: systemd, src/libsystemd/sd-device (the database is private to it but
 * has been the same since udev 182). Any thread. */
#pragma once

#include "engine/linux/sysfs.h"

typedef struct {
    char *text; /* (owned) (nullable) lines, each NUL-terminated */
    size_t size;
} DgUdev;

/* No such file: an empty record. */
void dg__udev_read (const DgSys *sys, const char *id, DgUdev *ret_udev);

/* The raw value, in the record's own memory. (nullable) */
const char *dg__udev_get (const DgUdev *udev, const char *key);

/* The value as valid UTF-8, trimmed. A key that ends in _ENC has its \xNN decoded. (owned)
 * (nullable) */
char *dg__udev_dup (const DgUdev *udev, const char *key);

/* Text with \xNN as udev writes it into _ENC values and link names. In place. */
void dg__udev_decode (char *text);

void dg__udev_done (DgUdev *udev);
