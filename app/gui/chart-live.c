/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/chart-live.h"

#include <string.h>

static void
pass_clear (gpointer data)
{
    g_free ((gpointer) ((DgChartPass *) data)->samples);
}

void
dg_chart_live_init (DgChartLive *self)
{
    *self = (DgChartLive){ .passes = g_array_new (FALSE, FALSE, sizeof (DgChartPass)) };
    g_array_set_clear_func (self->passes, pass_clear);
}

void
dg_chart_live_end (DgChartLive *self)
{
    g_clear_pointer (&self->samples, g_array_unref);
    g_clear_pointer (&self->last, g_array_unref);
}

void
dg_chart_live_clear (DgChartLive *self)
{
    dg_chart_live_end (self);
    g_clear_pointer (&self->passes, g_array_unref);
}

/* Are these the samples of the last pass still, and maybe more of it? */
static gboolean
goes_on (const DgChartLive *self, const GArray *samples, gboolean is_warmup)
{
    return self->last != NULL && self->last->len > 1 && samples->len >= self->last->len
           && self->last_is_warmup == is_warmup
           && memcmp (self->last->data, samples->data, (self->last->len - 1) * sizeof (guint64))
                  == 0;
}

/* The document has a test only when it has ended; until then its finished passes are kept here. */
static void
begin_pass (DgChartLive *self, gboolean is_same_step)
{
    if (!is_same_step)
        g_array_set_size (self->passes, 0);
    self->is_waiting = TRUE;
    if (self->samples == NULL || self->samples->len == 0)
        return;
    g_clear_pointer (&self->last, g_array_unref);
    self->last = g_array_ref (self->samples);
    self->last_is_warmup = self->is_warmup;
    if (!is_same_step)
        return;
    DgChartPass pass = { g_memdup2 (self->samples->data, self->samples->len * sizeof (guint64)),
                         self->samples->len, self->started_ns, self->is_warmup };
    g_array_append_val (self->passes, pass);
}

/* The end of the last pass, which had come between two looks. */
static void
complete_pass (DgChartLive *self, const GArray *samples)
{
    DgChartPass *pass = self->passes->len > 0
                            ? &g_array_index (self->passes, DgChartPass, self->passes->len - 1)
                            : NULL;
    if (pass == NULL || pass->is_warmup != self->last_is_warmup || pass->n_samples >= samples->len)
        return;
    g_free ((gpointer) pass->samples);
    pass->samples = g_memdup2 (samples->data, samples->len * sizeof (guint64));
    pass->n_samples = samples->len;
}

void
dg_chart_live_take (DgChartLive *self, const DgProgress *progress, GArray *samples,
                    gboolean is_warmup)
{
    const DgSnapshot *now = &progress->engine;
    gboolean is_same_step = self->samples != NULL && self->step == now->step;
    gboolean is_going_on =
        (now->state == DG_STATE_WARMING || now->state == DG_STATE_MEASURING) && !now->is_interval;
    if (!is_same_step || self->run != now->run || self->is_warmup != is_warmup)
        begin_pass (self, is_same_step);
    if (self->is_waiting) {
        guint64 phase_ns = now->now_ns - MIN (now->phase_started_ns, now->now_ns);
        gboolean is_last = goes_on (self, samples, is_warmup);
        if (is_last)
            complete_pass (self, samples);
        self->is_waiting = !is_going_on || is_last || samples->len > phase_ns / DG_SAMPLE_NS + 2;
        if (self->is_waiting)
            g_array_set_size (samples, 0);
    }
    g_clear_pointer (&self->samples, g_array_unref);
    self->samples = samples;
    self->is_warmup = is_warmup;
    if (is_going_on || samples->len == 0) /* not that of draining */
        self->started_ns = progress->offset_ns + now->phase_started_ns;
    self->step = now->step;
    self->run = now->run;
}

gboolean
dg_chart_live_is_shown (const DgProgress *progress)
{
    const DgSnapshot *now = &progress->engine;
    return !now->is_interval && now->steps_done <= now->step
           && (now->state == DG_STATE_WARMING || now->state == DG_STATE_MEASURING
               || now->state == DG_STATE_DRAINING);
}
