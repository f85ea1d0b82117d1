/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart's numbers as a table, for those who cannot see or point at a curve. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dg_chart_table_show (GtkWidget *over, DgSession *session);

G_END_DECLS
