/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of saved results: open one, show its file, delete it. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dg_recent_dialog_show (GtkWindow *parent, DgSession *session);

G_END_DECLS
