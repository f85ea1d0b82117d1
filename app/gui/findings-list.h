/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found about the result on show; more than four fold away. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_FINDINGS_LIST (dg_findings_list_get_type ())
G_DECLARE_FINAL_TYPE (DgFindingsList, dg_findings_list, DG, FINDINGS_LIST, GtkWidget)

void dg_findings_list_set_session (DgFindingsList *self, DgSession *session);

G_END_DECLS
