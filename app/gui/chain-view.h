/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the drive hangs on, from drive to controller. Not there at all when nothing is known. Main
 * thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_CHAIN_VIEW (dg_chain_view_get_type ())
G_DECLARE_FINAL_TYPE (DgChainView, dg_chain_view, DG, CHAIN_VIEW, GtkWidget)

void dg_chain_view_set_session (DgChainView *self, DgSession *session);
void dg_chain_view_set_narrow (DgChainView *self, gboolean is_narrow);

G_END_DECLS
