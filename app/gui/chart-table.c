/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/chart-table.h"

#include "app/gui/accessible.h"
#include "app/gui/cell-text.h"
#include "app/gui/dialog.h"
#include "app/report/drawing.h"

#include <glib/gi18n.h>
#include <math.h>

/* ---- tables: rows are texts with tabs, of which only those in sight become widgets ---- */

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer column)
{
    GtkWidget *label = gtk_label_new (NULL);
    gtk_label_set_xalign (GTK_LABEL (label), GPOINTER_TO_UINT (column) == 0 ? 0 : 1);
    gtk_widget_add_css_class (label, "numeric");
    gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer column)
{
    GtkStringObject *row = gtk_list_item_get_item (item);
    g_auto (GStrv) cells = g_strsplit (gtk_string_object_get_string (row), "\t", -1);
    guint index = GPOINTER_TO_UINT (column);
    gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                        index < g_strv_length (cells) ? cells[index] : "");
}

/* Takes `rows`. */
static GtkWidget *
table_new (const gchar *const *heads, guint n_heads, GtkStringList *rows)
{
    GtkNoSelection *model = gtk_no_selection_new (G_LIST_MODEL (rows));
    GtkWidget *table = gtk_column_view_new (GTK_SELECTION_MODEL (model));
    gtk_widget_add_css_class (table, "dg-table");
    for (guint i = 0; i < n_heads; i++) {
        GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
        g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
        g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
        GtkColumnViewColumn *column = gtk_column_view_column_new (heads[i], factory);
        gtk_column_view_column_set_expand (column, i == 0);
        gtk_column_view_append_column (GTK_COLUMN_VIEW (table), column);
        g_object_unref (column);
    }
    return table;
}

/* Least and greatest of a run's samples: points[*first] is the first that may be its own, and the
 * first after it afterwards. */
static void
find_range (const GArray *points, guint *first, guint test, guint run, gdouble *ret_least,
            gdouble *ret_greatest)
{
    *ret_least = *ret_greatest = NAN;
    for (; *first < points->len; (*first)++) {
        const DgChartPoint *point = &g_array_index (points, DgChartPoint, *first);
        if (point->test > test || (point->test == test && point->run > run))
            return;
        if (point->test != test || point->run != run)
            continue;
        *ret_least = fmin (*ret_least, point->bytes_per_s);
        *ret_greatest = fmax (*ret_greatest, point->bytes_per_s);
    }
}

static GtkWidget *
runs_table (const DgDocView *view, const GArray *points, DgUnit unit)
{
    const gchar *const heads[] = {
        _ ("Test"), _ ("Run"), _ ("Start"), _ ("Least"), _ ("Mean"), _ ("Greatest") };
    GtkStringList *rows = gtk_string_list_new (NULL);
    guint first = 0;
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            const DgDocTest *test = &view->tests[i];
            const DgDocRun *run = &test->runs[k];
            gdouble least, greatest;
            find_range (points, &first, i, k + 1, &least, &greatest);
            g_autofree gchar *at =
                run->started_ns == DG_DOC_UNKNOWN
                    ? g_strdup ("—")
                    : dg_number_seconds ((gdouble) run->started_ns / 1e9, 1, DG_FOR_WINDOW);
            g_autofree gchar *low = dg_number_rate (least, unit, DG_FOR_WINDOW);
            g_autofree gchar *mean =
                dg_number_rate (run->bandwidth_bytes_per_s, unit, DG_FOR_WINDOW);
            g_autofree gchar *high = dg_number_rate (greatest, unit, DG_FOR_WINDOW);
            g_autofree gchar *row = g_strdup_printf ("%s, %s\t%u\t%s\t%s\t%s\t%s", test->name,
                                                     dg_cell_text_direction_word (test->direction),
                                                     k + 1, at, low, mean, high);
            gtk_string_list_append (rows, row);
        }
    return table_new (heads, G_N_ELEMENTS (heads), rows);
}

/* The number of the run, and why its samples may not count. (transfer full) */
static gchar *
run_text (const DgChartPoint *point)
{
    if (point->run == 0)
        return g_strdup (_ ("warm-up, discarded"));
    if (!point->is_used)
        return g_strdup_printf ("%u, %s", point->run, _ ("not used"));
    return g_strdup_printf ("%u", point->run);
}

static GtkWidget *
samples_table (const DgDocView *view, const GArray *points, DgUnit unit)
{
    const gchar *const heads[] = { _ ("Test"), _ ("Run"), _ ("Time"), dg_unit_name (unit) };
    GtkStringList *rows = gtk_string_list_new (NULL);
    for (guint i = 0; i < points->len; i++) {
        const DgChartPoint *point = &g_array_index (points, DgChartPoint, i);
        const DgDocTest *test = &view->tests[point->test];
        g_autofree gchar *run = run_text (point);
        g_autofree gchar *rate = dg_number_rate (point->bytes_per_s, unit, DG_FOR_WINDOW);
        g_autofree gchar *at = dg_number_seconds (point->at_s, 2, DG_FOR_WINDOW);
        g_autofree gchar *row =
            g_strdup_printf ("%s, %s\t%s\t%s\t%s", test->name,
                             dg_cell_text_direction_word (test->direction), run, at, rate);
        gtk_string_list_append (rows, row);
    }
    return table_new (heads, G_N_ELEMENTS (heads), rows);
}

static GtkWidget *
temperatures_table (const DgDocView *view)
{
    const gchar *const heads[] = { _ ("Sensor"), _ ("Time"), "°C" };
    GtkStringList *rows = gtk_string_list_new (NULL);
    for (guint i = 0; i < view->n_temperatures; i++) {
        const DgDocTemperature *t = &view->temperatures[i];
        if (!isfinite (t->celsius) || t->at_ns == DG_DOC_UNKNOWN)
            continue;
        g_autofree gchar *at = dg_number_seconds ((gdouble) t->at_ns / 1e9, 1, DG_FOR_WINDOW);
        g_autofree gchar *row =
            g_strdup_printf ("%s\t%s\t%.1f", t->sensor ? t->sensor : "—", at, t->celsius);
        gtk_string_list_append (rows, row);
    }
    return table_new (heads, G_N_ELEMENTS (heads), rows);
}

static void
add_page (GtkStack *stack, GtkWidget *switcher, GtkWidget *table, const gchar *id,
          const gchar *title)
{
    GtkWidget *scroll = gtk_scrolled_window_new ();
    dg_accessible_set_name (table, title);
    dg_dialog_leave_list_by_tab (table, switcher, switcher);
    gtk_widget_set_vexpand (scroll, TRUE);
    gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroll), TRUE);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), table);
    gtk_stack_add_titled (stack, scroll, id, title);
}

void
dg_chart_table_show (GtkWidget *over, DgSession *session)
{
    DgDocument *document = dg_session_get_document (session);
    if (!document)
        return;
    const DgDocView *view = dg_document_view (document);
    g_autoptr (GArray) points = dg_chart_points (view);
    DgUnit unit = dg_session_get_unit (session);
    GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *stack = gtk_stack_new (), *switcher = gtk_stack_switcher_new ();
    if (unit == DG_UNIT_IOPS || unit == DG_UNIT_US)
        unit = DG_UNIT_MB;
    add_page (GTK_STACK (stack), switcher, runs_table (view, points, unit), "runs", _ ("Runs"));
    add_page (GTK_STACK (stack), switcher, samples_table (view, points, unit), "samples",
              _ ("Samples"));
    if (view->n_temperatures > 0)
        add_page (GTK_STACK (stack), switcher, temperatures_table (view), "temperature",
                  _ ("Temperature"));
    gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
    gtk_widget_set_halign (switcher, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_top (switcher, 6);
    gtk_widget_set_margin_start (stack, 6);
    gtk_widget_set_margin_end (stack, 6);
    gtk_box_append (GTK_BOX (box), switcher);
    gtk_box_append (GTK_BOX (box), stack);
    gtk_window_set_child (GTK_WINDOW (window), box);
    /* Translators: %s is a unit such as MB/s. */
    g_autofree gchar *title = g_strdup_printf (_ ("Throughput over time, %s"), dg_unit_name (unit));
    gtk_window_set_title (GTK_WINDOW (window), title);
    gtk_window_set_default_size (GTK_WINDOW (window), -1, 420);
    gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
    dg_dialog_present (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (over)));
}
