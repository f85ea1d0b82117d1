/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the interface of a USB drive up through its hubs to the host controller. Format: Linux
 * Documentation/ABI/testing/sysfs-bus-usb. */
#include "engine/linux/links-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/linux/usb-ability.h"

/* Names as in the USB-IF's language guidelines with the line rate behind; coded: 8b/10b up to 5
 * Gb/s a lane, 128b/132b from 10 Gb/s on; USB 1 and 2 have neither. USB4: what its PCIe tunnel
 * leaves (the table's figure). */
static const struct {
    uint64_t bits_per_s;
    unsigned lanes; /* 0 = any */
    const char *short_name, *rate;
    uint64_t coded_bytes_per_s;
} speeds[] = {
    { 1500000, 0, "USB 1.1", "1.5 Mb/s", 187500 },
    { 12000000, 0, "USB 1.1", "12 Mb/s", 1500000 },
    { 480000000, 0, "USB 2.0", "480 Mb/s", 60000000 },
    { 5000000000, 0, "USB 3.2 Gen 1", "5 Gb/s", 500000000 },
    { 10000000000, 2, "USB 3.2 Gen 1×2", "10 Gb/s", 1000000000 },
    { 10000000000, 0, "USB 3.2 Gen 2", "10 Gb/s", 1212121212 },
    { 20000000000, 0, "USB 3.2 Gen 2×2", "20 Gb/s", 2424242424 },
    { 40000000000, 0, "USB4", "40 Gb/s", 3900000000 },
    { 80000000000, 0, "USB4", "80 Gb/s", 10000000000 },
};

typedef struct {
    uint64_t bits_per_s; /* 0 = unknown */
    unsigned lanes;
    int known; /* index in speeds, -1 */
} UsbSpeed;

static UsbSpeed
speed_of (uint64_t bits_per_s, unsigned lanes)
{
    UsbSpeed speed = { bits_per_s, lanes, -1 };

    for (size_t i = 0; i < sizeof speeds / sizeof *speeds && speed.known < 0; i++)
        if (speeds[i].bits_per_s == bits_per_s
            && (speeds[i].lanes == 0 || speeds[i].lanes == lanes))
            speed.known = (int) i;
    return speed;
}

/* "480", "1.5" (megabits); "unknown". */
static UsbSpeed
read_speed (const char *path)
{
    unsigned whole = 0, tenth = 0, rx = (unsigned) dg__attr_u64 (path, "rx_lanes", 0),
             tx = (unsigned) dg__attr_u64 (path, "tx_lanes", 0);
    char text[32];

    if (!dg__attr (path, "speed", text, sizeof text) || sscanf (text, "%u.%1u", &whole, &tenth) < 1
        || whole > 1000000)
        whole = tenth = 0;
    return speed_of (whole * UINT64_C (1000000) + tenth * UINT64_C (100000), rx < tx ? rx : tx);
}

static char *
short_name_of (UsbSpeed speed)
{
    return speed.known >= 0 ? strdup (speeds[speed.known].short_name) : NULL;
}

static char *
name_of (UsbSpeed speed, const char *protocol)
{
    if (speed.known < 0)
        return NULL;
    return dg__format ("%s (%s)%s%s", speeds[speed.known].short_name, speeds[speed.known].rate,
                       protocol ? ", " : "",
                       !protocol                       ? ""
                       : strcmp (protocol, "uas") == 0 ? "UAS"
                                                       : "BOT");
}

/* Rows of the table that is meant for what this protocol can reach. */
static void
key_of (UsbSpeed speed, const char *protocol, char *ret_key)
{
    bool is_bot = protocol && strcmp (protocol, "bot") == 0;
    unsigned megabits = (unsigned) (speed.bits_per_s / 1000000);

    ret_key[0] = 0;
    if (speed.known < 0 || speeds[speed.known].lanes == 2)
        return;
    if (megabits == 5000)
        snprintf (ret_key, DG__LINK_KEY_SIZE, "usb-5000-%s", is_bot ? "bot" : "uas");
    else if (megabits < 5000 || !is_bot)
        snprintf (ret_key, DG__LINK_KEY_SIZE, "usb-%u", megabits);
}

static void
set_segment (DgLinkMaker *maker, int node, UsbSpeed speed, uint64_t max_bits_per_s,
             const char *protocol)
{
    char key[DG__LINK_KEY_SIZE];
    DgSegment segment = { speed.bits_per_s, 0, key, NULL };

    key_of (speed, protocol, key);
    if (speed.known >= 0) {
        segment.coded_bytes_per_s = speeds[speed.known].coded_bytes_per_s;
        segment.name = speeds[speed.known].rate;
    }
    dg__maker_set_segment (maker, node, &segment, max_bits_per_s);
}

/* A device's own word, else the database's. (owned) (nullable) */
static char *
device_name (DgLinkMaker *maker, const char *path)
{
    char *name = dg__attr_dup (path, "product"), number[32], id[40];
    DgUdev udev;

    if (name || !dg__attr (path, "dev", number, sizeof number))
        return name;
    snprintf (id, sizeof id, "c%s", number);
    dg__udev_read (maker->blocks->sys, id, &udev);
    name = dg__udev_dup (&udev, "ID_MODEL_FROM_DATABASE");
    dg__udev_done (&udev);
    return name;
}

static bool
is_root_hub (const char *base)
{
    return dg__is_numbered (base, "usb");
}

/* The fastest root hub of this machine, or 0. */
static uint64_t
best_root_hub (const DgSys *sys)
{
    char folder[DG__PATH_SIZE], path[DG__PATH_SIZE], **names = NULL;
    uint64_t best = 0;

    if (dg__path (folder, "%s/bus/usb/devices", sys->sysfs))
        names = dg__names (folder);
    for (uint32_t i = 0; names && names[i]; i++) {
        if (!is_root_hub (names[i]) || !dg__path (path, "%s/%s", folder, names[i]))
            continue;
        uint64_t speed = read_speed (path).bits_per_s;
        best = speed > best ? speed : best;
    }
    dg__names_free (names);
    return best;
}

static const char *
read_protocol (const char *interface)
{
    char text[64];

    if (dg__link_name (interface, "driver", text, sizeof text)) {
        if (strcmp (text, "uas") == 0)
            return "uas";
        if (strcmp (text, "usb-storage") == 0 || dg__has_prefix (text, "ums-"))
            return "bot";
    }
    if (!dg__attr (interface, "bInterfaceProtocol", text, sizeof text))
        return NULL;
    return strcmp (text, "62") == 0 ? "uas" : strcmp (text, "50") == 0 ? "bot" : NULL;
}

/* The bridge has a node of its own where it calls itself otherwise than the drive behind it. */
static int
add_bridge (DgLinkMaker *maker, const char *path)
{
    char *name = device_name (maker, path);
    const char *model = maker->drive->model;

    if (!name || !model || strcasestr (name, model) || strcasestr (model, name)) {
        if (!model && name) {
            free (maker->nodes[0].name);
            maker->nodes[0].name = name;
        } else {
            free (name);
        }
        return 0;
    }
    return dg__maker_add (maker, DG_NODE_BRIDGE, name, path);
}

static void
set_best (DgLinkMaker *maker, UsbSpeed speed, uint64_t ability, uint64_t root_hub)
{
    uint64_t best;
    UsbSpeed better;

    if (speed.bits_per_s == 0 || ability <= speed.bits_per_s)
        return;
    best = best_root_hub (maker->blocks->sys);
    best = best > root_hub ? best : root_hub;
    best = best < ability ? best : ability;
    better = speed_of (best, 1);
    if (best <= speed.bits_per_s || better.known < 0)
        return;
    maker->link->best_bits_per_s = best;
    maker->link->best_name = name_of (better, NULL);
}

void
dg__link_usb (DgLinkMaker *maker, const char *interface)
{
    const char *protocol = read_protocol (interface);
    char path[DG__PATH_SIZE], text[16], *root_name;
    uint64_t own_bits_per_s;
    DgUsbAbility ability;
    UsbSpeed speed, hub_speed;
    int node, port = 0;

    dg__path (path, "%s", interface);
    if (!dg__parent_path (path, maker->blocks->sys->sysfs))
        return;
    speed = read_speed (path);
    ability = dg__usb_ability_read (path);
    maker->link->kind = DG_LINK_USB;
    maker->link->speed_bits_per_s = speed.bits_per_s;
    maker->link->lanes = speed.lanes;
    maker->link->is_uas_offered = ability.is_uas_offered;
    maker->drive->is_external = !dg__attr (path, "removable", text, sizeof text)
                                || strcmp (text, "fixed") != 0
                                || maker->drive->removable == 1; /* a card in a built-in reader */
    if (!maker->drive->serial)
        maker->drive->serial = dg__attr_dup (path, "serial");
    if (protocol && strcmp (protocol, "bot") == 0 && maker->drive->rotational == 1)
        maker->drive->rotational =
            -1; /* BOT asks for no page that could tell: the kernel's default */
    dg__maker_set_names (maker, name_of (speed, protocol), short_name_of (speed), protocol);
    node = add_bridge (maker, path);
    own_bits_per_s = ability.bits_per_s > speed.bits_per_s ? ability.bits_per_s : speed.bits_per_s;
    set_segment (maker, node, speed, own_bits_per_s, protocol);

    for (;;) {
        const char *last = strrchr (path, '.'), *dash = strrchr (path, '-');
        port = atoi (last && last > dash ? last + 1 : dash ? dash + 1 : "0");
        if (!dg__parent_path (path, maker->blocks->sys->sysfs)
            || is_root_hub (dg__base_name (path)))
            break;
        if (!strchr (dg__base_name (path), '-'))
            return;
        hub_speed = read_speed (path);
        node = dg__maker_add (maker, DG_NODE_HUB, device_name (maker, path), path);
        ability = dg__usb_ability_read (path);
        /* The USB 2 half of a hub always says that it could do more. */
        if (hub_speed.bits_per_s <= 480000000 || ability.bits_per_s < hub_speed.bits_per_s)
            ability.bits_per_s = hub_speed.bits_per_s;
        set_segment (maker, node, hub_speed, ability.bits_per_s, protocol);
    }
    if (!is_root_hub (dg__base_name (path)))
        return;
    if (port > 0)
        dg__maker_add (maker, DG_NODE_PORT, dg__format ("Port %d", port), NULL);
    set_best (maker, speed, own_bits_per_s, read_speed (path).bits_per_s);
    root_name = dg__attr_dup (path, "product");
    if (dg__parent_path (path, maker->blocks->sys->sysfs))
        dg__link_controller (maker, path, root_name);
    free (root_name);
}
