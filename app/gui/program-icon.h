/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives the program's windows their icon. `window`: one that is shown. Main thread. One
 * implementation a platform. */
void dg_program_icon_set (GtkWindow *window);

G_END_DECLS
