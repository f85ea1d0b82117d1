/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said on standard error when a measurement has ended. */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

/* `number`: the signal that ended it, 0 if none did; `is_written`: all outputs asked for are there.
 * TRUE if all was measured. */
gboolean dg_ending_tell (const DgDocView *view, gint number, gboolean is_written);

G_END_DECLS
