/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the tests of a document and the one being measured stand on the chart's axis. */
#include "app/report/card-private.h"
#include "app/report/chart-private.h"
#include "app/report/report-private.h"
#include "app/report/report.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define SECOND G_GUINT64_CONSTANT (1000000000)

static guint64 samples[] = { 100, 100, 100, 100, 100 };

/* One test of five seconds that began two seconds after the document. */
static void
init_view (DgDocView *view, DgDocTest *test, DgDocRun *run)
{
    *run = (DgDocRun){ .started_ns = 2 * SECOND,
                       .elapsed_ns = 5 * SECOND,
                       .samples = samples,
                       .n_samples = 5,
                       .sample_step_ns = SECOND,
                       .used = TRUE };
    *test = (DgDocTest){ .kind = (gchar *) "speed",
                         .name = (gchar *) "SEQ1M Q8T1",
                         .direction = DG_DIRECTION_READ,
                         .warmup_started_ns = DG_DOC_UNKNOWN,
                         .warmup_elapsed_ns = DG_DOC_UNKNOWN,
                         .runs = run,
                         .n_runs = 1 };
    *view = (DgDocView){ .tests = test, .n_tests = 1 };
}

static const DgBlock *
block (const DgTimeline *timeline, guint index)
{
    g_assert_cmpuint (timeline->blocks->len, >, index);
    return &g_array_index (timeline->blocks, DgBlock, index);
}

/* A row measured again `after_ns` after the document's start: its curve stands behind the old ones,
 * as long after them as it was if that is not too long. */
static void
test_row_alone (gconstpointer data)
{
    guint64 after_ns = GPOINTER_TO_UINT (data) * SECOND;
    gboolean is_long_after = after_ns > 1900 * SECOND;
    DgDocView view;
    DgDocTest test;
    DgDocRun run;
    init_view (&view, &test, &run);
    const DgChartPass passes[] = { { samples, 5, after_ns, TRUE },
                                   { samples, 5, after_ns + SECOND, FALSE } };
    DgChart chart = { .view = &view,
                      .live_test_direction = -1,
                      .planned_ns_each = 7 * SECOND,
                      .now_ns = after_ns - SECOND / 2 };
    DgTimeline timeline;

    /* preparing */
    dg__timeline_init (&timeline, &chart);
    g_assert_cmpint (timeline.is_packed, ==, is_long_after);
    g_assert_cmpuint (timeline.blocks->len, ==, 1);
    g_assert_cmpfloat (timeline.now_s, >=, block (&timeline, 0)->to_s);
    if (is_long_after)
        g_assert_cmpfloat (timeline.end_s, <, 60);
    dg__timeline_done (&timeline);

    /* two passes done, three seconds of the third */
    chart.live_test_direction = DG_DIRECTION_READ;
    chart.live_name = "RND4K Q1T1";
    chart.live_samples = samples;
    chart.n_live_samples = 5;
    chart.live_passes = passes;
    chart.n_live_passes = 2;
    chart.live_started_ns = after_ns + 2 * SECOND;
    chart.now_ns = after_ns + 5 * SECOND / 2;
    dg__timeline_init (&timeline, &chart);
    g_assert_cmpint (timeline.is_packed, ==, is_long_after);
    const DgBlock *old = block (&timeline, 0), *live = block (&timeline, 1);
    g_assert_cmpuint (live->n_spans, ==, 3);
    gdouble expected = is_long_after ? old->to_s + 1 : (gdouble) after_ns / 1e9 - timeline.shift_s;
    g_assert_cmpfloat_with_epsilon (live->from_s, expected, 1e-6);
    g_assert_cmpfloat_with_epsilon (timeline.now_s, expected + 2.5, 1e-6);
    for (guint i = 0; i < live->n_spans; i++) {
        const DgSpan *span = &g_array_index (timeline.spans, DgSpan, live->first_span + i);
        g_assert_cmpfloat_with_epsilon (span->from_s, expected + i, 1e-6);
        g_assert_cmpfloat (span->to_s, <=, timeline.now_s + 1e-6);
    }
    dg__timeline_done (&timeline);
}

/* A result says when it was measured; of a row that was measured again later, that too. */
static void
test_dates (void)
{
    static const gchar *const starts[] = { "2025-11-30T10:00:05.000+01:00",
                                           "2025-11-30T10:00:20.000+01:00",
                                           "2025-11-30T14:00:07.000+01:00",
                                           "2025-12-01T09:30:00.000+01:00" };
    static const guint64 begins_s[] = { 5, 20, 14407, 84600 };
    DgDocView view;
    DgDocTest tests[4];
    DgDocRun runs[4];
    for (guint i = 0; i < 4; i++) {
        init_view (&view, &tests[i], &runs[i]);
        tests[i].started = (gchar *) starts[i];
        tests[i].flush_ns = DG_DOC_UNKNOWN;
        runs[i].started_ns = begins_s[i] * SECOND;
    }
    tests[2].name = (gchar *) "RND4K Q1T1";
    tests[3].name = (gchar *) "RND4K Q32T1";
    view = (DgDocView){ .started = (gchar *) "2025-11-30T10:00:00.000+01:00",
                        .interval_ns = 5 * SECOND,
                        .tests = tests };
    static const gchar *const expected[] = {
        "2025/11/30 10:00:00", "2025/11/30 10:00:00", "2025/11/30 10:00:00",
        "2025/11/30 10:00:00 (RND4K Q1T1: 14:00:07)",
        "2025/11/30 10:00:00 (RND4K Q1T1: 14:00:07, RND4K Q32T1: 2025/12/01 09:30:00)"
    };
    for (view.n_tests = 0; view.n_tests <= 4; view.n_tests++) {
        g_autofree gchar *dates = dg__report_dates (&view, '/', TRUE);
        g_assert_cmpstr (dates, ==, expected[view.n_tests]);
        g_assert_cmpuint (dg_document_measured_ns (&view), ==, view.n_tests * 5 * SECOND);
    }
    /* its flush is no pause */
    view.n_tests = 2;
    runs[1].started_ns = 100 * SECOND;
    for (guint i = 0; i < 2; i++) {
        guint64 end_ns = DG_DOC_UNKNOWN;
        g_assert_false (dg_document_is_another_go (&view, 0, &end_ns));
        g_assert_cmpint (dg_document_is_another_go (&view, 1, &end_ns), ==, i == 0);
        tests[0].flush_ns = 80 * SECOND;
    }
}

/* Two readings are no maximum. */
static void
test_temperature (void)
{
    static const gchar *const sensors[] = { "nvme", "udisks2" };
    for (guint i = 0; i < 2; i++) {
        DgDocView view;
        DgDocTest test;
        DgDocRun run;
        guint n_known;
        init_view (&view, &test, &run);
        DgDocTemperature temperatures[] = { { 1, 0, (gchar *) sensors[i], 31, NAN },
                                            { 2, 0, (gchar *) sensors[i], 51, NAN } };
        view.temperatures = temperatures;
        view.n_temperatures = 2;
        g_autoptr (GArray) lines = dg__report_lines (&view, &n_known);
        const gchar *found = NULL;
        for (guint k = 0; k < lines->len; k++)
            if (g_str_equal (g_array_index (lines, DgReportLine, k).label, "Temperature"))
                found = g_array_index (lines, DgReportLine, k).value;
        g_assert_cmpstr (found, ==,
                         i == 0 ? "31 °C at the start, 51 °C at the end, 51 °C at most"
                                : "31 °C at the start, 51 °C at the end");
    }
}

/* A document may have as many tests and sensors as it likes: looking at it takes time by their
 * number, not by its square. */
static void
test_many (void)
{
    enum {
        MANY = 300000
    };
    g_autofree DgDocTest *tests = g_new0 (DgDocTest, MANY);
    g_autofree DgDocTemperature *temperatures = g_new0 (DgDocTemperature, MANY);
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < MANY; i++) {
        gchar *name = g_strdup_printf ("test %u", i);
        g_ptr_array_add (names, name);
        tests[i] = (DgDocTest){ .kind = (gchar *) "speed",
                                .name = name,
                                .warmup_started_ns = DG_DOC_UNKNOWN,
                                .flush_ns = DG_DOC_UNKNOWN,
                                .shown = -1 };
        temperatures[i] = (DgDocTemperature){ .sensor = name, .celsius = 30, .limit_celsius = NAN };
    }
    DgDocView view = { .started = (gchar *) "2025-11-30T10:00:00Z",
                       .tests = tests,
                       .n_tests = MANY,
                       .temperatures = temperatures,
                       .n_temperatures = MANY };
    DgTemperatureSpan span;
    gint64 start = g_get_monotonic_time ();
    g_assert_true (dg__report_temperatures (&view, &span));
    g_assert_cmpstr (span.sensor, ==, "test 0");
    g_autofree gchar *dates = dg__report_dates (&view, '-', FALSE);
    g_assert_cmpstr (dates, ==, "2025-11-30 10:00 UTC");
    g_autofree gchar *csv = dg_report_csv (&view);
    g_assert_cmpuint (strlen (csv), >, MANY * 20);
    DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1, .unit = DG_UNIT_MB };
    DgCard card = { 0 };
    dg__card_init (&card, &view, &options);
    g_assert_cmpuint (card.rows->len, ==, 64);
    dg__card_done (&card);
    /* By the square it would be hours. */
    g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_data_func ("/timeline/at-once", GUINT_TO_POINTER (10), test_row_alone);
    g_test_add_data_func ("/timeline/minutes-later", GUINT_TO_POINTER (600), test_row_alone);
    g_test_add_data_func ("/timeline/hours-later", GUINT_TO_POINTER (14400), test_row_alone);
    g_test_add_func ("/timeline/many", test_many);
    g_test_add_func ("/timeline/dates", test_dates);
    g_test_add_func ("/timeline/temperature", test_temperature);
    return g_test_run ();
}
