/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/runs-popover.h"

#include "app/gui/cell-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define MOST_RUNS 99 /* ours have nine */

static void
attach (GtkGrid *grid, const gchar *text, gint column, gint row, const gchar *css_class)
{
    GtkWidget *label = gtk_label_new (text);
    gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
    gtk_widget_add_css_class (label, "numeric");
    if (css_class)
        gtk_widget_add_css_class (label, css_class);
    gtk_grid_attach (grid, label, column, row, 1, 1);
}

static void
attach_latency (GtkGrid *grid, guint64 ns, gint column, gint row, const gchar *css_class)
{
    g_autofree gchar *text =
        dg_number_latency (ns == DG_DOC_UNKNOWN ? NAN : (gdouble) ns, DG_FOR_WINDOW);
    attach (grid, text, column, row, css_class);
}

static gchar *
queue_text (const DgDocRun *run)
{
    return isnan (run->queue_depth_engine) ? g_strdup ("—")
                                           : g_strdup_printf ("%.1f", run->queue_depth_engine);
}

static void
attach_run (GtkGrid *grid, const DgDocTest *test, guint index, DgUnit unit)
{
    const DgDocRun *run = &test->runs[index];
    gint row = (gint) index + 1;
    const gchar *css_class = !run->used ? "dim" : (gint) index == test->shown ? "strong" : NULL;
    g_autofree gchar *number = g_strdup_printf ("%u", index + 1);
    g_autofree gchar *rate = dg_number_rate (
        run->bandwidth_bytes_per_s, unit == DG_UNIT_IOPS || unit == DG_UNIT_US ? DG_UNIT_MB : unit,
        DG_FOR_WINDOW);
    g_autofree gchar *iops = dg_number_iops (run->iops, DG_FOR_WINDOW);
    g_autofree gchar *queue = queue_text (run);
    g_autofree gchar *cpu =
        dg_number_percent (run->cpu_ns == DG_DOC_UNKNOWN || run->elapsed_ns == 0
                               ? NAN
                               : (gdouble) run->cpu_ns / (gdouble) run->elapsed_ns * 100,
                           DG_FOR_WINDOW);
    attach (grid, number, 0, row, css_class);
    attach (grid, rate, 1, row, css_class);
    attach (grid, iops, 2, row, css_class);
    attach_latency (grid, run->p50_ns, 3, row, css_class);
    attach_latency (grid, run->p95_ns, 4, row, css_class);
    attach_latency (grid, run->p99_ns, 5, row, css_class);
    attach_latency (grid, run->p99_9_ns, 6, row, css_class);
    attach_latency (grid, run->max_ns, 7, row, css_class);
    attach (grid, queue, 8, row, css_class);
    attach (grid, cpu, 9, row, css_class);
}

static GtkWidget *
runs_table (const DgDocTest *test, DgUnit unit)
{
    GtkWidget *grid = gtk_grid_new ();
    const gchar *heads[] = {
        _ ("Run"),   dg_unit_name (unit == DG_UNIT_IOPS || unit == DG_UNIT_US ? DG_UNIT_MB : unit),
           "IOPS",      "p50",
           "p95",       "p99",
           "p99.9",     _ ("max"),
                           _ ("queue"), _ ("CPU") };
    gtk_grid_set_column_spacing (GTK_GRID (grid), 14);
    gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
    for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
        attach (GTK_GRID (grid), heads[i], (gint) i, 0, "dim");
    for (guint i = 0; i < test->n_runs && i < MOST_RUNS; i++)
        attach_run (GTK_GRID (grid), test, i, unit);
    return grid;
}

/* "auto" drops whole runs from before the last three agree. Others do not count for being cut
 * short, failed or repeated. */
static gboolean
came_before (const DgDocView *view, const DgDocTest *test)
{
    gboolean has_used = FALSE;
    for (guint i = 0; i < test->n_runs; i++) {
        const DgDocRun *run = &test->runs[i];
        gboolean is_whole = run->complete != 0 && run->n_errors == 0
                            && (run->suspended_ns == DG_DOC_UNKNOWN || run->suspended_ns == 0);
        has_used = has_used || run->used;
        if (!run->used && (has_used || !is_whole))
            return FALSE;
    }
    return view->runs == 0 && has_used && test->state == DG_DOC_DONE;
}

gchar *
dg_runs_popover_dup_note (const DgDocView *view, const DgDocTest *test)
{
    const DgDocRun *run = test->shown >= 0 ? &test->runs[test->shown] : &test->runs[0];
    g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
    guint n_unused = 0;
    for (guint i = 0; i < test->n_runs; i++)
        n_unused += !test->runs[i].used;
    if (run->backend)
        /* Translators: %s is io_uring, libaio or threads. */
        g_ptr_array_add (parts, g_strdup_printf (_ ("Backend %s"), run->backend));
    if (test->shown >= 0 && test->shown_best && test->n_runs > 1)
        g_ptr_array_add (parts, g_strdup (_ ("the best of the runs is shown")));
    if (dg_document_left_older (run)) {
        g_autofree gchar *age =
            dg_number_latency ((gdouble) run->oldest_unfinished_ns, DG_FOR_WINDOW);
        g_ptr_array_add (parts, /* Translators: transfers that had not come back when the measured
                                   time ended; %s is a time, longer than that of any that had. */
                         g_strdup_printf (_ ("%lu under way at the end, for up to %s"),
                                             (gulong) run->unfinished, age));
    }
    if (n_unused > 0)
        g_ptr_array_add (parts, g_strdup (came_before (view, test) ? _ ("grey runs came before the agreeing ones and are not used")
                                                                   : _ ("grey runs do not count")));
    if (test->direction != DG_DIRECTION_READ && test->flush_ns != DG_DOC_UNKNOWN) {
        g_autofree gchar *time = dg_number_latency ((gdouble) test->flush_ns, DG_FOR_WINDOW);
        g_ptr_array_add (parts,
                         g_strdup_printf (dg_document_counts_flush (view)
                                          /* Translators: %s is a time: how long the drive needed
                                             after a write test until all was on it. */
                                          ? _ ("flush %s, in the time of writes")
                                          : _ ("flush %s, not in the time of writes"), time));
    }
    g_ptr_array_add (parts, NULL);
    return g_strjoinv (" · ", (gchar **) parts->pdata);
}

static gboolean
unparent_cb (gpointer popover)
{
    if (gtk_widget_get_parent (popover) != NULL)
        gtk_widget_unparent (popover);
    return G_SOURCE_REMOVE;
}

static void
closed_cb (GtkPopover *popover, gpointer data)
{
    /* Not within its own signal. */
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_cb, g_object_ref (popover), g_object_unref);
}

void
dg_runs_popover_show (GtkWidget *over, DgDocument *document, guint index, DgUnit unit)
{
    const DgDocTest *test = &dg_document_view (document)->tests[index];
    GtkWidget *popover = gtk_popover_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    g_autofree gchar *title =
        g_strdup_printf ("%s, %s", test->name, dg_cell_text_direction_word (test->direction));
    GtkWidget *heading = gtk_label_new (title);
    gtk_widget_add_css_class (heading, "strong");
    gtk_label_set_xalign (GTK_LABEL (heading), 0);
    gtk_box_append (GTK_BOX (box), heading);
    if (test->n_runs > 0) {
        g_autofree gchar *note = dg_runs_popover_dup_note (dg_document_view (document), test);
        GtkWidget *scroll = gtk_scrolled_window_new ();
        gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_AUTOMATIC,
                                        GTK_POLICY_NEVER);
        gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroll), TRUE);
        gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), runs_table (test, unit));
        gtk_box_append (GTK_BOX (box), scroll);
        GtkWidget *foot = gtk_label_new (note);
        gtk_label_set_xalign (GTK_LABEL (foot), 0);
        gtk_label_set_wrap (GTK_LABEL (foot), TRUE);
        gtk_label_set_max_width_chars (GTK_LABEL (foot), 60);
        gtk_widget_add_css_class (foot, "small");
        gtk_box_append (GTK_BOX (box), foot);
    } else {
        GtkWidget *none = gtk_label_new (_ ("No run was completed."));
        gtk_box_append (GTK_BOX (box), none);
    }
    gtk_popover_set_child (GTK_POPOVER (popover), box);
    gtk_widget_set_parent (popover, over);
    g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
    gtk_popover_popup (GTK_POPOVER (popover));
}
