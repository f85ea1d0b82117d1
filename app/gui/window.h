/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: header bar, the page, and what the keyboard does. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_WINDOW (dg_window_get_type ())
G_DECLARE_FINAL_TYPE (DgWindow, dg_window, DG, WINDOW, GtkApplicationWindow)

GtkWidget *dg_window_new (GtkApplication *application);
DgSession *dg_window_get_session (DgWindow *self); /* (transfer none) */
/* A folder becomes the target, a file is opened as a result. */
void dg_window_open (DgWindow *self, GFile *file);
void dg_window_look_changed (DgWindow *self);
/* Stops a run cleanly and closes when it has ended; at once when nothing runs. */
void dg_window_close (DgWindow *self);

G_END_DECLS
