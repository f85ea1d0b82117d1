/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/program-icon.h"

void
dg_program_icon_set (GtkWindow *window)
{
    gtk_window_set_default_icon_name (DG_APP_ID);
}
