/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/chart-view.h"

#include "app/gui/accessible.h"
#include "app/gui/chart-live.h"
#include "app/gui/chart-table.h"
#include "app/gui/style.h"

#include <glib/gi18n.h>
#include <math.h>

struct _DgChartView {
    GtkWidget parent_instance;

    DgSession *session;
    gboolean is_narrow;
    gdouble pointer_x;
    gboolean has_stepped; /* pointer_x is where the arrow keys went */
    guint ticks;
    gchar *described, *described_more; /* (nullable) name and description as last set */
    /* what a running test adds, kept from tick to tick */
    DgChartLive live;
    GPtrArray *planned_names;
    GArray *planned_directions;
    gchar *live_name;
};

G_DEFINE_FINAL_TYPE (DgChartView, dg_chart_view, GTK_TYPE_WIDGET)

/* A redraw costs as much as all cells together: five a second are smooth enough for samples of 100
 * ms. */
#define TICKS_A_REDRAW 5

static gchar *
step_name (const DgOptions *options, guint step, DgDirection *ret_direction)
{
    guint test;
    dg_options_step (options, step, &test, ret_direction);
    return dg_test_spec_dup_name (&options->profile->tests[test]);
}

guint
dg_chart_view_first_planned (const DgProgress *progress)
{
    const DgSnapshot *now = &progress->engine;
    gboolean is_to_come =
        now->state == DG_STATE_IDLE || now->state == DG_STATE_PREPARING || now->is_interval;
    return progress->step + (is_to_come ? 0 : 1);
}

static void
take_live (DgChartView *self)
{
    const DgProgress *progress = dg_session_get_progress (self->session);
    const DgOptions *options = dg_session_get_run_options (self->session);
    gboolean is_warmup = FALSE;
    GArray *live = dg_runner_get_live_samples (dg_session_get_runner (self->session), &is_warmup);
    dg_chart_live_take (&self->live, progress, live, is_warmup);
    g_clear_pointer (&self->live_name, g_free);
    g_ptr_array_set_size (self->planned_names, 0);
    g_array_set_size (self->planned_directions, 0);
    DgDirection direction;
    guint n_steps = dg_options_n_steps (options);
    if (progress->step < n_steps)
        self->live_name = step_name (options, progress->step, &direction);
    for (guint i = dg_chart_view_first_planned (progress); i < n_steps; i++) {
        g_ptr_array_add (self->planned_names, step_name (options, i, &direction));
        g_array_append_val (self->planned_directions, direction);
    }
}

static guint64
expected_ns (const DgOptions *options)
{
    guint64 runs = options->runs ? options->runs : 3;
    return options->warmup_ns + runs * options->duration_ns + options->interval_ns;
}

static void
fill_chart (DgChartView *self, DgChart *chart)
{
    DgDocument *document = dg_session_get_document (self->session);
    *chart = (DgChart){
        .view = document ? dg_document_view (document) : NULL,
        .live_test_direction = -1,
        .pointer_x = self->pointer_x,
        .is_narrow = self->is_narrow,
    };
    if (!dg_session_is_running (self->session) || !self->live.samples)
        return;
    const DgProgress *progress = dg_session_get_progress (self->session);
    const DgSnapshot *engine = &progress->engine;
    chart->now_ns = progress->offset_ns + engine->now_ns;
    chart->live_name = self->live_name;
    if (self->live_name && dg_chart_live_is_shown (progress)) {
        chart->live_test_direction = (gint) progress->direction;
        chart->live_samples = (const guint64 *) self->live.samples->data;
        chart->n_live_samples = self->live.samples->len;
        chart->live_is_warmup = self->live.is_warmup;
        chart->live_started_ns = self->live.started_ns;
        chart->live_passes = (const DgChartPass *) self->live.passes->data;
        chart->n_live_passes = self->live.passes->len;
    }
    chart->planned_names = (const gchar *const *) self->planned_names->pdata;
    chart->planned_directions = (const DgDirection *) self->planned_directions->data;
    chart->n_planned = self->planned_names->len;
    chart->planned_ns_each = expected_ns (dg_session_get_run_options (self->session));
}

static void
dg_chart_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
    DgChartView *self = DG_CHART_VIEW (widget);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = 200;
        *natural = 400;
        return;
    }
    DgDrawStyle style;
    dg_style_for (widget, DG_UNIT_MB, &style);
    /* A tall page has room for a taller chart; the page's end takes what is left. */
    *minimum = (int) ceil (dg_chart_height (&style, self->is_narrow));
    *natural = *minimum * 2;
    dg_style_clear (&style);
}

static void
dg_chart_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    DgChartView *self = DG_CHART_VIEW (widget);
    int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
    DgChart chart;
    DgDrawStyle style;
    if (!self->session)
        return;
    fill_chart (self, &chart);
    dg_style_for (widget, dg_session_get_unit (self->session), &style);
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
    dg_chart_draw (cr, &chart, &style, width, height);
    cairo_destroy (cr);
    dg_style_clear (&style);
}

/* The point that the arrow keys stand on, else all tests. */
static gchar *
dup_description (DgChartView *self, const DgChart *chart, const DgDrawStyle *style)
{
    if (self->has_stepped)
        return dg_chart_describe_point (chart, style, gtk_widget_get_width (GTK_WIDGET (self)),
                                        self->pointer_x);
    if (!chart->view)
        return g_strdup ("");
    g_autofree gchar *tests = dg_chart_describe_tests (chart->view, style);
    if (*tests == '\0')
        return g_strdup ("");
    /* Translators: read aloud after the chart's numbers: keep the key T. */
    return g_strdup_printf ("%s. %s", tests, _ ("The key T shows all of it as a table."));
}

static void
describe (DgChartView *self)
{
    DgChart chart;
    DgDrawStyle style;
    fill_chart (self, &chart);
    dg_style_for (GTK_WIDGET (self), dg_session_get_unit (self->session), &style);
    g_autofree gchar *text = dg_chart_describe (&chart, &style);
    g_autofree gchar *more = dup_description (self, &chart, &style);
    dg_style_clear (&style);
    if (g_strcmp0 (text, self->described) != 0) {
        g_free (self->described);
        self->described = g_steal_pointer (&text);
        dg_accessible_set_name (GTK_WIDGET (self), self->described);
    }
    if (g_strcmp0 (more, self->described_more) != 0) {
        g_free (self->described_more);
        self->described_more = g_steal_pointer (&more);
        dg_accessible_set_description (GTK_WIDGET (self),
                                       self->described_more ? self->described_more : "");
    }
}

/* An earlier result is as pale as its cells. */
static void
options_cb (DgSession *session, DgChartView *self)
{
    describe (self);
    gtk_widget_set_opacity (GTK_WIDGET (self), dg_session_is_earlier (session) ? 0.5 : 1);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
document_cb (DgSession *session, DgChartView *self)
{
    if (dg_session_is_running (session))
        take_live (self);
    else
        dg_chart_live_end (&self->live);
    options_cb (session, self);
}

static void
tick_cb (DgSession *session, DgChartView *self)
{
    if (self->ticks++ % TICKS_A_REDRAW != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    take_live (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_pointer (DgChartView *self, gdouble x, gboolean has_stepped)
{
    gboolean is_described = self->has_stepped || has_stepped;
    self->pointer_x = x;
    self->has_stepped = has_stepped;
    if (is_described)
        describe (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller, gdouble x, gdouble y, DgChartView *self)
{
    set_pointer (self, x, FALSE);
}

static void
leave_cb (GtkEventControllerMotion *controller, DgChartView *self)
{
    set_pointer (self, -1, FALSE);
}

static gboolean
step_to (DgChartView *self, gint direction)
{
    DgChart chart;
    DgDrawStyle style;
    gdouble width = gtk_widget_get_width (GTK_WIDGET (self));
    fill_chart (self, &chart);
    dg_style_for (GTK_WIDGET (self), dg_session_get_unit (self->session), &style);
    gdouble from = self->pointer_x >= 0 ? self->pointer_x : direction > 0 ? 0 : width;
    gdouble to = dg_chart_step (&chart, &style, width, from, direction);
    dg_style_clear (&style);
    set_pointer (self, to, TRUE);
    return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers,
        DgChartView *self)
{
    if (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK) || !self->session)
        return FALSE;
    switch (key) {
    case GDK_KEY_Left:
        return step_to (self, -1);
    case GDK_KEY_Right:
        return step_to (self, +1);
    case GDK_KEY_Escape:
        if (self->pointer_x < 0)
            return FALSE;
        leave_cb (NULL, self);
        return TRUE;
    case GDK_KEY_t:
    case GDK_KEY_T:
        dg_chart_table_show (GTK_WIDGET (self), self->session);
        return TRUE;
    default:
        return FALSE;
    }
}

static void
pressed_cb (GtkGestureClick *gesture, gint n, gdouble x, gdouble y, DgChartView *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

void
dg_chart_view_set_session (DgChartView *self, DgSession *session)
{
    self->session = g_object_ref (session);
    g_signal_connect_object (session, "document-changed", G_CALLBACK (document_cb), self, 0);
    g_signal_connect_object (session, "running-changed", G_CALLBACK (document_cb), self, 0);
    g_signal_connect_object (session, "options-changed", G_CALLBACK (options_cb), self, 0);
    g_signal_connect_object (session, "targets-changed", G_CALLBACK (options_cb), self, 0);
    g_signal_connect_object (session, "tick", G_CALLBACK (tick_cb), self, 0);
    document_cb (session, self);
}

void
dg_chart_view_set_narrow (DgChartView *self, gboolean is_narrow)
{
    if (self->is_narrow == is_narrow)
        return;
    self->is_narrow = is_narrow;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
dg_chart_view_dispose (GObject *object)
{
    DgChartView *self = DG_CHART_VIEW (object);
    g_clear_object (&self->session);
    dg_chart_live_clear (&self->live);
    g_clear_pointer (&self->planned_names, g_ptr_array_unref);
    g_clear_pointer (&self->planned_directions, g_array_unref);
    g_clear_pointer (&self->live_name, g_free);
    g_clear_pointer (&self->described, g_free);
    g_clear_pointer (&self->described_more, g_free);
    G_OBJECT_CLASS (dg_chart_view_parent_class)->dispose (object);
}

static void
dg_chart_view_class_init (DgChartViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = dg_chart_view_dispose;
    widget_class->measure = dg_chart_view_measure;
    widget_class->snapshot = dg_chart_view_snapshot;
    gtk_widget_class_set_css_name (widget_class, "dgchart");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
dg_chart_view_init (DgChartView *self)
{
    self->pointer_x = -1;
    dg_chart_live_init (&self->live);
    self->planned_names = g_ptr_array_new_with_free_func (g_free);
    self->planned_directions = g_array_new (FALSE, FALSE, sizeof (DgDirection));
    gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
    GtkEventController *motion = gtk_event_controller_motion_new ();
    g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
    g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    GtkEventController *key = gtk_event_controller_key_new ();
    g_signal_connect (key, "key-pressed", G_CALLBACK (key_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self), key);
    GtkGesture *click = gtk_gesture_click_new ();
    g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
