/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Before the start: how long, and at most how much is written (DESIGN section 4.12). */
#include "app/core/document.h"
#include "app/core/options.h"

#include <math.h>

#define RAMP_NS        G_GUINT64_CONSTANT (100000000) /* before each run; DESIGN section 4.2 */
#define MORE_THAN_LAST 1.25 /* a drive may be that much faster than last time */
#define MORE_THAN_PREPARE                                                                          \
    3.0 /* deep queues and small files: preparing writes one block at a time and flushes */
#define AUTO_LEAST 3u
#define AUTO_MOST  9u

static gboolean
is_rate (gdouble bytes_per_s)
{
    return isfinite (bytes_per_s) && bytes_per_s > 0;
}

/* How fast this test wrote last time, at its best; 0 = not known. */
static gdouble
last_write_rate (const DgDocView *last, const DgTestSpec *spec, DgDirection direction)
{
    gdouble rate = 0;

    for (guint t = 0; last != NULL && t < last->n_tests; t++) {
        const DgDocTest *test = &last->tests[t];
        if (test->direction != direction || test->access != spec->access
            || test->block_size_bytes != spec->block_bytes || test->queue_depth != spec->queue_depth
            || test->threads != spec->threads)
            continue;
        for (guint r = 0; r < test->n_runs; r++)
            if (is_rate (test->runs[r].bandwidth_bytes_per_s))
                rate = MAX (rate, test->runs[r].bandwidth_bytes_per_s);
    }
    return rate;
}

static gdouble
prepare_rate (const DgDocView *last, const DgLink *link, gdouble measured, guint64 size,
              DgPreparing *ret_preparing)
{
    *ret_preparing = DG_PREPARING_KNOWN;
    if (is_rate (measured) && size >= DG_OPTIONS_TELLING_BYTES)
        return measured;
    if (last != NULL && last->n_targets > 0
        && last->targets[0].file_size_bytes >= DG_OPTIONS_TELLING_BYTES
        && is_rate (last->targets[0].file_prepare_bytes_per_s))
        return last->targets[0].file_prepare_bytes_per_s;
    gboolean is_in_table = link != NULL && link->practical_low_bytes_per_s > 0;
    *ret_preparing = is_in_table ? DG_PREPARING_AT_LEAST : DG_PREPARING_UNKNOWN;
    return is_in_table ? (gdouble) link->practical_low_bytes_per_s : 0;
}

static guint64
to_bytes (gdouble bytes)
{
    return bytes < 9e18 ? (guint64) bytes : DG_DOC_UNKNOWN;
}

const DgLink *
dg_options_link_of (const DgTargetList *list, guint index)
{
    const DgTarget *target = &list->targets[index];
    return target->n_drives == 1 && target->drives[0] < list->n_drives
               ? list->drives[target->drives[0]].link
               : NULL;
}

void
dg_options_estimate (const DgOptions *options, const struct _DgDocument *last, const DgLink *link,
                     gdouble prepare_bytes_per_s, DgEstimate *ret_estimate)
{
    const DgDocView *view = last != NULL ? dg_document_view ((DgDocument *) last) : NULL;
    guint n = dg_options_n_steps (options);
    guint likely_runs = options->runs != 0 ? options->runs : AUTO_LEAST;
    guint most_runs = options->runs != 0 ? options->runs : AUTO_MOST;
    guint64 size = dg_options_rounded_size (options);
    gdouble prepare =
        prepare_rate (view, link, prepare_bytes_per_s, size, &ret_estimate->preparing);
    /* No write of ours can be faster than the link. */
    gdouble bound = link != NULL && link->after_coding_bytes_per_s != 0
                        ? (gdouble) link->after_coding_bytes_per_s
                        : INFINITY;

    /* The ramp before a run moves data too. */
    guint64 step_ns = options->warmup_ns + likely_runs * (RAMP_NS + options->duration_ns);
    gdouble most_writing_s =
        (gdouble) (options->warmup_ns + most_runs * (RAMP_NS + options->duration_ns)) / 1e9;
    guint64 time_ns = n * (options->interval_ns + step_ns);
    gdouble written = (gdouble) size;
    gboolean is_known = TRUE;

    if (is_rate (prepare))
        time_ns += (guint64) ((gdouble) size / prepare * 1e9);
    for (guint i = 0; i < n; i++) {
        guint test = 0;
        DgDirection direction = DG_DIRECTION_READ;
        dg_options_step (options, i, &test, &direction);
        if (direction == DG_DIRECTION_READ)
            continue;
        gdouble part =
            direction == DG_DIRECTION_MIX ? (100 - options->mix_read_percent) / 100.0 : 1;
        gdouble rate = last_write_rate (view, &options->profile->tests[test], direction);
        rate = is_rate (rate)      ? rate * MORE_THAN_LAST
               : is_rate (prepare) ? prepare * MORE_THAN_PREPARE
                                   : bound;
        rate = MIN (rate, bound);
        is_known = is_known && is_rate (rate);
        written += rate * part * most_writing_s;
    }
    ret_estimate->time_ns = time_ns;
    ret_estimate->written_bytes = is_known ? to_bytes (written) : DG_DOC_UNKNOWN;
}
