/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/session-private.h"

#include "app/core/library.h"

#include <glib/gi18n.h>

gboolean
dg_session_is_running (DgSession *self)
{
    return self->is_running;
}

const DgProgress *
dg_session_get_progress (DgSession *self)
{
    return &self->progress;
}

DgRunner *
dg_session_get_runner (DgSession *self)
{
    return self->runner;
}

const DgOptions *
dg_session_get_run_options (DgSession *self)
{
    return &self->used;
}

static gboolean
tick_cb (gpointer data)
{
    DgSession *self = data;
    dg_runner_get_progress (self->runner, &self->progress);
    dg__session_emit (self, DG_SESSION_TICK);
    return G_SOURCE_CONTINUE;
}

static void
runner_document_cb (DgRunner *runner, gpointer data)
{
    dg__session_emit (DG_SESSION (data), DG_SESSION_DOCUMENT);
}

/* Everything that decides whether figures may stand side by side in one document. */
static gboolean
is_unchanged (DgSession *self)
{
    const DgOptions *now = &self->options, *then = &self->used;
    gboolean same_directions = TRUE;
    for (guint i = 0; i < 3; i++)
        same_directions = same_directions && now->directions[i] == then->directions[i];
    return self->has_used && !dg_session_is_earlier (self) && same_directions
           && now->runs == then->runs && now->duration_ns == then->duration_ns
           && now->warmup_ns == then->warmup_ns && now->interval_ns == then->interval_ns
           && now->statistic_best == then->statistic_best && now->backend == then->backend
           && now->include_flush == then->include_flush && now->no_cow == then->no_cow
           && now->write_through == then->write_through && now->seed == then->seed
           && (!now->directions[DG_DIRECTION_MIX]
               || now->mix_read_percent == then->mix_read_percent);
}

static void
remember_used (DgSession *self)
{
    if (self->has_used)
        dg_options_clear (&self->used);
    dg_options_copy (&self->options, &self->used);
    self->has_used = TRUE;
    g_free (self->used_target);
    self->used_target = dg__session_dup_target_key (self);
    g_free (self->used_conditions);
    self->used_conditions = dg__session_dup_conditions (self);
}

static void
finish_document (DgSession *self, DgDocument *document)
{
    g_clear_pointer (&self->document, dg_document_unref);
    self->document = document;
    if (g_strcmp0 (dg_document_view (document)->comment, self->comment) == 0)
        return;
    dg_document_set_comment (document, self->comment);
    dg__session_save_comment (self, document);
}

/* Nothing was measured before the file turned out too large: that is no result. */
static void
give_up_document (DgSession *self, DgDocument *document)
{
    g_autoptr (GError) error = NULL;
    if (!dg_library_delete (dg_document_view (document)->id, &error))
        g_debug ("%s", error->message);
    dg_document_unref (document);
    g_clear_pointer (&self->document, dg_document_unref);
}

static void
run_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (DgSession) self = user_data;
    g_autoptr (GError) error = NULL;
    DgDocument *document = dg_runner_run_finish (DG_RUNNER (source), result, &error);
    g_clear_handle_id (&self->tick, g_source_remove);
    self->is_running = FALSE;
    g_signal_handlers_disconnect_by_data (source, self);
    g_clear_object (&self->runner);
    if (document && self->restart_bytes && !error)
        give_up_document (self, document);
    else if (document) {
        finish_document (self, document);
        self->last_search++;
        g_clear_pointer (&self->last, dg_document_unref);
        self->last = dg_document_ref (document);
    }
    dg__session_emit (self, DG_SESSION_RUNNING);
    dg__session_emit (self, DG_SESSION_DOCUMENT);
    const gchar *save_problem = dg_runner_get_save_problem (DG_RUNNER (source));
    if (error)
        dg__session_fail (self, _ ("Nothing could be measured"), error->message);
    else if (save_problem)
        dg__session_fail (self, _ ("The result could not be saved"), save_problem);
    dg_session_refresh_targets (self);
    if (self->restart_bytes && !error) {
        self->options.size_bytes = self->restart_bytes;
        self->restart_bytes = 0;
        dg_session_options_changed (self);
        dg_session_start (self, self->used.only_test);
    }
    self->restart_bytes = 0;
}

/* A size whose preparation takes about 20 s at the rate seen so far; a power of two from 64 MiB. */
void
dg_session_restart_smaller (DgSession *self)
{
    const DgSnapshot *engine = &self->progress.engine;
    guint64 mib = G_GUINT64_CONSTANT (1) << 20;
    gdouble spent_ns = (gdouble) engine->now_ns - (gdouble) engine->phase_started_ns;
    gdouble fits = spent_ns > 0 ? (gdouble) engine->prepared_bytes * 20e9 / spent_ns : 0;
    guint64 size = 64 * mib;
    if (!self->is_running || self->progress.engine.state != DG_STATE_PREPARING)
        return;
    while ((gdouble) size * 2 <= fits && size * 2 < self->options.size_bytes)
        size *= 2;
    self->restart_bytes = MIN (size, self->options.size_bytes);
    dg_runner_stop (self->runner);
}

void
dg_session_start (DgSession *self, gint test)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    g_autofree gchar *reason = NULL;
    g_autoptr (GError) error = NULL;
    if (self->is_running)
        return;
    if (!dg_session_can_start (self, &reason)) {
        dg__session_fail (self, _ ("This drive cannot be measured"), reason);
        return;
    }
    if (!dg_session_is_target_there (self)) {
        /* The list will say the same in a moment; the folder may already lie on another drive. */
        dg_session_refresh_targets (self);
        dg__session_fail (self,
                          _ ("This drive cannot be measured"),
                             _ ("It has just gone. Plug it in again, or choose another one."));
        return;
    }
    gint wanted_test = self->saved ? -1 : test;
    gboolean goes_on = wanted_test >= 0 && self->document && !self->saved && is_unchanged (self);
    dg_session_close_saved (self);

    DgOptions options;
    dg_options_copy (&self->options, &options);
    options.only_test = wanted_test;
    g_free (options.comment);
    options.comment = g_strdup (self->comment);
    if (!dg_options_check (&options, &error)) {
        dg_options_clear (&options);
        dg__session_fail (self, _ ("This plan cannot be measured"), error->message);
        return;
    }
    if (!goes_on)
        g_clear_pointer (&self->document, dg_document_unref);
    remember_used (self);
    self->used.only_test = wanted_test;
    self->runner = dg_runner_new ();
    dg_runner_set_udisks (self->runner, self->udisks);
    self->is_running = TRUE;
    self->leftovers_removed = 0;
    memset (&self->progress, 0, sizeof self->progress);
    g_signal_connect (self->runner, "document-changed", G_CALLBACK (runner_document_cb), self);
    dg_runner_run_async (self->runner, &options, set->list, index, goes_on ? self->document : NULL,
                         TRUE, run_cb, g_object_ref (self));
    dg_options_clear (&options);
    dg_runner_get_progress (self->runner, &self->progress);
    self->tick = g_timeout_add (100, tick_cb, self);
    dg__session_emit (self, DG_SESSION_RUNNING);
    dg__session_emit (self, DG_SESSION_DOCUMENT);
}

void
dg_session_stop (DgSession *self)
{
    self->restart_bytes = 0;
    if (self->is_running)
        dg_runner_stop (self->runner);
}
