/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing files and folders, and telling that something went wrong: the only file with the
 * toolkit's old dialogs. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Called with the chosen file, or not at all. */
typedef void (*DgFileDialogFunc) (GFile *file, gpointer user_data);

void dg_file_dialog_open (GtkWindow *parent, const gchar *title, DgFileDialogFunc chosen,
                          gpointer user_data);
void dg_file_dialog_save (GtkWindow *parent, const gchar *title, const gchar *name,
                          DgFileDialogFunc chosen, gpointer user_data, GDestroyNotify destroy);
void dg_file_dialog_folder (GtkWindow *parent, const gchar *title, const gchar *start,
                            DgFileDialogFunc chosen, gpointer user_data);

void dg_alert_show (GtkWindow *parent, const gchar *title, const gchar *sentence);
/* `confirmed` is called when the user agrees; `label` names what will be done. */
void dg_alert_ask (GtkWindow *parent, const gchar *title, const gchar *sentence, const gchar *label,
                   void (*confirmed) (gpointer user_data), gpointer user_data,
                   GDestroyNotify destroy);

/* Opens the file manager with the file selected, or its folder. */
void dg_file_show (GtkWindow *parent, GFile *file);

G_END_DECLS
