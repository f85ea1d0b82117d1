/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window shows and does, without any widget: the chosen target and options, the run, and
 * the one document on show. Main thread.
 *
 * Signals: "options-changed" (the controls; estimate and dimming with them), "targets-changed"
 * (list or choice), "document-changed", "running-changed", "tick" (ten times a second while
 * running), "estimate-changed", "failed" (gchar *title, gchar *sentence). */
#pragma once

#include "app/core/options.h"
#include "app/core/runner.h"
#include "app/core/settings.h"
#include "app/gui/target-set.h"

G_BEGIN_DECLS

#define DG_TYPE_SESSION (dg_session_get_type ())
G_DECLARE_FINAL_TYPE (DgSession, dg_session, DG, SESSION, GObject)

DgSession *dg_session_new (void);

/* ---- controls ---- */
/* (transfer none) Change it, then tell with dg_session_options_changed (). */
DgOptions *dg_session_get_options (DgSession *self);
void dg_session_options_changed (DgSession *self);
DgUnit dg_session_get_unit (DgSession *self);
void dg_session_set_unit (DgSession *self, DgUnit unit);
/* How long and how much, as known now. */
void dg_session_get_estimate (DgSession *self, DgEstimate *ret_estimate);

/* ---- target ---- */
void dg_session_refresh_targets (DgSession *self);
/* All that is mounted, (transfer none) (nullable) until the first reading. */
DgTargetSet *dg_session_get_targets (DgSession *self);
/* The chosen one, in a set that may differ from the list when a folder was chosen. (transfer none)
 * (nullable) */
DgTargetSet *dg_session_get_chosen (DgSession *self, guint *ret_index);
/* The name of the chosen target when it is not there any more, or not yet; else NULL. It comes back
 * by itself. (transfer none) */
const gchar *dg_session_get_missing (DgSession *self);
/* Is the file system still mounted where it was chosen? Looks at once. */
gboolean dg_session_is_target_there (DgSession *self);
/* Where the test file will be; (nullable) */
const gchar *dg_session_get_folder (DgSession *self);
void dg_session_choose_target (DgSession *self, guint index); /* of the list */
void dg_session_choose_folder (DgSession *self, const gchar *path);
/* How many test files of killed runs were deleted at the start; 0 once a run has begun. */
guint64 dg_session_get_leftovers_removed (DgSession *self);
/* Can a run be started? When not, the reason as a sentence (transfer full) (nullable). */
gboolean dg_session_can_start (DgSession *self, gchar **ret_reason);

/* ---- the document on show ---- */
DgDocument *dg_session_get_document (DgSession *self); /* (transfer none) (nullable) */
gboolean dg_session_is_saved (DgSession *self); /* an opened one, not measured here and now */
gboolean
dg_session_is_earlier (DgSession *self); /* target, size, data or profile have changed since */
gboolean dg_session_can_comment (DgSession *self);
void dg_session_show_saved (DgSession *self, DgDocument *document, gboolean is_in_library);
/* Shows the result in `file`; a folder becomes the target. */
void dg_session_load_file (DgSession *self, GFile *file, gboolean is_in_library);
void dg_session_close_saved (DgSession *self);
/* Its file has been deleted: what is on show is not written again for a comment. */
void dg_session_result_deleted (DgSession *self, const gchar *id);
/* The rows to show: the opened document's (at most 64 of them), else the chosen profile's.
 * (transfer none) */
const DgProfile *dg_session_get_profile (DgSession *self);
/* Which columns the grid has, by DgDirection. */
void dg_session_get_columns (DgSession *self, gboolean ret_columns[3]);
const gchar *dg_session_get_comment (DgSession *self); /* (nullable) */
void dg_session_set_comment (DgSession *self, const gchar *comment);

/* ---- the run ---- */
void dg_session_start (DgSession *self, gint test); /* -1 = all; else a test of the profile */
void dg_session_stop (DgSession *self);
/* While preparing: stops and starts again with a file that is ready sooner. */
void dg_session_restart_smaller (DgSession *self);
gboolean dg_session_is_running (DgSession *self);
/* Valid while running. (transfer none) */
const DgProgress *dg_session_get_progress (DgSession *self);
DgRunner *dg_session_get_runner (DgSession *self); /* (transfer none) */
/* What is being measured: the options of the present run. (transfer none) */
const DgOptions *dg_session_get_run_options (DgSession *self);

G_END_DECLS
