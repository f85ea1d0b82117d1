/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drive to measure: a button with its name, behind it the list of all that is mounted. Main
 * thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_TARGET_CHOOSER (dg_target_chooser_get_type ())
G_DECLARE_FINAL_TYPE (DgTargetChooser, dg_target_chooser, DG, TARGET_CHOOSER, GtkWidget)

void dg_target_chooser_set_session (DgTargetChooser *self, DgSession *session);

/* Then only the name is shown. */
void dg_target_chooser_set_narrow (DgTargetChooser *self, gboolean is_narrow);

G_END_DECLS
