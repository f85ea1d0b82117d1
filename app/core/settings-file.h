/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside app/core: the key file itself, which settings and own profiles share. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DG__SETTINGS_PROFILE "Profile " /* groups of own profiles begin so */

/* (transfer none) Loaded at the first call; empty when there is none or it is damaged. A damaged
 * one is kept aside. */
GKeyFile *dg__settings_file_get (void);

/* What is to be told of it, once; NULL. (transfer full) */
gchar *dg__settings_file_take_problem (void);

/* This process has changed the profile's group: at the next save its own stands, not what another
 * process may have saved. */
void dg__settings_file_touch (const gchar *group);

/* Writes it, 0600, beside and renamed. Errors of GFileError. Blocking. */
gboolean dg__settings_file_save (GError **error);

/* (transfer full) <config folder>/drivegauge/settings.ini */
gchar *dg__settings_file_path (void);

G_END_DECLS
