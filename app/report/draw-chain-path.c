/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stations of a chain and the segments between them. */
#include "app/report/draw-chain-private.h"

#include <math.h>
#include <string.h>

/* The document says which; one that does not is taken by its speeds. */
gboolean
dg__chain_is_narrowest (const DgDocLink *link, guint index)
{
    guint64 slowest = DG_DOC_UNKNOWN;
    for (guint i = 0; i < link->n_path; i++) {
        if (link->path[i].is_narrowest)
            return link->path[index].is_narrowest;
        if (dg__chain_knows (link->path[i].up_bits_per_s))
            slowest = MIN (slowest, link->path[i].up_bits_per_s);
    }
    return slowest != DG_DOC_UNKNOWN && link->path[index].up_bits_per_s == slowest;
}

/* 480 Mb/s 1.5, 10 Gb/s 3, 20 Gb/s 5, 64 Gb/s 6; in between by the logarithm. */
static gdouble
pipe_width (guint64 bits_per_s)
{
    static const gdouble steps[][2] = { { 480e6, 1.5 }, { 10e9, 3 }, { 20e9, 5 }, { 64e9, 6 } };
    if (!dg__chain_knows (bits_per_s))
        return 2;
    gdouble bits = (gdouble) bits_per_s;
    if (bits <= steps[0][0])
        return steps[0][1];
    for (guint i = 1; i < G_N_ELEMENTS (steps); i++)
        if (bits <= steps[i][0]) {
            gdouble part = log (bits / steps[i - 1][0]) / log (steps[i][0] / steps[i - 1][0]);
            return steps[i - 1][1] + part * (steps[i][1] - steps[i - 1][1]);
        }
    return steps[G_N_ELEMENTS (steps) - 1][1];
}

static gchar *
segment_label (const DgChainFrame *f, const DgDocNode *node, gdouble room, const DgTextLook *look)
{
    gchar *label = node->up_name != NULL ? g_strdup (node->up_name)
                   : dg__chain_knows (node->up_bits_per_s)
                       ? dg_number_line_rate (node->up_bits_per_s, dg__number_for (f->style))
                       : NULL;
    /* "PCIe 3.0 ×2" may lose its first word where there is no room. */
    if (label != NULL && g_str_has_prefix (label, "PCIe ")
        && dg__text_width (f->style, label, look) > room) {
        gchar *shorter = g_strdup (label + strlen ("PCIe "));
        g_free (label);
        label = shorter;
    }
    return label;
}

/* Half a rate would be a wrong one: large text is made smaller where there is no room. */
static void
fit_label (const DgChainFrame *f, const gchar *label, DgTextLook *look, gdouble room)
{
    gdouble width = dg__text_width (f->style, label, look);
    if (width > room)
        look->px *= MAX (room / width, 0.6);
}

static void
draw_segment (const DgChainFrame *f, const DgDocNode *node, gboolean is_slow, gboolean has_pill,
              gdouble from, gdouble to, gdouble y)
{
    DgColor color = !is_slow ? DG_COLOR_LINE2 : f->could_be_faster ? DG_COLOR_WARN : DG_COLOR_FG;
    gdouble pipe = pipe_width (node->up_bits_per_s) * f->unit, left = MIN (from, to),
            length = fabs (to - from);
    if (length <= 0)
        return;
    dg__rounded_rectangle (f->cr, left, y - pipe / 2, length, pipe, pipe / 2);
    dg_palette_set_source (f->cr, f->style->look, color);
    cairo_fill (f->cr);

    DgTextLook look = { .px = f->label_px,
                        .weight = PANGO_WEIGHT_NORMAL,
                        .color = is_slow ? DG_COLOR_FG : DG_COLOR_DIM };
    gdouble room = length + f->radius;
    g_autofree gchar *label = segment_label (f, node, length, &look);
    if (label == NULL)
        return;
    gdouble middle = left + length / 2;
    if (!has_pill) {
        fit_label (f, label, &look, room);
        look.max_width = room;
        dg__text_draw (f->cr, f->style, label, &look, middle, y - pipe / 2 - f->label_px * 0.42,
                       DG_ALIGN_CENTER);
        return;
    }
    look.weight = PANGO_WEIGHT_SEMIBOLD;
    look.color = DG_COLOR_CARD;
    fit_label (f, label, &look, length);
    look.max_width = room;
    gdouble width = dg__text_width (f->style, label, &look) + look.px * 1.2,
            height = look.px * 1.52;
    dg__rounded_rectangle (f->cr, middle - width / 2, y - height / 2, width, height, height / 2);
    dg_palette_set_source (f->cr, f->style->look, color);
    cairo_fill (f->cr);
    dg__text_draw (f->cr, f->style, label, &look, middle, y + look.px * 0.36, DG_ALIGN_CENTER);
}

static gboolean
names_kind (const DgDocNode *node)
{
    return node->name != NULL && node->kind != NULL && strcmp (node->kind, "drive") != 0
           && strcmp (node->kind, "port") != 0;
}

static void
draw_node (const DgChainFrame *f, const DgDocNode *node, gdouble x, gdouble y, gdouble room)
{
    cairo_new_path (f->cr);
    cairo_arc (f->cr, x, y, f->radius, 0, 2 * G_PI);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_TROUGH);
    cairo_fill_preserve (f->cr);
    cairo_set_line_width (f->cr, 1);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_LINE2);
    cairo_stroke (f->cr);
    gdouble sign = f->radius * 1.18;
    dg__node_sign (f->cr, f->style, node->kind, x - sign / 2, y - sign / 2, sign);

    DgTextLook name_look = {
        .px = f->label_px, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_FG, .max_width = room
    };
    DgTextLook kind_look = { .px = f->label_px,
                             .weight = PANGO_WEIGHT_NORMAL,
                             .color = DG_COLOR_DIM };
    gdouble baseline = y + f->radius + f->label_px + 3 * f->unit, gap = f->label_px * 0.3;
    const gchar *name = node->name != NULL ? node->name : dg__chain_kind_word (node->kind);
    gdouble name_width = dg__text_width (f->style, name, &name_look);
    gdouble kind_width = 0;
    if (names_kind (node) && !f->is_narrow) {
        kind_width = dg__text_width (f->style, dg__chain_kind_word (node->kind), &kind_look);
        if (name_width + gap + kind_width > room)
            kind_width = 0;
    }
    gdouble left = x - (name_width + (kind_width > 0 ? gap + kind_width : 0)) / 2;
    if (f->style->right_to_left) {
        if (kind_width > 0)
            dg__text_draw (f->cr, f->style, dg__chain_kind_word (node->kind), &kind_look, left,
                           baseline, DG_ALIGN_LEFT);
        left += kind_width > 0 ? kind_width + gap : 0;
        dg__text_draw (f->cr, f->style, name, &name_look, left, baseline, DG_ALIGN_LEFT);
        return;
    }
    dg__text_draw (f->cr, f->style, name, &name_look, left, baseline, DG_ALIGN_LEFT);
    if (kind_width > 0)
        dg__text_draw (f->cr, f->style, dg__chain_kind_word (node->kind), &kind_look,
                       left + name_width + gap, baseline, DG_ALIGN_LEFT);
}

static gdouble
half_label (const DgChainFrame *f, const DgDocNode *node)
{
    DgTextLook look = { .px = f->label_px, .weight = PANGO_WEIGHT_NORMAL };
    const gchar *name = node->name != NULL ? node->name : dg__chain_kind_word (node->kind);
    gdouble width = dg__text_width (f->style, name, &look);
    if (names_kind (node) && !f->is_narrow)
        width +=
            dg__text_width (f->style, dg__chain_kind_word (node->kind), &look) + f->label_px * 0.3;
    return MAX (width / 2, f->radius);
}

void
dg__chain_draw_path (const DgChainFrame *f, gdouble from, gdouble to, gdouble top)
{
    guint n = dg__chain_n_stations (f->link);
    gdouble room = to - from, y = top + MAX (f->radius + 3 * f->unit, f->label_px + 7 * f->unit);
    if (n < 2 || room < f->radius * 3 * n)
        return;
    gdouble most =
        room / n / 2 + f->radius; /* a long first or last name must not squeeze the chain */
    gdouble side_from = MIN (half_label (f, dg__chain_station (f->link, 0)), most) + 2;
    gdouble side_to = MIN (half_label (f, dg__chain_station (f->link, n - 1)), most) + 2;
    gdouble step = MIN ((room - side_from - side_to) / (n - 1), f->label_px * 16);
    gdouble start = from + (room - side_from - side_to - step * (n - 1)) / 2 + side_from;
    gboolean has_pill = FALSE;
    for (guint i = 0; i + 1 < n; i++) {
        gdouble gap = f->radius + 4 * f->unit;
        gboolean is_slow = dg__chain_is_narrowest (f->link, i);
        draw_segment (f, &f->link->path[i], is_slow, is_slow && !has_pill,
                      dg__chain_mirrored (f, start + i * step + gap),
                      dg__chain_mirrored (f, start + (i + 1) * step - gap), y);
        has_pill |= is_slow;
    }
    for (guint i = 0; i < n; i++) {
        gdouble label_room = i == 0       ? 2 * side_from
                             : i + 1 == n ? 2 * side_to
                                          : step - f->label_px * 0.5;
        draw_node (f, dg__chain_station (f->link, i), dg__chain_mirrored (f, start + i * step), y,
                   MIN (label_room, step * 1.2));
    }
}
