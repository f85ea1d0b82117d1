/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside app/core: the key file itself, which settings and own profiles share. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer none) Loaded at the first call; empty when there is none or it is damaged. */
GKeyFile *dg__settings_file_get (void);

/* Writes it, 0600, beside and renamed. Errors of GFileError. Blocking. */
gboolean dg__settings_file_save (GError **error);

/* (transfer full) <config folder>/drivegauge/settings.ini */
gchar *dg__settings_file_path (void);

G_END_DECLS
