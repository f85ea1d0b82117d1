/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name under which results of one drive find each other, without its serial number (DESIGN
 * section 5). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* 32 hex digits: the first 128 bits of SHA-256 over "drivegauge-1", model and serial, each followed
 * by a newline. NULL when the serial is unknown (two drives of one model must not look like one).
 * (transfer full) */
gchar *dg_identity_dup (const gchar *model, const gchar *serial);

G_END_DECLS
