/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line a run, one for a test without runs. Lines end in CR LF as RFC 4180 has it. */
#include "app/report/report.h"
#include "app/report/report-escape.h"
#include "app/report/report-private.h"

#include <math.h>

static void
text (GString *out, const gchar *value)
{
    dg__append_csv_text (out, value);
    g_string_append_c (out, ',');
}

static void
number (GString *out, guint64 value)
{
    if (value != DG_DOC_UNKNOWN)
        g_string_append_printf (out, "%" G_GUINT64_FORMAT, value);
    g_string_append_c (out, ',');
}

static void
real (GString *out, gdouble value)
{
    gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
    if (isfinite (value))
        g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, "%.10g", value));
    g_string_append_c (out, ',');
}

static const gchar *
direction_word (DgDirection direction)
{
    return direction == DG_DIRECTION_WRITE ? "write"
           : direction == DG_DIRECTION_MIX ? "mix"
                                           : "read";
}

static const gchar *
state_word (DgDocState state)
{
    switch (state) {
    case DG_DOC_DONE:
        return "done";
    case DG_DOC_STOPPED:
        return "stopped";
    case DG_DOC_FAILED:
        return "failed";
    case DG_DOC_NOT_RUN:
        return "not-run";
    case DG_DOC_ABANDONED:
        return "abandoned";
    case DG_DOC_RUNNING:
        break;
    }
    return "running";
}

static void
append_test (GString *out, const DgDocTest *test)
{
    text (out, test->name);
    text (out, direction_word (test->direction));
    text (out, state_word (test->state));
    text (out, test->reason);
    number (out, test->block_size_bytes);
    number (out, test->queue_depth);
    number (out, test->threads);
    text (out, test->access == DG_ACCESS_RANDOM ? "random" : "sequential");
    number (out, test->read_percent);
    real (out, test->spread_percent);
    number (out, test->flush_ns);
    text (out, test->started);
}

static guint64
count_errors (const DgDocRun *run)
{
    guint64 n = 0;
    for (guint i = 0; i < run->n_errors; i++)
        n += run->errors[i].count != DG_DOC_UNKNOWN ? run->errors[i].count : 1;
    return n;
}

static void
append_run (GString *out, const DgDocRun *run, guint index, gboolean is_shown)
{
    number (out, index + 1);
    number (out, run->used ? 1 : 0);
    number (out, is_shown ? 1 : 0);
    real (out, run->bandwidth_bytes_per_s);
    real (out, run->iops);
    number (out, run->bytes);
    number (out, run->ios);
    number (out, run->elapsed_ns);
    real (out, run->latency_mean_ns);
    number (out, run->min_ns);
    number (out, run->p50_ns);
    number (out, run->p95_ns);
    number (out, run->p99_ns);
    number (out, run->p99_9_ns);
    number (out, run->max_ns);
    number (out, run->read_bytes);
    number (out, run->write_bytes);
    text (out, run->backend);
    text (out, run->direct);
    text (out, run->direct_reason);
    real (out, run->queue_depth_engine);
    real (out, run->queue_depth_device);
    number (out, run->cpu_ns);
    number (out, run->foreign_bytes);
    number (out, count_errors (run));
}

#define RUN_COLUMNS 25

/* Each line says all conditions again: a hostile document of a few MiB, with a long chain and many
 * runs, would take all memory. No measurement has so many lines. */
#define MOST_BYTES (64u << 20)

static void
append_conditions (GString *out, const DgDocView *view)
{
    static const DgDocLink no_link = { .speed_bits_per_s = DG_DOC_UNKNOWN,
                                       .ceiling_bytes_per_s = DG_DOC_UNKNOWN };
    const DgDocTarget *target = dg__report_target (view);
    const DgDocLink *link = target != NULL && target->has_link ? &target->link : &no_link;
    gboolean has_model;
    g_autofree gchar *drive = dg__report_drive (view, &has_model);
    g_autofree gchar *chain = dg__report_chain (link);
    DgTemperatureSpan span = { NAN, NAN, NAN, NAN, NAN, NULL };
    dg__report_temperatures (view, &span);

    text (out, view->started);
    text (out, has_model ? drive : NULL);
    number (out, target != NULL && target->has_drive ? target->drive.size_bytes : DG_DOC_UNKNOWN);
    text (out, target != NULL ? target->label : NULL);
    text (out, target != NULL ? target->filesystem : NULL);
    text (out, link->name != NULL ? link->name : link->kind);
    number (out, link->speed_bits_per_s);
    number (out, link->ceiling_bytes_per_s);
    text (out, chain);
    text (out, view->data);
    text (out, view->profile_id);
    number (out, target != NULL && target->file_size_bytes != DG_DOC_UNKNOWN
                     ? target->file_size_bytes
                     : view->size_bytes);
    number (out, view->warmup_ns);
    number (out, view->duration_ns);
    text (out, view->statistic_best ? "best" : "median");
    number (out, view->include_flush ? 1 : 0);
    number (out, view->write_through ? 1 : 0);
    text (out, view->os);
    text (out, view->kernel);
    text (out, view->cpu);
    real (out, span.start);
    real (out, span.end);
    /* UDisks2 is asked at start and end only. */
    real (out, g_strcmp0 (span.sensor, "udisks2") == 0 ? NAN : span.highest);
    text (out, view->comment);
    text (out, view->program_version);
    g_string_truncate (out, out->len - 1); /* the last comma */
    g_string_append (out, "\r\n");
}

gchar *
dg_report_csv (const DgDocView *view)
{
    GString *out =
        g_string_new ("test,direction,state,reason,block_bytes,queue_depth,threads,"
                      "access,read_percent,spread_percent,flush_ns,test_started,"
                      "run,used,shown,bandwidth_bytes_per_s,iops,bytes,ios,elapsed_ns,"
                      "latency_mean_ns,latency_min_ns,"
                      "latency_p50_ns,latency_p95_ns,latency_p99_ns,latency_p99_9_ns,"
                      "latency_max_ns,read_bytes,write_bytes,"
                      "backend,direct,direct_reason,queue_depth_engine,queue_depth_"
                      "device,cpu_ns,foreign_bytes,errors,"
                      "started,drive,drive_size_bytes,label,filesystem,link,link_speed_"
                      "bits_per_s,link_ceiling_bytes_per_s,"
                      "chain,data,profile,file_size_bytes,warmup_ns,duration_ns,statistic,"
                      "include_flush,write_through,os,kernel,cpu,temperature_start_celsius,"
                      "temperature_end_celsius,"
                      "temperature_highest_celsius,comment,"
                      "program_version\r\n");
    g_autoptr (GString) conditions = g_string_new (NULL); /* the same in each line */
    append_conditions (conditions, view);
    for (guint i = 0; i < view->n_tests && out->len < MOST_BYTES; i++) {
        const DgDocTest *test = &view->tests[i];
        for (guint k = 0; k < test->n_runs && out->len < MOST_BYTES; k++) {
            append_test (out, test);
            append_run (out, &test->runs[k], k, (gint) k == test->shown);
            g_string_append (out, conditions->str);
        }
        if (test->n_runs == 0) {
            append_test (out, test);
            for (guint k = 0; k < RUN_COLUMNS; k++)
                g_string_append_c (out, ',');
            g_string_append (out, conditions->str);
        }
    }
    return g_string_free (out, FALSE);
}
