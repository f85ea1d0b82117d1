/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/progress.h"

#include "app/cli/message.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n.h>

const gchar *
dg_progress_direction (DgDirection direction)
{
    switch (direction) {
    case DG_DIRECTION_READ:
        return _ ("read");
    case DG_DIRECTION_WRITE:
        return _ ("write");
    case DG_DIRECTION_MIX:
        break;
    }
    return _ ("mix");
}

static void
append_left (GString *text, guint64 left_ns)
{
    if (left_ns == DG_DOC_UNKNOWN)
        return;
    /* Whole seconds: tenths would flicker. */
    g_autofree gchar *left = dg_number_duration ((left_ns + 500000000u) / 1000000000u * 1000000000u,
                                                 dg_message_numbers ());
    g_string_append (text, ", ");
    g_string_append_printf (text, /* Translators: a time, as in “1 min 2 s left” */ _ ("%s left"),
                                                                                       left);
}

static void
append_rate (GString *text, gdouble bytes_per_s)
{
    g_autofree gchar *rate =
        dg_number_rate_and_unit (bytes_per_s, DG_UNIT_MB, dg_message_numbers ());

    g_string_append (text, rate);
}

static void
append_preparing (GString *text, const DgProgress *progress)
{
    const DgSnapshot *now = &progress->engine;
    g_autofree gchar *done = dg_number_gib (now->prepared_bytes, dg_message_numbers ());
    g_autofree gchar *all = dg_number_gib (now->prepare_bytes, dg_message_numbers ());

    g_string_append_printf (
        text, /* Translators: two sizes */ _ ("Preparing the test file: %s of %s, "), done, all);
    append_rate (text, (gdouble) now->recent_bytes_per_s);
    append_left (text, progress->prepare_left_ns);
}

static void
append_test (GString *text, const DgProgress *progress, const DgOptions *options)
{
    const DgSnapshot *now = &progress->engine;
    guint test = MIN (progress->test, options->profile->n_tests - 1);
    g_autofree gchar *name = dg_test_spec_dup_name (&options->profile->tests[test]);

    g_string_append_printf (text, "%u/%u  %s %s: ", MIN (progress->step + 1, progress->n_steps),
                            progress->n_steps, name, dg_progress_direction (progress->direction));
    if (now->is_interval)
        g_string_append (text, _ ("pause"));
    else if (now->state == DG_STATE_WARMING)
        g_string_append (text, _ ("warming up"));
    else {
        g_string_append_printf (text, _ ("run %u, "), now->run + 1);
        append_rate (text, now->run_ns > 0 ? (gdouble) now->run_bytes * 1e9 / (gdouble) now->run_ns
                                           : (gdouble) now->recent_bytes_per_s);
    }
    append_left (text, progress->left_ns);
}

gchar *
dg_progress_text (const DgProgress *progress, const DgOptions *options)
{
    const DgSnapshot *now = &progress->engine;
    GString *text = g_string_new (NULL);

    if (now->is_finishing)
        g_string_append (text, _ ("Finishing: the drive still works on a flush or a delete …"));
    else if (now->state == DG_STATE_IDLE || now->state >= DG_STATE_DONE)
        g_string_append (text, now->state == DG_STATE_IDLE ? _ ("Starting …") : _ ("Finishing …"));
    else if (now->state == DG_STATE_PREPARING && !now->is_interval)
        append_preparing (text, progress);
    else
        append_test (text, progress, options);
    if (now->oldest_io_ns != 0) {
        g_autofree gchar *age = dg_number_duration (now->oldest_io_ns, dg_message_numbers ());
        g_string_append_printf (
            text, /* Translators: a time */ _ (" (the drive has not answered for %s)"), age);
    }
    return g_string_free (text, FALSE);
}
