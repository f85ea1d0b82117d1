/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/card-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define USUAL_WIDTH 1200
#define LEAST_WIDTH                                                                                \
    1000 /* below, the condition's columns and the cells would not hold their texts */
#define MOST_WIDTH 4000

static void
clear_row (gpointer data)
{
    g_free (((DgCardRow *) data)->name);
}

static void
clear_finding (gpointer data)
{
    g_free (((DgCardFinding *) data)->text);
}

static void
clear_condition (gpointer data)
{
    g_free (((DgCardCondition *) data)->value);
}

/* With no comment the label and the file system say which drive it was, unless they are the title.
 */
static void
set_title (DgCard *card)
{
    const DgDocView *view = card->view;
    const DgDocTarget *target = dg__report_target (view);
    gboolean has_model;
    guint64 size = dg__report_size_bytes (view);
    card->title = dg__report_drive (view, &has_model);
    if (card->title == NULL)
        card->title = g_strdup (_ ("Drive"));
    if (size != DG_DOC_UNKNOWN && size != 0)
        card->size = dg_number_size (size, dg__number_for (&card->style));
    /* "SSD 980 PRO 1TB" says it already. */
    g_autofree gchar *plain = size != DG_DOC_UNKNOWN ? dg_number_size (size, DG_FOR_FILE) : NULL;
    g_auto (GStrv) words = plain != NULL ? g_strsplit (plain, " ", -1) : NULL;
    g_autofree gchar *joined = words != NULL ? g_strjoinv ("", words) : NULL;
    if (joined != NULL && g_str_has_suffix (card->title, joined))
        g_clear_pointer (&card->size, g_free);
    if (view->comment != NULL && *view->comment != '\0') {
        card->subtitle = g_strdup (view->comment);
        return;
    }
    if (target == NULL || target->filesystem == NULL)
        return;
    const gchar *file_system = dg__report_file_system_title (target->filesystem);
    gboolean has_label = target->label != NULL && *target->label != '\0';
    if (has_model && has_label)
        card->subtitle = g_strdup_printf ("%s · %s", target->label, file_system);
    else if (g_strcmp0 (card->title, file_system) != 0)
        card->subtitle = g_strdup (file_system);
}

static const DgTextLook subtitle_look = {
    .px = 19, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_DIM, .max_lines = 2
};

static void
set_columns (DgCard *card)
{
    gdouble room = card->width - 2 * DG__CARD_MARGIN - 118;
    guint n = MAX (card->n_directions, 1);
    gdouble column = (room - 18 * n) / n;
    card->column_step = column + 18;
    card->spark_width = card->is_demo || n > 2 ? 0 : n == 1 ? floor (column * 0.36) : 124;
    card->cell_width = floor (card->spark_width > 0 ? column - 12 - card->spark_width : column);
    gdouble height;
    dg_cell_measure (NULL, &card->style, TRUE, FALSE, NULL, &height);
    card->cell_height = card->is_demo ? 154 : height;
}

/* From top to bottom. */
static void
set_places (DgCard *card)
{
    DgTextLook look = subtitle_look;
    look.max_width = card->width - 2 * DG__CARD_MARGIN;
    gdouble y = 33 + 40;
    card->subtitle_y = y + 4;
    if (card->subtitle != NULL) {
        gint lines =
            pango_layout_get_line_count (dg__text_layout (&card->style, card->subtitle, &look));
        gdouble natural = ceil (dg__text_height (&card->style, card->subtitle, &look));
        card->subtitle_height = lines <= 1 ? 25 : MAX (46, natural);
        y += 4 + card->subtitle_height;
    }
    y += card->has_chain ? 17 : card->subtitle != NULL ? 13 : 22;
    card->chain_y = y;
    if (card->has_chain)
        y += 88 + 13;
    card->head_y = y;
    y += 28 + 9;
    card->grid_y = y;
    y += card->rows->len * (card->cell_height + 9) - (card->rows->len > 0 ? 9 : 0);
    card->findings_y = y + 15;
    gdouble findings = 0;
    for (guint i = 0; i < card->findings->len; i++)
        findings += g_array_index (card->findings, DgCardFinding, i).height + (i > 0 ? 6 : 0);
    if (findings > 0) /* room for two, so that most cards are of one height */
        y = card->findings_y + MAX (findings, 50);
    card->conditions_y = y + 23;
    guint lines = (card->conditions->len + 3) / 4;
    card->height = ceil (lines > 0 ? card->conditions_y + 1 + 12 + 23 * lines - 4 + 26 : y + 26);
}

void
dg__card_init (DgCard *card, const DgDocView *view, const DgCardOptions *options)
{
    *card = (DgCard){ .view = view };
    card->style = (DgDrawStyle){ .look = options->look,
                                 .font = dg_draw_picture_font (),
                                 .text_scale = 1,
                                 .has_exact_text = TRUE,
                                 .unit = (DgUnit) options->unit };
    card->width =
        options->width > 0 ? CLAMP (options->width, LEAST_WIDTH, MOST_WIDTH) : USUAL_WIDTH;
    card->rows = g_array_new (FALSE, FALSE, sizeof (DgCardRow));
    card->findings = g_array_new (FALSE, FALSE, sizeof (DgCardFinding));
    card->conditions = g_array_new (FALSE, FALSE, sizeof (DgCardCondition));
    g_array_set_clear_func (card->rows, clear_row);
    g_array_set_clear_func (card->findings, clear_finding);
    g_array_set_clear_func (card->conditions, clear_condition);
    card->has_chain = dg_chain_is_drawable (dg__report_target (view));
    set_title (card);
    dg__card_add_rows (card);
    dg__card_add_findings (card, card->width - 2 * DG__CARD_MARGIN - 31);
    dg__card_add_conditions (card);
    set_columns (card);
    set_places (card);
}

void
dg__card_done (DgCard *card)
{
    g_clear_pointer (&card->title, g_free);
    g_clear_pointer (&card->size, g_free);
    g_clear_pointer (&card->subtitle, g_free);
    g_clear_pointer (&card->rows, g_array_unref);
    g_clear_pointer (&card->findings, g_array_unref);
    g_clear_pointer (&card->conditions, g_array_unref);
}

static void
draw_top (cairo_t *cr, const DgCard *card)
{
    DgTextLook brand_look = { .px = 18, .weight = PANGO_WEIGHT_SEMIBOLD, .color = DG_COLOR_FG };
    DgTextLook title_look = {
        .px = 36, .weight = PANGO_WEIGHT_BOLD, .color = DG_COLOR_FG, .is_tight = TRUE
    };
    DgTextLook size_look = {
        .px = 36, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_DIM, .is_tight = TRUE
    };
    gdouble right = card->width - DG__CARD_MARGIN, baseline = 66;
    gdouble brand =
        dg__text_draw (cr, &card->style, "Drive Gauge", &brand_look, right, 57, DG_ALIGN_RIGHT);
    dg__logo_draw (cr, floor (right - brand - 10 - 36), 33, 36);
    gdouble room = right - brand - 46 - 30 - DG__CARD_MARGIN;
    gdouble size =
        card->size != NULL ? dg__text_width (&card->style, card->size, &size_look) + 9 : 0;
    title_look.max_width = MAX (room - size, 100);
    gdouble title = dg__text_draw (cr, &card->style, card->title, &title_look, DG__CARD_MARGIN,
                                   baseline, DG_ALIGN_LEFT);
    if (card->size != NULL)
        dg__text_draw (cr, &card->style, card->size, &size_look, DG__CARD_MARGIN + title + 9,
                       baseline, DG_ALIGN_LEFT);
    if (card->subtitle != NULL) {
        DgTextLook look = subtitle_look;
        look.max_width = card->width - 2 * DG__CARD_MARGIN;
        dg__text_draw (cr, &card->style, card->subtitle, &look, DG__CARD_MARGIN,
                       card->subtitle_y + 18, DG_ALIGN_LEFT);
    }
}

static void
draw_chain (cairo_t *cr, const DgCard *card)
{
    if (!card->has_chain)
        return;
    gdouble width = card->width - 2 * DG__CARD_MARGIN;
    dg__rounded_rectangle (cr, DG__CARD_MARGIN + 0.5, card->chain_y + 0.5, width - 1, 87, 12);
    cairo_set_line_width (cr, 1);
    dg_palette_set_source (cr, card->style.look, DG_COLOR_LINE);
    cairo_stroke (cr);
    DgDrawStyle style = card->style;
    style.text_scale = 1.18;
    cairo_save (cr);
    cairo_translate (cr, DG__CARD_MARGIN + 19, card->chain_y + 11);
    dg_chain_draw (cr, dg__report_target (card->view), &style, width - 38, 68, FALSE);
    cairo_restore (cr);
}

void
dg_card_measure (const DgDocView *view, const DgCardOptions *options, gint *ret_width,
                 gint *ret_height)
{
    DgCard card;
    dg__card_init (&card, view, options);
    *ret_width = (gint) card.width;
    *ret_height = (gint) card.height;
    dg__card_done (&card);
}

void
dg_card_draw (cairo_t *cr, const DgDocView *view, const DgCardOptions *options)
{
    DgCard card;
    dg__card_init (&card, view, options);
    cairo_save (cr);
    cairo_new_path (cr);
    cairo_rectangle (cr, 0, 0, card.width, card.height);
    dg_palette_set_source (cr, options->look, DG_COLOR_CARD);
    cairo_fill (cr);
    cairo_rectangle (cr, 0.5, 0.5, card.width - 1, card.height - 1);
    cairo_set_line_width (cr, 1);
    dg_palette_set_source (cr, options->look, DG_COLOR_LINE);
    cairo_stroke (cr);
    draw_top (cr, &card);
    draw_chain (cr, &card);
    dg__card_draw_grid (cr, &card);
    dg__card_draw_findings (cr, &card);
    dg__card_draw_conditions (cr, &card);
    cairo_restore (cr);
    dg__card_done (&card);
}
