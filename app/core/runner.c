/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/runner-private.h"

#include "app/core/app-error.h"
#include "app/core/library.h"

#include <glib/gi18n.h>
#include <math.h>

#define TICK_MS             100
#define STOP_TICK_MS        10     /* after a stop */
#define LAST_TEMPERATURE_US 300000 /* a stop is to be on disk within 2 s */
#define LOCK_EACH_NS        G_GUINT64_CONSTANT (1000000000)
#define MAX_LIVE_SAMPLES    4096

G_DEFINE_TYPE (DgRunner, dg_runner, G_TYPE_OBJECT)

enum {
    DOCUMENT_CHANGED,
    N_SIGNALS
};
static guint signals[N_SIGNALS];

void
dg_runner_forget (DgRunner *self)
{
    g_clear_handle_id (&self->tick_id, g_source_remove);
    if (self->run != NULL) {
        DgSnapshot snapshot;
        dg_plan_run_snapshot (self->run, &snapshot);
        self->is_left_finishing = snapshot.is_finishing;
    }
    g_clear_pointer (&self->run, dg_plan_run_free);
    g_clear_pointer (&self->builder, dg_builder_free);
    g_clear_pointer (&self->lock, dg_drive_lock_release);
    if (self->plan != NULL)
        dg_options_clear (&self->options);
    g_clear_pointer (&self->plan, dg_options_plan_free);
    g_cancellable_cancel (self->asking);
    g_clear_object (&self->asking);
    g_clear_pointer (&self->drive, g_free);
    g_clear_pointer (&self->asked_drive, g_free);
    g_clear_pointer (&self->subject, g_free);
    g_clear_pointer (&self->last, dg_document_unref);
    self->is_reading_temperature = FALSE;
}

static void
dg_runner_finalize (GObject *object)
{
    DgRunner *self = DG_RUNNER (object);
    dg_runner_forget (self);
    g_clear_pointer (&self->document, dg_document_unref);
    g_clear_pointer (&self->save_problem, g_free);
    g_clear_object (&self->udisks);
    G_OBJECT_CLASS (dg_runner_parent_class)->finalize (object);
}

static void
dg_runner_class_init (DgRunnerClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = dg_runner_finalize;
    signals[DOCUMENT_CHANGED] =
        g_signal_new ("document-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
dg_runner_init (DgRunner *self)
{
    self->celsius = NAN;
}

DgRunner *
dg_runner_new (void)
{
    return g_object_new (DG_TYPE_RUNNER, NULL);
}

void
dg_runner_set_udisks (DgRunner *self, DgUdisks *udisks)
{
    if (self->udisks != NULL)
        g_signal_handlers_disconnect_by_data (self->udisks, self);
    g_set_object (&self->udisks, udisks);
    if (udisks != NULL)
        g_signal_connect_object (udisks, "changed", G_CALLBACK (dg_runner_udisks_changed), self,
                                 G_CONNECT_SWAPPED);
}

/* ---- documents ---- */

static void
renew_document (DgRunner *self)
{
    dg_builder_set_also_running (self->builder, self->lock_was_shared);
    g_clear_pointer (&self->document, dg_document_unref);
    self->document = dg_builder_make (self->builder);
    g_signal_emit (self, signals[DOCUMENT_CHANGED], 0);
}

/* What has ended since the last look. TRUE if there was anything. */
static gboolean
take_results (DgRunner *self, guint steps_done)
{
    gboolean is_new = FALSE;
    const DgFileResult *file = self->has_file ? NULL : dg_plan_run_file (self->run, 0);
    if (file != NULL) {
        self->has_file = TRUE;
        if (file->prepare_ns > 0)
            self->prepare_bytes_per_s =
                (gdouble) file->prepare_bytes * 1e9 / (gdouble) file->prepare_ns;
        dg_builder_set_file (self->builder, file);
        is_new = TRUE;
    }
    for (; self->steps_taken < steps_done; self->steps_taken++) {
        const DgStepResult *step = dg_plan_run_step (self->run, self->steps_taken);
        if (step == NULL)
            break;
        dg_builder_add_step (self->builder, self->steps_taken, step);
        self->runs_seen += step->n_runs;
        is_new = TRUE;
    }
    return is_new;
}

static gboolean
was_anything_measured (DgRunner *self)
{
    for (guint i = 0; i < self->plan->n_steps; i++) {
        const DgStepResult *step = dg_plan_run_step (self->run, i);
        if (step != NULL && step->state != DG_STEP_NOT_RUN)
            return TRUE;
    }
    return FALSE;
}

/* ---- the end ---- */

/* The figures are not lost for a full home: they are handed over all the same. */
static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GTask) task = data;
    DgRunner *self = g_task_get_source_object (task);
    g_autoptr (GError) error = NULL;
    if (!dg_library_save_finish (result, &error))
        self->save_problem = g_strdup (error->message);
    g_clear_object (&self->task);
    g_task_return_pointer (task, dg_document_ref (self->document),
                           (GDestroyNotify) dg_document_unref);
}

static void
end_run (DgRunner *self, const DgPlanResult *result)
{
    g_autoptr (GTask) task = g_steal_pointer (&self->task);
    g_autoptr (GError) error = NULL;
    if (result->state == DG_STATE_FAILED && !was_anything_measured (self)) {
        dg_app_error_set (&error, result->error == DG_OK ? DG_ERROR_GONE : result->error,
                          &result->detail, self->subject);
        g_clear_pointer (&self->document, dg_document_unref);
        dg_runner_forget (self);
        g_task_return_error (task, g_steal_pointer (&error));
        return;
    }
    self->lock_was_shared = dg_drive_lock_was_shared (self->lock);
    take_results (self, self->plan->n_steps);
    dg_builder_finish (self->builder, result);
    renew_document (self);
    dg_runner_forget (self);
    if (!self->use_library) {
        g_task_return_pointer (task, dg_document_ref (self->document),
                               (GDestroyNotify) dg_document_unref);
        return;
    }
    dg_library_save_async (self->document, saved_cb, g_object_ref (task));
    self->task = g_steal_pointer (&task);
}

static gboolean
tick_cb (gpointer data)
{
    DgRunner *self = DG_RUNNER (data);
    DgSnapshot snapshot;
    dg_plan_run_snapshot (self->run, &snapshot);
    const DgPlanResult *result = dg_plan_run_result (self->run);
    if (result == NULL) {
        dg_runner_sample_temperature (self, &snapshot, FALSE);
        if (!self->lock_was_shared
            && snapshot.now_ns / LOCK_EACH_NS
                   != (snapshot.now_ns + TICK_MS * 1000000u) / LOCK_EACH_NS)
            self->lock_was_shared = dg_drive_lock_was_shared (self->lock);
        if (take_results (self, snapshot.steps_done))
            renew_document (self);
        return G_SOURCE_CONTINUE;
    }
    gint64 now = g_get_monotonic_time ();
    if (self->final_us == 0) {
        self->final_us = now;
        if (result->state != DG_STATE_ABANDONED) {
            dg_runner_sample_temperature (self, &snapshot, TRUE);
            dg_runner_ask_temperature (self);
        }
    }
    /* A drive that no longer answers may keep its sensor's reader, too. */
    if (self->is_reading_temperature && result->state != DG_STATE_ABANDONED
        && now - self->final_us < LAST_TEMPERATURE_US)
        return G_SOURCE_CONTINUE;
    self->tick_id = 0;
    end_run (self, result);
    return G_SOURCE_REMOVE;
}

/* ---- start ---- */

void
dg_runner_run_async (DgRunner *self, const DgOptions *options, const DgTargetList *list,
                     guint target, DgDocument *previous, gboolean use_library,
                     GAsyncReadyCallback callback, gpointer user_data)
{
    g_return_if_fail (DG_IS_RUNNER (self) && target < list->n_targets);
    g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
    g_autoptr (GError) error = NULL;
    g_task_set_source_tag (task, dg_runner_run_async);
    if (self->task != NULL) {
        g_task_return_new_error (
            task, DG_APP_ERROR, DG_APP_ERROR_ENGINE,
            _ ("A measurement is going on already. Stop it or wait for its end."));
        return;
    }
    /* `previous` may be the document that is let go here. */
    g_autoptr (DgDocument) kept = previous == NULL ? NULL : dg_document_ref (previous);
    g_clear_pointer (&self->document, dg_document_unref);
    g_clear_pointer (&self->save_problem, g_free);
    self->use_library = use_library;
    self->steps_taken = self->runs_seen = 0;
    self->has_file = FALSE;
    self->prepare_bytes_per_s = self->fraction = 0.0;
    self->temperature_us = self->final_us = 0;
    self->celsius = NAN;
    if (!dg_runner_start (self, options, list, &list->targets[target], kept, &error)) {
        g_task_return_error (task, g_steal_pointer (&error));
        return;
    }
    self->task = g_steal_pointer (&task);
    self->tick_id = g_timeout_add (TICK_MS, tick_cb, self);
}

DgDocument *
dg_runner_run_finish (DgRunner *self, GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}

const gchar *
dg_runner_get_save_problem (DgRunner *self)
{
    return self->save_problem;
}

void
dg_runner_stop (DgRunner *self)
{
    if (self->run == NULL)
        return;
    dg_plan_run_stop (self->run);
    g_clear_handle_id (&self->tick_id, g_source_remove);
    self->tick_id = g_timeout_add (STOP_TICK_MS, tick_cb, self);
}

gboolean
dg_runner_is_running (DgRunner *self)
{
    return self->task != NULL;
}

DgDocument *
dg_runner_get_document (DgRunner *self)
{
    return self->document;
}

void
dg_runner_get_progress (DgRunner *self, DgProgress *ret_progress)
{
    *ret_progress = (DgProgress){ .fraction = self->fraction,
                                  .left_ns = DG_DOC_UNKNOWN,
                                  .written_expected_bytes = DG_DOC_UNKNOWN,
                                  .prepare_left_ns = DG_DOC_UNKNOWN,
                                  .celsius = self->celsius };
    if (self->run == NULL) {
        ret_progress->engine.is_finishing = self->is_left_finishing;
        return;
    }
    dg_plan_run_snapshot (self->run, &ret_progress->engine);
    ret_progress->offset_ns = dg_builder_offset_ns (self->builder);
    ret_progress->n_steps = self->plan->n_steps;
    ret_progress->step = MIN (ret_progress->engine.step, self->plan->n_steps - 1);
    dg_options_step (&self->options, ret_progress->step, &ret_progress->test,
                     &ret_progress->direction);
    dg_runner_estimate_progress (self, &ret_progress->engine, ret_progress);
}

GArray *
dg_runner_get_live_samples (DgRunner *self, gboolean *ret_is_warmup)
{
    GArray *samples = g_array_new (FALSE, FALSE, sizeof (guint64));
    bool is_warmup = false;
    if (self->run != NULL) {
        g_array_set_size (samples, MAX_LIVE_SAMPLES);
        guint n = dg_plan_run_live_samples (self->run, (uint64_t *) samples->data, MAX_LIVE_SAMPLES,
                                            &is_warmup);
        g_array_set_size (samples, n);
    }
    *ret_is_warmup = is_warmup;
    return samples;
}
