/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/style.h"

static GtkCssProvider *palette_provider;
static DgLook current_look = DG_LOOK_LIGHT;

static void
load_palette (void)
{
    gboolean is_contrast = !dg_palette_has_fill (current_look);
    g_autofree gchar *palette = dg_palette_to_css (current_look);
    /* In high contrast each button has a border, and the accent may be light. */
    g_autofree gchar *css =
        g_strdup_printf ("%s@define-color dg_button_line %s;\n@define-color dg_on_accent %s;\n",
                         palette, is_contrast ? "@dg_line" : "rgba(0,0,0,0)",
                         current_look == DG_LOOK_CONTRAST_DARK ? "black" : "white");
    gtk_css_provider_load_from_data (palette_provider, css, -1);
}

void
dg_style_init (GdkDisplay *display)
{
    g_autoptr (GtkCssProvider) sheet = gtk_css_provider_new ();
    palette_provider = gtk_css_provider_new ();
    load_palette ();
    gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (palette_provider),
                                                GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    gtk_css_provider_load_from_resource (sheet, "/io/github/drivegauge/DriveGauge/style.css");
    gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (sheet),
                                                GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
dg_style_set_look (gboolean dark, gboolean high_contrast)
{
    DgLook look = high_contrast ? (dark ? DG_LOOK_CONTRAST_DARK : DG_LOOK_CONTRAST_LIGHT)
                                : (dark ? DG_LOOK_DARK : DG_LOOK_LIGHT);
    if (look == current_look)
        return;
    current_look = look;
    if (palette_provider)
        load_palette ();
}

DgLook
dg_style_get_look (void)
{
    return current_look;
}

void
dg_style_for (GtkWidget *widget, DgUnit unit, DgDrawStyle *ret_style)
{
    PangoContext *context = gtk_widget_get_pango_context (widget);
    PangoFontDescription *font =
        pango_font_description_copy (pango_context_get_font_description (context));
    /* In pixels, so that drawing on any surface keeps the desktop's text scaling. */
    if (!pango_font_description_get_size_is_absolute (font)) {
        gdouble dpi = pango_cairo_context_get_resolution (context);
        gdouble points = pango_font_description_get_size (font) / (gdouble) PANGO_SCALE;
        pango_font_description_set_absolute_size (font,
                                                  points * (dpi > 0 ? dpi : 96) / 72 * PANGO_SCALE);
    }
    pango_font_description_unset_fields (font, PANGO_FONT_MASK_WEIGHT);
    *ret_style = (DgDrawStyle){
        .look = current_look,
        .font = font,
        .text_scale = 1,
        .right_to_left = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL,
        .has_exact_text = TRUE,
        .unit = unit,
    };
}

gdouble
dg_style_text_scale (GtkWidget *widget)
{
    DgDrawStyle style;
    dg_style_for (widget, DG_UNIT_MB, &style);
    gdouble px = pango_font_description_get_size (style.font) / (gdouble) PANGO_SCALE;
    dg_style_clear (&style);
    return px / (11 * 96 / 72.0);
}

void
dg_style_clear (DgDrawStyle *style)
{
    pango_font_description_free ((PangoFontDescription *) style->font);
    style->font = NULL;
}
