/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-chain-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Percent of the font. */
#define NAME_SIZE  100
#define UNDER_SIZE 86
#define LABEL_SIZE 82

gboolean
dg_chain_is_drawable (const DgDocTarget *target)
{
    if (target == NULL || !target->has_link)
        return FALSE;
    const DgDocLink *link = &target->link;
    return link->n_path > 1 || dg__chain_knows (link->speed_bits_per_s)
           || dg__chain_knows (link->ceiling_bytes_per_s);
}

gdouble
dg_chain_height (PangoContext *context, const DgDrawStyle *style, gboolean is_narrow)
{
    gdouble chain = dg__draw_px (style, LABEL_SIZE) * 4.35;
    return ceil (is_narrow ? chain + dg__draw_px (style, NAME_SIZE) * 1.75 : chain);
}

const gchar *
dg__chain_kind_word (const gchar *kind)
{
    static const struct {
        const gchar *kind, *word;
    } words[] = { { "drive", N_ ("drive") },
                    { "bridge", N_ ("bridge") },
                      { "hub", N_ ("hub") },
                        { "port", N_ ("port") },
                          { "controller", N_ ("controller") },
                            { "computer", N_ ("computer") } };
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_strcmp0 (kind, words[i].kind) == 0)
            return _ (words[i].word);
    return kind != NULL ? kind : "?";
}

/* A controller whose own link is known hangs on something, too: the computer, which no document
 * lists. */
guint
dg__chain_n_stations (const DgDocLink *link)
{
    return link->n_path
           + (link->n_path > 0 && dg__chain_knows (link->path[link->n_path - 1].up_bits_per_s));
}

const DgDocNode *
dg__chain_station (const DgDocLink *link, guint index)
{
    static const DgDocNode computer = { .kind = (gchar *) "computer",
                                        .up_bits_per_s = DG_DOC_UNKNOWN,
                                        .up_max_bits_per_s = DG_DOC_UNKNOWN };
    return index < link->n_path ? &link->path[index] : &computer;
}

static const gchar *
link_title (const DgDocLink *link)
{
    static const struct {
        const gchar *kind, *title;
    } titles[] = {
        { "usb", "USB" }, { "sata", "SATA" }, { "pcie", "PCIe" }, { "sd", "SD" }, { "mmc", "MMC" }
    };
    if (link->short_name != NULL)
        return link->short_name;
    if (link->name != NULL)
        return link->name;
    for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
        if (g_strcmp0 (link->kind, titles[i].kind) == 0)
            return titles[i].title;
    return link->kind;
}

static gchar *
protocol_title (const gchar *protocol)
{
    if (g_strcmp0 (protocol, "nvme") == 0)
        return g_strdup ("NVMe");
    if (protocol == NULL || strlen (protocol) > strlen ("ahci"))
        return g_strdup (protocol);
    return g_ascii_strup (protocol, -1); /* "uas", "bot", "ahci" */
}

/* "10 Gb/s · UAS" */
static gchar *
under_title (const DgDocLink *link, const DgDrawStyle *style)
{
    g_autofree gchar *protocol = protocol_title (link->protocol);
    if (!dg__chain_knows (link->speed_bits_per_s))
        return g_steal_pointer (&protocol);
    g_autofree gchar *speed = dg_number_line_rate (link->speed_bits_per_s, dg__number_for (style));
    return protocol != NULL ? g_strdup_printf ("%s · %s", speed, protocol)
                            : g_steal_pointer (&speed);
}

static gchar *
ceiling_text (const DgDocLink *link, const DgDrawStyle *style)
{
    if (!dg__chain_knows (link->ceiling_bytes_per_s))
        return NULL;
    g_autofree gchar *rate = dg__about_mb (link->ceiling_bytes_per_s, dg__number_for (style));
    return g_strdup_printf ("≈\u202f%s MB/s", rate);
}

/* An estimate has no decimals that could be trusted. */
gchar *
dg__about_mb (guint64 bytes_per_s, DgNumberFor purpose)
{
    if (bytes_per_s < 10000000)
        return dg_number_rate ((gdouble) bytes_per_s, DG_UNIT_MB, purpose);
    return dg_number_count ((bytes_per_s + 500000) / 1000000, purpose);
}

/* At the starting or the far edge in reading direction. */
static gdouble
edge_text (const DgChainFrame *f, const gchar *text, const DgTextLook *look, gdouble x, gdouble y,
           gboolean is_far)
{
    gboolean is_right = is_far != f->style->right_to_left;
    return dg__text_draw (f->cr, f->style, text, look, dg__chain_mirrored (f, x), y,
                          is_right ? DG_ALIGN_RIGHT : DG_ALIGN_LEFT);
}

/* ---- name and ceiling ---- */

static void
draw_ceiling_mark (const DgChainFrame *f, gdouble x, gdouble baseline, gdouble size)
{
    const double dashes[] = { size * 0.26, size * 0.18 };
    gdouble at = dg__chain_mirrored (f, x);
    cairo_move_to (f->cr, at, baseline - size * 0.82);
    cairo_line_to (f->cr, at, baseline + size * 0.12);
    cairo_set_line_width (f->cr, 1.5 * f->unit);
    cairo_set_dash (f->cr, dashes, 2, 0);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_FG);
    cairo_stroke (f->cr);
    cairo_set_dash (f->cr, NULL, 0, 0);
}

static const DgTextLook *
ceiling_look (const DgChainFrame *f, DgTextLook *look)
{
    *look = (DgTextLook){ .px = dg__draw_px (f->style, NAME_SIZE),
                          .weight = PANGO_WEIGHT_SEMIBOLD,
                          .color = DG_COLOR_FG };
    return look;
}

static gdouble
ceiling_width (const DgChainFrame *f)
{
    DgTextLook look;
    g_autofree gchar *ceiling = ceiling_text (f->link, f->style);
    return ceiling == NULL
               ? 0
               : dg__text_width (f->style, ceiling, ceiling_look (f, &look)) + look.px * 0.5;
}

/* Both return the width they take. */
static gdouble
draw_name (const DgChainFrame *f, gdouble first_baseline, gdouble second_baseline)
{
    DgTextLook name = { .px = dg__draw_px (f->style, NAME_SIZE),
                        .weight = PANGO_WEIGHT_SEMIBOLD,
                        .color = DG_COLOR_FG,
                        .max_width = f->width * 0.4 };
    DgTextLook under = { .px = dg__draw_px (f->style, UNDER_SIZE),
                         .weight = PANGO_WEIGHT_NORMAL,
                         .color = DG_COLOR_DIM,
                         .max_width = f->width * 0.4 };
    const gchar *title = link_title (f->link);
    g_autofree gchar *below = under_title (f->link, f->style);
    gdouble width = title != NULL ? edge_text (f, title, &name, 0, first_baseline, FALSE) : 0;
    if (below == NULL)
        return width;
    if (f->is_narrow) { /* on one line with the ceiling */
        gdouble x = width + name.px * 0.6;
        under.max_width = f->width - x - ceiling_width (f) - name.px * 0.6;
        return under.max_width < under.px * 2
                   ? width
                   : x + edge_text (f, below, &under, x, first_baseline, FALSE);
    }
    return MAX (width, edge_text (f, below, &under, 0, second_baseline, FALSE));
}

static gdouble
draw_ceiling (const DgChainFrame *f, gdouble first_baseline, gdouble second_baseline)
{
    DgTextLook name;
    DgTextLook under = { .px = dg__draw_px (f->style, UNDER_SIZE),
                         .weight = PANGO_WEIGHT_NORMAL,
                         .color = DG_COLOR_DIM };
    g_autofree gchar *ceiling = ceiling_text (f->link, f->style);
    gdouble width = 0;
    if (ceiling != NULL) {
        width = edge_text (f, ceiling, ceiling_look (f, &name), f->width, first_baseline, TRUE)
                + name.px * 0.5;
        draw_ceiling_mark (f, f->width - width, first_baseline, name.px);
    }
    if (f->is_narrow || (ceiling == NULL && !f->could_be_faster))
        return width;
    const gchar *below = _ ("ceiling of this link");
    if (f->could_be_faster) {
        below = _ ("a faster port would help");
        under.weight = PANGO_WEIGHT_SEMIBOLD;
        under.color = DG_COLOR_WARN;
    }
    return MAX (width, edge_text (f, below, &under, f->width, second_baseline, TRUE));
}

void
dg_chain_draw (cairo_t *cr, const DgDocTarget *target, const DgDrawStyle *style, gdouble width,
               gdouble height, gboolean is_narrow)
{
    if (!dg_chain_is_drawable (target))
        return;
    const DgDocLink *link = &target->link;
    DgChainFrame f = { cr, link, style, width, height, .is_narrow = is_narrow };
    f.label_px = dg__draw_px (style, LABEL_SIZE);
    f.unit = f.label_px / 11.5;
    f.radius = 13 * f.unit;
    f.could_be_faster = dg__chain_knows (link->best_bits_per_s)
                        && dg__chain_knows (link->speed_bits_per_s)
                        && link->best_bits_per_s > link->speed_bits_per_s;
    gdouble line = dg__draw_px (style, NAME_SIZE);
    cairo_save (cr);
    cairo_new_path (cr);
    if (is_narrow) {
        draw_name (&f, line, 0);
        draw_ceiling (&f, line, 0);
        dg__chain_draw_path (&f, 0, width, line * 1.75);
    } else {
        gdouble first = round (height / 2 - line * 0.22), second = round (height / 2 + line * 0.98),
                gap = width / line > 55 ? 2.4 * line : line;
        gdouble left = draw_name (&f, first, second), right = draw_ceiling (&f, first, second);
        dg__chain_draw_path (&f, left + gap, width - right - gap,
                             (height - f.label_px * 4.35) / 2 - 2 * f.unit);
    }
    cairo_restore (cr);
}

gchar *
dg_chain_describe (const DgDocTarget *target)
{
    GString *text = g_string_new (NULL);
    if (!dg_chain_is_drawable (target))
        return g_string_free (text, FALSE);
    const DgDocLink *link = &target->link;
    const gchar *title = link_title (link);
    if (title != NULL)
        g_string_append_printf (text, "%s. ", title);
    for (guint i = 0; i + 1 < dg__chain_n_stations (link); i++) {
        const DgDocNode *node = dg__chain_station (link, i),
                        *next = dg__chain_station (link, i + 1);
        if (i == 0)
            /* Translators: kind and name of the first node of the link chain, "drive T7 Shield" */
            g_string_append_printf (text, _ ("%s %s. "), dg__chain_kind_word (node->kind),
                                             node->name != NULL ? node->name : "");
        g_autofree gchar *rate = dg__chain_knows (node->up_bits_per_s)
                                     ? dg_number_line_rate (node->up_bits_per_s, DG_FOR_WINDOW)
                                     : g_strdup (_ ("unknown speed"));
        const gchar *name = next->name != NULL ? next->name : "";
        if (dg__chain_is_narrowest (link, i))
            /* Translators: speed, kind and name of the next node of the link chain */
            g_string_append_printf (text, _ ("%s to %s %s: the narrowest link. "), rate,
                                             dg__chain_kind_word (next->kind), name);
        else
            g_string_append_printf (text, _ ("%s to %s %s. "), rate,
                                             dg__chain_kind_word (next->kind), name);
    }
    if (dg__chain_knows (link->ceiling_bytes_per_s)) {
        g_autofree gchar *ceiling = dg__about_mb (link->ceiling_bytes_per_s, DG_FOR_WINDOW);
        g_string_append_printf (text, _ ("Ceiling of this link about %s MB/s."), ceiling);
    }
    return g_string_free (text, FALSE);
}
