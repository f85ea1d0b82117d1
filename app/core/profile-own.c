/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's own profiles: one group "Profile <id>" each in the settings' key file. */
#include "app/core/profile-own.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "app/core/settings-file.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PREFIX         DG__SETTINGS_PROFILE
#define MOST_TESTS     64u
#define MOST_SECONDS_N G_GUINT64_CONSTANT (600000000000)

static gboolean
id_is_allowed (const gchar *id)
{
    if (id == NULL || id[0] == '\0' || strlen (id) > 64 || !g_utf8_validate (id, -1, NULL)
        || strpbrk (id, "[]\\") != NULL)
        return FALSE;
    if (id[0] == ' ' || id[strlen (id) - 1] == ' ' || strcmp (id, "custom") == 0)
        return FALSE;
    g_autofree gchar *clean = dg_text_sanitize (id);
    return strcmp (clean, id) == 0;
}

DgProfile *
dg__profile_load_own (const gchar *id)
{
    if (!id_is_allowed (id))
        return NULL;
    GKeyFile *file = dg__settings_file_get ();
    g_autofree gchar *group = g_strconcat (PREFIX, id, NULL);
    gsize n = 0;
    g_auto (GStrv) names = g_key_file_get_string_list (file, group, "Tests", &n, NULL);
    if (names == NULL || n == 0 || n > MOST_TESTS)
        return NULL;

    g_autofree DgTestSpec *tests = g_new0 (DgTestSpec, n);
    for (gsize i = 0; i < n; i++)
        if (!dg_test_spec_parse (names[i], &tests[i], NULL))
            return NULL; /* not a guess at what was meant */
    g_autofree gchar *stored = g_key_file_get_string (file, group, "Title", NULL);
    g_autofree gchar *title = dg_text_sanitize (stored != NULL && stored[0] != '\0' ? stored : id);
    DgProfile *profile = dg_profile_new_custom (id, title, tests, (guint) n);
    gint version = g_key_file_get_integer (file, group, "Version", NULL);
    profile->version = version >= 1 ? (guint) version : 1;
    guint64 duration_ns = g_key_file_get_uint64 (file, group, "DurationNs", NULL);
    guint64 interval_ns = g_key_file_get_uint64 (file, group, "IntervalNs", NULL);
    profile->duration_ns =
        duration_ns <= MOST_SECONDS_N / 10 && duration_ns >= 1000000000u ? duration_ns : 0;
    profile->interval_ns = interval_ns <= MOST_SECONDS_N ? interval_ns : 0;
    return profile;
}

GPtrArray *
dg_profiles_load_own (void)
{
    GPtrArray *profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) dg_profile_free);
    g_auto (GStrv) groups = g_key_file_get_groups (dg__settings_file_get (), NULL);

    for (gchar **group = groups; *group != NULL; group++) {
        if (!g_str_has_prefix (*group, PREFIX))
            continue;
        const gchar *id = *group + strlen (PREFIX);
        DgProfile *profile =
            dg__profile_find_builtin (id) == NULL ? dg__profile_load_own (id) : NULL;
        if (profile != NULL)
            g_ptr_array_add (profiles, profile);
    }
    return profiles;
}

static gboolean
profiles_differ (const DgProfile *a, const DgProfile *b)
{
    if (a->n_tests != b->n_tests || a->duration_ns != b->duration_ns
        || a->interval_ns != b->interval_ns)
        return TRUE;
    for (guint i = 0; i < a->n_tests; i++)
        if (!dg_test_spec_equal (&a->tests[i], &b->tests[i]))
            return TRUE;
    return FALSE;
}

gboolean
dg_profile_save_own (const DgProfile *profile, GError **error)
{
    g_autofree gchar *shown = dg_text_sanitize (profile->id != NULL ? profile->id : "");

    if (dg__profile_find_builtin (profile->id) != NULL || !id_is_allowed (profile->id)) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("“%s” cannot be the name of a profile of your own. Choose another name of at most 64 characters."),
                        shown);
        return FALSE;
    }
    if (profile->n_tests == 0 || profile->n_tests > MOST_TESTS) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("The profile “%s” needs 1 to %u tests."), shown, MOST_TESTS);
        return FALSE;
    }

    /* Results of an earlier version must not be taken for results of this one. */
    g_autoptr (DgProfile) earlier = dg__profile_load_own (profile->id);
    guint version =
        earlier == NULL ? 1 : earlier->version + (profiles_differ (earlier, profile) ? 1 : 0);
    GKeyFile *file = dg__settings_file_get ();
    g_autofree gchar *group = g_strconcat (PREFIX, profile->id, NULL);
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < profile->n_tests; i++)
        g_ptr_array_add (names, dg_test_spec_dup_name (&profile->tests[i]));
    dg__settings_file_touch (group);
    g_key_file_set_string_list (file, group, "Tests", (const gchar *const *) names->pdata,
                                names->len);
    g_key_file_set_string (file, group, "Title",
                           profile->title != NULL ? profile->title : profile->id);
    g_key_file_set_integer (file, group, "Version", (gint) MIN (version, (guint) G_MAXINT));
    g_key_file_set_uint64 (file, group, "DurationNs", profile->duration_ns);
    g_key_file_set_uint64 (file, group, "IntervalNs", profile->interval_ns);
    return dg__settings_file_save (error);
}

gboolean
dg_profile_delete_own (const gchar *id, GError **error)
{
    g_autofree gchar *group = g_strconcat (PREFIX, id, NULL);

    if (!id_is_allowed (id) || !g_key_file_remove_group (dg__settings_file_get (), group, NULL)) {
        g_autofree gchar *shown = dg_text_sanitize (id);
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                     _ ("There is no profile “%s” of your own."), shown);
        return FALSE;
    }
    dg__settings_file_touch (group);
    return dg__settings_file_save (error);
}
