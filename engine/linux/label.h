/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Label and uuid of a file system from its device, by libblkid. Reads the device: may block. */
#pragma once

#include <stdint.h>

/* Leaves both untouched when the build has no libblkid, this user may not read the device, or it is
 * not that device. (owned) */
void dg__label_read (const char *device, uint32_t major, uint32_t minor, char **ret_label,
                     char **ret_uuid);
