/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/ata-identify.h"

#include "engine/linux/sysfs.h"

enum {
    IDENTIFY_AT = 60,
    IDENTIFY_SIZE = 512
};

static void
swap_string (char *ret_text, const unsigned char *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        ret_text[i] = (char) words[i ^ 1];
}

bool
dg__ata_identify_read (const char *device, DgAtaIdentify *ret_identify)
{
    unsigned char page[IDENTIFY_AT + IDENTIFY_SIZE + 1];
    const unsigned char *identify = page + IDENTIFY_AT;
    char path[DG__PATH_SIZE];
    unsigned capabilities;

    if (!dg__path (path, "%s/vpd_pg89", device)
        || dg__read_file (path, (char *) page, sizeof page) < IDENTIFY_AT + IDENTIFY_SIZE
        || page[1] != 0x89)
        return false;
    swap_string (ret_identify->serial, identify + 20, sizeof ret_identify->serial);
    swap_string (ret_identify->firmware, identify + 46, sizeof ret_identify->firmware);
    swap_string (ret_identify->model, identify + 54, sizeof ret_identify->model);
    capabilities = identify[152] | (unsigned) identify[153] << 8;
    if (capabilities == 0xffff)
        capabilities = 0;
    ret_identify->best_sata_bits_per_s = capabilities & 8   ? 6000000000u
                                         : capabilities & 4 ? 3000000000u
                                         : capabilities & 2 ? 1500000000u
                                                            : 0;
    return true;
}
