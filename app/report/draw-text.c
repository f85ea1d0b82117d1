/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-private.h"

#include <string.h>

/* Layouts kept; more different texts than this on one page are rare, and then all are made anew. */
#define KEPT_LAYOUTS 600

/* The highest line of a script in ems. Without any font Pango's height is a chance number. */
#define MOST_LINE_EM 2.6

typedef struct {
    PangoContext *context;
    GHashTable *layouts; /* key -> PangoLayout */
} TextCache;

static void
text_cache_free (gpointer data)
{
    TextCache *cache = data;
    g_clear_pointer (&cache->layouts, g_hash_table_unref);
    g_clear_object (&cache->context);
    g_free (cache);
}

static GPrivate cache_of_thread = G_PRIVATE_INIT (text_cache_free);

/* A context of its own, without rounding to pixels: a picture of twice the size has the same line
 * breaks. */
static TextCache *
text_cache (void)
{
    TextCache *cache = g_private_get (&cache_of_thread);
    if (cache != NULL)
        return cache;
    cache = g_new0 (TextCache, 1);
    cache->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
    cairo_font_options_t *options = cairo_font_options_create ();
    cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options (cache->context, options);
    cairo_font_options_destroy (options);
    pango_cairo_context_set_resolution (cache->context, 96);
    pango_context_set_round_glyph_positions (cache->context, FALSE);
    cache->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
    g_private_set (&cache_of_thread, cache);
    return cache;
}

/* Pango on Windows takes the names between the commas as they are, blanks included, and knows no
 * family beyond this list; elsewhere the system finds a font for every letter by itself. */
#define PICTURE_FAMILIES                                                                           \
    "Inter,Adwaita Sans,Cantarell,Segoe UI,sans-serif,DejaVu Sans,Segoe UI Emoji,Segoe UI Symbol"

const PangoFontDescription *
dg_draw_picture_font (void)
{
    static PangoFontDescription *font;
    if (g_once_init_enter (&font)) {
        PangoFontDescription *made = pango_font_description_new ();
        pango_font_description_set_family_static (made, PICTURE_FAMILIES);
        pango_font_description_set_absolute_size (made, 16 * PANGO_SCALE);
        g_once_init_leave (&font, made);
    }
    return font;
}

gdouble
dg__draw_px (const DgDrawStyle *style, gdouble percent)
{
    const PangoFontDescription *font = style->font != NULL ? style->font : dg_draw_picture_font ();
    gdouble size = (gdouble) pango_font_description_get_size (font) / PANGO_SCALE;
    if (!pango_font_description_get_size_is_absolute (font))
        size *= 96.0 / 72.0;
    if (size <= 0)
        size = 14;
    return size * (style->text_scale > 0 ? style->text_scale : 1) * percent / 100;
}

DgNumberFor
dg__number_for (const DgDrawStyle *style)
{
    return style->for_file ? DG_FOR_FILE : DG_FOR_WINDOW;
}

static void
insert_weight (PangoAttrList *list, PangoWeight weight, gsize from, gsize to)
{
    PangoAttribute *attribute = pango_attr_weight_new (weight);
    attribute->start_index = (guint) from;
    attribute->end_index = (guint) to;
    pango_attr_list_insert (list, attribute);
}

static void
insert_color (PangoAttrList *list, const DgDrawStyle *style, DgColor color, gsize from, gsize to)
{
    DgRgb c = dg_palette_get (style->look, color);
    PangoAttribute *attribute = pango_attr_foreground_new (
        (guint16) (c.red * 65535), (guint16) (c.green * 65535), (guint16) (c.blue * 65535));
    attribute->start_index = (guint) from;
    attribute->end_index = (guint) to;
    pango_attr_list_insert (list, attribute);
}

static gboolean
is_time_unit (const gchar *word, gsize length)
{
    static const gchar *const units[] = { "ns", "µs", "ms", "s" };
    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (length == strlen (units[i]) && memcmp (word, units[i], length) == 0)
            return TRUE;
    return FALSE;
}

/* Words that begin with a digit, and a unit of time that follows one. */
static void
mark_figures (PangoAttrList *list, const DgDrawStyle *style, const gchar *text)
{
    gboolean was_figure = FALSE;
    for (const gchar *word = text; *word != '\0';) {
        gsize length = strcspn (word, " ");
        gboolean is_figure = g_ascii_isdigit (*word);
        if (is_figure || (was_figure && is_time_unit (word, length))) {
            gsize from = (gsize) (word - text);
            insert_weight (list, PANGO_WEIGHT_MEDIUM, from, from + length);
            insert_color (list, style, DG_COLOR_FG, from, from + length);
        }
        was_figure = is_figure;
        word += length;
        while (*word == ' ')
            word++;
    }
}

static PangoLayout *
make_layout (TextCache *cache, const DgDrawStyle *style, const gchar *text, const DgTextLook *look)
{
    PangoLayout *layout = pango_layout_new (cache->context);
    PangoFontDescription *font =
        pango_font_description_copy (style->font != NULL ? style->font : dg_draw_picture_font ());
    pango_font_description_set_absolute_size (font, look->px * PANGO_SCALE);
    pango_font_description_set_weight (font, look->weight);
    pango_layout_set_font_description (layout, font);
    pango_font_description_free (font);
    pango_layout_set_text (layout, text, -1);

    PangoAttrList *list = pango_attr_list_new ();
    pango_attr_list_insert (list, pango_attr_font_features_new ("tnum=1, calt=0"));
    if (look->is_tight)
        pango_attr_list_insert (
            list, pango_attr_letter_spacing_new ((int) (-0.014 * look->px * PANGO_SCALE)));
    if (look->marks_figures)
        mark_figures (list, style, text);
    if (look->bold_bytes > 0)
        insert_weight (list, PANGO_WEIGHT_SEMIBOLD, 0, look->bold_bytes);
    pango_layout_set_attributes (layout, list);
    pango_attr_list_unref (list);

    if (look->max_width > 0) {
        pango_layout_set_width (layout, (int) (look->max_width * PANGO_SCALE));
        pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
        pango_layout_set_height (layout, -(int) MAX (look->max_lines, 1));
        pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
    }
    if (look->max_lines <= 1)
        pango_layout_set_single_paragraph_mode (layout, TRUE);
    /* Placed by the caller: a right-to-left text must not go to the far end of its width by itself.
     */
    pango_layout_set_auto_dir (layout, TRUE);
    return layout;
}

PangoLayout *
dg__text_layout (const DgDrawStyle *style, const gchar *text, const DgTextLook *look)
{
    TextCache *cache = text_cache ();
    const PangoFontDescription *font = style->font != NULL ? style->font : dg_draw_picture_font ();
    /* The colour belongs to the layout only where figures are marked. */
    g_autofree gchar *key =
        g_strdup_printf ("%x %g %d %g %u %d %d %u %s", pango_font_description_hash (font), look->px,
                         (int) look->weight, look->max_width, look->max_lines, look->is_tight,
                         look->marks_figures ? (int) style->look : -1, look->bold_bytes, text);
    PangoLayout *layout = g_hash_table_lookup (cache->layouts, key);
    if (layout == NULL) {
        if (g_hash_table_size (cache->layouts) >= KEPT_LAYOUTS)
            g_hash_table_remove_all (cache->layouts);
        layout = make_layout (cache, style, text, look);
        g_hash_table_insert (cache->layouts, g_steal_pointer (&key), layout);
    }
    return layout;
}

static PangoRectangle
logical_extents (PangoLayout *layout)
{
    PangoRectangle logical;
    pango_layout_get_extents (layout, NULL, &logical);
    return logical;
}

gdouble
dg__text_width (const DgDrawStyle *style, const gchar *text, const DgTextLook *look)
{
    return (gdouble) logical_extents (dg__text_layout (style, text, look)).width / PANGO_SCALE;
}

gdouble
dg__text_height (const DgDrawStyle *style, const gchar *text, const DgTextLook *look)
{
    PangoLayout *layout = dg__text_layout (style, text, look);
    gdouble natural = (gdouble) logical_extents (layout).height / PANGO_SCALE;
    gdouble most = MOST_LINE_EM * look->px * pango_layout_get_line_count (layout);
    return MIN (natural, most);
}

/* Pictures in colour have no outline. */
static gboolean
has_emoji (const gchar *text, const PangoItem *item)
{
    const gchar *end = text + item->offset + item->length;
    for (const gchar *p = text + item->offset; p < end; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (c >= 0x1f000 || (c >= 0x2600 && c < 0x27c0))
            return TRUE;
    }
    return FALSE;
}

static void
set_run_color (cairo_t *cr, const DgDrawStyle *style, DgColor color, const PangoItem *item)
{
    dg_palette_set_source (cr, style->look, color);
    for (GSList *l = item->analysis.extra_attrs; l != NULL; l = l->next) {
        const PangoAttribute *attribute = l->data;
        if (attribute->klass->type != PANGO_ATTR_FOREGROUND)
            continue;
        const PangoColor *c = &((const PangoAttrColor *) attribute)->color;
        cairo_set_source_rgb (cr, c->red / 65535.0, c->green / 65535.0, c->blue / 65535.0);
    }
}

/* The image backend sets glyphs on whole pixels, which tears small text apart; outlines stand where
 * they belong. */
static void
fill_outlines (cairo_t *cr, const DgDrawStyle *style, PangoLayout *layout, DgColor color,
               gdouble left, gdouble top)
{
    PangoLayoutIter *iter = pango_layout_get_iter (layout);
    const gchar *text = pango_layout_get_text (layout);
    do {
        PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
        PangoRectangle logical;
        if (run == NULL)
            continue;
        pango_layout_iter_get_run_extents (iter, NULL, &logical);
        set_run_color (cr, style, color, run->item);
        cairo_move_to (cr, left + (gdouble) logical.x / PANGO_SCALE,
                       top + (gdouble) pango_layout_iter_get_baseline (iter) / PANGO_SCALE);
        if (has_emoji (text, run->item))
            pango_cairo_show_glyph_string (cr, run->item->analysis.font, run->glyphs);
        else {
            pango_cairo_glyph_string_path (cr, run->item->analysis.font, run->glyphs);
            cairo_fill (cr);
        }
    } while (pango_layout_iter_next_run (iter));
    pango_layout_iter_free (iter);
}

gdouble
dg__text_draw (cairo_t *cr, const DgDrawStyle *style, const gchar *text, const DgTextLook *look,
               gdouble x, gdouble y, DgAlign align)
{
    PangoLayout *layout = dg__text_layout (style, text, look);
    PangoRectangle logical = logical_extents (layout);
    gdouble width = (gdouble) logical.width / PANGO_SCALE;
    gdouble left = x - (gdouble) logical.x / PANGO_SCALE;
    if (align == DG_ALIGN_CENTER)
        left -= width / 2;
    else if (align == DG_ALIGN_RIGHT)
        left -= width;
    gdouble top = y - (gdouble) pango_layout_get_baseline (layout) / PANGO_SCALE;
    /* Vector files place glyphs exactly by themselves, and keep each outline once. */
    if (style->has_exact_text
        && cairo_surface_get_type (cairo_get_target (cr)) != CAIRO_SURFACE_TYPE_SVG) {
        fill_outlines (cr, style, layout, look->color, left, top);
    } else {
        dg_palette_set_source (cr, style->look, look->color);
        cairo_move_to (cr, left, top);
        pango_cairo_show_layout (cr, layout);
    }
    cairo_new_path (cr);
    return width;
}
