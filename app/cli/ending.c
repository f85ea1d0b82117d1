/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/ending.h"

#include "app/cli/message.h"
#include "app/cli/platform.h"
#include "app/cli/progress.h"
#include "app/core/findings.h"
#include "config.h"

#include <glib/gi18n.h>

static void
tell_findings (const DgDocView *view)
{
    for (guint i = 0; i < view->n_findings; i++) {
        const DgDocFinding *finding = &view->findings[i];
        g_autofree gchar *title = NULL, *sentence = NULL;
        dg_finding_describe (view, finding, &title, &sentence);
        const gchar *word =
            finding->severity == DG_SEVERITY_INVALID ? _ ("invalid")
                                                     : finding->severity == DG_SEVERITY_WARNING
            ? _ ("warning")
            : _ ("note");
        dg_message ("%s: %s %s", word, title != NULL ? title : finding->id,
                    sentence != NULL ? sentence : "");
    }
    if (dg_findings_direct_unproved (view, NULL)) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        dg_findings_describe_doubt (view, &title, &sentence);
        dg_message ("%s: %s %s", _ ("note"), title, sentence);
    }
}

/* Reasons stand in the document as words for machines. */
static const gchar *
advice (const gchar *reason)
{
    if (g_strcmp0 (reason, DG_REASON_BELOW_LOGICAL_BLOCK) == 0)
        return _ ("its block is smaller than the drive's own. Take a larger block");
    if (g_strcmp0 (reason, DG_REASON_THREADS_CANNOT_QUEUE_WRITES) == 0)
        return _ ("the backend “threads” cannot queue writes. Take “--backend auto” or a queue of 1");
    if (g_strcmp0 (reason, DG_REASON_BACKEND_MISSING) == 0)
        return _ ("its backend is not there. Take “--backend auto”");
    if (g_strcmp0 (reason, DG_REASON_FILE_TOO_SMALL) == 0)
        return _ ("the test file has less than a block for each thread. Take a larger --size");
    if (g_strcmp0 (reason, DG_REASON_FAILED_BEFORE) == 0)
        return _ ("the drive failed before. Check it and its cable");
    return reason != NULL ? reason : _ ("no reason is known");
}

/* Whether all were measured. What failed with an error of the drive is told by its finding. */
static gboolean
tell_tests (const DgDocView *view)
{
    gboolean all_done = view->n_tests > 0;

    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        all_done = all_done && test->state == DG_DOC_DONE;
        if (test->state == DG_DOC_NOT_RUN
            && g_strcmp0 (test->reason, DG_REASON_STOPPED_BEFORE) != 0)
            dg_message (/* Translators: a test, "read" or "write", the reason */ _ ("%s %s was not run: %s."), test->name, dg_progress_direction (test->direction),
                advice (test->reason));
        else if (test->state == DG_DOC_FAILED && view->state_code != DG_DOC_ABANDONED)
            dg_message (_ ("%s %s failed."), test->name, dg_progress_direction (test->direction));
    }
    return all_done;
}

static void
tell_leftovers (const DgDocView *view)
{
    guint64 n = view->n_targets > 0 ? view->targets[0].file_leftovers_removed : 0;

    if (n == 0 || n == DG_DOC_UNKNOWN)
        return;
    g_autofree gchar *text = g_strdup_printf (
        g_dngettext (NULL, "Deleted %lu test file that a killed run had left on the drive.",
                     "Deleted %lu test files that killed runs had left on the drive.", (gulong) n),
        (gulong) n);
    dg_message ("%s", text);
}

/* `number`: the signal that came, 0 if none did. */
static void
tell_state (const DgDocView *view, gint number)
{
    switch (view->state_code) {
    case DG_DOC_ABANDONED:
        dg_message (_ ("The drive no longer answers, so waiting was given up and the result was written. This process may have to stay until the system gives the "
                       "last requests back; unplugging the drive ends that, too."));
        break;
    case DG_DOC_STOPPED:
        if (number != 0)
            dg_message (
                _ ("Stopped by a signal (%s). What was measured until then has been written."),
                   dg_platform_stop_name ());
        else
            dg_message (_ ("Stopped. What was measured until then has been written."));
        break;
    case DG_DOC_FAILED:
        dg_message (_ ("The measurement failed. What was measured until then has been written."));
        break;
    default:
        break;
    }
}

/* A run that went to its end and nevertheless has no exit status 0. */
static void
tell_rest (gint number, gboolean is_written, gboolean all_done)
{
    if (number != 0 && is_written)
        dg_message (_ ("A signal (%s) came when the measurement had ended. What was measured has been written."),
                       dg_platform_stop_name ());
    if (!all_done)
        dg_message (_ ("A part was not measured. What was measured has been written."));
}

gboolean
dg_ending_tell (const DgDocView *view, gint number, gboolean is_written)
{
    gboolean all_done = tell_tests (view) && view->state_code == DG_DOC_DONE;

    tell_leftovers (view);
    tell_findings (view);
    tell_state (view, number);
    if (view->state_code == DG_DOC_DONE)
        tell_rest (number, is_written, all_done);
    return all_done;
}
