/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a test's runs, over its cell. Main thread. */
#pragma once

#include "app/core/document.h"
#include "app/core/numbers.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens it; it goes with its closing. `test`: index into the document's tests. */
void dg_runs_popover_show (GtkWidget *over, DgDocument *document, guint test, DgUnit unit);

/* What stands below them: backend, which run is shown, why some are grey. (transfer full) */
gchar *dg_runs_popover_dup_note (const DgDocView *view, const DgDocTest *test);

G_END_DECLS
