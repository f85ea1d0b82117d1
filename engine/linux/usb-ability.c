/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/usb-ability.h"

#include <stdlib.h>

#include "engine/linux/sysfs.h"

enum {
    TYPE_DEVICE = 1,
    TYPE_INTERFACE = 4,
    TYPE_CAPABILITY = 16,
    TYPE_SS_COMPANION = 48,
    CAPABILITY_SUPERSPEED = 3,
    CAPABILITY_SUPERSPEED_PLUS = 10,
};

#define GEN_1 UINT64_C (5000000000)

static uint64_t
get_le (const unsigned char *bytes, unsigned n)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static void
raise_to (DgUsbAbility *ability, uint64_t bits_per_s)
{
    if (ability->bits_per_s < bits_per_s)
        ability->bits_per_s = bits_per_s;
}

/* Each attribute: bits 4-5 exponent (bits, kilo, mega, giga), 16-31 mantissa; the rate of one lane.
 */
static void
parse_superspeed_plus (const unsigned char *at, unsigned length, DgUsbAbility *ability)
{
    static const uint64_t units[] = { 1, 1000, 1000000, 1000000000 };

    for (unsigned i = 12; i + 4 <= length; i += 4) {
        uint64_t attribute = get_le (at + i, 4),
                 rate = (attribute >> 16) * units[attribute >> 4 & 3];
        if (rate <= UINT64_C (80000000000))
            raise_to (ability, rate);
    }
}

static void
parse_one (const unsigned char *at, unsigned length, bool has_bos, DgUsbAbility *ability)
{
    switch (at[1]) {
    case TYPE_DEVICE:
        /* A device that can do more says 2.10 while it runs at USB 2 speed (9.6.1), else 3.x.
         * Others may say 2.10 for their own reasons: the BOS decides where there is one. */
        if (length >= 4 && get_le (at + 2, 2) >= (has_bos ? 0x0300 : 0x0210))
            raise_to (ability, GEN_1);
        break;
    case TYPE_INTERFACE: /* mass storage, SCSI, UAS */
        if (length >= 9 && at[5] == 8 && at[6] == 6 && at[7] == 0x62)
            ability->is_uas_offered = true;
        break;
    case TYPE_SS_COMPANION:
        raise_to (ability, GEN_1);
        break;
    case TYPE_CAPABILITY:
        if (length >= 6 && at[2] == CAPABILITY_SUPERSPEED && (get_le (at + 4, 2) & 8))
            raise_to (ability, GEN_1);
        else if (length >= 16 && at[2] == CAPABILITY_SUPERSPEED_PLUS)
            parse_superspeed_plus (at, length, ability);
        break;
    default:
        break;
    }
}

static void
parse_all (const unsigned char *bytes, uint64_t size, bool has_bos, DgUsbAbility *ability)
{
    for (uint64_t at = 0; bytes && at + 2 <= size;) {
        unsigned length = bytes[at];
        if (length < 2 || length > size - at)
            break;
        parse_one (bytes + at, length, has_bos, ability);
        at += length;
    }
}

DgUsbAbility
dg__usb_ability_parse (const unsigned char *descriptors, uint64_t size, const unsigned char *bos,
                       uint64_t bos_size)
{
    DgUsbAbility ability = { 0 };

    parse_all (descriptors, size, bos && bos_size > 5, &ability);
    parse_all (bos, bos_size, true, &ability);
    return ability;
}

DgUsbAbility
dg__usb_ability_read (const char *path)
{
    char file[DG__PATH_SIZE], *descriptors = NULL, *bos = NULL;
    size_t size = 0, bos_size = 0;
    DgUsbAbility ability;

    if (dg__path (file, "%s/descriptors", path))
        descriptors = dg__read_all (file, 64 << 10, &size);
    if (dg__path (file, "%s/bos_descriptors", path))
        bos = dg__read_all (file, 64 << 10, &bos_size);
    ability = dg__usb_ability_parse ((unsigned char *) descriptors, size, (unsigned char *) bos,
                                     bos_size);
    free (descriptors);
    free (bos);
    return ability;
}
