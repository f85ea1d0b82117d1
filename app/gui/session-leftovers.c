/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test files of killed runs, once after the start (DESIGN section 5). */
#include "app/gui/session-private.h"

/* In a thread: a file system may take long to answer, or not answer at all. */
static void
remove_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const gchar *const *folders = data;
    guint64 n = 0;
    for (guint i = 0; folders[i] && !g_cancellable_is_cancelled (cancellable); i++)
        n += dg_test_files_remove_leftovers (folders[i]);
    g_task_return_int (task, (gssize) n);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    DgSession *self = DG_SESSION (source);
    gssize n = g_task_propagate_int (G_TASK (result), NULL);
    if (n <= 0)
        return;
    self->leftovers_removed += (guint64) n;
    dg__session_emit (self, DG_SESSION_DOCUMENT);
}

void
dg__session_remove_leftovers (DgSession *self)
{
    const DgTargetList *list = self->targets->list;
    g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < list->n_targets; i++)
        if (list->targets[i].use == DG_TARGET_USABLE && list->targets[i].folder)
            g_ptr_array_add (folders, g_strdup (list->targets[i].folder));
    if (self->wanted.folder)
        g_ptr_array_add (folders, g_strdup (self->wanted.folder));
    g_ptr_array_add (folders, NULL);
    g_autoptr (GTask) task = g_task_new (self, self->cancellable, removed_cb, NULL);
    g_task_set_task_data (task, g_ptr_array_free (g_steal_pointer (&folders), FALSE),
                          (GDestroyNotify) g_strfreev);
    g_task_run_in_thread (task, remove_thread);
}

guint64
dg_session_get_leftovers_removed (DgSession *self)
{
    return self->leftovers_removed;
}
