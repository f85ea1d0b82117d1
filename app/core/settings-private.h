/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside app/core: single values of the key file; a missing, damaged or out-of-range one gives the
 * fallback. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint dg__settings_get_word (const gchar *group, const gchar *key, const gchar *const *words,
                            gint fallback); /* index into words */
guint64 dg__settings_get_number (const gchar *group, const gchar *key, guint64 min, guint64 max,
                                 guint64 fallback);
gboolean dg__settings_get_truth (const gchar *group, const gchar *key, gboolean fallback);
gchar *dg__settings_get_text (const gchar *group,
                              const gchar *key); /* (transfer full) NULL when missing or empty */

G_END_DECLS
