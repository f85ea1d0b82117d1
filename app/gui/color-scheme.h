/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light or dark, and high contrast: the setting, else what the desktop asks for through the
 * settings portal. Main thread. */
#pragma once

#include "app/core/settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_COLOR_SCHEME (dg_color_scheme_get_type ())
G_DECLARE_FINAL_TYPE (DgColorScheme, dg_color_scheme, DG, COLOR_SCHEME, GObject)

/* Asks the portal without waiting for it; applies the look at once and at each change. Signal
 * "changed" after each. */
DgColorScheme *dg_color_scheme_new (GtkSettings *settings);

void dg_color_scheme_set_wish (DgColorScheme *self, DgScheme scheme);

G_END_DECLS
