/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A size of the test file that stands in no menu. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dg_size_dialog_show (GtkWindow *parent, DgSession *session);

G_END_DECLS
