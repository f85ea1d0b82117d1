/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards differ in their tables: the figures go into [code], which all know, the conditions into
 * lines. */
#include "app/report/report.h"
#include "app/report/report-escape.h"
#include "app/report/report-private.h"

#include "app/core/numbers.h"

gchar *
dg_report_bbcode (const DgDocView *view)
{
    GString *out = g_string_new ("[b]");
    g_autofree gchar *drive = dg__report_drive (view, NULL);
    g_autofree gchar *title = dg__escape_bbcode (drive != NULL ? drive : "Drive");
    g_string_append (out, title);
    guint64 size_bytes = dg__report_size_bytes (view);
    if (size_bytes != DG_DOC_UNKNOWN) {
        g_autofree gchar *size = dg_number_size (size_bytes, DG_FOR_FILE);
        g_string_append_printf (out, ", %s", size);
    }
    g_string_append (out, "[/b]\n[code]");
    dg__report_append_results (out, view, dg__escape_bbcode);
    g_string_append (out, "[/code]\n");
    guint n_known;
    g_autoptr (GArray) lines = dg__report_lines (view, &n_known);
    for (guint i = 0; i < lines->len; i++) {
        const DgReportLine *line = &g_array_index (lines, DgReportLine, i);
        g_autofree gchar *value = dg__escape_bbcode (line->value);
        if (*line->label != '\0')
            g_string_append_printf (out, "[b]%s:[/b] ", line->label);
        g_string_append_printf (out, "%s\n", value);
    }
    g_autofree gchar *version =
        dg__escape_bbcode (view->program_version != NULL ? view->program_version : "");
    g_string_append_printf (
        out, "Measured with [url=https://drivegauge.github.io/]Drive Gauge[/url] %s\n", version);
    return g_string_free (out, FALSE);
}
