/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives, links and targets from answers that are brought along: Wine has no drives. The answers
 * are built by the structures' documentation; none was recorded on a real machine. */
#include "tests/engine/check.h"

#include "engine/windows/targets.h"

#include <stddef.h>
#include <winioctl.h>

#define USB_DISK   L"USBSTOR\\DISK&VEN_SAMSUNG&PROD_PSSD_T7\\1"
#define USB_DEVICE L"USB\\VID_04E8&PID_4001\\S6TWNS"
#define USB_HUB    L"USB\\VID_05E3&PID_0626\\7"
#define USB_ROOT   L"USB\\ROOT_HUB30\\5"
#define USB_HOST   L"PCI\\VEN_8086&DEV_A36D\\3"
#define NVME_DISK  L"SCSI\\DISK&VEN_NVME&PROD_SAMSUNG_SSD_980\\5"
#define NVME_HOST  L"PCI\\VEN_144D&DEV_A80A\\4"
#define NVME_DOWN  L"PCI\\VEN_1B21&DEV_2824\\D"
#define NVME_UP    L"PCI\\VEN_1B21&DEV_2824\\U"
#define NVME_PORT  L"PCI\\VEN_8086&DEV_A340\\R"

/* What a test changes. */
static struct {
    const wchar_t *usb_driver;
    ULONG usb_flags, usb_old_speed, usb_lane_speed, usb_lanes_less_one;
    bool has_plus, is_locked, is_full, is_slow;
    bool is_usb3_socket; /* its USB 3 half is port 6 of the same hub, or of another one */
    bool is_other_hub;
    uint32_t nvme_width;
    STORAGE_BUS_TYPE inner_bus; /* of the other disk; 0 = NVMe */
    const wchar_t *inner_driver;
} world;

static const struct {
    const wchar_t *below, *above;
} parents[] = { { USB_DISK, USB_DEVICE },
                { USB_DEVICE, USB_HUB },
                { USB_HUB, USB_ROOT },
                { USB_ROOT, USB_HOST },
                { USB_HOST, L"ACPI\\PNP0A08\\0" },
                { NVME_DISK, NVME_HOST },
                { NVME_HOST, NVME_DOWN },
                { NVME_DOWN, NVME_UP },
                { NVME_UP, NVME_PORT },
                { NVME_PORT, L"ACPI\\PNP0A08\\0" } };

static bool
fake_volume (const DgWinQueries *q, uint32_t index, wchar_t ret_volume[64])
{
    static const wchar_t *const names[] = { L"\\\\?\\Volume{1}\\", L"\\\\?\\Volume{2}\\",
                                            L"\\\\?\\Volume{3}\\" };
    if (index >= 3)
        return false;
    wcscpy (ret_volume, names[index]);
    return true;
}

static bool
fake_mount (const DgWinQueries *q, const wchar_t *volume, wchar_t ret_mount[MAX_PATH])
{
    if (wcsstr (volume, L"{3}") != NULL)
        return false;
    wcscpy (ret_mount, wcsstr (volume, L"{1}") != NULL ? L"C:\\" : L"E:\\");
    return true;
}

static bool
fake_remote (const DgWinQueries *q, uint32_t index, wchar_t ret_mount[MAX_PATH])
{
    if (index > 0)
        return false;
    wcscpy (ret_mount, L"N:\\");
    return true;
}

static bool
fake_information (const DgWinQueries *q, const wchar_t *mount, DgWinVolume *ret)
{
    if (world.is_slow && mount[0] == L'N')
        Sleep (3000);
    DgWinVolume found = { .drive_type = mount[0] == L'N' ? DRIVE_REMOTE : DRIVE_FIXED,
                          .bitlocker = -1,
                          .serial = 0x6E3F1D2C,
                          .cluster_bytes = 4096 };
    wcscpy (found.filesystem, mount[0] == L'E' ? L"exFAT" : L"NTFS");
    wcscpy (found.label, mount[0] == L'E' ? L"Größe" : L"");
    found.size_bytes = 1000000000000;
    found.free_bytes = world.is_full ? 1000 : 400000000000;
    if (mount[0] == L'C')
        found.bitlocker = 1;
    if (mount[0] == L'E')
        found.flags = world.is_locked ? FILE_READ_ONLY_VOLUME : 0;
    *ret = found;
    return true;
}

static bool
fake_can_write (const DgWinQueries *q, const wchar_t *folder)
{
    return wcscmp (folder, L"C:\\") != 0;
}

static DWORD
fake_locate (const DgWinQueries *q, const wchar_t *path, wchar_t ret_mount[MAX_PATH],
             wchar_t ret_volume[64], bool *ret_is_folder)
{
    if (wcsstr (path, L"none") != NULL)
        return ERROR_PATH_NOT_FOUND;
    const wchar_t *letter = wcschr (path, L':') - 1;
    swprintf (ret_mount, MAX_PATH, L"%lc:\\", *letter);
    wcscpy (ret_volume, *letter == L'C'   ? L"\\\\?\\Volume{1}\\"
                        : *letter == L'E' ? L"\\\\?\\Volume{2}\\"
                                          : L"");
    *ret_is_folder = wcsstr (path, L"file") == NULL;
    return 0;
}

static bool
fake_user_folder (const DgWinQueries *q, uint32_t index, wchar_t ret_folder[MAX_PATH])
{
    if (index > 0)
        return false;
    wcscpy (ret_folder, L"C:\\Users\\me");
    return true;
}

static bool
fake_disk (const DgWinQueries *q, uint32_t index, wchar_t ret_path[DG_WIN_TEXT],
           wchar_t ret_instance[DG_WIN_TEXT])
{
    if (index >= 2)
        return false;
    wcscpy (ret_path, index == 0 ? L"disk-nvme" : L"disk-usb");
    wcscpy (ret_instance, index == 0 ? NVME_DISK : USB_DISK);
    return true;
}

static bool
fake_parent (const DgWinQueries *q, const wchar_t *instance, wchar_t ret_parent[DG_WIN_TEXT])
{
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++)
        if (wcscmp (instance, parents[i].below) == 0) {
            wcscpy (ret_parent, parents[i].above);
            return true;
        }
    return false;
}

static bool
fake_text (const DgWinQueries *q, const wchar_t *instance, DgWinText which,
           wchar_t ret_text[DG_WIN_TEXT])
{
    const wchar_t *text = NULL;
    if (which == DG_WIN_SERVICE && wcscmp (instance, USB_DEVICE) == 0)
        text = world.usb_driver;
    else if (which == DG_WIN_SERVICE && wcscmp (instance, NVME_HOST) == 0)
        text = world.inner_driver;
    else if (which == DG_WIN_NAME && wcscmp (instance, USB_HUB) == 0)
        text = L"USB3.1 Hub";
    else if (which == DG_WIN_NAME && wcscmp (instance, USB_HOST) == 0)
        text = L"USB xHCI Compliant Host Controller";
    else if (which == DG_WIN_NAME && wcscmp (instance, NVME_UP) == 0)
        text = L"PCI Express Upstream Switch Port";
    if (text == NULL)
        return false;
    wcscpy (ret_text, text);
    return true;
}

static bool
fake_number (const DgWinQueries *q, const wchar_t *instance, DgWinNumber which,
             uint32_t *ret_number)
{
    static const struct {
        const wchar_t *instance;
        uint32_t type, speed, width, max_speed, max_width;
    } pci[] = { { NVME_HOST, 2, 4, 4, 4, 4 },
                { NVME_DOWN, 10, 4, 4, 4, 4 },
                { NVME_UP, 9, 3, 2, 3, 4 },
                { NVME_PORT, 8, 3, 2, 3, 4 } };
    if (which == DG_WIN_ADDRESS
        && (wcscmp (instance, USB_DEVICE) == 0 || wcscmp (instance, USB_HUB) == 0)) {
        *ret_number = wcscmp (instance, USB_HUB) == 0 ? 5 : 2;
        return true;
    }
    if (which == DG_WIN_REMOVAL_POLICY) {
        *ret_number = wcscmp (instance, USB_DISK) == 0 ? 3 : 1;
        return true;
    }
    for (size_t i = 0; i < sizeof pci / sizeof *pci; i++) {
        const uint32_t values[] = { [DG_WIN_PCI_TYPE] = pci[i].type,
                                    [DG_WIN_PCI_SPEED] = pci[i].speed,
                                    [DG_WIN_PCI_WIDTH] = i == 2 && world.nvme_width != 0
                                                             ? world.nvme_width
                                                             : pci[i].width,
                                    [DG_WIN_PCI_MAX_SPEED] = pci[i].max_speed,
                                    [DG_WIN_PCI_MAX_WIDTH] = pci[i].max_width };
        if (wcscmp (instance, pci[i].instance) != 0 || which < DG_WIN_PCI_TYPE)
            continue;
        *ret_number = values[which];
        return true;
    }
    return false;
}

static bool
fake_hub (const DgWinQueries *q, const wchar_t *instance, wchar_t ret_path[DG_WIN_TEXT])
{
    if (wcscmp (instance, USB_HUB) != 0 && wcscmp (instance, USB_ROOT) != 0)
        return false;
    wcscpy (ret_path, wcscmp (instance, USB_HUB) == 0 ? L"hub" : L"root-hub");
    return true;
}

static bool
answer (void *out, DWORD out_size, const void *from, size_t size, DWORD *ret_size)
{
    memcpy (out, from, size < out_size ? size : out_size);
    *ret_size = (DWORD) (size < out_size ? size : out_size);
    return true;
}

static bool
answer_property (const wchar_t *device, const STORAGE_PROPERTY_QUERY *asked, void *out,
                 DWORD out_size, DWORD *ret_size)
{
    bool is_usb = wcscmp (device, L"disk-usb") == 0;
    struct {
        STORAGE_DEVICE_DESCRIPTOR head;
        char text[96];
    } all = { .head = { .Version = sizeof all,
                        .Size = sizeof all,
                        .BusType = is_usb                 ? BusTypeUsb
                                   : world.inner_bus != 0 ? world.inner_bus
                                                          : BusTypeNvme } };
    DWORD text = offsetof (__typeof__ (all), text);
    switch (asked->PropertyId) {
    case StorageDeviceProperty:
        strcpy (all.text, is_usb ? "Samsung " : "NVMe");
        strcpy (all.text + 16, is_usb ? "PSSD T7         " : "Samsung SSD 980 ");
        strcpy (all.text + 48, is_usb ? "0   " : "5B2QGXA7");
        strcpy (all.text + 64, is_usb ? "S6TWNS\x01" : "  S5GX  ");
        all.head.VendorIdOffset = text;
        all.head.ProductIdOffset = text + 16;
        all.head.ProductRevisionOffset = text + 48;
        all.head.SerialNumberOffset = text + 64;
        return answer (out, out_size, &all, sizeof all, ret_size);
    case StorageDeviceSeekPenaltyProperty: {
        DEVICE_SEEK_PENALTY_DESCRIPTOR found = { sizeof found, sizeof found, FALSE };
        return !is_usb && answer (out, out_size, &found, sizeof found, ret_size);
    }
    case StorageAccessAlignmentProperty: {
        STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR found = { .Version = sizeof found,
                                                      .Size = sizeof found,
                                                      .BytesPerLogicalSector = 512,
                                                      .BytesPerPhysicalSector = 4096 };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    case StorageDeviceWriteCacheProperty: {
        STORAGE_WRITE_CACHE_PROPERTY found = { .Version = sizeof found,
                                               .Size = sizeof found,
                                               .WriteCacheType = WriteCacheTypeWriteBack,
                                               .WriteCacheEnabled = WriteCacheEnabled };
        return !is_usb && answer (out, out_size, &found, sizeof found, ret_size);
    }
    default:
        return false;
    }
}

static bool
fake_control (const DgWinQueries *q, const wchar_t *device, DWORD code, const void *in,
              DWORD in_size, void *out, DWORD out_size, DWORD *ret_size)
{
    if (code == IOCTL_STORAGE_QUERY_PROPERTY)
        return answer_property (device, in, out, out_size, ret_size);
    if (code == IOCTL_STORAGE_GET_DEVICE_NUMBER) {
        STORAGE_DEVICE_NUMBER found = { FILE_DEVICE_DISK, wcscmp (device, L"disk-usb") == 0 ? 3 : 0,
                                        0 };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == IOCTL_DISK_GET_DRIVE_GEOMETRY_EX) {
        DISK_GEOMETRY_EX found = { .DiskSize.QuadPart = 1000204886016 };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == IOCTL_STORAGE_GET_HOTPLUG_INFO) {
        STORAGE_HOTPLUG_INFO found = { .Size = sizeof found, .DeviceHotplug = TRUE };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS) {
        VOLUME_DISK_EXTENTS found = { 1,
                                      { { wcsstr (device, L"{2}") != NULL ? 3 : 0,
                                          { .QuadPart = 1048576 },
                                          { .QuadPart = 1000 } } } };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    bool is_hub = wcscmp (device, L"hub") == 0;
    if (wcscmp (device, L"\\\\.\\usb#other") == 0 && !world.is_other_hub)
        return false;
    if (code == DG_WIN_USB_CONNECTION_V2) {
        DgWinUsbConnectionV2 found = *(const DgWinUsbConnectionV2 *) in;
        /* A port speaks USB 2 or USB 3, not both. */
        bool is_usb2 = is_hub && found.port == 2 && (world.usb_flags & DG_WIN_USB_AT_SUPER) == 0;
        found.protocols = is_usb2 ? 0x3 : DG_WIN_USB_PROTOCOL_300;
        found.flags = !is_hub           ? DG_WIN_USB_CAN_SUPER | DG_WIN_USB_AT_SUPER
                      : found.port == 2 ? world.usb_flags
                                        : 0;
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_SUPER_PLUS && world.has_plus) {
        DgWinUsbSuperPlus found = { .port = 2,
                                    .size = sizeof found,
                                    .receive_speed = world.usb_lane_speed,
                                    .receive_lanes = world.usb_lanes_less_one };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_CONNECTOR && world.is_usb3_socket) {
        DgWinUsbConnector found = {
            .port = 2, .size = 18, .companion_port = 6, .companion_hub = L"usb#other"
        };
        if (!world.is_other_hub)
            found.companion_hub[0] = L'\0';
        return in_size >= 18 && answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_CONNECTION) {
        /* As hubs do: with a device's four pipes open a buffer for less is refused. */
        DgWinUsbConnection found = {
            .port = 2, .speed = (UCHAR) world.usb_old_speed, .open_pipes = 4, .status = 1
        };
        DWORD size = offsetof (DgWinUsbConnection, pipes) + 4 * 11;
        return out_size >= size && answer (out, out_size, &found, size, ret_size);
    }
    return false;
}

static const DgWinQueries fake = { NULL };
static DgWinQueries
queries (void)
{
    DgWinQueries q = fake;
    q.volume = fake_volume;
    q.mount = fake_mount;
    q.remote = fake_remote;
    q.information = fake_information;
    q.can_write = fake_can_write;
    q.locate = fake_locate;
    q.user_folder = fake_user_folder;
    q.disk = fake_disk;
    q.parent = fake_parent;
    q.text = fake_text;
    q.number = fake_number;
    q.hub = fake_hub;
    q.control = fake_control;
    return q;
}

static DgWinQueries q;

static void
world_new (void)
{
    memset (&world, 0, sizeof world);
    world.usb_driver = L"UASPStor";
    world.usb_flags =
        DG_WIN_USB_CAN_PLUS | DG_WIN_USB_CAN_SUPER | DG_WIN_USB_AT_SUPER | DG_WIN_USB_AT_PLUS;
    world.has_plus = true;
    world.usb_lane_speed = 10u << 16 | 3u << 4;
    q = queries ();
}

static bool
is (const char *text, const char *wanted)
{
    if (wanted == NULL || text == NULL)
        return wanted == text;
    if (strcmp (text, wanted) != 0)
        printf ("# \"%s\" instead of \"%s\"\n", text, wanted);
    return strcmp (text, wanted) == 0;
}

static DgTargetList *
list (void)
{
    DgTargetList *found = NULL;
    CHECK_U64 (dg__win_targets_list (&q, &found), DG_OK);
    return found;
}

static void
everything_listed (void)
{
    world_new ();
    DgTargetList *l = list ();
    CHECK_U64 (l->n_drives, 2);
    CHECK_U64 (l->n_targets, 4);
    CHECK (is (l->drives[0].name, "PhysicalDrive0") && is (l->drives[0].model, "Samsung SSD 980")
           && l->drives[0].vendor == NULL);
    CHECK (is (l->drives[0].serial, "S5GX") && is (l->drives[0].write_cache, "write back")
           && l->drives[0].rotational == 0);
    CHECK (is (l->drives[1].vendor, "Samsung") && is (l->drives[1].model, "PSSD T7")
           && is (l->drives[1].serial, "S6TWNS?"));
    CHECK (l->drives[1].write_cache == NULL && l->drives[1].rotational == -1
           && l->drives[1].is_external && !l->drives[0].is_external);
    CHECK_U64 (l->drives[1].size_bytes, 1000204886016);
    CHECK_U64 (l->drives[1].physical_block_bytes, 4096);

    const DgTarget *c = &l->targets[0], *nameless = &l->targets[1], *e = &l->targets[2],
                   *n = &l->targets[3];
    CHECK (is (c->mount, "C:\\") && is (c->folder, "C:\\Users\\me") && c->is_home && c->is_encrypted
           && c->n_layers == 1 && is (c->layers[0], "BitLocker"));
    CHECK_U64 (c->use, DG_TARGET_USABLE);
    CHECK (nameless->mount == NULL && nameless->use == DG_TARGET_NOT_MOUNTED
           && nameless->n_drives == 1);
    CHECK (is (e->label, "Größe") && is (e->filesystem, "exFAT") && is (e->uuid, "6E3F-1D2C")
           && is (e->options, "quick removal"));
    CHECK_U64 (e->partition_start_bytes, 1048576);
    CHECK (e->n_drives == 1 && e->drives[0] == 1 && !e->is_encrypted
           && l->drives[1].is_encrypted == -1 && l->drives[0].is_encrypted == 1);
    CHECK (is (n->mount, "N:\\") && n->fs_kind == DG_FS_NETWORK && n->n_drives == 0);
    CHECK_U64 (dg_targets_default (l), 2); /* what is plugged in */
    dg_targets_free (l);
}

static void
usb_links (void)
{
    static const struct {
        const wchar_t *driver;
        ULONG flags, old, lane, lanes;
        bool has_plus, is_usb3_socket, is_other_hub;
        const char *name, *best;
        uint64_t speed, low;
    } rows[] = {
        { L"UASPStor", 0xF, 3, 10u << 16 | 3u << 4, 0, true, false, false,
          "USB 3.2 Gen 2 (10 Gb/s), UAS", NULL, 10000000000, 0 },
        { L"UASPStor", 0xF, 3, 10u << 16 | 3u << 4, 1, true, false, false,
          "USB 3.2 Gen 2×2 (20 Gb/s), UAS", NULL, 20000000000, 0 },
        { L"UASPStor", 0xF, 3, 10000u << 16 | 2u << 4, 0, true, false, false,
          "USB 3.2 Gen 2 (10 Gb/s), UAS", NULL, 10000000000, 0 },
        /* 10 or 20: not guessed */
        { L"UASPStor", 0xF, 3, 0, 0, false, false, false, NULL, NULL, 0, 0 },
        { L"USBSTOR", 0x3, 3, 0, 0, false, false, false, "USB 3.2 Gen 1 (5 Gb/s), BOT", NULL,
          5000000000, 170000000 },
        /* A drive for 10 Gb/s at a USB 2 hub, in a USB 3 socket of this hub, and of another's. */
        { L"UASPStor", 0xA, 2, 0, 0, false, false, false, "USB 2.0 (480 Mb/s), UAS", NULL,
          480000000, 33000000 },
        { L"USBSTOR", 0x2, 2, 0, 0, false, true, false, "USB 2.0 (480 Mb/s), BOT",
          "USB 3.2 Gen 1 (5 Gb/s)", 480000000, 33000000 },
        { L"USBSTOR", 0x2, 2, 0, 0, false, true, true, "USB 2.0 (480 Mb/s), BOT",
          "USB 3.2 Gen 1 (5 Gb/s)", 480000000, 33000000 },
        { L"USBSTOR", 0x0, 2, 0, 0, false, true, false, "USB 2.0 (480 Mb/s), BOT", NULL, 480000000,
          33000000 },
        { L"USBSTOR", 0x0, 1, 0, 0, false, false, false, "USB 1.1 (12 Mb/s), BOT", NULL, 12000000,
          900000 },
        { L"unheard-of", 0x3, 3, 0, 0, false, false, false, "USB 3.2 Gen 1 (5 Gb/s)", NULL,
          5000000000, 400000000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world_new ();
        world.usb_driver = rows[i].driver;
        world.usb_flags = rows[i].flags;
        world.usb_old_speed = rows[i].old;
        world.usb_lane_speed = rows[i].lane;
        world.usb_lanes_less_one = rows[i].lanes;
        world.has_plus = rows[i].has_plus;
        world.is_usb3_socket = rows[i].is_usb3_socket;
        world.is_other_hub = rows[i].is_other_hub;
        DgTargetList *l = list ();
        const DgLink *link = l->drives[1].link;
        CHECK (link->kind == DG_LINK_USB && is (link->name, rows[i].name)
               && is (link->best_name, rows[i].best));
        CHECK_U64 (link->speed_bits_per_s, rows[i].speed);
        if (rows[i].low != 0)
            CHECK_U64 (link->practical_low_bytes_per_s, rows[i].low);
        CHECK_U64 (link->n_path, 4); /* drive, hub, port, controller */
        CHECK (is (link->path[1].name, "USB3.1 Hub") && link->path[1].kind == DG_NODE_HUB
               && link->path[1].up_bits_per_s == 5000000000);
        CHECK (is (link->path[2].name, "Port 5")
               && is (link->path[3].name, "USB xHCI Compliant Host Controller"));
        if (rows[i].speed > 5000000000) /* the hub is the narrow place */
            CHECK (link->path[1].is_narrowest && link->narrowest_bits_per_s == 5000000000);
        dg_targets_free (l);
    }
}

static void
nvme_link (void)
{
    world_new ();
    DgTargetList *l = list ();
    const DgLink *link = l->drives[0].link;
    CHECK (link->kind == DG_LINK_PCIE && is (link->name, "PCIe 4.0 ×4")
           && is (link->protocol, "nvme"));
    CHECK_U64 (link->lanes, 4);
    CHECK_U64 (link->speed_bits_per_s, 64000000000);
    CHECK_U64 (link->n_path, 3); /* drive, switch, root port */
    CHECK (link->path[1].kind == DG_NODE_BRIDGE && is (link->path[1].up_name, "PCIe 3.0 ×2")
           && link->path[1].is_narrowest);
    CHECK (is (link->path[1].up_max_name, "PCIe 3.0 ×4"));
    CHECK_U64 (link->practical_low_bytes_per_s, 1700000000);
    dg_targets_free (l);
    world.nvme_width = 77; /* nonsense is unknown */
    l = list ();
    CHECK_U64 (l->drives[0].link->path[1].up_bits_per_s, 0);
    CHECK_U64 (l->drives[0].link->narrowest_bits_per_s, 64000000000);
    dg_targets_free (l);
}

static void
other_buses (void)
{
    static const struct {
        STORAGE_BUS_TYPE bus;
        const wchar_t *driver;
        DgLinkKind kind;
        const char *name, *protocol;
        bool is_virtual;
    } rows[] = { { BusTypeSata, L"storahci", DG_LINK_SATA, "SATA", "ahci", false },
                 { BusTypeSata, L"iaStorAC", DG_LINK_SATA, "SATA", NULL, false },
                 { BusTypeAta, L"storahci", DG_LINK_SATA, "SATA", "ahci", false },
                 { BusTypeAta, L"intelide", DG_LINK_UNKNOWN, NULL, NULL, false },
                 { BusTypeRAID, L"iaStorVD", DG_LINK_UNKNOWN, NULL, NULL, false },
                 { BusTypeSd, L"sdbus", DG_LINK_SD, "SD", NULL, false },
                 { BusTypeMmc, L"sdbus", DG_LINK_MMC, "eMMC", "mmc", false },
                 { BusTypeScsi, L"vioscsi", DG_LINK_VIRTIO, "virtio", "virtio-scsi", false },
                 { BusTypeFileBackedVirtual, L"vhdmp", DG_LINK_VIRTUAL, NULL, NULL, true },
                 { (STORAGE_BUS_TYPE) 0x10, L"spaceport", DG_LINK_VIRTUAL, NULL, NULL, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world_new ();
        world.inner_bus = rows[i].bus;
        world.inner_driver = rows[i].driver;
        DgTargetList *l = list ();
        const DgDrive *drive = &l->drives[0];
        CHECK_U64 (drive->link->kind, rows[i].kind);
        CHECK (is (drive->link->name, rows[i].name) && is (drive->link->protocol, rows[i].protocol)
               && drive->is_virtual == rows[i].is_virtual);
        CHECK_U64 (drive->link->speed_bits_per_s, 0);
        dg_targets_free (l);
    }
}

static void
one_found (void)
{
    static const struct {
        const char *path;
        bool is_locked, is_full;
        int code;
    } rows[] = { { "E:\\x", false, false, DG_OK },
                 { "E:\\file", false, false, DG_ERROR_NOT_DIRECTORY },
                 { "E:\\none", false, false, DG_ERROR_NOT_FOUND },
                 { "E:\\x", true, false, DG_ERROR_READ_ONLY },
                 { "E:\\x", false, true, DG_ERROR_NO_SPACE } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world_new ();
        world.is_locked = rows[i].is_locked;
        world.is_full = rows[i].is_full;
        DgTargetList *l = NULL;
        DgErrorDetail detail = { 0 };
        CHECK_U64 (-dg__win_targets_find (&q, rows[i].path, &l, &detail), -rows[i].code);
        CHECK ((l == NULL) == (rows[i].code == DG_ERROR_NOT_FOUND));
        if (l != NULL) {
            CHECK (l->n_targets == 1 && l->n_drives == 1 && is (l->drives[0].model, "PSSD T7")
                   && is (l->targets[0].folder, rows[i].path));
            CHECK (l->targets[0].drives[0] == 0);
        }
        dg_targets_free (l);
    }
}

static void
no_answer (void)
{
    world_new ();
    world.is_slow = true;
    uint64_t start = GetTickCount64 ();
    DgTargetList *l = list ();
    uint64_t took = GetTickCount64 () - start;
    CHECK (took >= 1900 && took < 2900);
    CHECK_U64 (l->targets[3].use, DG_TARGET_NO_ANSWER);
    CHECK_U64 (l->targets[2].use, DG_TARGET_USABLE);
    dg_targets_free (l);
    Sleep (2000); /* the thread left behind ends by itself */
}

int
main (int argc, char **argv)
{
    static const Case cases[] = { { "drives, volumes with and without a letter, a share",
                                    everything_listed },
                                  { "USB: speed, protocol, hub, what would be better", usb_links },
                                  { "NVMe behind a switch", nvme_link },
                                  { "other buses: no more is said than is told", other_buses },
                                  { "the target of a path, and why not", one_found },
                                  { "a share that does not answer", no_answer } };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
