/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/progress-block.h"

#include "app/gui/accessible.h"
#include "app/gui/cell-text.h"

#include <glib/gi18n.h>
#include <math.h>

struct _DgProgressBlock {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *box, *second, *what, *which, *written, *bar, *left, *slow_row;
    gint spoken_step;
    DgState spoken_state;
    guint ticks;
    DgState state; /* at the last update, and what was measured */
    guint step, run;
    gboolean is_interval;
};

/* Each change of a text lays the whole window out again: twice a second is enough for amounts. */
#define TICKS_AN_UPDATE 5

G_DEFINE_FINAL_TYPE (DgProgressBlock, dg_progress_block, GTK_TYPE_WIDGET)

/* Setting a label's text, even the same, lays the window out again. Where it is shortened, all of
 * it is read under the pointer. */
static void
set_text (GtkWidget *label, const gchar *text)
{
    if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
        return;
    gtk_label_set_text (GTK_LABEL (label), text);
    if (gtk_label_get_ellipsize (GTK_LABEL (label)) != PANGO_ELLIPSIZE_NONE)
        gtk_widget_set_tooltip_text (label, text);
}

static gchar *
what_text (DgProgressBlock *self, const DgProgress *progress)
{
    const DgOptions *options = dg_session_get_run_options (self->session);
    if (progress->engine.is_finishing)
        return g_strdup (_ ("Finishing…"));
    switch (progress->engine.state) {
    case DG_STATE_IDLE:
        return g_strdup (_ ("Starting"));
    case DG_STATE_PREPARING:
        return g_strdup (_ ("Preparing the test file"));
    case DG_STATE_DONE:
    case DG_STATE_STOPPED:
    case DG_STATE_FAILED:
    case DG_STATE_ABANDONED:
        return g_strdup (_ ("Finishing…"));
    default:
        break;
    }
    if (progress->test >= options->profile->n_tests)
        return g_strdup (_ ("Finishing…"));
    g_autofree gchar *name = dg_test_spec_dup_name (&options->profile->tests[progress->test]);
    const gchar *word = dg_cell_text_direction_word (progress->direction);
    if (progress->engine.is_interval)
        /* Translators: the first %s is a test such as "SEQ1M Q8T1", the second "read", "write" or
         * "mix". */
        return g_strdup_printf (_ ("Waiting before %s %s"), name, word);
    if (progress->engine.state == DG_STATE_WARMING)
        /* Translators: as above. */
        return g_strdup_printf (_ ("Warming up %s %s"), name, word);
    /* Translators: as above. */
    return g_strdup_printf (_ ("Measuring %s %s"), name, word);
}

static gchar *
which_text (const DgProgress *progress)
{
    if (progress->engine.oldest_io_ns != 0) {
        guint64 second = G_GUINT64_CONSTANT (1000000000);
        g_autofree gchar *age =
            dg_number_duration (progress->engine.oldest_io_ns / second * second, DG_FOR_WINDOW);
        /* Translators: a time */
        return g_strdup_printf (_ ("the drive has not answered for %s"), age);
    }
    if (progress->engine.state == DG_STATE_PREPARING || progress->engine.state == DG_STATE_IDLE) {
        if (!progress->engine.recent_bytes_per_s)
            return g_strdup ("");
        return dg_number_rate_and_unit ((gdouble) progress->engine.recent_bytes_per_s, DG_UNIT_MB,
                                        DG_FOR_WINDOW);
    }
    if (progress->step >= progress->n_steps)
        return g_strdup ("");
    if (progress->engine.is_interval)
        /* Translators: numbers of tests. */
        return g_strdup_printf (_ ("test %u of %u"), progress->step + 1, progress->n_steps);
    /* Translators: numbers of tests, number of the run. */
    return g_strdup_printf (_ ("test %u of %u, run %u"), progress->step + 1, progress->n_steps,
                               progress->engine.run + 1);
}

static gchar *
written_text (const DgProgress *progress)
{
    g_autofree gchar *done = dg_number_gib (progress->written_bytes, DG_FOR_WINDOW);
    if (progress->written_expected_bytes == DG_DOC_UNKNOWN)
        /* Translators: %s is an amount such as "4.5 GiB". */
        return g_strdup_printf (_ ("written %s"), done);
    g_autofree gchar *all = dg_number_gib (progress->written_expected_bytes, DG_FOR_WINDOW);
    /* Translators: both are amounts such as "4.5 GiB". */
    return g_strdup_printf (_ ("written %s of about %s"), done, all);
}

static gchar *
left_text (const DgProgress *progress)
{
    gint percent = (gint) floor (CLAMP (progress->fraction, 0, 1) * 100);
    if (progress->left_ns == DG_DOC_UNKNOWN)
        return g_strdup_printf ("%d\u202f%%", percent);
    guint64 second = G_GUINT64_CONSTANT (1000000000);
    g_autofree gchar *left =
        dg_number_duration ((progress->left_ns + second - 1) / second * second, DG_FOR_WINDOW);
    /* Translators: how far (percent) and how long still ("25 s"). */
    return g_strdup_printf (_ ("%d\u202f%% · %s left"), percent, left);
}

/* Spoken at the start, at each test and at the end only. */
static void
speak (DgProgressBlock *self, const DgProgress *progress, const gchar *what)
{
    gint step = progress->engine.state == DG_STATE_PREPARING ? -1 : (gint) progress->step;
    if (step == self->spoken_step && self->spoken_state != DG_STATE_IDLE)
        return;
    self->spoken_step = step;
    self->spoken_state = progress->engine.state;
    dg_accessible_set_description (self->bar, what);
}

static void
update (DgProgressBlock *self)
{
    const DgProgress *progress = dg_session_get_progress (self->session);
    g_autofree gchar *what = what_text (self, progress);
    g_autofree gchar *which = which_text (progress);
    g_autofree gchar *written = written_text (progress);
    g_autofree gchar *left = left_text (progress);
    set_text (self->what, what);
    set_text (self->which, which);
    set_text (self->written, written);
    set_text (self->left, left);
    /* Whole pixels of a bar as wide as the window: no more redraws than can be seen. */
    gdouble fraction = floor (CLAMP (progress->fraction, 0, 1) * 800) / 800;
    if (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (self->bar)) != fraction)
        gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), fraction);
    gtk_widget_set_visible (self->slow_row, progress->prepare_is_slow
                                                && progress->engine.state == DG_STATE_PREPARING);
    speak (self, progress, what);
}

static gboolean
is_another_phase (DgProgressBlock *self)
{
    const DgSnapshot *now = &dg_session_get_progress (self->session)->engine;
    gboolean is_another = now->state != self->state || now->step != self->step
                          || now->run != self->run || now->is_interval != self->is_interval;
    self->state = now->state;
    self->step = now->step;
    self->run = now->run;
    self->is_interval = now->is_interval;
    return is_another;
}

static void
tick_cb (DgSession *session, DgProgressBlock *self)
{
    gboolean is_due = self->ticks++ % TICKS_AN_UPDATE == 0;
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    if (is_another_phase (self) || is_due)
        update (self);
}

static void
running_cb (DgSession *session, DgProgressBlock *self)
{
    self->spoken_step = -1;
    self->spoken_state = DG_STATE_IDLE;
    if (dg_session_is_running (session))
        update (self);
}

void
dg_progress_block_set_session (DgProgressBlock *self, DgSession *session)
{
    self->session = g_object_ref (session);
    g_signal_connect_object (session, "tick", G_CALLBACK (tick_cb), self, 0);
    g_signal_connect_object (session, "running-changed", G_CALLBACK (running_cb), self, 0);
}

static void
move (GtkWidget *label, GtkWidget *box)
{
    g_object_ref (label);
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (label)), label);
    gtk_box_append (GTK_BOX (box), label);
    g_object_unref (label);
}

void
dg_progress_block_set_narrow (DgProgressBlock *self, gboolean is_narrow)
{
    GtkWidget *first = gtk_widget_get_parent (self->what);
    GtkWidget *wanted = is_narrow ? self->second : first;
    if (gtk_widget_get_parent (self->written) == wanted)
        return;
    move (self->which, wanted);
    move (self->written, wanted);
    gtk_label_set_xalign (GTK_LABEL (self->written), is_narrow ? 0 : 1);
    gtk_widget_set_visible (self->second, is_narrow);
}

static void
dg_progress_block_dispose (GObject *object)
{
    DgProgressBlock *self = DG_PROGRESS_BLOCK (object);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_progress_block_parent_class)->dispose (object);
}

static void
dg_progress_block_class_init (DgProgressBlockClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = dg_progress_block_dispose;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_template_from_resource (
        widget_class, "/io/github/drivegauge/DriveGauge/progress-block.ui");
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, box);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, second);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, what);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, which);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, written);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, bar);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, left);
    gtk_widget_class_bind_template_child (widget_class, DgProgressBlock, slow_row);
}

static void
dg_progress_block_init (DgProgressBlock *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    dg_accessible_set_name (self->bar, _ ("Progress"));
}
