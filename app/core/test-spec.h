/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row: a test as people write it, "SEQ1M Q8T1". */
#pragma once

#include "engine/plan.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    DgAccess access;
    guint64 block_bytes; /* power of two, 512 B to 64 MiB */
    guint queue_depth;   /* 1 to 512 */
    guint threads;       /* 1 to 64; queue x threads <= 4096 */
} DgTestSpec;

/* "SEQ1M Q8T1", "rnd4k q32t16", "RND512 Q1T1" (512 bytes). Case and surplus white space do not
 * matter. Error: DG_APP_ERROR_USAGE naming the value, the range and an example. */
gboolean dg_test_spec_parse (const gchar *text, DgTestSpec *ret_spec, GError **error);

/* "SEQ1M", "RND4K", "RND512"; (transfer full) */
gchar *dg_test_spec_dup_short (const DgTestSpec *spec);
/* "SEQ1M Q8T1" */
gchar *dg_test_spec_dup_name (const DgTestSpec *spec);
/* "Q8T1" */
gchar *dg_test_spec_dup_queue (const DgTestSpec *spec);
gboolean dg_test_spec_equal (const DgTestSpec *a, const DgTestSpec *b);

G_END_DECLS
