/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear axes from zero with ticks at 1, 2 or 5 x 10^n. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The distance of ticks so that at most `most` of them fit below `greatest` (> 0). */
gdouble dg__axis_step (gdouble greatest, guint most);

/* Decimals a tick of that distance needs. */
guint dg__axis_decimals (gdouble step);

G_END_DECLS
