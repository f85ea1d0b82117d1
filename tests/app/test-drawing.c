/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells, chart and chain by their pixels: what is drawn where, in which colour. */
#include "tests/app/pixels.h"

#include <locale.h>
#include <string.h>

/* ---- cells ---- */

#define CELL_WIDTH  402 /* 400 inside the border: a percent is four pixels */
#define CELL_HEIGHT 54

static cairo_surface_t *
draw_cell (const DgCell *cell, DgLook look, gboolean right_to_left)
{
    PangoFontDescription *font = pango_font_description_from_string ("sans 10.5");
    DgDrawStyle style = {
        .look = look, .font = font, .text_scale = 1, .right_to_left = right_to_left
    };
    cairo_surface_t *surface =
        cairo_image_surface_create (CAIRO_FORMAT_ARGB32, CELL_WIDTH, CELL_HEIGHT);
    cairo_t *cr = cairo_create (surface);
    dg_cell_draw (cr, cell, &style, CELL_WIDTH, CELL_HEIGHT);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    pango_font_description_free (font);
    return surface;
}

static DgCell
plain_cell (gdouble value, gdouble ceiling)
{
    return (DgCell){ .direction = DG_DIRECTION_READ,
                     .state = DG_DOC_DONE,
                     .value = value,
                     .slowest = NAN,
                     .fastest = NAN,
                     .figure = "",
                     .ceiling = ceiling,
                     .scale_max = dg_cell_scale (value, ceiling) };
}

/* The middle of the strip. */
#define STRIP_Y (CELL_HEIGHT - 4)

static void
test_scale (void)
{
    g_assert_cmpfloat_with_epsilon (dg_cell_scale (500, 1000), 1000 / 0.92, 1e-6);
    g_assert_cmpfloat_with_epsilon (dg_cell_scale (500, NAN), 500 / 0.92, 1e-6);
    g_assert_cmpfloat_with_epsilon (dg_cell_scale (3000, 1000), 3000 / 0.97, 1e-6);
    g_assert_cmpfloat_with_epsilon (dg_cell_scale (NAN, 1000), 1000 / 0.92, 1e-6);
    g_assert_cmpfloat (dg_cell_scale (NAN, NAN), >, 0);
}

static void
test_bar (void)
{
    DgCell cell = plain_cell (460e6, 920e6); /* 46 % of the width */
    for (guint look = DG_LOOK_LIGHT; look <= DG_LOOK_DARK; look++) {
        cairo_surface_t *surface = draw_cell (&cell, look, FALSE);
        g_assert_cmphex (pixel (surface, 1 + 182, STRIP_Y), ==, color (look, DG_COLOR_READ));
        g_assert_cmphex (pixel (surface, 1 + 186, STRIP_Y), ==, color (look, DG_COLOR_CARD));
        g_assert_cmphex (pixel (surface, 1 + 182, 4), ==, color (look, DG_COLOR_READ_FILL));
        g_assert_cmphex (pixel (surface, 1 + 186, 4), ==, color (look, DG_COLOR_CARD));
        cairo_surface_destroy (surface);
    }
    cairo_surface_t *mirrored = draw_cell (&cell, DG_LOOK_LIGHT, TRUE);
    g_assert_cmphex (pixel (mirrored, CELL_WIDTH - 1 - 182, STRIP_Y), ==,
                     color (DG_LOOK_LIGHT, DG_COLOR_READ));
    g_assert_cmphex (pixel (mirrored, CELL_WIDTH - 1 - 187, STRIP_Y), ==,
                     color (DG_LOOK_LIGHT, DG_COLOR_CARD));
    cairo_surface_destroy (mirrored);
    /* High contrast has the strip but no fill. */
    cairo_surface_t *contrast = draw_cell (&cell, DG_LOOK_CONTRAST_LIGHT, FALSE);
    g_assert_cmphex (pixel (contrast, 1 + 100, STRIP_Y), ==,
                     color (DG_LOOK_CONTRAST_LIGHT, DG_COLOR_READ));
    g_assert_cmphex (pixel (contrast, 1 + 100, 4), ==, 0xffffff);
    cairo_surface_destroy (contrast);
}

static void
test_smallest_bar (void)
{
    DgCell cell = plain_cell (1, 1e9);
    cairo_surface_t *surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    g_assert_cmphex (pixel (surface, 2, CELL_HEIGHT / 2), ==,
                     color (DG_LOOK_LIGHT, DG_COLOR_READ_FILL));
    g_assert_cmphex (pixel (surface, 3, CELL_HEIGHT / 2), ==, color (DG_LOOK_LIGHT, DG_COLOR_CARD));
    cairo_surface_destroy (surface);
}

static guint
count_differences (cairo_surface_t *a, cairo_surface_t *b)
{
    guint n = 0;
    for (gint x = 0; x < CELL_WIDTH; x++)
        for (gint y = 0; y < CELL_HEIGHT; y++)
            n += pixel (a, x, y) != pixel (b, x, y) ? 1 : 0;
    return n;
}

/* Beside a figure of any length stands the whole spread or nothing: no half of it and no dots
 * instead, also with the marks that keep its sign before its number. */
static void
test_spread_without_room (void)
{
    static const gchar *const spreads[] = { "±99.9 %", "\u200e±99.9 %\u200e" };
    for (guint i = 0; i < 2 * G_N_ELEMENTS (spreads); i++) {
        guint n_whole = 0, n_none = 0;
        for (gint length = 1; length <= 30; length++) {
            DgCell cell = plain_cell (500e6, 1000e6);
            g_autofree gchar *figure = g_strnfill ((gsize) length, '8');
            cell.figure = figure;
            cairo_surface_t *without = draw_cell (&cell, DG_LOOK_LIGHT, i % 2);
            cell.beside = (gchar *) spreads[i / 2];
            cairo_surface_t *with = draw_cell (&cell, DG_LOOK_LIGHT, i % 2);
            guint n = count_differences (with, without);
            g_assert_true (n == 0 || n > 100);
            n_none += n == 0;
            n_whole += n > 0;
            cairo_surface_destroy (without);
            cairo_surface_destroy (with);
        }
        g_assert_cmpuint (n_none, >, 2);
        g_assert_cmpuint (n_whole, >, 2);
    }
}

/* A narrow cell's figure becomes a little smaller before its spread is left out. */
static void
test_narrow_spread (void)
{
    for (guint narrow = 0; narrow < 2; narrow++) {
        guint n_smaller = 0;
        for (gint length = 1; length <= 30; length++) {
            DgCell cell = plain_cell (500e6, 1000e6);
            g_autofree gchar *figure = g_strnfill ((gsize) length, '8');
            cell.figure = figure;
            cell.is_narrow = narrow != 0;
            cairo_surface_t *without = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
            cell.beside = (gchar *) "±99.9 %";
            cairo_surface_t *with = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
            guint n_figure = 0; /* where nothing but nine digits stands */
            for (gint x = 0; x < 60; x++)
                for (gint y = 0; y < CELL_HEIGHT; y++)
                    n_figure += length > 8 && pixel (with, x, y) != pixel (without, x, y) ? 1 : 0;
            n_smaller += n_figure > 20 && count_differences (with, without) > n_figure ? 1 : 0;
            cairo_surface_destroy (without);
            cairo_surface_destroy (with);
        }
        g_assert_cmpint (n_smaller > 0, ==, narrow != 0);
    }
}

/* The columns of an otherwise empty cell in which something dark stands. */
static gint
dark_column (cairo_surface_t *surface)
{
    gint found = -1;
    for (gint x = 20; x < CELL_WIDTH - 10; x++)
        for (gint y = 6; y < CELL_HEIGHT - 8; y++)
            if ((pixel (surface, x, y) & 0xff) < 0x90) {
                g_assert_true (found < 0 || x - found <= 1);
                found = found < 0 ? x : found;
            }
    return found;
}

static void
test_ceiling (void)
{
    DgCell cell = plain_cell (NAN, 920e6);
    cairo_surface_t *surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    g_assert_cmpint (ABS (dark_column (surface) - (1 + 368)), <=, 1); /* 92 % of 400 */
    cairo_surface_destroy (surface);
    surface = draw_cell (&cell, DG_LOOK_LIGHT, TRUE);
    g_assert_cmpint (ABS (dark_column (surface) - (CELL_WIDTH - 2 - 368)), <=, 1);
    cairo_surface_destroy (surface);
    cell = plain_cell (NAN, NAN);
    surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    g_assert_cmpint (dark_column (surface), ==, -1);
    cairo_surface_destroy (surface);
}

static void
test_above_link (void)
{
    DgCell cell = plain_cell (2000e6, 1000e6); /* the value at 97 %, the ceiling at half of that */
    cell.is_above_link = TRUE;
    cairo_surface_t *surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    g_assert_cmphex (pixel (surface, 1 + 180, 4), ==, color (DG_LOOK_LIGHT, DG_COLOR_READ_FILL));
    g_assert_cmphex (pixel (surface, 1 + 200, 4), ==, color (DG_LOOK_LIGHT, DG_COLOR_WARN_FILL));
    g_assert_cmphex (pixel (surface, 1 + 386, 4), ==, color (DG_LOOK_LIGHT, DG_COLOR_WARN_FILL));
    g_assert_cmphex (pixel (surface, 1 + 390, 4), ==, color (DG_LOOK_LIGHT, DG_COLOR_CARD));
    cairo_surface_destroy (surface);
}

static void
test_whisker (void)
{
    DgCell cell = plain_cell (460e6, 920e6);
    cell.slowest = 400e6;
    cell.fastest = 600e6;
    cairo_surface_t *surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    guint marked = 0;
    for (gint x = 1 + 186; x <= 1 + 250; x++)
        for (gint y = CELL_HEIGHT - 9; y < CELL_HEIGHT - 1; y++)
            if (pixel (surface, x, y) != color (DG_LOOK_LIGHT, DG_COLOR_CARD)) {
                marked++;
                g_assert_cmpint (x, <=, 1 + 241); /* 600 of 1000 MB/s */
            }
    g_assert_cmpuint (marked, >=, 2 * 54);
    cairo_surface_destroy (surface);
}

static void
test_patterns (void)
{
    DgCell cell = plain_cell (460e6, 920e6);
    cell.direction = DG_DIRECTION_WRITE;
    cairo_surface_t *surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    guint plain = 0, other = 0;
    for (gint x = 10; x < 170; x++)
        if (pixel (surface, x, STRIP_Y) == color (DG_LOOK_LIGHT, DG_COLOR_WRITE))
            plain++;
        else
            other++;
    g_assert_cmpuint (plain, >, 35); /* colour between the stripes */
    g_assert_cmpuint (other, >, 30); /* and the stripes */
    cairo_surface_destroy (surface);
    cell.is_dimmed = TRUE;
    surface = draw_cell (&cell, DG_LOOK_LIGHT, FALSE);
    const guchar *data = cairo_image_surface_get_data (surface)
                         + CELL_HEIGHT / 2 * cairo_image_surface_get_stride (surface);
    g_assert_cmpuint (((const guint32 *) (const void *) data)[100] >> 24, <,
                      140); /* half see-through */
    cairo_surface_destroy (surface);
}

static void
test_cell_texts (void)
{
    g_autoptr (DgDocument) document = load ("broken");
    const DgDocView *view = dg_document_view (document);
    DgDrawStyle style = { .for_file = TRUE };
    DgCell cell;
    dg_cell_from_test (&cell, view, 0, DG_DIRECTION_READ, NULL, &style);
    g_assert_cmpstr (cell.figure, ==, "Input/output error");
    g_assert_cmpstr (cell.below, ==, "at 312 MiB after 2 runs; 14 errors");
    g_assert_true (isnan (cell.value));
    dg_cell_clear (&cell);
    dg_cell_from_test (&cell, view, 1, DG_DIRECTION_READ, NULL, &style);
    g_assert_cmpstr (cell.figure, ==, "842.6");
    g_assert_cmpstr (cell.beside, ==, "1 of 3 runs, stopped");
    dg_cell_clear (&cell);
    dg_cell_from_test (&cell, view, 2, DG_DIRECTION_READ, NULL, &style);
    g_assert_cmpstr (cell.figure, ==, "—");
    g_assert_cmpstr (cell.beside, ==, "not run: stopped before");
    dg_cell_clear (&cell);

    g_autoptr (DgDocument) usb = load ("usb");
    view = dg_document_view (usb);
    dg_cell_from_test (&cell, view, 6, DG_DIRECTION_WRITE, NULL, &style);
    g_assert_cmpstr (cell.beside, ==, "±4.2 %");
    g_assert_true (cell.beside_is_warning);
    g_assert_cmpfloat_with_epsilon (cell.ceiling, 1050e6, 1);
    dg_cell_clear (&cell);
    DgProfileRow row = { 0, TRUE, DG_SHOW_IOPS };
    dg_cell_from_test (&cell, view, 3, DG_DIRECTION_READ, &row, &style);
    g_assert_cmpstr (cell.figure, ==, "6797");
    g_assert_cmpstr (cell.unit, ==, "IOPS");
    g_assert_cmpstr (cell.below, ==, "27.84 MB/s · p50 142 µs · p99 214 µs");
    dg_cell_clear (&cell);
    row.show = DG_SHOW_LATENCY;
    dg_cell_from_test (&cell, view, 3, DG_DIRECTION_READ, &row, &style);
    g_assert_cmpstr (cell.figure, ==, "147.1");
    g_assert_cmpfloat_with_epsilon (cell.value, 27.84e6,
                                    1e3); /* the bar is the rate all the same */
    dg_cell_clear (&cell);
    dg_cell_from_test (&cell, NULL, -1, DG_DIRECTION_MIX, NULL, &style);
    g_assert_cmpstr (cell.figure, ==, "—");
    dg_cell_clear (&cell);
}

/* ---- chart and chain ---- */

static cairo_surface_t *
draw_chart (const DgChart *chart, const DgDrawStyle *style, gint width)
{
    gint height = (gint) dg_chart_height (style, chart->is_narrow);
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *cr = cairo_create (surface);
    dg_palette_set_source (cr, style->look, DG_COLOR_CARD);
    cairo_paint (cr);
    dg_chart_draw (cr, chart, style, width, height);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    return surface;
}

static void
test_chart (gconstpointer data)
{
    g_autoptr (DgDocument) document = load (data);
    DgChart chart = { .view = dg_document_view (document),
                      .live_test_direction = -1,
                      .pointer_x = -1 };
    for (guint look = 0; look < 4; look++) {
        DgDrawStyle style = { .look = look, .text_scale = 1, .right_to_left = look == 1 };
        for (gint width = 60; width <= 860; width += 400) {
            chart.is_narrow = width < 500;
            chart.pointer_x = width / 2;
            cairo_surface_destroy (draw_chart (&chart, &style, width));
            chart.pointer_x = -1;
            cairo_surface_t *surface = draw_chart (&chart, &style, width);
            if (strcmp (data, "usb") == 0 && width > 500) {
                g_assert_cmpuint (count_color (surface, color (look, DG_COLOR_READ)), >, 300);
                g_assert_cmpuint (count_color (surface, color (look, DG_COLOR_WRITE)), >, 500);
            }
            cairo_surface_destroy (surface);
        }
        g_autofree gchar *text = dg_chart_describe (&chart, &style);
        g_assert_cmpuint (strlen (text), >, 20);
    }
}

/* A line of the warning's colour from top to bottom where the cache ended, another at the test that
 * was too hot. */
static void
test_chart_marks (void)
{
    g_autoptr (DgDocument) document = load ("cache");
    DgChart chart = { .view = dg_document_view (document),
                      .live_test_direction = -1,
                      .pointer_x = -1 };
    DgDrawStyle style = { .text_scale = 1 };
    cairo_surface_t *surface = draw_chart (&chart, &style, 1000);
    guint lines = 0, height = (guint) cairo_image_surface_get_height (surface);
    for (gint x = 0; x < 1000; x++) {
        guint marked = 0;
        for (guint y = 0; y < height; y++)
            marked += pixel (surface, x, (gint) y) == color (DG_LOOK_LIGHT, DG_COLOR_WARN) ? 1 : 0;
        lines += marked > height / 2 ? 1 : 0;
    }
    g_assert_cmpuint (lines, ==, 2);
    cairo_surface_destroy (surface);
}

/* The numbers beside a chart of very fast drives are not cut at its edge. */
static void
test_chart_digits (void)
{
    g_autoptr (DgDocument) document = load ("usb");
    const DgDocView *view = dg_document_view (document);
    for (guint times = 1; times <= 100; times *= 10) {
        for (guint t = 0; times > 1 && t < view->n_tests; t++)
            for (guint r = 0; r < view->tests[t].n_runs; r++)
                for (guint i = 0; i < view->tests[t].runs[r].n_samples; i++)
                    view->tests[t].runs[r].samples[i] *= 10;
        for (guint narrow = 0; narrow < 2; narrow++) {
            DgChart chart = {
                .view = view, .live_test_direction = -1, .pointer_x = -1, .is_narrow = narrow
            };
            DgDrawStyle style = { .text_scale = 1.5 };
            cairo_surface_t *surface = draw_chart (&chart, &style, 900);
            gint height = cairo_image_surface_get_height (surface);
            for (gint y = height / 4; y < height; y++)
                g_assert_cmpuint (pixel (surface, 0, y), ==, color (DG_LOOK_LIGHT, DG_COLOR_CARD));
            cairo_surface_destroy (surface);
        }
    }
}

static void
test_chart_steps (void)
{
    g_autoptr (DgDocument) document = load ("usb");
    DgChart chart = { .view = dg_document_view (document),
                      .live_test_direction = -1,
                      .pointer_x = -1 };
    DgDrawStyle style = { .text_scale = 1 };
    gdouble x = 0;
    guint steps = 0;
    for (;;) {
        gdouble next = dg_chart_step (&chart, &style, 4000, x, 1);
        if (next == x)
            break;
        g_assert_cmpfloat (next, >, x);
        if (steps > 0) /* and back to where it came from */
            g_assert_cmpfloat_with_epsilon (dg_chart_step (&chart, &style, 4000, next, -1), x,
                                            1e-9);
        x = next;
        steps++;
    }
    /* Eight warm-ups of 5 samples, 31 runs of 20. */
    g_assert_cmpuint (steps, ==, 8 * 5 + 31 * 20);
}

/* The table's numbers are those of the curve, and stepping along it reads them one by one. */
static void
test_chart_points (void)
{
    g_autoptr (DgDocument) document = load ("usb");
    const DgDocView *view = dg_document_view (document);
    DgChart chart = { .view = view, .live_test_direction = -1, .pointer_x = -1 };
    DgDrawStyle style = { .text_scale = 1, .for_file = TRUE };
    g_autoptr (GArray) points = dg_chart_points (view);
    g_assert_cmpuint (points->len, ==, 8 * 5 + 31 * 20);
    gdouble x = 0;
    for (guint i = 0; i < points->len; i++) {
        const DgChartPoint *point = &g_array_index (points, DgChartPoint, i);
        x = dg_chart_step (&chart, &style, 4000, x, 1);
        g_autofree gchar *rate = dg_number_rate (point->bytes_per_s, DG_UNIT_MB, DG_FOR_FILE);
        g_autofree gchar *start =
            g_strdup_printf ("%s MB/s, %s ", rate, view->tests[point->test].name);
        g_autofree gchar *text = dg_chart_describe_point (&chart, &style, 4000, x);
        g_assert_true (g_str_has_prefix (text, start));
    }
    g_autofree gchar *all = dg_chart_describe_tests (view, &style);
    g_auto (GStrv) parts = g_strsplit (all, "; ", -1);
    g_assert_cmpuint (g_strv_length (parts), ==, 8);
    g_assert_true (g_str_has_prefix (parts[0], "SEQ1M Q8T1 read: 1036 MB/s, between "));
}

static void
test_chart_running (void)
{
    g_autoptr (DgDocument) document = load ("read-only");
    const DgDocView *view = dg_document_view (document);
    static const guint64 live[] = { 90000000, 95000000, 98000000 };
    static const gchar *const names[] = { "SEQ1M Q1T1", "RND4K Q32T1" };
    static const DgDirection directions[] = { DG_DIRECTION_WRITE, DG_DIRECTION_WRITE };
    DgDrawStyle style = { .text_scale = 1 };
    guint64 end = view->tests[3].runs[2].started_ns + view->tests[3].runs[2].elapsed_ns;
    DgChart chart = { .view = view,
                      .live_test_direction = DG_DIRECTION_WRITE,
                      .live_name = "SEQ1M Q8T1",
                      .live_samples = live,
                      .n_live_samples = 3,
                      .live_started_ns = end + 1000000000u,
                      .planned_names = names,
                      .planned_directions = directions,
                      .n_planned = 2,
                      .planned_ns_each = 7000000000u,
                      .now_ns = end + 1300000000u,
                      .pointer_x = -1 };
    cairo_surface_t *surface = draw_chart (&chart, &style, 800);
    g_assert_cmpuint (count_color (surface, color (DG_LOOK_LIGHT, DG_COLOR_WRITE)), >, 100);
    cairo_surface_destroy (surface);
    DgChart empty = { .live_test_direction = -1, .pointer_x = 10 };
    cairo_surface_destroy (draw_chart (&empty, &style, 800));
}

static void
test_chain (gconstpointer data)
{
    g_autoptr (DgDocument) document = load (data);
    const DgDocView *view = dg_document_view (document);
    const DgDocTarget *target = view->n_targets > 0 ? &view->targets[0] : NULL;
    gboolean has_link = target != NULL && target->has_link;
    g_assert_cmpint (dg_chain_is_drawable (target), ==, has_link);
    for (guint i = 0; i < 8; i++) {
        DgDrawStyle style = { .look = i % 4, .text_scale = 1, .right_to_left = i % 2 == 1 };
        cairo_surface_t *surface =
            cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 100 + (gint) i * 120, 120);
        cairo_t *cr = cairo_create (surface);
        dg_chain_draw (cr, target, &style, 100 + i * 120, dg_chain_height (NULL, &style, i < 4),
                       i < 4);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_flush (surface);
        if (i == 7 && strcmp (data, "slow-port") == 0)
            g_assert_cmpuint (count_color (surface, color (DG_LOOK_CONTRAST_DARK, DG_COLOR_WARN)),
                              >, 200);
        cairo_surface_destroy (surface);
    }
    g_autofree gchar *text = dg_chain_describe (target);
    g_assert_true ((*text != '\0') == has_link);
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/cell/scale", test_scale);
    g_test_add_func ("/cell/bar", test_bar);
    g_test_add_func ("/cell/smallest-bar", test_smallest_bar);
    g_test_add_func ("/cell/ceiling", test_ceiling);
    g_test_add_func ("/cell/above-link", test_above_link);
    g_test_add_func ("/cell/whisker", test_whisker);
    g_test_add_func ("/cell/patterns", test_patterns);
    g_test_add_func ("/cell/spread-without-room", test_spread_without_room);
    g_test_add_func ("/cell/narrow-spread", test_narrow_spread);
    g_test_add_func ("/cell/texts", test_cell_texts);
    g_test_add_func ("/chart/digits", test_chart_digits);
    g_test_add_func ("/chart/steps", test_chart_steps);
    g_test_add_func ("/chart/points", test_chart_points);
    g_test_add_func ("/chart/marks", test_chart_marks);
    g_test_add_func ("/chart/running", test_chart_running);
    const gchar *const *names = report_sample_names ();
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree gchar *of_chart = g_strdup_printf ("/chart/sample/%s", names[i]);
        g_autofree gchar *of_chain = g_strdup_printf ("/chain/sample/%s", names[i]);
        g_test_add_data_func (of_chart, names[i], test_chart);
        g_test_add_data_func (of_chain, names[i], test_chain);
    }
    return g_test_run ();
}
