/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program says about a sandbox, from info files made here. */
#include "app/core/sandbox.h"

#include "app/core/app-error.h"

#include <glib/gstdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

static gchar *folder; /* real folder; "there" exists in it, "away" does not */

static gchar *
below (const gchar *name)
{
    return g_build_filename (folder, name, NULL);
}

static DgSandbox *
sandbox (const gchar *filesystems)
{
    g_autofree gchar *file = below ("info");
    g_autofree gchar *text =
        g_strdup_printf ("[Application]\nname=org.example.Drive\n\n[Instance]\ninstance-id=1\n\n["
                         "Context]\nshared=ipc;\n%s%s\n",
                         filesystems ? "filesystems=" : "", filesystems ? filesystems : "");
    g_assert_true (g_file_set_contents (file, text, -1, NULL));
    return dg_sandbox_new (file);
}

static void
test_permissions (void)
{
    g_autofree gchar *none = below ("no-such-file");
    g_assert_null (dg_sandbox_new (none));

    g_autoptr (DgSandbox) plain = sandbox (NULL);
    g_assert_cmpstr (plain->app_id, ==, "org.example.Drive");
    g_assert_null (dg_sandbox_permitted (plain, "/media/stick"));
    g_assert_null (dg_sandbox_missing (plain));

    g_autoptr (DgSandbox) some =
        sandbox ("/media;/run/udev:ro;~/work:create;!home;xdg-music;host-etc;");
    g_autofree gchar *work = g_build_filename (some->home, "work", NULL);
    g_autofree gchar *inner = g_build_filename (work, "a", NULL);
    g_assert_cmpstr (dg_sandbox_permitted (some, "/media/stick"), ==, "/media");
    g_assert_cmpstr (dg_sandbox_permitted (some, "/media"), ==, "/media");
    g_assert_null (dg_sandbox_permitted (some, "/mediacenter"));
    g_assert_cmpstr (dg_sandbox_permitted (some, "/run/udev/data"), ==, "/run/udev");
    g_assert_cmpstr (dg_sandbox_permitted (some, inner), ==, work);
    g_assert_null (dg_sandbox_permitted (some, some->home));
    g_assert_null (dg_sandbox_permitted (some, "/etc"));

    g_autoptr (DgSandbox) home = sandbox ("home;");
    g_assert_cmpstr (dg_sandbox_permitted (home, inner), ==, home->home);
    g_autoptr (DgSandbox) host = sandbox ("host;");
    g_assert_cmpstr (dg_sandbox_permitted (host, "/srv/x"), ==, "/");
}

static void
test_ram (void)
{
    DgTarget target = { .filesystem = (char *) "tmpfs", .is_sandbox_ram = true };
    g_autoptr (DgSandbox) self = sandbox ("/media;");
    g_autofree gchar *path = g_build_filename (self->home, "bench", NULL);
    g_autofree gchar *text = dg_sandbox_dup_reason (self, path, DG_ERROR_NOT_A_DISK, &target, NULL);
    g_assert_nonnull (strstr (text, path));
    g_assert_nonnull (strstr (text, "flatpak override --user --filesystem=home org.example.Drive"));
    g_assert_nonnull (strstr (text, g_get_user_cache_dir ()));
    g_autofree gchar *other =
        dg_sandbox_dup_reason (self, "/srv/it's here", DG_ERROR_NOT_A_DISK, &target, NULL);
    g_assert_nonnull (strstr (other, "'--filesystem=/srv/it'\\''s here' org.example.Drive"));
    /* An ordinary refusal is not the sandbox's. */
    target.is_sandbox_ram = false;
    g_assert_null (dg_sandbox_dup_reason (self, path, DG_ERROR_NOT_A_DISK, &target, NULL));
    g_assert_null (dg_sandbox_dup_reason (self, path, DG_ERROR_READ_ONLY, &target, NULL));
    g_assert_null (dg_sandbox_dup_reason (self, path, DG_ERROR_NO_SPACE, NULL, NULL));
}

static void
test_missing (void)
{
    g_autofree gchar *there = below ("there"), *away = below ("away");
    g_autofree gchar *granted = g_strdup_printf ("%s;%s;", there, away);
    g_autoptr (DgSandbox) self = sandbox (granted);
    g_autofree gchar *stick = g_build_filename (away, "stick", NULL),
                     *nothing = g_build_filename (there, "x", NULL);
    g_assert_cmpstr (dg_sandbox_missing (self), ==, away);
    g_autofree gchar *text = dg_sandbox_dup_reason (self, stick, DG_ERROR_NOT_FOUND, NULL, NULL);
    g_assert_nonnull (strstr (text, stick));
    g_assert_nonnull (strstr (text, "did not exist yet when Drive Gauge was started"));
    /* What is permitted and there, but has no such folder, is an ordinary mistake. */
    g_assert_null (dg_sandbox_dup_reason (self, nothing, DG_ERROR_NOT_FOUND, NULL, NULL));
    g_autofree gchar *closed =
        dg_sandbox_dup_reason (self, "/srv/data", DG_ERROR_NOT_FOUND, NULL, NULL);
    g_assert_nonnull (
        strstr (closed, "flatpak override --user --filesystem=/srv/data org.example.Drive"));
}

static void
test_portal (void)
{
    DgTarget target = { .filesystem = (char *) "fuse.portal",
                        .fs_kind = DG_FS_PSEUDO,
                        .use = DG_TARGET_NOT_A_DISK };
    g_autoptr (DgSandbox) self = sandbox ("home;");
    g_autofree gchar *untold =
        dg_sandbox_dup_reason (self, "/run/user/1/doc/a/stick", DG_ERROR_NOT_A_DISK, &target, NULL);
    g_assert_nonnull (strstr (untold, "/run/user/1/doc/a/stick"));
    g_assert_nonnull (strstr (untold, "--filesystem=FOLDER org.example.Drive"));
    g_autofree gchar *told = dg_sandbox_dup_reason (self, "/run/user/1/doc/a/stick",
                                                    DG_ERROR_NOT_A_DISK, &target, "/srv/stick");
    g_assert_nonnull (strstr (told, "/srv/stick "));
    g_assert_nonnull (strstr (told, "--filesystem=/srv/stick org.example.Drive"));
    g_assert_null (strstr (told, "/run/user"));
}

static void
test_host_path (void)
{
#ifdef __linux__
    g_autofree gchar *there = below ("there");
    g_assert_null (dg_sandbox_dup_host_path (there));
    if (setxattr (there, "user.document-portal.host-path", "/srv/stick", 10, 0) != 0) {
        g_test_skip ("no extended attributes here");
        return;
    }
    g_autofree gchar *path = dg_sandbox_dup_host_path (there);
    g_assert_cmpstr (path, ==, "/srv/stick");
    /* Only an absolute path is one. */
    g_assert_cmpint (setxattr (there, "user.document-portal.host-path", "stick", 5, 0), ==, 0);
    g_assert_null (dg_sandbox_dup_host_path (there));
#endif
}

static void
test_find (void)
{
    g_autoptr (GError) error = NULL;
    g_autofree gchar *there = below ("there"), *away = below ("away");
    DgTargetList *list = NULL;
    g_assert_false (dg_sandbox_find_target (away, &list, &error));
    g_assert_null (list);
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_TARGET);
    g_assert_nonnull (strstr (error->message, away));
    g_assert_true (dg_sandbox_find_target (there, &list, NULL));
    g_assert_cmpuint (list->n_targets, ==, 1);
    g_assert_cmpstr (list->targets[0].folder, ==, there);
    dg_targets_free (list);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    folder = g_canonicalize_filename ("/var/tmp/drivegauge-sandbox-XXXXXX", NULL);
    g_assert_nonnull (g_mkdtemp (folder));
    g_autofree gchar *there = below ("there");
    g_assert_cmpint (g_mkdir (there, 0700), ==, 0);
    g_test_add_func ("/sandbox/permissions", test_permissions);
    g_test_add_func ("/sandbox/ram", test_ram);
    g_test_add_func ("/sandbox/missing", test_missing);
    g_test_add_func ("/sandbox/portal", test_portal);
    g_test_add_func ("/sandbox/host-path", test_host_path);
    g_test_add_func ("/sandbox/find", test_find);
    int result = g_test_run ();
    g_autofree gchar *file = below ("info");
    g_unlink (file);
    g_rmdir (there);
    g_rmdir (folder);
    g_free (folder);
    return result;
}
