/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/queries.h"
#include "engine/windows/path.h"

#include <cfgmgr32.h>
#include <propsys.h>
#include <setupapi.h>
#include <shlobj.h>
#include <winioctl.h>

/* After winioctl.h, whose own keys it would define once more. */
#include <initguid.h>

#include <devpkey.h>
#include <pciprop.h>

/* GUID_DEVINTERFACE_DISK and _USB_HUB (ntddstor.h, usbiodef.h). */
static const GUID disks = {
    0x53f56307, 0xb6bf, 0x11d0, { 0x94, 0xf2, 0x00, 0xa0, 0xc9, 0x1e, 0xfb, 0x8b }
};
static const GUID hubs = {
    0xf18a0e88, 0xc30c, 0x11d0, { 0x88, 0x15, 0x00, 0xa0, 0xc9, 0x06, 0xbe, 0xd8 }
};

/* ---- volumes ---- */

static bool
system_volume (const DgWinQueries *q, uint32_t index, wchar_t ret_volume[64])
{
    wchar_t name[64];
    HANDLE search = FindFirstVolumeW (name, 64);
    BOOL has = search != INVALID_HANDLE_VALUE;
    for (; has && index > 0; index--)
        has = FindNextVolumeW (search, name, 64);
    if (search != INVALID_HANDLE_VALUE)
        FindVolumeClose (search);
    if (has)
        wcscpy (ret_volume, name);
    return has;
}

static bool
system_mount (const DgWinQueries *q, const wchar_t *volume, wchar_t ret_mount[MAX_PATH])
{
    wchar_t paths[4 * MAX_PATH];
    DWORD n;
    if (!GetVolumePathNamesForVolumeNameW (volume, paths, 4 * MAX_PATH, &n) || paths[0] == L'\0'
        || wcslen (paths) >= MAX_PATH)
        return false;
    wcscpy (ret_mount, paths);
    return true;
}

static bool
system_remote (const DgWinQueries *q, uint32_t index, wchar_t ret_mount[MAX_PATH])
{
    DWORD letters = GetLogicalDrives ();
    for (unsigned i = 0; i < 26; i++) {
        wchar_t root[] = { (wchar_t) (L'A' + i), L':', L'\\', L'\0' };
        if ((letters >> i & 1u) == 0 || GetDriveTypeW (root) != DRIVE_REMOTE || index-- > 0)
            continue;
        wcscpy (ret_mount, root);
        return true;
    }
    return false;
}

/* Explorer's property System.Volume.BitLockerProtection is the one way that needs no administrator:
 * 1 on, 2 off, 3 being encrypted, 4 being decrypted, 5 suspended, 6 locked. */
static int
system_bitlocker (const DgWinQueries *q, const wchar_t *mount)
{
    PROPERTYKEY key;
    IShellItem2 *item = NULL;
    INT value = 0;
    int found = -1;
    HRESULT is_begun = CoInitializeEx (NULL, COINIT_APARTMENTTHREADED);
    if (SUCCEEDED (PSGetPropertyKeyFromName (L"System.Volume.BitLockerProtection", &key))
        && SUCCEEDED (
            SHCreateItemFromParsingName (mount, NULL, &IID_IShellItem2, (void **) &item))) {
        if (SUCCEEDED (item->lpVtbl->GetInt32 (item, &key, &value)))
            found = value == 2 ? 0 : value == 1 || (value >= 3 && value <= 6) ? 1 : -1;
        item->lpVtbl->Release (item);
    }
    if (SUCCEEDED (is_begun))
        CoUninitialize ();
    return found;
}

static bool
system_information (const DgWinQueries *q, const wchar_t *mount, DgWinVolume *ret_information)
{
    DgWinVolume found = { .drive_type = GetDriveTypeW (mount) };
    ULARGE_INTEGER available, total;
    DWORD per_cluster, per_sector, free_clusters, clusters;
    if (!GetVolumeInformationW (mount, found.label, MAX_PATH, &found.serial, NULL, &found.flags,
                                found.filesystem, 64))
        return false;
    if (GetDiskFreeSpaceExW (mount, &available, &total, NULL)) {
        found.size_bytes = total.QuadPart;
        found.free_bytes = available.QuadPart;
    }
    if (GetDiskFreeSpaceW (mount, &per_cluster, &per_sector, &free_clusters, &clusters))
        found.cluster_bytes = per_cluster * per_sector;
    *ret_information = found;
    return true;
}

static bool
system_can_write (const DgWinQueries *q, const wchar_t *folder)
{
    HANDLE handle =
        CreateFileW (folder, FILE_ADD_FILE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                     NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle (handle);
    return true;
}

static DWORD
system_locate (const DgWinQueries *q, const wchar_t *path, wchar_t ret_mount[MAX_PATH],
               wchar_t ret_volume[64], bool *ret_is_folder)
{
    DWORD attributes = GetFileAttributesW (path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return GetLastError ();
    if (!GetVolumePathNameW (path, ret_mount, MAX_PATH))
        return GetLastError ();
    dg__strip_prefix (ret_mount); /* it kept the path's */
    if (!GetVolumeNameForVolumeMountPointW (ret_mount, ret_volume, 64))
        ret_volume[0] = L'\0';
    *ret_is_folder = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return 0;
}

static bool
system_user_folder (const DgWinQueries *q, uint32_t index, wchar_t ret_folder[MAX_PATH])
{
    static const wchar_t *const names[] = { L"USERPROFILE", L"LOCALAPPDATA", L"TEMP" };
    wchar_t folder[MAX_PATH];
    DWORD n = index < 3 ? GetEnvironmentVariableW (names[index], folder, MAX_PATH) : 0;
    if (n == 0 || n >= MAX_PATH)
        return false;
    wcscpy (ret_folder, folder);
    return true;
}

/* ---- devices ---- */

static bool
system_disk (const DgWinQueries *q, uint32_t index, wchar_t ret_path[DG_WIN_TEXT],
             wchar_t ret_instance[DG_WIN_TEXT])
{
    HDEVINFO set = SetupDiGetClassDevsW (&disks, NULL, NULL, DIGCF_PRESENT | DIGCF_DEVICEINTERFACE);
    if (set == INVALID_HANDLE_VALUE)
        return false;
    union {
        SP_DEVICE_INTERFACE_DETAIL_DATA_W head;
        unsigned char
            room[sizeof (SP_DEVICE_INTERFACE_DETAIL_DATA_W) + DG_WIN_TEXT * sizeof (wchar_t)];
    } detail = { .head.cbSize = sizeof (SP_DEVICE_INTERFACE_DETAIL_DATA_W) };
    SP_DEVICE_INTERFACE_DATA face = { .cbSize = sizeof face };
    SP_DEVINFO_DATA device = { .cbSize = sizeof device };
    wchar_t instance[DG_WIN_TEXT];
    bool found =
        SetupDiEnumDeviceInterfaces (set, NULL, &disks, index, &face)
        && SetupDiGetDeviceInterfaceDetailW (set, &face, &detail.head, sizeof detail, NULL, &device)
        && SetupDiGetDeviceInstanceIdW (set, &device, instance, DG_WIN_TEXT, NULL)
        && wcslen (detail.head.DevicePath) < DG_WIN_TEXT;
    if (found) {
        wcscpy (ret_path, detail.head.DevicePath);
        wcscpy (ret_instance, instance);
    }
    SetupDiDestroyDeviceInfoList (set);
    return found;
}

static bool
locate_device (const wchar_t *instance, DEVINST *ret_device)
{
    return CM_Locate_DevNodeW (ret_device, (DEVINSTID_W) instance, CM_LOCATE_DEVNODE_NORMAL)
           == CR_SUCCESS;
}

static bool
system_parent (const DgWinQueries *q, const wchar_t *instance, wchar_t ret_parent[DG_WIN_TEXT])
{
    DEVINST device, parent;
    wchar_t id[DG_WIN_TEXT];
    if (!locate_device (instance, &device) || CM_Get_Parent (&parent, device, 0) != CR_SUCCESS
        || CM_Get_Device_IDW (parent, id, DG_WIN_TEXT, 0) != CR_SUCCESS)
        return false;
    wcscpy (ret_parent, id);
    return true;
}

static bool
read_property (const wchar_t *instance, const DEVPROPKEY *key, DEVPROPTYPE wanted, void *out,
               ULONG size)
{
    DEVINST device;
    DEVPROPTYPE type;
    return locate_device (instance, &device)
           && CM_Get_DevNode_PropertyW (device, key, &type, out, &size, 0) == CR_SUCCESS
           && type == wanted;
}

static bool
system_text (const DgWinQueries *q, const wchar_t *instance, DgWinText which,
             wchar_t ret_text[DG_WIN_TEXT])
{
    const DEVPROPKEY *const keys[2][3] = {
        [DG_WIN_SERVICE] = { &DEVPKEY_Device_Service },
        [DG_WIN_NAME] = { &DEVPKEY_Device_BusReportedDeviceDesc, &DEVPKEY_Device_FriendlyName,
                          &DEVPKEY_Device_DeviceDesc },
    };
    wchar_t text[DG_WIN_TEXT];
    for (int i = 0; i < 3 && keys[which][i] != NULL; i++)
        if (read_property (instance, keys[which][i], DEVPROP_TYPE_STRING, text, sizeof text)
            && text[0] != L'\0') {
            wcscpy (ret_text, text);
            return true;
        }
    return false;
}

static bool
system_number (const DgWinQueries *q, const wchar_t *instance, DgWinNumber which,
               uint32_t *ret_number)
{
    const DEVPROPKEY *const keys[] = {
        [DG_WIN_ADDRESS] = &DEVPKEY_Device_Address,
        [DG_WIN_REMOVAL_POLICY] = &DEVPKEY_Device_RemovalPolicy,
        [DG_WIN_PCI_TYPE] = &DEVPKEY_PciDevice_DeviceType,
        [DG_WIN_PCI_SPEED] = &DEVPKEY_PciDevice_CurrentLinkSpeed,
        [DG_WIN_PCI_WIDTH] = &DEVPKEY_PciDevice_CurrentLinkWidth,
        [DG_WIN_PCI_MAX_SPEED] = &DEVPKEY_PciDevice_MaxLinkSpeed,
        [DG_WIN_PCI_MAX_WIDTH] = &DEVPKEY_PciDevice_MaxLinkWidth,
    };
    uint32_t number;
    if (!read_property (instance, keys[which], DEVPROP_TYPE_UINT32, &number, sizeof number))
        return false;
    *ret_number = number;
    return true;
}

static bool
system_hub (const DgWinQueries *q, const wchar_t *instance, wchar_t ret_path[DG_WIN_TEXT])
{
    wchar_t list[DG_WIN_TEXT];
    if (CM_Get_Device_Interface_ListW ((GUID *) &hubs, (DEVINSTID_W) instance, list, DG_WIN_TEXT,
                                       CM_GET_DEVICE_INTERFACE_LIST_PRESENT)
            != CR_SUCCESS
        || list[0] == L'\0')
        return false;
    wcscpy (ret_path, list);
    return true;
}

/* A hub answers only to a handle that could write; a disk answers these to a handle without any
 * right. */
static bool
system_control (const DgWinQueries *q, const wchar_t *device, DWORD code, const void *in,
                DWORD in_size, void *out, DWORD out_size, DWORD *ret_size)
{
    DWORD access = DEVICE_TYPE_FROM_CTL_CODE (code) == FILE_DEVICE_UNKNOWN ? GENERIC_WRITE : 0,
          size = 0;
    HANDLE handle = CreateFileW (device, access, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                 OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    BOOL is_answered =
        DeviceIoControl (handle, code, (void *) in, in_size, out, out_size, &size, NULL);
    CloseHandle (handle);
    if (is_answered)
        *ret_size = size;
    return is_answered;
}

const DgWinQueries dg__win_queries = {
    .volume = system_volume,
    .mount = system_mount,
    .remote = system_remote,
    .information = system_information,
    .bitlocker = system_bitlocker,
    .can_write = system_can_write,
    .locate = system_locate,
    .user_folder = system_user_folder,
    .disk = system_disk,
    .parent = system_parent,
    .text = system_text,
    .number = system_number,
    .hub = system_hub,
    .control = system_control,
};
