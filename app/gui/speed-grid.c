/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/speed-grid.h"

#include "app/gui/accessible.h"
#include "app/gui/cell-button.h"
#include "app/gui/cell-text.h"
#include "app/gui/glyph.h"
#include "app/gui/runs-popover.h"
#include "app/gui/sign.h"
#include "app/gui/style.h"

#include <glib/gi18n.h>
#include <math.h>

#define BUTTON_WIDTH        104
#define BUTTON_WIDTH_NARROW 74

typedef struct {
    GtkWidget *button, *stop_sign;
    gchar *name; /* "SEQ1M Q8T1" */
    guint test;
    DgCellButton *cells[3]; /* (nullable) by DgDirection */
} Row;

struct _DgSpeedGrid {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *scroll, *grid, *all, *all_sign, *all_label;
    GtkWidget *unit_labels[3]; /* (nullable) */
    GtkWidget *mix_label;      /* (nullable) */
    Row *rows;
    guint n_rows;
    DgProfile *profile; /* (nullable) what the rows were made for */
    gboolean columns[3];
    gboolean is_narrow, was_running;
};

G_DEFINE_FINAL_TYPE (DgSpeedGrid, dg_speed_grid, GTK_TYPE_WIDGET)

/* ---- starting and stopping ---- */

static void
all_cb (GtkButton *button, DgSpeedGrid *self)
{
    if (dg_session_is_running (self->session))
        dg_session_stop (self->session);
    else
        dg_session_start (self->session, -1);
}

static void
row_cb (GtkButton *button, DgSpeedGrid *self)
{
    guint row = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "row"));
    if (dg_session_is_running (self->session))
        dg_session_stop (self->session);
    else
        dg_session_start (self->session, (gint) self->rows[row].test);
}

static const DgTestSpec *
spec_of (DgSpeedGrid *self, guint row)
{
    return &self->profile->tests[self->rows[row].test];
}

static void
cell_cb (GtkButton *button, DgSpeedGrid *self)
{
    guint row = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "row"));
    DgDirection direction =
        (DgDirection) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "direction"));
    DgDocument *document = dg_session_get_document (self->session);
    if (!document)
        return;
    gint test = dg_view_find_spec (dg_document_view (document), spec_of (self, row), direction);
    if (test >= 0)
        dg_runs_popover_show (GTK_WIDGET (button), document, (guint) test,
                              dg_session_get_unit (self->session));
}

/* ---- building ---- */

static void
clear_rows (DgSpeedGrid *self)
{
    for (guint i = 0; i < self->n_rows; i++)
        g_free (self->rows[i].name);
    g_clear_pointer (&self->rows, g_free);
    self->n_rows = 0;
    g_clear_pointer (&self->profile, dg_profile_free);
}

static GtkWidget *
column_head (DgSpeedGrid *self, DgDirection direction)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *title = gtk_label_new (dg_cell_text_direction (direction));
    GtkWidget *unit = gtk_label_new (NULL);
    gtk_widget_add_css_class (box, "dg-column");
    gtk_widget_add_css_class (title, "strong");
    gtk_widget_add_css_class (unit, "small");
    gtk_widget_set_hexpand (unit, TRUE);
    gtk_widget_set_halign (unit, GTK_ALIGN_END);
    gtk_box_append (GTK_BOX (box), dg_swatch_new (direction));
    gtk_box_append (GTK_BOX (box), title);
    gtk_box_append (GTK_BOX (box), unit);
    self->unit_labels[direction] = unit;
    if (direction == DG_DIRECTION_MIX)
        self->mix_label = title;
    return box;
}

static GtkWidget *
row_button (Row *row, const DgProfile *profile, const DgProfileRow *shown, guint index)
{
    const DgTestSpec *spec = &profile->tests[shown->test];
    GtkWidget *button = gtk_button_new (), *overlay = gtk_overlay_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    g_autofree gchar *name = dg_test_spec_dup_short (spec);
    g_autofree gchar *queue = dg_test_spec_dup_queue (spec);
    GtkWidget *first = gtk_label_new (name), *second = gtk_label_new (queue);
    row->stop_sign = dg_glyph_new (DG_GLYPH_STOP);
    gtk_widget_set_halign (row->stop_sign, GTK_ALIGN_END);
    gtk_widget_set_valign (row->stop_sign, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (row->stop_sign, "dg-stop-sign");
    gtk_widget_set_visible (row->stop_sign, FALSE);
    gtk_label_set_xalign (GTK_LABEL (first), 0);
    gtk_label_set_xalign (GTK_LABEL (second), 0);
    gtk_widget_add_css_class (first, "strong");
    gtk_widget_add_css_class (second, "small");
    gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (box), first);
    gtk_box_append (GTK_BOX (box), second);
    gtk_overlay_set_child (GTK_OVERLAY (overlay), box);
    gtk_overlay_add_overlay (GTK_OVERLAY (overlay), row->stop_sign);
    gtk_button_set_child (GTK_BUTTON (button), overlay);
    gtk_widget_add_css_class (button, "dg-row");
    g_object_set_data (G_OBJECT (button), "row", GUINT_TO_POINTER (index));
    return button;
}

static void
build_row (DgSpeedGrid *self, guint index)
{
    Row *row = &self->rows[index];
    const DgProfileRow *shown = &self->profile->rows[index];
    row->test = shown->test;
    row->name = dg_test_spec_dup_name (&self->profile->tests[shown->test]);
    row->button = row_button (row, self->profile, shown, index);
    g_signal_connect (row->button, "clicked", G_CALLBACK (row_cb), self);
    gtk_grid_attach (GTK_GRID (self->grid), row->button, 0, (gint) index + 1, 1, 1);
    gint column = 1;
    for (guint d = 0; d < 3; d++) {
        if (!self->columns[d])
            continue;
        GtkWidget *cell = dg_cell_button_new ();
        row->cells[d] = DG_CELL_BUTTON (cell);
        dg_cell_button_set_narrow (row->cells[d], self->is_narrow);
        dg_cell_button_set_big (row->cells[d], self->profile->is_demo);
        g_object_set_data (G_OBJECT (cell), "row", GUINT_TO_POINTER (index));
        g_object_set_data (G_OBJECT (cell), "direction", GUINT_TO_POINTER (d));
        g_signal_connect (cell, "clicked", G_CALLBACK (cell_cb), self);
        gtk_grid_attach (GTK_GRID (self->grid), cell, column++, (gint) index + 1, 1, 1);
    }
}

static void
set_button_widths (DgSpeedGrid *self)
{
    gtk_widget_set_size_request (self->all, self->is_narrow ? BUTTON_WIDTH_NARROW : BUTTON_WIDTH,
                                 -1);
    gtk_grid_set_column_spacing (GTK_GRID (self->grid), self->is_narrow ? 4 : 8);
    /* Three narrow columns are of one width only without their units, which the plan above has. */
    gboolean has_units =
        !self->is_narrow || !self->columns[0] || !self->columns[1] || !self->columns[2];
    for (guint d = 0; d < 3; d++)
        if (self->unit_labels[d])
            gtk_widget_set_visible (self->unit_labels[d], has_units);
    /* Beside the test's name there is no room for the sign then, beside the queue there is. */
    for (guint i = 0; i < self->n_rows; i++)
        gtk_widget_set_valign (self->rows[i].stop_sign,
                               self->is_narrow ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
    if (self->is_narrow)
        gtk_widget_add_css_class (self->grid, "dg-narrow");
    else
        gtk_widget_remove_css_class (self->grid, "dg-narrow");
}

static void
build (DgSpeedGrid *self)
{
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child (self->grid)))
        gtk_grid_remove (GTK_GRID (self->grid), child);
    clear_rows (self);
    memset (self->unit_labels, 0, sizeof self->unit_labels);
    self->mix_label = NULL;
    self->profile = dg_profile_copy (dg_session_get_profile (self->session));
    dg_session_get_columns (self->session, self->columns);

    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    self->all = gtk_button_new ();
    self->all_sign = dg_glyph_new (DG_GLYPH_STOP);
    self->all_label = gtk_label_new (_ ("All"));
    gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (box), self->all_sign);
    gtk_box_append (GTK_BOX (box), self->all_label);
    gtk_button_set_child (GTK_BUTTON (self->all), box);
    gtk_widget_add_css_class (self->all, "dg-all");
    g_signal_connect (self->all, "clicked", G_CALLBACK (all_cb), self);
    gtk_grid_attach (GTK_GRID (self->grid), self->all, 0, 0, 1, 1);
    gint column = 1;
    g_autoptr (GtkSizeGroup) heads = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    for (guint d = 0; d < 3; d++) {
        if (!self->columns[d])
            continue;
        GtkWidget *head = column_head (self, (DgDirection) d);
        gtk_size_group_add_widget (heads, head);
        gtk_grid_attach (GTK_GRID (self->grid), head, column++, 0, 1, 1);
    }
    self->n_rows = self->profile->n_rows;
    self->rows = g_new0 (Row, MAX (self->n_rows, 1));
    for (guint i = 0; i < self->n_rows; i++)
        build_row (self, i);
    set_button_widths (self);
    self->was_running = FALSE;
}

static gboolean
is_built_for (DgSpeedGrid *self)
{
    const DgProfile *wanted = dg_session_get_profile (self->session);
    gboolean columns[3];
    dg_session_get_columns (self->session, columns);
    if (!self->profile || memcmp (columns, self->columns, sizeof columns) != 0
        || wanted->n_rows != self->profile->n_rows || wanted->n_tests != self->profile->n_tests
        || wanted->is_demo != self->profile->is_demo)
        return FALSE;
    for (guint i = 0; i < wanted->n_tests; i++)
        if (!dg_test_spec_equal (&wanted->tests[i], &self->profile->tests[i]))
            return FALSE;
    for (guint i = 0; i < wanted->n_rows; i++) {
        const DgProfileRow *a = &wanted->rows[i], *b = &self->profile->rows[i];
        if (a->test != b->test || a->has_unit != b->has_unit || a->show != b->show)
            return FALSE;
    }
    return TRUE;
}

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
    Row *row = &self->rows[index];
    const DgProfileRow *shown = &self->profile->rows[index];
    gboolean has_document = dg_session_get_document (self->session) != NULL;
    gint test = has_document ? dg_view_find_spec (view, spec_of (self, index), direction) : -1;
    g_autofree gchar *spoken = NULL;
    DgCell cell = { 0 };
    dg_cell_from_test (&cell, view, test, direction, shown, style);
    cell.is_dimmed = dg_session_is_earlier (self->session);
    if (is_live (self, row->test, direction)) {
        dg_cell_text_fill_live (&cell, dg_session_get_progress (self->session), shown,
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
        Row *row = &self->rows[i];
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
    if (!is_built_for (self))
        build (self);
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
    set_button_widths (self);
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
    clear_rows (self);
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
