/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small drawn things beside text: the sign of a finding, the patch of a direction. Not in the
 * accessible tree: the text beside says it. Main thread. */
#pragma once

#include "app/report/drawing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *dg_sign_new (DgSign sign);
GtkWidget *dg_swatch_new (DgDirection direction);

G_END_DECLS
