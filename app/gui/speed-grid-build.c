/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widgets of the grid, and what a click on each does. */
#include "app/gui/speed-grid-private.h"

#include "app/gui/cell-text.h"
#include "app/gui/glyph.h"
#include "app/gui/runs-popover.h"
#include "app/gui/sign.h"

#include <glib/gi18n.h>

#define BUTTON_WIDTH        104
#define BUTTON_WIDTH_NARROW 74

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

static void
cell_cb (GtkButton *button, DgSpeedGrid *self)
{
    guint row = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "row"));
    DgDirection direction =
        (DgDirection) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "direction"));
    DgDocument *document = dg_session_get_document (self->session);
    if (!document)
        return;
    gint test =
        dg_view_find_spec (dg_document_view (document), dg_speed_grid_spec (self, row), direction);
    if (test >= 0)
        dg_runs_popover_show (GTK_WIDGET (button), document, (guint) test,
                              dg_session_get_unit (self->session));
}

/* ---- building ---- */

void
dg_speed_grid_clear (DgSpeedGrid *self)
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
row_button (DgSpeedRow *row, const DgProfile *profile, const DgProfileRow *shown, guint index)
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
    DgSpeedRow *row = &self->rows[index];
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

void
dg_speed_grid_set_widths (DgSpeedGrid *self)
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

void
dg_speed_grid_build (DgSpeedGrid *self)
{
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child (self->grid)))
        gtk_grid_remove (GTK_GRID (self->grid), child);
    dg_speed_grid_clear (self);
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
    self->rows = g_new0 (DgSpeedRow, MAX (self->n_rows, 1));
    for (guint i = 0; i < self->n_rows; i++)
        build_row (self, i);
    dg_speed_grid_set_widths (self);
    self->was_running = FALSE;
}

gboolean
dg_speed_grid_is_built (DgSpeedGrid *self)
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
