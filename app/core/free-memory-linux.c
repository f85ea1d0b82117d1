/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/free-memory.h"

#include <string.h>

guint64
dg__free_memory_bytes (void)
{
    g_autofree gchar *text = NULL;

    if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
        return 0;
    const gchar *line = strstr (text, "MemAvailable:"); /* proc(5): in kB, which are KiB */
    return line != NULL ? g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024 : 0;
}
