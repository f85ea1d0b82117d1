/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by speed-grid*.c only. */
#pragma once

#include "app/gui/cell-button.h"
#include "app/gui/speed-grid.h"

G_BEGIN_DECLS

typedef struct {
    GtkWidget *button, *stop_sign;
    gchar *name; /* "SEQ1M Q8T1" */
    guint test;
    DgCellButton *cells[3]; /* (nullable) by DgDirection */
} DgSpeedRow;

struct _DgSpeedGrid {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *scroll, *grid, *all, *all_sign, *all_label;
    GtkWidget *unit_labels[3]; /* (nullable) */
    GtkWidget *mix_label;      /* (nullable) */
    DgSpeedRow *rows;
    guint n_rows;
    DgProfile *profile; /* (nullable) what the rows were made for */
    gboolean columns[3];
    gboolean is_narrow, was_running;
    DgProgress live; /* of the running test's cell */
};

static inline const DgTestSpec *
dg_speed_grid_spec (DgSpeedGrid *self, guint row)
{
    return &self->profile->tests[self->rows[row].test];
}

/* speed-grid-build.c: the widgets for the session's profile and columns, not yet filled. */
void dg_speed_grid_build (DgSpeedGrid *self);
gboolean dg_speed_grid_is_built (DgSpeedGrid *self);
void dg_speed_grid_set_widths (DgSpeedGrid *self);
void dg_speed_grid_clear (DgSpeedGrid *self);

G_END_DECLS
