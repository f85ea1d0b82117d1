/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout that readers of CrystalDiskMark know, with more to the right and below. */
#include "app/report/report.h"
#include "app/report/report-private.h"

#include "app/core/numbers.h"

#include <math.h>
#include <string.h>

#define RULE        "------------------------------------------------------------------------------\n"
#define LABEL_WIDTH 11

/* Counts characters, not bytes: "—" stands in columns too. */
static void
append_right (GString *out, const gchar *text, glong width)
{
    for (glong i = g_utf8_strlen (text, -1); i < width; i++)
        g_string_append_c (out, ' ');
    g_string_append (out, text);
}

static void
append_number (GString *out, gdouble value, guint decimals, glong width)
{
    g_autofree gchar *text = dg_number_fixed (value, decimals); /* "—" for NAN */
    append_right (out, text, width);
}

static gchar *
block_text (guint64 bytes)
{
    static const gchar *const units[] = { "B", "KiB", "MiB", "GiB" };
    guint u = 0;
    while (bytes >= 1024 && bytes % 1024 == 0 && u + 1 < G_N_ELEMENTS (units)) {
        bytes /= 1024;
        u++;
    }
    return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", bytes, units[u]);
}

/* "SEQ    1MiB (Q=  8, T= 1):"; the name where the document does not say what it was. */
static void
append_test_name (GString *out, const DgDocTest *test, gchar *(*escape) (const gchar *text))
{
    if (test->block_size_bytes == DG_DOC_UNKNOWN || test->queue_depth == DG_DOC_UNKNOWN
        || test->threads == DG_DOC_UNKNOWN) {
        const gchar *name = test->name != NULL ? test->name : "?";
        g_autofree gchar *escaped = escape != NULL ? escape (name) : g_strdup (name);
        g_string_append_printf (out, "  %s:", escaped);
        return;
    }
    g_autofree gchar *block = block_text (test->block_size_bytes);
    g_string_append_printf (out, "  %s ", test->access == DG_ACCESS_RANDOM ? "RND" : "SEQ");
    append_right (out, block, 7);
    g_string_append_printf (out, " (Q=%3" G_GUINT64_FORMAT ", T=%2" G_GUINT64_FORMAT "):",
                            test->queue_depth, test->threads);
}

static void
append_mix_parts (GString *out, const DgDocRun *run)
{
    if (run->read_bytes == DG_DOC_UNKNOWN || run->write_bytes == DG_DOC_UNKNOWN
        || run->elapsed_ns == DG_DOC_UNKNOWN || run->elapsed_ns == 0)
        return;
    gdouble seconds = (gdouble) run->elapsed_ns / 1e9;
    g_autofree gchar *read =
        dg_number_rate ((gdouble) run->read_bytes / seconds, DG_UNIT_MB, DG_FOR_FILE);
    g_autofree gchar *write =
        dg_number_rate ((gdouble) run->write_bytes / seconds, DG_UNIT_MB, DG_FOR_FILE);
    g_string_append_printf (out, "  read %s write %s MB/s", read, write);
}

/* The spread, the 99th percentile, the flush afterwards, what was left and what became of the test
 * if it is not simply done. */
static void
append_right_side (GString *out, const DgDocTest *test, const DgDocRun *run,
                   gchar *(*escape) (const gchar *text))
{
    if (run != NULL) {
        if (isfinite (test->spread_percent)) {
            g_string_append (out, "  ±");
            append_number (out, test->spread_percent, 1, 5);
            g_string_append (out, " %");
        } else
            g_string_append (out, "   one run");
        g_string_append (out, "  p99 ");
        append_number (out, run->p99_ns == DG_DOC_UNKNOWN ? NAN : (gdouble) run->p99_ns / 1e3, 2,
                       9);
        g_string_append (out, " us");
        if (test->direction == DG_DIRECTION_MIX)
            append_mix_parts (out, run);
        if (test->direction != DG_DIRECTION_READ && test->flush_ns != DG_DOC_UNKNOWN) {
            g_string_append (out, "  flush ");
            append_number (out, (gdouble) test->flush_ns / 1e6, 1, 6);
            g_string_append (out, " ms");
        }
        if (dg_document_left_older (run)) {
            g_autofree gchar *age =
                dg_number_latency ((gdouble) run->oldest_unfinished_ns, DG_FOR_FILE);
            g_string_append_printf (out,
                                    "  %" G_GUINT64_FORMAT " under way at the end, for up to %s",
                                    run->unfinished, age);
        }
        if (g_strcmp0 (run->direct, "refuted") == 0)
            g_string_append (out, "  not direct");
    }
    g_autofree gchar *state = dg__report_state (test);
    if (state == NULL)
        return;
    g_autofree gchar *shown = escape != NULL ? escape (state) : g_strdup (state);
    g_string_append_printf (out, "  %s", shown);
}

static void
append_test (GString *out, const DgDocTest *test, gchar *(*escape) (const gchar *text))
{
    const DgDocRun *run = dg__report_shown (test);
    append_test_name (out, test, escape);
    g_string_append_c (out, ' ');
    append_number (out, run != NULL ? run->bandwidth_bytes_per_s / 1e6 : NAN, 3, 9);
    g_string_append (out, " MB/s [ ");
    append_number (out, run != NULL ? run->iops : NAN, 1, 8);
    g_string_append (out, " IOPS] <");
    append_number (out, run != NULL ? run->latency_mean_ns / 1e3 : NAN, 2, 9);
    g_string_append (out, " us>");
    append_right_side (out, test, run, escape);
    g_string_append_c (out, '\n');
}

static void
append_block_title (GString *out, const DgDocView *view, DgDirection direction)
{
    static const gchar *const titles[] = { "[Read]", "[Write]", "[Mix]" };
    g_string_append_printf (out, "\n%s", titles[direction]);
    guint64 percent =
        direction == DG_DIRECTION_MIX ? dg__report_mix_percent (view) : DG_DOC_UNKNOWN;
    if (percent <= 100)
        g_string_append_printf (out, " Read %u%%/Write %u%%", (guint) percent,
                                100 - (guint) percent);
    g_string_append_c (out, '\n');
}

void
dg__report_append_results (GString *out, const DgDocView *view,
                           gchar *(*escape) (const gchar *text))
{
    for (guint d = 0; d < 3; d++) {
        if (!dg__report_has_direction (view, (DgDirection) d))
            continue;
        append_block_title (out, view, (DgDirection) d);
        for (guint i = 0; i < view->n_tests; i++)
            if (view->tests[i].direction == (DgDirection) d
                && dg__report_is_speed (&view->tests[i]))
                append_test (out, &view->tests[i], escape);
    }
    /* Tests of a kind this version does not know are named at least. */
    gboolean has_title = FALSE;
    for (guint i = 0; i < view->n_tests; i++) {
        if (dg__report_is_speed (&view->tests[i]))
            continue;
        const gchar *name = view->tests[i].name != NULL ? view->tests[i].name : "?";
        g_autofree gchar *escaped = escape != NULL ? escape (name) : g_strdup (name);
        g_string_append_printf (out, "%s  %s\n", has_title ? "" : "\n[Other tests]\n", escaped);
        has_title = TRUE;
    }
}

static void
append_lines (GString *out, GArray *lines, guint from, guint to, glong width)
{
    for (guint i = from; i < to; i++) {
        const DgReportLine *line = &g_array_index (lines, DgReportLine, i);
        append_right (out, line->label, width);
        g_string_append_printf (out, "%s %s\n", *line->label != '\0' ? ":" : " ", line->value);
    }
}

gchar *
dg_report_text (const DgDocView *view)
{
    GString *out = g_string_new (RULE);
    g_string_append (out, view->program_name != NULL ? view->program_name : "Drive Gauge");
    if (view->program_version != NULL)
        g_string_append_printf (out, " %s", view->program_version);
    g_string_append_c (out, '\n');
    append_right (out, "https://drivegauge.github.io/", 78);
    g_string_append (out, "\n" RULE "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]\n"
                          "* KB = 1000 bytes, KiB = 1024 bytes\n");
    dg__report_append_results (out, view, NULL);
    guint n_known;
    g_autoptr (GArray) lines = dg__report_lines (view, &n_known);
    g_string_append_c (out, '\n');
    append_lines (out, lines, 0, n_known, 7);
    g_string_append_c (out, '\n');
    append_lines (out, lines, n_known, lines->len, LABEL_WIDTH);
    return g_string_free (out, FALSE);
}
