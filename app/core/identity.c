/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/identity.h"

#include <string.h>

gchar *
dg_identity_dup (const gchar *model, const gchar *serial)
{
    if (serial == NULL || serial[0] == '\0')
        return NULL;
    const gchar *parts[] = { "drivegauge-1", model == NULL ? "" : model, serial };
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
        g_checksum_update (checksum, (const guchar *) parts[i], (gssize) strlen (parts[i]));
        g_checksum_update (checksum, (const guchar *) "\n", 1);
    }
    return g_strndup (g_checksum_get_string (checksum), 32);
}
