/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the system says of drives and shares that fail or go away, and that it says it to us. */
#include "tests/engine/check.h"

#include <windows.h>
#include <winternl.h>

#include "engine/cleanup.h"
#include "engine/error.h"

/* As a file system or driver answers (ntstatus.h), turned into a code by the system. */
static void
answers (void)
{
    static const struct {
        ULONG status;
        int error;
    } rows[] = {
        { 0xc000000e, DG_ERROR_GONE },          /* NO_SUCH_DEVICE */
        { 0xc000009d, DG_ERROR_GONE },          /* DEVICE_NOT_CONNECTED */
        { 0xc00002b6, DG_ERROR_GONE },          /* DEVICE_REMOVED */
        { 0xc000026e, DG_ERROR_GONE },          /* VOLUME_DISMOUNTED */
        { 0xc0000013, DG_ERROR_GONE },          /* NO_MEDIA_IN_DEVICE */
        { 0xc00000a3, DG_ERROR_GONE },          /* DEVICE_NOT_READY */
        { 0x80000010, DG_ERROR_GONE },          /* DEVICE_OFF_LINE */
        { 0x80000016, DG_ERROR_GONE },          /* VERIFY_REQUIRED */
        { 0xc0000012, DG_ERROR_GONE },          /* WRONG_VOLUME */
        { 0xc0000098, DG_ERROR_GONE },          /* FILE_INVALID */
        { 0xc0000464, DG_ERROR_GONE },          /* DEVICE_UNREACHABLE */
        { 0xc00000c9, DG_ERROR_GONE },          /* NETWORK_NAME_DELETED */
        { 0xc000020c, DG_ERROR_GONE },          /* CONNECTION_DISCONNECTED */
        { 0xc00000c3, DG_ERROR_GONE },          /* INVALID_NETWORK_RESPONSE */
        { 0xc000023c, DG_ERROR_GONE },          /* NETWORK_UNREACHABLE */
        { 0xc0000185, DG_ERROR_IO },            /* IO_DEVICE_ERROR */
        { 0xc0000184, DG_ERROR_IO },            /* INVALID_DEVICE_STATE */
        { 0xc0000483, DG_ERROR_IO },            /* DEVICE_HARDWARE_ERROR */
        { 0xc000009c, DG_ERROR_IO },            /* DEVICE_DATA_ERROR */
        { 0xc0000014, DG_ERROR_IO },            /* UNRECOGNIZED_MEDIA */
        { 0xc00000b5, DG_ERROR_TIMED_OUT },     /* IO_TIMEOUT */
        { 0xc00000a2, DG_ERROR_READ_ONLY },     /* MEDIA_WRITE_PROTECTED */
        { 0xc000007f, DG_ERROR_NO_SPACE },      /* DISK_FULL */
        { 0xc000009a, DG_ERROR_NO_MEMORY },     /* INSUFFICIENT_RESOURCES */
        { 0xc0000044, DG_ERROR_NO_MEMORY },     /* QUOTA_EXCEEDED: of the process */
        { 0xc00000be, DG_ERROR_NOT_FOUND },     /* BAD_NETWORK_PATH */
        { 0xc00000cc, DG_ERROR_NOT_FOUND },     /* BAD_NETWORK_NAME */
        { 0xc00000ca, DG_ERROR_NOT_PERMITTED }, /* NETWORK_ACCESS_DENIED */
        { 0xc00000bf, DG_ERROR_BUSY },          /* NETWORK_BUSY */
        { 0xc0000043, DG_ERROR_BUSY },          /* SHARING_VIOLATION */
        { 0xc0000120, DG_ERROR_STOPPED },       /* CANCELLED */
        { 0xc000000d, DG_ERROR_INVALID },       /* INVALID_PARAMETER: misaligned, too */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        ULONG code = RtlNtStatusToDosError ((NTSTATUS) rows[i].status);
        if (dg_error_from_os ((int) code) != rows[i].error)
            printf ("# %#lx, system's %lu\n", rows[i].status, code);
        CHECK (dg_error_from_os ((int) code) == rows[i].error);
    }
}

/* A drive pulled out, a reader without a card: no thread waits until somebody has answered a
 * dialog. */
static void
nobody_is_asked (void)
{
    SetErrorMode (SEM_NOGPFAULTERRORBOX);
    dg_test_files_guard_signals ();
    CHECK (GetErrorMode () == (SEM_NOGPFAULTERRORBOX | SEM_FAILCRITICALERRORS));
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "what file systems and drivers answer", answers },
        { "no dialog of the system's", nobody_is_asked },
    };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
