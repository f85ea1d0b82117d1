/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each part runs in a process of its own: the settings are loaded once. */
#include "app/core/settings.h"
#include "tests/app/private.h"

#include <string.h>

#define SECOND G_GUINT64_CONSTANT (1000000000)

static void
write_file (const gchar *text)
{
    g_autofree gchar *folder = g_build_filename (g_get_user_config_dir (), "drivegauge", NULL);
    g_autofree gchar *path = g_build_filename (folder, "settings.ini", NULL);

    g_mkdir_with_parents (folder, 0700);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
check_defaults (void)
{
    const DgSettings *s = dg_settings_get ();
    DgOptions o;

    g_assert_cmpint (s->unit, ==, DG_UNIT_MB);
    g_assert_cmpint (s->scheme, ==, DG_SCHEME_SYSTEM);
    g_assert_cmpint (s->window_width, ==, 880);
    g_assert_cmpuint (s->image_scale, ==, 1);
    g_assert_true (s->with_identity);
    g_assert_null (s->target_folder);
    dg_settings_load_options (&o);
    g_assert_cmpstr (o.profile->id, ==, "default");
    g_assert_cmpuint (o.size_bytes, ==, G_GUINT64_CONSTANT (1073741824));
    g_assert_cmpuint (o.duration_ns, ==, 2 * SECOND);
    dg_options_clear (&o);
}

static void
test_missing (void)
{
    check_defaults ();
}

static void
test_damaged (void)
{
    write_file ("[Window]\nUnit=furlongs\nScheme=\nWidth=-5\nHeight=1e9\nMaximized=maybe\n[Picture]"
                "\nScale=99\nWithIdentity=2\n"
                "[Measurement]\nProfile=gone\nSizeBytes=12\nRuns=77\nDurationSet=true\nDurationNs="
                "1\nBackend=null\nRead=false\nWrite=false\nMixReadPercent=100\n");
    check_defaults ();
}

static void
test_garbage (void)
{
    write_file ("\xff\xfe this is [no key file\n=\n");
    check_defaults ();
}

static gchar *
path_of (const gchar *name)
{
    return g_build_filename (g_get_user_config_dir (), "drivegauge", name, NULL);
}

/* One line typed wrong does not cost the profiles in the others. */
static void
test_kept_aside (void)
{
    static const gchar text[] = "[Profile mine]\nTests=SEQ1M Q8T1;\n\nScheme dark\n";
    g_autofree gchar *aside = path_of ("settings.ini.damaged"), *kept = NULL, *second = NULL,
                     *next = path_of ("settings.ini.damaged-2");
    write_file (text);
    g_assert_true (g_file_set_contents (aside, "an older one", -1, NULL));
    check_defaults ();
    dg_settings_changed ();
    dg_settings_flush ();
    g_assert_true (g_file_get_contents (aside, &kept, NULL, NULL));
    g_assert_cmpstr (kept, ==, "an older one");
    g_assert_true (g_file_get_contents (next, &second, NULL, NULL));
    g_assert_cmpstr (second, ==, text);
    g_autofree gchar *problem = dg_settings_take_problem (), *again = dg_settings_take_problem ();
    g_assert_nonnull (strstr (problem, "settings.ini.damaged-2"));
    g_assert_null (again);
}

/* Two processes, of which the other saves its profiles while this one runs. */
static void
test_two_savers (void)
{
    const DgTestSpec test = { DG_ACCESS_RANDOM, 16384, 3, 2 };
    g_autoptr (DgProfile) own = dg_profile_new_custom ("own", "Own", &test, 1);
    g_autoptr (GError) error = NULL;
    write_file ("[Profile old]\nTests=SEQ1M Q8T1;\n\n[Profile gone]\nTests=SEQ1M Q8T1;\n");
    check_defaults ();
    g_assert_true (dg_profile_save_own (own, &error));
    /* the other has changed one, deleted another and ours, and made a third */
    write_file ("[Profile old]\nTests=SEQ1M Q2T1;\n\n[Profile new]\nTests=SEQ4M Q1T1;\n");
    dg_settings_changed ();
    dg_settings_flush ();
    g_autoptr (DgProfile) old = dg_profile_find ("old");
    g_assert_cmpuint (old->tests[0].queue_depth, ==, 2);
    g_autoptr (DgProfile) new = dg_profile_find ("new");
    g_assert_nonnull (new);
    g_assert_null (dg_profile_find ("gone"));
    g_assert_null (dg_profile_find ("own"));
    /* what is saved here stands, and the other's too */
    g_assert_true (dg_profile_save_own (own, &error));
    g_assert_true (dg_profile_delete_own ("new", &error));
    g_autofree gchar *path = path_of ("settings.ini"), *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_nonnull (strstr (text, "[Profile own]"));
    g_assert_nonnull (strstr (text, "[Profile old]"));
    g_assert_null (strstr (text, "[Profile new]"));
}

/* Each value in its range, all together not. */
static void
test_contradiction (void)
{
    write_file ("[Measurement]\nProfile=custom\nTests=SEQ64M Q64T64;\n");
    check_defaults ();
}

static void
test_round_trip (void)
{
    const DgTestSpec test = { DG_ACCESS_RANDOM, 16384, 3, 2 };
    g_autoptr (DgProfile) custom = dg_profile_new_custom (NULL, NULL, &test, 1);
    g_autofree gchar *path =
        g_build_filename (g_get_user_config_dir (), "drivegauge", "settings.ini", NULL);
    DgOptions o;

    dg_settings_get ()->unit = DG_UNIT_GB;
    dg_settings_get ()->target_folder = g_strdup (" /mnt/a\\b ");
    dg_options_init (&o);
    dg_options_set_profile (&o, custom);
    o.runs = 7;
    o.duration_set = TRUE;
    o.duration_ns = 3500000000;
    o.directions[DG_DIRECTION_MIX] = TRUE;
    o.mix_read_percent = 40;
    o.statistic_best = TRUE;
    o.backend = DG_BACKEND_LIBAIO;
    dg_settings_store_options (&o);
    dg_settings_flush ();
    dg_options_clear (&o);

    assert_private (path, 0600);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));
    g_autofree gchar *unit = g_key_file_get_string (file, "Window", "Unit", NULL);
    g_autofree gchar *folder = g_key_file_get_string (file, "Window", "TargetFolder", NULL);
    g_assert_cmpstr (unit, ==, "GB/s");
    g_assert_cmpstr (folder, ==, " /mnt/a\\b ");

    dg_settings_load_options (&o);
    g_assert_cmpstr (o.profile->id, ==, "custom");
    g_assert_true (dg_test_spec_equal (&o.profile->tests[0], &test));
    g_assert_cmpuint (o.runs, ==, 7);
    g_assert_cmpuint (o.duration_ns, ==, 3500000000);
    g_assert_true (o.directions[DG_DIRECTION_MIX]);
    g_assert_cmpuint (o.mix_read_percent, ==, 40);
    g_assert_true (o.statistic_best);
    g_assert_cmpint (o.backend, ==, DG_BACKEND_LIBAIO);
    dg_options_clear (&o);
}

static void
test_alone (gconstpointer function)
{
    if (g_test_subprocess ()) {
        ((void (*) (void)) function) ();
        return;
    }
    g_test_trap_subprocess (NULL, 30 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
    g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
    g_test_add_data_func ("/settings/missing", test_missing, test_alone);
    g_test_add_data_func ("/settings/damaged", test_damaged, test_alone);
    g_test_add_data_func ("/settings/garbage", test_garbage, test_alone);
    g_test_add_data_func ("/settings/kept-aside", test_kept_aside, test_alone);
    g_test_add_data_func ("/settings/two-savers", test_two_savers, test_alone);
    g_test_add_data_func ("/settings/contradiction", test_contradiction, test_alone);
    g_test_add_data_func ("/settings/round-trip", test_round_trip, test_alone);
    return g_test_run ();
}
