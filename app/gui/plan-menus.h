/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of the plan as menus of the window's actions "win.profile", "win.runs", ... Main
 * thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    DG_PLAN_PROFILE,
    DG_PLAN_RUNS,
    DG_PLAN_SIZE,
    DG_PLAN_UNIT,
    DG_PLAN_MIX,
    DG_N_PLAN_MENUS
} DgPlanMenu;

const gchar *dg_plan_menu_label (DgPlanMenu menu); /* with mnemonic (static) */
GMenuModel *dg_plan_menu_new (DgPlanMenu menu);    /* (transfer full) */
gchar *dg_plan_menu_dup_value (DgPlanMenu menu, DgSession *session);
gboolean dg_plan_menu_is_shown (DgPlanMenu menu, DgSession *session);

/* Adds the actions to the window's map and keeps them in step with the session. */
void dg_plan_menus_add_actions (GActionMap *map, DgSession *session);

G_END_DECLS
