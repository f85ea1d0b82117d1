/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing is clipped: the window and its dialogs with the widest figures, at 480 px and wider, at
 * ordinary and half as large again text, in whatever language this is started (pseudo-locales).
 * Arguments: a folder for screenshots. */
#include "app/gui/application.h"
#include "app/gui/cell-button.h"
#include "app/gui/style.h"
#include "app/gui/window.h"
#include "tests/gui/scratch.h"

#include <gtk/gtk.h>
#include <jansson.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static DgApplication *application;
static const gchar *shots;
static guint n_labels, n_cells, n_numbers, n_bad;
static const gchar *where;

static void
spin (guint ms)
{
    gint64 end = g_get_monotonic_time () + ms * 1000;
    while (g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
}

static void
bad (GtkWidget *widget, const gchar *what, const gchar *text)
{
    n_bad++;
    g_test_message ("%s: %s: %s “%s”", where, what, G_OBJECT_TYPE_NAME (widget), text ? text : "");
}

/* Somewhere above it the whole text can be read. */
static gboolean
has_whole_text (GtkWidget *widget)
{
    for (; widget; widget = gtk_widget_get_parent (widget))
        if (gtk_widget_get_tooltip_text (widget))
            return TRUE;
    return FALSE;
}

/* Among words that run from right to left a number still stands before its unit, the first of a
 * range before the second. */
static void
check_order (GtkWidget *widget, PangoLayout *layout)
{
    static GRegex *number_and_unit;
    g_autoptr (GMatchInfo) match = NULL;
    if (!number_and_unit)
        number_and_unit =
            g_regex_new ("(?:[0-9]+–)?[0-9][ \u00a0\u202f](?:(?:[KMGT]i?B|[GM]b)(?:/s)?|[mµ]?s|°C|"
                         "IOPS)(?![a-zA-Z])",
                         0, 0, NULL);
    const gchar *text = pango_layout_get_text (layout);
    if (pango_layout_is_ellipsized (
            layout)) /* what is left out lies at its end, wherever it stood */
        return;
    g_regex_match (number_and_unit, text, 0, &match);
    for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
        int start, end;
        PangoRectangle before = { 0 }, here;
        g_match_info_fetch_pos (match, 0, &start, &end);
        n_numbers++;
        for (const gchar *p = text + start; p < text + end; p = g_utf8_next_char (p)) {
            pango_layout_index_to_pos (layout, (int) (p - text), &here);
            if (p > text + start && here.y == before.y && here.x < before.x) {
                bad (widget, "a number is turned", text);
                break;
            }
            before = here;
        }
    }
}

static void
check_label (GtkLabel *label)
{
    GtkWidget *widget = GTK_WIDGET (label);
    PangoLayout *layout = gtk_label_get_layout (label);
    int width, height;
    n_labels++;
    pango_layout_get_pixel_size (layout, &width, &height);
    if (pango_layout_is_ellipsized (layout) && !has_whole_text (widget))
        bad (widget, "shortened without a way to read it", gtk_label_get_text (label));
    if (width > gtk_widget_get_width (widget) + 1 || height > gtk_widget_get_height (widget) + 1)
        bad (widget, "clipped", gtk_label_get_text (label));
    check_order (widget, layout);
}

static void
check_cell (DgCellButton *button)
{
    GtkWidget *widget = GTK_WIDGET (button);
    int width, height;
    n_cells++;
    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
    gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
    if (width > gtk_widget_get_width (widget) || height > gtk_widget_get_height (widget))
        bad (widget, "smaller than its text", dg_cell_button_get_cell (button)->figure);
}

static void
check (GtkWidget *widget, GtkWidget *window)
{
    graphene_rect_t place;
    if (!gtk_widget_get_mapped (widget))
        return;
    if (GTK_IS_POPOVER (widget)) /* a surface of its own */
        window = widget;
    GtkWidget *port = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
    window = port && gtk_widget_is_ancestor (port, window) ? port : window;
    /* What may be scrolled up and down may lie below the end, but nothing beside it. */
    if ((GTK_IS_LABEL (widget) || DG_IS_CELL_BUTTON (widget)) && gtk_widget_get_width (widget) > 1
        && gtk_widget_compute_bounds (widget, window, &place)
        && (place.origin.x < -1
            || place.origin.x + place.size.width > (float) gtk_widget_get_width (window) + 1)) {
        g_autofree gchar *edges =
            g_strdup_printf ("%.0f to %.0f of %d", place.origin.x,
                             place.origin.x + place.size.width, gtk_widget_get_width (window));
        bad (widget, "beside the window",
             GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : edges);
    }
    if (GTK_IS_LABEL (widget))
        check_label (GTK_LABEL (widget));
    else if (DG_IS_CELL_BUTTON (widget))
        check_cell (DG_CELL_BUTTON (widget));
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        check (child, window);
}

static void
keep_picture (GtkWidget *window, const gchar *name)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
    g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
    int width = gtk_widget_get_width (window), height = gtk_widget_get_height (window);
    gdk_paintable_snapshot (paintable, snapshot, width, height);
    g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
    if (!node) /* nothing is drawn before the next frame */
        return;
    GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
    g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (
        renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
    g_autofree gchar *file = g_strdup_printf (
        "%s/fit-%s-%s.png", shots, g_getenv ("PSEUDO") ? g_getenv ("PSEUDO") : "plain", name);
    gdk_texture_save_to_png (texture, file);
}

static void
set_number (json_t *object, const char *key, double value)
{
    if (json_object_get (object, key))
        json_object_set_new (object, key,
                             json_is_integer (json_object_get (object, key))
                                 ? json_integer ((json_int_t) value)
                                 : json_real (value));
}

/* The sample with the widest figures that there are. */
static GFile *
widest_document (void)
{
    g_autofree gchar *path =
        g_test_build_filename (G_TEST_DIST, "..", "app", "documents", "t7.json", NULL);
    json_t *root = json_load_file (path, 0, NULL), *test, *run;
    size_t i, k;
    g_assert_nonnull (root);
    json_array_foreach (json_object_get (root, "tests"), i, test)
    {
        json_t *shown = json_object_get (test, "shown");
        set_number (shown, "bandwidth_bytes_per_s", 99999990000.0);
        set_number (shown, "iops", 9999999.0);
        set_number (shown, "spread_percent", 99.9);
        json_array_foreach (json_object_get (test, "runs"), k, run)
        {
            json_t *latency = json_object_get (run, "latency");
            set_number (run, "bandwidth_bytes_per_s", 99999990000.0);
            set_number (run, "iops", 9999999.0);
            set_number (latency, "p50_ns", 888888888.0);
            set_number (latency, "p99_ns", 999499999.0);
        }
    }
    g_autofree gchar *copy = g_build_filename (g_get_user_cache_dir (), "widest.json", NULL);
    g_mkdir_with_parents (g_get_user_cache_dir (), 0700);
    g_assert_cmpint (json_dump_file (root, copy, 0), ==, 0);
    json_decref (root);
    return g_file_new_for_path (copy);
}

static void
check_toplevels (const gchar *name)
{
    GListModel *windows = gtk_window_get_toplevels ();
    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
        if (gtk_widget_get_mapped (window)) {
            check (window, window);
            keep_picture (window, DG_IS_WINDOW (window) ? name : gtk_widget_get_name (window));
        }
    }
}

static void
check_open_popovers (GtkWidget *widget, const gchar *name, guint *ret_n)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    if (GTK_IS_POPOVER (widget)) {
        g_autofree gchar *at = g_strdup_printf ("%s-popover-%u", name, (*ret_n)++);
        where = at;
        check (widget, widget);
        keep_picture (widget, at);
        where = name;
    }
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        check_open_popovers (child, name, ret_n);
}

/* All that a press on a button of the window unfolds: menus, the list of drives, runs of a cell. */
static void
check_popovers (GtkWidget *widget, GtkWidget *window, const gchar *name, guint *ret_n)
{
    if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
        return;
    guint before = *ret_n;
    if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_is_sensitive (widget)) {
        gtk_menu_button_popup (GTK_MENU_BUTTON (widget));
        spin (400);
        check_open_popovers (window, name, ret_n);
        g_assert_cmpuint (*ret_n, >, before);
        gtk_menu_button_popdown (GTK_MENU_BUTTON (widget));
        spin (200);
        return;
    }
    if (DG_IS_CELL_BUTTON (widget) && !g_object_get_data (G_OBJECT (window), "a cell")) {
        g_object_set_data (G_OBJECT (window), "a cell", widget);
        g_signal_emit_by_name (widget, "clicked");
        spin (400);
        check_open_popovers (window, name, ret_n);
        g_assert_cmpuint (*ret_n, ==, before + 1);
        gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_last_child (widget)));
        spin (200);
        return;
    }
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        check_popovers (child, window, name, ret_n);
}

/* Not between the change of a text and the layout that follows. */
static void
check_drawn (GtkWidget *window)
{
    spin (100);
    gtk_widget_queue_draw (window);
    gtk_test_widget_wait_for_draw (window);
    check (window, window);
}

/* A run of its own, with all that is said meanwhile. */
static void
check_run (GtkWidget *window, const gchar *name)
{
    DgSession *session = dg_window_get_session (DG_WINDOW (window));
    g_autofree gchar *at = g_strdup_printf ("%s-running", name);
    DgState seen = DG_STATE_IDLE;
    dg_session_get_options (session)->size_bytes = 64 << 20;
    dg_session_options_changed (session);
    dg_session_choose_folder (session, g_get_user_cache_dir ());
    for (guint i = 0; i < 50 && !dg_session_can_start (session, NULL); i++)
        spin (100);
    where = at;
    dg_session_start (session, -1);
    for (guint i = 0; i < 100 && seen != DG_STATE_MEASURING; i++) {
        spin (100);
        g_assert_true (dg_session_is_running (session));
        DgState state = dg_session_get_progress (session)->engine.state;
        if (state == seen)
            continue;
        seen = state;
        check_drawn (window);
    }
    g_assert_cmpint (seen, ==, DG_STATE_MEASURING);
    keep_picture (window, at);
    dg_session_stop (session);
    for (guint i = 0; i < 100 && dg_session_is_running (session); i++)
        spin (100);
    g_assert_false (dg_session_is_running (session));
    where = name;
    check_drawn (window);
}

static void
test_window (gconstpointer data)
{
    const gchar *name = data;
    gboolean is_large = strstr (name, "large") != NULL, is_narrow = strstr (name, "narrow") != NULL;
    n_labels = n_cells = n_numbers = n_bad = 0;
    where = name;
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                  (int) (96 * 1024 * (is_large ? 1.5 : 1.0)), NULL);
    GtkWidget *window = dg_window_new (GTK_APPLICATION (application));
    gtk_window_set_default_size (GTK_WINDOW (window), is_narrow ? 480 : 1000, 900);
    gtk_window_present (GTK_WINDOW (window));
    gtk_test_widget_wait_for_draw (window);
    g_autoptr (GFile) file = widest_document ();
    dg_window_open (DG_WINDOW (window), file);
    spin (1500);
    g_assert_true (dg_session_is_saved (dg_window_get_session (DG_WINDOW (window))));
    if (is_narrow && gtk_widget_get_width (window) > 480) {
        n_bad++;
        g_test_message ("%s: the window is %d px wide", name, gtk_widget_get_width (window));
    }
    check_toplevels (name);
    g_assert_cmpuint (n_cells, ==, 8);
    g_assert_cmpuint (n_labels, >, 15);
    g_assert_cmpuint (n_numbers, >, 3);
    guint n_popovers = 0;
    check_popovers (window, window, name, &n_popovers);
    g_assert_cmpuint (n_popovers, >=, is_narrow ? 6 : 9);
    static const gchar *const dialogs[] = { "chart-table", "measuring", "queues", "other-size",
                                            "recent" };
    for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++) {
        g_autofree gchar *at = g_strdup_printf ("%s-%s", name, dialogs[i]);
        where = at;
        if (i > 0) /* the table is that of the result on show */
            dg_session_close_saved (dg_window_get_session (DG_WINDOW (window)));
        g_action_group_activate_action (G_ACTION_GROUP (window), dialogs[i], NULL);
        spin (700);
        GListModel *windows = gtk_window_get_toplevels ();
        guint n_dialogs = 0;
        for (guint k = g_list_model_get_n_items (windows); k-- > 0;) {
            g_autoptr (GtkWidget) dialog = g_list_model_get_item (windows, k);
            if (dialog == window || !gtk_widget_get_mapped (dialog))
                continue;
            n_dialogs++;
            check (dialog, dialog);
            keep_picture (dialog, at);
            gtk_window_destroy (GTK_WINDOW (dialog));
        }
        g_assert_cmpuint (n_dialogs, ==, 1);
    }
    check_run (window, name);
    gtk_window_destroy (GTK_WINDOW (window));
    spin (100);
    if (n_bad > 0)
        g_test_fail ();
}

static void
test_direction (void)
{
    gboolean is_turned = g_strcmp0 (g_getenv ("PSEUDO"), "turned") == 0;
    g_assert_cmpint (gtk_widget_get_default_direction (), ==,
                     is_turned ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
    /* the catalogue of this language is found */
    if (g_getenv ("PSEUDO"))
        g_assert_cmpstr (g_dgettext (GETTEXT_PACKAGE, "Write"), !=, "Write");
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "");
    if (g_getenv ("DRIVEGAUGE_LOCALEDIR"))
        bindtextdomain (GETTEXT_PACKAGE, g_getenv ("DRIVEGAUGE_LOCALEDIR"));
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    use_scratch_folders ();
    g_test_init (&argc, &argv, NULL);
    shots = argc > 1 ? argv[1] : ".";
    if (g_getenv ("DRIVEGAUGE_TEST_FOLDER"))
        shots = g_getenv ("DRIVEGAUGE_TEST_FOLDER");
    g_mkdir_with_parents (shots, 0755);
    gtk_init ();
    application = dg_application_new ();
    g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
    g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
    g_test_add_func ("/gui/fit/direction", test_direction);
    g_test_add_data_func ("/gui/fit/wide", "wide", test_window);
    g_test_add_data_func ("/gui/fit/narrow", "narrow", test_window);
    g_test_add_data_func ("/gui/fit/narrow-large", "narrow-large", test_window);
    return g_test_run ();
}
