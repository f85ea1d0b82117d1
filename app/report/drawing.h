/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What window and card draw alike (cairo, pangocairo). Nothing here knows GTK. Coordinates in
 * logical pixels; (0, 0) is the top left. */
#pragma once

#include "app/core/document.h"
#include "app/core/numbers.h"
#include "app/core/profile.h"
#include "app/report/palette.h"

#include <pango/pangocairo.h>

G_BEGIN_DECLS

typedef struct {
    DgLook look;
    const PangoFontDescription
        *font; /* (borrowed) the desktop's font, or the pictures' family list; size = 100 % */
    gdouble text_scale; /* 1 = as the font says */
    gboolean right_to_left;
    gboolean for_file;       /* C locale, else the user's */
    gboolean has_exact_text; /* outlines at exact places instead of glyphs on whole pixels: for
                                pictures; slower */
    DgUnit unit;
} DgDrawStyle;

/* ---- a cell and its bar ---- */
/* The bar is always the rate against the link's ceiling, whatever unit the figure has: so bars stay
 * where they are when the unit changes, and a longer bar is always the faster test. */
typedef struct {
    DgDirection direction;
    DgDocState state;
    gboolean is_dimmed;       /* earlier result */
    gdouble value;            /* bytes/s; NAN = no bar */
    gdouble slowest, fastest; /* bytes/s of the used runs; NAN = no whisker */
    const gchar *figure; /* (owned by the cell) "1 036"; failed: the reason, shown with the sign of
                            an error */
    const gchar *unit; /* (nullable) behind the figure, for rows with a unit of their own: "IOPS" */
    const gchar
        *beside; /* (nullable) "±0.4 %", "run 2, at least 3", "one run", "1 of 3 runs, stopped" */
    gboolean beside_is_warning; /* unstable, above the link */
    const gchar *below;         /* (nullable) "988 IOPS · p50 8.08 ms · p99 8.31 ms" */
    gdouble ceiling;   /* bytes/s, of a mix both directions together; NAN = unknown: no mark, nor
                          where it lies beyond scale_max */
    gdouble scale_max; /* bytes/s at the far edge, from dg_cell_scale () */
    gboolean is_above_link; /* the part above the ceiling is drawn as excess */
    gboolean is_doubtful;   /* not direct: the figure is grey */
    gboolean is_narrow;     /* three lines instead of two */
    gboolean is_card;       /* the card's larger measures */
    gboolean is_big;        /* with is_card: the one big figure of the demo profile */
} DgCell;

/* From a test of the document (test -1: an empty cell; `view` NULL: nothing is known at all). `row`
 * (nullable): the profile's row, for `show` and `has_unit`. Texts are set with g_strdup and freed
 * by dg_cell_clear, so a caller that replaces one frees the old one. scale_max is that of the whole
 * view. */
void dg_cell_from_test (DgCell *cell, const DgDocView *view, gint test, DgDirection direction,
                        const DgProfileRow *row, const DgDrawStyle *style);
void dg_cell_clear (DgCell *cell);

/* The value at the right edge for all cells of a grid that show bandwidth (the ceiling stands at 92
 * % of it, if there is none the greatest value; a value above the ceiling at 97 %). */
gdouble dg_cell_scale (gdouble greatest, gdouble ceiling);
gdouble dg_cell_scale_of_view (const DgDocView *view); /* all its tests and its link */
/* The ceiling of the first target's link in bytes/s; NAN = unknown. */
gdouble dg_view_ceiling (const DgDocView *view);
/* Index into view->tests, -1 = none. */
gint dg_view_find_test (const DgDocView *view, const gchar *name, DgDirection direction);
/* By its name, else by what it is: other programs name tests in other ways. */
gint dg_view_find_spec (const DgDocView *view, const DgTestSpec *spec, DgDirection direction);

void dg_cell_draw (cairo_t *cr, const DgCell *cell, const DgDrawStyle *style, gdouble width,
                   gdouble height);
void dg_cell_measure (PangoContext *context, const DgDrawStyle *style, gboolean is_card,
                      gboolean is_narrow, gdouble *ret_min_width, gdouble *ret_height);

/* ---- throughput over time ---- */
/* A finished pass of the present test, not yet in the document. */
typedef struct {
    const guint64 *samples; /* bytes per 100 ms */
    guint n_samples;
    guint64 started_ns;
    gboolean is_warmup;
} DgChartPass;

typedef struct {
    const DgDocView *view; /* (nullable): an empty chart */
    /* while running (all optional); times count from the document's `started`, as in it: */
    gint live_test_direction; /* DgDirection, -1 = none */
    const gchar *live_name;
    const guint64 *live_samples;
    guint n_live_samples;
    gboolean live_is_warmup;
    guint64 live_started_ns;
    const DgChartPass *live_passes;
    guint n_live_passes;
    const gchar *const *planned_names;
    const DgDirection *planned_directions;
    guint n_planned;
    guint64 planned_ns_each; /* tests not yet begun */
    guint64 now_ns;          /* 0 = not running */
    gdouble pointer_x;       /* < 0: no tooltip */
    gboolean is_narrow;
} DgChart;

/* Title, unit and legend stand in its first line; no frame and no background. */
void dg_chart_draw (cairo_t *cr, const DgChart *chart, const DgDrawStyle *style, gdouble width,
                    gdouble height);
gdouble dg_chart_height (const DgDrawStyle *style, gboolean is_narrow); /* natural */
/* One sentence for reading aloud. (transfer full) */
gchar *dg_chart_describe (const DgChart *chart, const DgDrawStyle *style);
/* x of the next sample to the left (-1) or right (+1) of x, for the arrow keys. */
gdouble dg_chart_step (const DgChart *chart, const DgDrawStyle *style, gdouble width, gdouble x,
                       gint direction);

/* What stands at x, for reading aloud: rate, test, run, time; NULL where nothing was measured.
 * (transfer full) (nullable) */
gchar *dg_chart_describe_point (const DgChart *chart, const DgDrawStyle *style, gdouble width,
                                gdouble x);
/* Each test with its rate and the range of its samples; "" where nothing was measured. (transfer
 * full) */
gchar *dg_chart_describe_tests (const DgDocView *view, const DgDrawStyle *style);

/* A sample that the chart of a document draws. */
typedef struct {
    guint test; /* index into view->tests */
    guint run;  /* from 1; 0 = warm-up */
    gboolean is_used;
    gdouble at_s; /* on the chart's axis; NAN when tests of different times stand side by side */
    gdouble bytes_per_s;
} DgChartPoint;
/* All of them, in the order of the chart. (transfer full) array of DgChartPoint */
GArray *dg_chart_points (const DgDocView *view);

/* ---- link chain: its name, the chain, the ceiling; no frame and no background ---- */
/* A chain, a speed or a ceiling is known; a bare name is not worth a strip. */
gboolean dg_chain_is_drawable (const DgDocTarget *target);
void dg_chain_draw (cairo_t *cr, const DgDocTarget *target, const DgDrawStyle *style, gdouble width,
                    gdouble height, gboolean is_narrow);
gdouble dg_chain_height (PangoContext *context, const DgDrawStyle *style, gboolean is_narrow);
gchar *dg_chain_describe (const DgDocTarget *target); /* (transfer full) */

/* ---- signs of findings: 16 x 16 scaled to `size` ---- */
/* Names of the picture's fonts, 16 px = 100 %. (static) Main thread. */
const PangoFontDescription *dg_draw_picture_font (void);

typedef enum {
    DG_SIGN_ERROR,
    DG_SIGN_WARNING,
    DG_SIGN_INFO,
    DG_SIGN_PROOF
} DgSign;
void dg_sign_draw (cairo_t *cr, DgSign sign, const DgDrawStyle *style, gdouble x, gdouble y,
                   gdouble size);
DgSign dg_sign_of (DgSeverity severity);

G_END_DECLS
