/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chosen drive's last result, for the estimate: looked for off the main thread. */
#include "app/gui/session-private.h"

#include "app/core/library.h"

#define AFTER_MS 200

typedef struct {
    DgTargetSet *set;
    guint index;
    guint search;
} Search;

static void
search_free (gpointer data)
{
    Search *search = data;
    dg_target_set_unref (search->set);
    g_free (search);
}

static void
last_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Search *search = data;
    g_task_return_pointer (
        task, dg_library_last_of_drive (dg_target_set_drive (search->set, search->index)),
        (GDestroyNotify) dg_document_unref);
}

static void
last_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    DgSession *self = DG_SESSION (source);
    const Search *search = g_task_get_task_data (G_TASK (result));
    g_autoptr (GError) error = NULL;
    g_autoptr (DgDocument) last = g_task_propagate_pointer (G_TASK (result), &error);
    /* Another drive has been chosen since, or this one has a newer result. */
    if (error || search->search != self->last_search)
        return;
    g_clear_pointer (&self->last, dg_document_unref);
    self->last = g_steal_pointer (&last);
    dg__session_emit (self, DG_SESSION_ESTIMATE);
}

static gboolean
begin_cb (gpointer data)
{
    DgSession *self = data;
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    self->last_timeout = 0;
    if (!set || !dg_target_set_drive (set, index))
        return G_SOURCE_REMOVE;
    Search *search = g_new0 (Search, 1);
    search->set = dg_target_set_ref (set);
    search->index = index;
    search->search = self->last_search;
    g_autoptr (GTask) task = g_task_new (self, self->cancellable, last_cb, NULL);
    g_task_set_task_data (task, search, search_free);
    g_task_run_in_thread (task, last_thread);
    return G_SOURCE_REMOVE;
}

/* At the start the whole library may have to be read for it: the window is drawn first. */
void
dg__session_look_for_last (DgSession *self)
{
    self->last_search++;
    g_clear_pointer (&self->last, dg_document_unref);
    if (!self->last_timeout)
        self->last_timeout = g_timeout_add_full (G_PRIORITY_LOW, AFTER_MS, begin_cb, self, NULL);
}
