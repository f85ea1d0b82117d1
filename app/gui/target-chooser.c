/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/target-chooser.h"

#include "app/gui/accessible.h"
#include "app/gui/glyph.h"
#include "app/gui/mount-watch.h"

#include <glib/gi18n.h>

struct _DgTargetChooser {
    GtkWidget parent_instance;

    DgSession *session;
    GtkWidget *button, *title, *details;
    GtkWidget *list; /* (nullable) while the popover exists */
    guint look;      /* timer while the popover is open */
    guint64 drives;  /* signature at the last look */
    gboolean is_narrow;
};

G_DEFINE_FINAL_TYPE (DgTargetChooser, dg_target_chooser, GTK_TYPE_WIDGET)

static GtkWidget *
line (const gchar *text, const gchar *css_class)
{
    GtkWidget *label = gtk_label_new (text);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
    if (css_class)
        gtk_widget_add_css_class (label, css_class);
    return label;
}

/* What to do about it must be readable to its end. */
static GtkWidget *
paragraph (const gchar *text, const gchar *css_class)
{
    GtkWidget *label = line (text, css_class);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    return label;
}

/* "/media/anna/T7 · 1.2 TB free" */
static gchar *
place_text (const DgTarget *target)
{
    if (!target->mount)
        return g_strdup ("");
    g_autofree gchar *folder = dg_text_sanitize (target->folder ? target->folder : target->mount);
    if (!target->size_bytes)
        return g_steal_pointer (&folder);
    g_autofree gchar *free_text = dg_number_size (target->free_bytes, DG_FOR_WINDOW);
    /* Translators: folder, free space. */
    return g_strdup_printf (_ ("%s · %s free"), folder, free_text);
}

static GtkWidget *
target_row (DgTargetSet *set, guint index, gboolean has_tick)
{
    const DgTarget *target = &set->list->targets[index];
    const DgDrive *drive = dg_target_set_drive (set, index);
    GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
    GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
    GtkWidget *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    g_autofree gchar *title = dg_target_set_dup_title (set, index);
    g_autofree gchar *details = dg_target_set_dup_details (set, index);
    g_autofree gchar *reason = dg_target_set_dup_reason (set, index);
    g_autofree gchar *place = place_text (target);
    gtk_box_append (GTK_BOX (box), dg_glyph_new (drive && drive->removable == 1 ? DG_GLYPH_DRIVE_USB
                                                                                : DG_GLYPH_DRIVE));
    gtk_box_append (GTK_BOX (first), line (title, "strong"));
    gtk_box_append (GTK_BOX (first), line (details, "dim"));
    gtk_box_append (GTK_BOX (texts), first);
    if (*place)
        gtk_box_append (GTK_BOX (texts), line (place, "small"));
    if (reason)
        gtk_box_append (GTK_BOX (texts), paragraph (reason, "dg-reason"));
    gtk_widget_set_hexpand (texts, TRUE);
    gtk_box_append (GTK_BOX (box), texts);
    if (has_tick)
        gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
    gtk_widget_set_sensitive (row, reason == NULL);
    g_object_set_data (G_OBJECT (row), "index", GUINT_TO_POINTER (index));
    g_autofree gchar *name = g_strjoin (", ", title, details, reason ? reason : place, NULL);
    dg_accessible_set_name (row, name);
    return row;
}

/* Drives that nobody can measure anyhow would only make the list long. */
static gboolean
is_worth_a_row (const DgTargetSet *set, guint index)
{
    const DgTarget *target = &set->list->targets[index];
    const DgDrive *drive = dg_target_set_drive (set, index);
    if (target->fs_kind == DG_FS_PSEUDO
        || (target->use == DG_TARGET_NOT_A_DISK && !target->is_sandbox_ram))
        return FALSE;
    if (target->use == DG_TARGET_NOT_MOUNTED)
        return drive && drive->size_bytes > 0 && !drive->is_virtual;
    return TRUE;
}

/* The chosen one may stand in a set of its own when a folder was chosen. */
static gboolean
is_chosen (DgTargetSet *all, guint i, DgTargetSet *chosen_set, guint chosen)
{
    const gchar *mount = all->list->targets[i].mount;
    return chosen_set && mount && g_strcmp0 (mount, chosen_set->list->targets[chosen].mount) == 0;
}

static void
fill_list (DgTargetChooser *self)
{
    GtkWidget *child;
    guint chosen = 0;
    DgTargetSet *all = dg_session_get_targets (self->session);
    DgTargetSet *chosen_set = dg_session_get_chosen (self->session, &chosen);
    while ((child = gtk_widget_get_first_child (self->list)))
        gtk_list_box_remove (GTK_LIST_BOX (self->list), child);
    for (guint i = 0; all && i < all->list->n_targets; i++)
        if (is_worth_a_row (all, i))
            gtk_list_box_append (GTK_LIST_BOX (self->list),
                                 target_row (all, i, is_chosen (all, i, chosen_set, chosen)));
}

static void
activated_cb (GtkListBox *list, GtkListBoxRow *row, DgTargetChooser *self)
{
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "index"));
    gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
    dg_session_choose_target (self->session, index);
}

static void
folder_cb (GtkButton *button, DgTargetChooser *self)
{
    gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
    gtk_widget_activate_action (GTK_WIDGET (self), "win.choose-folder", NULL);
}

/* Without UDisks2 nobody tells of a drive that is not mounted. */
static gboolean
look_cb (gpointer data)
{
    DgTargetChooser *self = data;
    guint64 drives = dg_drives_signature ();
    if (drives != self->drives)
        dg_session_refresh_targets (self->session);
    self->drives = drives;
    return G_SOURCE_CONTINUE;
}

static void
opened_cb (GtkWidget *popover, DgTargetChooser *self)
{
    self->drives = dg_drives_signature ();
    dg_session_refresh_targets (self->session);
    if (!self->look)
        self->look = g_timeout_add_seconds (1, look_cb, self);
}

static void
closed_cb (GtkWidget *popover, DgTargetChooser *self)
{
    g_clear_handle_id (&self->look, g_source_remove);
}

static void
create_popup (GtkMenuButton *button, gpointer data)
{
    DgTargetChooser *self = data;
    if (gtk_menu_button_get_popover (button)) {
        fill_list (self);
        return;
    }
    GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *scroll = gtk_scrolled_window_new ();
    GtkWidget *folder = gtk_button_new_with_mnemonic (_ ("Choose _folder…"));
    self->list = gtk_list_box_new ();
    gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class (self->list, "dg-targets");
    dg_accessible_set_name (self->list, _ ("Drives"));
    g_signal_connect (self->list, "row-activated", G_CALLBACK (activated_cb), self);
    gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_NEVER,
                                    GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroll), TRUE);
    gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroll), TRUE);
    gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroll), 420);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), self->list);
    g_signal_connect (folder, "clicked", G_CALLBACK (folder_cb), self);
    dg_accessible_set_name (folder, _ ("Choose folder…"));
    gtk_box_append (GTK_BOX (box), scroll);
    gtk_box_append (GTK_BOX (box), folder);
    gtk_popover_set_child (GTK_POPOVER (popover), box);
    g_signal_connect (popover, "map", G_CALLBACK (opened_cb), self);
    g_signal_connect (popover, "unmap", G_CALLBACK (closed_cb), self);
    gtk_menu_button_set_popover (button, popover);
    fill_list (self);
}

static void
update_cb (DgSession *session, DgTargetChooser *self)
{
    guint index;
    DgTargetSet *set = dg_session_get_chosen (session, &index);
    const gchar *missing = dg_session_get_missing (session);
    g_autofree gchar *title =
        set       ? dg_target_set_dup_title (set, index)
        : missing ? g_strdup (missing)
                  : g_strdup (dg_session_get_targets (session) ? _ ("No drive found") : "…");
    g_autofree gchar *details = set ? dg_target_set_dup_details (set, index)
                                    : missing
                                    ? g_strdup (_ ("not there: plug it in, or choose another"))
                                    : g_strdup ("");
    const gchar *folder = dg_session_get_folder (session);
    g_autofree gchar *shown_folder = dg_text_sanitize (folder);
    gtk_label_set_text (GTK_LABEL (self->title), title);
    gtk_label_set_text (GTK_LABEL (self->details), details);
    gtk_widget_set_visible (self->details, *details != '\0' && !self->is_narrow);
    gtk_widget_set_tooltip_text (self->button, shown_folder);
    gtk_widget_set_sensitive (self->button, !dg_session_is_running (session));
    /* Translators: read aloud: name of the drive, its size and file system. */
    g_autofree gchar *name = g_strdup_printf (_ ("Drive: %s, %s"), title, details);
    dg_accessible_set_name (self->button, name);
    dg_accessible_set_description (self->button, shown_folder ? shown_folder : "");
    if (self->list)
        fill_list (self);
}

void
dg_target_chooser_set_session (DgTargetChooser *self, DgSession *session)
{
    self->session = g_object_ref (session);
    g_signal_connect_object (session, "targets-changed", G_CALLBACK (update_cb), self, 0);
    g_signal_connect_object (session, "running-changed", G_CALLBACK (update_cb), self, 0);
    update_cb (session, self);
}

void
dg_target_chooser_set_narrow (DgTargetChooser *self, gboolean is_narrow)
{
    self->is_narrow = is_narrow;
    gtk_widget_set_visible (self->details,
                            !is_narrow && *gtk_label_get_text (GTK_LABEL (self->details)));
}

static void
dg_target_chooser_dispose (GObject *object)
{
    DgTargetChooser *self = DG_TARGET_CHOOSER (object);
    self->list = NULL;
    g_clear_handle_id (&self->look, g_source_remove);
    g_clear_pointer (&self->button, gtk_widget_unparent);
    g_clear_object (&self->session);
    G_OBJECT_CLASS (dg_target_chooser_parent_class)->dispose (object);
}

static void
dg_target_chooser_class_init (DgTargetChooserClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_target_chooser_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
dg_target_chooser_init (DgTargetChooser *self)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 7);
    self->button = gtk_menu_button_new ();
    self->title = gtk_label_new (NULL);
    self->details = gtk_label_new (NULL);
    gtk_widget_add_css_class (self->title, "strong");
    gtk_widget_add_css_class (self->details, "dim");
    gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
    gtk_label_set_ellipsize (GTK_LABEL (self->details), PANGO_ELLIPSIZE_END);
    gtk_box_append (GTK_BOX (box), dg_glyph_new (DG_GLYPH_DRIVE));
    gtk_box_append (GTK_BOX (box), self->title);
    gtk_box_append (GTK_BOX (box), self->details);
    gtk_box_append (GTK_BOX (box), dg_glyph_new (DG_GLYPH_DOWN));
    gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), box);
    gtk_widget_add_css_class (self->button, "dg-target");
    gtk_widget_add_css_class (self->button, "flat");
    gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button), create_popup, self,
                                           NULL);
    gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}
