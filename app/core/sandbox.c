/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/sandbox.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"

#include <glib/gi18n.h>
#include <string.h>

/* One word of [Context] filesystems as an absolute path; NULL for what is none ("!home",
 * "xdg-download", "host-etc"). (transfer full) */
static gchar *
folder_of_word (const gchar *word, const gchar *home)
{
    g_autofree gchar *name = g_strdup (word);
    gchar *colon = strrchr (name, ':');
    if (colon != NULL)
        *colon = '\0';
    if (g_str_equal (name, "host"))
        return g_strdup ("/");
    if (g_str_equal (name, "home") || g_str_equal (name, "~"))
        return g_strdup (home);
    if (g_str_has_prefix (name, "~/"))
        return g_build_filename (home, name + 2, NULL);
    return name[0] == '/' ? g_canonicalize_filename (name, "/") : NULL;
}

DgSandbox *
dg_sandbox_new (const gchar *info_file)
{
    g_autoptr (GKeyFile) info = g_key_file_new ();
    if (!g_key_file_load_from_file (info, info_file, G_KEY_FILE_NONE, NULL))
        return NULL;
    DgSandbox *self = g_new0 (DgSandbox, 1);
    self->home = g_canonicalize_filename (g_get_home_dir (), "/");
    self->app_id = g_key_file_get_string (info, "Application", "name", NULL);
    if (self->app_id == NULL)
        self->app_id = g_strdup ("io.github.drivegauge.DriveGauge");
    g_auto (GStrv) words = g_key_file_get_string_list (info, "Context", "filesystems", NULL, NULL);
    GPtrArray *folders = g_ptr_array_new ();
    for (guint i = 0; words != NULL && words[i] != NULL; i++) {
        gchar *folder = folder_of_word (words[i], self->home);
        if (folder != NULL)
            g_ptr_array_add (folders, folder);
    }
    g_ptr_array_add (folders, NULL);
    self->folders = (gchar **) g_ptr_array_free (folders, FALSE);
    return self;
}

void
dg_sandbox_free (DgSandbox *self)
{
    if (self == NULL)
        return;
    g_free (self->app_id);
    g_free (self->home);
    g_strfreev (self->folders);
    g_free (self);
}

static gboolean
is_below (const gchar *path, const gchar *folder)
{
    gsize length = strlen (folder);
    if (length == 1)
        return path[0] == '/';
    return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const gchar *
dg_sandbox_permitted (const DgSandbox *self, const gchar *path)
{
    for (guint i = 0; self->folders[i] != NULL; i++)
        if (is_below (path, self->folders[i]))
            return self->folders[i];
    return NULL;
}

const gchar *
dg_sandbox_missing (const DgSandbox *self)
{
    for (guint i = 0; self->folders[i] != NULL; i++)
        if (!g_file_test (self->folders[i], G_FILE_TEST_IS_DIR))
            return self->folders[i];
    return NULL;
}

/* The command that permits a folder, ready to be copied. (transfer full) */
static gchar *
dup_command (const DgSandbox *self, const gchar *folder)
{
    const gchar *word = g_str_equal (folder, self->home) ? "home" : folder;
    g_autofree gchar *option = g_strconcat ("--filesystem=", word, NULL);
    g_autofree gchar *quoted = strpbrk (option, " \t\n\"'\\$`&|;<>()*?[]#~!{}") != NULL
                                   ? g_shell_quote (option)
                                   : g_strdup (option);
    g_autofree gchar *command =
        g_strconcat ("flatpak override --user ", quoted, " ", self->app_id, NULL);
    return dg_text_sanitize (command);
}

static gchar *
dup_portal_reason (const DgSandbox *self, const gchar *shown, const gchar *host_path)
{
    if (host_path == NULL)
        return g_strdup_printf (
            /* translators: %s is a folder below /run; keep the command as it is, FOLDER may be
               translated */
            _ ("%s comes from the document portal, which would be measured instead of the drive. Permit the folder with “flatpak override --user --filesystem=FOLDER %s”, start Drive Gauge again and choose it once more."),
               shown, self->app_id);
    g_autofree gchar *command = dup_command (self, host_path);
    g_autofree gchar *real = dg_text_sanitize (host_path);
    return g_strdup_printf (
        /* translators: a folder, then a command for the terminal */
        _ ("%s comes through the document portal, which would be measured instead of the drive. Permit it with “%s” and start Drive Gauge again."),
           real, command);
}

gchar *
dg_sandbox_dup_reason (const DgSandbox *self, const gchar *path, int engine_code,
                       const DgTarget *target, const gchar *host_path)
{
    g_autofree gchar *absolute = g_canonicalize_filename (path, NULL);
    g_autofree gchar *shown = dg_text_sanitize (absolute);
    const gchar *permitted = dg_sandbox_permitted (self, absolute);
    if (target != NULL && g_strcmp0 (target->filesystem, "fuse.portal") == 0)
        return dup_portal_reason (self, shown, host_path);
    gboolean is_ram = target != NULL && target->is_sandbox_ram;
    if (!is_ram && engine_code != DG_ERROR_NOT_FOUND)
        return NULL;
    if (permitted != NULL && !g_file_test (permitted, G_FILE_TEST_IS_DIR)) {
        g_autofree gchar *missing = dg_text_sanitize (permitted);
        return g_strdup_printf (
            /* translators: a folder, and the folder above it that is permitted */
            _ ("%s cannot be seen: %s did not exist yet when Drive Gauge was started. Close Drive Gauge and start it again."),
               shown, missing);
    }
    if (permitted != NULL && !is_ram)
        return NULL;
    g_autofree gchar *command =
        dup_command (self, is_below (absolute, self->home) ? self->home : absolute);
    if (!is_ram)
        return g_strdup_printf (
            /* translators: a folder, then a command for the terminal */
            _ ("%s cannot be seen from the sandbox of the Flatpak. If the folder exists, permit it with “%s” and start Drive Gauge again."),
               shown, command);
    g_autofree gchar *cache = dg_text_sanitize (g_get_user_cache_dir ());
    return g_strdup_printf (
        /* translators: a folder, a command for the terminal, another folder */
        _ ("%s is memory of the Flatpak’s sandbox, not a drive. Permit the folder with “%s” and start Drive Gauge again, or choose %s, which lies on the drive of your home folder."),
           shown, command, cache);
}

/* The folder behind a path of the portal, if it may be seen here. */
static gboolean
find_behind_portal (const gchar *host_path, DgTargetList **list)
{
    DgTargetList *behind = NULL;
    if (dg_targets_find (NULL, host_path, &behind, NULL) != DG_OK) {
        dg_targets_free (behind);
        return FALSE;
    }
    dg_targets_free (*list);
    *list = behind;
    return TRUE;
}

gboolean
dg_sandbox_find_target (const gchar *path, DgTargetList **ret_list, GError **error)
{
    DgTargetList *list = NULL;
    DgErrorDetail detail = { 0 };
    int code = dg_targets_find (NULL, path, &list, &detail);
    const DgTarget *target = list != NULL && list->n_targets == 1 ? &list->targets[0] : NULL;
    g_autofree gchar *host_path = NULL;

    if (target != NULL && g_strcmp0 (target->filesystem, "fuse.portal") == 0) {
        host_path = dg_sandbox_dup_host_path (path);
        if (host_path != NULL && find_behind_portal (host_path, &list))
            code = DG_OK;
        target = &list->targets[0];
    }
    if (code == DG_OK && target != NULL) {
        *ret_list = list;
        return TRUE;
    }
    g_autoptr (DgSandbox) sandbox = dg_sandbox_new (DG_SANDBOX_INFO_FILE);
    g_autofree gchar *reason =
        sandbox == NULL ? NULL : dg_sandbox_dup_reason (sandbox, path, code, target, host_path);
    dg_targets_free (list);
    if (reason != NULL)
        g_set_error_literal (error, DG_APP_ERROR, DG_APP_ERROR_TARGET, reason);
    else
        dg_app_error_set (error, code == DG_OK ? DG_ERROR_SYSTEM : code, &detail, path);
    return FALSE;
}
