/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/speed-grid-private.h"

#include "app/gui/accessible.h"
#include "app/gui/cell-text.h"
#include "app/gui/style.h"

#include <glib/gi18n.h>
#include <math.h>

G_DEFINE_FINAL_TYPE (DgSpeedGrid, dg_speed_grid, GTK_TYPE_WIDGET)

/* ---- filling ---- */

static gboolean
is_live (DgSpeedGrid *self, guint test, DgDirection direction)
{
    const DgProgress *progress = dg_session_get_progress (self->session);
    return dg_session_is_running (self->session) && progress->test == test
           && progress->direction == direction
           && (progress->engine.state == DG_STATE_WARMING
               || progress->engine.state == DG_STATE_MEASURING
               || progress->engine.state == DG_STATE_DRAINING)
           && !progress->engine.is_interval;
}

static void
fill_cell (DgSpeedGrid *self, const DgDocView *view, const DgDrawStyle *style, guint index,
           DgDirection direction)
{
    DgSpeedRow *row = &self->rows[index];
    const DgProfileRow *shown = &self->profile->rows[index];
    gboolean has_document = dg_session_get_document (self->session) != NULL;
    gint test =
        has_document ? dg_view_find_spec (view, dg_speed_grid_spec (self, index), direction) : -1;
    g_autofree gchar *spoken = NULL;
    DgCell cell = { 0 };
    dg_cell_from_test (&cell, view, test, direction, shown, style);
    cell.is_dimmed = dg_session_is_earlier (self->session);
    if (is_live (self, row->test, direction)) {
        dg_cell_text_fill_live (&cell, &self->live, shown,
                                dg_session_get_run_options (self->session)->runs, style->unit);
        if (!isnan (cell.value) && cell.value > cell.scale_max)
            cell.scale_max = dg_cell_scale (cell.value, cell.ceiling);
        spoken = dg_cell_text_spoken_live (row->name, direction);
    } else
        spoken = dg_cell_text_spoken (has_document ? view : NULL, test, row->name, direction, shown,
                                      style->unit);
    dg_cell_button_take (row->cells[direction], &cell, style->unit, spoken);
}

/* What the cells are drawn from: the document, or, when there is none, the chosen target alone, so
 * that the ceiling is already there. */
static void
fill_cells (DgSpeedGrid *self, gboolean only_live)
{
    DgDocument *document = dg_session_get_document (self->session);
    DgDocView empty = { 0 };
    DgDocTarget target = { 0 };
    DgDrawStyle style;
    guint chosen;
    DgTargetSet *set = dg_session_get_chosen (self->session, &chosen);
    const DgDocView *view = document ? dg_document_view (document) : &empty;
    if (!document && set) {
        dg_target_view_init (&target, set, chosen);
        empty.targets = &target;
        empty.n_targets = 1;
    }
    dg_style_for (GTK_WIDGET (self), dg_session_get_unit (self->session), &style);
    dg_cell_text_take_progress (&self->live, dg_session_get_progress (self->session));
    for (guint i = 0; i < self->n_rows; i++)
        for (guint d = 0; d < 3; d++)
            if (self->rows[i].cells[d]
                && (!only_live || is_live (self, self->rows[i].test, (DgDirection) d)
                    || dg_cell_button_get_cell (self->rows[i].cells[d])->state == DG_DOC_RUNNING))
                fill_cell (self, view, &style, i, (DgDirection) d);
    dg_style_clear (&style);
    dg_target_view_clear (&target);
}

/* "MB/s"; the best of the runs is named wherever it stands for the median. */
static gchar *
unit_text (DgSpeedGrid *self)
{
    DgUnit unit = dg_session_get_unit (self->session);
    DgDocument *document = dg_session_get_document (self->session);
    const DgDocView *view = document ? dg_document_view (document) : NULL;
    gboolean has_own_units = FALSE;
    for (guint i = 0; i < self->profile->n_rows; i++)
        has_own_units = has_own_units || self->profile->rows[i].has_unit;
    const gchar *name = has_own_units && unit > DG_UNIT_MIB ? "" : dg_unit_name (unit);
    if (!view || !view->statistic_best || view->runs == 1)
        return g_strdup (name);
    return g_strdup_printf ("%s%s%s", name, *name ? ", " : "",
                            self->is_narrow ? _ ("best run") : _ ("best of the runs"));
}

static void
fill_units (DgSpeedGrid *self)
{
    g_autofree gchar *unit = unit_text (self);
    for (guint d = 0; d < 3; d++)
        if (self->unit_labels[d])
            gtk_label_set_text (GTK_LABEL (self->unit_labels[d]), unit);
    if (!self->mix_label)
        return;
    DgDocument *saved =
        dg_session_is_saved (self->session) ? dg_session_get_document (self->session) : NULL;
    guint64 read = saved ? dg_document_view (saved)->mix_read_percent
                         : dg_session_get_options (self->session)->mix_read_percent;
    if (read > 100)
        return;
    /* Translators: head of a column: percent of reads, percent of writes. */
    g_autofree gchar *text =
        g_strdup_printf (_ ("Mix %u / %u"), (guint) read, (guint) (100 - read));
    gtk_label_set_text (GTK_LABEL (self->mix_label), text);
}

static void
fill_buttons (DgSpeedGrid *self)
{
    gboolean is_running = dg_session_is_running (self->session);
    gboolean is_saved = dg_session_is_saved (self->session);
    g_autofree gchar *reason = NULL;
    gboolean can_start = dg_session_can_start (self->session, &reason);
    gtk_label_set_text (GTK_LABEL (self->all_label), is_running ? _ ("Stop") : _ ("All"));
    gtk_widget_set_visible (self->all_sign, is_running && !self->is_narrow);
    dg_accessible_set_name (self->all, is_running ? _ ("Stop") : _ ("Run all tests"));
    gtk_widget_set_sensitive (self->all, is_running || can_start);
    gtk_widget_set_tooltip_text (self->all, is_running || can_start ? NULL : reason);
    if (is_running)
        gtk_widget_add_css_class (self->all, "dg-stop");
    else
        gtk_widget_remove_css_class (self->all, "dg-stop");
    for (guint i = 0; i < self->n_rows; i++) {
        DgSpeedRow *row = &self->rows[i];
        /* Translators: %s is a test such as "SEQ1M Q8T1". */
        g_autofree gchar *run = g_strdup_printf (_ ("Run %s"), row->name);
        dg_accessible_set_name (row->button, is_running ? _ ("Stop") : run);
        gtk_widget_set_visible (row->stop_sign, is_running);
        gtk_widget_set_sensitive (row->button, is_running || (can_start && !is_saved));
    }
}

static void
update_all (DgSpeedGrid *self)
{
    if (!dg_speed_grid_is_built (self))
        dg_speed_grid_build (self);
    fill_units (self);
    fill_buttons (self);
    fill_cells (self, FALSE);
}

static void
changed_cb (DgSession *session, DgSpeedGrid *self)
{
    update_all (self);
}

static void
tick_cb (DgSession *session, DgSpeedGrid *self)
{
    fill_cells (self, TRUE);
}

void
dg_speed_grid_set_session (DgSpeedGrid *self, DgSession *session)
{
    static const gchar *const signals[] = { "options-changed", "targets-changed",
                                            "document-changed", "running-changed" };
    self->session = g_object_ref (session);
    for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
        g_signal_connect_object (session, signals[i], G_CALLBACK (changed_cb), self, 0);
    g_signal_connect_object (session, "tick", G_CALLBACK (tick_cb), self, 0);
    update_all (self);
}

void
dg_speed_grid_set_narrow (DgSpeedGrid *self, gboolean is_narrow)
{
    if (self->is_narrow == is_narrow)
        return;
    self->is_narrow = is_narrow;
    dg_speed_grid_set_widths (self);
    if (self->profile) {
        fill_units (self);
        fill_buttons (self);
    }
    for (guint i = 0; i < self->n_rows; i++)
        for (guint d = 0; d < 3; d++)
            if (self->rows[i].cells[d])
                dg_cell_button_set_narrow (self->rows[i].cells[d], is_narrow);
}

static void
dg_speed_grid_dispose (GObject *object)
{
    DgSpeedGrid *self = DG_SPEED_GRID (object);
    g_clear_pointer (&self->scroll, gtk_widget_unparent);
    dg_speed_grid_clear (self);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_speed_grid_parent_class)->dispose (object);
}

static void
dg_speed_grid_class_init (DgSpeedGridClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_speed_grid_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
dg_speed_grid_init (DgSpeedGrid *self)
{
    self->grid = gtk_grid_new ();
    gtk_widget_add_css_class (self->grid, "dg-grid");
    gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
    gtk_grid_set_column_spacing (GTK_GRID (self->grid), 8);
    /* Three columns may be wider than the window. */
    self->scroll = gtk_scrolled_window_new ();
    gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroll), GTK_POLICY_AUTOMATIC,
                                    GTK_POLICY_NEVER);
    gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroll), TRUE);
    gtk_widget_add_css_class (self->scroll, "dg-grid-scroll");
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroll), self->grid);
    gtk_widget_set_parent (self->scroll, GTK_WIDGET (self));
}
