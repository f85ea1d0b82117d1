/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside app/core. One implementation a platform. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory that can be had without swapping, in bytes; 0 = not known. Any thread. */
guint64 dg__free_memory_bytes (void);

G_END_DECLS
