/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/error.h"
#include "engine/windows/codes.h"

#include <stdio.h>
#include <windows.h>

int
dg_error_from_os (int os_code)
{
    switch (os_code < 0 ? -os_code : os_code) {
    case ERROR_INVALID_PARAMETER:
    case ERROR_INVALID_HANDLE:
    case ERROR_NOACCESS:
    case ERROR_INVALID_USER_BUFFER:
    case DG_OS_OFFSET_ALIGNMENT:
        return DG_ERROR_INVALID;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
    case ERROR_NO_SYSTEM_RESOURCES:
    case ERROR_WORKING_SET_QUOTA:
    case ERROR_NOT_ENOUGH_QUOTA:
        return DG_ERROR_NO_MEMORY;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME: /* no such name can be there */
    case ERROR_BAD_PATHNAME:
    case ERROR_FILENAME_EXCED_RANGE:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_NO_NET_OR_BAD_PATH:
        return DG_ERROR_NOT_FOUND;
    case ERROR_DIRECTORY:
        return DG_ERROR_NOT_DIRECTORY;
    case ERROR_ACCESS_DENIED:
    case ERROR_PRIVILEGE_NOT_HELD:
    case ERROR_CANT_ACCESS_FILE:
    case DG_OS_VIRUS_INFECTED:
    case ERROR_LOGON_FAILURE:
    case ERROR_NETWORK_ACCESS_DENIED:
        return DG_ERROR_NOT_PERMITTED;
    case ERROR_WRITE_PROTECT:
        return DG_ERROR_READ_ONLY;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case DG_OS_DISK_QUOTA_EXCEEDED:
        return DG_ERROR_NO_SPACE;
    case ERROR_FILE_TOO_LARGE:
        return DG_ERROR_FILE_TOO_LARGE;
    case ERROR_NOT_SUPPORTED:
    case ERROR_INVALID_FUNCTION:
    case ERROR_CALL_NOT_IMPLEMENTED:
        return DG_ERROR_NOT_SUPPORTED;
    case ERROR_IO_DEVICE:
    case ERROR_CRC:
    case ERROR_SEEK:
    case ERROR_SECTOR_NOT_FOUND:
    case ERROR_READ_FAULT:
    case ERROR_WRITE_FAULT:
    case ERROR_GEN_FAILURE:
    case ERROR_DISK_OPERATION_FAILED:
    case ERROR_DISK_CORRUPT:
    case ERROR_FILE_CORRUPT:
    case DG_OS_DATA_CHECKSUM:
    case ERROR_UNRECOGNIZED_VOLUME:
    case ERROR_UNRECOGNIZED_MEDIA:
    case ERROR_BAD_COMMAND: /* STATUS_INVALID_DEVICE_STATE */
    case DG_OS_DEVICE_HARDWARE_ERROR:
        return DG_ERROR_IO;
    case ERROR_NOT_READY:
    case ERROR_DEV_NOT_EXIST:
    case ERROR_DEVICE_NOT_CONNECTED:
    case ERROR_DEVICE_REMOVED:
    case ERROR_DEVICE_NOT_AVAILABLE:
    case ERROR_DEVICE_REINITIALIZATION_NEEDED:
    case DG_OS_NO_SUCH_DEVICE:
    case ERROR_NO_MEDIA_IN_DRIVE:
    case ERROR_MEDIA_CHANGED:
    case ERROR_WRONG_DISK:
    case ERROR_FILE_INVALID:
    case ERROR_NETNAME_DELETED:
    case ERROR_UNEXP_NET_ERR:
    case ERROR_BAD_NET_RESP:
    case ERROR_NETWORK_UNREACHABLE:
    case ERROR_HOST_UNREACHABLE:
    case ERROR_CONNECTION_ABORTED:
    case DG_OS_DEVICE_UNREACHABLE:
        return DG_ERROR_GONE;
    case ERROR_OPERATION_ABORTED:
    case ERROR_CANCELLED:
        return DG_ERROR_STOPPED;
    case ERROR_SEM_TIMEOUT:
    case ERROR_TIMEOUT:
    case WAIT_TIMEOUT:
        return DG_ERROR_TIMED_OUT;
    case ERROR_BUSY:
    case ERROR_BUSY_DRIVE:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_NETWORK_BUSY:
        return DG_ERROR_BUSY;
    default:
        return DG_ERROR_SYSTEM;
    }
}

void
dg_error_os_text (int os_code, char *ret_text, size_t size)
{
    if (size == 0)
        return;
    int code = os_code < 0 ? -os_code : os_code;
    wchar_t wide[512];
    /* English on purpose: results are written in English. A system that has it not answers in its
     * own language. */
    DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    DWORD n = FormatMessageW (flags, NULL, (DWORD) code,
                              MAKELANGID (LANG_ENGLISH, SUBLANG_ENGLISH_US), wide, 512, NULL);
    if (n == 0)
        n = FormatMessageW (flags, NULL, (DWORD) code, 0, wide, 512, NULL);
    while (n > 0
           && (wide[n - 1] == L'\n' || wide[n - 1] == L'\r' || wide[n - 1] == L' '
               || wide[n - 1] == L'.'))
        n--;
    int length = n == 0 ? 0
                        : WideCharToMultiByte (CP_UTF8, 0, wide, (int) n, ret_text, (int) size - 1,
                                               NULL, NULL);
    if (length > 0)
        ret_text[length] = '\0';
    else
        snprintf (ret_text, size, "Unknown error %d", code);
}
