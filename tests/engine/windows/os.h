/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests must know of the system that they run on: its error codes, how well it counts. */
#pragma once

#include <stdint.h>
#include <windows.h>

enum {
    OS_IO = ERROR_IO_DEVICE,
    OS_NO_SPACE = ERROR_DISK_FULL,
    OS_NO_DATA = ERROR_CRC,
    OS_READ_ONLY = ERROR_WRITE_PROTECT,
    OS_GONE = ERROR_DEVICE_NOT_CONNECTED,
    OS_INVALID = ERROR_INVALID_PARAMETER
};

#define OS_CPU_STEP_NS UINT64_C (32000000) /* two of the timer's interrupts */
#define OS_KNOWS_WAIT  0
