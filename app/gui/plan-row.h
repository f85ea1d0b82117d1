/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controls of the plan with their estimate: a row, or folded into one button where there is
 * little room. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_PLAN_ROW (dg_plan_row_get_type ())
G_DECLARE_FINAL_TYPE (DgPlanRow, dg_plan_row, DG, PLAN_ROW, GtkWidget)

void dg_plan_row_set_session (DgPlanRow *self, DgSession *session);
void dg_plan_row_set_narrow (DgPlanRow *self, gboolean is_narrow);
gboolean dg_plan_row_is_narrow (DgPlanRow *self);

/* Has its width room for all controls beside each other, whole, and some of the estimate? */
gboolean dg_plan_row_has_room (DgPlanRow *self);

G_END_DECLS
