/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has to be known and taken before the engine begins. */
#include "app/core/runner-private.h"

#include "app/core/app-error.h"

#include <glib/gi18n.h>

/* Why a target of the list cannot be measured; DG_OK if it can. */
static int
error_of_use (const DgTarget *target)
{
    switch (target->use) {
    case DG_TARGET_USABLE:
        return target->folder == NULL ? DG_ERROR_NOT_PERMITTED : DG_OK;
    case DG_TARGET_READ_ONLY:
        return DG_ERROR_READ_ONLY;
    case DG_TARGET_NO_PERMISSION:
        return DG_ERROR_NOT_PERMITTED;
    case DG_TARGET_NO_ANSWER:
        return DG_ERROR_TIMED_OUT;
    case DG_TARGET_NOT_A_DISK:
        return DG_ERROR_NOT_A_DISK;
    case DG_TARGET_FULL:
        return DG_ERROR_NO_SPACE;
    case DG_TARGET_NOT_MOUNTED:
        break;
    }
    return DG_ERROR_NOT_FOUND;
}

static const DgDrive *
drive_of (const DgTargetList *list, const DgTarget *target)
{
    return target->n_drives > 0 && target->drives[0] < list->n_drives
               ? &list->drives[target->drives[0]]
               : NULL;
}

static void
remember_target (DgRunner *self, const DgTargetList *list, const DgTarget *target)
{
    const DgDrive *drive = drive_of (list, target);
    self->subject = g_strdup (target->folder);
    self->drive = drive == NULL ? NULL : g_strdup (drive->name);
    self->lock = dg_drive_lock_take (drive != NULL && drive->name != NULL ? drive->name
                                     : target->mount != NULL              ? target->mount
                                                                          : target->folder);
    self->lock_was_shared = dg_drive_lock_was_shared (self->lock);
    const DgLink *link = dg_options_link_of (list, (guint) (target - list->targets));
    self->ceiling_bytes_per_s = link != NULL ? link->ceiling_bytes_per_s : 0;
    self->low_bytes_per_s = link != NULL ? link->practical_low_bytes_per_s : 0;
    self->after_coding_bytes_per_s = link != NULL ? link->after_coding_bytes_per_s : 0;
}

gboolean
dg_runner_start (DgRunner *self, const DgOptions *options, const DgTargetList *list,
                 const DgTarget *target, DgDocument *previous, GError **error)
{
    DgErrorDetail detail = { 0 };
    const gchar *subject = target->folder != NULL  ? target->folder
                           : target->mount != NULL ? target->mount
                                                   : target->source;
    int code = error_of_use (target);
    if (code != DG_OK) {
        dg_app_error_set (error, code, NULL, subject);
        return FALSE;
    }
    if (dg_options_n_steps (options) == 0) {
        g_set_error (
            error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
            _ ("There is nothing to measure: choose at least one of read, write and mix."));
        return FALSE;
    }
    dg_options_copy (options, &self->options);
    self->plan = dg_options_make_plan (&self->options, target->folder);
    remember_target (self, list, target);
    self->builder = dg_builder_new (&self->options, self->plan, list,
                                    (guint) (target - list->targets), previous);
    self->started_us = g_get_monotonic_time ();
    code = dg_plan_run_start (self->plan, &self->run, &detail);
    if (code != DG_OK) {
        dg_app_error_set (error, code, &detail, target->folder);
        dg_runner_forget (self);
        return FALSE;
    }
    DgSnapshot snapshot;
    dg_plan_run_snapshot (self->run, &snapshot);
    dg_runner_sample_temperature (self, &snapshot, TRUE);
    if (drive_of (list, target) != NULL)
        dg_runner_find_last (self, drive_of (list, target));
    return TRUE;
}
