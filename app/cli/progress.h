/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/core/runner.h"

G_BEGIN_DECLS

/* One line of what is happening now. (transfer full) */
gchar *dg_progress_text (const DgProgress *progress, const DgOptions *options);

/* "read", "write" or "mix" within a sentence. (static, translated) */
const gchar *dg_progress_direction (DgDirection direction);

G_END_DECLS
