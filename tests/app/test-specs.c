/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of tests, and the profiles made of them. */
#include "app/core/app-error.h"
#include "app/core/profile.h"

#include <glib/gstdio.h>
#include <string.h>

static void
check_good (const gchar *text, DgAccess access, guint64 block, guint queue, guint threads,
            const gchar *name)
{
    DgTestSpec spec;
    g_autoptr (GError) error = NULL;

    g_assert_true (dg_test_spec_parse (text, &spec, &error));
    g_assert_no_error (error);
    g_assert_cmpint (spec.access, ==, access);
    g_assert_cmpuint (spec.block_bytes, ==, block);
    g_assert_cmpuint (spec.queue_depth, ==, queue);
    g_assert_cmpuint (spec.threads, ==, threads);
    g_autofree gchar *made = dg_test_spec_dup_name (&spec);
    g_assert_cmpstr (made, ==, name);
}

static void
check_bad (const gchar *text, const gchar *part)
{
    DgTestSpec spec = { .block_bytes = 77 };
    g_autoptr (GError) error = NULL;

    g_assert_false (dg_test_spec_parse (text, &spec, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, part));
    g_assert_nonnull (strstr (error->message, "SEQ1M Q8T1"));
    g_assert_cmpuint (spec.block_bytes, ==, 77);
}

static void
test_parse (void)
{
    check_good ("SEQ1M Q8T1", DG_ACCESS_SEQUENTIAL, 1048576, 8, 1, "SEQ1M Q8T1");
    check_good ("rnd4k q32t16", DG_ACCESS_RANDOM, 4096, 32, 16, "RND4K Q32T16");
    check_good ("  RND512   Q1 T1 ", DG_ACCESS_RANDOM, 512, 1, 1, "RND512 Q1T1");
    check_good ("SEQ128KiBQ32T1", DG_ACCESS_SEQUENTIAL, 131072, 32, 1, "SEQ128K Q32T1");
    check_good ("SEQ64M Q512T8", DG_ACCESS_SEQUENTIAL, 64u << 20, 512, 8, "SEQ64M Q512T8");
    check_good ("RND4K Q64T64", DG_ACCESS_RANDOM, 4096, 64, 64, "RND4K Q64T64");
    check_good ("RND1024K Q1T1", DG_ACCESS_RANDOM, 1048576, 1, 1, "RND1M Q1T1");
}

static void
test_refuse (void)
{
    check_bad ("", "SEQ (sequential)");
    check_bad (NULL, "SEQ (sequential)");
    check_bad ("ABC4K Q1T1", "SEQ (sequential)");
    check_bad ("RND3K Q1T1", "power of two");
    check_bad ("RND3K", "power of two");
    check_bad ("RND256 Q1T1", "power of two");
    check_bad ("SEQ128M Q1T1", "power of two");
    check_bad ("RND0K Q1T1", "power of two");
    check_bad ("RND9999999999K Q1T1", "block size");
    check_bad ("RND-4K Q1T1", "block size is missing");
    check_bad ("SEQ Q1T1", "block size is missing");
    check_bad ("RND4K", "queue depth is missing");
    check_bad ("RND4K Q0T1", "1 to 512");
    check_bad ("RND4K Q513T1", "1 to 512");
    check_bad ("RND4K Q4294967297T1", "1 to 512");
    check_bad ("RND4K Q18446744073709551617T1", "1 to 512");
    check_bad ("RND4K Q1T4294967297", "1 to 64");
    check_bad ("RND18446744073709552640 Q1T1", "power of two");
    check_bad ("SEQ4194305M Q1T1", "power of two");
    check_bad ("RND4K Q1", "threads is missing");
    check_bad ("RND4K Q1T0", "1 to 64");
    check_bad ("RND4K Q1T65", "1 to 64");
    check_bad ("RND4K Q128T64", "4096");
    check_bad ("RND4K Q1T1x", "behind it");
    check_bad ("RND4K Q1T1 SEQ1M Q1T1", "behind it");
}

static void
check_profile (const gchar *id, const gchar *tests, guint n_rows)
{
    g_autoptr (DgProfile) profile = dg_profile_find (id);
    GString *made = g_string_new (NULL);

    g_assert_nonnull (profile);
    g_assert_cmpstr (profile->id, ==, id);
    g_assert_cmpuint (profile->version, ==, 1);
    g_assert_true (profile->is_builtin);
    g_assert_cmpuint (profile->n_rows, ==, n_rows);
    for (guint i = 0; i < profile->n_tests; i++) {
        g_autofree gchar *name = dg_test_spec_dup_name (&profile->tests[i]);
        g_string_append_printf (made, "%s%s", i > 0 ? ", " : "", name);
    }
    g_assert_cmpstr (made->str, ==, tests);
    for (guint i = 0; i < profile->n_rows; i++)
        g_assert_cmpuint (profile->rows[i].test, <, profile->n_tests);
    g_string_free (made, TRUE);
}

static void
test_builtin (void)
{
    check_profile ("default", "SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1, RND4K Q1T1", 4);
    check_profile ("nvme", "SEQ1M Q8T1, SEQ128K Q32T1, RND4K Q32T16, RND4K Q1T1", 4);
    check_profile ("flash", "SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1, RND4K Q1T1", 4);
    check_profile ("peak", "SEQ1M Q8T1, RND4K Q32T1", 4);
    check_profile ("peak-nvme", "SEQ1M Q8T1, RND4K Q32T16", 4);
    check_profile ("real-world", "SEQ1M Q1T1, RND4K Q1T1", 4);
    check_profile ("demo", "SEQ1M Q8T1", 1);

    g_autoptr (DgProfile) flash = dg_profile_find ("flash");
    g_assert_cmpuint (flash->duration_ns, ==, 1000000000);
    g_assert_cmpuint (flash->interval_ns, ==, G_GUINT64_CONSTANT (30000000000));
    g_autoptr (DgProfile) peak = dg_profile_find ("peak");
    g_assert_false (peak->rows[0].has_unit);
    for (guint i = 1; i < 4; i++) {
        g_assert_cmpuint (peak->rows[i].test, ==, 1);
        g_assert_true (peak->rows[i].has_unit);
        g_assert_cmpint (peak->rows[i].show, ==, i - 1);
    }
    g_autoptr (DgProfile) demo = dg_profile_find ("demo");
    g_assert_true (demo->is_demo);
    g_assert_null (dg_profile_find ("nonsense"));
    g_assert_null (dg_profile_find (""));
    g_assert_null (dg_profile_find ("custom"));
}

static void
test_propose (void)
{
    g_assert_cmpstr (dg_profile_propose ("nvme0n1", "default"), ==, "nvme");
    g_assert_cmpstr (dg_profile_propose ("sda", "nvme"), ==, "default");
    g_assert_cmpstr (dg_profile_propose ("nvme0n1", "peak"), ==, "peak-nvme");
    g_assert_cmpstr (dg_profile_propose ("sda", "peak-nvme"), ==, "peak");
    g_assert_cmpstr (dg_profile_propose ("nvme0n1", "flash"), ==, "flash");
    g_assert_cmpstr (dg_profile_propose (NULL, NULL), ==, "default");
}

static void
test_own (void)
{
    const DgTestSpec tests[] = { { DG_ACCESS_RANDOM, 8192, 4, 2 },
                                 { DG_ACCESS_SEQUENTIAL, 65536, 1, 1 } };
    g_autoptr (GError) error = NULL;
    g_autoptr (DgProfile) mine = dg_profile_new_custom ("my rows", "Мои строки", tests, 2);

    g_assert_true (dg_profile_save_own (mine, &error));
    g_assert_no_error (error);
    g_autoptr (DgProfile) again = dg_profile_find ("my rows");
    g_assert_nonnull (again);
    g_assert_cmpstr (again->title, ==, "Мои строки");
    g_assert_cmpuint (again->version, ==, 1);
    g_assert_cmpuint (again->n_tests, ==, 2);
    g_assert_true (dg_test_spec_equal (&again->tests[1], &tests[1]));
    g_assert_false (again->is_builtin);

    /* Saved unchanged it keeps its version, changed it does not. */
    g_assert_true (dg_profile_save_own (mine, NULL));
    mine->tests[0].queue_depth = 5;
    g_assert_true (dg_profile_save_own (mine, NULL));
    g_autoptr (DgProfile) changed = dg_profile_find ("my rows");
    g_assert_cmpuint (changed->version, ==, 2);
    g_assert_cmpuint (changed->tests[0].queue_depth, ==, 5);

    g_autoptr (GPtrArray) all = dg_profiles_load_own ();
    g_assert_cmpuint (all->len, ==, 1);
    g_assert_true (dg_profile_delete_own ("my rows", &error));
    g_assert_null (dg_profile_find ("my rows"));
    g_assert_false (dg_profile_delete_own ("my rows", &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
}

static void
test_own_refused (void)
{
    static const gchar *const ids[] = { "default", "peak-nvme", "custom", "",
                                        "a]b",     "a\nb",      " a",     "\xff" };
    const DgTestSpec test = { DG_ACCESS_RANDOM, 8192, 4, 2 };

    for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (DgProfile) profile = dg_profile_new_custom (ids[i], "x", &test, 1);
        g_assert_false (dg_profile_save_own (profile, &error));
        g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
    }
    g_autoptr (GError) error = NULL;
    g_autoptr (DgProfile) empty = dg_profile_new_custom ("empty", "x", NULL, 0);
    g_assert_false (dg_profile_save_own (empty, &error));
    g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
    g_test_add_func ("/specs/parse", test_parse);
    g_test_add_func ("/specs/refuse", test_refuse);
    g_test_add_func ("/profiles/builtin", test_builtin);
    g_test_add_func ("/profiles/propose", test_propose);
    g_test_add_func ("/profiles/own", test_own);
    g_test_add_func ("/profiles/own-refused", test_own_refused);
    return g_test_run ();
}
