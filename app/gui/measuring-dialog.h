/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How is measured: times, data, which run is shown, backend. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dg_measuring_dialog_show (GtkWindow *parent, DgSession *session);

G_END_DECLS
