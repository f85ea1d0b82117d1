/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is going on now, how far, and how long still. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_PROGRESS_BLOCK (dg_progress_block_get_type ())
G_DECLARE_FINAL_TYPE (DgProgressBlock, dg_progress_block, DG, PROGRESS_BLOCK, GtkWidget)

void dg_progress_block_set_session (DgProgressBlock *self, DgSession *session);

void dg_progress_block_set_narrow (DgProgressBlock *self, gboolean is_narrow);

G_END_DECLS
