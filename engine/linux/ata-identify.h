/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of an ATA drive's IDENTIFY DEVICE data that are wanted here, from the ATA Information
 * page that the kernel keeps (device/vpd_pg89). Format: SAT, ATA Information VPD page: IDENTIFY
 * data at byte 60; ACS: words 10-19 serial number, 23-26 firmware, 27-46 model, 76 Serial ATA
 * capabilities, 217 rotation rate. Strings have their bytes swapped in pairs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char serial[20], firmware[8], model[40]; /* padded, not NUL-terminated */
    uint64_t best_sata_bits_per_s;           /* 0 = not told */
} DgAtaIdentify;

/* `device` is the sysfs folder of the SCSI device. False if there is no such page. Any thread. */
bool dg__ata_identify_read (const char *device, DgAtaIdentify *ret_identify);
