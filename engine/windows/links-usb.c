/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a USB drive up through its hubs: each hub tells how fast its port's device is connected
 * (usbioctl.h). */
#include "engine/windows/links-private.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define USB_FULL  1u
#define USB_HIGH  2u
#define USB_SUPER 3u

/* Names as in the USB-IF's language guidelines; coded: 8b/10b at 5 Gb/s, 128b/132b from 10 Gb/s a
 * lane on; USB 1 and 2 have neither; USB4: what its PCIe tunnel leaves (the table's figure). */
typedef struct {
    uint64_t bits_per_s;
    uint32_t lanes;
    const char *short_name, *rate, *key;
    uint64_t coded_bytes_per_s;
} UsbSpeed;

static const UsbSpeed speeds[] = {
    { 1500000, 1, "USB 1.1", "1.5 Mb/s", "", 187500 },
    { 12000000, 1, "USB 1.1", "12 Mb/s", "usb-12", 1500000 },
    { 480000000, 1, "USB 2.0", "480 Mb/s", "usb-480", 60000000 },
    { 5000000000, 1, "USB 3.2 Gen 1", "5 Gb/s", "usb-5000", 500000000 },
    { 10000000000, 2, "USB 3.2 Gen 1×2", "10 Gb/s", "", 1000000000 },
    { 10000000000, 1, "USB 3.2 Gen 2", "10 Gb/s", "usb-10000", 1212121212 },
    { 20000000000, 2, "USB 3.2 Gen 2×2", "20 Gb/s", "usb-20000", 2424242424 },
    { 40000000000, 2, "USB4", "40 Gb/s", "usb-40000", 3900000000 },
};

static const UsbSpeed *
speed_of (uint64_t bits_per_s, uint32_t lanes)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].bits_per_s == bits_per_s && speeds[i].lanes == lanes)
            return &speeds[i];
    return NULL;
}

/* What a hub says of one of its ports. */
typedef struct {
    const UsbSpeed *now;     /* NULL = unknown */
    uint64_t max_bits_per_s; /* what the device could do at least; 0 = unknown */
    bool port_is_super;      /* the port itself could do 5 Gb/s or more */
} Connection;

static const UsbSpeed *
read_super_plus (const DgWinQueries *q, const wchar_t *hub, uint32_t port)
{
    DgWinUsbSuperPlus plus = { .port = port, .size = sizeof plus };
    static const uint64_t powers[] = { 1, 1000, 1000000, 1000000000 };
    DWORD size = 0;
    if (!q->control (q, hub, DG_WIN_USB_SUPER_PLUS, &plus, sizeof plus, &plus, sizeof plus, &size)
        || size < sizeof plus)
        return NULL;
    uint32_t lanes = plus.receive_lanes + 1;
    return speed_of ((plus.receive_speed >> 16) * powers[plus.receive_speed >> 4 & 3u] * lanes,
                     lanes);
}

static bool
read_v2 (const DgWinQueries *q, const wchar_t *hub, uint32_t port, DgWinUsbConnectionV2 *ret_answer)
{
    DgWinUsbConnectionV2 v2 = { .port = port,
                                .size = sizeof v2,
                                .protocols = DG_WIN_USB_PROTOCOL_300 };
    DWORD size = 0;
    if (!q->control (q, hub, DG_WIN_USB_CONNECTION_V2, &v2, sizeof v2, &v2, sizeof v2, &size)
        || size < sizeof v2)
        return false;
    *ret_answer = v2;
    return true;
}

/* A device at USB 2 is on the port of its socket that can do no more; the socket's other port tells
 * what it could have. */
static bool
is_super_socket (const DgWinQueries *q, const wchar_t *hub, uint32_t port)
{
    DgWinUsbConnector in = { .port = port,
                             .size = offsetof (DgWinUsbConnector, companion_hub) + 2 },
                      found = { 0 };
    DgWinUsbConnectionV2 other;
    wchar_t path[DG_WIN_TEXT + 8];
    DWORD size = 0;
    if (!q->control (q, hub, DG_WIN_USB_CONNECTOR, &in, in.size, &found, sizeof found, &size)
        || size < offsetof (DgWinUsbConnector, companion_hub) || found.companion_port == 0)
        return false;
    found.companion_hub[DG_WIN_TEXT - 1] = L'\0';
    swprintf (path, DG_WIN_TEXT + 8, L"%ls%ls", found.companion_hub[0] == L'\\' ? L"" : L"\\\\.\\",
              found.companion_hub);
    return read_v2 (q, found.companion_hub[0] == L'\0' ? hub : path, found.companion_port, &other)
           && (other.protocols & DG_WIN_USB_PROTOCOL_300) != 0;
}

static Connection
read_connection (const DgWinQueries *q, const wchar_t *hub, uint32_t port)
{
    Connection found = { 0 };
    DgWinUsbConnection old = { .port = port };
    DgWinUsbConnectionV2 v2;
    DWORD size = 0;
    if (read_v2 (q, hub, port, &v2)) {
        found.port_is_super =
            (v2.protocols & DG_WIN_USB_PROTOCOL_300) != 0 || is_super_socket (q, hub, port);
        if ((v2.flags & DG_WIN_USB_CAN_PLUS) != 0)
            found.max_bits_per_s = 10000000000;
        else if ((v2.flags & DG_WIN_USB_CAN_SUPER) != 0)
            found.max_bits_per_s = 5000000000;
        if ((v2.flags & DG_WIN_USB_AT_PLUS) != 0) {
            found.now = read_super_plus (q, hub, port); /* 10 or 20 Gb/s: not to be guessed */
            return found;
        }
        if ((v2.flags & DG_WIN_USB_AT_SUPER) != 0) {
            found.now = speed_of (5000000000, 1);
            return found;
        }
    }
    if (!q->control (q, hub, DG_WIN_USB_CONNECTION, &old, sizeof old, &old, sizeof old, &size)
        || size < offsetof (DgWinUsbConnection, pipes))
        return found;
    found.now = speed_of (old.speed == USB_SUPER  ? 5000000000
                          : old.speed == USB_HIGH ? 480000000
                          : old.speed == USB_FULL ? 12000000
                                                  : 1500000,
                          1);
    return found;
}

/* The device behind `instance` as the hub above it sees it. */
static bool
read_device (const DgLinkMaker *maker, uint32_t i, Connection *ret_connection, uint32_t *ret_port)
{
    wchar_t hub[DG_WIN_TEXT];
    if (i + 1 >= maker->n_chain || !maker->q->hub (maker->q, maker->chain[i + 1], hub)
        || !maker->q->number (maker->q, maker->chain[i], DG_WIN_ADDRESS, ret_port)
        || *ret_port == 0)
        return false;
    *ret_connection = read_connection (maker->q, hub, *ret_port);
    return true;
}

static void
set_segment (DgLinkMaker *maker, DgLinkNode *node, const Connection *connection)
{
    char key[32];
    const UsbSpeed *speed = connection->now;
    if (speed == NULL)
        return;
    bool is_bot = maker->link->protocol != NULL && strcmp (maker->link->protocol, "bot") == 0;
    if (speed->bits_per_s == 5000000000)
        snprintf (key, sizeof key, "%s-%s", speed->key, is_bot ? "bot" : "uas");
    else
        snprintf (key, sizeof key, "%s",
                  speed->bits_per_s > 5000000000 && is_bot ? "" : speed->key);
    dg__win_link_set_segment (maker, node, speed->bits_per_s, connection->max_bits_per_s,
                              speed->coded_bytes_per_s, speed->rate, key);
}

static const char *
read_protocol (const DgLinkMaker *maker, uint32_t *ret_device)
{
    wchar_t service[DG_WIN_TEXT];
    const char *protocol = NULL;
    for (uint32_t i = 0; i < maker->n_chain; i++) {
        if (wcsncmp (maker->chain[i], L"USB\\", 4) != 0)
            continue;
        if (maker->q->text (maker->q, maker->chain[i], DG_WIN_SERVICE, service) && protocol == NULL)
            protocol = _wcsicmp (service, L"UASPStor") == 0  ? "uas"
                       : _wcsicmp (service, L"USBSTOR") == 0 ? "bot"
                                                             : NULL;
        *ret_device = i;
        /* A function of a device with several: the device itself is its parent. */
        if (wcsstr (maker->chain[i], L"&MI_") == NULL)
            break;
    }
    return protocol;
}

/* The bridge has a node of its own where it calls itself otherwise than the drive behind it. */
static DgLinkNode *
add_bridge (DgLinkMaker *maker, uint32_t device)
{
    char *name = dg__win_device_name (maker->q, maker->chain[device]);
    const char *model = maker->drive->model;
    if (name == NULL
        || (model != NULL && (strstr (name, model) != NULL || strstr (model, name) != NULL))) {
        free (name);
        return &maker->link->path[0];
    }
    return dg__win_link_add (maker, DG_NODE_BRIDGE, name);
}

static void
set_names (DgLinkMaker *maker, const Connection *connection)
{
    const UsbSpeed *speed = connection->now;
    char name[96];
    DgLink *link = maker->link;
    if (speed == NULL)
        return;
    snprintf (name, sizeof name, "%s (%s)%s%s", speed->short_name, speed->rate,
              link->protocol == NULL ? "" : ", ",
              link->protocol == NULL                ? ""
              : strcmp (link->protocol, "uas") == 0 ? "UAS"
                                                    : "BOT");
    link->name = strdup (name);
    link->short_name = strdup (speed->short_name);
    link->speed_bits_per_s = speed->bits_per_s;
    link->lanes = speed->lanes;
    /* Only what is sure: the device and the socket that it is in could both do USB 3. */
    if (speed->bits_per_s < 5000000000 && connection->max_bits_per_s >= 5000000000
        && connection->port_is_super) {
        const UsbSpeed *best = speed_of (5000000000, 1);
        snprintf (name, sizeof name, "%s (%s)", best->short_name, best->rate);
        link->best_name = strdup (name);
        link->best_bits_per_s = best->bits_per_s;
    }
}

void
dg__win_link_usb (DgLinkMaker *maker)
{
    DgLink *link = maker->link;
    uint32_t i = maker->n_chain, port = 0;
    const char *protocol = read_protocol (maker, &i);
    link->kind = DG_LINK_USB;
    link->protocol = protocol == NULL ? NULL : strdup (protocol);
    link->is_uas_offered = protocol != NULL && strcmp (protocol, "uas") == 0;
    if (i >= maker->n_chain)
        return;

    Connection connection;
    DgLinkNode *node = add_bridge (maker, i);
    if (read_device (maker, i, &connection, &port)) {
        set_names (maker, &connection);
        set_segment (maker, node, &connection);
    }
    for (i++; i < maker->n_chain && wcsncmp (maker->chain[i], L"USB\\ROOT_HUB", 12) != 0; i++) {
        if (wcsncmp (maker->chain[i], L"USB\\", 4) != 0)
            return;
        node =
            dg__win_link_add (maker, DG_NODE_HUB, dg__win_device_name (maker->q, maker->chain[i]));
        port = 0;
        if (read_device (maker, i, &connection, &port))
            set_segment (maker, node, &connection);
    }
    if (port > 0) {
        char name[32];
        snprintf (name, sizeof name, "Port %u", port);
        dg__win_link_add (maker, DG_NODE_PORT, strdup (name));
    }
    if (i + 1 < maker->n_chain)
        dg__win_link_controller (maker, i + 1);
}
