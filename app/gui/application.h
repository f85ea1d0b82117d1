/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: one window, the look, clean ends. Main thread. */
#pragma once

#include "app/core/settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DG_TYPE_APPLICATION (dg_application_get_type ())
G_DECLARE_FINAL_TYPE (DgApplication, dg_application, DG, APPLICATION, GtkApplication)

DgApplication *dg_application_new (void);
void dg_application_set_scheme (DgApplication *self, DgScheme scheme);
/* Closes the windows, stopping what runs; the program ends when the last one has gone. */
void dg_application_end (DgApplication *self);

G_END_DECLS
