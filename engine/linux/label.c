/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/label.h"

#ifdef DG_HAVE_BLKID

#include <blkid.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/linux/sysfs.h"

static char *
value_dup (blkid_probe probe, const char *name)
{
    const char *value;
    size_t length;

    return blkid_probe_lookup_value (probe, name, &value, &length) == 0
               ? dg__text_dup (value, length)
               : NULL;
}

void
dg__label_read (const char *device, uint32_t major, uint32_t minor, char **ret_label,
                char **ret_uuid)
{
    int fd = open (device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    blkid_probe probe = NULL;
    struct stat st;

    if (fd < 0)
        return;
    if (fstat (fd, &st) == 0 && S_ISBLK (st.st_mode) && st.st_rdev == makedev (major, minor)
        && (probe = blkid_new_probe ()) && blkid_probe_set_device (probe, fd, 0, 0) == 0) {
        blkid_probe_enable_superblocks (probe, 1);
        blkid_probe_set_superblocks_flags (probe, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID);
        if (blkid_do_safeprobe (probe) == 0) {
            *ret_label = value_dup (probe, "LABEL");
            *ret_uuid = value_dup (probe, "UUID");
        }
    }
    if (probe)
        blkid_free_probe (probe);
    close (fd);
}

#else

void
dg__label_read (const char *device, uint32_t major, uint32_t minor, char **ret_label,
                char **ret_uuid)
{
}

#endif
