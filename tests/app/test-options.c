/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every range at its limits and past them, rounding, the plan, the estimate, the option table. */
#include "app/core/app-error.h"
#include "app/core/document.h"
#include "app/core/options.h"

#include <string.h>

#define MIB    G_GUINT64_CONSTANT (1048576)
#define SECOND G_GUINT64_CONSTANT (1000000000)

/* ---- typed numbers ---- */

static void
test_size (void)
{
    static const struct {
        const gchar *text;
        guint64 bytes; /* 0: refused */
    } cases[] = {
        { "64MiB", 64 * MIB },
        { "1GiB", 1024 * MIB },
        { "1GB", 1000000000 },
        { "1.5GiB", 1536 * MIB },
        { "1gib", 1024 * MIB },
        { "2 GiB", 2048 * MIB },
        { "512M", 512 * MIB },
        { "1G", 1024 * MIB },
        { "1048576", MIB },
        { "1048576B", MIB },
        { "1MiB", MIB },
        { "16TiB", 16 * MIB * MIB },
        { "16384GiB", 16 * MIB * MIB },
        { "1048575", 0 },
        { "1MB", 0 },
        { "0", 0 },
        { "0GiB", 0 },
        { "17592186044417", 0 },
        { "17TiB", 0 },
        { "99999999999999999999TiB", 0 },
        { "999999999999999999999999TiB", 0 },
        { "-1", 0 },
        { "-1GiB", 0 },
        { "+1GiB", 0 },
        { "1e9", 0 },
        { "nan", 0 },
        { "inf", 0 },
        { "", 0 },
        { "12XB", 0 },
        { "GiB", 0 },
        { "1,5GiB", 0 },
        { "1.GiB", 0 },
        { ".5GiB", 0 },
        { "0x100000", 0 },
        { " 1GiB", 0 },
        { "1GiB ", 0 },
        { "1  GiB", 0 },
        { "1GiBGiB", 0 },
        { "1PiB", 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        guint64 bytes = 77;
        gboolean is_good = dg_parse_size (cases[i].text, &bytes, &error);
        g_test_message ("%s", cases[i].text);
        g_assert_cmpint (is_good, ==, cases[i].bytes != 0);
        g_assert_cmpuint (bytes, ==, is_good ? cases[i].bytes : 77);
        if (!is_good) {
            g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
            g_assert_nonnull (strstr (error->message, "1 MiB to 16 TiB"));
            g_assert_nonnull (strstr (error->message, cases[i].text));
        }
    }
}

static void
test_seconds (void)
{
    static const struct {
        const gchar *text;
        guint64 ns;
        gboolean is_good;
    } cases[] = {
        { "1", SECOND, TRUE },
        { "60", 60 * SECOND, TRUE },
        { "2.5", 5 * SECOND / 2, TRUE },
        { "1.0", SECOND, TRUE },
        { "59.999", 59999 * SECOND / 1000, TRUE },
        { "0.999" },
        { "60.001" },
        { "0" },
        { "-1" },
        { "1e1" },
        { "1e9" },
        { "nan" },
        { "NaN" },
        { "inf" },
        { "" },
        { "2s" },
        { "2,5" },
        { " 2" },
        { "2 " },
        { "2." },
        { ".5" },
        { "0x2" },
        { "99999999999999999999999999" },
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        guint64 ns = 77;
        g_test_message ("%s", cases[i].text);
        g_assert_cmpint (dg_parse_seconds (cases[i].text, 1, 60, &ns, &error), ==,
                         cases[i].is_good);
        g_assert_cmpuint (ns, ==, cases[i].is_good ? cases[i].ns : 77);
        if (!cases[i].is_good) {
            g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
            g_assert_nonnull (strstr (error->message, "from 1 to 60"));
        }
    }
    guint64 ns;
    g_assert_true (dg_parse_seconds ("0", 0, 600, &ns, NULL));
    g_assert_cmpuint (ns, ==, 0);
}

static void
test_count (void)
{
    static const gchar *const bad[] = { "0",  "10", "-1", "1.5", "nan",         "1e0", "",
                                        " 1", "1 ", "+1", "0x1", "99999999999", "one" };
    guint value = 77;

    g_assert_true (dg_parse_count ("1", 1, 9, &value, NULL));
    g_assert_cmpuint (value, ==, 1);
    g_assert_true (dg_parse_count ("9", 1, 9, &value, NULL));
    g_assert_cmpuint (value, ==, 9);
    for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_false (dg_parse_count (bad[i], 1, 9, &value, &error));
        g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
        g_assert_cmpuint (value, ==, 9);
    }
}

/* ---- a whole choice ---- */

static void
test_defaults (void)
{
    DgOptions o;

    dg_options_init (&o);
    g_assert_cmpstr (o.profile->id, ==, "default");
    g_assert_cmpuint (o.runs, ==, 0);
    g_assert_cmpuint (o.duration_ns, ==, 2 * SECOND);
    g_assert_cmpuint (o.warmup_ns, ==, SECOND / 2);
    g_assert_cmpuint (o.interval_ns, ==, SECOND);
    g_assert_cmpuint (o.size_bytes, ==, 1024 * MIB);
    g_assert_cmpuint (o.mix_read_percent, ==, 70);
    g_assert_true (o.directions[DG_DIRECTION_READ] && o.directions[DG_DIRECTION_WRITE]
                   && !o.directions[DG_DIRECTION_MIX]);
    g_assert_true (dg_options_check (&o, NULL));
    g_assert_cmpuint (dg_options_n_steps (&o), ==, 8);

    dg_options_like_cdm (&o);
    g_assert_cmpuint (o.runs, ==, 5);
    g_assert_cmpuint (o.duration_ns, ==, 5 * SECOND);
    g_assert_cmpuint (o.interval_ns, ==, 5 * SECOND);
    g_assert_true (o.statistic_best);
    g_assert_true (dg_options_check (&o, NULL));
    dg_options_clear (&o);
}

static void
test_profile_times (void)
{
    g_autoptr (DgProfile) flash = dg_profile_find ("flash");
    g_autoptr (DgProfile) plain = dg_profile_find ("nvme");
    DgOptions o;

    dg_options_init (&o);
    dg_options_set_profile (&o, flash);
    g_assert_cmpuint (o.duration_ns, ==, SECOND);
    g_assert_cmpuint (o.interval_ns, ==, 30 * SECOND);
    dg_options_set_profile (&o, plain);
    g_assert_cmpuint (o.duration_ns, ==, 2 * SECOND);
    g_assert_cmpuint (o.interval_ns, ==, SECOND);
    o.interval_set = TRUE;
    o.interval_ns = 3 * SECOND;
    dg_options_set_profile (&o, flash);
    g_assert_cmpuint (o.duration_ns, ==, SECOND);
    g_assert_cmpuint (o.interval_ns, ==, 3 * SECOND);
    dg_options_clear (&o);
}

#define CHECK_RANGE(field, good_value, bad_value)                                                  \
    do {                                                                                           \
        DgOptions o;                                                                               \
        dg_options_init (&o);                                                                      \
        o.field = good_value;                                                                      \
        g_assert_true (dg_options_check (&o, NULL));                                               \
        o.field = bad_value;                                                                       \
        g_autoptr (GError) refused = NULL;                                                         \
        g_assert_false (dg_options_check (&o, &refused));                                          \
        g_assert_error (refused, DG_APP_ERROR, DG_APP_ERROR_USAGE);                                \
        dg_options_clear (&o);                                                                     \
    } while (0)

static void
test_ranges (void)
{
    CHECK_RANGE (runs, 9, 10);
    CHECK_RANGE (duration_ns, SECOND, SECOND - 1);
    CHECK_RANGE (duration_ns, 60 * SECOND, 60 * SECOND + 1);
    CHECK_RANGE (warmup_ns, 0, 60 * SECOND + 1);
    CHECK_RANGE (warmup_ns, 60 * SECOND, G_MAXUINT64);
    CHECK_RANGE (interval_ns, 0, 600 * SECOND + 1);
    CHECK_RANGE (interval_ns, 600 * SECOND, G_MAXUINT64);
    CHECK_RANGE (size_bytes, MIB, MIB - 1);
    CHECK_RANGE (size_bytes, 16 * MIB * MIB, 16 * MIB * MIB + 1);
    CHECK_RANGE (mix_read_percent, 1, 0);
    CHECK_RANGE (mix_read_percent, 99, 100);
    CHECK_RANGE (only_test, 3, 4);
    CHECK_RANGE (directions[DG_DIRECTION_WRITE], FALSE, (o.directions[DG_DIRECTION_READ] = FALSE));
}

static void
check_spec (DgTestSpec spec, gboolean is_good)
{
    g_autoptr (DgProfile) custom = dg_profile_new_custom (NULL, NULL, &spec, 1);
    g_autoptr (GError) error = NULL;
    DgOptions o;

    dg_options_init (&o);
    dg_options_set_profile (&o, custom);
    o.size_bytes = MIB * MIB;
    g_assert_cmpint (dg_options_check (&o, &error), ==, is_good);
    if (!is_good)
        g_assert_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE);
    dg_options_clear (&o);
}

static void
test_spec_ranges (void)
{
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 512, 1, 1 }, TRUE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 256, 1, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 3072, 1, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 0, 1, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_SEQUENTIAL, 64 * MIB, 1, 1 }, TRUE);
    check_spec ((DgTestSpec){ DG_ACCESS_SEQUENTIAL, 128 * MIB, 1, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 512, 8 }, TRUE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 513, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 0, 1 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 64, 64 }, TRUE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 1, 65 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 1, 0 }, FALSE);
    check_spec ((DgTestSpec){ DG_ACCESS_RANDOM, 4096, 65, 64 }, FALSE);
    /* More than 1 GiB of buffers whatever memory there is. */
    check_spec ((DgTestSpec){ DG_ACCESS_SEQUENTIAL, 64 * MIB, 17, 1 }, FALSE);
}

static void
test_rounding (void)
{
    const DgTestSpec three = { DG_ACCESS_SEQUENTIAL, MIB, 1, 3 };
    const DgTestSpec odd[] = { { DG_ACCESS_RANDOM, 4096, 1, 7 },
                               { DG_ACCESS_SEQUENTIAL, 2 * MIB, 1, 5 } };
    g_autoptr (DgProfile) a = dg_profile_new_custom (NULL, NULL, &three, 1);
    g_autoptr (DgProfile) b = dg_profile_new_custom (NULL, NULL, odd, 2);
    DgOptions o;

    dg_options_init (&o);
    o.size_bytes = 1000000000;
    g_assert_cmpuint (dg_options_rounded_size (&o), ==, 953 * MIB);
    dg_options_set_profile (&o, a);
    o.size_bytes = 100 * MIB;
    g_assert_cmpuint (dg_options_rounded_size (&o), ==, 99 * MIB);
    o.size_bytes = 2 * MIB;
    g_assert_cmpuint (dg_options_rounded_size (&o), ==, 0);
    g_assert_false (dg_options_check (&o, NULL));
    dg_options_set_profile (&o, b);
    o.size_bytes = 150 * MIB;
    g_assert_cmpuint (dg_options_rounded_size (&o), ==, 140 * MIB);
    g_assert_cmpuint (dg_options_rounded_size (&o) % (7 * 4096), ==, 0);
    dg_options_clear (&o);

    /* The least common multiple of all thread counts has more bits than a size. */
    DgTestSpec many[64];
    for (guint i = 0; i < 64; i++)
        many[i] = (DgTestSpec){ DG_ACCESS_RANDOM, 4096, 1, i + 1 };
    g_autoptr (DgProfile) c = dg_profile_new_custom (NULL, NULL, many, 64);
    dg_options_init (&o);
    dg_options_set_profile (&o, c);
    o.size_bytes = 16 * MIB * MIB;
    g_assert_cmpuint (dg_options_rounded_size (&o), ==, 0);
    dg_options_clear (&o);
}

static void
test_plan (void)
{
    DgOptions o;

    dg_options_init (&o);
    o.directions[DG_DIRECTION_MIX] = TRUE;
    o.mix_read_percent = 30;
    o.write_through = TRUE;
    DgPlan *plan = dg_options_make_plan (&o, "/somewhere");
    g_assert_cmpint (dg_plan_check (plan), ==, DG_OK);
    g_assert_cmpuint (plan->n_steps, ==, 12);
    g_assert_cmpuint (plan->n_steps, ==, dg_options_n_steps (&o));
    g_assert_cmpstr (plan->targets[0].folder, ==, "/somewhere");
    g_assert_cmpuint (plan->targets[0].file_bytes, ==, 1024 * MIB);
    g_assert_cmpuint (plan->seed, !=, 0);
    g_assert_true (plan->write_through);
    /* All reads in row order, then all writes, then all mixes. */
    for (guint i = 0; i < 12; i++) {
        guint test;
        DgDirection direction;
        dg_options_step (&o, i, &test, &direction);
        g_assert_cmpuint (test, ==, i % 4);
        g_assert_cmpint (direction, ==, i / 4);
        const DgStream *stream = plan->steps[i].streams;
        g_assert_cmpuint (plan->steps[i].n_streams, ==, 1);
        g_assert_cmpuint (stream->read_percent, ==, i < 4 ? 100 : i < 8 ? 0 : 30);
        g_assert_cmpuint (stream->block_bytes, ==, o.profile->tests[test].block_bytes);
        g_assert_cmpuint (stream->queue_depth, ==, o.profile->tests[test].queue_depth);
        g_assert_cmpint (stream->access, ==, o.profile->tests[test].access);
    }
    dg_options_plan_free (plan);

    o.only_test = 2;
    o.directions[DG_DIRECTION_READ] = FALSE;
    plan = dg_options_make_plan (&o, "/somewhere");
    g_assert_cmpuint (plan->n_steps, ==, 2);
    g_assert_cmpuint (plan->steps[0].streams->block_bytes, ==, 4096);
    g_assert_cmpuint (plan->steps[0].streams->read_percent, ==, 0);
    g_assert_cmpuint (plan->steps[1].streams->read_percent, ==, 30);
    dg_options_plan_free (plan);
    dg_options_clear (&o);
}

static void
test_estimate (void)
{
    DgEstimate e;
    DgOptions o;

    dg_options_init (&o);
    /* 8 x (1 + 0.5 + 3 x 2.1) seconds; nothing is known of the drive. */
    dg_options_estimate (&o, NULL, NULL, 0, &e);
    g_assert_cmpuint (e.time_ns, ==, 62400000000);
    g_assert_cmpint (e.preparing, ==, DG_PREPARING_UNKNOWN);
    g_assert_cmpuint (e.written_bytes, ==, DG_DOC_UNKNOWN);

    o.directions[DG_DIRECTION_WRITE] = FALSE;
    dg_options_estimate (&o, NULL, NULL, 0, &e);
    g_assert_cmpuint (e.written_bytes, ==, 1024 * MIB);

    /* Prepared at 512 MiB/s: 2 s more, and 4 tests x (0.5 + 9 x 2.1) s at three times that rate at
     * most. */
    o.directions[DG_DIRECTION_WRITE] = TRUE;
    dg_options_estimate (&o, NULL, NULL, 512.0 * MIB, &e);
    g_assert_cmpuint (e.time_ns, ==, 64400000000);
    g_assert_cmpint (e.preparing, ==, DG_PREPARING_KNOWN);
    g_assert_cmpfloat_with_epsilon ((gdouble) e.written_bytes,
                                    1024.0 * MIB + 4 * 19.4 * 3 * 512 * MIB, 10);

    /* The rate of a small file is no measure of what the tests write. */
    o.size_bytes = DG_OPTIONS_TELLING_BYTES - MIB;
    dg_options_estimate (&o, NULL, NULL, 512.0 * MIB, &e);
    g_assert_cmpuint (e.written_bytes, ==, DG_DOC_UNKNOWN);
    o.size_bytes = 1024 * MIB;

    DgLink link = { .after_coding_bytes_per_s = 1000000000,
                    .practical_low_bytes_per_s = 500000000 };
    o.runs = 1;
    dg_options_estimate (&o, NULL, &link, 0, &e);
    g_assert_cmpfloat_with_epsilon ((gdouble) e.written_bytes, 1024.0 * MIB + 4 * 2.6e9, 10);
    g_assert_cmpint (e.preparing, ==, DG_PREPARING_AT_LEAST);
    link.practical_low_bytes_per_s = 0;
    dg_options_estimate (&o, NULL, &link, 0, &e);
    g_assert_cmpint (e.preparing, ==, DG_PREPARING_UNKNOWN);
    dg_options_clear (&o);

    /* Two drives carry twice what one link does: no link is the limit then. */
    DgDrive drives[2] = { { .link = &link }, { .link = &link } };
    uint32_t both[] = { 0, 1 };
    DgTarget target = { .drives = both, .n_drives = 1 };
    DgTargetList list = { .drives = drives, .n_drives = 2, .targets = &target, .n_targets = 1 };
    g_assert_true (dg_options_link_of (&list, 0) == &link);
    target.n_drives = 2;
    g_assert_null (dg_options_link_of (&list, 0));
    target.n_drives = 0;
    g_assert_null (dg_options_link_of (&list, 0));
}

/* ---- the table ---- */

static void
test_table (void)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    g_assert_cmpuint (n, >, 25);
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint (rows[i].commands, !=, 0);
        g_assert_cmpuint (strlen (rows[i].help), >, 5);
        for (guint k = 0; k < i; k++)
            if (strcmp (rows[i].name, rows[k].name) == 0)
                g_assert_cmpuint (rows[i].commands & rows[k].commands, ==, 0);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
    g_test_add_func ("/options/size", test_size);
    g_test_add_func ("/options/seconds", test_seconds);
    g_test_add_func ("/options/count", test_count);
    g_test_add_func ("/options/defaults", test_defaults);
    g_test_add_func ("/options/profile-times", test_profile_times);
    g_test_add_func ("/options/ranges", test_ranges);
    g_test_add_func ("/options/spec-ranges", test_spec_ranges);
    g_test_add_func ("/options/rounding", test_rounding);
    g_test_add_func ("/options/plan", test_plan);
    g_test_add_func ("/options/estimate", test_estimate);
    g_test_add_func ("/options/table", test_table);
    return g_test_run ();
}
