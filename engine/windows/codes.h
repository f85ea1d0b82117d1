/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: values of the system's headers (winerror.h, synchapi.h) that older
 * mingw-w64 headers lack. */
#pragma once

#define DG_OS_VIRUS_INFECTED        225
#define DG_OS_DEVICE_UNREACHABLE    321
#define DG_OS_DATA_CHECKSUM         323
#define DG_OS_OFFSET_ALIGNMENT      327
#define DG_OS_NO_SUCH_DEVICE        433
#define DG_OS_DEVICE_HARDWARE_ERROR 483
#define DG_OS_DISK_QUOTA_EXCEEDED   1295

#define DG_OS_TIMER_HIGH_RESOLUTION 0x2u /* CreateWaitableTimerEx, Windows 10 1803 */
