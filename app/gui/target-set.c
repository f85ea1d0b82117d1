/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/target-set.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "app/core/sandbox.h"

#include <glib/gi18n.h>

static void
target_set_clear (gpointer data)
{
    DgTargetSet *set = data;
    dg_targets_free (set->list);
}

DgTargetSet *
dg_target_set_new (DgTargetList *list)
{
    DgTargetSet *set = g_atomic_rc_box_new0 (DgTargetSet);
    set->list = list;
    return set;
}

DgTargetSet *
dg_target_set_ref (DgTargetSet *set)
{
    return g_atomic_rc_box_acquire (set);
}

void
dg_target_set_unref (DgTargetSet *set)
{
    g_atomic_rc_box_release_full (set, target_set_clear);
}

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    DgTargetList *list = NULL;
    int code = dg_targets_list (NULL, &list);
    if (code < 0 || !list) {
        GError *error = NULL;
        dg_app_error_set (&error, code, NULL, NULL);
        g_task_return_error (task, error);
        return;
    }
    g_task_return_pointer (task, dg_target_set_new (list), (GDestroyNotify) dg_target_set_unref);
}

void
dg_target_set_list_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
    g_task_set_source_tag (task, dg_target_set_list_async);
    g_task_run_in_thread (task, list_thread);
}

DgTargetSet *
dg_target_set_list_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}

static void
find_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const gchar *path = data;
    DgTargetList *list = NULL;
    GError *error = NULL;
    if (!dg_sandbox_find_target (path, &list, &error)) {
        g_task_return_error (task, error);
        return;
    }
    g_task_return_pointer (task, dg_target_set_new (list), (GDestroyNotify) dg_target_set_unref);
}

void
dg_target_set_find_async (const gchar *path, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
    g_task_set_source_tag (task, dg_target_set_find_async);
    g_task_set_task_data (task, g_strdup (path), g_free);
    g_task_run_in_thread (task, find_thread);
}

DgTargetSet *
dg_target_set_find_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}

const DgDrive *
dg_target_set_drive (const DgTargetSet *set, guint index)
{
    const DgTarget *target = &set->list->targets[index];
    if (target->n_drives < 1 || target->drives[0] >= set->list->n_drives)
        return NULL;
    return &set->list->drives[target->drives[0]];
}

gchar *
dg_target_set_dup_title (const DgTargetSet *set, guint index)
{
    const DgTarget *target = &set->list->targets[index];
    const DgDrive *drive = dg_target_set_drive (set, index);
    if (target->n_drives == 1 && drive && drive->model && *drive->model)
        return dg_text_sanitize (drive->model);
    if (target->label && *target->label)
        return dg_text_sanitize (target->label);
    if (drive && drive->name)
        return dg_text_sanitize (drive->name);
    if (target->source && target->fs_kind == DG_FS_NETWORK)
        return dg_text_sanitize (target->source);
    return dg_text_sanitize (target->mount ? target->mount : _ ("Unknown drive"));
}

gchar *
dg_target_set_dup_details (const DgTargetSet *set, guint index)
{
    const DgTarget *target = &set->list->targets[index];
    const DgDrive *drive = dg_target_set_drive (set, index);
    guint64 size = drive && drive->size_bytes ? drive->size_bytes : target->size_bytes;
    g_autofree gchar *size_text = size ? dg_number_size (size, DG_FOR_WINDOW) : NULL;
    g_autofree gchar *filesystem = dg_text_sanitize (target->filesystem);
    if (size_text && filesystem)
        return g_strdup_printf ("%s · %s", size_text, filesystem);
    if (size_text)
        return g_steal_pointer (&size_text);
    return filesystem ? g_steal_pointer (&filesystem) : g_strdup ("");
}

/* In a sandbox only: what it does not let through. */
static gchar *
dup_sandbox_reason (const DgTarget *target)
{
    g_autoptr (DgSandbox) sandbox = dg_sandbox_new (DG_SANDBOX_INFO_FILE);
    if (!sandbox)
        return NULL;
    if (target->use == DG_TARGET_NOT_A_DISK && target->is_sandbox_ram && target->mount)
        return dg_sandbox_dup_reason (sandbox, target->is_home ? sandbox->home : target->mount,
                                      DG_ERROR_NOT_A_DISK, target, NULL);
    if (target->use == DG_TARGET_NOT_MOUNTED && dg_sandbox_missing (sandbox)) {
        g_autofree gchar *missing = dg_text_sanitize (dg_sandbox_missing (sandbox));
        return g_strdup_printf (
            /* Translators: %s is a folder such as /run/media. */
            _ ("Not mounted, or in %s, which did not exist when Drive Gauge was started: open the drive in the file manager, then start Drive Gauge again"),
               missing);
    }
    if (target->use == DG_TARGET_NOT_MOUNTED)
        return g_strdup (
            _ ("Not mounted, or hidden from Drive Gauge by its sandbox: choose a folder on it"));
    return NULL;
}

gchar *
dg_target_set_dup_reason (const DgTargetSet *set, guint index)
{
    gchar *reason = set->list->in_sandbox ? dup_sandbox_reason (&set->list->targets[index]) : NULL;
    if (reason)
        return reason;
    switch (set->list->targets[index].use) {
    case DG_TARGET_USABLE:
        return NULL;
    case DG_TARGET_NOT_MOUNTED:
        return g_strdup (_ ("Not mounted: open it in the file manager first"));
    case DG_TARGET_READ_ONLY:
        return g_strdup (_ ("Read-only: the test needs a file of its own on it"));
    case DG_TARGET_NO_PERMISSION:
        return g_strdup (_ ("You may not write here: choose a folder of yours"));
    case DG_TARGET_NO_ANSWER:
        return g_strdup (_ ("Does not answer"));
    case DG_TARGET_NOT_A_DISK:
        return g_strdup (_ ("Not a disk"));
    case DG_TARGET_FULL:
        return g_strdup (_ ("Full: free some space first"));
    }
    return NULL;
}

static const gchar *const node_kinds[] = { "drive", "bridge", "hub", "port", "controller" };
static const gchar *const link_kinds[] = { NULL, "usb", "sata",   "pcie",
                                           "sd", "mmc", "virtio", "virtual" };

static guint64
known (guint64 value)
{
    return value ? value : DG_DOC_UNKNOWN;
}

static void
link_view_init (DgDocLink *view, const DgLink *link)
{
    view->kind = (gchar *) link_kinds[link->kind];
    view->name = link->name;
    view->short_name = link->short_name;
    view->protocol = link->protocol;
    view->speed_bits_per_s = known (link->speed_bits_per_s);
    view->after_coding_bytes_per_s = known (link->after_coding_bytes_per_s);
    view->practical_low_bytes_per_s = known (link->practical_low_bytes_per_s);
    view->ceiling_bytes_per_s = known (link->ceiling_bytes_per_s);
    view->best_name = link->best_name;
    view->best_bits_per_s = known (link->best_bits_per_s);
    view->uas_offered = link->kind == DG_LINK_USB ? link->is_uas_offered : -1;
    view->n_path = link->n_path;
    view->path = g_new0 (DgDocNode, link->n_path);
    for (guint i = 0; i < link->n_path; i++) {
        const DgLinkNode *node = &link->path[i];
        view->path[i] = (DgDocNode){
            .kind = (gchar *) node_kinds[node->kind],
            .name = node->name,
            .up_bits_per_s = known (node->up_bits_per_s),
            .up_name = node->up_name,
            .up_max_bits_per_s = known (node->up_max_bits_per_s),
            .up_max_name = node->up_max_name,
            .other_drives = node->other_drives,
            .is_narrowest = node->is_narrowest,
        };
    }
}

void
dg_target_view_init (DgDocTarget *view, const DgTargetSet *set, guint index)
{
    const DgTarget *target = &set->list->targets[index];
    const DgDrive *drive = dg_target_set_drive (set, index);
    *view = (DgDocTarget){
        .label = target->label,
        .mount = target->mount,
        .filesystem = target->filesystem,
        .size_bytes = known (target->size_bytes),
        .free_bytes = target->free_bytes,
        .partition_start_bytes = target->partition_start_bytes,
        .also_running = -1,
        .file_size_bytes = DG_DOC_UNKNOWN,
        .file_extents = DG_DOC_UNKNOWN,
        .file_prepare_ns = DG_DOC_UNKNOWN,
    };
    if (!drive)
        return;
    view->has_drive = TRUE;
    view->drive.name = drive->name;
    view->drive.model = drive->model;
    view->drive.vendor = drive->vendor;
    view->drive.size_bytes = known (drive->size_bytes);
    if (drive->link && target->n_drives == 1) {
        view->has_link = TRUE;
        link_view_init (&view->link, drive->link);
    }
}

void
dg_target_view_clear (DgDocTarget *view)
{
    g_clear_pointer (&view->link.path, g_free);
    *view = (DgDocTarget){ 0 };
}
