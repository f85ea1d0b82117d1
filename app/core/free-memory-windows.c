/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/free-memory.h"

#include <windows.h>

guint64
dg__free_memory_bytes (void)
{
    MEMORYSTATUSEX status = { .dwLength = sizeof status };

    return GlobalMemoryStatusEx (&status) ? status.ullAvailPhys : 0;
}
