/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/page-foot.h"

#include <glib/gi18n.h>
#include <math.h>

gchar *
dg_page_foot_dup_date (GDateTime *when)
{
    g_autoptr (GDateTime) local = g_date_time_to_local (when);
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    if (g_date_time_get_year (local) == g_date_time_get_year (now)
        && g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now))
        /* Translators: a time of today for strftime. */
        return g_date_time_format (local, _ ("Today %H:%M"));
    /* Translators: date and time for strftime. */
    return g_date_time_format (local, _ ("%e %b %Y %H:%M"));
}

gchar *
dg_page_foot_dup_when (const gchar *rfc3339)
{
    g_autoptr (GDateTime) when = rfc3339 ? g_date_time_new_from_iso8601 (rfc3339, NULL) : NULL;
    return when ? dg_page_foot_dup_date (when) : g_strdup ("");
}

/* "Today 10:00"; and when a row was measured again since. */
static gchar *
dup_times (const DgDocView *view)
{
    const gchar *again = NULL;
    guint64 end_ns = DG_DOC_UNKNOWN;
    for (guint i = 0; i < view->n_tests; i++)
        if (dg_document_is_another_go (view, i, &end_ns) && view->tests[i].started)
            again = view->tests[i].started;
    g_autofree gchar *first = dg_page_foot_dup_when (view->started);
    g_autofree gchar *last = again ? dg_page_foot_dup_when (again) : NULL;
    if (!last || !*last)
        return g_steal_pointer (&first);
    /* Translators: two dates: of a result, and of its tests that were measured later. */
    return g_strdup_printf (_ ("%s, the last of it %s"), first, last);
}

static void
append_temperatures (GString *text, const DgDocView *view)
{
    gdouble low = INFINITY, high = -INFINITY;
    for (guint i = 0; i < view->n_temperatures; i++) {
        if (isnan (view->temperatures[i].celsius))
            continue;
        low = fmin (low, view->temperatures[i].celsius);
        high = fmax (high, view->temperatures[i].celsius);
    }
    if (!isfinite (low))
        return;
    g_autofree gchar *span = dg_number_celsius_range (low, high, DG_FOR_WINDOW);
    g_string_append_printf (text, " · %s", span);
}

static gchar *
document_text (const DgDocView *view, gboolean is_narrow)
{
    GString *text = g_string_new (NULL);
    g_autofree gchar *when = dup_times (view);
    g_string_append (text, when);
    guint64 length = dg_document_measured_ns (view);
    if (length) {
        guint64 second = G_GUINT64_CONSTANT (1000000000);
        g_autofree gchar *took =
            dg_number_duration ((length + second / 2) / second * second, DG_FOR_WINDOW);
        /* Translators: a duration: all runs together. */
        g_string_append_printf (text, _ (" · %s of measuring"), took);
    }
    append_temperatures (text, view);
    if (view->bytes_read != DG_DOC_UNKNOWN && view->bytes_written != DG_DOC_UNKNOWN) {
        g_autofree gchar *read = dg_number_gib (view->bytes_read, DG_FOR_WINDOW);
        g_autofree gchar *written = dg_number_gib (view->bytes_written, DG_FOR_WINDOW);
        g_string_append (text, is_narrow ? " · " : "\n");
        /* Translators: amounts such as "13.0 GiB". */
        g_string_append_printf (text, _ ("read %s · wrote %s"), read, written);
    }
    return g_string_free (text, FALSE);
}

static gchar *
running_text (DgSession *session, gboolean is_narrow)
{
    const DgProgress *progress = dg_session_get_progress (session);
    const DgOptions *options = dg_session_get_run_options (session);
    GString *text = g_string_new (NULL);
    if (!isnan (progress->celsius)) {
        g_autofree gchar *now = dg_number_celsius (progress->celsius, DG_FOR_WINDOW);
        g_string_append_printf (text, "%s · ", now);
    }
    if (progress->engine.state == DG_STATE_MEASURING
        && progress->test < options->profile->n_tests) {
        const DgTestSpec *spec = &options->profile->tests[progress->test];
        /* Translators: the achieved and the asked number of requests under way. */
        g_string_append_printf (text, _ ("queue %.1f of %u"), progress->engine.queue_depth,
                                         spec->queue_depth * spec->threads);
    }
    if (text->len)
        g_string_append (text, is_narrow ? " · " : "\n");
    /* Translators: how busy the measuring threads keep the processor. */
    g_string_append_printf (text, _ ("processor %u %%"), progress->engine.cpu_permille / 10);
    g_string_append (text, " · ");
    guint64 errors = progress->engine.errors;
    if (errors == 0) {
        g_string_append (text, _ ("no errors"));
    } else {
        g_autofree gchar *count = dg_number_count (errors, DG_FOR_WINDOW);
        /* Translators: %s is a number. */
        g_string_append_printf (text, g_dngettext (NULL, "%s error", "%s errors", (gulong) errors),
                                count);
    }
    return g_string_free (text, FALSE);
}

/* By the program's start, or by the run on show. */
static void
append_leftovers (GString *text, guint64 n)
{
    if (n == 0 || n == DG_DOC_UNKNOWN)
        return;
    if (text->len)
        g_string_append_c (text, '\n');
    g_string_append_printf (
        text,
        g_dngettext (NULL, "Deleted %lu test file that a killed run had left on the drive.",
                     "Deleted %lu test files that killed runs had left on the drive.", (gulong) n),
        (gulong) n);
}

static gchar *
still_text (DgSession *session, gboolean is_narrow)
{
    DgDocument *document = dg_session_get_document (session);
    const DgDocView *view = document ? dg_document_view (document) : NULL;
    g_autofree gchar *first = view ? document_text (view, is_narrow) : g_strdup ("");
    GString *text = g_string_new (first);
    append_leftovers (text, dg_session_get_leftovers_removed (session));
    if (view && view->n_targets > 0 && !dg_session_is_saved (session))
        append_leftovers (text, view->targets[0].file_leftovers_removed);
    return g_string_free (text, FALSE);
}

gchar *
dg_page_foot_dup_text (DgSession *session, gboolean is_narrow)
{
    return dg_session_is_running (session) ? running_text (session, is_narrow)
                                           : still_text (session, is_narrow);
}

static gchar *
saved_text (DgSession *session)
{
    const DgDocView *view = dg_document_view (dg_session_get_document (session));
    g_autofree gchar *when = dg_page_foot_dup_when (view->started);
    const DgDocTarget *target = view->n_targets ? &view->targets[0] : NULL;
    const gchar *name = NULL;
    if (target)
        name = target->has_drive && target->drive.model  ? target->drive.model
               : target->label                           ? target->label
               : target->has_drive && target->drive.name ? target->drive.name
                                                         : target->filesystem;
    if (!name)
        /* Translators: %s is a date. */
        return g_strdup_printf (_ ("Saved result of %s"), when);
    /* Translators: the first %s is the name of a drive, the second a date. */
    return g_strdup_printf (_ ("Saved result: %s, %s"), name, when);
}

/* A page has an end: see dg_session_get_profile (). */
static gboolean
has_more_rows (const DgDocView *view, const DgProfile *profile)
{
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        if (g_strcmp0 (test->kind, "speed") != 0)
            continue;
        DgTestSpec spec = { test->access, test->block_size_bytes, (guint) test->queue_depth,
                            (guint) test->threads };
        gboolean is_shown = FALSE;
        for (guint k = 0; k < profile->n_tests && !is_shown; k++)
            is_shown = dg_test_spec_equal (&spec, &profile->tests[k]);
        if (!is_shown)
            return TRUE;
    }
    return FALSE;
}

#define MOST_NAMES 4

/* Names of the tests that no row is for: of kinds that a later version knows. (nullable) */
static gchar *
dup_unknown_tests (const DgDocView *view)
{
    GString *names = g_string_new (NULL);
    guint n = 0;
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        const gchar *name = test->name ? test->name : test->kind ? test->kind : "?";
        if (g_strcmp0 (test->kind, "speed") == 0 || n > MOST_NAMES)
            continue;
        g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", n < MOST_NAMES ? name : "…");
        n++;
    }
    return g_string_free (names, n == 0);
}

gchar *
dg_page_foot_dup_saved_text (DgSession *session)
{
    const DgDocView *view = dg_document_view (dg_session_get_document (session));
    const DgProfile *profile = dg_session_get_profile (session);
    gchar *text = saved_text (session);
    g_autofree gchar *unknown = dup_unknown_tests (view);
    if (unknown) {
        /* Translators: the first %s is "Saved result: drive, date", the second names of tests. */
        gchar *named = g_strdup_printf (
            _ ("%s. It also has tests that this version cannot show: %s"), text, unknown);
        g_free (text);
        text = named;
    }
    if (!has_more_rows (view, profile))
        return text;
    /* Translators: the first %s is "Saved result: drive, date". */
    gchar *more = g_strdup_printf (
        g_dngettext (NULL, "%s. Its first %u row is shown; the text report has all of them.",
                     "%s. Its first %u rows are shown; the text report has all of them.",
                     profile->n_rows),
        text, profile->n_rows);
    g_free (text);
    return more;
}
