/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target that was chosen, now or last time: found again in each new list by its file system,
 * and never taken for another one. Main thread. */
#pragma once

#include "app/gui/target-set.h"

G_BEGIN_DECLS

/* All members (owned) (nullable). */
typedef struct {
    gchar *key; /* UUID of the file system, its mount point where it has none; NULL = no wish */
    gchar *mount;
    gchar *folder;        /* chosen by hand */
    gchar *title;         /* sanitized */
    gboolean is_unlisted; /* was in no list when it was chosen: its absence there tells nothing */
    gboolean is_of_last_time; /* from the settings, which do not say whether it was in a list */
} DgWantedTarget;

void dg_wanted_target_set (DgWantedTarget *wanted, const DgTargetSet *set, guint index,
                           gboolean with_folder);
void dg_wanted_target_clear (DgWantedTarget *wanted);

/* From and to the settings. */
void dg_wanted_target_load (DgWantedTarget *wanted);
void dg_wanted_target_store (const DgWantedTarget *wanted);

/* The index of the same file system in a list; -1 if it is not there. Of several with one UUID
 * (copies) the one mounted at the same place. */
gint dg_wanted_target_find (const DgWantedTarget *wanted, const DgTargetSet *set);
/* Is this target on the file system that is wanted? */
gboolean dg_wanted_target_is (const DgWantedTarget *wanted, const DgTarget *target);

G_END_DECLS
