/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widgets by themselves: what they say to assistive technology, what they keep, how they
 * measure. */
#include "app/gui/cell-button.h"
#include "app/gui/cell-text.h"
#include "app/gui/color-scheme.h"
#include "app/gui/export.h"
#include "app/gui/plan-menus.h"
#include "app/gui/plan-row.h"
#include "app/gui/runs-popover.h"
#include "app/gui/speed-grid.h"
#include "app/gui/speed-page.h"
#include "app/gui/style.h"
#include "app/report/card.h"
#include "tests/gui/sample.h"

#include <math.h>

/* ---- cells ---- */

static void
test_spoken (void)
{
    g_autoptr (DgDocument) document = load_sample ();
    const DgDocView *view = dg_document_view (document);
    gint test = dg_view_find_test (view, "SEQ1M Q8T1", DG_DIRECTION_READ);
    g_assert_cmpint (test, >=, 0);
    g_autofree gchar *text =
        dg_cell_text_spoken (view, test, "SEQ1M Q8T1", DG_DIRECTION_READ, NULL, DG_UNIT_MB);
    g_assert_true (g_str_has_prefix (text, "SEQ1M Q8T1 read: 1036 megabytes per second"));
    g_assert_nonnull (strstr (text, "operations per second."));
    g_assert_nonnull (strstr (text, "milliseconds."));
    g_assert_true (g_str_has_suffix (text, "percent of the link’s ceiling."));
    g_assert_null (strstr (text, "\u202f"));
    g_autofree gchar *empty =
        dg_cell_text_spoken (NULL, -1, "SEQ1M Q1T1", DG_DIRECTION_WRITE, NULL, DG_UNIT_MB);
    g_assert_cmpstr (empty, ==, "SEQ1M Q1T1 write: not measured yet.");
}

/* Doubts and reasons are heard, not only seen. */
static void
test_spoken_doubts (void)
{
    g_autoptr (DgDocument) sample = load_sample ();
    static const struct {
        const gchar *finding, *direct, *state, *reason, *heard;
    } cases[] = {
        { "above-link", NULL, NULL, NULL, "a cache, not the drive" },
        { "unstable", NULL, NULL, NULL, "Unstable." },
        { NULL, "refuted", NULL, NULL, "Not direct" },
        { NULL, NULL, "not-run", "read-only", "not run: read-only." },
        { NULL, NULL, "failed", NULL, "failed: Input/output error, at 312" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        json_t *root = json_deep_copy (dg_document_json (sample));
        json_t *test = json_array_get (json_object_get (root, "tests"), 0), *run;
        gsize k;
        json_object_set_new (root, "findings",
                             cases[i].finding
                                 ? json_pack ("[{s:s, s:s, s:i, s:{}}]", "id", cases[i].finding,
                                              "severity", "warning", "test", 0, "values")
                                 : json_array ());
        json_array_foreach (json_object_get (test, "runs"), k, run)
        {
            if (cases[i].direct)
                json_object_set_new (run, "direct", json_string (cases[i].direct));
            if (g_strcmp0 (cases[i].state, "failed") == 0)
                json_object_set_new (run, "errors",
                                     json_pack ("[{s:s, s:I, s:s, s:i}]", "operation", "read",
                                                "offset_bytes", (json_int_t) 327155712, "text",
                                                "Input/output error", "count", 1));
        }
        if (cases[i].state) {
            json_object_set_new (test, "state", json_string (cases[i].state));
            json_object_set_new (test, "shown", json_null ());
        }
        if (cases[i].reason)
            json_object_set_new (test, "reason", json_string (cases[i].reason));
        g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
        const DgDocView *view = dg_document_view (document);
        g_autofree gchar *text = dg_cell_text_spoken (view, 0, view->tests[0].name,
                                                      view->tests[0].direction, NULL, DG_UNIT_MB);
        g_test_message ("%s", text);
        g_assert_nonnull (strstr (text, cases[i].heard));
        json_decref (root);
    }
}

/* The sample with its figures being the best of the runs. */
static DgDocument *
load_best (void)
{
    g_autoptr (DgDocument) sample = load_sample ();
    json_t *root = json_deep_copy (dg_document_json (sample)), *test;
    gsize i;
    json_object_set_new (json_object_get (root, "plan"), "statistic", json_string ("best"));
    json_object_set_new (json_object_get (root, "plan"), "runs", json_integer (5));
    json_array_foreach (json_object_get (root, "tests"), i, test)
        json_object_set_new (json_object_get (test, "shown"), "statistic", json_string ("best"));
    DgDocument *document = dg_document_new_from_json (root, NULL);
    json_decref (root);
    return document;
}

static gboolean
has_label (GtkWidget *widget, const gchar *text)
{
    if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text))
        return TRUE;
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        if (has_label (child, text))
            return TRUE;
    return FALSE;
}

/* Wherever the best of the runs stands for their median, it is named. */
static void
test_best (void)
{
    g_autoptr (DgDocument) best = load_best (), median = load_sample ();
    g_autoptr (DgSession) session = dg_session_new ();
    GtkWidget *grid = g_object_ref_sink (g_object_new (DG_TYPE_SPEED_GRID, NULL));
    wait_for_targets (session);
    dg_speed_grid_set_session (DG_SPEED_GRID (grid), session);
    g_assert_false (has_label (grid, "best"));
    dg_session_show_saved (session, median, FALSE);
    g_assert_false (has_label (grid, "best"));
    dg_session_show_saved (session, best, FALSE);
    g_assert_true (has_label (grid, "MB/s, best of the runs"));
    dg_speed_grid_set_narrow (DG_SPEED_GRID (grid), TRUE);
    g_assert_true (has_label (grid, "MB/s, best run"));
    dg_session_close_saved (session);
    g_assert_false (has_label (grid, "best"));

    const DgDocView *view = dg_document_view (best);
    g_autofree gchar *spoken = dg_cell_text_spoken (view, 0, view->tests[0].name,
                                                    view->tests[0].direction, NULL, DG_UNIT_MB);
    g_assert_nonnull (strstr (spoken, "megabytes per second, the best of its runs"));
    g_autofree gchar *note = dg_runs_popover_dup_note (view, &view->tests[0]);
    g_assert_nonnull (strstr (note, "the best of the runs is shown"));
    g_object_unref (grid);
}

/* Why runs are grey is said only when it is so. */
static void
test_grey_runs (void)
{
    static const struct {
        guint64 planned; /* 0 = auto */
        gboolean is_first;
        gint complete;
        guint64 suspended_ns;
        guint n_errors;
        DgDocState state;
        const gchar *note;
    } cases[] = {
        { 0, TRUE, 1, 0, 0, DG_DOC_DONE, "agreeing" },
        { 0, TRUE, -1, DG_DOC_UNKNOWN, 0, DG_DOC_DONE, "agreeing" },
        { 3, TRUE, 1, 0, 0, DG_DOC_DONE, "do not count" },
        { 0, FALSE, 1, 0, 0, DG_DOC_DONE, "do not count" },
        { 0, TRUE, 0, 0, 0, DG_DOC_DONE, "do not count" },
        { 0, TRUE, 1, 200000000, 0, DG_DOC_DONE, "do not count" },
        { 0, TRUE, 1, 0, 1, DG_DOC_DONE, "do not count" },
        { 0, TRUE, 1, 0, 0, DG_DOC_STOPPED, "do not count" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        DgDocRun runs[4] = { 0 };
        DgDocTest test = { .runs = runs, .n_runs = 4, .state = cases[i].state, .shown = 1 };
        DgDocView view = { .runs = cases[i].planned };
        DgDocRun *grey = &runs[cases[i].is_first ? 0 : 3];
        for (guint k = 0; k < 4; k++) {
            runs[k].used = &runs[k] != grey;
            runs[k].complete = 1;
        }
        grey->complete = cases[i].complete;
        grey->suspended_ns = cases[i].suspended_ns;
        grey->n_errors = cases[i].n_errors;
        g_autofree gchar *note = dg_runs_popover_dup_note (&view, &test);
        g_test_message ("%u: %s", i, note);
        g_assert_nonnull (strstr (note, cases[i].note));
        grey->used = TRUE;
        g_autofree gchar *none = dg_runs_popover_dup_note (&view, &test);
        g_assert_cmpstr (none, ==, "");
    }
}

/* How long the flush took stands with the runs, and whether it is in their time. */
static void
test_flush (void)
{
    DgDocRun run = { .used = TRUE, .complete = 1 };
    DgDocTest test = {
        .runs = &run, .n_runs = 1, .direction = DG_DIRECTION_WRITE, .flush_ns = 12300000
    };
    DgDocTarget target = { .file_direct = 1 };
    DgDocView view = { .runs = 1, .targets = &target, .n_targets = 1 };
    g_autofree gchar *beside = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (beside, ==, "flush 12.3\u00a0ms, not in the time of writes");
    view.include_flush = TRUE;
    g_autofree gchar *asked = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (asked, ==, "flush 12.3\u00a0ms, in the time of writes");
    /* Through the system's cache a write without its flush would be none. */
    view.include_flush = FALSE;
    target.file_direct = 0;
    g_autofree gchar *buffered = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (buffered, ==, "flush 12.3\u00a0ms, in the time of writes");
    test.flush_ns = DG_DOC_UNKNOWN;
    g_autofree gchar *none = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (none, ==, "");
    /* What hung when the time was over is told when it was older than all that is counted. */
    run.unfinished = 5;
    run.max_ns = run.oldest_unfinished_ns = 812000000;
    g_autofree gchar *usual = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (usual, ==, "");
    run.max_ns--;
    g_autofree gchar *hung = dg_runs_popover_dup_note (&view, &test);
    g_assert_cmpstr (hung, ==, "5 under way at the end, for up to 812\u00a0ms");
}

static void
test_cell_button (void)
{
    g_autoptr (DgDocument) document = load_sample ();
    const DgDocView *view = dg_document_view (document);
    GtkWidget *window = gtk_window_new (), *button = dg_cell_button_new ();
    gtk_window_set_child (GTK_WINDOW (window), button);
    gtk_window_present (GTK_WINDOW (window));
    gtk_test_widget_wait_for_draw (button);
    gtk_test_accessible_assert_role (button, GTK_ACCESSIBLE_ROLE_BUTTON);

    DgDrawStyle style;
    DgCell cell = { 0 };
    dg_style_for (button, DG_UNIT_MB, &style);
    gint test = dg_view_find_test (view, "RND4K Q1T1", DG_DIRECTION_READ);
    dg_cell_from_test (&cell, view, test, DG_DIRECTION_READ, NULL, &style);
    dg_cell_button_take (DG_CELL_BUTTON (button), &cell, DG_UNIT_MB, "a sentence");
    gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "a sentence");
    g_assert_cmpstr (dg_cell_button_get_cell (DG_CELL_BUTTON (button))->figure, ==, "27.84");

    /* three lines need more height than two, and larger text more than small */
    int wide, narrow, large;
    gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, -1, &wide, NULL, NULL, NULL);
    dg_cell_button_set_narrow (DG_CELL_BUTTON (button), TRUE);
    gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, -1, &narrow, NULL, NULL, NULL);
    g_assert_cmpint (narrow, >, wide);
    dg_cell_button_set_big (DG_CELL_BUTTON (button), TRUE);
    gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, -1, &large, NULL, NULL, NULL);
    g_assert_cmpint (large, >, narrow);
    gtk_test_widget_wait_for_draw (button);
    dg_style_clear (&style);
    gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- the page ---- */

static gboolean
has_name (GtkWidget *widget, GType type, guint *count)
{
    if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget))
        (*count)++;
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        has_name (child, type, count);
    return *count > 0;
}

static void
test_page_width (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    GtkWidget *window = gtk_window_new ();
    GtkWidget *page = g_object_new (DG_TYPE_SPEED_PAGE, NULL);
    int minimum;
    wait_for_targets (session);
    dg_speed_page_set_session (DG_SPEED_PAGE (page), session);
    gtk_window_set_child (GTK_WINDOW (window), page);
    gtk_widget_measure (page, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_assert_cmpint (minimum, ==, 360);
    gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
    gtk_window_present (GTK_WINDOW (window));
    gtk_test_widget_wait_for_draw (page);
    spin (200);
    guint n_cells = 0, n_wide = 0, n_narrow = 0;
    has_name (page, DG_TYPE_CELL_BUTTON, &n_cells);
    g_assert_cmpuint (n_cells, ==, 8);
    has_name (page, GTK_TYPE_MENU_BUTTON, &n_wide);
    gtk_window_set_default_size (GTK_WINDOW (window), 400, 700);
    spin (500);
    g_assert_cmpint (gtk_widget_get_width (page), <, 720);
    has_name (page, GTK_TYPE_MENU_BUTTON, &n_narrow);
    /* the plan's controls have folded into one */
    g_assert_cmpuint (n_wide, ==, 4);
    g_assert_cmpuint (n_narrow, ==, 1);
    gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- the way out ---- */

static void
test_exports (void)
{
    g_autoptr (DgDocument) document = load_sample ();
    static const gchar *const ids[] = { "png",    "svg", "text", "markdown",
                                        "bbcode", "csv", "json", "json-anonymous" };
    static const gchar *const starts[DG_N_EXPORTS] = { "\x89PNG", "<?xml", NULL, NULL,
                                                       NULL,      NULL,    "{",  "{" };
    for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
        DgExport export;
        g_autoptr (GError) error = NULL;
        g_assert_true (dg_export_from_id (ids[i], &export));
        g_assert_cmpint (export, ==, i);
        g_autoptr (GBytes) bytes = dg_export_make (export, document, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (g_bytes_get_size (bytes), >, 200);
        if (starts[i])
            g_assert_cmpmem (g_bytes_get_data (bytes, NULL), strlen (starts[i]), starts[i],
                             strlen (starts[i]));
        if (export == DG_EXPORT_TEXT) {
            g_autofree gchar *text =
                g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
            g_assert_nonnull (strstr (text, "1,000,000 bytes/s"));
        }
    }
    DgExport none;
    g_assert_false (dg_export_from_id ("exe", &none));
}

/* ---- the look ---- */

static void
test_look (void)
{
    g_autoptr (DgColorScheme) scheme = dg_color_scheme_new (gtk_settings_get_default ());
    gboolean dark;
    dg_color_scheme_set_wish (scheme, DG_SCHEME_DARK);
    g_assert_cmpint (dg_style_get_look (), ==, DG_LOOK_DARK);
    g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
    g_assert_true (dark);
    dg_color_scheme_set_wish (scheme, DG_SCHEME_LIGHT);
    g_assert_cmpint (dg_style_get_look (), ==, DG_LOOK_LIGHT);
}

static gboolean
has_cut_value (GtkWidget *widget)
{
    if (GTK_IS_LABEL (widget) && gtk_label_get_ellipsize (GTK_LABEL (widget))
        && gtk_widget_get_ancestor (widget, GTK_TYPE_MENU_BUTTON)
        && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
        return TRUE;
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        if (gtk_widget_get_visible (child) && has_cut_value (child))
            return TRUE;
    return FALSE;
}

/* Unfolded, the plan's values are whole: where they cannot be, the row says that it has no room. */
static void
test_plan_room (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    GtkWidget *window = gtk_window_new (), *row = g_object_new (DG_TYPE_PLAN_ROW, NULL);
    gint first = 0;
    dg_session_get_options (session)->directions[DG_DIRECTION_MIX] = TRUE;
    dg_plan_row_set_session (DG_PLAN_ROW (row), session);
    gtk_window_set_child (GTK_WINDOW (window), row);
    gtk_window_present (GTK_WINDOW (window));
    spin (200);
    for (gint width = 400; width <= 2000; width += 4) {
        gtk_widget_allocate (row, width, 60, -1, NULL);
        if (!dg_plan_row_has_room (DG_PLAN_ROW (row))) {
            g_assert_cmpint (first, ==, 0);
            continue;
        }
        first = first ? first : width;
        g_assert_false (has_cut_value (row));
    }
    g_assert_cmpint (first, >, 400);
    gtk_widget_allocate (row, first * 3 / 4, 60, -1, NULL);
    g_assert_true (has_cut_value (row));
    gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
    use_scratch_folders ();
    gtk_test_init (&argc, &argv, NULL);
    dg_style_init (gdk_display_get_default ());
    g_test_add_func ("/gui/cell/spoken", test_spoken);
    g_test_add_func ("/gui/cell/spoken-doubts", test_spoken_doubts);
    g_test_add_func ("/gui/best", test_best);
    g_test_add_func ("/gui/grey-runs", test_grey_runs);
    g_test_add_func ("/gui/flush", test_flush);
    g_test_add_func ("/gui/cell/button", test_cell_button);
    g_test_add_func ("/gui/page/width", test_page_width);
    g_test_add_func ("/gui/export", test_exports);
    g_test_add_func ("/gui/plan/room", test_plan_room);
    g_test_add_func ("/gui/look", test_look);
    return g_test_run ();
}
