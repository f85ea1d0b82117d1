/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same work as fio command lines. Options: https://fio.readthedocs.io/en/latest/fio_doc.html */
#include "app/cli/commands.h"
#include "app/cli/message.h"
#include "app/cli/platform.h"
#include "app/core/app-error.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#define FILE_NAME "drivegauge-fio.tmp"
#define NS_PER_MS G_GUINT64_CONSTANT (1000000)
#define RAMP_MS   G_GUINT64_CONSTANT (100) /* what the measurement waits before each run */
#define AUTO_RUNS 3u

/* The file's name as fio takes it (a colon would begin another file) and as a shell takes it. */
static gchar *
quote_file (const gchar *folder)
{
    g_autofree gchar *path = g_build_filename (folder, FILE_NAME, NULL);
    GString *escaped = g_string_new (path);

    g_string_replace (escaped, ":", "\\:", 0);
    gchar *quoted = g_shell_quote (escaped->str);
    g_string_free (escaped, TRUE);
    return quoted;
}

static const gchar *
engine_name (const DgOptions *options)
{
    switch (options->backend) {
    case DG_BACKEND_LIBAIO:
        return "libaio";
    case DG_BACKEND_THREADS:
        return "psync";
    case DG_BACKEND_IO_URING:
        return "io_uring";
    default:
        return dg_platform_fio_engine ();
    }
}

static const gchar *
rw_name (DgAccess access, DgDirection direction)
{
    gboolean is_random = access == DG_ACCESS_RANDOM;

    switch (direction) {
    case DG_DIRECTION_READ:
        return is_random ? "randread" : "read";
    case DG_DIRECTION_WRITE:
        return is_random ? "randwrite" : "write";
    case DG_DIRECTION_MIX:
        break;
    }
    return is_random ? "randrw" : "rw";
}

static void
append_step (GString *text, const DgOptions *options, guint step, const gchar *file, guint64 size)
{
    static const gchar *const words[] = {
        [DG_DIRECTION_READ] = "read", [DG_DIRECTION_WRITE] = "write", [DG_DIRECTION_MIX] = "mix"
    };
    guint test = 0, runs = options->runs != 0 ? options->runs : AUTO_RUNS;
    DgDirection direction = DG_DIRECTION_READ;
    dg_options_step (options, step, &test, &direction);
    const DgTestSpec *spec = &options->profile->tests[test];
    g_autofree gchar *name = dg_test_spec_dup_name (spec);
    /* psync has no queue: each place of the queue becomes a job. */
    gboolean is_sync = options->backend == DG_BACKEND_THREADS;
    guint jobs = spec->threads * (is_sync ? spec->queue_depth : 1);
    guint64 part = size / jobs / spec->block_bytes * spec->block_bytes;
    gboolean is_split = jobs > 1 && spec->access == DG_ACCESS_SEQUENTIAL && part > 0;

    if (options->interval_ns > 0) {
        /* "%g" would write a comma where the user's language has one. */
        g_autofree gchar *pause = dg_number_fixed ((gdouble) options->interval_ns / 1e9, 3);
        g_string_append_printf (text, "sleep %s\n", pause);
    }
    if (runs > 1) {
        g_string_append (text, "for run in");
        for (guint r = 1; r <= runs; r++)
            g_string_append_printf (text, " %u", r);
        g_string_append (text, "; do ");
    }
    g_string_append_printf (
        text, "fio --name='%s %s' --filename=%s --ioengine=%s --direct=1 --rw=%s", name,
        words[direction], file, engine_name (options), rw_name (spec->access, direction));
    if (direction == DG_DIRECTION_MIX)
        g_string_append_printf (text, " --rwmixread=%u", options->mix_read_percent);
    g_string_append_printf (text, " --bs=%" G_GUINT64_FORMAT " --iodepth=%u --numjobs=%u",
                            spec->block_bytes, is_sync ? 1 : spec->queue_depth, jobs);
    g_string_append_printf (text, " --size=%" G_GUINT64_FORMAT, is_split ? part : size);
    if (is_split)
        g_string_append_printf (text, " --offset_increment=%" G_GUINT64_FORMAT, part);
    if (spec->access == DG_ACCESS_RANDOM)
        g_string_append (text, " --norandommap=1");
    g_string_append_printf (
        text,
        " --time_based=1 --runtime=%" G_GUINT64_FORMAT "ms --ramp_time=%" G_GUINT64_FORMAT "ms",
        options->duration_ns / NS_PER_MS, MAX (options->warmup_ns / NS_PER_MS, RAMP_MS));
    if (direction != DG_DIRECTION_READ) {
        g_string_append (text, options->data == DG_DATA_ZERO ? " --zero_buffers=1"
                                                             : " --scramble_buffers=1");
        if (options->write_through)
            g_string_append (text, " --sync=dsync");
        if (options->include_flush)
            g_string_append (text, " --end_fsync=1");
    }
    g_string_append (
        text,
        " --thread=1 --group_reporting=1 --allow_file_create=0 --overwrite=1 --fallocate=none");
    g_string_append (text, runs > 1 ? "; done\n" : "\n");
}

static void
append_all (GString *text, const DgOptions *options, const gchar *folder)
{
    g_autofree gchar *file = quote_file (folder);
    g_autofree gchar *plain_path = g_build_filename (folder, FILE_NAME, NULL);
    g_autofree gchar *plain = g_shell_quote (plain_path);
    guint64 size = dg_options_rounded_size (options);

    g_string_append_printf (
        text,
        "# Drive Gauge " DG_VERSION
        ": profile %s version %u. fio shows each run; Drive Gauge shows the %s of them%s.\n",
        options->profile->id, options->profile->version,
        options->statistic_best ? "best" : "median", options->runs == 0 ? " and makes 3 to 9" : "");
    if (options->no_cow)
        g_string_append_printf (text, "touch %s && chattr +C %s\n", plain, plain);
    g_string_append_printf (
        text,
        "fio --name=prepare --filename=%s --ioengine=%s --direct=1 --rw=write --bs=1048576 "
        "--iodepth=%u --size=%" G_GUINT64_FORMAT " %s --end_fsync=1 --fallocate=native\n",
        file, engine_name (options), options->backend == DG_BACKEND_THREADS ? 1 : 8, size,
        options->data == DG_DATA_ZERO ? "--zero_buffers=1" : "--refill_buffers=1");
    for (guint i = 0; i < dg_options_n_steps (options); i++)
        append_step (text, options, i, file, size);
    g_string_append_printf (text, "rm -f %s\n", plain);
}

int
dg_command_fio (const DgArguments *arguments)
{
    GError *error = NULL;
    DgOptions options;
    const gchar *word = dg_command_only_word (arguments, DG_COMMAND_FIO, "TARGET");

    if (word == NULL)
        return 2;
    if (!dg_arguments_make_options (arguments, &options, &error))
        return dg_message_error (error);
    DgTargetList *list = dg_command_find_target (word, &error);
    int status;
    if (list == NULL)
        status = dg_message_error (error);
    else {
        GString *text = g_string_new (NULL);
        append_all (text, &options, list->targets[0].folder);
        status = dg_message_output (text->str, text->len) ? 0 : 3;
        g_string_free (text, TRUE);
    }
    dg_targets_free (list);
    dg_options_clear (&options);
    return status;
}
