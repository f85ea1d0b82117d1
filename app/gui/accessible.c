/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/accessible.h"

void
dg_accessible_set_name (GtkWidget *widget, const gchar *name)
{
    /* GTK 4.8 joins LABEL with the text inside, later versions ignore LABEL as long as there is a
     * relation to that text. */
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}

void
dg_accessible_set_description (GtkWidget *widget, const gchar *description)
{
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    description, -1);
}

void
dg_accessible_name_from_label (GtkWidget *button)
{
    const gchar *label = gtk_button_get_label (GTK_BUTTON (button));
    g_auto (GStrv) parts = g_strsplit (label ? label : "", "_", -1);
    g_autofree gchar *name = g_strjoinv ("", parts);
    dg_accessible_set_name (button, name);
}

GtkWidget *
dg_accessible_name_drop_down (GtkWidget *drop, const gchar *name)
{
    GtkWidget *label = gtk_label_new (name);
    gtk_widget_set_visible (label, FALSE);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (drop), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                    label, NULL, -1);
    return label;
}
