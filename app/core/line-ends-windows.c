/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/line-ends.h"

#include <fcntl.h>

const int dg_open_binary = _O_BINARY;

GBytes *
dg_line_ends_for_file (GBytes *text)
{
    gsize size;
    const gchar *from = g_bytes_get_data (text, &size);
    GByteArray *to = g_byte_array_sized_new ((guint) MIN (size + size / 32, G_MAXUINT));

    for (gsize i = 0; i < size; i++) {
        if (from[i] == '\n' && (i == 0 || from[i - 1] != '\r'))
            g_byte_array_append (to, (const guint8 *) "\r", 1);
        g_byte_array_append (to, (const guint8 *) from + i, 1);
    }
    return g_byte_array_free_to_bytes (to);
}
