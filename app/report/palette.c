/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/palette.h"

#define N_LOOKS 4

/* One line a colour: light, dark, high contrast light, high contrast dark. In high contrast a fill
 * has the colour of the card: it is left out. */
static const struct {
    const gchar *name;
    guint32 rgb[N_LOOKS];
} table[DG_N_COLORS] = {
    [DG_COLOR_WINDOW] = { "window", { 0xfafafb, 0x242428, 0xffffff, 0x000000 } },
    [DG_COLOR_HEADER] = { "header", { 0xffffff, 0x2e2e33, 0xffffff, 0x000000 } },
    [DG_COLOR_CARD] = { "card", { 0xffffff, 0x2d2d32, 0xffffff, 0x000000 } },
    [DG_COLOR_FG] = { "fg", { 0x26262b, 0xf4f4f6, 0x000000, 0xffffff } },
    [DG_COLOR_DIM] = { "dim", { 0x63636b, 0xb3b3bc, 0x000000, 0xffffff } },
    [DG_COLOR_FAINT] = { "faint", { 0x8b8b94, 0x8d8d97, 0x4a4a4a, 0xb8b8b8 } },
    [DG_COLOR_LINE] = { "line", { 0xe2e2e6, 0x3b3b42, 0x000000, 0xffffff } },
    [DG_COLOR_LINE2] = { "line2", { 0xd2d2d8, 0x4a4a53, 0x000000, 0xffffff } },
    [DG_COLOR_GRID] = { "grid", { 0xececf0, 0x38383f, 0x8c8c8c, 0x8c8c8c } },
    [DG_COLOR_TROUGH] = { "trough", { 0xf2f2f5, 0x37373d, 0xffffff, 0x000000 } },
    [DG_COLOR_READ] = { "read", { 0x1c71d8, 0x62a0ea, 0x0b4aa0, 0x8ec0ff } },
    [DG_COLOR_READ_FILL] = { "read_fill", { 0xd5e5fa, 0x28405f, 0xffffff, 0x000000 } },
    [DG_COLOR_READ_INK] = { "read_ink", { 0x1a5fb4, 0x99c1f1, 0x0b4aa0, 0x8ec0ff } },
    [DG_COLOR_WRITE] = { "write", { 0xd15700, 0xff9a4a, 0x8a3700, 0xffb870 } },
    [DG_COLOR_WRITE_FILL] = { "write_fill", { 0xfbe3cf, 0x57391f, 0xffffff, 0x000000 } },
    [DG_COLOR_WRITE_INK] = { "write_ink", { 0xa84400, 0xffbe6f, 0x8a3700, 0xffb870 } },
    [DG_COLOR_MIX] = { "mix", { 0x0e7c66, 0x7fd6b8, 0x065343, 0x9af0d2 } },
    [DG_COLOR_MIX_FILL] = { "mix_fill", { 0xd3ede6, 0x23493f, 0xffffff, 0x000000 } },
    [DG_COLOR_MIX_INK] = { "mix_ink", { 0x0a5f4e, 0xa9e6d0, 0x065343, 0x9af0d2 } },
    [DG_COLOR_TEMP] = { "temp", { 0x9c2b6f, 0xf08cc8, 0x7a0f52, 0xffa6dc } },
    [DG_COLOR_ACCENT] = { "accent", { 0x1c71d8, 0x2d74d0, 0x0b4aa0, 0x8ec0ff } },
    [DG_COLOR_OK] = { "ok", { 0x1b7f4b, 0x57d08f, 0x0f5f36, 0x83ecb2 } },
    [DG_COLOR_INFO] = { "info", { 0x4a5a6e, 0xa9b8cc, 0x2f3e52, 0xccd8e8 } },
    [DG_COLOR_WARN] = { "warn", { 0x8f5f00, 0xf8d45c, 0x664300, 0xffe58a } },
    [DG_COLOR_ERROR] = { "error", { 0xb3202a, 0xff8b8b, 0x8c0d17, 0xffb3b3 } },
    [DG_COLOR_WARN_FILL] = { "warn_fill", { 0xfdf1cc, 0x453b1c, 0xffffff, 0x000000 } },
    [DG_COLOR_ERROR_FILL] = { "error_fill", { 0xfbdfe0, 0x4d2529, 0xffffff, 0x000000 } },
};

DgRgb
dg_palette_get (DgLook look, DgColor color)
{
    g_return_val_if_fail ((guint) look < N_LOOKS && (guint) color < DG_N_COLORS,
                          ((DgRgb){ 0, 0, 0 }));
    guint32 rgb = table[color].rgb[look];
    return (DgRgb){ (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0 };
}

gboolean
dg_palette_has_fill (DgLook look)
{
    return look == DG_LOOK_LIGHT || look == DG_LOOK_DARK;
}

void
dg_palette_set_source (cairo_t *cr, DgLook look, DgColor color)
{
    DgRgb c = dg_palette_get (look, color);
    cairo_set_source_rgb (cr, c.red, c.green, c.blue);
}

DgColor
dg_palette_line (DgDirection direction)
{
    return DG_COLOR_READ + 3 * (DgColor) direction;
}

DgColor
dg_palette_fill (DgDirection direction)
{
    return DG_COLOR_READ_FILL + 3 * (DgColor) direction;
}

DgColor
dg_palette_ink (DgDirection direction)
{
    return DG_COLOR_READ_INK + 3 * (DgColor) direction;
}

gchar *
dg_palette_to_css (DgLook look)
{
    GString *css = g_string_new (NULL);
    for (guint i = 0; i < DG_N_COLORS; i++)
        g_string_append_printf (css, "@define-color dg_%s #%06x;\n", table[i].name,
                                table[i].rgb[look]);
    return g_string_free (css, FALSE);
}
