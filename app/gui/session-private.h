/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between session*.c only. */
#pragma once

#include "app/core/udisks.h"
#include "app/gui/session.h"
#include "app/gui/wanted-target.h"

struct _DgSession {
    GObject parent_instance;

    GCancellable *cancellable;
    DgOptions options;
    gchar *comment;        /* (nullable) of the next run, and of the fresh document */
    gchar *comment_target; /* (nullable) key of the target that `comment` is about */

    /* target */
    DgTargetSet *targets; /* (nullable) the whole list */
    DgTargetSet *own;     /* (nullable) the one target of a chosen folder */
    gint target;          /* into targets; -1 = none; not used with `own` */
    DgWantedTarget wanted;
    gboolean is_listing, list_again, has_chosen, is_finding;
    guint mount_watch, refresh_timeout, last_timeout;
    DgUdisks *udisks;
    DgDocument *last;          /* (nullable) this drive's last result, for the estimate */
    guint last_search;         /* counts the searches for it: only the newest one counts */
    guint64 leftovers_removed; /* at the start, until a run begins */

    /* document on show */
    DgDocument *document; /* (nullable) the fresh one */
    DgDocument *saved;    /* (nullable) the opened one, shown instead */
    gboolean saved_is_in_library;
    GHashTable *deleted;      /* ids of results whose files were deleted meanwhile */
    DgProfile *saved_profile; /* (nullable) its rows */
    gboolean saved_columns[3];
    DgOptions used; /* the options that made `document`, valid when has_used */
    gboolean has_used;
    gchar *used_target;     /* (nullable) key of its target */
    gchar *used_conditions; /* (nullable) dg_build_conditions () of its target */
    guint comment_timeout, n_saving;

    /* run */
    DgRunner *runner;
    gboolean is_running;
    guint tick;
    guint64 restart_bytes; /* start again with this size once stopped; 0 = no */
    DgProgress progress;
};

enum {
    DG_SESSION_OPTIONS,
    DG_SESSION_TARGETS,
    DG_SESSION_DOCUMENT,
    DG_SESSION_RUNNING,
    DG_SESSION_TICK,
    DG_SESSION_ESTIMATE,
    DG_SESSION_FAILED,
    DG_SESSION_N_SIGNALS
};
extern guint dg__session_signals[DG_SESSION_N_SIGNALS];

void dg__session_emit (DgSession *self, guint signal);
void dg__session_fail (DgSession *self, const gchar *title, const gchar *sentence);
void dg__session_flush_comment (DgSession *self); /* at once, and waits for the disk */
void dg__session_save_comment (DgSession *self, DgDocument *document); /* off this thread */
/* Was the fresh document made on the chosen target? */
gboolean dg__session_is_of_target (DgSession *self);
gchar *dg__session_dup_target_key (DgSession *self); /* (nullable) file system, folder and port */
gchar *dg__session_dup_conditions (DgSession *self); /* (nullable) all that figures hang on */
void dg__session_look_for_last (DgSession *self);
void dg__session_remove_leftovers (DgSession *self); /* of the first list */
void dg__session_watch_targets (DgSession *self);
void dg__session_unwatch_targets (DgSession *self);
