/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/runner-private.h"

#include "app/core/library.h"

static void
drive_free (gpointer data)
{
    DgDrive *drive = data;
    g_free (drive->model);
    g_free (drive->serial);
    g_free (drive);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    g_task_return_pointer (task, dg_library_last_of_drive (data),
                           (GDestroyNotify) dg_document_unref);
}

/* `data`: the run that it was looked for; another one may have followed. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    DgRunner *self = DG_RUNNER (source);
    g_autoptr (DgDocument) document = g_task_propagate_pointer (G_TASK (result), NULL);
    if (self->builder != NULL && (gpointer) self->builder == data)
        self->last = g_steal_pointer (&document);
}

void
dg_runner_find_last (DgRunner *self, const DgDrive *drive)
{
    DgDrive *copy = g_new0 (DgDrive, 1);
    copy->model = g_strdup (drive->model);
    copy->serial = g_strdup (drive->serial);
    g_autoptr (GTask) task = g_task_new (self, NULL, found_cb, self->builder);
    g_task_set_task_data (task, copy, drive_free);
    g_task_run_in_thread (task, find_in_thread);
}
