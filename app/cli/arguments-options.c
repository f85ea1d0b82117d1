/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the arguments to a measurement. */
#include "app/cli/arguments.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
refuse (GError **error, const gchar *message)
{
    g_set_error_literal (error, DG_APP_ERROR, DG_APP_ERROR_USAGE, message);
    return FALSE;
}

static DgProfile *
find_profile (const gchar *id, GError **error)
{
    DgProfile *profile = dg_profile_find (id);

    if (profile != NULL)
        return profile;
    g_autofree gchar *shown = dg_text_sanitize (id);
    g_autoptr (GPtrArray) own = dg_profiles_load_own ();
    GString *all = g_string_new (NULL);
    guint n;
    const DgProfile *const *builtin = dg_profiles_builtin (&n);
    for (guint i = 0; i < n; i++)
        g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", builtin[i]->id);
    for (guint i = 0; i < own->len; i++)
        g_string_append_printf (all, ", %s", ((DgProfile *) own->pdata[i])->id);
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                 _ ("--profile: “%s” is unknown. Take one of these: %s."), shown, all->str);
    g_string_free (all, TRUE);
    return NULL;
}

static gboolean
set_profile (const DgArguments *arguments, DgOptions *options, GError **error)
{
    const gchar *id = dg_arguments_get (arguments, "profile");
    g_autoptr (DgProfile) profile = find_profile (id != NULL ? id : "default", error);
    g_autoptr (GPtrArray) names = dg_arguments_get_all (arguments, "test");

    if (profile == NULL)
        return FALSE;
    if (names->len > 0) {
        g_autofree DgTestSpec *tests = g_new0 (DgTestSpec, names->len);
        for (guint i = 0; i < names->len; i++)
            if (!dg_test_spec_parse (names->pdata[i], &tests[i], error)) {
                g_prefix_error (error, "--test: ");
                return FALSE;
            }
        /* The tests only: its times stay, which is why flash with other tests still pauses long. */
        DgProfile *custom = dg_profile_new_custom (NULL, NULL, tests, names->len);
        custom->duration_ns = profile->duration_ns;
        custom->interval_ns = profile->interval_ns;
        dg_profile_free (profile);
        profile = custom;
    }
    dg_options_set_profile (options, profile);
    return TRUE;
}

static gboolean
set_list (const gchar *text, DgOptions *options, GError **error)
{
    static const gchar *const words[] = { [DG_DIRECTION_READ] = "read",
                                          [DG_DIRECTION_WRITE] = "write",
                                          [DG_DIRECTION_MIX] = "mix",
                                          NULL };
    g_auto (GStrv) parts = g_strsplit (text, ",", -1);

    memset (options->directions, 0, sizeof options->directions);
    if (parts[0] == NULL)
        return dg_arguments_choice ("directions", "", words, error) >= 0;
    for (gchar **part = parts; *part != NULL; part++) {
        gint direction = dg_arguments_choice ("directions", *part, words, error);
        if (direction < 0)
            return FALSE;
        options->directions[direction] = TRUE;
    }
    return TRUE;
}

static gboolean
set_directions (const DgArguments *arguments, DgOptions *options, GError **error)
{
    gboolean read_only = dg_arguments_has (arguments, "read-only"),
             write_only = dg_arguments_has (arguments, "write-only");
    const gchar *list = dg_arguments_get (arguments, "directions"),
                *mix = dg_arguments_get (arguments, "mix");

    if ((read_only && write_only) || (list != NULL && (read_only || write_only)))
        return refuse (
            error,
            _ ("--directions, --read-only and --write-only exclude each other. Give one of them."));
    if (list != NULL && !set_list (list, options, error))
        return FALSE;
    if (read_only)
        options->directions[DG_DIRECTION_WRITE] = FALSE;
    if (write_only)
        options->directions[DG_DIRECTION_READ] = FALSE;
    if (mix == NULL)
        return TRUE;
    options->directions[DG_DIRECTION_MIX] = TRUE;
    if (dg_parse_count (mix, 1, 99, &options->mix_read_percent, error))
        return TRUE;
    g_prefix_error (error, "--mix: ");
    return FALSE;
}

/* A number of seconds with its range. */
static gboolean
set_seconds (const DgArguments *arguments, const gchar *name, gdouble min_s, gdouble max_s,
             guint64 *ns, gboolean *is_set, GError **error)
{
    const gchar *text = dg_arguments_get (arguments, name);

    if (text == NULL)
        return TRUE;
    if (is_set != NULL)
        *is_set = TRUE;
    if (dg_parse_seconds (text, min_s, max_s, ns, error))
        return TRUE;
    g_prefix_error (error, "--%s: ", name);
    return FALSE;
}

static gboolean
set_amounts (const DgArguments *arguments, DgOptions *options, GError **error)
{
    const gchar *runs = dg_arguments_get (arguments, "runs"),
                *size = dg_arguments_get (arguments, "size");

    if (runs != NULL) {
        if (strcmp (runs, "auto") == 0)
            options->runs = 0;
        else if (!dg_parse_count (runs, 1, 9, &options->runs, error)) {
            g_prefix_error (error, _ ("--runs (or “auto”): "));
            return FALSE;
        }
    }
    if (size != NULL && !dg_parse_size (size, &options->size_bytes, error)) {
        g_prefix_error (error, "--size: ");
        return FALSE;
    }
    return set_seconds (arguments, "duration", 1, 60, &options->duration_ns, &options->duration_set,
                        error)
           && set_seconds (arguments, "warmup", 0, 60, &options->warmup_ns, NULL, error)
           && set_seconds (arguments, "interval", 0, 600, &options->interval_ns,
                           &options->interval_set, error);
}

static gboolean
set_choices (const DgArguments *arguments, DgOptions *options, GError **error)
{
    static const gchar *const kinds[] = {
        [DG_DATA_RANDOM] = "random", [DG_DATA_ZERO] = "zero", NULL
    };
    static const gchar *const statistics[] = { "median", "best", NULL };
    static const gchar *const backends[] = { [DG_BACKEND_AUTO] = "auto",
                                             [DG_BACKEND_IO_URING] = "io_uring",
                                             [DG_BACKEND_LIBAIO] = "libaio",
                                             [DG_BACKEND_THREADS] = "threads",
                                             [DG_BACKEND_OVERLAPPED] = "overlapped",
                                             NULL };
    const gchar *data = dg_arguments_get (arguments, "data"),
                *statistic = dg_arguments_get (arguments, "statistic"),
                *backend = dg_arguments_get (arguments, "backend");
    gint choice;

    if (data != NULL) {
        if ((choice = dg_arguments_choice ("data", data, kinds, error)) < 0)
            return FALSE;
        options->data = (DgData) choice;
    }
    if (statistic != NULL) {
        if ((choice = dg_arguments_choice ("statistic", statistic, statistics, error)) < 0)
            return FALSE;
        options->statistic_best = choice == 1;
    }
    if (backend != NULL) {
        if ((choice = dg_arguments_choice ("backend", backend, backends, error)) < 0)
            return FALSE;
        options->backend = (DgBackendId) choice;
    }
    return TRUE;
}

gboolean
dg_arguments_make_options (const DgArguments *arguments, DgOptions *ret_options, GError **error)
{
    DgOptions options;

    dg_options_init (&options);
    /* First, so that what is said besides wins wherever it stands. */
    if (dg_arguments_has (arguments, "like-cdm"))
        dg_options_like_cdm (&options);
    options.include_flush = dg_arguments_has (arguments, "include-flush");
    options.no_cow = dg_arguments_has (arguments, "no-cow");
    options.write_through = dg_arguments_has (arguments, "write-through");
    options.comment = dg_text_sanitize (dg_arguments_get (arguments, "comment"));
    if (set_profile (arguments, &options, error) && set_directions (arguments, &options, error)
        && set_amounts (arguments, &options, error) && set_choices (arguments, &options, error)
        && dg_options_check (&options, error)) {
        *ret_options = options;
        return TRUE;
    }
    dg_options_clear (&options);
    return FALSE;
}
