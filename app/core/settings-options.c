/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choices of the last measurement, kept for the next start. */
#include "app/core/settings.h"

#include "app/core/settings-file.h"
#include "app/core/settings-private.h"

#define GROUP     "Measurement"
#define MIB       G_GUINT64_CONSTANT (1048576)
#define SECOND_NS G_GUINT64_CONSTANT (1000000000)

static const gchar *const data_words[] = { "random", "zero", NULL };
static const gchar *const statistic_words[] = { "median", "best", NULL };
static const gchar *const backend_words[] = { "auto",    "io_uring",   "libaio",
                                              "threads", "overlapped", NULL };

/* Rows that were edited and not saved under a name. */
static DgProfile *
load_edited_rows (void)
{
    gsize n = 0;
    g_auto (GStrv) names =
        g_key_file_get_string_list (dg__settings_file_get (), GROUP, "Tests", &n, NULL);

    if (names == NULL || n == 0 || n > 64)
        return NULL;
    g_autofree DgTestSpec *tests = g_new0 (DgTestSpec, n);
    for (gsize i = 0; i < n; i++)
        if (!dg_test_spec_parse (names[i], &tests[i], NULL))
            return NULL;
    return dg_profile_new_custom (NULL, NULL, tests, (guint) n);
}

static DgProfile *
load_profile (void)
{
    g_autofree gchar *id = dg__settings_get_text (GROUP, "Profile");

    return g_strcmp0 (id, "custom") == 0 ? load_edited_rows ()
           : id != NULL                  ? dg_profile_find (id)
                                         : NULL;
}

static void
load_directions (DgOptions *options)
{
    options->directions[DG_DIRECTION_READ] = dg__settings_get_truth (GROUP, "Read", TRUE);
    options->directions[DG_DIRECTION_WRITE] = dg__settings_get_truth (GROUP, "Write", TRUE);
    options->directions[DG_DIRECTION_MIX] = dg__settings_get_truth (GROUP, "Mix", FALSE);
    if (!options->directions[DG_DIRECTION_READ] && !options->directions[DG_DIRECTION_WRITE]
        && !options->directions[DG_DIRECTION_MIX])
        options->directions[DG_DIRECTION_READ] = options->directions[DG_DIRECTION_WRITE] = TRUE;
    options->mix_read_percent =
        (guint) dg__settings_get_number (GROUP, "MixReadPercent", 1, 99, 70);
}

void
dg_settings_load_options (DgOptions *options)
{
    dg_options_init (options);
    options->duration_set = dg__settings_get_truth (GROUP, "DurationSet", FALSE);
    options->interval_set = dg__settings_get_truth (GROUP, "IntervalSet", FALSE);
    if (options->duration_set)
        options->duration_ns = dg__settings_get_number (GROUP, "DurationNs", SECOND_NS,
                                                        60 * SECOND_NS, options->duration_ns);
    if (options->interval_set)
        options->interval_ns =
            dg__settings_get_number (GROUP, "IntervalNs", 0, 600 * SECOND_NS, options->interval_ns);
    options->warmup_ns =
        dg__settings_get_number (GROUP, "WarmupNs", 0, 60 * SECOND_NS, options->warmup_ns);
    options->runs = (guint) dg__settings_get_number (GROUP, "Runs", 0, 9, 0);
    options->size_bytes =
        dg__settings_get_number (GROUP, "SizeBytes", MIB, 16 * MIB * MIB, options->size_bytes);
    load_directions (options);
    options->data = (DgData) dg__settings_get_word (GROUP, "Data", data_words, DG_DATA_RANDOM);
    options->statistic_best = dg__settings_get_word (GROUP, "Statistic", statistic_words, 0) == 1;
    options->backend =
        (DgBackendId) dg__settings_get_word (GROUP, "Backend", backend_words, DG_BACKEND_AUTO);
    options->include_flush = dg__settings_get_truth (GROUP, "IncludeFlush", FALSE);
    options->no_cow = dg__settings_get_truth (GROUP, "NoCow", FALSE);
    options->write_through = dg__settings_get_truth (GROUP, "WriteThrough", FALSE);

    g_autoptr (DgProfile) profile = load_profile ();
    if (profile != NULL)
        dg_options_set_profile (options, profile);
    /* Each value may be fine and all together not: queue times threads times block on a smaller
     * computer. */
    if (!dg_options_check (options, NULL)) {
        dg_options_clear (options);
        dg_options_init (options);
    }
}

static void
store_profile (const DgProfile *profile)
{
    GKeyFile *file = dg__settings_file_get ();
    gboolean is_saved = g_strcmp0 (profile->id, "custom") != 0;

    g_key_file_set_string (file, GROUP, "Profile", profile->id);
    g_key_file_remove_key (file, GROUP, "Tests", NULL);
    if (is_saved)
        return;
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < profile->n_tests; i++)
        g_ptr_array_add (names, dg_test_spec_dup_name (&profile->tests[i]));
    g_key_file_set_string_list (file, GROUP, "Tests", (const gchar *const *) names->pdata,
                                names->len);
}

void
dg_settings_store_options (const DgOptions *options)
{
    GKeyFile *file = dg__settings_file_get ();

    store_profile (options->profile);
    g_key_file_set_boolean (file, GROUP, "DurationSet", options->duration_set);
    g_key_file_set_boolean (file, GROUP, "IntervalSet", options->interval_set);
    g_key_file_set_uint64 (file, GROUP, "DurationNs", options->duration_ns);
    g_key_file_set_uint64 (file, GROUP, "IntervalNs", options->interval_ns);
    g_key_file_set_uint64 (file, GROUP, "WarmupNs", options->warmup_ns);
    g_key_file_set_integer (file, GROUP, "Runs", (gint) options->runs);
    g_key_file_set_uint64 (file, GROUP, "SizeBytes", options->size_bytes);
    g_key_file_set_boolean (file, GROUP, "Read", options->directions[DG_DIRECTION_READ]);
    g_key_file_set_boolean (file, GROUP, "Write", options->directions[DG_DIRECTION_WRITE]);
    g_key_file_set_boolean (file, GROUP, "Mix", options->directions[DG_DIRECTION_MIX]);
    g_key_file_set_integer (file, GROUP, "MixReadPercent", (gint) options->mix_read_percent);
    g_key_file_set_string (file, GROUP, "Data", data_words[options->data == DG_DATA_ZERO]);
    g_key_file_set_string (file, GROUP, "Statistic",
                           statistic_words[options->statistic_best ? 1 : 0]);
    if (options->backend <= DG_BACKEND_OVERLAPPED)
        g_key_file_set_string (file, GROUP, "Backend", backend_words[options->backend]);
    g_key_file_set_boolean (file, GROUP, "IncludeFlush", options->include_flush);
    g_key_file_set_boolean (file, GROUP, "NoCow", options->no_cow);
    g_key_file_set_boolean (file, GROUP, "WriteThrough", options->write_through);
    dg_settings_changed ();
}
