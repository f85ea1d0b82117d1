/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

void
dg__set_source_alpha (cairo_t *cr, const DgDrawStyle *style, DgColor color, gdouble alpha)
{
    DgRgb c = dg_palette_get (style->look, color);
    cairo_set_source_rgba (cr, c.red, c.green, c.blue, alpha);
}

void
dg__rounded_rectangle (cairo_t *cr, gdouble x, gdouble y, gdouble width, gdouble height,
                       gdouble radius)
{
    radius = MIN (radius, MIN (width, height) / 2);
    cairo_new_sub_path (cr);
    cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0);
    cairo_arc (cr, x + width - radius, y + height - radius, radius, 0, G_PI_2);
    cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
    cairo_arc (cr, x + radius, y + radius, radius, G_PI, 3 * G_PI_2);
    cairo_close_path (cr);
}

/* Stripes as lines, for vector files: a pattern would become a bitmap there. */
static void
stroke_stripes (cairo_t *cr, gdouble period, gdouble line)
{
    gdouble x1, y1, x2, y2;
    cairo_save (cr);
    cairo_clip (cr);
    cairo_clip_extents (cr, &x1, &y1, &x2, &y2);
    gdouble height = y2 - y1;
    for (gdouble x = floor ((x1 + y1) / period) * period; x - y1 < x2 + height + period;
         x += period) {
        cairo_move_to (cr, x - y1 + line, y1 - line);
        cairo_line_to (cr, x - y2 - line, y2 + line);
    }
    cairo_set_line_width (cr, line);
    cairo_stroke (cr);
    cairo_restore (cr);
    cairo_new_path (cr);
}

/* The scale a bitmap pattern needs. A recording (the window) is played back at a scale that is not
 * known here: twice is sharp enough. */
static gint
device_scale (cairo_t *cr)
{
    gdouble x = 1, y = 0, device_x, device_y;
    cairo_surface_t *target = cairo_get_target (cr);
    if (cairo_surface_get_type (target) != CAIRO_SURFACE_TYPE_IMAGE)
        return 2;
    cairo_user_to_device_distance (cr, &x, &y);
    cairo_surface_get_device_scale (target, &device_x, &device_y);
    return CLAMP ((gint) ceil (hypot (x, y) * device_x - 0.01), 1, 8);
}

typedef struct {
    guint32 rgba;
    gint scale, period_px, line_100;
    cairo_pattern_t *pattern;
} Hatch;

/* Few are in use at a time: read, write, mix and warning in one look. */
#define KEPT_HATCHES 24
static Hatch hatches[KEPT_HATCHES];
static guint next_hatch;

static guint32
rgba_of (const DgDrawStyle *style, DgColor color, gdouble alpha)
{
    DgRgb c = dg_palette_get (style->look, color);
    return (guint32) (c.red * 255) << 24 | (guint32) (c.green * 255) << 16
           | (guint32) (c.blue * 255) << 8 | (guint32) (alpha * 255);
}

static cairo_pattern_t *
make_hatch (const DgDrawStyle *style, DgColor color, gdouble alpha, gint tile_px, gdouble line_px)
{
    cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, tile_px, tile_px);
    cairo_t *cr = cairo_create (tile);
    for (gint i = 0; i <= 2; i++) {
        cairo_move_to (cr, i * tile_px + line_px, -line_px);
        cairo_line_to (cr, (i - 1) * tile_px - line_px, tile_px + line_px);
    }
    cairo_set_line_width (cr, line_px);
    dg__set_source_alpha (cr, style, color, alpha);
    cairo_stroke (cr);
    cairo_destroy (cr);
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface (tile);
    cairo_surface_destroy (tile);
    cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
    return pattern;
}

static cairo_pattern_t *
get_hatch (const DgDrawStyle *style, DgColor color, gdouble alpha, gint scale, gdouble period,
           gdouble line)
{
    Hatch wanted = { rgba_of (style, color, alpha), scale, (gint) round (period * scale),
                     (gint) round (line * 100), NULL };
    for (guint i = 0; i < KEPT_HATCHES; i++)
        if (hatches[i].pattern != NULL && hatches[i].rgba == wanted.rgba
            && hatches[i].scale == scale && hatches[i].period_px == wanted.period_px
            && hatches[i].line_100 == wanted.line_100)
            return hatches[i].pattern;
    wanted.pattern = make_hatch (style, color, alpha, MAX (wanted.period_px, 1), line * scale);
    cairo_matrix_t matrix;
    gdouble to_tile = MAX (wanted.period_px, 1) / period;
    cairo_matrix_init_scale (&matrix, to_tile, to_tile);
    cairo_pattern_set_matrix (wanted.pattern, &matrix);
    Hatch *slot = &hatches[next_hatch++ % KEPT_HATCHES];
    g_clear_pointer (&slot->pattern, cairo_pattern_destroy);
    *slot = wanted;
    return slot->pattern;
}

void
dg__fill_hatch (cairo_t *cr, const DgDrawStyle *style, DgColor color, gdouble alpha, gdouble period,
                gdouble line)
{
    cairo_surface_type_t type = cairo_surface_get_type (cairo_get_target (cr));
    if (type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF) {
        dg__set_source_alpha (cr, style, color, alpha);
        stroke_stripes (cr, period, line);
        return;
    }
    cairo_set_source (cr, get_hatch (style, color, alpha, device_scale (cr), period, line));
    cairo_fill (cr);
}

void
dg__swatch (cairo_t *cr, const DgDrawStyle *style, DgDirection direction, gdouble x, gdouble y,
            gdouble width, gdouble height)
{
    gdouble radius = MIN (width, height) / 5;
    dg__rounded_rectangle (cr, x, y, width, height, radius);
    dg_palette_set_source (cr, style->look, dg_palette_line (direction));
    cairo_fill (cr);
    if (direction == DG_DIRECTION_WRITE) {
        dg__rounded_rectangle (cr, x, y, width, height, radius);
        dg__fill_hatch (cr, style, DG_COLOR_CARD, 0.75, 6, 1.5);
    } else if (direction == DG_DIRECTION_MIX) {
        cairo_rectangle (cr, x, y + height / 2 - 1, width, 2);
        dg__set_source_alpha (cr, style, DG_COLOR_CARD, 0.75);
        cairo_fill (cr);
    }
}

const gchar *
dg__direction_title (DgDirection direction)
{
    switch (direction) {
    case DG_DIRECTION_READ:
        return _("Read");
    case DG_DIRECTION_WRITE:
        return _("Write");
    case DG_DIRECTION_MIX:
        return _("Mix");
    }
    return "";
}

const gchar *
dg__direction_word (DgDirection direction)
{
    switch (direction) {
    case DG_DIRECTION_READ:
        return _("read");
    case DG_DIRECTION_WRITE:
        return _("write");
    case DG_DIRECTION_MIX:
        return _("mix");
    }
    return "";
}
