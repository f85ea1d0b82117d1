/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test of the document as a cell: its figure, what stands beside and below it. */
#include "app/report/draw-private.h"

#include "app/core/findings.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "engine/reason.h"

gdouble
dg_view_ceiling (const DgDocView *view)
{
    if (view == NULL || view->n_targets == 0 || !view->targets[0].has_link)
        return NAN;
    guint64 ceiling = view->targets[0].link.ceiling_bytes_per_s;
    return ceiling == DG_DOC_UNKNOWN || ceiling == 0 ? NAN : (gdouble) ceiling;
}

/* Where the ceiling stands for all bytes of both directions of a mix. */
static gdouble
cell_ceiling (const DgDocView *view, DgDirection direction, const DgDocRun *run)
{
    gdouble ceiling = dg_view_ceiling (view);
    if (direction != DG_DIRECTION_MIX || !isfinite (ceiling))
        return ceiling;
    return ceiling / dg_findings_carried_part (&view->targets[0].link, run, view->mix_read_percent);
}

static const DgDocRun *
shown_run (const DgDocTest *test)
{
    return test->shown >= 0 && (guint) test->shown < test->n_runs ? &test->runs[test->shown] : NULL;
}

gdouble
dg_cell_scale_of_view (const DgDocView *view)
{
    gdouble greatest = NAN, fastest = NAN;
    for (guint i = 0; view != NULL && i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        const DgDocRun *run = shown_run (test);
        if (run != NULL && isfinite (run->bandwidth_bytes_per_s))
            greatest = fmax (greatest, run->bandwidth_bytes_per_s);
        for (guint k = 0; run != NULL && k < test->n_runs; k++)
            if (test->runs[k].used && isfinite (test->runs[k].bandwidth_bytes_per_s))
                fastest = fmax (fastest, test->runs[k].bandwidth_bytes_per_s);
    }
    /* A whisker ends within its cell, too. */
    return fmax (dg_cell_scale (greatest, dg_view_ceiling (view)), fastest / 0.97);
}

gint
dg_view_find_test (const DgDocView *view, const gchar *name, DgDirection direction)
{
    for (guint i = 0; view != NULL && i < view->n_tests; i++)
        if (view->tests[i].direction == direction && g_strcmp0 (view->tests[i].name, name) == 0
            && g_strcmp0 (view->tests[i].kind, "speed") == 0)
            return (gint) i;
    return -1;
}

gint
dg_view_find_spec (const DgDocView *view, const DgTestSpec *spec, DgDirection direction)
{
    g_autofree gchar *name = dg_test_spec_dup_name (spec);
    gint found = dg_view_find_test (view, name, direction);
    for (guint i = 0; view != NULL && i < view->n_tests && found < 0; i++) {
        const DgDocTest *test = &view->tests[i];
        if (test->direction == direction && test->access == spec->access
            && test->block_size_bytes == spec->block_bytes && test->queue_depth == spec->queue_depth
            && test->threads == spec->threads && g_strcmp0 (test->kind, "speed") == 0)
            found = (gint) i;
    }
    return found;
}

static DgUnit
unit_of (const DgProfileRow *row, const DgDrawStyle *style)
{
    if (row == NULL || !row->has_unit)
        return style->unit;
    switch (row->show) {
    case DG_SHOW_IOPS:
        return DG_UNIT_IOPS;
    case DG_SHOW_LATENCY:
        return DG_UNIT_US;
    case DG_SHOW_BANDWIDTH:
        break;
    }
    return style->unit == DG_UNIT_IOPS || style->unit == DG_UNIT_US ? DG_UNIT_MB : style->unit;
}

static gchar *
number_in (const DgDocRun *run, DgUnit unit, DgNumberFor purpose)
{
    switch (unit) {
    case DG_UNIT_IOPS:
        return dg_number_iops (run->iops, purpose);
    case DG_UNIT_US:
        return dg_number_latency_us (run->latency_mean_ns, purpose);
    case DG_UNIT_MB:
    case DG_UNIT_GB:
    case DG_UNIT_MIB:
        break;
    }
    return dg_number_rate (run->bandwidth_bytes_per_s, unit, purpose);
}

static gchar *
latency_text (guint64 ns, DgNumberFor purpose)
{
    return dg_number_latency (ns == DG_DOC_UNKNOWN ? NAN : (gdouble) ns, purpose);
}

/* What the figure does not say already: operations (or the rate), median and 99th percentile. */
static gchar *
below_text (const DgDocRun *run, DgUnit unit, DgNumberFor purpose)
{
    g_autofree gchar *p50 = latency_text (run->p50_ns, purpose);
    g_autofree gchar *p99 = latency_text (run->p99_ns, purpose);
    if (unit == DG_UNIT_IOPS || unit == DG_UNIT_US) {
        g_autofree gchar *rate = dg_number_rate (run->bandwidth_bytes_per_s, DG_UNIT_MB, purpose);
        return g_strdup_printf ("%s MB/s · p50 %s · p99 %s", rate, p50, p99);
    }
    g_autofree gchar *iops = dg_number_iops (run->iops, purpose);
    return g_strdup_printf ("%s IOPS · p50 %s · p99 %s", iops, p50, p99);
}

static void
fill_spread (DgCell *cell, const DgDocTest *test)
{
    guint used = 0;
    gdouble slowest = INFINITY, fastest = -INFINITY;
    for (guint i = 0; i < test->n_runs; i++) {
        const DgDocRun *run = &test->runs[i];
        if (!run->used || !isfinite (run->bandwidth_bytes_per_s))
            continue;
        used++;
        slowest = MIN (slowest, run->bandwidth_bytes_per_s);
        fastest = MAX (fastest, run->bandwidth_bytes_per_s);
    }
    cell->slowest = used > 1 ? slowest : NAN;
    cell->fastest = used > 1 ? fastest : NAN;
}

/* The document says which tests did not settle, or beat the link: the thresholds are not repeated
 * here. */
static gboolean
has_finding (const DgDocView *view, const gchar *id, gint test)
{
    for (guint i = 0; i < view->n_findings; i++)
        if (g_strcmp0 (view->findings[i].id, id) == 0
            && dg_findings_concerns (&view->findings[i], test))
            return TRUE;
    return FALSE;
}

static guint
complete_runs (const DgDocTest *test)
{
    guint n = 0;
    for (guint i = 0; i < test->n_runs; i++)
        n += test->runs[i].used ? 1 : 0;
    return n;
}

static gchar *
stopped_text (const DgDocView *view, const DgDocTest *test)
{
    guint complete = complete_runs (test);
    guint wanted = view->runs > 0 ? (guint) MIN (view->runs, 99) : 3;
    if (complete >= wanted) /* auto: more were to follow */
        return g_strdup_printf (ngettext ("%u run, stopped", "%u runs, stopped", complete),
                                complete);
    /* Translators: complete runs of a test, and how many there should have been */
    return g_strdup_printf (_ ("%u of %u runs, stopped"), complete, wanted);
}

static gboolean
is_direct_refuted (const DgDocRun *run)
{
    return g_strcmp0 (run->direct, "refuted") == 0;
}

static void
fill_beside (DgCell *cell, const DgDocView *view, gint index, const DgDocRun *run,
             DgNumberFor purpose)
{
    const DgDocTest *test = &view->tests[index];
    if (has_finding (view, "above-link", index)) {
        cell->is_above_link = TRUE;
        cell->beside_is_warning = TRUE;
        cell->beside = g_strdup (_ ("a cache, not the drive"));
    } else if (test->state == DG_DOC_STOPPED) {
        cell->beside = stopped_text (view, test);
    } else if (is_direct_refuted (run)) {
        cell->beside_is_warning = TRUE;
        cell->beside = g_strdup (_ ("not direct"));
    } else if (isfinite (test->spread_percent)) {
        cell->beside = dg_number_spread (test->spread_percent, purpose);
        cell->beside_is_warning = has_finding (view, "unstable", index);
    } else {
        cell->beside = g_strdup (_ ("one run"));
    }
    cell->is_doubtful = is_direct_refuted (run);
}

/* Reasons stand in the document as words for machines; unknown ones are shown as they are. */
static const gchar *
reason_text (const gchar *reason)
{
    static const struct {
        const gchar *reason, *text;
    } texts[] = {
        { DG_REASON_BELOW_LOGICAL_BLOCK, N_ ("smaller than the drive’s block") },
          { DG_REASON_THREADS_CANNOT_QUEUE_WRITES, N_ ("threads cannot queue writes") },
            { DG_REASON_STOPPED_BEFORE, N_ ("stopped before") },
              { DG_REASON_FAILED_BEFORE, N_ ("failed before") },
                { DG_REASON_BACKEND_MISSING, N_ ("backend missing") },
                  { DG_REASON_FILE_TOO_SMALL, N_ ("file too small") },
                    { "read-only", N_ ("read-only") },
                  };
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        if (g_strcmp0 (reason, texts[i].reason) == 0)
            return _ (texts[i].text);
    return reason;
}

static void
fill_not_run (DgCell *cell, const DgDocTest *test)
{
    cell->figure = g_strdup ("—");
    if (test->state == DG_DOC_STOPPED)
        cell->beside = g_strdup (_ ("stopped"));
    else if (test->state == DG_DOC_ABANDONED)
        cell->beside = g_strdup (_ ("the drive did not answer"));
    else if (test->state == DG_DOC_NOT_RUN && test->reason != NULL)
        /* Translators: followed by the reason, "read-only" */
        cell->beside = g_strdup_printf (_ ("not run: %s"), reason_text (test->reason));
    else if (test->state == DG_DOC_NOT_RUN)
        cell->beside = g_strdup (_ ("not run"));
}

/* "at 312 MiB after 2 runs; 14 errors" */
static void
fill_failed (DgCell *cell, const DgDocTest *test, DgNumberFor purpose)
{
    const DgDocError *first = NULL;
    guint64 count = 0;
    for (guint i = 0; i < test->n_runs; i++)
        for (guint k = 0; k < test->runs[i].n_errors; k++) {
            const DgDocError *error = &test->runs[i].errors[k];
            if (first == NULL)
                first = error;
            count += error->count != DG_DOC_UNKNOWN ? error->count : 1;
        }
    const gchar *reason = reason_text (test->reason);
    if (first != NULL && first->text != NULL)
        reason = purpose == DG_FOR_WINDOW ? dg_text_of_error (first->text) : first->text;
    cell->figure = g_strdup (reason != NULL ? reason : _ ("failed"));

    GString *below = g_string_new (NULL);
    if (first != NULL && first->offset_bytes != DG_DOC_UNKNOWN) {
        g_autofree gchar *at = dg_number_gib (first->offset_bytes, purpose);
        /* Translators: where in the test file an error was, "at 312 MiB" */
        g_string_append_printf (below, _ ("at %s"), at);
    }
    guint complete = complete_runs (test);
    if (complete > 0) {
        g_string_append (below, below->len > 0 ? " " : "");
        g_string_append_printf (below, ngettext ("after %u run", "after %u runs", complete),
                                complete);
    }
    if (count > 0) {
        g_autofree gchar *number = dg_number_count (count, purpose);
        g_string_append (below, below->len > 0 ? "; " : "");
        g_string_append_printf (
            below, ngettext ("%s error", "%s errors", (gulong) MIN (count, 1000)), number);
    }
    const DgDocRun *run = shown_run (test);
    if (run != NULL) {
        g_autofree gchar *rate = dg_number_rate (run->bandwidth_bytes_per_s, DG_UNIT_MB, purpose);
        g_string_append_printf (below, "%s%s MB/s", below->len > 0 ? "; " : "", rate);
    }
    cell->below = g_string_free (below, FALSE);
}

void
dg_cell_from_test (DgCell *cell, const DgDocView *view, gint index, DgDirection direction,
                   const DgProfileRow *row, const DgDrawStyle *style)
{
    DgNumberFor purpose = dg__number_for (style);
    *cell = (DgCell){ .direction = direction,
                      .state = DG_DOC_DONE,
                      .value = NAN,
                      .slowest = NAN,
                      .fastest = NAN,
                      .ceiling = cell_ceiling (view, direction, NULL),
                      .scale_max = dg_cell_scale_of_view (view) };
    if (view == NULL || index < 0 || (guint) index >= view->n_tests) {
        cell->figure = g_strdup ("—");
        return;
    }
    const DgDocTest *test = &view->tests[index];
    const DgDocRun *run = shown_run (test);
    cell->state = test->state;
    if (test->state == DG_DOC_FAILED) {
        fill_failed (cell, test, purpose);
        return;
    }
    if (run == NULL || !isfinite (run->bandwidth_bytes_per_s)) {
        fill_not_run (cell, test);
        return;
    }
    DgUnit unit = unit_of (row, style);
    cell->value = run->bandwidth_bytes_per_s;
    cell->ceiling = cell_ceiling (view, direction, run);
    cell->figure = number_in (run, unit, purpose);
    if (row != NULL && row->has_unit)
        cell->unit = g_strdup (dg_unit_name (unit));
    cell->below = below_text (run, unit, purpose);
    fill_spread (cell, test);
    fill_beside (cell, view, index, run, purpose);
}

void
dg_cell_clear (DgCell *cell)
{
    g_free ((gpointer) cell->figure);
    g_free ((gpointer) cell->unit);
    g_free ((gpointer) cell->beside);
    g_free ((gpointer) cell->below);
    cell->figure = cell->unit = cell->beside = cell->below = NULL;
}
