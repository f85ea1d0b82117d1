/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/report.h"
#include "app/report/report-escape.h"
#include "app/report/report-private.h"

#include "app/core/numbers.h"

#include <math.h>

static void
append_cell (GString *out, gchar *text /* (transfer full) */)
{
    g_string_append_printf (out, " %s |", text);
    g_free (text);
}

static gchar *
latency (guint64 ns)
{
    return dg_number_latency (ns == DG_DOC_UNKNOWN ? NAN : (gdouble) ns, DG_FOR_FILE);
}

static void
append_test (GString *out, const DgDocTest *test)
{
    const DgDocRun *run = dg__report_shown (test);
    g_autofree gchar *name = dg__escape_markdown (test->name != NULL ? test->name : "?");
    g_string_append_printf (out, "| %s |", name);
    g_autofree gchar *state = dg__report_state (test);
    g_autofree gchar *mark = dg__escape_markdown (state != NULL ? state : "");
    if (run == NULL) {
        g_string_append_printf (out, " — | %s | — | — | — | — |\n", mark);
        return;
    }
    append_cell (out, dg_number_rate (run->bandwidth_bytes_per_s, DG_UNIT_MB, DG_FOR_FILE));
    g_autofree gchar *spread = isfinite (test->spread_percent)
                                   ? dg_number_spread (test->spread_percent, DG_FOR_FILE)
                                   : g_strdup ("one run");
    append_cell (out,
                 g_strconcat (spread, mark[0] != '\0' ? ", " : "", mark,
                              g_strcmp0 (run->direct, "refuted") == 0 ? ", not direct" : "", NULL));
    append_cell (out, dg_number_iops (run->iops, DG_FOR_FILE));
    append_cell (out, dg_number_latency (run->latency_mean_ns, DG_FOR_FILE));
    append_cell (out, latency (run->p50_ns));
    append_cell (out, latency (run->p99_ns));
    g_string_append_c (out, '\n');
}

static void
append_table (GString *out, const DgDocView *view, DgDirection direction)
{
    static const gchar *const titles[] = { "Read", "Write", "Mix" };
    g_string_append_printf (out, "\n### %s", titles[direction]);
    guint64 percent =
        direction == DG_DIRECTION_MIX ? dg__report_mix_percent (view) : DG_DOC_UNKNOWN;
    if (percent <= 100)
        g_string_append_printf (out, ", %u %% read and %u %% write", (guint) percent,
                                100 - (guint) percent);
    g_string_append (out, "\n\n| Test | MB/s | Spread | IOPS | Mean | p50 | p99 |\n"
                          "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (guint i = 0; i < view->n_tests; i++)
        if (view->tests[i].direction == direction && dg__report_is_speed (&view->tests[i]))
            append_test (out, &view->tests[i]);
}

gchar *
dg_report_markdown (const DgDocView *view)
{
    GString *out = g_string_new ("## ");
    g_autofree gchar *drive = dg__report_drive (view, NULL);
    g_autofree gchar *title = dg__escape_markdown (drive != NULL ? drive : "Drive");
    g_string_append (out, title);
    guint64 size_bytes = dg__report_size_bytes (view);
    if (size_bytes != DG_DOC_UNKNOWN) {
        g_autofree gchar *size = dg_number_size (size_bytes, DG_FOR_FILE);
        g_string_append_printf (out, ", %s", size);
    }
    g_string_append_c (out, '\n');
    for (guint d = 0; d < 3; d++)
        if (dg__report_has_direction (view, (DgDirection) d))
            append_table (out, view, (DgDirection) d);

    g_string_append (out, "\n| Condition | |\n| :--- | :--- |\n");
    guint n_known;
    g_autoptr (GArray) lines = dg__report_lines (view, &n_known);
    for (guint i = 0; i < lines->len; i++) {
        const DgReportLine *line = &g_array_index (lines, DgReportLine, i);
        g_autofree gchar *value = dg__escape_markdown (line->value);
        g_string_append_printf (out, "| %s | %s |\n", line->label, value);
    }
    g_autofree gchar *version =
        dg__escape_markdown (view->program_version != NULL ? view->program_version : "");
    g_string_append_printf (
        out, "\nMeasured with [Drive Gauge](https://drivegauge.github.io/) %s\n", version);
    return g_string_free (out, FALSE);
}
