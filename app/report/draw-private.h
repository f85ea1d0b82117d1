/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the drawings of this folder share. Main thread only: text layouts are kept from one drawing
 * to the next. */
#pragma once

#include "app/report/drawing.h"

G_BEGIN_DECLS

/* ---- text ---- */
typedef struct {
    gdouble px; /* size in logical pixels */
    PangoWeight weight;
    DgColor color;
    gdouble max_width; /* 0 = no limit, else ellipsized at the end */
    guint max_lines;   /* above 1: wrapped within max_width, the last line ellipsized */
    gboolean is_tight; /* letters a little closer: large figures and titles */
    gboolean
        marks_figures; /* numbers with their unit in fg and medium weight, the rest as `color` */
    guint bold_bytes;  /* so many first bytes semi-bold */
} DgTextLook;

typedef enum {
    DG_ALIGN_LEFT,
    DG_ALIGN_CENTER,
    DG_ALIGN_RIGHT
} DgAlign;

/* Logical pixels of `percent` of the style's font. */
gdouble dg__draw_px (const DgDrawStyle *style, gdouble percent);

/* (transfer none): valid until the next call. */
PangoLayout *dg__text_layout (const DgDrawStyle *style, const gchar *text, const DgTextLook *look);
gdouble dg__text_width (const DgDrawStyle *style, const gchar *text, const DgTextLook *look);
gdouble dg__text_height (const DgDrawStyle *style, const gchar *text, const DgTextLook *look);

/* First line's baseline at y; x is the left edge, middle or right edge. Returns the width. */
gdouble dg__text_draw (cairo_t *cr, const DgDrawStyle *style, const gchar *text,
                       const DgTextLook *look, gdouble x, gdouble y, DgAlign align);

DgNumberFor dg__number_for (const DgDrawStyle *style);

/* About so many MB/s, whole from 10 up. (transfer full) */
gchar *dg__about_mb (guint64 bytes_per_s, DgNumberFor purpose);

/* ---- shapes ---- */
void dg__set_source_alpha (cairo_t *cr, const DgDrawStyle *style, DgColor color, gdouble alpha);
void dg__rounded_rectangle (cairo_t *cr, gdouble x, gdouble y, gdouble width, gdouble height,
                            gdouble radius);

/* Fills the present path with 45° stripes `period` apart along x and `line` thick, and clears the
 * path. Stays sharp at each scale and in vector files. */
void dg__fill_hatch (cairo_t *cr, const DgDrawStyle *style, DgColor color, gdouble alpha,
                     gdouble period, gdouble line);

/* The little patch of a direction's colour and pattern before its name. */
void dg__swatch (cairo_t *cr, const DgDrawStyle *style, DgDirection direction, gdouble x, gdouble y,
                 gdouble width, gdouble height);

/* "drive", "bridge", "hub", "port", "controller"; a dot for any other kind. */
void dg__node_sign (cairo_t *cr, const DgDrawStyle *style, const gchar *kind, gdouble x, gdouble y,
                    gdouble size);

/* "Read" and "read" in the user's language, or in English for a file. (static) */
const gchar *dg__direction_title (DgDirection direction);
const gchar *dg__direction_word (DgDirection direction);

G_END_DECLS
