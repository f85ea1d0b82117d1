/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result as text. All UTF-8, "\n" lines (CSV: "\r\n"), C locale numbers, English. (transfer full)
 */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

gchar *dg_report_text (const DgDocView *view); /* DESIGN section 9 */
gchar *dg_report_markdown (const DgDocView *view);
gchar *dg_report_bbcode (const DgDocView *view);
gchar *
dg_report_csv (const DgDocView *view); /* one line a run and test, RFC 4180, units in the header */

/* "Drive Gauge <model> <yyyy-mm-dd hhmm>" from an allow-list of characters, without extension. */
gchar *dg_report_file_name (const DgDocView *view);

G_END_DECLS
