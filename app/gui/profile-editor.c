/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/profile-editor.h"

#include "app/gui/accessible.h"
#include "app/gui/dialog.h"
#include "app/gui/glyph.h"

#include <glib/gi18n.h>

#define MOST_ROWS       16
#define SMALLEST_BLOCK  512
#define N_BLOCKS        18 /* 512 B to 64 MiB */
#define MOST_QUEUE      512
#define MOST_THREADS    64
#define DEFAULT_PROFILE "default"

typedef struct {
    GtkWidget *box, *access, *block, *queue, *threads;
} EditorRow;

typedef struct {
    DgSession *session;
    GtkWindow *window;
    GtkWidget *list, *message, *name, *remove_profile, *add;
    GtkSizeGroup *accesses, *blocks; /* columns under each other, whatever the words */
    GPtrArray *rows;                 /* of EditorRow */
} Editor;

static void
editor_free (gpointer data)
{
    Editor *self = data;
    g_ptr_array_unref (self->rows);
    g_object_unref (self->accesses);
    g_object_unref (self->blocks);
    g_object_unref (self->session);
    g_free (self);
}

static void
complain (Editor *self, const GError *error)
{
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    gtk_widget_set_visible (self->message, TRUE);
}

/* ---- rows ---- */

static GtkWidget *
block_drop_down (guint64 block)
{
    GtkStringList *names = gtk_string_list_new (NULL);
    guint chosen = 0;
    for (guint i = 0; i < N_BLOCKS; i++) {
        guint64 bytes = (guint64) SMALLEST_BLOCK << i;
        g_autofree gchar *text = bytes < 1024 ? g_strdup_printf ("%u B", (guint) bytes)
                                 : bytes < 1048576
                                     ? g_strdup_printf ("%u KiB", (guint) (bytes >> 10))
                                     : g_strdup_printf ("%u MiB", (guint) (bytes >> 20));
        gtk_string_list_append (names, text);
        if (bytes == block)
            chosen = i;
    }
    GtkWidget *drop = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), chosen);
    return drop;
}

static GtkWidget *
access_drop_down (DgAccess access)
{
    const gchar *const names[] = { _ ("sequential"), _ ("random"), NULL };
    GtkWidget *drop = gtk_drop_down_new_from_strings (names);
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), access == DG_ACCESS_RANDOM ? 1 : 0);
    return drop;
}

static GtkWidget *
number_spin (guint most, guint value, const gchar *name)
{
    GtkWidget *spin = gtk_spin_button_new_with_range (1, most, 1);
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
    dg_accessible_set_name (spin, name);
    return spin;
}

static void
remove_cb (GtkButton *button, Editor *self)
{
    EditorRow *row = g_object_get_data (G_OBJECT (button), "row");
    gtk_box_remove (GTK_BOX (self->list), row->box);
    g_ptr_array_remove (self->rows, row);
    gtk_widget_set_sensitive (self->add, TRUE);
}

static void
add_row (Editor *self, const DgTestSpec *spec)
{
    EditorRow *row = g_new0 (EditorRow, 1);
    GtkWidget *remove = gtk_button_new ();
    row->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_button_set_child (GTK_BUTTON (remove), dg_glyph_new (DG_GLYPH_REMOVE));
    row->access = access_drop_down (spec->access);
    row->block = block_drop_down (spec->block_bytes);
    row->queue = number_spin (MOST_QUEUE, spec->queue_depth, _ ("Queue"));
    row->threads = number_spin (MOST_THREADS, spec->threads, _ ("Threads"));
    gtk_size_group_add_widget (self->accesses, row->access);
    gtk_size_group_add_widget (self->blocks, row->block);
    gtk_widget_set_tooltip_text (remove, _ ("Remove this row"));
    dg_accessible_set_name (remove, _ ("Remove this row"));
    g_object_set_data (G_OBJECT (remove), "row", row);
    g_signal_connect (remove, "clicked", G_CALLBACK (remove_cb), self);
    gtk_box_append (GTK_BOX (row->box), dg_accessible_name_drop_down (row->access, _ ("Access")));
    gtk_box_append (GTK_BOX (row->box), row->access);
    gtk_box_append (GTK_BOX (row->box),
                    dg_accessible_name_drop_down (row->block, _ ("Block size")));
    gtk_box_append (GTK_BOX (row->box), row->block);
    gtk_box_append (GTK_BOX (row->box), gtk_label_new ("Q"));
    gtk_box_append (GTK_BOX (row->box), row->queue);
    gtk_box_append (GTK_BOX (row->box), gtk_label_new ("T"));
    gtk_box_append (GTK_BOX (row->box), row->threads);
    gtk_box_append (GTK_BOX (row->box), remove);
    gtk_box_append (GTK_BOX (self->list), row->box);
    g_ptr_array_add (self->rows, row);
    gtk_widget_set_sensitive (self->add, self->rows->len < MOST_ROWS);
}

static void
fill (Editor *self, const DgProfile *profile)
{
    while (self->rows->len > 0) {
        EditorRow *row = g_ptr_array_index (self->rows, self->rows->len - 1);
        gtk_box_remove (GTK_BOX (self->list), row->box);
        g_ptr_array_set_size (self->rows, (gint) self->rows->len - 1);
    }
    for (guint i = 0; i < profile->n_tests; i++)
        add_row (self, &profile->tests[i]);
    gboolean is_own = !profile->is_builtin && !g_str_equal (profile->id, "custom");
    gtk_editable_set_text (GTK_EDITABLE (self->name), is_own ? profile->title : "");
    gtk_widget_set_visible (self->remove_profile, is_own);
    gtk_widget_set_visible (self->message, FALSE);
}

static GArray *
collect (Editor *self)
{
    GArray *specs = g_array_new (FALSE, FALSE, sizeof (DgTestSpec));
    for (guint i = 0; i < self->rows->len; i++) {
        const EditorRow *row = g_ptr_array_index (self->rows, i);
        DgTestSpec spec = {
            gtk_drop_down_get_selected (GTK_DROP_DOWN (row->access)) == 1 ? DG_ACCESS_RANDOM
                                                                          : DG_ACCESS_SEQUENTIAL,
            (guint64) SMALLEST_BLOCK << gtk_drop_down_get_selected (GTK_DROP_DOWN (row->block)),
            (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (row->queue)),
            (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (row->threads)),
        };
        g_array_append_val (specs, spec);
    }
    return specs;
}

/* ---- using ---- */

/* Takes the profile as the window's, if every range allows it. */
static gboolean
use_profile (Editor *self, const DgProfile *profile, GError **error)
{
    DgOptions trial;
    dg_options_copy (dg_session_get_options (self->session), &trial);
    dg_options_set_profile (&trial, profile);
    gboolean fits = profile->n_tests > 0 && dg_options_check (&trial, error);
    dg_options_clear (&trial);
    if (!profile->n_tests)
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                             _ ("A profile needs at least one row."));
    if (!fits)
        return FALSE;
    dg_options_set_profile (dg_session_get_options (self->session), profile);
    return TRUE;
}

static gboolean
same_as_now (Editor *self, const GArray *specs)
{
    const DgProfile *now = dg_session_get_options (self->session)->profile;
    if (now->n_tests != specs->len)
        return FALSE;
    for (guint i = 0; i < specs->len; i++)
        if (!dg_test_spec_equal (&now->tests[i], &g_array_index (specs, DgTestSpec, i)))
            return FALSE;
    return TRUE;
}

static void
use_cb (GtkButton *button, Editor *self)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GArray) specs = collect (self);
    if (!same_as_now (self, specs)) {
        g_autoptr (DgProfile) profile = dg_profile_new_custom (
            "custom", _ ("Edited"), (const DgTestSpec *) specs->data, specs->len);
        if (!use_profile (self, profile, &error)) {
            complain (self, error);
            return;
        }
        dg_session_options_changed (self->session);
    }
    gtk_window_destroy (self->window);
}

/* An id for settings and documents from what people type; empty when nothing usable is left. */
static gchar *
id_from_title (const gchar *title)
{
    g_autofree gchar *ascii = g_str_to_ascii (title, NULL);
    GString *id = g_string_new (NULL);
    for (const gchar *p = ascii; *p; p++)
        if (g_ascii_isalnum (*p))
            g_string_append_c (id, g_ascii_tolower (*p));
        else if (id->len && id->str[id->len - 1] != '-')
            g_string_append_c (id, '-');
    while (id->len && id->str[id->len - 1] == '-')
        g_string_truncate (id, id->len - 1);
    if (!id->len)
        g_string_append_printf (id, "own-%08x", g_str_hash (title));
    return g_string_free (id, FALSE);
}

static void
save_cb (GtkWidget *widget, Editor *self)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GArray) specs = collect (self);
    g_autofree gchar *title =
        g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name))));
    if (!*title) {
        error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                                     _ ("Give the profile a name first."));
        complain (self, error);
        gtk_widget_grab_focus (self->name);
        return;
    }
    g_autofree gchar *id = id_from_title (title);
    g_autoptr (DgProfile) profile =
        dg_profile_new_custom (id, title, (const DgTestSpec *) specs->data, specs->len);
    if (!use_profile (self, profile, &error) || !dg_profile_save_own (profile, &error)) {
        complain (self, error);
        return;
    }
    dg_session_options_changed (self->session);
    gtk_window_destroy (self->window);
}

static void
use_builtin (Editor *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (self->session, &index);
    const DgDrive *drive = set ? dg_target_set_drive (set, index) : NULL;
    const DgProfile *now = dg_session_get_options (self->session)->profile;
    const gchar *id = now->is_builtin        ? now->id
                      : drive && drive->name ? dg_profile_propose (drive->name, DEFAULT_PROFILE)
                                             : DEFAULT_PROFILE;
    g_autoptr (DgProfile) profile = dg_profile_find (id ? id : DEFAULT_PROFILE);
    dg_options_set_profile (dg_session_get_options (self->session), profile);
    dg_session_options_changed (self->session);
}

static void
reset_cb (GtkButton *button, Editor *self)
{
    use_builtin (self);
    fill (self, dg_session_get_options (self->session)->profile);
}

static void
delete_cb (GtkButton *button, Editor *self)
{
    g_autoptr (GError) error = NULL;
    if (!dg_profile_delete_own (dg_session_get_options (self->session)->profile->id, &error)) {
        complain (self, error);
        return;
    }
    use_builtin (self);
    fill (self, dg_session_get_options (self->session)->profile);
}

static void
add_cb (GtkButton *button, Editor *self)
{
    add_row (self, &(DgTestSpec){ DG_ACCESS_RANDOM, 4096, 1, 1 });
}

void
dg_profile_editor_show (GtkWindow *parent, DgSession *session)
{
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/drivegauge/DriveGauge/profile-editor.ui");
    Editor *self = g_new0 (Editor, 1);
    static const struct {
        const gchar *id;
        GCallback callback;
    } buttons[] = {
        { "add", G_CALLBACK (add_cb) },
        { "use", G_CALLBACK (use_cb) },
        { "save", G_CALLBACK (save_cb) },
        { "reset", G_CALLBACK (reset_cb) },
        { "remove_profile", G_CALLBACK (delete_cb) },
    };
    self->session = g_object_ref (session);
    self->accesses = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    self->blocks = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    self->rows = g_ptr_array_new_with_free_func (g_free);
    self->window = GTK_WINDOW (gtk_builder_get_object (builder, "window"));
    self->list = GTK_WIDGET (gtk_builder_get_object (builder, "list"));
    self->message = GTK_WIDGET (gtk_builder_get_object (builder, "message"));
    self->name = GTK_WIDGET (gtk_builder_get_object (builder, "name"));
    self->add = GTK_WIDGET (gtk_builder_get_object (builder, "add"));
    self->remove_profile = GTK_WIDGET (gtk_builder_get_object (builder, "remove_profile"));
    for (guint i = 0; i < G_N_ELEMENTS (buttons); i++) {
        GObject *button = gtk_builder_get_object (builder, buttons[i].id);
        g_signal_connect (button, "clicked", buttons[i].callback, self);
        dg_accessible_name_from_label (GTK_WIDGET (button));
    }
    g_signal_connect (self->name, "activate", G_CALLBACK (save_cb), self);
    dg_accessible_set_name (self->name, _ ("Name of the profile"));
    g_object_set_data_full (G_OBJECT (self->window), "dialog", self, editor_free);
    fill (self, dg_session_get_options (session)->profile);
    dg_dialog_present (self->window, parent);
}
