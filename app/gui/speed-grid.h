/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grid of tests: All, a button a row, a cell a direction. It shows exactly one document. Main
 * thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_SPEED_GRID (dg_speed_grid_get_type ())
G_DECLARE_FINAL_TYPE (DgSpeedGrid, dg_speed_grid, DG, SPEED_GRID, GtkWidget)

void dg_speed_grid_set_session (DgSpeedGrid *self, DgSession *session);
void dg_speed_grid_set_narrow (DgSpeedGrid *self, gboolean is_narrow);

G_END_DECLS
