/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a USB device says that it could do, from its descriptors as sysfs keeps them. Formats:
 * USB 3.2 specification, sections 9.6.1 (device), 9.6.2 (BOS: SuperSpeed 9.6.2.2,
 * SuperSpeedPlus 9.6.2.5), 9.6.5 (interface), 9.6.7 (endpoint companion). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t bits_per_s; /* the greatest that it tells of; 0 = nothing beyond what is negotiated */
    bool is_uas_offered;
} DgUsbAbility;

/* `path` is the sysfs folder of the USB device. Any thread. */
DgUsbAbility dg__usb_ability_read (const char *path);

/* The same from the bytes: of `descriptors`, and of `bos_descriptors` (NULL on kernels
 * before 6.11). */
DgUsbAbility dg__usb_ability_parse (const unsigned char *descriptors, uint64_t size,
                                    const unsigned char *bos, uint64_t bos_size);
