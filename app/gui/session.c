/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/session-private.h"

#include "app/core/library.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (DgSession, dg_session, G_TYPE_OBJECT)

#define MOST_ROWS 64

guint dg__session_signals[DG_SESSION_N_SIGNALS];

void
dg__session_emit (DgSession *self, guint signal)
{
    g_signal_emit (self, dg__session_signals[signal], 0);
}

void
dg__session_fail (DgSession *self, const gchar *title, const gchar *sentence)
{
    g_signal_emit (self, dg__session_signals[DG_SESSION_FAILED], 0, title, sentence);
}

static void
clear_saved (DgSession *self)
{
    g_clear_pointer (&self->saved, dg_document_unref);
    g_clear_pointer (&self->saved_profile, dg_profile_free);
}

gboolean
dg__session_is_of_target (DgSession *self)
{
    g_autofree gchar *key = dg__session_dup_target_key (self);
    return self->document && self->has_used && g_strcmp0 (key, self->used_target) == 0;
}

static gboolean
may_be_saved (DgSession *self, DgDocument *document)
{
    return document && !self->is_running
           && !g_hash_table_contains (self->deleted, dg_document_view (document)->id);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (DgSession) self = user_data;
    g_autoptr (GError) error = NULL;
    self->n_saving--;
    if (!dg_library_save_finish (result, &error))
        dg__session_fail (self, _ ("The comment could not be saved"), error->message);
}

void
dg__session_save_comment (DgSession *self, DgDocument *document)
{
    self->n_saving++;
    dg_library_save_async (document, saved_cb, g_object_ref (self));
}

/* A comment typed for a finished document goes into it and to the disk a moment after the last key:
 * a disk that has just been measured may take its time. */
static gboolean
save_comment_cb (gpointer data)
{
    DgSession *self = data;
    DgDocument *document = self->saved ? self->saved : self->document;
    self->comment_timeout = 0;
    if (may_be_saved (self, document))
        dg__session_save_comment (self, document);
    return G_SOURCE_REMOVE;
}

void
dg__session_flush_comment (DgSession *self)
{
    DgDocument *document = self->saved ? self->saved : self->document;
    g_autoptr (GError) error = NULL;
    /* One that is being saved is waited for: the program may end after this. */
    if (!self->comment_timeout && self->n_saving == 0)
        return;
    g_clear_handle_id (&self->comment_timeout, g_source_remove);
    if (may_be_saved (self, document) && !dg_library_save (document, &error))
        dg__session_fail (self, _ ("The comment could not be saved"), error->message);
}

static void
dg_session_dispose (GObject *object)
{
    DgSession *self = DG_SESSION (object);
    dg__session_flush_comment (self);
    g_cancellable_cancel (self->cancellable);
    dg__session_unwatch_targets (self);
    g_clear_handle_id (&self->tick, g_source_remove);
    g_clear_object (&self->runner);
    clear_saved (self);
    g_clear_pointer (&self->document, dg_document_unref);
    g_clear_pointer (&self->last, dg_document_unref);
    g_clear_pointer (&self->targets, dg_target_set_unref);
    g_clear_pointer (&self->own, dg_target_set_unref);
    G_OBJECT_CLASS (dg_session_parent_class)->dispose (object);
}

static void
dg_session_finalize (GObject *object)
{
    DgSession *self = DG_SESSION (object);
    g_clear_object (&self->cancellable);
    dg_options_clear (&self->options);
    if (self->has_used)
        dg_options_clear (&self->used);
    g_free (self->used_target);
    g_free (self->used_conditions);
    g_hash_table_unref (self->deleted);
    dg_wanted_target_clear (&self->wanted);
    g_free (self->comment);
    g_free (self->comment_target);
    G_OBJECT_CLASS (dg_session_parent_class)->finalize (object);
}

static void
dg_session_class_init (DgSessionClass *klass)
{
    static const gchar *const names[] = {
        "options-changed",  "targets-changed", "document-changed", "running-changed", "tick",
        "estimate-changed", "failed"
    };
    G_OBJECT_CLASS (klass)->dispose = dg_session_dispose;
    G_OBJECT_CLASS (klass)->finalize = dg_session_finalize;
    for (guint i = 0; i < DG_SESSION_FAILED; i++)
        dg__session_signals[i] = g_signal_new (names[i], DG_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0,
                                               NULL, NULL, NULL, G_TYPE_NONE, 0);
    dg__session_signals[DG_SESSION_FAILED] =
        g_signal_new (names[DG_SESSION_FAILED], DG_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
dg_session_init (DgSession *self)
{
    self->cancellable = g_cancellable_new ();
    self->deleted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->target = -1;
    dg_settings_load_options (&self->options);
    /* A comment belongs to one measurement, not to the next start of the program. */
    g_clear_pointer (&self->options.comment, g_free);
    self->options.only_test = -1;
}

DgSession *
dg_session_new (void)
{
    DgSession *self = g_object_new (DG_TYPE_SESSION, NULL);
    dg__session_watch_targets (self);
    dg_session_refresh_targets (self);
    return self;
}

DgOptions *
dg_session_get_options (DgSession *self)
{
    return &self->options;
}

void
dg_session_options_changed (DgSession *self)
{
    dg_settings_store_options (&self->options);
    dg_settings_changed ();
    dg__session_emit (self, DG_SESSION_OPTIONS);
}

DgUnit
dg_session_get_unit (DgSession *self)
{
    return dg_settings_get ()->unit;
}

void
dg_session_set_unit (DgSession *self, DgUnit unit)
{
    dg_settings_get ()->unit = unit;
    dg_settings_changed ();
    dg__session_emit (self, DG_SESSION_OPTIONS);
}

void
dg_session_get_estimate (DgSession *self, DgEstimate *ret_estimate)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    gdouble rate = 0;
    if (self->document && dg_document_view (self->document)->n_targets > 0
        && !dg_session_is_earlier (self)) {
        gdouble known = dg_document_view (self->document)->targets[0].file_prepare_bytes_per_s;
        rate = known > 0 ? known : 0;
    }
    dg_options_estimate (&self->options, (struct _DgDocument *) self->last,
                         set ? dg_options_link_of (set->list, index) : NULL, rate, ret_estimate);
}

DgDocument *
dg_session_get_document (DgSession *self)
{
    if (self->saved)
        return self->saved;
    if (self->is_running) {
        DgDocument *so_far = dg_runner_get_document (self->runner);
        return so_far ? so_far : self->document;
    }
    return self->document;
}

gboolean
dg_session_is_saved (DgSession *self)
{
    return self->saved != NULL;
}

static gboolean
same_tests (const DgProfile *a, const DgProfile *b)
{
    if (a->n_tests != b->n_tests || a->n_rows != b->n_rows)
        return FALSE;
    for (guint i = 0; i < a->n_tests; i++)
        if (!dg_test_spec_equal (&a->tests[i], &b->tests[i]))
            return FALSE;
    return TRUE;
}

gboolean
dg_session_is_earlier (DgSession *self)
{
    if (self->saved || self->is_running || !self->document || !self->has_used)
        return FALSE;
    const DgOptions *now = &self->options, *then = &self->used;
    g_autofree gchar *conditions = dg__session_dup_conditions (self);
    return g_strcmp0 (conditions, self->used_conditions) != 0 || now->size_bytes != then->size_bytes
           || now->data != then->data || !same_tests (now->profile, then->profile);
}

gboolean
dg_session_can_comment (DgSession *self)
{
    return !self->saved || self->saved_is_in_library;
}

void
dg_session_result_deleted (DgSession *self, const gchar *id)
{
    g_hash_table_add (self->deleted, g_strdup (id));
    if (self->saved && g_strcmp0 (dg_document_view (self->saved)->id, id) == 0)
        self->saved_is_in_library = FALSE;
    dg__session_emit (self, DG_SESSION_DOCUMENT);
}

/* The rows of a document: its own profile's when that is known and fits, else one for each
 * different test, as far as a page can hold them. */
static DgProfile *
profile_of_document (const DgDocView *view)
{
    g_autoptr (GArray) specs = g_array_new (FALSE, FALSE, sizeof (DgTestSpec));
    for (guint i = 0; i < view->n_tests && specs->len < MOST_ROWS; i++) {
        const DgDocTest *test = &view->tests[i];
        if (g_strcmp0 (test->kind, "speed") != 0)
            continue; /* of a later version: the page names it */
        DgTestSpec spec = { test->access, test->block_size_bytes, (guint) test->queue_depth,
                            (guint) test->threads };
        gboolean is_known = FALSE;
        for (guint k = 0; k < specs->len && !is_known; k++)
            is_known = dg_test_spec_equal (&spec, &g_array_index (specs, DgTestSpec, k));
        if (!is_known)
            g_array_append_val (specs, spec);
    }
    g_autoptr (DgProfile) known = view->profile_id ? dg_profile_find (view->profile_id) : NULL;
    gboolean fits = known && known->version == view->profile_version;
    for (guint i = 0; fits && i < specs->len; i++) {
        gboolean is_in = FALSE;
        for (guint k = 0; k < known->n_tests && !is_in; k++)
            is_in = dg_test_spec_equal (&known->tests[k], &g_array_index (specs, DgTestSpec, i));
        fits = is_in;
    }
    if (fits)
        return g_steal_pointer (&known);
    return dg_profile_new_custom ("custom", _ ("As saved"), (const DgTestSpec *) specs->data,
                                               specs->len);
}

void
dg_session_show_saved (DgSession *self, DgDocument *document, gboolean is_in_library)
{
    if (self->is_running)
        return;
    dg__session_flush_comment (self);
    dg_document_ref (document);
    clear_saved (self);
    self->saved = document;
    self->saved_is_in_library = is_in_library;
    const DgDocView *view = dg_document_view (document);
    self->saved_profile = profile_of_document (view);
    memset (self->saved_columns, 0, sizeof self->saved_columns);
    for (guint i = 0; i < view->n_tests; i++)
        if (g_strcmp0 (view->tests[i].kind, "speed") == 0)
            self->saved_columns[view->tests[i].direction] = TRUE;
    /* Stopped before the first test: what was to be measured. */
    if (view->n_tests == 0)
        memcpy (self->saved_columns, view->has_direction, sizeof self->saved_columns);
    dg__session_emit (self, DG_SESSION_DOCUMENT);
}

void
dg_session_close_saved (DgSession *self)
{
    if (!self->saved)
        return;
    dg__session_flush_comment (self);
    clear_saved (self);
    dg__session_emit (self, DG_SESSION_DOCUMENT);
}

const DgProfile *
dg_session_get_profile (DgSession *self)
{
    return self->saved ? self->saved_profile : self->options.profile;
}

void
dg_session_get_columns (DgSession *self, gboolean ret_columns[3])
{
    const gboolean *from = self->saved ? self->saved_columns : self->options.directions;
    for (guint i = 0; i < 3; i++)
        ret_columns[i] = from[i];
}

const gchar *
dg_session_get_comment (DgSession *self)
{
    if (self->saved)
        return dg_document_view (self->saved)->comment;
    return self->comment;
}

void
dg_session_set_comment (DgSession *self, const gchar *comment)
{
    if (!dg_session_can_comment (self) || g_strcmp0 (comment, dg_session_get_comment (self)) == 0)
        return;
    if (!self->saved) {
        g_free (self->comment);
        self->comment = comment && *comment ? g_strdup (comment) : NULL;
    }
    DgDocument *document = self->saved ? self->saved : self->document;
    if (!document || self->is_running || (!self->saved && !dg__session_is_of_target (self)))
        return; /* goes into the document at the end of the run */
    dg_document_set_comment (document, comment);
    g_clear_handle_id (&self->comment_timeout, g_source_remove);
    self->comment_timeout = g_timeout_add (600, save_comment_cb, self);
}
