/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/plan-row.h"

#include "app/gui/accessible.h"
#include "app/gui/glyph.h"
#include "app/gui/plan-menus.h"

#include <glib/gi18n.h>

#define FIELD_GAP      14
#define ESTIMATE_CHARS 18 /* of it are seen at least; the whole is a tooltip away */

typedef struct {
    GtkWidget *box, *button, *value;
} Control;

struct _DgPlanRow {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *row, *fields, *fold, *fold_text, *fold_box, *estimate;
    Control controls[DG_N_PLAN_MENUS];
    gboolean is_narrow;
};

G_DEFINE_FINAL_TYPE (DgPlanRow, dg_plan_row, GTK_TYPE_WIDGET)

/* Menus are made when they are first opened: most are never opened in a session. */
static void
create_popup (GtkMenuButton *button, gpointer data)
{
    g_autoptr (GMenuModel) model = dg_plan_menu_new (GPOINTER_TO_INT (data));
    GtkWidget *popover = gtk_popover_menu_new_from_model (model);
    gtk_menu_button_set_popover (button, popover);
}

static GtkWidget *
value_child (GtkWidget **ret_label)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    *ret_label = gtk_label_new (NULL);
    gtk_label_set_ellipsize (GTK_LABEL (*ret_label), PANGO_ELLIPSIZE_END);
    gtk_box_append (GTK_BOX (box), *ret_label);
    gtk_box_append (GTK_BOX (box), dg_glyph_new (DG_GLYPH_DOWN));
    return box;
}

static void
add_control (DgPlanRow *self, DgPlanMenu menu)
{
    Control *control = &self->controls[menu];
    GtkWidget *label = gtk_label_new_with_mnemonic (dg_plan_menu_label (menu));
    control->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 7);
    control->button = gtk_menu_button_new ();
    gtk_menu_button_set_child (GTK_MENU_BUTTON (control->button), value_child (&control->value));
    gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (control->button), create_popup,
                                           GINT_TO_POINTER ((gint) menu), NULL);
    gtk_label_set_mnemonic_widget (GTK_LABEL (label), control->button);
    gtk_widget_add_css_class (label, "dim");
    gtk_box_append (GTK_BOX (control->box), label);
    gtk_box_append (GTK_BOX (control->box), control->button);
    gtk_box_append (GTK_BOX (self->fields), control->box);
}

/* "takes about 1 min", and what is not in it. */
static gchar *
time_text (const DgEstimate *estimate)
{
    if (estimate->time_ns == DG_DOC_UNKNOWN)
        return g_strdup (_ ("takes: unknown until prepared"));
    g_autofree gchar *text = dg_number_duration (estimate->time_ns, DG_FOR_WINDOW);
    switch (estimate->preparing) {
    case DG_PREPARING_AT_LEAST:
        /* Translators: %s is a time such as "1 min". */
        return g_strdup_printf (_ ("takes at least %s"), text);
    case DG_PREPARING_UNKNOWN:
        /* Translators: %s is a time such as "1 min"; how long preparing takes is not known. */
        return g_strdup_printf (_ ("takes about %s, plus preparing"), text);
    case DG_PREPARING_KNOWN:
        break;
    }
    /* Translators: %s is a time such as "1 min". */
    return g_strdup_printf (_ ("takes about %s"), text);
}

static gchar *
estimate_markup (DgSession *session, gboolean is_one_line)
{
    DgEstimate estimate;
    dg_session_get_estimate (session, &estimate);
    g_autofree gchar *line = time_text (&estimate), *bytes = NULL;
    g_autofree gchar *time = g_markup_escape_text (line, -1);
    if (estimate.written_bytes == DG_DOC_UNKNOWN)
        bytes = g_strdup (_ ("writes: unknown until prepared"));
    else {
        g_autofree gchar *text = dg_number_gib (estimate.written_bytes, DG_FOR_WINDOW);
        g_autofree gchar *bold =
            g_strdup_printf ("<span weight='600' alpha='100%%'>%s</span>", text);
        /* Translators: %s is an amount such as "14 GiB". */
        bytes = g_strdup_printf (_ ("writes up to %s"), bold);
    }
    return g_strdup_printf (is_one_line ? "%s · %s" : "%s\n%s", time, bytes);
}

/* What has the keyboard is the button within: it is not called by the label beside it. */
static void
name_control (const Control *control, DgPlanMenu menu, const gchar *value)
{
    g_auto (GStrv) parts = g_strsplit (dg_plan_menu_label (menu), "_", -1);
    g_autofree gchar *label = g_strjoinv ("", parts);
    g_autofree gchar *name = g_strdup_printf ("%s: %s", label, value);
    dg_accessible_set_name (control->button, name);
}

static void
update (DgPlanRow *self)
{
    GString *folded = g_string_new (NULL);
    gboolean is_running = dg_session_is_running (self->session);
    for (gint i = 0; i < DG_N_PLAN_MENUS; i++) {
        Control *control = &self->controls[i];
        gboolean is_shown = dg_plan_menu_is_shown (i, self->session);
        g_autofree gchar *value = dg_plan_menu_dup_value (i, self->session);
        gtk_label_set_text (GTK_LABEL (control->value), value);
        gtk_widget_set_visible (control->box, is_shown);
        name_control (control, (DgPlanMenu) i, value);
        if (is_shown)
            g_string_append_printf (folded, "%s%s", folded->len ? " · " : "", value);
    }
    g_autofree gchar *markup = estimate_markup (self->session, self->is_narrow);
    gtk_label_set_text (GTK_LABEL (self->fold_text), folded->str);
    dg_accessible_set_name (self->fold, folded->str);
    gtk_label_set_markup (GTK_LABEL (self->estimate), markup);
    /* where it is shortened */
    gtk_widget_set_tooltip_markup (self->estimate, self->is_narrow ? NULL : markup);
    gtk_widget_set_sensitive (self->row, !is_running);
    g_string_free (folded, TRUE);
}

static void
changed_cb (DgSession *session, DgPlanRow *self)
{
    update (self);
}

void
dg_plan_row_set_session (DgPlanRow *self, DgSession *session)
{
    static const gchar *const signals[] = { "options-changed", "targets-changed", "running-changed",
                                            "estimate-changed", "document-changed" };
    self->session = g_object_ref (session);
    for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
        g_signal_connect_object (session, signals[i], G_CALLBACK (changed_cb), self, 0);
    update (self);
}

void
dg_plan_row_set_narrow (DgPlanRow *self, gboolean is_narrow)
{
    if (self->is_narrow == is_narrow)
        return;
    self->is_narrow = is_narrow;
    g_object_ref (self->fields);
    if (is_narrow) {
        gtk_box_remove (GTK_BOX (self->row), self->fields);
        gtk_box_append (GTK_BOX (self->fold_box), self->fields);
    } else {
        gtk_box_remove (GTK_BOX (self->fold_box), self->fields);
        gtk_box_prepend (GTK_BOX (self->row), self->fields);
    }
    g_object_unref (self->fields);
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->fields),
                                    is_narrow ? GTK_ORIENTATION_VERTICAL
                                              : GTK_ORIENTATION_HORIZONTAL);
    gtk_box_set_spacing (GTK_BOX (self->fields), is_narrow ? 8 : FIELD_GAP);
    for (gint i = 0; i < DG_N_PLAN_MENUS; i++) {
        gtk_widget_set_hexpand (self->controls[i].button, is_narrow);
        gtk_widget_set_halign (self->controls[i].button,
                               is_narrow ? GTK_ALIGN_END : GTK_ALIGN_FILL);
    }
    gtk_widget_set_visible (self->fold, is_narrow);
    /* Beside each other, neither would be readable to its end. */
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->row), is_narrow
                                                                    ? GTK_ORIENTATION_VERTICAL
                                                                    : GTK_ORIENTATION_HORIZONTAL);
    gtk_box_set_spacing (GTK_BOX (self->row), is_narrow ? 4 : 14);
    gtk_label_set_xalign (GTK_LABEL (self->estimate), is_narrow ? 0 : 1);
    gtk_label_set_justify (GTK_LABEL (self->estimate),
                           is_narrow ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_RIGHT);
    gtk_label_set_ellipsize (GTK_LABEL (self->estimate),
                             is_narrow ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
    gtk_label_set_wrap (GTK_LABEL (self->estimate), is_narrow);
    gtk_label_set_max_width_chars (GTK_LABEL (self->estimate), is_narrow ? -1 : ESTIMATE_CHARS);
    if (self->session)
        update (self);
}

gboolean
dg_plan_row_is_narrow (DgPlanRow *self)
{
    return self->is_narrow;
}

gboolean
dg_plan_row_has_room (DgPlanRow *self)
{
    int width = gtk_widget_get_width (GTK_WIDGET (self)), needed = 0, wide;
    /* who opened the folded ones is not left with an empty popover */
    if (self->is_narrow && gtk_widget_get_mapped (self->fold_box))
        return FALSE;
    for (gint i = 0; i < DG_N_PLAN_MENUS; i++)
        if (gtk_widget_get_visible (self->controls[i].box)) {
            gtk_widget_measure (self->controls[i].box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide,
                                NULL, NULL);
            needed += wide + FIELD_GAP;
        }
    PangoContext *context = gtk_widget_get_pango_context (self->estimate);
    PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
    needed += PANGO_PIXELS_CEIL (ESTIMATE_CHARS
                                 * MAX (pango_font_metrics_get_approximate_char_width (metrics),
                                        pango_font_metrics_get_approximate_digit_width (metrics)));
    pango_font_metrics_unref (metrics);
    return needed <= width;
}

static void
closed_cb (GtkPopover *popover, DgPlanRow *self)
{
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
dg_plan_row_dispose (GObject *object)
{
    DgPlanRow *self = DG_PLAN_ROW (object);
    g_clear_pointer (&self->row, gtk_widget_unparent);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_plan_row_parent_class)->dispose (object);
}

static void
dg_plan_row_class_init (DgPlanRowClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_plan_row_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
dg_plan_row_init (DgPlanRow *self)
{
    self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
    self->fields = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, FIELD_GAP);
    for (gint i = 0; i < DG_N_PLAN_MENUS; i++)
        add_control (self, (DgPlanMenu) i);
    gtk_box_append (GTK_BOX (self->row), self->fields);

    GtkWidget *popover = gtk_popover_new ();
    self->fold_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    gtk_popover_set_child (GTK_POPOVER (popover), self->fold_box);
    g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), self);
    self->fold = gtk_menu_button_new ();
    gtk_menu_button_set_child (GTK_MENU_BUTTON (self->fold), value_child (&self->fold_text));
    gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->fold), popover);
    dg_accessible_set_description (self->fold, _ ("Profile, runs, size, unit"));
    gtk_widget_set_visible (self->fold, FALSE);
    gtk_box_append (GTK_BOX (self->row), self->fold);

    self->estimate = gtk_label_new (NULL);
    gtk_label_set_justify (GTK_LABEL (self->estimate), GTK_JUSTIFY_RIGHT);
    gtk_label_set_xalign (GTK_LABEL (self->estimate), 1);
    gtk_label_set_ellipsize (GTK_LABEL (self->estimate), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand (self->estimate, TRUE);
    gtk_label_set_max_width_chars (GTK_LABEL (self->estimate), ESTIMATE_CHARS);
    gtk_widget_add_css_class (self->estimate, "small");
    gtk_box_append (GTK_BOX (self->row), self->estimate);
    gtk_widget_set_parent (self->row, GTK_WIDGET (self));
}
