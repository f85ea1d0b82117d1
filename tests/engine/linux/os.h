/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests must know of the system that they run on: its error codes, how well it counts. */
#pragma once

#include <errno.h>
#include <stdint.h>

enum {
    OS_IO = EIO,
    OS_NO_SPACE = ENOSPC,
    OS_NO_DATA = ENODATA,
    OS_READ_ONLY = EROFS,
    OS_GONE = ENODEV,
    OS_INVALID = EINVAL
};

#define OS_CPU_STEP_NS UINT64_C (3000000) /* how far off a thread's CPU time may be */
#define OS_KNOWS_WAIT  1                  /* a thread's time in the run queue */
