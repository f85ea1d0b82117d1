/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/chain-view.h"

#include "app/gui/accessible.h"
#include "app/gui/style.h"

#include <math.h>

struct _DgChainView {
    GtkWidget parent_instance;

    DgSession *session;
    gboolean is_narrow;
    DgDocument *document; /* (nullable) whose target is shown, else */
    DgTargetSet *set;     /* (nullable) the chosen one's */
    DgDocTarget own;      /* view of `set` */
};

G_DEFINE_FINAL_TYPE (DgChainView, dg_chain_view, GTK_TYPE_WIDGET)

static const DgDocTarget *
shown_target (DgChainView *self)
{
    if (self->document)
        return &dg_document_view (self->document)->targets[0];
    return self->set ? &self->own : NULL;
}

static void
clear (DgChainView *self)
{
    g_clear_pointer (&self->document, dg_document_unref);
    dg_target_view_clear (&self->own);
    g_clear_pointer (&self->set, dg_target_set_unref);
}

/* A name alone is no chain: without a path, a speed or a ceiling there is nothing to see. */
static gboolean
is_worth_drawing (const DgDocTarget *target)
{
    const DgDocLink *link = &target->link;
    return dg_chain_is_drawable (target)
           && (link->n_path > 1 || link->speed_bits_per_s != DG_DOC_UNKNOWN
               || link->ceiling_bytes_per_s != DG_DOC_UNKNOWN);
}

/* A saved result shows its own chain, and so does a fresh one unless another target has been chosen
 * since. */
static void
update_cb (DgSession *session, DgChainView *self)
{
    DgDocument *document = dg_session_get_document (session);
    guint index;
    DgTargetSet *set = dg_session_get_chosen (session, &index);
    clear (self);
    if (document && dg_document_view (document)->n_targets > 0
        && (dg_session_is_saved (session) || dg_session_is_running (session))
        && dg_document_view (document)->targets[0].has_link)
        self->document = dg_document_ref (document);
    else if (set && !dg_session_is_saved (session)) {
        self->set = dg_target_set_ref (set);
        dg_target_view_init (&self->own, set, index);
    }
    const DgDocTarget *target = shown_target (self);
    gboolean is_drawable = target && is_worth_drawing (target);
    gtk_widget_set_visible (GTK_WIDGET (self), is_drawable);
    if (!is_drawable)
        return;
    g_autofree gchar *text = dg_chain_describe (target);
    dg_accessible_set_name (GTK_WIDGET (self), text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), text); /* names may be shortened */
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
dg_chain_view_set_session (DgChainView *self, DgSession *session)
{
    self->session = g_object_ref (session);
    g_signal_connect_object (session, "targets-changed", G_CALLBACK (update_cb), self, 0);
    g_signal_connect_object (session, "document-changed", G_CALLBACK (update_cb), self, 0);
    update_cb (session, self);
}

void
dg_chain_view_set_narrow (DgChainView *self, gboolean is_narrow)
{
    if (self->is_narrow == is_narrow)
        return;
    self->is_narrow = is_narrow;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
dg_chain_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
    DgChainView *self = DG_CHAIN_VIEW (widget);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = 200;
        *natural = 400;
        return;
    }
    DgDrawStyle style;
    dg_style_for (widget, DG_UNIT_MB, &style);
    *minimum = *natural = (int) ceil (
        dg_chain_height (gtk_widget_get_pango_context (widget), &style, self->is_narrow));
    dg_style_clear (&style);
}

static void
dg_chain_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    DgChainView *self = DG_CHAIN_VIEW (widget);
    const DgDocTarget *target = shown_target (self);
    int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
    if (!target)
        return;
    DgDrawStyle style;
    dg_style_for (widget, dg_session_get_unit (self->session), &style);
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
    dg_chain_draw (cr, target, &style, width, height, self->is_narrow);
    cairo_destroy (cr);
    dg_style_clear (&style);
}

static void
dg_chain_view_dispose (GObject *object)
{
    DgChainView *self = DG_CHAIN_VIEW (object);
    clear (self);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_chain_view_parent_class)->dispose (object);
}

static void
dg_chain_view_class_init (DgChainViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = dg_chain_view_dispose;
    widget_class->measure = dg_chain_view_measure;
    widget_class->snapshot = dg_chain_view_snapshot;
    gtk_widget_class_set_css_name (widget_class, "dgchain");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
dg_chain_view_init (DgChainView *self)
{
}
