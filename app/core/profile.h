/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named, versioned lists of rows: the built-in ones and the user's own (kept in the settings' key
 * file). */
#pragma once

#include "app/core/test-spec.h"

G_BEGIN_DECLS

typedef enum {
    DG_SHOW_BANDWIDTH,
    DG_SHOW_IOPS,
    DG_SHOW_LATENCY
} DgShow;

/* A row of the grid. Several rows may show the same test in another unit (peak, real-world): `test`
 * is the index of the test. */
typedef struct {
    guint test;
    gboolean has_unit; /* else the window's unit */
    DgShow show;
} DgProfileRow;

typedef struct {
    gchar *id; /* "default", "nvme", "flash", "peak", "peak-nvme", "real-world", "demo", "custom",
                  or the user's own */
    guint version;
    gchar *title; /* translated */
    DgTestSpec *tests;
    guint n_tests;
    DgProfileRow *rows;
    guint n_rows;
    guint64 duration_ns, interval_ns; /* 0 = the setting's own; flash: 1 s and 30 s */
    gboolean is_builtin;
    gboolean is_demo; /* one big figure a direction */
} DgProfile;

/* (transfer none), built-in ones in the order of the menu. */
const DgProfile *const *dg_profiles_builtin (guint *ret_count);
/* (transfer full) NULL if there is none: built-in, then the user's own. */
DgProfile *dg_profile_find (const gchar *id);
DgProfile *dg_profile_new_custom (const gchar *id, const gchar *title, const DgTestSpec *tests,
                                  guint n_tests);
DgProfile *dg_profile_copy (const DgProfile *profile);
void dg_profile_free (DgProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgProfile, dg_profile_free)

/* The user's own. */
GPtrArray *dg_profiles_load_own (void); /* (transfer full) of DgProfile */
gboolean
dg_profile_save_own (const DgProfile *profile,
                     GError **error); /* DG_APP_ERROR_USAGE for a built-in id or an empty list */
gboolean dg_profile_delete_own (const gchar *id, GError **error);

/* "nvme" when the whole disk's name starts with nvme, else "default"; for peak likewise. (static)
 */
const gchar *dg_profile_propose (const gchar *drive_name, const gchar *wanted_id);

G_END_DECLS
