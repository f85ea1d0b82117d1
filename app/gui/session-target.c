/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/session-private.h"

#include "app/core/document-build.h"
#include "app/gui/mount-watch.h"

#include <glib/gi18n.h>

DgTargetSet *
dg_session_get_targets (DgSession *self)
{
    return self->targets;
}

DgTargetSet *
dg_session_get_chosen (DgSession *self, guint *ret_index)
{
    if (self->own) {
        *ret_index = 0;
        return self->own;
    }
    if (self->targets && self->target >= 0) {
        *ret_index = (guint) self->target;
        return self->targets;
    }
    return NULL;
}

static const DgTarget *
chosen_target (DgSession *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    return set ? &set->list->targets[index] : NULL;
}

const gchar *
dg_session_get_folder (DgSession *self)
{
    const DgTarget *target = chosen_target (self);
    return target ? target->folder : NULL;
}

/* Two ports that differ in it cannot give the same figures. */
static gchar *
dup_port (const DgTargetSet *set, guint index)
{
    const DgDrive *drive = dg_target_set_drive (set, index);
    const DgLink *link = drive ? drive->link : NULL;
    if (!link)
        return g_strdup ("");
    return g_strdup_printf ("%d %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (int) link->kind,
                            link->protocol ? link->protocol : "", (guint64) link->speed_bits_per_s,
                            (guint64) link->narrowest_bits_per_s);
}

gchar *
dg__session_dup_target_key (DgSession *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    if (!set)
        return NULL;
    const DgTarget *target = &set->list->targets[index];
    g_autofree gchar *port = dup_port (set, index);
    return g_strdup_printf ("%s\n%s\n%s\n%s", target->uuid ? target->uuid : "",
                            target->mount ? target->mount : "",
                            target->folder ? target->folder : "", port);
}

gchar *
dg__session_dup_conditions (DgSession *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    return set ? dg_build_conditions (set->list, index) : NULL;
}

const gchar *
dg_session_get_missing (DgSession *self)
{
    gboolean is_missing =
        self->targets && self->wanted.key && !self->own && self->target < 0 && !self->is_finding;
    if (!is_missing)
        return NULL;
    return self->wanted.title ? self->wanted.title : self->wanted.key;
}

gboolean
dg_session_is_target_there (DgSession *self)
{
    const DgTarget *target = chosen_target (self);
    return target && dg_mount_is_there (target->mount, target->source);
}

gboolean
dg_session_can_start (DgSession *self, gchar **ret_reason)
{
    guint index = 0;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    const gchar *missing = dg_session_get_missing (self);
    gchar *reason =
        set ? dg_target_set_dup_reason (set, index)
            : missing
            ? g_strdup_printf (
                /* Translators: name of a drive. */
                _ ("“%s” is not there. Plug it in again, or choose another drive."), missing)
            : g_strdup (_ ("Choose a drive first"));
    gboolean can = reason == NULL && set->list->targets[index].folder != NULL;
    if (ret_reason)
        *ret_reason = g_steal_pointer (&reason);
    g_free (reason);
    return can;
}

/* The nvme profiles for NVMe drives, the others for the rest; a profile of one's own stays. */
static void
propose_profile (DgSession *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    const DgDrive *drive = set ? dg_target_set_drive (set, index) : NULL;
    if (!drive || !drive->name || !self->options.profile->is_builtin)
        return;
    const gchar *id = dg_profile_propose (drive->name, self->options.profile->id);
    if (!id || g_str_equal (id, self->options.profile->id))
        return;
    g_autoptr (DgProfile) profile = dg_profile_find (id);
    if (profile)
        dg_options_set_profile (&self->options, profile);
    dg_session_options_changed (self);
}

/* Port and cable are those of one target: another begins without a comment, and back at the
 * document's own target its comment is there again. */
static void
change_comment (DgSession *self)
{
    g_autofree gchar *key = dg__session_dup_target_key (self);
    if (!key || g_strcmp0 (key, self->comment_target) == 0)
        return;
    if (self->comment_target) {
        dg__session_flush_comment (self);
        const gchar *own =
            dg__session_is_of_target (self) ? dg_document_view (self->document)->comment : NULL;
        g_free (self->comment);
        self->comment = g_strdup (own);
    }
    g_free (self->comment_target);
    self->comment_target = g_steal_pointer (&key);
}

static void
chosen_changed (DgSession *self, gboolean by_user)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self, &index);
    change_comment (self);
    if (set && by_user) {
        dg_wanted_target_set (&self->wanted, set, index, self->own != NULL);
        self->wanted.is_unlisted =
            self->own
            && (!self->targets || dg_wanted_target_find (&self->wanted, self->targets) < 0);
        dg_wanted_target_store (&self->wanted);
    }
    dg__session_look_for_last (self);
    propose_profile (self);
    dg__session_emit (self, DG_SESSION_TARGETS);
}

void
dg_session_choose_target (DgSession *self, guint index)
{
    if (self->is_running || !self->targets || index >= self->targets->list->n_targets)
        return;
    self->has_chosen = TRUE;
    g_clear_pointer (&self->own, dg_target_set_unref);
    self->target = (gint) index;
    dg_session_close_saved (self);
    chosen_changed (self, TRUE);
}

static void
find_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (DgSession) self = user_data;
    g_autoptr (GError) error = NULL;
    DgTargetSet *set = dg_target_set_find_finish (result, &error);
    if (!set) {
        if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            dg__session_fail (self, _ ("This folder cannot be used"), error->message);
        return;
    }
    if (self->is_running) {
        dg_target_set_unref (set);
        return;
    }
    dg_udisks_fill (self->udisks, set->list);
    g_clear_pointer (&self->own, dg_target_set_unref);
    self->own = set;
    dg_session_close_saved (self);
    chosen_changed (self, TRUE);
}

void
dg_session_choose_folder (DgSession *self, const gchar *path)
{
    if (self->is_running)
        return;
    self->has_chosen = TRUE;
    dg_target_set_find_async (path, self->cancellable, find_cb, g_object_ref (self));
}

/* The kept folder. When it has gone, or lies on another file system now, the target's usual one is
 * taken. */
static void
find_kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (DgSession) self = user_data;
    g_autoptr (GError) error = NULL;
    DgTargetSet *set = dg_target_set_find_finish (result, &error);
    self->is_finding = FALSE;
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    if (set && !self->is_running && !self->own
        && dg_wanted_target_is (&self->wanted, &set->list->targets[0])) {
        self->own = set;
        self->wanted.is_unlisted = self->target < 0;
    } else
        g_clear_pointer (&set, dg_target_set_unref);
    chosen_changed (self, FALSE);
}

static void
find_kept (DgSession *self)
{
    self->is_finding = TRUE;
    dg_target_set_find_async (self->wanted.folder, self->cancellable, find_kept_cb,
                              g_object_ref (self));
}

/* A chosen folder is read once; its drive may hang on another port by now. */
static void
drop_moved_folder (DgSession *self)
{
    if (!self->own || self->target < 0 || self->is_running || !self->wanted.folder)
        return;
    g_autofree gchar *then = dup_port (self->own, 0);
    g_autofree gchar *now = dup_port (self->targets, (guint) self->target);
    if (g_strcmp0 (then, now) != 0)
        g_clear_pointer (&self->own, dg_target_set_unref);
}

/* What was wanted is looked for in the new list, and nothing else is ever taken in its place. A
 * file system that is mounted at several places is listed by one of them: a folder of last time on
 * another is asked for by its name, once. */
static void
find_wanted (DgSession *self)
{
    self->target = dg_wanted_target_find (&self->wanted, self->targets);
    self->wanted.is_unlisted = self->wanted.is_unlisted && self->target < 0;
    if (self->wanted.is_unlisted)
        return;
    drop_moved_folder (self);
    if (self->target < 0 && self->wanted.is_of_last_time && self->wanted.folder && !self->own) {
        self->wanted.is_of_last_time = FALSE;
        find_kept (self);
        return;
    }
    if (self->target < 0 && !self->is_running)
        g_clear_pointer (&self->own, dg_target_set_unref);
    else if (self->target >= 0 && self->wanted.folder && !self->own && !self->is_finding)
        find_kept (self);
}

static void
choose_first (DgSession *self)
{
    self->has_chosen = TRUE;
    dg_wanted_target_load (&self->wanted);
    if (self->wanted.key)
        return;
    self->target = dg_targets_default (self->targets->list);
    if (self->target >= 0)
        dg_wanted_target_set (&self->wanted, self->targets, (guint) self->target, FALSE);
}

static void
list_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (DgSession) self = user_data;
    g_autoptr (GError) error = NULL;
    DgTargetSet *set = dg_target_set_list_finish (result, &error);
    self->is_listing = FALSE;
    if (!set) {
        if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            dg__session_fail (self, _ ("The drives cannot be listed"), error->message);
        return;
    }
    if (self->list_again) {
        self->list_again = FALSE;
        dg_session_refresh_targets (self);
    }
    dg_udisks_fill (self->udisks, set->list);
    gboolean had_target = self->target >= 0, is_first = self->targets == NULL;
    g_autofree gchar *before = dg__session_dup_target_key (self);
    g_clear_pointer (&self->targets, dg_target_set_unref);
    self->targets = set;
    if (!self->has_chosen || !self->wanted.key)
        choose_first (self);
    if (is_first)
        dg__session_remove_leftovers (self);
    if (self->wanted.key)
        find_wanted (self);
    /* Pulled and plugged into another port within a moment: it was never seen missing. */
    g_autofree gchar *after = dg__session_dup_target_key (self);
    if (had_target && self->target >= 0 && g_strcmp0 (before, after) == 0)
        dg__session_emit (self, DG_SESSION_TARGETS);
    else
        chosen_changed (self, FALSE);
}

void
dg_session_refresh_targets (DgSession *self)
{
    if (self->is_listing) {
        self->list_again = TRUE;
        return;
    }
    self->is_listing = TRUE;
    dg_target_set_list_async (self->cancellable, list_cb, g_object_ref (self));
}

static gboolean
refresh_cb (gpointer data)
{
    DgSession *self = data;
    self->refresh_timeout = 0;
    dg_session_refresh_targets (self);
    return G_SOURCE_REMOVE;
}

/* Plugging in one drive changes the table several times within a moment. */
static gboolean
something_changed_cb (gpointer data)
{
    DgSession *self = data;
    if (!self->refresh_timeout)
        self->refresh_timeout = g_timeout_add (300, refresh_cb, self);
    return G_SOURCE_CONTINUE;
}

static void
udisks_changed_cb (DgUdisks *udisks, gpointer data)
{
    something_changed_cb (data);
}

void
dg__session_watch_targets (DgSession *self)
{
    self->mount_watch = dg_mount_watch_add (something_changed_cb, self);
    self->udisks = dg_udisks_new ();
    g_signal_connect (self->udisks, "changed", G_CALLBACK (udisks_changed_cb), self);
}

void
dg__session_unwatch_targets (DgSession *self)
{
    g_clear_handle_id (&self->mount_watch, g_source_remove);
    g_clear_handle_id (&self->refresh_timeout, g_source_remove);
    g_clear_handle_id (&self->last_timeout, g_source_remove);
    if (self->udisks)
        g_signal_handlers_disconnect_by_data (self->udisks, self);
    g_clear_object (&self->udisks);
}
