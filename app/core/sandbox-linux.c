/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/sandbox.h"

#include <sys/xattr.h>

#define ATTRIBUTE "user.document-portal.host-path"

gchar *
dg_sandbox_dup_host_path (const gchar *path)
{
    gchar value[4097];
    ssize_t length = getxattr (path, ATTRIBUTE, value, sizeof value - 1);
    if (length <= 0)
        return NULL;
    value[length] = '\0';
    return value[0] == '/' ? g_strdup (value) : NULL;
}
