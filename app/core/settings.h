/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One key file in the user's config folder (drivegauge/settings.ini), on every platform. Main
 * thread. */
#pragma once

#include "app/core/numbers.h"
#include "app/core/options.h"

G_BEGIN_DECLS

typedef enum {
    DG_SCHEME_SYSTEM,
    DG_SCHEME_LIGHT,
    DG_SCHEME_DARK
} DgScheme;

typedef struct {
    DgUnit unit;
    DgScheme scheme;
    gint window_width, window_height;
    gboolean window_maximized;
    gchar *target_uuid;   /* (nullable) the last target's file system */
    gchar *target_folder; /* (nullable) chosen folder */
    gchar *target_name;   /* (nullable) what it was called, for when it is not there */
    guint image_scale;    /* 1 to 4 */
    gboolean image_dark;
    gboolean with_identity;
} DgSettings;

/* (transfer none) loaded once; damaged or missing values fall back to defaults. */
DgSettings *dg_settings_get (void);
/* The options kept from last time. `ret_options` uninitialised. */
void dg_settings_load_options (DgOptions *ret_options);
void dg_settings_store_options (const DgOptions *options);
/* A sentence to show once, when the file was damaged; NULL. (transfer full) */
gchar *dg_settings_take_problem (void);
/* Written a second after the last change, and at exit by dg_settings_flush (). */
void dg_settings_changed (void);
void dg_settings_flush (void);

G_END_DECLS
