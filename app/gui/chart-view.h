/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput over time: a picture that can be walked along with pointer or arrow keys, and whose
 * table is one key away (T). Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_CHART_VIEW (dg_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (DgChartView, dg_chart_view, DG, CHART_VIEW, GtkWidget)

void dg_chart_view_set_session (DgChartView *self, DgSession *session);
void dg_chart_view_set_narrow (DgChartView *self, gboolean is_narrow);

G_END_DECLS
