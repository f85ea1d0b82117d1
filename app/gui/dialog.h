/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all of the program's own dialogs do alike. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows `dialog` over `parent`; Escape closes it. */
void dg_dialog_present (GtkWindow *dialog, GtkWindow *parent);

G_END_DECLS
