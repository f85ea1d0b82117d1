/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cell and chart show of a test that is being measured, from look to look. */
#include "app/gui/cell-text.h"
#include "app/gui/chart-live.h"
#include "app/gui/chart-view.h"

#include <string.h>

static void
test_live (void)
{
    DgProgress progress = { .engine = { .state = DG_STATE_MEASURING,
                                        .run = 1,
                                        .run_ns = 1000000000,
                                        .run_bytes = 983600000,
                                        .run_ios = 938,
                                        .recent_bytes_per_s = 983600000,
                                        .p50_ns = 8440000,
                                        .p99_ns = 11200000 } };
    DgCell cell = { 0 };
    dg_cell_text_fill_live (&cell, &progress, NULL, 0, DG_UNIT_MB);
    g_assert_cmpstr (cell.figure, ==, "983.6");
    g_assert_cmpstr (cell.beside, ==, "run 2, at least 3");
    g_assert_nonnull (strstr (cell.below, "938 IOPS"));
    g_assert_cmpint (cell.state, ==, DG_DOC_RUNNING);
    dg_cell_text_fill_live (&cell, &progress, NULL, 5, DG_UNIT_IOPS);
    g_assert_cmpstr (cell.figure, ==, "938");
    g_assert_cmpstr (cell.beside, ==, "run 2 of 5");
    progress.engine.state = DG_STATE_WARMING;
    dg_cell_text_fill_live (&cell, &progress, NULL, 5, DG_UNIT_MB);
    g_assert_cmpstr (cell.beside, ==, "warming up");
    dg_cell_clear (&cell);
}

/* Between two runs of a test its figures stay; those of another test never do. */
static void
test_live_between (void)
{
    const DgProgress first = { .step = 1,
                               .n_steps = 8,
                               .engine = { .state = DG_STATE_MEASURING,
                                           .now_ns = 5000000000,
                                           .run_ns = 1000000000,
                                           .run_bytes = 983600000,
                                           .run_ios = 938,
                                           .p50_ns = 8440000,
                                           .p99_ns = 11200000 } };
    DgProgress next = { .step = 1,
                        .n_steps = 8,
                        .engine = { .state = DG_STATE_MEASURING, .run = 1, .now_ns = 5100000000 } };
    static const struct {
        DgState state;
        guint step;
        guint64 now_ns, run_ns;
        const gchar *figure;
    } cases[] = {
        { DG_STATE_MEASURING, 1, 5100000000, 0, "983.6" },
        { DG_STATE_MEASURING, 2, 5100000000, 0, "—" },
        { DG_STATE_PREPARING, 1, 5100000000, 0, "—" },
        { DG_STATE_MEASURING, 1, 100000000, 0, "—" }, /* another measurement */
        { DG_STATE_MEASURING, 1, 5100000000, 100000000, "500.0" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        DgCell cell = { 0 };
        DgProgress shown = { 0 };
        dg_cell_text_take_progress (&shown, &first);
        next.step = cases[i].step;
        next.engine.state = cases[i].state;
        next.engine.now_ns = cases[i].now_ns;
        next.engine.run_ns = cases[i].run_ns;
        next.engine.recent_bytes_per_s = cases[i].run_ns * 5;
        dg_cell_text_take_progress (&shown, &next);
        dg_cell_text_fill_live (&cell, &shown, NULL, 5, DG_UNIT_MB);
        g_assert_cmpstr (cell.figure, ==, cases[i].figure);
        g_assert_cmpuint (shown.engine.run, ==, 1);
        g_assert_cmpint (cell.below != NULL, ==, strcmp (cell.figure, "—") != 0);
        dg_cell_clear (&cell);
    }
}

/* A test stands in the chart's plan until it begins. */
static void
test_planned (void)
{
    DgProgress progress = { .step = 2, .n_steps = 8 };
    static const struct {
        DgState state;
        gboolean is_interval;
        guint first;
    } cases[] = {
        { DG_STATE_IDLE, FALSE, 2 },     { DG_STATE_PREPARING, FALSE, 2 },
        { DG_STATE_PREPARING, TRUE, 2 }, { DG_STATE_DRAINING, TRUE, 2 },
        { DG_STATE_WARMING, FALSE, 3 },  { DG_STATE_MEASURING, FALSE, 3 },
        { DG_STATE_DRAINING, FALSE, 3 },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        progress.engine.state = cases[i].state;
        progress.engine.is_interval = cases[i].is_interval;
        g_assert_cmpuint (dg_chart_view_first_planned (&progress), ==, cases[i].first);
    }
}

static void
look (DgChartLive *live, DgState state, guint run, guint64 now_ms, guint64 phase_ms,
      gboolean is_warmup, guint n, guint64 first)
{
    GArray *samples = g_array_new (FALSE, FALSE, sizeof (guint64));
    DgProgress progress = { .step = 2,
                            .n_steps = 8,
                            .engine = { .state = state,
                                        .step = 2,
                                        .steps_done = 2,
                                        .run = run,
                                        .now_ns = now_ms * 1000000,
                                        .phase_started_ns = phase_ms * 1000000 } };
    for (guint i = 0; i < n; i++) {
        guint64 value = first + i;
        g_array_append_val (samples, value);
    }
    dg_chart_live_take (live, &progress, samples, is_warmup);
}

/* A run is told before it has samples: until then there are those of the run before it, which are
 * shown once, whole, and in their own place. */
static void
test_chart_live (void)
{
    DgChartLive live;
    dg_chart_live_init (&live);
    look (&live, DG_STATE_WARMING, 0, 1200, 1000, TRUE, 2, 100);
    g_assert_cmpuint (live.samples->len, ==, 2);
    look (&live, DG_STATE_MEASURING, 0, 1700, 1500, FALSE, 2, 200);
    g_assert_cmpuint (live.passes->len, ==, 1); /* the warm-up */
    look (&live, DG_STATE_MEASURING, 0, 2000, 1500, FALSE, 5, 200);
    g_assert_cmpuint (live.samples->len, ==, 5);
    look (&live, DG_STATE_DRAINING, 0, 2600, 2590, FALSE, 9, 200);
    g_assert_cmpuint (live.started_ns, ==, 1500000000);
    /* the next run: without samples of its own, however long it is held up */
    look (&live, DG_STATE_MEASURING, 1, 2700, 2650, FALSE, 10, 200);
    g_assert_cmpuint (live.passes->len, ==, 2);
    g_assert_cmpuint (live.samples->len, ==, 0);
    look (&live, DG_STATE_MEASURING, 1, 4700, 2650, FALSE, 10, 200);
    g_assert_cmpuint (live.samples->len, ==, 0);
    const DgChartPass *pass = &g_array_index (live.passes, DgChartPass, 1);
    g_assert_cmpuint (pass->n_samples, ==, 10);
    g_assert_cmpuint (pass->samples[9], ==, 209);
    g_assert_cmpuint (pass->started_ns, ==, 1500000000);
    /* and with them */
    look (&live, DG_STATE_MEASURING, 1, 5000, 4800, FALSE, 2, 300);
    g_assert_cmpuint (live.passes->len, ==, 2);
    g_assert_cmpuint (live.samples->len, ==, 2);
    g_assert_cmpuint (live.started_ns, ==, 4800000000);
    dg_chart_live_clear (&live);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/gui/cell/live-between", test_live_between);
    g_test_add_func ("/gui/cell/live", test_live);
    g_test_add_func ("/gui/chart/planned", test_planned);
    g_test_add_func ("/gui/chart/live", test_chart_live);
    return g_test_run ();
}
