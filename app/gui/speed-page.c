/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/speed-page.h"

#include "app/gui/accessible.h"
#include "app/gui/chain-view.h"
#include "app/gui/chart-view.h"
#include "app/gui/findings-list.h"
#include "app/gui/page-foot.h"
#include "app/gui/plan-row.h"
#include "app/gui/progress-block.h"
#include "app/gui/speed-grid.h"
#include "app/gui/style.h"

#include <glib/gi18n.h>

#define NARROW_BELOW 720
#define LEAST_WIDTH  360

struct _DgSpeedPage {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *scroll, *box, *banner, *banner_text, *chain_card, *comment, *foot;
    DgChainView *chain;
    DgPlanRow *plan;
    DgSpeedGrid *grid;
    DgChartView *chart;
    DgFindingsList *findings;
    DgProgressBlock *progress;
    GtkWidget *foot_box;
    gboolean is_narrow, is_filling;
    guint relayout, ticks;
};

G_DEFINE_FINAL_TYPE (DgSpeedPage, dg_speed_page, GTK_TYPE_WIDGET)

enum {
    NARROW_CHANGED,
    N_SIGNALS
};
static guint page_signals[N_SIGNALS];

static void update_foot (DgSpeedPage *self);

/* ---- width ---- */

static void
set_narrow (DgSpeedPage *self, gboolean is_narrow)
{
    self->is_narrow = is_narrow;
    dg_speed_grid_set_narrow (self->grid, is_narrow);
    dg_chart_view_set_narrow (self->chart, is_narrow);
    dg_chain_view_set_narrow (self->chain, is_narrow);
    dg_progress_block_set_narrow (self->progress, is_narrow);
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->foot_box),
                                    is_narrow ? GTK_ORIENTATION_VERTICAL
                                              : GTK_ORIENTATION_HORIZONTAL);
    gtk_label_set_xalign (GTK_LABEL (self->foot), is_narrow ? 0 : 1);
    gtk_label_set_justify (GTK_LABEL (self->foot),
                           is_narrow ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_RIGHT);
    /* Beside the comment its lines are short and stay whole. */
    gtk_label_set_wrap (GTK_LABEL (self->foot), is_narrow);
    gtk_box_reorder_child_after (GTK_BOX (self->foot_box), self->comment,
                                 is_narrow ? self->foot : NULL);
    if (self->session)
        update_foot (self);
    g_signal_emit (self, page_signals[NARROW_CHANGED], 0, is_narrow);
}

/* 720 pixels of the usual text; larger text needs more. */
static gboolean
is_too_narrow (DgSpeedPage *self, int width)
{
    return width < NARROW_BELOW * MAX (1, dg_style_text_scale (GTK_WIDGET (self)));
}

/* In some languages, or with a mix, the plan's controls need more. */
static gboolean
must_fold_plan (DgSpeedPage *self, gboolean is_narrow)
{
    return is_narrow || !dg_plan_row_has_room (self->plan);
}

static gboolean
relayout_cb (gpointer data)
{
    DgSpeedPage *self = data;
    gboolean is_narrow = is_too_narrow (self, gtk_widget_get_width (GTK_WIDGET (self)));
    self->relayout = 0;
    if (is_narrow != self->is_narrow)
        set_narrow (self, is_narrow);
    dg_plan_row_set_narrow (self->plan, must_fold_plan (self, is_narrow));
    return G_SOURCE_REMOVE;
}

static void
dg_speed_page_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
    DgSpeedPage *self = DG_SPEED_PAGE (widget);
    gtk_widget_measure (self->scroll, orientation, for_size, minimum, natural, NULL, NULL);
    if (orientation != GTK_ORIENTATION_HORIZONTAL)
        return;
    *minimum = LEAST_WIDTH;
    *natural = MAX (*natural, *minimum);
}

static void
dg_speed_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    DgSpeedPage *self = DG_SPEED_PAGE (widget);
    gtk_widget_allocate (self->scroll, width, height, baseline, NULL);
    /* What an allocation finds out may not change the layout within it. */
    gboolean is_narrow = is_too_narrow (self, width);
    if ((is_narrow != self->is_narrow
         || must_fold_plan (self, is_narrow) != dg_plan_row_is_narrow (self->plan))
        && !self->relayout)
        self->relayout = g_idle_add_full (G_PRIORITY_HIGH, relayout_cb, self, NULL);
}

/* ---- content ---- */

static void
update_banner (DgSpeedPage *self)
{
    gboolean is_saved = dg_session_is_saved (self->session);
    gtk_widget_set_visible (self->banner, is_saved);
    if (!is_saved)
        return;
    g_autofree gchar *text = dg_page_foot_dup_saved_text (self->session);
    gtk_label_set_text (GTK_LABEL (self->banner_text), text);
}

static void
update_comment (DgSpeedPage *self)
{
    const gchar *comment = dg_session_get_comment (self->session);
    self->is_filling = TRUE;
    if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->comment)), comment ? comment : "")
        != 0)
        gtk_editable_set_text (GTK_EDITABLE (self->comment), comment ? comment : "");
    gtk_widget_set_sensitive (self->comment, dg_session_can_comment (self->session));
    self->is_filling = FALSE;
}

static void
update_foot (DgSpeedPage *self)
{
    g_autofree gchar *text = dg_page_foot_dup_text (self->session, self->is_narrow);
    if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->foot)), text) != 0)
        gtk_label_set_text (GTK_LABEL (self->foot), text);
    gtk_widget_set_visible (self->foot, *text != '\0');
}

static void
document_cb (DgSession *session, DgSpeedPage *self)
{
    gboolean is_running = dg_session_is_running (session);
    gboolean has_document = dg_session_get_document (session) != NULL;
    update_banner (self);
    update_comment (self);
    update_foot (self);
    gtk_widget_set_visible (GTK_WIDGET (self->progress), is_running);
    gtk_widget_set_visible (GTK_WIDGET (self->findings), !is_running && has_document);
    gtk_widget_set_visible (self->chain_card, gtk_widget_get_visible (GTK_WIDGET (self->chain)));
}

static void
tick_cb (DgSession *session, DgSpeedPage *self)
{
    /* A changed line lays the page out again: twice a second is enough for it. */
    if (self->ticks++ % 5 == 0)
        update_foot (self);
}

static void
comment_cb (GtkEditable *editable, DgSpeedPage *self)
{
    if (!self->is_filling)
        dg_session_set_comment (self->session, gtk_editable_get_text (editable));
}

void
dg_speed_page_set_session (DgSpeedPage *self, DgSession *session)
{
    static const gchar *const signals[] = { "options-changed", "targets-changed",
                                            "document-changed", "running-changed" };
    self->session = g_object_ref (session);
    dg_chain_view_set_session (self->chain, session);
    dg_plan_row_set_session (self->plan, session);
    dg_speed_grid_set_session (self->grid, session);
    dg_chart_view_set_session (self->chart, session);
    dg_findings_list_set_session (self->findings, session);
    dg_progress_block_set_session (self->progress, session);
    for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
        g_signal_connect_object (session, signals[i], G_CALLBACK (document_cb), self, 0);
    g_signal_connect_object (session, "tick", G_CALLBACK (tick_cb), self, 0);
    document_cb (session, self);
}

static void
queue_draw_all (GtkWidget *widget)
{
    gtk_widget_queue_draw (widget);
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
         child = gtk_widget_get_next_sibling (child))
        queue_draw_all (child);
}

void
dg_speed_page_look_changed (DgSpeedPage *self)
{
    queue_draw_all (GTK_WIDGET (self));
}

static void
dg_speed_page_dispose (GObject *object)
{
    DgSpeedPage *self = DG_SPEED_PAGE (object);
    g_clear_handle_id (&self->relayout, g_source_remove);
    g_clear_pointer (&self->scroll, gtk_widget_unparent);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_speed_page_parent_class)->dispose (object);
}

static void
dg_speed_page_class_init (DgSpeedPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = dg_speed_page_dispose;
    page_signals[NARROW_CHANGED] =
        g_signal_new ("narrow-changed", DG_TYPE_SPEED_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
    widget_class->measure = dg_speed_page_measure;
    widget_class->size_allocate = dg_speed_page_size_allocate;
    g_type_ensure (DG_TYPE_CHAIN_VIEW);
    g_type_ensure (DG_TYPE_PLAN_ROW);
    g_type_ensure (DG_TYPE_SPEED_GRID);
    g_type_ensure (DG_TYPE_CHART_VIEW);
    g_type_ensure (DG_TYPE_FINDINGS_LIST);
    g_type_ensure (DG_TYPE_PROGRESS_BLOCK);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/io/github/drivegauge/DriveGauge/speed-page.ui");
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, scroll);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, box);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, banner);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, banner_text);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, chain_card);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, chain);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, plan);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, grid);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, chart);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, findings);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, progress);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, comment);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, foot);
    gtk_widget_class_bind_template_child (widget_class, DgSpeedPage, foot_box);
    gtk_widget_class_bind_template_callback (widget_class, comment_cb);
}

static void
dg_speed_page_init (DgSpeedPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    dg_accessible_set_name (self->comment, _ ("Comment"));
}
