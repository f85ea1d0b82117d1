/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/cell-button.h"

#include "app/gui/accessible.h"
#include "app/gui/style.h"

#include <math.h>

struct _DgCellButton {
    GtkButton parent_instance;

    DgCell cell;
    DgUnit unit;
    gchar *spoken;
    gboolean is_narrow, is_big;
};

G_DEFINE_FINAL_TYPE (DgCellButton, dg_cell_button, GTK_TYPE_BUTTON)

#define BIG_SCALE 1.8

static void
dg_cell_button_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    DgCellButton *self = DG_CELL_BUTTON (widget);
    DgDrawStyle style;
    gdouble width, height;
    dg_style_for (widget, self->unit, &style);
    /* As wide as it gets, but it need not be wider than the others. */
    if (self->is_big && orientation == GTK_ORIENTATION_VERTICAL)
        style.text_scale = BIG_SCALE;
    dg_cell_measure (gtk_widget_get_pango_context (widget), &style, FALSE, self->is_narrow, &width,
                     &height);
    dg_style_clear (&style);
    *minimum = *natural = (int) ceil (orientation == GTK_ORIENTATION_HORIZONTAL ? width : height);
}

static void
dg_cell_button_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    DgCellButton *self = DG_CELL_BUTTON (widget);
    int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
    DgDrawStyle style;
    dg_style_for (widget, self->unit, &style);
    if (self->is_big)
        style.text_scale = BIG_SCALE;
    self->cell.is_narrow = self->is_narrow;
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
    dg_cell_draw (cr, &self->cell, &style, width, height);
    cairo_destroy (cr);
    dg_style_clear (&style);
}

static void
dg_cell_button_finalize (GObject *object)
{
    DgCellButton *self = DG_CELL_BUTTON (object);
    dg_cell_clear (&self->cell);
    g_free (self->spoken);
    G_OBJECT_CLASS (dg_cell_button_parent_class)->finalize (object);
}

static void
dg_cell_button_class_init (DgCellButtonClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->finalize = dg_cell_button_finalize;
    widget_class->measure = dg_cell_button_measure;
    widget_class->snapshot = dg_cell_button_snapshot;
}

static void
dg_cell_button_init (DgCellButton *self)
{
    /* A button's own layout manager would measure the child that there is not. */
    gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
    gtk_widget_add_css_class (GTK_WIDGET (self), "dg-cell");
    dg_cell_from_test (&self->cell, NULL, -1, DG_DIRECTION_READ, NULL, &(DgDrawStyle){ 0 });
}

GtkWidget *
dg_cell_button_new (void)
{
    return g_object_new (DG_TYPE_CELL_BUTTON, "hexpand", TRUE, NULL);
}

static gboolean
cell_equal (const DgCell *a, const DgCell *b)
{
    /* Only what differs between two looks at a running test; all else comes with a new text. */
    return a->direction == b->direction && a->state == b->state && a->is_dimmed == b->is_dimmed
           && a->value == b->value && a->ceiling == b->ceiling && a->scale_max == b->scale_max
           && g_strcmp0 (a->figure, b->figure) == 0 && g_strcmp0 (a->beside, b->beside) == 0
           && g_strcmp0 (a->below, b->below) == 0 && g_strcmp0 (a->unit, b->unit) == 0;
}

void
dg_cell_button_take (DgCellButton *self, DgCell *cell, DgUnit unit, const gchar *spoken)
{
    gboolean is_same = self->unit == unit && cell_equal (&self->cell, cell);
    dg_cell_clear (&self->cell);
    self->cell = *cell;
    self->unit = unit;
    memset (cell, 0, sizeof *cell);
    if (!is_same)
        gtk_widget_queue_draw (GTK_WIDGET (self));
    if (g_strcmp0 (self->spoken, spoken) == 0)
        return;
    g_free (self->spoken);
    self->spoken = g_strdup (spoken);
    dg_accessible_set_name (GTK_WIDGET (self), spoken);
}

void
dg_cell_button_set_narrow (DgCellButton *self, gboolean is_narrow)
{
    if (self->is_narrow == is_narrow)
        return;
    self->is_narrow = is_narrow;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
dg_cell_button_set_big (DgCellButton *self, gboolean is_big)
{
    if (self->is_big == is_big)
        return;
    self->is_big = is_big;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

const DgCell *
dg_cell_button_get_cell (DgCellButton *self)
{
    return &self->cell;
}
