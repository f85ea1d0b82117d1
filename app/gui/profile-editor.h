/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues and threads: the rows of the present profile, edited, saved as a profile of one's own, or
 * reset. Main thread. */
#pragma once

#include "app/gui/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void dg_profile_editor_show (GtkWindow *parent, DgSession *session);

G_END_DECLS
