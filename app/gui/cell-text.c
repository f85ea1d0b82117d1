/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/cell-text.h"

#include "app/core/findings.h"

#include <glib/gi18n.h>
#include <math.h>

const gchar *
dg_cell_text_direction (DgDirection direction)
{
    return direction == DG_DIRECTION_READ ? _ ("Read")
                                          : direction == DG_DIRECTION_WRITE
        ? _ ("Write")
        : _ ("Mix");
}

const gchar *
dg_cell_text_direction_word (DgDirection direction)
{
    return direction == DG_DIRECTION_READ       ? C_ ("direction in a sentence", "read")
                                                : direction == DG_DIRECTION_WRITE
                                                ? C_ ("direction in a sentence", "write")
                                                      : C_ ("direction in a sentence", "mix");
}

DgUnit
dg_cell_text_row_unit (const DgProfileRow *row, DgUnit unit)
{
    if (!row || !row->has_unit)
        return unit;
    if (row->show == DG_SHOW_IOPS)
        return DG_UNIT_IOPS;
    if (row->show == DG_SHOW_LATENCY)
        return DG_UNIT_US;
    return unit == DG_UNIT_IOPS || unit == DG_UNIT_US ? DG_UNIT_MB : unit;
}

/* Read aloud, a narrow space between thousands would break the number in two. */
static gchar *
joined (gchar *number)
{
    g_auto (GStrv) parts = g_strsplit (number, "\u202f", -1);
    g_free (number);
    return g_strjoinv ("", parts);
}

static const gchar *
rate_words (DgUnit unit)
{
    switch (unit) {
    case DG_UNIT_GB:
        return _ ("gigabytes per second");
    case DG_UNIT_MIB:
        return _ ("mebibytes per second");
    default:
        return _ ("megabytes per second");
    }
}

static DgUnit
rate_unit (DgUnit unit)
{
    return unit == DG_UNIT_IOPS || unit == DG_UNIT_US ? DG_UNIT_MB : unit;
}

static const gchar *
latency_words (gdouble ns)
{
    return ns < 999500 ? _ ("microseconds") : ns < 999500000 ? _ ("milliseconds") : _ ("seconds");
}

/* Three digits in the unit of latency_words. */
static gchar *
latency_number (gdouble ns, gdouble in_unit_of_ns)
{
    gdouble value = in_unit_of_ns < 999500      ? ns / 1e3
                    : in_unit_of_ns < 999500000 ? ns / 1e6
                                                : ns / 1e9;
    return g_strdup_printf ("%.*f", value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value);
}

static void
append_state (GString *text, const DgDocTest *test)
{
    if (test->state == DG_DOC_STOPPED)
        g_string_append_printf (text, " %s", _ ("Stopped."));
    else if (test->state == DG_DOC_FAILED || test->state == DG_DOC_ABANDONED)
        g_string_append_printf (text, " %s", _ ("Failed."));
}

/* What is only drawn otherwise: colour, hatch and the words beside the figure. */
static void
append_doubts (GString *text, const DgCell *cell, const DgDocTest *test)
{
    if (cell->is_above_link)
        /* Translators: read aloud after a figure. */
        g_string_append (text, _ (" Faster than the link: a cache, not the drive."));
    if (cell->is_doubtful)
        /* Translators: read aloud after a figure. */
        g_string_append (text, _ (" Not direct: the system’s cache took part."));
    if (cell->beside_is_warning && !cell->is_above_link && !cell->is_doubtful)
        /* Translators: read aloud after a figure whose runs differ much. */
        g_string_append (text, _ (" Unstable."));
}

gchar *
dg_cell_text_spoken (const DgDocView *view, gint index, const gchar *name, DgDirection direction,
                     const DgProfileRow *row, DgUnit unit)
{
    const gchar *word = dg_cell_text_direction_word (direction);
    if (!view || index < 0)
        /* Translators: read aloud; the first %s is a test such as "SEQ1M Q8T1", the second "read",
         * "write" or "mix". */
        return g_strdup_printf (_ ("%s %s: not measured yet."), name, word);
    const DgDocTest *test = &view->tests[index];
    DgDrawStyle style = { .unit = unit };
    __attribute__ ((cleanup (dg_cell_clear))) DgCell cell = { 0 };
    dg_cell_from_test (&cell, view, index, direction, row, &style);
    if (test->shown < 0 || test->state == DG_DOC_FAILED) {
        /* What is drawn beside the dash is the reason, or what failed and where. */
        if (test->state == DG_DOC_NOT_RUN && cell.beside)
            return g_strdup_printf ("%s %s: %s.", name, word, cell.beside);
        if (test->state == DG_DOC_NOT_RUN)
            return g_strdup_printf (_ ("%s %s: not run."), name, word);
        if (test->state == DG_DOC_FAILED && cell.below && *cell.below)
            /* Translators: read aloud: test, direction, the error, where it was. */
            return g_strdup_printf (_ ("%s %s: failed: %s, %s."), name, word, cell.figure,
                                       cell.below);
        if (test->state == DG_DOC_FAILED)
            return g_strdup_printf (_ ("%s %s: failed."), name, word);
        if (test->state == DG_DOC_ABANDONED && cell.beside)
            return g_strdup_printf ("%s %s: %s.", name, word, cell.beside);
        return g_strdup_printf (_ ("%s %s: stopped before a run was complete."), name, word);
    }
    const DgDocRun *run = &test->runs[test->shown];
    GString *text = g_string_new (NULL);
    DgUnit rates = rate_unit (unit);
    g_autofree gchar *rate =
        joined (dg_number_rate (run->bandwidth_bytes_per_s, rates, DG_FOR_WINDOW));
    g_autofree gchar *iops = joined (dg_number_iops (run->iops, DG_FOR_WINDOW));
    /* Translators: read aloud: test, direction, number, "megabytes per second". */
    g_string_append_printf (text, _ ("%s %s: %s %s"), name, word, rate, rate_words (rates));
    if (test->shown_best && test->n_runs > 1)
        /* Translators: read aloud after a rate. */
        g_string_append (text, _ (", the best of its runs"));
    if (!isnan (test->spread_percent))
        /* Translators: read aloud after a rate; %.1f is a percentage. */
        g_string_append_printf (text, _ (", plus or minus %.1f percent"), test->spread_percent);
    /* Translators: read aloud; the stop ends the sentence before. */
    g_string_append_printf (text, _ (". %s operations per second."), iops);
    if (run->p50_ns != DG_DOC_UNKNOWN && run->p99_ns != DG_DOC_UNKNOWN) {
        gdouble greatest = (gdouble) run->p99_ns;
        g_autofree gchar *median = latency_number ((gdouble) run->p50_ns, greatest);
        g_autofree gchar *high = latency_number (greatest, greatest);
        /* Translators: read aloud: two numbers and their unit. */
        g_string_append_printf (text, _ (" Latency: median %s, 99th percentile %s %s."), median,
                                         high, latency_words (greatest));
    }
    gdouble ceiling = dg_view_ceiling (view);
    if (!isnan (ceiling) && ceiling > 0)
        /* Translators: read aloud. */
        g_string_append_printf (
            text, _ (" %.0f percent of the link’s ceiling."),
                     run->bandwidth_bytes_per_s
                         * dg_findings_carried_part (&view->targets[0].link, run, DG_DOC_UNKNOWN)
                         / ceiling * 100);
    append_state (text, test);
    append_doubts (text, &cell, test);
    return g_string_free (text, FALSE);
}

gchar *
dg_cell_text_spoken_live (const gchar *name, DgDirection direction)
{
    /* Translators: read aloud: test and direction. */
    return g_strdup_printf (_ ("%s %s: being measured."), name,
                               dg_cell_text_direction_word (direction));
}

static gchar *
live_beside (const DgProgress *progress, guint runs)
{
    const DgSnapshot *now = &progress->engine;
    if (now->state == DG_STATE_WARMING)
        return g_strdup (_ ("warming up"));
    if (now->state == DG_STATE_DRAINING)
        return g_strdup (_ ("finishing…"));
    if (runs == 0 && now->run < 3)
        /* Translators: beside the figure of a running test; at least three runs are made. */
        return g_strdup_printf (_ ("run %u, at least 3"), now->run + 1);
    if (runs == 0)
        /* Translators: beside the figure of a running test; at most nine runs are made. */
        return g_strdup_printf (_ ("run %u, at most 9"), now->run + 1);
    /* Translators: beside the figure of a running test. */
    return g_strdup_printf (_ ("run %u of %u"), now->run + 1, runs);
}

void
dg_cell_text_take_progress (DgProgress *shown, const DgProgress *now)
{
    const DgSnapshot before = shown->engine;
    gboolean is_same_test = shown->step == now->step && before.now_ns <= now->engine.now_ns
                            && !now->engine.is_interval
                            && (now->engine.state == DG_STATE_WARMING
                                || now->engine.state == DG_STATE_MEASURING
                                || now->engine.state == DG_STATE_DRAINING);
    *shown = *now;
    if (!is_same_test)
        return;
    if (now->engine.recent_bytes_per_s == 0)
        shown->engine.recent_bytes_per_s = before.recent_bytes_per_s;
    if (now->engine.run_ns > 0 && (now->engine.p50_ns > 0 || before.p50_ns == 0))
        return;
    shown->engine.run_bytes = before.run_bytes;
    shown->engine.run_ios = before.run_ios;
    shown->engine.run_ns = before.run_ns;
    shown->engine.p50_ns = before.p50_ns;
    shown->engine.p99_ns = before.p99_ns;
}

void
dg_cell_text_fill_live (DgCell *cell, const DgProgress *progress, const DgProfileRow *row,
                        guint runs, DgUnit unit)
{
    const DgSnapshot *now = &progress->engine;
    DgUnit shown = dg_cell_text_row_unit (row, unit);
    gdouble seconds = (gdouble) now->run_ns / 1e9;
    gdouble rate = now->recent_bytes_per_s > 0 ? (gdouble) now->recent_bytes_per_s
                   : seconds > 0               ? (gdouble) now->run_bytes / seconds
                                               : NAN;
    gdouble iops = seconds > 0 ? (gdouble) now->run_ios / seconds : NAN;
    dg_cell_clear (cell);
    cell->state = DG_DOC_RUNNING;
    cell->value = rate;
    cell->slowest = cell->fastest = NAN;
    cell->is_doubtful = cell->beside_is_warning = FALSE;
    cell->is_above_link = FALSE;
    if (shown == DG_UNIT_IOPS)
        cell->figure = dg_number_iops (iops, DG_FOR_WINDOW);
    else if (shown == DG_UNIT_US)
        cell->figure =
            dg_number_latency_us (now->p50_ns ? (gdouble) now->p50_ns : NAN, DG_FOR_WINDOW);
    else
        cell->figure = dg_number_rate (rate, shown, DG_FOR_WINDOW);
    if (row && row->has_unit && row->show != DG_SHOW_BANDWIDTH)
        cell->unit = g_strdup (dg_unit_name (shown));
    cell->beside = live_beside (progress, runs);
    if (now->p50_ns && !isnan (iops)) {
        g_autofree gchar *count = dg_number_iops (iops, DG_FOR_WINDOW);
        g_autofree gchar *median = dg_number_latency ((gdouble) now->p50_ns, DG_FOR_WINDOW);
        g_autofree gchar *high = dg_number_latency ((gdouble) now->p99_ns, DG_FOR_WINDOW);
        cell->below = g_strdup_printf ("%s IOPS · p50 %s · p99 %s", count, median, high);
    }
}
