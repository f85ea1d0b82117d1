/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell in words, and a running test's cell. Main thread. */
#pragma once

#include "app/core/runner.h"
#include "app/report/drawing.h"

G_BEGIN_DECLS

/* "SEQ1M Q8T1 read: 1036 megabytes per second, plus or minus 0.4 percent. ..."; test -1: "... not
 * measured yet." (transfer full) */
gchar *dg_cell_text_spoken (const DgDocView *view, gint test, const gchar *name,
                            DgDirection direction, const DgProfileRow *row, DgUnit unit);

/* The cell of the test that is being measured: present rate, run number. `cell` was made by
 * dg_cell_from_test. */
void dg_cell_text_fill_live (DgCell *cell, const DgProgress *progress, const DgProfileRow *row,
                             guint runs, DgUnit unit);

/* `shown` becomes `now`; but a pass that has counted nothing yet leaves there the figures of the
 * pass before it, where that was of the same test: no figure goes and comes at each run. */
void dg_cell_text_take_progress (DgProgress *shown, const DgProgress *now);

/* "SEQ1M Q8T1 write: being measured." (transfer full) */
gchar *dg_cell_text_spoken_live (const gchar *name, DgDirection direction);

/* "Read", "Write", "Mix"; and within a sentence. (static, translated) */
const gchar *dg_cell_text_direction (DgDirection direction);
const gchar *dg_cell_text_direction_word (DgDirection direction);

/* The unit of a row: its own or the window's. */
DgUnit dg_cell_text_row_unit (const DgProfileRow *row, DgUnit unit);

G_END_DECLS
