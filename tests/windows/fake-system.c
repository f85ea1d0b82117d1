/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/windows/fake-system.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

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

FakeSystem fake_system;

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
    if (fake_system.is_slow && mount[0] == L'N')
        Sleep (3000);
    DgWinVolume found = { .drive_type = mount[0] == L'N' ? DRIVE_REMOTE : DRIVE_FIXED,
                          .serial = 0x6E3F1D2C,
                          .cluster_bytes = 4096 };
    wcscpy (found.filesystem, mount[0] == L'E' ? L"exFAT" : L"NTFS");
    wcscpy (found.label, mount[0] == L'E' ? L"Größe" : L"");
    found.size_bytes = 1000000000000;
    found.free_bytes = fake_system.is_full ? 1000 : 400000000000;
    if (mount[0] == L'E')
        found.flags = fake_system.is_locked ? FILE_READ_ONLY_VOLUME : 0;
    *ret = found;
    return true;
}

static int
fake_bitlocker (const DgWinQueries *q, const wchar_t *mount)
{
    if (fake_system.is_shell_slow)
        Sleep (3000);
    return mount[0] == L'C' ? 1 : -1;
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
        text = fake_system.usb_driver;
    else if (which == DG_WIN_SERVICE && wcscmp (instance, NVME_HOST) == 0)
        text = fake_system.inner_driver;
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
                                    [DG_WIN_PCI_WIDTH] = i == 2 && fake_system.nvme_width != 0
                                                             ? fake_system.nvme_width
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
                        .BusType = is_usb                       ? BusTypeUsb
                                   : fake_system.inner_bus != 0 ? fake_system.inner_bus
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
        DEVICE_SEEK_PENALTY_DESCRIPTOR found = { sizeof found, sizeof found,
                                                 fake_system.is_hard_disk };
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
                                               .WriteCacheType = fake_system.cache_type,
                                               .WriteCacheEnabled = fake_system.cache_enabled };
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
        STORAGE_HOTPLUG_INFO found = { .Size = sizeof found,
                                       .DeviceHotplug = !fake_system.is_better_performance };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS) {
        VOLUME_DISK_EXTENTS found = { 1,
                                      { { wcsstr (device, L"{2}") != NULL ? 3 : 0,
                                          { .QuadPart = 1048576 },
                                          { .QuadPart = 1000 } } } };
        return answer (out, out_size, &found,
                       fake_system.is_cut_off ? offsetof (VOLUME_DISK_EXTENTS, Extents) + 8
                                              : sizeof found,
                       ret_size);
    }
    bool is_hub = wcscmp (device, L"hub") == 0;
    if (wcscmp (device, L"\\\\.\\usb#other") == 0 && !fake_system.is_other_hub)
        return false;
    if (code == DG_WIN_USB_CONNECTION_V2) {
        DgWinUsbConnectionV2 found = *(const DgWinUsbConnectionV2 *) in;
        /* A port speaks USB 2 or USB 3, not both. */
        bool is_usb2 =
            is_hub && found.port == 2 && (fake_system.usb_flags & DG_WIN_USB_AT_SUPER) == 0;
        found.protocols = is_usb2 ? 0x3 : DG_WIN_USB_PROTOCOL_300;
        found.flags = !is_hub           ? DG_WIN_USB_CAN_SUPER | DG_WIN_USB_AT_SUPER
                      : found.port == 2 ? fake_system.usb_flags
                                        : 0;
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_SUPER_PLUS && fake_system.has_plus) {
        DgWinUsbSuperPlus found = { .port = 2,
                                    .size = sizeof found,
                                    .receive_speed = fake_system.usb_lane_speed,
                                    .receive_lanes = fake_system.usb_lanes_less_one };
        return answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_CONNECTOR && fake_system.is_usb3_socket) {
        DgWinUsbConnector found = {
            .port = 2, .size = 18, .companion_port = 6, .companion_hub = L"usb#other"
        };
        if (!fake_system.is_other_hub)
            found.companion_hub[0] = L'\0';
        return in_size >= 18 && answer (out, out_size, &found, sizeof found, ret_size);
    }
    if (code == DG_WIN_USB_CONNECTION) {
        /* As hubs do: with a device's four pipes open a buffer for less is refused. */
        DgWinUsbConnection found = {
            .port = 2, .speed = (UCHAR) fake_system.usb_old_speed, .open_pipes = 4, .status = 1
        };
        DWORD size = offsetof (DgWinUsbConnection, pipes) + 4 * 11;
        return out_size >= size && answer (out, out_size, &found, size, ret_size);
    }
    return false;
}

DgWinQueries
fake_system_new (void)
{
    fake_system = (FakeSystem){ .usb_driver = L"UASPStor",
                                .usb_flags = DG_WIN_USB_CAN_PLUS | DG_WIN_USB_CAN_SUPER
                                             | DG_WIN_USB_AT_SUPER | DG_WIN_USB_AT_PLUS,
                                .cache_enabled = WriteCacheEnabled,
                                .cache_type = WriteCacheTypeWriteBack,
                                .has_plus = true,
                                .usb_lane_speed = 10u << 16 | 3u << 4 };
    DgWinQueries q = { NULL };
    q.volume = fake_volume;
    q.mount = fake_mount;
    q.remote = fake_remote;
    q.information = fake_information;
    q.bitlocker = fake_bitlocker;
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
