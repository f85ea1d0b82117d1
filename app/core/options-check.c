/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranges at the end of DESIGN section 4. */
#include "app/core/options.h"

#include "app/core/app-error.h"
#include "app/core/free-memory.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n-lib.h>

#define MIB         G_GUINT64_CONSTANT (1048576)
#define SECOND_NS   G_GUINT64_CONSTANT (1000000000)
#define MOST_TESTS  64u
#define MOST_BUFFER (1024 * MIB)

static gboolean
refuse (GError **error, gchar *message /* (transfer full) */)
{
    g_set_error_literal (error, DG_APP_ERROR, DG_APP_ERROR_USAGE, message);
    g_free (message);
    return FALSE;
}

static gboolean
check_test (const DgTestSpec *test, guint64 most_buffer, GError **error)
{
    g_autofree gchar *name = dg_test_spec_dup_name (test);
    guint64 block = test->block_bytes;

    if (block < 512 || block > 64 * MIB || (block & (block - 1)) != 0)
        return refuse (
            error,
            g_strdup_printf (
                _ ("%s: the block size has to be a power of two from 512 (bytes) to 64M."), name));
    if (test->queue_depth < 1 || test->queue_depth > 512)
        return refuse (error,
                       g_strdup_printf (_ ("%s: the queue depth has to be from 1 to 512."), name));
    if (test->threads < 1 || test->threads > 64)
        return refuse (
            error, g_strdup_printf (_ ("%s: the number of threads has to be from 1 to 64."), name));
    if (test->queue_depth * test->threads > 4096)
        return refuse (error, g_strdup_printf (_ ("%s: queue depth times threads has to be 4096 at most."), name));
    if (test->queue_depth * test->threads * block > most_buffer) {
        g_autofree gchar *most = dg_number_gib (most_buffer, DG_FOR_FILE);
        return refuse (error, g_strdup_printf (_ ("%s: its buffers (queue depth times threads times block size) need more than %s, the limit with the memory that is free now. "
               "Take a smaller queue, fewer threads or smaller blocks."),
                                  name, most));
    }
    return TRUE;
}

static gboolean
check_times (const DgOptions *options, GError **error)
{
    if (options->runs > 9)
        return refuse (error,
                       g_strdup (_ ("The number of runs has to be from 1 to 9, or “auto”.")));
    if (options->duration_ns < SECOND_NS || options->duration_ns > 60 * SECOND_NS)
        return refuse (error, g_strdup (_ ("The measuring time has to be from 1 to 60 seconds.")));
    if (options->warmup_ns > 60 * SECOND_NS)
        return refuse (error, g_strdup (_ ("The warm-up has to be from 0 to 60 seconds.")));
    if (options->interval_ns > 600 * SECOND_NS)
        return refuse (error, g_strdup (_ ("The interval has to be from 0 to 600 seconds.")));
    return TRUE;
}

static gboolean
check_size (const DgOptions *options, GError **error)
{
    g_autofree gchar *size = dg_number_file_size (options->size_bytes, DG_FOR_WINDOW);

    if (options->size_bytes < MIB || options->size_bytes > 16 * MIB * MIB)
        return refuse (
            error, g_strdup_printf (_ ("The size %s is out of its range: 1 MiB to 16 TiB."), size));
    if (dg_options_rounded_size (options) == 0)
        return refuse (error,
                       g_strdup_printf (_ ("The size %s is too small: rounded down to a multiple of threads times block size of every test nothing is left. Take a larger size."),
                           size));
    return TRUE;
}

gboolean
dg_options_check (const DgOptions *options, GError **error)
{
    const DgProfile *profile = options->profile;

    if (profile == NULL || profile->n_tests == 0 || profile->n_tests > MOST_TESTS)
        return refuse (error,
                       g_strdup_printf (_ ("A measurement needs 1 to %u tests."), MOST_TESTS));
    if (options->only_test >= (gint) profile->n_tests)
        return refuse (error, g_strdup (_ ("The profile has no such test.")));
    if (dg_options_n_steps (options) == 0)
        return refuse (error, g_strdup (_ ("Choose at least one of read, write and mix.")));
    if (options->mix_read_percent < 1 || options->mix_read_percent > 99)
        return refuse (error, g_strdup (_ ("The reads of a mix have to be from 1 to 99 percent.")));
    if (options->data > DG_DATA_ZERO || options->backend > DG_BACKEND_NULL)
        return refuse (error, g_strdup (_ ("There is no such data or backend.")));
    if (!check_times (options, error))
        return FALSE;

    guint64 free_bytes = dg__free_memory_bytes ();
    guint64 most_buffer = free_bytes != 0 ? MIN (MOST_BUFFER, free_bytes / 4) : MOST_BUFFER;
    for (guint i = 0; i < profile->n_tests; i++)
        if (!check_test (&profile->tests[i], most_buffer, error))
            return FALSE;
    return check_size (options, error);
}
