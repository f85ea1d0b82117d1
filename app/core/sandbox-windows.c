/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/sandbox.h"

gchar *
dg_sandbox_dup_host_path (const gchar *path)
{
    return NULL;
}
