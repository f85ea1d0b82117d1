/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/commands.h"
#include "app/cli/ending.h"
#include "app/cli/message.h"
#include "app/cli/outputs.h"
#include "app/cli/patience.h"
#include "app/cli/platform.h"
#include "app/cli/progress.h"
#include "app/core/app-error.h"
#include "app/core/library.h"
#include "app/core/numbers.h"
#include "app/core/runner.h"
#include "app/core/udisks.h"
#include "app/core/sandbox.h"
#include "config.h"

#include <glib/gi18n.h>

#define TICK_MS   100
#define SECOND_NS G_GUINT64_CONSTANT (1000000000)

typedef struct {
    DgRunner *runner;
    GMainLoop *loop;
    const DgOptions *options;
    const DgTargetList *list;
    gboolean use_library, shows_progress;
    gboolean is_stopping, has_told_plan, has_told_slow, has_told_estimate;
    DgDocument *document; /* (owned) (nullable) */
    GError *error;        /* (owned) (nullable) */
} Run;

DgTargetList *
dg_command_find_target (const gchar *folder, GError **error)
{
    DgTargetList *list = NULL;

    return dg_sandbox_find_target (folder, &list, error) ? list : NULL;
}

/* ---- what is said before and while ---- */

static const DgDrive *
drive_of (const Run *run)
{
    const DgTarget *target = &run->list->targets[0];

    return target->n_drives > 0 ? &run->list->drives[target->drives[0]] : NULL;
}

static void
tell_size (const DgOptions *options)
{
    guint64 size = dg_options_rounded_size (options);

    if (size == options->size_bytes)
        return;
    g_autofree gchar *rounded = dg_number_file_size (size, DG_FOR_FILE);
    dg_message (_ ("The size was rounded down to %s, a multiple of threads times block size of every test."),
        rounded);
}

static void
estimate_now (const Run *run, gdouble prepare_bytes_per_s, DgEstimate *ret_estimate)
{
    const DgDrive *drive = drive_of (run);
    g_autoptr (DgDocument) last =
        run->use_library && drive != NULL ? dg_library_last_of_drive (drive) : NULL;

    dg_options_estimate (run->options, last, dg_options_link_of (run->list, 0), prepare_bytes_per_s,
                         ret_estimate);
}

static void
tell_estimate (Run *run)
{
    DgEstimate estimate;

    estimate_now (run, 0, &estimate);
    guint64 seconds_ns = (estimate.time_ns + SECOND_NS / 2) / SECOND_NS * SECOND_NS;
    g_autofree gchar *time =
        dg_number_duration (MAX (seconds_ns, SECOND_NS), dg_message_numbers ());
    run->has_told_estimate = estimate.written_bytes != DG_DOC_UNKNOWN;
    g_autofree gchar *written = run->has_told_estimate
                                    ? dg_number_gib (estimate.written_bytes, dg_message_numbers ())
                                    : NULL;
    if (written == NULL && dg_options_rounded_size (run->options) < DG_OPTIONS_TELLING_BYTES)
        dg_message (_ ("Takes about %s and the time for preparing; with so small a file nobody can tell how much is written at most."),
                       time);
    else if (written == NULL)
        dg_message (_ ("Takes about %s and the time for preparing; how much is written at most can be told once the file is prepared."),
                       time);
    else if (estimate.preparing == DG_PREPARING_UNKNOWN)
        dg_message (_ ("Takes about %s and the time for preparing, writes up to %s."), time,
                       written);
    else if (estimate.preparing == DG_PREPARING_AT_LEAST)
        dg_message (_ ("Takes at least %s, writes up to %s."), time, written);
    else
        dg_message (_ ("Takes about %s, writes up to %s."), time, written);
}

/* As soon as the test file is there: of what is refused the reason is all that is said. */
static void
tell_plan (Run *run, const DgProgress *progress)
{
    if (run->has_told_plan || progress->engine.prepare_bytes == 0)
        return;
    run->has_told_plan = TRUE;
    tell_size (run->options);
    tell_estimate (run);
}

static void
tell_slow_preparing (Run *run, const DgProgress *progress)
{
    if (run->has_told_slow || !progress->prepare_is_slow
        || progress->prepare_left_ns == DG_DOC_UNKNOWN)
        return;
    run->has_told_slow = TRUE;
    g_autofree gchar *left = dg_number_duration (progress->prepare_left_ns, dg_message_numbers ());
    dg_message (_ ("Preparing the test file takes another %s. Ctrl+C and a smaller --size make it shorter."),
        left);
}

static void
tell_late_estimate (Run *run)
{
    DgDocument *document = dg_runner_get_document (run->runner);

    if (!run->has_told_plan || run->has_told_estimate || document == NULL)
        return;
    const DgDocView *view = dg_document_view (document);
    if (view->n_targets == 0 || !(view->targets[0].file_prepare_bytes_per_s > 0))
        return;
    DgEstimate estimate;
    estimate_now (run, view->targets[0].file_prepare_bytes_per_s, &estimate);
    run->has_told_estimate = TRUE;
    if (estimate.written_bytes == DG_DOC_UNKNOWN)
        return;
    g_autofree gchar *written = dg_number_gib (estimate.written_bytes, dg_message_numbers ());
    dg_message (_ ("Writes up to %s."), written);
}

static gboolean
tick_cb (gpointer user_data)
{
    Run *run = user_data;
    DgProgress progress;

    if (dg_platform_stop_signal () != 0 && !run->is_stopping) {
        run->is_stopping = TRUE;
        dg_runner_stop (run->runner);
    }
    if (!dg_runner_is_running (run->runner))
        return G_SOURCE_CONTINUE;
    dg_runner_get_progress (run->runner, &progress);
    if (!run->is_stopping) {
        tell_plan (run, &progress);
        tell_slow_preparing (run, &progress);
        tell_late_estimate (run);
    }
    if (run->shows_progress) {
        g_autofree gchar *text = run->is_stopping && !progress.engine.is_finishing
            ? g_strdup (_ ("Stopping …"))
            : dg_progress_text (&progress, run->options);
        dg_message_progress (text);
    }
    return G_SOURCE_CONTINUE;
}

static void
end_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    Run *run = user_data;

    run->document = dg_runner_run_finish (DG_RUNNER (source), result, &run->error);
    g_main_loop_quit (run->loop);
}

/* ---- the end ---- */

/* A flush or a removal that the kernel has begun cannot be taken back. */
static void
tell_finishing (const Run *run, const DgDocView *view)
{
    DgProgress progress;

    dg_runner_get_progress (run->runner, &progress);
    if (progress.engine.is_finishing && view->state_code != DG_DOC_ABANDONED)
        dg_message (_ ("The drive is still busy with the test file. This process ends when it has finished; unplugging the drive ends that, too."));
}

typedef struct {
    const DgOutputs *outputs;
    const DgDocument *document;
} Writing;

static int
write_outputs (gpointer data)
{
    const Writing *writing = data;

    return dg_outputs_write (writing->outputs, writing->document);
}

static int
finish (Run *run, const DgOutputs *outputs)
{
    dg_message_progress (NULL);
    if (run->document == NULL) {
        int status = dg_message_error (g_steal_pointer (&run->error));
        return dg_platform_stop_signal () != 0 ? 1 : status;
    }
    const DgDocView *view = dg_document_view (run->document);
    Writing writing = { outputs, run->document };
    gboolean is_written = dg_patience_call (write_outputs, &writing);
    gint number = dg_platform_stop_signal ();
    gboolean all_done = dg_ending_tell (view, number, is_written);
    tell_finishing (run, view);
    if (dg_runner_get_save_problem (run->runner) != NULL)
        dg_message ("%s", dg_runner_get_save_problem (run->runner));
    return number != 0 ? 1 : !is_written ? 3 : all_done ? 0 : 1;
}

static int
measure (const DgArguments *arguments, const DgOptions *options, const DgTargetList *list,
         const DgOutputs *outputs)
{
    g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
    g_autoptr (DgRunner) runner = dg_runner_new ();
    Run run = {
        .runner = runner,
        .loop = loop,
        .options = options,
        .list = list,
        .use_library = !dg_arguments_has (arguments, "no-library"),
        .shows_progress = dg_platform_is_terminal (2),
    };

    g_autoptr (DgUdisks) udisks = dg_udisks_new ();
    dg_runner_set_udisks (runner, udisks);
    dg_runner_run_async (runner, options, list, 0, NULL, run.use_library, end_cb, &run);
    guint source = g_timeout_add (TICK_MS, tick_cb, &run);
    g_main_loop_run (loop);
    g_source_remove (source);

    int status = finish (&run, outputs);
    g_clear_pointer (&run.document, dg_document_unref);
    return status;
}

static gboolean
check_backend (DgBackendId id, GError **error)
{
    DgErrorDetail detail = { 0 };

    if (dg_backend_check (id, &detail) == DG_OK)
        return TRUE;
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_BACKEND,
                 /* Translators: a backend, such as io_uring */
                 _ ("--backend: “%s” cannot be used here: this build or this system lacks it. Take “auto”, which uses the best that works."),
                    dg_backend_id_name (id));
    return FALSE;
}

typedef struct {
    const DgArguments *arguments;
    const gchar *folder;
    DgOutputs *outputs; /* (owned) (nullable), as is list */
    DgTargetList *list;
    DgOptions options; /* valid if has_options */
    gboolean has_options;
    GError *error;
} Setup;

/* All that is asked before the start, of the files and folders named on the line, too. */
static int
set_up (gpointer data)
{
    Setup *setup = data;

    setup->outputs = dg_outputs_new (setup->arguments, &setup->error);
    setup->has_options =
        setup->outputs != NULL
        && dg_arguments_make_options (setup->arguments, &setup->options, &setup->error);
    if (!setup->has_options || !check_backend (setup->options.backend, &setup->error)
        || !dg_outputs_check (setup->outputs, &setup->error))
        return FALSE;
    setup->list = dg_command_find_target (setup->folder, &setup->error);
    return setup->list != NULL;
}

int
dg_command_run (const DgArguments *arguments)
{
    Setup setup = { .arguments = arguments,
                    .folder = dg_command_only_word (arguments, DG_COMMAND_RUN, "TARGET") };

    if (setup.folder == NULL)
        return 2;
    int status = dg_patience_call (set_up, &setup)
                     ? measure (arguments, &setup.options, setup.list, setup.outputs)
                     : dg_message_error (setup.error);
    dg_targets_free (setup.list);
    if (setup.has_options)
        dg_options_clear (&setup.options);
    dg_outputs_free (setup.outputs);
    return status;
}
