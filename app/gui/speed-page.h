/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first page: link, plan, grid, chart, findings or progress, comment. It measures itself: below
 * 720 pixels it takes its narrow form. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_SPEED_PAGE (dg_speed_page_get_type ())
G_DECLARE_FINAL_TYPE (DgSpeedPage, dg_speed_page, DG, SPEED_PAGE, GtkWidget)

void dg_speed_page_set_session (DgSpeedPage *self, DgSession *session);
/* Redraw everything that carries colours of its own. */
void dg_speed_page_look_changed (DgSpeedPage *self);

G_END_DECLS
