/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of a drive by its parent devices, and the judgement of the whole. What is not told
 * stays unknown: SATA's speed needs an administrator. */
#include "engine/windows/links-private.h"
#include "engine/windows/path.h"

#include <stdlib.h>
#include <string.h>
#include <winioctl.h>

#define BUS_MMC_NAME "eMMC"

uint32_t
dg__win_chain (const DgWinQueries *q, const wchar_t *instance, wchar_t (*ret_chain)[DG_WIN_TEXT],
               uint32_t most)
{
    uint32_t n = 0;
    for (const wchar_t *below = instance;
         n < most && below[0] != L'\0' && q->parent (q, below, ret_chain[n]); n++)
        below = ret_chain[n];
    return n;
}

char *
dg__win_device_name (const DgWinQueries *q, const wchar_t *instance)
{
    wchar_t text[DG_WIN_TEXT];
    return q->text (q, instance, DG_WIN_NAME, text) ? dg__utf8_of (text) : NULL;
}

DgLinkNode *
dg__win_link_add (DgLinkMaker *maker, DgNodeKind kind, char *name)
{
    if (maker->link->n_path == DG_WIN_MOST_NODES) {
        free (name);
        return NULL;
    }
    DgLinkNode *node = &maker->link->path[maker->link->n_path++];
    *node = (DgLinkNode){ .kind = kind, .name = name };
    return node;
}

void
dg__win_link_set_segment (DgLinkMaker *maker, DgLinkNode *node, uint64_t bits_per_s,
                          uint64_t max_bits_per_s, uint64_t coded_bytes_per_s, const char *name,
                          const char *key)
{
    if (node == NULL || bits_per_s == 0)
        return;
    node->up_bits_per_s = bits_per_s;
    node->up_max_bits_per_s = max_bits_per_s > bits_per_s ? max_bits_per_s : bits_per_s;
    free (node->up_name);
    node->up_name = strdup (name);
    size_t i = (size_t) (node - maker->link->path);
    maker->coded_bytes_per_s[i] = coded_bytes_per_s;
    maker->rows[i] = dg_link_table_find (key);
}

static void
judge (DgLinkMaker *maker)
{
    DgLink *link = maker->link;
    uint64_t least = UINT64_MAX;
    uint32_t narrowest = 0;
    for (uint32_t i = 0; i < link->n_path; i++)
        if (maker->coded_bytes_per_s[i] != 0 && maker->coded_bytes_per_s[i] < least) {
            least = maker->coded_bytes_per_s[i];
            narrowest = i;
        }
    if (least == UINT64_MAX)
        return;
    for (uint32_t i = 0; i < link->n_path; i++)
        link->path[i].is_narrowest = maker->coded_bytes_per_s[i] == least;
    link->narrowest_bits_per_s = link->path[narrowest].up_bits_per_s;
    const DgLinkRow *row = maker->rows[narrowest];
    if (row != NULL) {
        link->after_coding_bytes_per_s = row->after_coding_bytes_per_s;
        link->practical_low_bytes_per_s = row->practical_low_bytes_per_s;
        link->ceiling_bytes_per_s = row->practical_high_bytes_per_s;
    }
}

/* A controller of its own with nothing known of the way to the drive. */
static void
plain_link (DgLinkMaker *maker, DgLinkKind kind, const char *name, const char *protocol)
{
    maker->link->kind = kind;
    maker->link->name = name == NULL ? NULL : strdup (name);
    maker->link->short_name = name == NULL ? NULL : strdup (name);
    maker->link->protocol = protocol == NULL ? NULL : strdup (protocol);
    for (uint32_t i = 0; i < maker->n_chain; i++)
        if (wcsncmp (maker->chain[i], L"PCI\\", 4) == 0) {
            dg__win_link_controller (maker, i);
            return;
        }
}

static bool
has_service (const DgLinkMaker *maker, const wchar_t *service)
{
    wchar_t text[DG_WIN_TEXT];
    for (uint32_t i = 0; i < maker->n_chain; i++)
        if (maker->q->text (maker->q, maker->chain[i], DG_WIN_SERVICE, text)
            && _wcsicmp (text, service) == 0)
            return true;
    return false;
}

static void
read_bus (DgLinkMaker *maker, int bus)
{
    switch (bus) {
    case BusTypeUsb:
        dg__win_link_usb (maker);
        break;
    case BusTypeNvme:
        dg__win_link_nvme (maker);
        break;
    case BusTypeSata:
        plain_link (maker, DG_LINK_SATA, "SATA", has_service (maker, L"storahci") ? "ahci" : NULL);
        break;
    case BusTypeAta: /* an IDE driver says so of parallel and serial drives */
        if (has_service (maker, L"storahci"))
            plain_link (maker, DG_LINK_SATA, "SATA", "ahci");
        else
            plain_link (maker, DG_LINK_UNKNOWN, NULL, NULL);
        break;
    case BusTypeSd:
        plain_link (maker, DG_LINK_SD, "SD", NULL);
        break;
    case BusTypeMmc:
        plain_link (maker, DG_LINK_MMC, BUS_MMC_NAME, "mmc");
        break;
    default:
        if (has_service (maker, L"viostor") || has_service (maker, L"vioscsi"))
            plain_link (maker, DG_LINK_VIRTIO, "virtio",
                        has_service (maker, L"viostor") ? "virtio-blk" : "virtio-scsi");
        else if (maker->drive->is_virtual)
            plain_link (maker, DG_LINK_VIRTUAL, NULL, NULL);
        else
            plain_link (maker, DG_LINK_UNKNOWN, NULL, NULL);
        break;
    }
}

DgLink *
dg__win_link_read (const DgWinQueries *q, const wchar_t *instance, int bus_type, DgDrive *drive)
{
    DgLinkMaker *maker = calloc (1, sizeof *maker);
    DgLink *link = calloc (1, sizeof *link);
    if (link != NULL)
        link->path = calloc (DG_WIN_MOST_NODES, sizeof *link->path);
    if (maker == NULL || link == NULL || link->path == NULL) {
        free (maker);
        dg_link_free (link);
        return NULL;
    }
    maker->q = q;
    maker->drive = drive;
    maker->link = link;
    maker->n_chain = dg__win_chain (q, instance, maker->chain, DG_WIN_MOST_CHAIN);
    dg__win_link_add (maker, DG_NODE_DRIVE, drive->model == NULL ? NULL : strdup (drive->model));
    read_bus (maker, bus_type);
    judge (maker);
    free (maker);
    return link;
}

/* ---- who shares a hub ---- */

static bool
is_hub (const DgWinQueries *q, const wchar_t *instance)
{
    wchar_t path[DG_WIN_TEXT];
    return wcsncmp (instance, L"USB\\ROOT_HUB", 12) != 0 && q->hub (q, instance, path);
}

static uint32_t
count_below (const DgWinQueries *q, const wchar_t *hub, wchar_t *const *instances, uint32_t n,
             uint32_t but)
{
    wchar_t (*chain)[DG_WIN_TEXT] = malloc (DG_WIN_MOST_CHAIN * sizeof *chain);
    uint32_t count = 0;
    for (uint32_t i = 0; chain != NULL && i < n; i++) {
        uint32_t length = i == but ? 0 : dg__win_chain (q, instances[i], chain, DG_WIN_MOST_CHAIN);
        bool is_below = false;
        for (uint32_t k = 0; k < length; k++)
            is_below |= _wcsicmp (chain[k], hub) == 0;
        count += is_below;
    }
    free (chain);
    return count;
}

void
dg__win_links_count_neighbours (const DgWinQueries *q, DgDrive *drives, wchar_t *const *instances,
                                uint32_t n)
{
    wchar_t (*chain)[DG_WIN_TEXT] = malloc (DG_WIN_MOST_CHAIN * sizeof *chain);
    for (uint32_t i = 0; chain != NULL && i < n; i++) {
        DgLink *link = drives[i].link;
        uint32_t length = link->kind == DG_LINK_USB
                              ? dg__win_chain (q, instances[i], chain, DG_WIN_MOST_CHAIN)
                              : 0;
        uint32_t node = 0;
        for (uint32_t k = 0; k < length; k++) {
            if (!is_hub (q, chain[k]))
                continue;
            while (node < link->n_path && link->path[node].kind != DG_NODE_HUB)
                node++;
            if (node < link->n_path)
                link->path[node++].other_drives = count_below (q, chain[k], instances, n, i);
        }
    }
    free (chain);
}
