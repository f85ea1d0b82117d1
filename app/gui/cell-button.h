/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell of the grid: a button drawn as figure and bar, which opens the table of its runs. Main
 * thread. */
#pragma once

#include "app/report/drawing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_CELL_BUTTON (dg_cell_button_get_type ())
G_DECLARE_FINAL_TYPE (DgCellButton, dg_cell_button, DG, CELL_BUTTON, GtkButton)

GtkWidget *dg_cell_button_new (void);

/* Takes what is in `cell` and leaves it empty. `spoken`: the whole sentence for reading aloud. */
void dg_cell_button_take (DgCellButton *self, DgCell *cell, DgUnit unit, const gchar *spoken);
void dg_cell_button_set_narrow (DgCellButton *self, gboolean is_narrow);
/* The one row of the demo profile. */
void dg_cell_button_set_big (DgCellButton *self, gboolean is_big);
/* (transfer none) */
const DgCell *dg_cell_button_get_cell (DgCellButton *self);

G_END_DECLS
