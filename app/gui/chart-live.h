/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the chart shows of the test that is being measured, kept from look to look: its finished
 * passes and the samples of the present one. Main thread. */
#pragma once

#include "app/core/runner.h"
#include "app/report/drawing.h"

G_BEGIN_DECLS

typedef struct {
    GArray *samples; /* (owned) (nullable) of the present pass; NULL before the first look */
    gboolean is_warmup;
    guint64 started_ns;
    guint step, run;
    GArray
        *passes; /* (owned) of DgChartPass with owned samples: what the present test has finished */
    /* a pass is told before it has samples of its own: until then there are those of the last one
     */
    GArray *last; /* (owned) (nullable) */
    gboolean last_is_warmup, is_waiting;
} DgChartLive;

void dg_chart_live_init (DgChartLive *self);
void dg_chart_live_clear (DgChartLive *self);

/* One look: takes `samples`, which the runner gave together with `is_warmup`. */
void dg_chart_live_take (DgChartLive *self, const DgProgress *progress, GArray *samples,
                         gboolean is_warmup);

/* No test is being measured; the passes stay for what is drawn last. */
void dg_chart_live_end (DgChartLive *self);

/* Does a test's place in the chart have what is live? */
gboolean dg_chart_live_is_shown (const DgProgress *progress);

G_END_DECLS
