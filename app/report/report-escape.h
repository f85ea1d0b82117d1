/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings from drives, file systems and documents are untrusted: nothing in them may become a tag,
 * a link, a table cell or a formula. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gchar *dg__escape_markdown (const gchar *text); /* (transfer full), on one line */
gchar *dg__escape_bbcode (const gchar *text);   /* (transfer full), on one line */
void dg__append_csv_text (GString *out, const gchar *text /* (nullable): an empty cell */);

G_END_DECLS
