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

/* The first step that has not begun: the present one while its file is prepared and in the pause
 * before it. Its place in the chart is kept like that of those after it. */
guint dg_chart_view_first_planned (const DgProgress *progress);

G_END_DECLS
