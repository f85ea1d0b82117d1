/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/profile.h"

#include "app/core/profile-own.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_BUILTIN_TESTS 4
#define MOST_BUILTIN_ROWS  4
#define KIB                1024u
#define MIB                (1024u * 1024u)
#define SECOND_NS          G_GUINT64_CONSTANT (1000000000)

#define SEQ(block, queue, threads)                                                                 \
    {                                                                                              \
        DG_ACCESS_SEQUENTIAL, block, queue, threads                                                \
    }
#define RND(block, queue, threads)                                                                 \
    {                                                                                              \
        DG_ACCESS_RANDOM, block, queue, threads                                                    \
    }

/* A test shown as bandwidth, operations and latency. */
#define ONE_TEST_THREE_ROWS(test)                                                                  \
    { test, TRUE, DG_SHOW_BANDWIDTH }, { test, TRUE, DG_SHOW_IOPS },                               \
    {                                                                                              \
        test, TRUE, DG_SHOW_LATENCY                                                                \
    }

/* A version rises when the tests or times of a profile change: results of different versions are
 * not compared. */
/* clang-format off */
static const struct {
    const gchar *id;
    guint version;
    const gchar *title;
    DgTestSpec tests[MOST_BUILTIN_TESTS];
    guint n_tests;
    DgProfileRow rows[MOST_BUILTIN_ROWS]; /* none: a row a test */
    guint n_rows;
    guint64 duration_ns, interval_ns;
    gboolean is_demo;
} builtin[] = {
    { "default", 1, N_ ("Default"), { SEQ (MIB, 8, 1), SEQ (MIB, 1, 1), RND (4 * KIB, 32, 1), RND (4 * KIB, 1, 1) }, 4 },
    { "nvme", 1, N_ ("NVMe"), { SEQ (MIB, 8, 1), SEQ (128 * KIB, 32, 1), RND (4 * KIB, 32, 16), RND (4 * KIB, 1, 1) }, 4 },
    { "flash", 1, N_ ("Memory card or stick"), { SEQ (MIB, 8, 1), SEQ (MIB, 1, 1), RND (4 * KIB, 32, 1), RND (4 * KIB, 1, 1) }, 4,
      .duration_ns = SECOND_NS, .interval_ns = 30 * SECOND_NS },
    { "peak", 1, N_ ("Peak"), { SEQ (MIB, 8, 1), RND (4 * KIB, 32, 1) }, 2, { { 0 }, ONE_TEST_THREE_ROWS (1) }, 4 },
    { "peak-nvme", 1, N_ ("Peak, NVMe"), { SEQ (MIB, 8, 1), RND (4 * KIB, 32, 16) }, 2, { { 0 }, ONE_TEST_THREE_ROWS (1) }, 4 },
    { "real-world", 1, N_ ("Real world"), { SEQ (MIB, 1, 1), RND (4 * KIB, 1, 1) }, 2, { { 0 }, ONE_TEST_THREE_ROWS (1) }, 4 },
    { "demo", 1, N_ ("Demo"), { SEQ (MIB, 8, 1) }, 1, .is_demo = TRUE },
};
/* clang-format on */

DgProfile *
dg_profile_new_custom (const gchar *id, const gchar *title, const DgTestSpec *tests, guint n_tests)
{
    DgProfile *profile = g_new0 (DgProfile, 1);

    profile->id = g_strdup (id != NULL ? id : "custom");
    profile->version = 1;
    profile->title = g_strdup (title != NULL ? title : profile->id);
    profile->tests = g_memdup2 (tests, n_tests * sizeof *tests);
    profile->n_tests = n_tests;
    profile->rows = g_new0 (DgProfileRow, MAX (n_tests, 1));
    profile->n_rows = n_tests;
    for (guint i = 0; i < n_tests; i++)
        profile->rows[i].test = i;
    return profile;
}

static DgProfile *
new_builtin (guint i)
{
    DgProfile *profile = dg_profile_new_custom (
        builtin[i].id, _ (builtin[i].title), builtin[i].tests, builtin[i].n_tests);

    profile->version = builtin[i].version;
    profile->duration_ns = builtin[i].duration_ns;
    profile->interval_ns = builtin[i].interval_ns;
    profile->is_builtin = TRUE;
    profile->is_demo = builtin[i].is_demo;
    if (builtin[i].n_rows != 0) {
        g_free (profile->rows);
        profile->rows = g_memdup2 (builtin[i].rows, builtin[i].n_rows * sizeof *builtin[i].rows);
        profile->n_rows = builtin[i].n_rows;
    }
    return profile;
}

const DgProfile *const *
dg_profiles_builtin (guint *ret_count)
{
    static const DgProfile *profiles[G_N_ELEMENTS (builtin) + 1];

    if (profiles[0] == NULL)
        for (guint i = 0; i < G_N_ELEMENTS (builtin); i++)
            profiles[i] = new_builtin (i);
    if (ret_count != NULL)
        *ret_count = G_N_ELEMENTS (builtin);
    return profiles;
}

const DgProfile *
dg__profile_find_builtin (const gchar *id)
{
    guint n;
    const DgProfile *const *profiles = dg_profiles_builtin (&n);

    for (guint i = 0; i < n; i++)
        if (g_strcmp0 (profiles[i]->id, id) == 0)
            return profiles[i];
    return NULL;
}

DgProfile *
dg_profile_find (const gchar *id)
{
    const DgProfile *profile = dg__profile_find_builtin (id);

    return profile != NULL ? dg_profile_copy (profile) : dg__profile_load_own (id);
}

DgProfile *
dg_profile_copy (const DgProfile *profile)
{
    if (profile == NULL)
        return NULL;
    DgProfile *copy = g_memdup2 (profile, sizeof *profile);
    copy->id = g_strdup (profile->id);
    copy->title = g_strdup (profile->title);
    copy->tests = g_memdup2 (profile->tests, profile->n_tests * sizeof *profile->tests);
    copy->rows = g_memdup2 (profile->rows, profile->n_rows * sizeof *profile->rows);
    return copy;
}

void
dg_profile_free (DgProfile *profile)
{
    if (profile == NULL)
        return;
    g_free (profile->id);
    g_free (profile->title);
    g_free (profile->tests);
    g_free (profile->rows);
    g_free (profile);
}

const gchar *
dg_profile_propose (const gchar *drive_name, const gchar *wanted_id)
{
    gboolean is_nvme = drive_name != NULL && g_str_has_prefix (drive_name, "nvme");

    if (wanted_id == NULL || strcmp (wanted_id, "default") == 0 || strcmp (wanted_id, "nvme") == 0)
        return is_nvme ? "nvme" : "default";
    if (strcmp (wanted_id, "peak") == 0 || strcmp (wanted_id, "peak-nvme") == 0)
        return is_nvme ? "peak-nvme" : "peak";
    return g_intern_string (wanted_id);
}
