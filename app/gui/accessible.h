/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for reading aloud, the same in GTK 4.8 and later. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The accessible name. Call it when the widget's content is final. */
void dg_accessible_set_name (GtkWidget *widget, const gchar *name);
void dg_accessible_set_description (GtkWidget *widget, const gchar *description);

/* For a button with a mnemonic: its text without the underscore, which GTK 4.8 would read aloud. */
void dg_accessible_name_from_label (GtkWidget *button);

/* For a drop-down without a label beside it. Its own name is not read in later versions, that of a
 * label is, even one that is never seen: to be put beside it. (transfer floating) */
GtkWidget *dg_accessible_name_drop_down (GtkWidget *drop, const gchar *name);

G_END_DECLS
