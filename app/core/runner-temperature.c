/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/runner-private.h"
#include "app/core/temperature.h"

#include <math.h>

#define EACH_US (1 * G_USEC_PER_SEC)

static void
temperature_free (gpointer data)
{
    dg_temperature_clear (data);
    g_free (data);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    DgTemperature *temperature = g_new0 (DgTemperature, 1);
    if (dg_temperature_read (NULL, data, temperature)) {
        g_task_return_pointer (task, temperature, temperature_free);
    } else {
        g_free (temperature);
        g_task_return_pointer (task, NULL, NULL);
    }
}

static void
take (DgRunner *self, const gchar *sensor, gdouble celsius, gdouble limit_celsius)
{
    guint64 at_ns = (guint64) MAX (g_get_monotonic_time () - self->started_us, 0) * 1000u;
    self->celsius = celsius;
    dg_builder_add_temperature (self->builder, sensor, at_ns, celsius, limit_celsius);
}

/* ---- through UDisks2 ---- */

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (DgRunner) self = data;
    gdouble celsius;
    gboolean is_known = dg_udisks_read_temperature_finish (DG_UDISKS (source), result, &celsius);
    /* Cancelled: that run has ended, and another one may have begun. */
    if (self->builder == NULL
        || g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
        return;
    self->is_reading_temperature = FALSE;
    if (is_known)
        take (self, "udisks2", celsius, NAN);
}

void
dg_runner_ask_temperature (DgRunner *self)
{
    if (self->udisks == NULL || self->asked_drive == NULL || self->is_reading_temperature)
        return;
    if (self->asking == NULL)
        self->asking = g_cancellable_new ();
    self->is_reading_temperature = TRUE;
    dg_udisks_read_temperature_async (self->udisks, self->asked_drive, self->asking, asked_cb,
                                      g_object_ref (self));
}

/* UDisks2 commands the drive: not once figures are counted. */
static void
ask_at_start (DgRunner *self)
{
    DgSnapshot snapshot;
    dg_plan_run_snapshot (self->run, &snapshot);
    if (snapshot.state == DG_STATE_IDLE || snapshot.state == DG_STATE_PREPARING)
        dg_runner_ask_temperature (self);
}

/* It may answer only after the start. */
void
dg_runner_udisks_changed (DgRunner *self)
{
    if (self->run != NULL && isnan (self->celsius))
        ask_at_start (self);
}

/* ---- from sysfs ---- */

/* `data`: the run that it was begun for; another one may have followed. */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    DgRunner *self = DG_RUNNER (source);
    DgTemperature *temperature = g_task_propagate_pointer (G_TASK (result), NULL);
    if (self->builder != NULL && (gpointer) self->builder == data) {
        self->is_reading_temperature = FALSE;
        if (temperature == NULL) {
            /* No sensor: it will have none a second later either. */
            self->asked_drive = g_steal_pointer (&self->drive);
            ask_at_start (self);
        } else {
            take (self, temperature->sensor, temperature->celsius, temperature->limit_celsius);
        }
    }
    if (temperature != NULL)
        temperature_free (temperature);
}

/* Reading it sends the drive a command, which a test with one command at a time would feel. */
static gboolean
would_disturb (DgRunner *self, const DgSnapshot *snapshot)
{
    if (snapshot->is_interval || snapshot->step >= self->plan->n_steps
        || (snapshot->state != DG_STATE_WARMING && snapshot->state != DG_STATE_MEASURING))
        return FALSE;
    guint64 depth = 0;
    const DgStep *step = &self->plan->steps[snapshot->step];
    for (guint i = 0; i < step->n_streams; i++)
        depth += (guint64) step->streams[i].queue_depth * step->streams[i].threads;
    return depth <= 1;
}

void
dg_runner_sample_temperature (DgRunner *self, const DgSnapshot *snapshot, gboolean is_forced)
{
    gint64 now = g_get_monotonic_time ();
    if (self->drive == NULL || self->is_reading_temperature)
        return; /* through UDisks2 only at start and end */
    if (!is_forced && (now - self->temperature_us < EACH_US || would_disturb (self, snapshot)))
        return;
    self->temperature_us = now;
    self->is_reading_temperature = TRUE;
    g_autoptr (GTask) task = g_task_new (self, NULL, read_cb, self->builder);
    g_task_set_task_data (task, g_strdup (self->drive), g_free);
    g_task_run_in_thread (task, read_in_thread);
}
