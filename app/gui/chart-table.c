/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/chart-table.h"

#include "app/gui/cell-text.h"
#include "app/gui/dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#define MOST_LINES 500 /* a thousand labels and more would hold the window up */

static void
attach (GtkGrid *grid, const gchar *text, gint column, gint row, gboolean is_head)
{
    GtkWidget *label = gtk_label_new (text);
    gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
    gtk_widget_add_css_class (label, "numeric");
    if (is_head)
        gtk_widget_add_css_class (label, "dim");
    gtk_grid_attach (grid, label, column, row, 1, 1);
}

/* bytes/s. The last sample ends with its run; NAN for a sliver, which would be noise. */
static gdouble
sample_rate (const DgDocRun *run, guint i)
{
    gdouble step_ns = (gdouble) run->sample_step_ns, length_ns = step_ns;
    if (run->sample_step_ns == 0 || run->sample_step_ns == DG_DOC_UNKNOWN)
        return NAN;
    if (i + 1 == run->n_samples && run->elapsed_ns != DG_DOC_UNKNOWN)
        length_ns = MIN (step_ns, (gdouble) run->elapsed_ns - i * step_ns);
    return length_ns < step_ns * 0.3 ? NAN : (gdouble) run->samples[i] * 1e9 / length_ns;
}

/* One line a run: when, and least, mean and greatest of its samples. */
static void
attach_run (GtkGrid *grid, const DgDocTest *test, guint index, gint row, DgUnit unit)
{
    const DgDocRun *run = &test->runs[index];
    gdouble least = NAN, greatest = NAN;
    for (guint i = 0; i < run->n_samples; i++) {
        gdouble rate = sample_rate (run, i);
        least = fmin (least, rate);
        greatest = fmax (greatest, rate);
    }
    g_autofree gchar *name =
        g_strdup_printf ("%s, %s", test->name, dg_cell_text_direction_word (test->direction));
    g_autofree gchar *number = g_strdup_printf ("%u", index + 1);
    g_autofree gchar *at = dg_number_duration (run->started_ns, DG_FOR_WINDOW);
    g_autofree gchar *low = dg_number_rate (least, unit, DG_FOR_WINDOW);
    g_autofree gchar *mean = dg_number_rate (run->bandwidth_bytes_per_s, unit, DG_FOR_WINDOW);
    g_autofree gchar *high = dg_number_rate (greatest, unit, DG_FOR_WINDOW);
    attach (grid, name, 0, row, FALSE);
    attach (grid, number, 1, row, FALSE);
    attach (grid, run->started_ns == DG_DOC_UNKNOWN ? "—" : at, 2, row, FALSE);
    attach (grid, low, 3, row, FALSE);
    attach (grid, mean, 4, row, FALSE);
    attach (grid, high, 5, row, FALSE);
}

void
dg_chart_table_show (GtkWidget *over, DgSession *session)
{
    DgDocument *document = dg_session_get_document (session);
    DgUnit unit = dg_session_get_unit (session);
    GtkWidget *window = gtk_window_new (), *scroll = gtk_scrolled_window_new ();
    GtkWidget *grid = gtk_grid_new ();
    if (unit == DG_UNIT_IOPS || unit == DG_UNIT_US)
        unit = DG_UNIT_MB;
    const gchar *heads[] = { _ ("Test"),  _ ("Run"),  _ ("Start"),
                                                         _ ("least"), _ ("mean"), _ ("greatest") };
    gtk_grid_set_column_spacing (GTK_GRID (grid), 16);
    gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
    gtk_widget_add_css_class (grid, "dg-page");
    for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
        attach (GTK_GRID (grid), heads[i], (gint) i, 0, TRUE);
    gint row = 1;
    const DgDocView *view = document ? dg_document_view (document) : NULL;
    for (guint i = 0; view && i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs && row <= MOST_LINES; k++)
            attach_run (GTK_GRID (grid), &view->tests[i], k, row++, unit);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), grid);
    gtk_window_set_child (GTK_WINDOW (window), scroll);
    /* Translators: %s is a unit such as MB/s. */
    g_autofree gchar *title = g_strdup_printf (_ ("Throughput over time, %s"), dg_unit_name (unit));
    gtk_window_set_title (GTK_WINDOW (window), title);
    gtk_window_set_default_size (GTK_WINDOW (window), 560, 420);
    gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
    dg_dialog_present (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (over)));
}
