/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least that a GTK 4 program can be: what start-up measures the window against. Not installed.
 */
#include <gtk/gtk.h>

static void
activate_cb (GtkApplication *application)
{
    GtkWidget *window = gtk_application_window_new (application);
    gtk_window_set_default_size (GTK_WINDOW (window), 880, 760);
    gtk_window_set_child (GTK_WINDOW (window), gtk_label_new ("Drive Gauge"));
    gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
    g_autoptr (GtkApplication) application =
        gtk_application_new ("io.github.drivegauge.Minimal", G_APPLICATION_NON_UNIQUE);
    g_signal_connect (application, "activate", G_CALLBACK (activate_cb), NULL);
    return g_application_run (G_APPLICATION (application), argc, argv);
}
