/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Percent of the font. */
#define NAME_SIZE  100
#define UNDER_SIZE 86
#define LABEL_SIZE 82

typedef struct {
    cairo_t *cr;
    const DgDocLink *link;
    const DgDrawStyle *style;
    gdouble width, height;
    gdouble label_px, radius, unit; /* unit: how much larger than the window's usual size */
    gboolean is_narrow, could_be_faster;
} Frame;

static gboolean
is_known (guint64 value)
{
    return value != DG_DOC_UNKNOWN && value != 0;
}

gboolean
dg_chain_is_drawable (const DgDocTarget *target)
{
    if (target == NULL || !target->has_link)
        return FALSE;
    const DgDocLink *link = &target->link;
    return link->n_path > 1 || is_known (link->speed_bits_per_s)
           || is_known (link->ceiling_bytes_per_s);
}

gdouble
dg_chain_height (PangoContext *context, const DgDrawStyle *style, gboolean is_narrow)
{
    gdouble chain = dg__draw_px (style, LABEL_SIZE) * 4.35;
    return ceil (is_narrow ? chain + dg__draw_px (style, NAME_SIZE) * 1.75 : chain);
}

static const gchar *
kind_word (const gchar *kind)
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
static guint
n_stations (const DgDocLink *link)
{
    return link->n_path
           + (link->n_path > 0 && is_known (link->path[link->n_path - 1].up_bits_per_s));
}

static const DgDocNode *
station (const DgDocLink *link, guint index)
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
    if (!is_known (link->speed_bits_per_s))
        return g_steal_pointer (&protocol);
    g_autofree gchar *speed = dg_number_line_rate (link->speed_bits_per_s, dg__number_for (style));
    return protocol != NULL ? g_strdup_printf ("%s · %s", speed, protocol)
                            : g_steal_pointer (&speed);
}

static gchar *
ceiling_text (const DgDocLink *link, const DgDrawStyle *style)
{
    if (!is_known (link->ceiling_bytes_per_s))
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

static gdouble
mirrored (const Frame *f, gdouble x)
{
    return f->style->right_to_left ? f->width - x : x;
}

/* At the starting or the far edge in reading direction. */
static gdouble
edge_text (const Frame *f, const gchar *text, const DgTextLook *look, gdouble x, gdouble y,
           gboolean is_far)
{
    gboolean is_right = is_far != f->style->right_to_left;
    return dg__text_draw (f->cr, f->style, text, look, mirrored (f, x), y,
                          is_right ? DG_ALIGN_RIGHT : DG_ALIGN_LEFT);
}

/* ---- name and ceiling ---- */

static void
draw_ceiling_mark (const Frame *f, gdouble x, gdouble baseline, gdouble size)
{
    const double dashes[] = { size * 0.26, size * 0.18 };
    gdouble at = mirrored (f, x);
    cairo_move_to (f->cr, at, baseline - size * 0.82);
    cairo_line_to (f->cr, at, baseline + size * 0.12);
    cairo_set_line_width (f->cr, 1.5 * f->unit);
    cairo_set_dash (f->cr, dashes, 2, 0);
    dg_palette_set_source (f->cr, f->style->look, DG_COLOR_FG);
    cairo_stroke (f->cr);
    cairo_set_dash (f->cr, NULL, 0, 0);
}

static const DgTextLook *
ceiling_look (const Frame *f, DgTextLook *look)
{
    *look = (DgTextLook){ .px = dg__draw_px (f->style, NAME_SIZE),
                          .weight = PANGO_WEIGHT_SEMIBOLD,
                          .color = DG_COLOR_FG };
    return look;
}

static gdouble
ceiling_width (const Frame *f)
{
    DgTextLook look;
    g_autofree gchar *ceiling = ceiling_text (f->link, f->style);
    return ceiling == NULL
               ? 0
               : dg__text_width (f->style, ceiling, ceiling_look (f, &look)) + look.px * 0.5;
}

/* Both return the width they take. */
static gdouble
draw_name (const Frame *f, gdouble first_baseline, gdouble second_baseline)
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
draw_ceiling (const Frame *f, gdouble first_baseline, gdouble second_baseline)
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

/* ---- the chain itself ---- */

/* The document says which; one that does not is taken by its speeds. */
static gboolean
is_narrowest (const DgDocLink *link, guint index)
{
    guint64 slowest = DG_DOC_UNKNOWN;
    for (guint i = 0; i < link->n_path; i++) {
        if (link->path[i].is_narrowest)
            return link->path[index].is_narrowest;
        if (is_known (link->path[i].up_bits_per_s))
            slowest = MIN (slowest, link->path[i].up_bits_per_s);
    }
    return slowest != DG_DOC_UNKNOWN && link->path[index].up_bits_per_s == slowest;
}

/* 480 Mb/s 1.5, 10 Gb/s 3, 20 Gb/s 5, 64 Gb/s 6; in between by the logarithm. */
static gdouble
pipe_width (guint64 bits_per_s)
{
    static const gdouble steps[][2] = { { 480e6, 1.5 }, { 10e9, 3 }, { 20e9, 5 }, { 64e9, 6 } };
    if (!is_known (bits_per_s))
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
segment_label (const Frame *f, const DgDocNode *node, gdouble room, const DgTextLook *look)
{
    gchar *label = node->up_name != NULL ? g_strdup (node->up_name)
                   : is_known (node->up_bits_per_s)
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
fit_label (const Frame *f, const gchar *label, DgTextLook *look, gdouble room)
{
    gdouble width = dg__text_width (f->style, label, look);
    if (width > room)
        look->px *= MAX (room / width, 0.6);
}

static void
draw_segment (const Frame *f, const DgDocNode *node, gboolean is_slow, gboolean has_pill,
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
draw_node (const Frame *f, const DgDocNode *node, gdouble x, gdouble y, gdouble room)
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
    const gchar *name = node->name != NULL ? node->name : kind_word (node->kind);
    gdouble name_width = dg__text_width (f->style, name, &name_look);
    gdouble kind_width = 0;
    if (names_kind (node) && !f->is_narrow) {
        kind_width = dg__text_width (f->style, kind_word (node->kind), &kind_look);
        if (name_width + gap + kind_width > room)
            kind_width = 0;
    }
    gdouble left = x - (name_width + (kind_width > 0 ? gap + kind_width : 0)) / 2;
    if (f->style->right_to_left) {
        if (kind_width > 0)
            dg__text_draw (f->cr, f->style, kind_word (node->kind), &kind_look, left, baseline,
                           DG_ALIGN_LEFT);
        left += kind_width > 0 ? kind_width + gap : 0;
        dg__text_draw (f->cr, f->style, name, &name_look, left, baseline, DG_ALIGN_LEFT);
        return;
    }
    dg__text_draw (f->cr, f->style, name, &name_look, left, baseline, DG_ALIGN_LEFT);
    if (kind_width > 0)
        dg__text_draw (f->cr, f->style, kind_word (node->kind), &kind_look, left + name_width + gap,
                       baseline, DG_ALIGN_LEFT);
}

static gdouble
half_label (const Frame *f, const DgDocNode *node)
{
    DgTextLook look = { .px = f->label_px, .weight = PANGO_WEIGHT_NORMAL };
    const gchar *name = node->name != NULL ? node->name : kind_word (node->kind);
    gdouble width = dg__text_width (f->style, name, &look);
    if (names_kind (node) && !f->is_narrow)
        width += dg__text_width (f->style, kind_word (node->kind), &look) + f->label_px * 0.3;
    return MAX (width / 2, f->radius);
}

static void
draw_path (const Frame *f, gdouble from, gdouble to, gdouble top)
{
    guint n = n_stations (f->link);
    gdouble room = to - from, y = top + MAX (f->radius + 3 * f->unit, f->label_px + 7 * f->unit);
    if (n < 2 || room < f->radius * 3 * n)
        return;
    gdouble most =
        room / n / 2 + f->radius; /* a long first or last name must not squeeze the chain */
    gdouble side_from = MIN (half_label (f, station (f->link, 0)), most) + 2;
    gdouble side_to = MIN (half_label (f, station (f->link, n - 1)), most) + 2;
    gdouble step = MIN ((room - side_from - side_to) / (n - 1), f->label_px * 16);
    gdouble start = from + (room - side_from - side_to - step * (n - 1)) / 2 + side_from;
    gboolean has_pill = FALSE;
    for (guint i = 0; i + 1 < n; i++) {
        gdouble gap = f->radius + 4 * f->unit;
        gboolean is_slow = is_narrowest (f->link, i);
        draw_segment (f, &f->link->path[i], is_slow, is_slow && !has_pill,
                      mirrored (f, start + i * step + gap),
                      mirrored (f, start + (i + 1) * step - gap), y);
        has_pill |= is_slow;
    }
    for (guint i = 0; i < n; i++) {
        gdouble label_room = i == 0       ? 2 * side_from
                             : i + 1 == n ? 2 * side_to
                                          : step - f->label_px * 0.5;
        draw_node (f, station (f->link, i), mirrored (f, start + i * step), y,
                   MIN (label_room, step * 1.2));
    }
}

void
dg_chain_draw (cairo_t *cr, const DgDocTarget *target, const DgDrawStyle *style, gdouble width,
               gdouble height, gboolean is_narrow)
{
    if (!dg_chain_is_drawable (target))
        return;
    const DgDocLink *link = &target->link;
    Frame f = { cr, link, style, width, height, .is_narrow = is_narrow };
    f.label_px = dg__draw_px (style, LABEL_SIZE);
    f.unit = f.label_px / 11.5;
    f.radius = 13 * f.unit;
    f.could_be_faster = is_known (link->best_bits_per_s) && is_known (link->speed_bits_per_s)
                        && link->best_bits_per_s > link->speed_bits_per_s;
    gdouble line = dg__draw_px (style, NAME_SIZE);
    cairo_save (cr);
    cairo_new_path (cr);
    if (is_narrow) {
        draw_name (&f, line, 0);
        draw_ceiling (&f, line, 0);
        draw_path (&f, 0, width, line * 1.75);
    } else {
        gdouble first = round (height / 2 - line * 0.22), second = round (height / 2 + line * 0.98),
                gap = width / line > 55 ? 2.4 * line : line;
        gdouble left = draw_name (&f, first, second), right = draw_ceiling (&f, first, second);
        draw_path (&f, left + gap, width - right - gap,
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
    for (guint i = 0; i + 1 < n_stations (link); i++) {
        const DgDocNode *node = station (link, i), *next = station (link, i + 1);
        if (i == 0)
            /* Translators: kind and name of the first node of the link chain, "drive T7 Shield" */
            g_string_append_printf (text, _ ("%s %s. "), kind_word (node->kind),
                                             node->name != NULL ? node->name : "");
        g_autofree gchar *rate = is_known (node->up_bits_per_s)
                                     ? dg_number_line_rate (node->up_bits_per_s, DG_FOR_WINDOW)
                                     : g_strdup (_ ("unknown speed"));
        const gchar *name = next->name != NULL ? next->name : "";
        if (is_narrowest (link, i))
            /* Translators: speed, kind and name of the next node of the link chain */
            g_string_append_printf (text, _ ("%s to %s %s: the narrowest link. "), rate,
                                             kind_word (next->kind), name);
        else
            g_string_append_printf (text, _ ("%s to %s %s. "), rate, kind_word (next->kind), name);
    }
    if (is_known (link->ceiling_bytes_per_s)) {
        g_autofree gchar *ceiling = dg__about_mb (link->ceiling_bytes_per_s, DG_FOR_WINDOW);
        g_string_append_printf (text, _ ("Ceiling of this link about %s MB/s."), ceiling);
    }
    return g_string_free (text, FALSE);
}
