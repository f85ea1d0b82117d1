/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/settings-file.h"

#include "app/core/user-folders.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* Nothing of ours comes near this size; a greater file is not ours. */
#define MOST_BYTES (1024 * 1024)

static GHashTable *touched; /* groups that this process has changed since the last save */
static gchar *problem;      /* (nullable) */

gchar *
dg__settings_file_path (void)
{
    g_autofree gchar *folder = dg_user_config_folder ();

    return g_build_filename (folder, "drivegauge", "settings.ini", NULL);
}

/* NULL when there is none, or it is none of ours (ret_is_damaged). (transfer full) */
static GKeyFile *
load (gboolean *ret_is_damaged)
{
    GStatBuf info;
    g_autofree gchar *path = dg__settings_file_path ();
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_autoptr (GError) error = NULL;
    *ret_is_damaged = FALSE;
    if (g_stat (path, &info) != 0 || !S_ISREG (info.st_mode))
        return NULL;
    if (info.st_size <= MOST_BYTES
        && g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, &error))
        return g_steal_pointer (&file);
    *ret_is_damaged = info.st_size > MOST_BYTES || error->domain == G_KEY_FILE_ERROR;
    return NULL;
}

/* A line that was typed wrong must not cost what stands in the others: they are kept aside. */
static void
set_aside (void)
{
    g_autofree gchar *path = dg__settings_file_path ();
    g_autofree gchar *aside = g_strconcat (path, ".damaged", NULL);
    for (guint i = 2; i < 100 && g_file_test (aside, G_FILE_TEST_EXISTS); i++) {
        g_free (aside);
        aside = g_strdup_printf ("%s.damaged-%u", path, i);
    }
    if (g_rename (path, aside) == 0)
        /* translators: %s is the name of a file */
        problem = g_strdup_printf (
            _ ("The settings could not be read and are the usual ones now. The old file is kept as “%s”; mend it and give it its old name to have your own profiles again."),
               aside);
}

GKeyFile *
dg__settings_file_get (void)
{
    static GKeyFile *file;
    gboolean is_damaged;

    if (file != NULL)
        return file;
    touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    file = load (&is_damaged);
    if (is_damaged)
        set_aside ();
    if (file == NULL)
        file = g_key_file_new ();
    return file;
}

gchar *
dg__settings_file_take_problem (void)
{
    return g_steal_pointer (&problem);
}

void
dg__settings_file_touch (const gchar *group)
{
    dg__settings_file_get ();
    g_hash_table_add (touched, g_strdup (group));
}

static gboolean
is_foreign (const gchar *group)
{
    return g_str_has_prefix (group, DG__SETTINGS_PROFILE)
           && !g_hash_table_contains (touched, group);
}

static void
copy_group (GKeyFile *from, GKeyFile *to, const gchar *group)
{
    g_auto (GStrv) keys = g_key_file_get_keys (from, group, NULL, NULL);
    for (guint i = 0; keys != NULL && keys[i] != NULL; i++) {
        g_autofree gchar *value = g_key_file_get_value (from, group, keys[i], NULL);
        if (value != NULL)
            g_key_file_set_value (to, group, keys[i], value);
    }
}

/* Another process may have saved profiles meanwhile: those that this one has not changed are taken
 * as they stand in the file now. */
static void
merge_profiles (GKeyFile *ours)
{
    gboolean is_damaged;
    g_autoptr (GKeyFile) theirs = load (&is_damaged);
    if (theirs == NULL)
        return;
    g_auto (GStrv) old = g_key_file_get_groups (ours, NULL);
    g_auto (GStrv) new = g_key_file_get_groups (theirs, NULL);
    for (guint i = 0; old[i] != NULL; i++)
        if (is_foreign (old[i]))
            g_key_file_remove_group (ours, old[i], NULL);
    for (guint i = 0; new[i] != NULL; i++)
        if (is_foreign (new[i]))
            copy_group (theirs, ours, new[i]);
}

gboolean
dg__settings_file_save (GError **error)
{
    gsize length;
    GKeyFile *file = dg__settings_file_get ();
    g_autofree gchar *path = dg__settings_file_path ();
    g_autofree gchar *folder = g_path_get_dirname (path);

    merge_profiles (file);
    g_autofree gchar *text = g_key_file_to_data (file, &length, NULL);
    g_mkdir_with_parents (folder, 0700);
    if (!g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                   0600, error))
        return FALSE;
    g_hash_table_remove_all (touched);
    return TRUE;
}
