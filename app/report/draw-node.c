/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signs of the chain's nodes on a grid of 16 x 16. */
#include "app/report/draw-private.h"

static void
drive_sign (cairo_t *cr)
{
    dg__rounded_rectangle (cr, 1.5, 1.5, 13, 13, 1.8);
    cairo_rectangle (cr, 3, 3, 10, 7);
    cairo_rectangle (cr, 3, 11.4, 7, 1.6);
    cairo_rectangle (cr, 11.6, 11.4, 1.4, 1.6);
}

static void
chip_sign (cairo_t *cr)
{
    dg__rounded_rectangle (cr, 3, 3, 10, 10, 1.8);
    cairo_rectangle (cr, 5, 5, 6, 6);
    for (guint i = 0; i < 2; i++) {
        gdouble at = i == 0 ? 5.2 : 9.4;
        cairo_rectangle (cr, at, 0.8, 1.4, 2.2);
        cairo_rectangle (cr, at, 13, 1.4, 2.2);
        cairo_rectangle (cr, 0.8, at, 2.2, 1.4);
        cairo_rectangle (cr, 13, at, 2.2, 1.4);
    }
}

/* One line that parts in three. */
static void
hub_sign (cairo_t *cr)
{
    cairo_rectangle (cr, 6, 1, 4, 4);
    cairo_rectangle (cr, 7.2, 5, 1.6, 2.2);
    cairo_rectangle (cr, 2.2, 7.2, 11.6, 1.6);
    for (guint i = 0; i < 3; i++) {
        gdouble x = 3 + 5 * (gdouble) i;
        cairo_rectangle (cr, x - 0.8, 8.8, 1.6, 2.2);
        cairo_rectangle (cr, x - 2, 11, 4, 4);
    }
}

static void
port_sign (cairo_t *cr)
{
    dg__rounded_rectangle (cr, 1, 4.5, 14, 7, 3.5);
    dg__rounded_rectangle (cr, 2.7, 6.2, 10.6, 3.6, 1.8);
    cairo_rectangle (cr, 4.6, 7.3, 6.8, 1.4);
}

/* A card with its bracket and contacts. */
static void
controller_sign (cairo_t *cr)
{
    cairo_rectangle (cr, 1, 1.8, 2, 12.8);
    cairo_rectangle (cr, 3, 2.8, 12, 8.4);
    cairo_rectangle (cr, 4.6, 4.4, 8.8, 5.2);
    cairo_rectangle (cr, 6.2, 5.8, 3, 2.4);
    cairo_rectangle (cr, 4.8, 11.2, 2, 2);
    cairo_rectangle (cr, 8, 11.2, 2, 2);
}

static void
computer_sign (cairo_t *cr)
{
    cairo_rectangle (cr, 1, 2, 14, 9.5);
    cairo_rectangle (cr, 2.6, 3.6, 10.8, 6.3);
    cairo_rectangle (cr, 4.5, 12.8, 7, 1.6);
}

void
dg__node_sign (cairo_t *cr, const DgDrawStyle *style, const gchar *kind, gdouble x, gdouble y,
               gdouble size)
{
    static const struct {
        const gchar *kind;
        void (*draw) (cairo_t *cr);
    } signs[] = {
        { "drive", drive_sign }, { "bridge", chip_sign },           { "hub", hub_sign },
        { "port", port_sign },   { "controller", controller_sign }, { "computer", computer_sign }
    };
    cairo_save (cr);
    cairo_translate (cr, x, y);
    cairo_scale (cr, size / 16, size / 16);
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_new_path (cr);
    gboolean is_known = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (signs) && !is_known; i++)
        if (g_strcmp0 (kind, signs[i].kind) == 0) {
            signs[i].draw (cr);
            is_known = TRUE;
        }
    if (!is_known)
        cairo_arc (cr, 8, 8, 3, 0, 2 * G_PI);
    dg_palette_set_source (cr, style->look, DG_COLOR_FG);
    cairo_fill (cr);
    cairo_restore (cr);
}
