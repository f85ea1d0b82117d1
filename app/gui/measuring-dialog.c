/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/measuring-dialog.h"

#include "app/gui/dialog.h"

#include <glib/gi18n.h>

#define SECOND_NS 1e9

typedef struct {
    DgSession *session;
    GtkSpinButton *duration, *warmup, *interval;
    GtkDropDown *statistic, *backend, *data;
    GtkCheckButton *flush, *no_cow, *write_through;
    gboolean is_filling;
} MeasuringDialog;

/* What this system may be asked for; a backend that the build lacks says so when it is started. */
static const DgBackendId backends[] = { DG_BACKEND_AUTO, DG_BACKEND_IO_URING, DG_BACKEND_LIBAIO,
                                        DG_BACKEND_THREADS };

static void
measuring_dialog_free (gpointer data)
{
    MeasuringDialog *self = data;
    g_object_unref (self->session);
    g_free (self);
}

static guint64
seconds_of (GtkSpinButton *spin)
{
    return (guint64) (gtk_spin_button_get_value (spin) * SECOND_NS + 0.5);
}

static void
changed (MeasuringDialog *self)
{
    DgOptions *options = dg_session_get_options (self->session);
    if (self->is_filling)
        return;
    guint64 duration = seconds_of (self->duration), interval = seconds_of (self->interval);
    options->duration_set = options->duration_set || duration != options->duration_ns;
    options->interval_set = options->interval_set || interval != options->interval_ns;
    options->duration_ns = duration;
    options->interval_ns = interval;
    options->warmup_ns = seconds_of (self->warmup);
    options->statistic_best = gtk_drop_down_get_selected (self->statistic) == 1;
    options->data = gtk_drop_down_get_selected (self->data) == 1 ? DG_DATA_ZERO : DG_DATA_RANDOM;
    options->backend =
        backends[MIN (gtk_drop_down_get_selected (self->backend), G_N_ELEMENTS (backends) - 1)];
    options->include_flush = gtk_check_button_get_active (self->flush);
    options->no_cow = gtk_check_button_get_active (self->no_cow);
    options->write_through = gtk_check_button_get_active (self->write_through);
    dg_session_options_changed (self->session);
}

static void
notify_cb (GObject *object, GParamSpec *spec, MeasuringDialog *self)
{
    changed (self);
}

static void
fill (MeasuringDialog *self)
{
    const DgOptions *options = dg_session_get_options (self->session);
    self->is_filling = TRUE;
    gtk_spin_button_set_value (self->duration, (gdouble) options->duration_ns / SECOND_NS);
    gtk_spin_button_set_value (self->warmup, (gdouble) options->warmup_ns / SECOND_NS);
    gtk_spin_button_set_value (self->interval, (gdouble) options->interval_ns / SECOND_NS);
    gtk_drop_down_set_selected (self->statistic, options->statistic_best ? 1 : 0);
    gtk_drop_down_set_selected (self->data, options->data == DG_DATA_ZERO ? 1 : 0);
    for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
        if (backends[i] == options->backend)
            gtk_drop_down_set_selected (self->backend, i);
    gtk_check_button_set_active (self->flush, options->include_flush);
    gtk_check_button_set_active (self->no_cow, options->no_cow);
    gtk_check_button_set_active (self->write_through, options->write_through);
    self->is_filling = FALSE;
}

static void
session_cb (DgSession *session, GtkWindow *window)
{
    fill (g_object_get_data (G_OBJECT (window), "dialog"));
}

void
dg_measuring_dialog_show (GtkWindow *parent, DgSession *session)
{
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/drivegauge/DriveGauge/measuring-dialog.ui");
    GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "window"));
    MeasuringDialog *self = g_new0 (MeasuringDialog, 1);
    self->session = g_object_ref (session);
#define CHILD(name, cast) self->name = cast (gtk_builder_get_object (builder, #name))
    CHILD (duration, GTK_SPIN_BUTTON);
    CHILD (warmup, GTK_SPIN_BUTTON);
    CHILD (interval, GTK_SPIN_BUTTON);
    CHILD (statistic, GTK_DROP_DOWN);
    CHILD (data, GTK_DROP_DOWN);
    CHILD (backend, GTK_DROP_DOWN);
    CHILD (flush, GTK_CHECK_BUTTON);
    CHILD (no_cow, GTK_CHECK_BUTTON);
    CHILD (write_through, GTK_CHECK_BUTTON);
#undef CHILD
    fill (self);
    GObject *const spins[] = { G_OBJECT (self->duration), G_OBJECT (self->warmup),
                               G_OBJECT (self->interval) };
    GObject *const drops[] = { G_OBJECT (self->statistic), G_OBJECT (self->data),
                               G_OBJECT (self->backend) };
    GObject *const checks[] = { G_OBJECT (self->flush), G_OBJECT (self->no_cow),
                                G_OBJECT (self->write_through) };
    for (guint i = 0; i < 3; i++) {
        g_signal_connect (spins[i], "notify::value", G_CALLBACK (notify_cb), self);
        g_signal_connect (drops[i], "notify::selected", G_CALLBACK (notify_cb), self);
        g_signal_connect (checks[i], "notify::active", G_CALLBACK (notify_cb), self);
    }
    g_object_set_data_full (G_OBJECT (window), "dialog", self, measuring_dialog_free);
    g_signal_connect_object (session, "options-changed", G_CALLBACK (session_cb), window, 0);
    dg_dialog_present (window, parent);
}
