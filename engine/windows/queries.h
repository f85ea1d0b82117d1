/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: all that drives, links and targets ask the system. The system's own
 * answers stand in queries-system.c; tests bring others. Nothing is commanded and nothing needs an
 * administrator. Every function returns false, with its outputs untouched, for what is not known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

#define DG_WIN_TEXT 512u

/* Of a mounted volume. */
typedef struct {
    wchar_t label[MAX_PATH], filesystem[64];
    DWORD serial, flags, drive_type; /* GetVolumeInformation (), GetDriveType () */
    uint64_t size_bytes, free_bytes;
    uint32_t cluster_bytes;
} DgWinVolume;

typedef enum {
    DG_WIN_SERVICE, /* the driver: "UASPStor", "stornvme" */
    DG_WIN_NAME,    /* what the device calls itself, else what Windows does */
} DgWinText;

typedef enum {
    DG_WIN_ADDRESS,        /* on its bus; of a USB device the port of its hub */
    DG_WIN_REMOVAL_POLICY, /* CM_REMOVAL_POLICY_…: 1 never, 2 orderly, 3 surprise */
    DG_WIN_PCI_TYPE,       /* DevProp_PciDevice_DeviceType_…, _BridgeType_… */
    DG_WIN_PCI_SPEED,
    DG_WIN_PCI_WIDTH,
    DG_WIN_PCI_MAX_SPEED,
    DG_WIN_PCI_MAX_WIDTH, /* generation, lanes */
} DgWinNumber;

typedef struct DgWinQueries DgWinQueries;
struct DgWinQueries {
    /* The index-th volume, "\\?\Volume{…}\". */
    bool (*volume) (const DgWinQueries *q, uint32_t index, wchar_t ret_volume[64]);
    /* Where it is mounted, the first place: "C:\". False: nowhere. */
    bool (*mount) (const DgWinQueries *q, const wchar_t *volume, wchar_t ret_mount[MAX_PATH]);
    /* The index-th letter that stands for a folder of another computer, "X:\". */
    bool (*remote) (const DgWinQueries *q, uint32_t index, wchar_t ret_mount[MAX_PATH]);
    /* May take as long as the file system takes. */
    bool (*information) (const DgWinQueries *q, const wchar_t *mount, DgWinVolume *ret_information);
    /* Is it BitLocker's? 1, 0, -1 = unknown. Asks the shell, which may take longer than the drive.
     */
    int (*bitlocker) (const DgWinQueries *q, const wchar_t *mount);
    /* May this user make files in that folder? Nothing is made. May take long. */
    bool (*can_write) (const DgWinQueries *q, const wchar_t *folder);
    /* What a path lies on: its mount point, as `mount` has it (the shell takes no prefix of
     * dg__wide_path ()), its volume ("" = none) and whether it is a folder. 0 or a GetLastError ()
     * code. May take long. */
    DWORD (*locate)
    (const DgWinQueries *q, const wchar_t *path, wchar_t ret_mount[MAX_PATH],
     wchar_t ret_volume[64], bool *ret_is_folder);
    /* Folders of the user's own: 0 = home, then others. */
    bool (*user_folder) (const DgWinQueries *q, uint32_t index, wchar_t ret_folder[MAX_PATH]);

    /* The index-th disk: its device interface and its device instance id. */
    bool (*disk) (const DgWinQueries *q, uint32_t index, wchar_t ret_path[DG_WIN_TEXT],
                  wchar_t ret_instance[DG_WIN_TEXT]);
    bool (*parent) (const DgWinQueries *q, const wchar_t *instance,
                    wchar_t ret_parent[DG_WIN_TEXT]);
    bool (*text) (const DgWinQueries *q, const wchar_t *instance, DgWinText which,
                  wchar_t ret_text[DG_WIN_TEXT]);
    bool (*number) (const DgWinQueries *q, const wchar_t *instance, DgWinNumber which,
                    uint32_t *ret_number);
    /* The device interface of a USB hub. */
    bool (*hub) (const DgWinQueries *q, const wchar_t *instance, wchar_t ret_path[DG_WIN_TEXT]);
    /* DeviceIoControl () on a device; *ret_size = bytes answered. */
    bool (*control) (const DgWinQueries *q, const wchar_t *device, DWORD code, const void *in,
                     DWORD in_size, void *out, DWORD out_size, DWORD *ret_size);
};

extern const DgWinQueries dg__win_queries;

/* USB hub driver, usbioctl.h; all but the first are missing in older headers. */
#define DG_WIN_USB_CONNECTION CTL_CODE (FILE_DEVICE_UNKNOWN, 274, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define DG_WIN_USB_CONNECTION_V2                                                                   \
    CTL_CODE (FILE_DEVICE_UNKNOWN, 279, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define DG_WIN_USB_CONNECTOR  CTL_CODE (FILE_DEVICE_UNKNOWN, 278, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define DG_WIN_USB_SUPER_PLUS CTL_CODE (FILE_DEVICE_UNKNOWN, 289, METHOD_BUFFERED, FILE_ANY_ACCESS)

/* USB_NODE_CONNECTION_INFORMATION_EX. A hub refuses a buffer that the list of open pipes does not
 * fit into; a device has at most 30 and its control pipe. */
#pragma pack(push, 1)
typedef struct {
    ULONG port;
    UCHAR device_descriptor[18], configuration, speed,
        is_hub; /* speed: 0 low, 1 full, 2 high, 3 super */
    USHORT address;
    ULONG open_pipes, status;
    UCHAR pipes[32][11];
} DgWinUsbConnection;

/* USB_PORT_CONNECTOR_PROPERTIES: one socket is two ports where it has USB 2 and USB 3. The
 * companion is in the same hub unless the name is set. */
typedef struct {
    ULONG port, size, properties;
    USHORT companion_index, companion_port; /* 0 = none */
    WCHAR companion_hub[DG_WIN_TEXT];       /* without \\.\ */
} DgWinUsbConnector;
#pragma pack(pop)

/* USB_NODE_CONNECTION_INFORMATION_EX_V2. */
typedef struct {
    ULONG port, size, protocols, flags;
} DgWinUsbConnectionV2;
#define DG_WIN_USB_PROTOCOL_300 0x4u
#define DG_WIN_USB_AT_SUPER     0x1u
#define DG_WIN_USB_CAN_SUPER    0x2u
#define DG_WIN_USB_AT_PLUS      0x4u
#define DG_WIN_USB_CAN_PLUS     0x8u

/* USB_NODE_CONNECTION_SUPERSPEEDPLUS_INFORMATION: a lane's speed has its mantissa in bits 16 to 31
 * and a power of 1000 in bits 4 and 5; lanes are counted from 0. */
typedef struct {
    ULONG port, size, receive_speed, receive_lanes, send_speed, send_lanes;
} DgWinUsbSuperPlus;
