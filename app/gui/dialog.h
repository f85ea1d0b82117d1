/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all of the program's own dialogs do alike. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows `dialog` over `parent`; Escape closes it. */
void dg_dialog_present (GtkWindow *dialog, GtkWindow *parent);
/* Tab leaves `list` for `next`, Shift+Tab for `previous`; the toolkit's own way leads through every
 * single row. The arrow keys go from row to row. */
void dg_dialog_leave_list_by_tab (GtkWidget *list, GtkWidget *next, GtkWidget *previous);

G_END_DECLS
