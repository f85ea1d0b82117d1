/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a chart shows, put in order of time; shared by drawing, tooltip and description. */
#pragma once

#include "app/report/draw-private.h"

G_BEGIN_DECLS

typedef enum {
    DG__SPAN_WARMUP,
    DG__SPAN_RUN,
    DG__SPAN_EARLY /* not used */,
    DG__SPAN_LIVE
} DgSpanKind;

/* Samples in a row without a gap. */
typedef struct {
    DgSpanKind kind;
    guint run;            /* 1-based; 0 = warm-up or the present pass */
    gdouble from_s, to_s; /* on the chart's axis */
    const guint64 *samples;
    guint n_samples;
    gdouble step_s;
} DgSpan;

/* A test's place on the axis. */
typedef struct {
    const gchar *name;
    gint test; /* index into the view's tests, -1 = not there yet */
    DgDirection direction;
    gdouble from_s, to_s;
    gboolean is_planned;
    guint first_span, n_spans;
} DgBlock;

typedef struct {
    GArray *blocks; /* DgBlock */
    GArray *spans;  /* DgSpan */
    gdouble end_s;
    gdouble shift_s; /* axis = time since the document's start - shift */
    gboolean
        is_packed; /* tests from different times stand one after another: the axis is no clock */
    gdouble greatest_bytes_per_s;
    gdouble now_s; /* NAN = not running */
} DgTimeline;

void dg__timeline_init (DgTimeline *timeline, const DgChart *chart);
void dg__timeline_done (DgTimeline *timeline);

/* bytes/s of sample i; NAN for a last sample too short to mean something. */
gdouble dg__span_rate (const DgSpan *span, guint i);
gdouble dg__span_time (const DgSpan *span, guint i); /* its middle */

typedef struct {
    gdouble left, right, top, bottom; /* of the plot */
    gdouble width, height;
    gdouble tick_px, legend_px;
    gdouble greatest; /* bytes/s at the top */
    gdouble ceiling;  /* NAN = none, or beyond the scale */
    gboolean ceiling_is_beyond;
    gdouble celsius_low, celsius_high; /* NAN = no temperature */
    const gchar *sensor;
} DgPlot;

void dg__plot_init (DgPlot *plot, const DgTimeline *timeline, const DgChart *chart,
                    const DgDrawStyle *style, gdouble width, gdouble height);
gdouble dg__plot_x (const DgPlot *plot, const DgTimeline *timeline, gdouble seconds);
gdouble dg__plot_y (const DgPlot *plot, gdouble bytes_per_s);
DgUnit dg__chart_unit (const DgDrawStyle *style); /* IOPS and microseconds have no chart: MB/s */

/* Nearest sample to x; FALSE when there is none. */
gboolean dg__chart_nearest (const DgPlot *plot, const DgTimeline *timeline, gdouble x,
                            guint *ret_block, guint *ret_span, guint *ret_sample);

/* chart-legend.c */
void dg__chart_draw_legend (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                            const DgChart *chart, const DgDrawStyle *style);
/* chart-marks.c: where a cache ended, where heat slowed the drive */
void dg__chart_draw_marks (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                           const DgChart *chart, const DgDrawStyle *style);
/* chart-tip.c */
void dg__chart_draw_tip (cairo_t *cr, const DgPlot *plot, const DgTimeline *timeline,
                         const DgChart *chart, const DgDrawStyle *style);

/* The polyline of a span into the present path; FALSE when it has no point. y in pixels by
 * dg__plot_y. */
gboolean dg__span_path (cairo_t *cr, const DgSpan *span, const DgPlot *plot,
                        const DgTimeline *timeline, gdouble *ret_first_x, gdouble *ret_last_x);

G_END_DECLS
