/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menus of the header bar. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    DG_WINDOW_MENU_MAIN,
    DG_WINDOW_MENU_COPY,
    DG_WINDOW_MENU_SAVE
} DgWindowMenu;

GMenuModel *dg_window_menu_new (DgWindowMenu menu); /* (transfer full) */

G_END_DECLS
