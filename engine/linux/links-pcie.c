/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PCIe links: a device at the lower end of each, a root port or the lower side of a switch at the
 * upper end; both tell the same current speed and width, each its own greatest. Format: Linux
 * Documentation/ABI/testing/sysfs-bus-pci. */
#include "engine/linux/links-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned generation, width; /* 0 = unknown */
} PcieLink;

/* Gigatransfers (tenths) and what is left after 8b/10b (1, 2), 128b/130b (3 to 5) and FLIT mode's
 * 242 of 256 bytes (6). */
static const struct {
    unsigned tenths;
    uint64_t coded_bytes_per_s;
} generations[] = { { 0, 0 },           { 25, 250000000 },   { 50, 500000000 },
                    { 80, 984615385 },  { 160, 1969230769 }, { 320, 3938461538 },
                    { 640, 7562500000 } };

enum {
    N_GENERATIONS = sizeof generations / sizeof *generations
};

/* "8.0 GT/s PCIe", "8 GT/s", "Unknown" */
static unsigned
parse_generation (const char *text)
{
    unsigned whole, tenth = 0;

    if (sscanf (text, "%u.%1u GT/s", &whole, &tenth) < 1 || whole > 1000)
        return 0;
    for (unsigned i = 1; i < N_GENERATIONS; i++)
        if (generations[i].tenths == whole * 10 + tenth)
            return i;
    return 0;
}

/* The way there can be unplugged (Linux Documentation/ABI/testing/sysfs-devices-removable). */
static bool
is_removable (const char *path)
{
    char text[16];

    return dg__attr (path, "removable", text, sizeof text) && strcmp (text, "removable") == 0;
}

static PcieLink
read_any_link (const char *path, const char *which)
{
    char name[40], text[64];
    PcieLink link = { 0 };

    snprintf (name, sizeof name, "%s_link_speed", which);
    if (dg__attr (path, name, text, sizeof text))
        link.generation = parse_generation (text);
    snprintf (name, sizeof name, "%s_link_width", which);
    link.width = (unsigned) dg__attr_u64 (path, name, 0);
    if (link.width > 32) /* 255 is the kernel's "unknown" */
        link.width = 0;
    if (!link.generation || !link.width)
        link = (PcieLink){ 0 };
    return link;
}

/* Of the device at the lower end. Through Thunderbolt or USB4 each segment says 2.5 GT/s whatever
 * the tunnel carries: then it is unknown. */
static PcieLink
read_link (const char *path, const char *which)
{
    PcieLink current = read_any_link (path, "current");

    if (current.generation == 1 && is_removable (path))
        return (PcieLink){ 0 };
    return strcmp (which, "current") == 0 ? current : read_any_link (path, which);
}

static uint64_t
bits_of (PcieLink link)
{
    return (uint64_t) generations[link.generation].tenths * 100000000 * link.width;
}

static char *
name_of (PcieLink link)
{
    return link.width ? dg__format ("PCIe %u.0 ×%u", link.generation, link.width) : NULL;
}

static void
set_segment (DgLinkMaker *maker, int node, PcieLink current, PcieLink max)
{
    char key[DG__LINK_KEY_SIZE], *name = name_of (current);
    DgSegment segment = { bits_of (current),
                          generations[current.generation].coded_bytes_per_s * current.width, key,
                          name };

    snprintf (key, sizeof key, "pcie-%u-x%u", current.generation, current.width);
    dg__maker_set_segment (maker, node, &segment, bits_of (max));
    if (node >= 0) {
        free (maker->nodes[node].up_max_name);
        maker->nodes[node].up_max_name = name_of (max);
    }
    free (name);
}

bool
dg__is_pci_device (const char *base)
{
    unsigned domain, bus, device, function;
    int n = 0;

    return sscanf (base, "%x:%x:%x.%u%n", &domain, &bus, &device, &function, &n) == 4
           && base[n] == 0;
}

/* What people call it, from the database that udev has asked. (owned) (nullable) */
static char *
database_name (DgLinkMaker *maker, const char *path)
{
    char id[300];
    char *name = NULL;
    DgUdev udev;

    if ((size_t) snprintf (id, sizeof id, "+pci:%s", dg__base_name (path)) < sizeof id) {
        dg__udev_read (maker->blocks->sys, id, &udev);
        name = dg__udev_dup (&udev, "ID_MODEL_FROM_DATABASE");
        dg__udev_done (&udev);
    }
    return name;
}

/* PCI Code and ID Assignment: base class, subclass, programming interface. */
static const char *
class_name (const char *path)
{
    static const struct {
        unsigned code, mask;
        const char *name;
    } classes[] = { { 0x0c0300, 0xffffff, "UHCI" }, { 0x0c0310, 0xffffff, "OHCI" },
                    { 0x0c0320, 0xffffff, "EHCI" }, { 0x0c0330, 0xffffff, "xHCI" },
                    { 0x0c0340, 0xffffff, "USB4" }, { 0x010601, 0xffffff, "AHCI" },
                    { 0x010600, 0xffff00, "SATA" }, { 0x010100, 0xffff00, "IDE" },
                    { 0x010400, 0xffff00, "RAID" }, { 0x010700, 0xffff00, "SAS" },
                    { 0x010000, 0xffff00, "SCSI" }, { 0x080500, 0xffff00, "SD host" } };
    char text[32];
    unsigned code;

    if (dg__attr (path, "class", text, sizeof text) && sscanf (text, "0x%x", &code) == 1)
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
            if ((code & classes[i].mask) == classes[i].code)
                return classes[i].name;
    return NULL;
}

static bool
parent_device (const DgLinkMaker *maker, const char *path, char *ret_path)
{
    dg__path (ret_path, "%s", path);
    return dg__parent_path (ret_path, maker->blocks->sys->sysfs)
           && dg__is_pci_device (dg__base_name (ret_path));
}

static void
note_external (DgLinkMaker *maker, const char *path)
{
    if (is_removable (path))
        maker->drive->is_external = true;
}

/* From the device at `path`, whose node is there already: its own link, then a bridge for each
 * switch (its lower and upper side are two devices), then the root port. The port's greatest is
 * returned. */
static PcieLink
climb (DgLinkMaker *maker, int node, const char *path, bool want_port)
{
    char lower[DG__PATH_SIZE], upper[DG__PATH_SIZE], next[DG__PATH_SIZE];
    PcieLink first_port = { 0 };
    bool is_first = true;

    dg__path (lower, "%s", path);
    for (;;) {
        PcieLink current = read_link (lower, "current"), max = read_link (lower, "max"),
                 port = { 0 };
        bool has_upper = parent_device (maker, lower, upper);
        note_external (maker, lower);
        if (has_upper)
            port = read_any_link (upper, "max");
        if (is_first)
            first_port = port;
        is_first = false;
        set_segment (maker, node, current, max);
        if (!has_upper)
            return first_port;
        if (!parent_device (maker, upper, next)) {
            if (want_port)
                dg__maker_add (maker, DG_NODE_PORT, database_name (maker, upper), upper);
            return first_port;
        }
        node = dg__maker_add (maker, DG_NODE_BRIDGE, database_name (maker, next), next);
        if (node < 0)
            return first_port;
        memcpy (lower, next, sizeof lower);
    }
}

void
dg__link_nvme (DgLinkMaker *maker, const char *path)
{
    PcieLink current = read_link (path, "current"), max = read_link (path, "max"), port;

    maker->link->kind = dg__is_pci_device (dg__base_name (path)) ? DG_LINK_PCIE : DG_LINK_UNKNOWN;
    dg__maker_set_names (maker, name_of (current), name_of (current), "nvme");
    if (maker->link->kind == DG_LINK_UNKNOWN)
        return;
    maker->link->speed_bits_per_s = bits_of (current);
    maker->link->lanes = current.width;
    port = climb (maker, 0, path, true);
    if (port.generation && port.generation < max.generation)
        max.generation = port.generation;
    if (port.width && port.width < max.width)
        max.width = port.width;
    if (current.width && port.width && bits_of (max) > bits_of (current)) {
        maker->link->best_name = name_of (max);
        maker->link->best_bits_per_s = bits_of (max);
    }
}

void
dg__link_controller (DgLinkMaker *maker, const char *path, const char *name)
{
    const char *by_class = class_name (path);
    char *best = database_name (maker, path);
    int node;

    if (!best && (by_class || name))
        best = strdup (by_class ? by_class : name);
    node = dg__maker_add (maker, DG_NODE_CONTROLLER, best, path);
    if (node >= 0 && dg__is_pci_device (dg__base_name (path)))
        climb (maker, node, path, false);
}
