/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/findings-list.h"

#include "app/core/findings.h"
#include "app/gui/sign.h"

#include <glib/gi18n.h>

#define MOST_UNFOLDED 4
#define MOST_ROWS     99 /* what a foreign document may have more would hold the window up */

struct _DgFindingsList {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *box;
    gboolean is_unfolded;
};

G_DEFINE_FINAL_TYPE (DgFindingsList, dg_findings_list, GTK_TYPE_WIDGET)

static void
add_row (DgFindingsList *self, DgSign sign, const gchar *title, const gchar *sentence)
{
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
    GtkWidget *picture = dg_sign_new (sign), *label = gtk_label_new (NULL);
    g_autofree gchar *markup =
        sentence && *sentence
            ? g_markup_printf_escaped ("<span weight='600'>%s</span> %s", title, sentence)
            : g_markup_printf_escaped ("<span weight='600'>%s</span>", title);
    gtk_label_set_markup (GTK_LABEL (label), markup);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_selectable (GTK_LABEL (label), FALSE);
    gtk_widget_set_hexpand (label, TRUE);
    gtk_widget_set_valign (picture, GTK_ALIGN_START);
    gtk_widget_add_css_class (picture, "dg-sign");
    gtk_box_append (GTK_BOX (row), picture);
    gtk_box_append (GTK_BOX (row), label);
    gtk_box_append (GTK_BOX (self->box), row);
}

static void update (DgFindingsList *self);

static void
unfold_cb (GtkButton *button, DgFindingsList *self)
{
    self->is_unfolded = TRUE;
    update (self);
}

static void
add_fold (DgFindingsList *self, guint n_more)
{
    g_autofree gchar *text =
        g_strdup_printf (ngettext ("%u more", "%u more", n_more), n_more);
    GtkWidget *button = gtk_button_new_with_label (text);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_sensitive (button, !self->is_unfolded);
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    g_signal_connect (button, "clicked", G_CALLBACK (unfold_cb), self);
    gtk_box_append (GTK_BOX (self->box), button);
}

static void
update (DgFindingsList *self)
{
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child (self->box)))
        gtk_box_remove (GTK_BOX (self->box), child);
    DgDocument *document = dg_session_get_document (self->session);
    if (!document || dg_session_is_running (self->session))
        return;
    const DgDocView *view = dg_document_view (document);
    gboolean is_proved = dg_findings_direct_proved (view);
    gboolean is_doubtful = dg_findings_direct_unproved (view, NULL);
    guint n = view->n_findings + (is_proved || is_doubtful ? 1 : 0);
    guint most = n <= MOST_UNFOLDED  ? n
                 : self->is_unfolded ? MIN (n, MOST_ROWS)
                                     : MOST_UNFOLDED - 1;
    for (guint i = 0; i < view->n_findings && i < most; i++) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        dg_finding_describe (view, &view->findings[i], &title, &sentence);
        add_row (self, dg_sign_of (view->findings[i].severity), title, sentence);
    }
    if ((is_proved || is_doubtful) && view->n_findings < most) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        if (is_proved)
            dg_findings_describe_proof (view, &title, &sentence);
        else
            dg_findings_describe_doubt (view, &title, &sentence);
        add_row (self, is_proved ? DG_SIGN_PROOF : DG_SIGN_INFO, title, sentence);
    }
    if (n > most)
        add_fold (self, n - most);
    gtk_widget_set_opacity (GTK_WIDGET (self), dg_session_is_earlier (self->session) ? 0.5 : 1);
}

static void
document_cb (DgSession *session, DgFindingsList *self)
{
    self->is_unfolded = FALSE;
    update (self);
}

static void
changed_cb (DgSession *session, DgFindingsList *self)
{
    gtk_widget_set_opacity (GTK_WIDGET (self), dg_session_is_earlier (session) ? 0.5 : 1);
}

void
dg_findings_list_set_session (DgFindingsList *self, DgSession *session)
{
    self->session = g_object_ref (session);
    g_signal_connect_object (session, "document-changed", G_CALLBACK (document_cb), self, 0);
    g_signal_connect_object (session, "running-changed", G_CALLBACK (document_cb), self, 0);
    g_signal_connect_object (session, "options-changed", G_CALLBACK (changed_cb), self, 0);
    g_signal_connect_object (session, "targets-changed", G_CALLBACK (changed_cb), self, 0);
    update (self);
}

static void
dg_findings_list_dispose (GObject *object)
{
    DgFindingsList *self = DG_FINDINGS_LIST (object);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_findings_list_parent_class)->dispose (object);
}

static void
dg_findings_list_class_init (DgFindingsListClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_findings_list_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
dg_findings_list_init (DgFindingsList *self)
{
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 5);
    gtk_widget_add_css_class (self->box, "dg-findings");
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}
