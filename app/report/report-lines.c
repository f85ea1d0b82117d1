/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of a result, a line each. What is not known has no line. */
#include "app/report/report-private.h"

#include "app/core/numbers.h"

#include <math.h>
#include <string.h>

static void
clear_line (gpointer data)
{
    g_clear_pointer (&((DgReportLine *) data)->value, g_free);
}

static void
add (GArray *lines, const gchar *label, gchar *value /* (transfer full) (nullable) */)
{
    DgReportLine line = { label, value };
    if (value == NULL)
        return;
    if (*value == '\0')
        g_free (value);
    else
        g_array_append_val (lines, line);
}

static gchar *
seconds (guint64 ns)
{
    g_autofree gchar *fixed = dg_number_fixed ((gdouble) ns / 1e9, 3);
    gsize length = strlen (fixed);
    while (length > 0 && fixed[length - 1] == '0')
        fixed[--length] = '\0';
    if (length > 0 && fixed[length - 1] == '.')
        fixed[length - 1] = '\0';
    return g_steal_pointer (&fixed);
}

static gchar *
profile_text (const DgDocView *view)
{
    if (view->profile_id == NULL)
        return NULL;
    if (view->profile_version == DG_DOC_UNKNOWN || view->profile_version <= 1)
        return g_strdup (view->profile_id);
    return g_strdup_printf ("%s, version %" G_GUINT64_FORMAT, view->profile_id,
                            view->profile_version);
}

/* "1 GiB (x5, best of the runs) [exFAT: 39% used (781/2000 GB)]" */
static gchar *
test_text (const DgDocView *view)
{
    const DgDocTarget *target = dg__report_target (view);
    guint64 size = target != NULL && target->file_size_bytes != DG_DOC_UNKNOWN
                       ? target->file_size_bytes
                       : view->size_bytes;
    GString *text = g_string_new (NULL);
    g_autofree gchar *file = dg_number_file_size (size, DG_FOR_FILE);
    g_string_append_printf (text, "%s (", file);
    if (view->runs > 0)
        g_string_append_printf (text, "x%" G_GUINT64_FORMAT, view->runs);
    else
        g_string_append (text, "auto runs, 3 to 9");
    if (view->runs == 1)
        g_string_append (text, ")");
    else
        g_string_append (text,
                         view->statistic_best ? ", best of the runs)" : ", median of the runs)");
    return g_string_free (text, FALSE);
}

static gchar *
time_text (const DgDocView *view)
{
    if (view->duration_ns == DG_DOC_UNKNOWN)
        return NULL;
    g_autofree gchar *duration = seconds (view->duration_ns);
    GString *text = g_string_new (NULL);
    g_string_append_printf (text, "Measure %s sec", duration);
    if (view->interval_ns != DG_DOC_UNKNOWN) {
        g_autofree gchar *interval = seconds (view->interval_ns);
        g_string_append_printf (text, " / Interval %s sec", interval);
    }
    if (view->warmup_ns != DG_DOC_UNKNOWN) {
        g_autofree gchar *warmup = seconds (view->warmup_ns);
        g_string_append_printf (text, " / Warm-up %s sec", warmup);
    }
    return g_string_free (text, FALSE);
}

static gchar *
system_text (const DgDocView *view)
{
    GString *text = g_string_new (view->os != NULL ? view->os : "");
    if (view->kernel != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", kernel " : "", view->kernel);
    return g_string_free (text, FALSE);
}

static gchar *
processor_text (const DgDocView *view)
{
    GString *text = g_string_new (view->cpu != NULL ? view->cpu : "");
    if (view->cpus != DG_DOC_UNKNOWN)
        g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " CPUs", text->len > 0 ? ", " : "",
                                view->cpus);
    if (view->memory_bytes != DG_DOC_UNKNOWN) {
        g_autofree gchar *memory = dg_number_gib (view->memory_bytes, DG_FOR_FILE);
        g_string_append_printf (text, "%s%s memory", text->len > 0 ? ", " : "", memory);
    }
    return g_string_free (text, FALSE);
}

static gchar *
drive_text (const DgDocView *view)
{
    gboolean has_model;
    g_autofree gchar *name = dg__report_drive (view, &has_model);
    const DgDocTarget *target = dg__report_target (view);
    if (target == NULL || !target->has_drive)
        return NULL;
    const DgDocDrive *drive = &target->drive;
    GString *text = g_string_new (has_model ? name : drive->name);
    if (!has_model)
        g_string_append (text, text->len > 0 ? " (model unknown)" : "model unknown");
    if (drive->size_bytes != DG_DOC_UNKNOWN) {
        g_autofree gchar *size = dg_number_size (drive->size_bytes, DG_FOR_FILE);
        g_string_append_printf (text, ", %s", size);
    }
    if (drive->firmware != NULL)
        g_string_append_printf (text, ", firmware %s", drive->firmware);
    if (drive->rotational == 1)
        g_string_append (text, ", rotating");
    if (drive->encrypted == 1)
        g_string_append (text, ", encrypted");
    if (drive->write_cache != NULL)
        g_string_append_printf (text, ", write cache: %s", drive->write_cache);
    if (drive->scheduler != NULL)
        g_string_append_printf (text, ", scheduler: %s", drive->scheduler);
    return g_string_free (text, FALSE);
}

static gchar *
link_text (const DgDocLink *link)
{
    const gchar *name = link->name != NULL         ? link->name
                        : link->short_name != NULL ? link->short_name
                                                   : link->kind;
    GString *text = g_string_new (name != NULL ? name : "");
    if (link->ceiling_bytes_per_s != DG_DOC_UNKNOWN) {
        g_autofree gchar *ceiling =
            dg_number_rate ((gdouble) link->ceiling_bytes_per_s, DG_UNIT_MB, DG_FOR_FILE);
        g_string_append_printf (text, "%sceiling about %s MB/s", text->len > 0 ? "; " : "",
                                ceiling);
    }
    if (link->best_name != NULL && link->best_bits_per_s != DG_DOC_UNKNOWN
        && link->speed_bits_per_s != DG_DOC_UNKNOWN
        && link->best_bits_per_s > link->speed_bits_per_s)
        g_string_append_printf (text, "; could be %s", link->best_name);
    return g_string_free (text, FALSE);
}

static gchar *
file_system_text (const DgDocTarget *target)
{
    GString *text = g_string_new (
        target->filesystem != NULL ? dg__report_file_system_title (target->filesystem) : "");
    if (target->label != NULL && *target->label != '\0')
        g_string_append_printf (text, "%s\"%s\"", text->len > 0 ? " " : "", target->label);
    if (target->size_bytes != DG_DOC_UNKNOWN && target->size_bytes > 0) {
        g_autofree gchar *size = dg_number_size (target->size_bytes, DG_FOR_FILE);
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", size);
        if (target->free_bytes != DG_DOC_UNKNOWN)
            g_string_append_printf (text, ", %.0f %% free",
                                    100.0 * (gdouble) target->free_bytes
                                        / (gdouble) target->size_bytes);
    }
    if (target->file_missing_bytes != DG_DOC_UNKNOWN && target->file_missing_bytes > 0) {
        g_autofree gchar *missing = dg_number_gib (target->file_missing_bytes, DG_FOR_FILE);
        g_string_append_printf (text, "%s%s of the test file are not on the drive",
                                text->len > 0 ? "; " : "", missing);
    }
    return g_string_free (text, FALSE);
}

static gchar *
data_text (const DgDocView *view)
{
    if (g_strcmp0 (view->data, "random") == 0)
        return g_strdup ("random, every sector unique");
    if (g_strcmp0 (view->data, "zero") == 0)
        return g_strdup ("zeroes only");
    return g_strdup (view->data);
}

static gchar *
direct_text (const DgDocView *view)
{
    const gchar *reason = NULL, *direct = dg__report_direct (view, &reason);
    if (direct == NULL)
        return NULL;
    return reason != NULL ? g_strdup_printf ("%s (%s)", direct, dg__report_reason (reason))
                          : g_strdup (direct);
}

static gchar *
flush_text (const DgDocView *view)
{
    guint64 longest = 0;
    gboolean is_known = FALSE;
    for (guint i = 0; i < view->n_tests; i++)
        if (view->tests[i].flush_ns != DG_DOC_UNKNOWN
            && view->tests[i].direction != DG_DIRECTION_READ
            && dg__report_shown (&view->tests[i]) != NULL) {
            longest = MAX (longest, view->tests[i].flush_ns);
            is_known = TRUE;
        }
    if (!is_known && !dg__report_has_direction (view, DG_DIRECTION_WRITE)
        && !dg__report_has_direction (view, DG_DIRECTION_MIX))
        return NULL;
    GString *text =
        g_string_new (dg_document_counts_flush (view) ? "included in the time" : "not included");
    if (is_known) {
        g_autofree gchar *time = dg_number_latency ((gdouble) longest, DG_FOR_FILE);
        g_string_append_printf (text, ", %s at most", time);
    }
    if (view->write_through)
        g_string_append (text, "; each write to the medium");
    if (view->no_cow)
        g_string_append (text, "; no copy on write");
    return g_string_free (text, FALSE);
}

static gchar *
written_text (const DgDocView *view)
{
    GString *text = g_string_new (NULL);
    if (view->bytes_written != DG_DOC_UNKNOWN) {
        g_autofree gchar *written = dg_number_gib (view->bytes_written, DG_FOR_FILE);
        g_string_append (text, written);
    }
    if (view->bytes_read != DG_DOC_UNKNOWN) {
        g_autofree gchar *read = dg_number_gib (view->bytes_read, DG_FOR_FILE);
        g_string_append_printf (text, "%s %s)", text->len > 0 ? " (read" : "unknown (read", read);
    }
    return g_string_free (text, FALSE);
}

static gchar *
temperature_text (const DgDocView *view)
{
    DgTemperatureSpan span;
    if (!dg__report_temperatures (view, &span))
        return NULL;
    g_autofree gchar *start = dg_number_celsius (span.start, DG_FOR_FILE);
    g_autofree gchar *end = dg_number_celsius (span.end, DG_FOR_FILE);
    g_autofree gchar *highest = dg_number_celsius (span.highest, DG_FOR_FILE);
    GString *text = g_string_new (NULL);
    g_string_append_printf (text, "%s at the start, %s at the end", start, end);
    /* UDisks2 is asked at start and end only: nobody knows what was between. */
    if (g_strcmp0 (span.sensor, "udisks2") != 0)
        g_string_append_printf (text, ", %s at most", highest);
    if (isfinite (span.limit)) {
        g_autofree gchar *limit = dg_number_celsius (span.limit, DG_FOR_FILE);
        g_string_append_printf (text, " (limit %s)", limit);
    }
    return g_string_free (text, FALSE);
}

static void
add_findings (GArray *lines, const DgDocView *view)
{
    for (guint i = 0; i < view->n_findings; i++) {
        const DgDocFinding *finding = &view->findings[i];
        const gchar *text = finding->text != NULL ? finding->text : finding->id;
        add (lines, i == 0 ? "Findings" : "",
             g_strdup_printf ("[%s] %s", dg__report_severity (finding->severity),
                              text != NULL ? text : ""));
    }
}

static gchar *
state_text (const DgDocView *view)
{
    switch (view->state_code) {
    case DG_DOC_STOPPED:
        return g_strdup ("stopped before the end");
    case DG_DOC_FAILED:
        return g_strdup ("failed");
    case DG_DOC_ABANDONED:
        return g_strdup ("abandoned: the drive did not answer any more");
    default:
        return NULL;
    }
}

GArray *
dg__report_lines (const DgDocView *view, guint *ret_n_known)
{
    GArray *lines = g_array_new (FALSE, FALSE, sizeof (DgReportLine));
    g_array_set_clear_func (lines, clear_line);
    add (lines, "Profile", profile_text (view));
    add (lines, "Test", test_text (view));
    add (lines, "Time", time_text (view));
    add (lines, "Date", dg__report_dates (view, '/', TRUE));
    add (lines, "OS", system_text (view));
    *ret_n_known = lines->len;

    const DgDocTarget *target = dg__report_target (view);
    add (lines, "State", state_text (view));
    if (view->origin != NULL && strcmp (view->origin, "measured") != 0)
        add (lines, "Origin", g_strdup (view->origin));
    add (lines, "Drive", drive_text (view));
    if (target != NULL && target->has_link) {
        add (lines, "Link", link_text (&target->link));
        add (lines, "Chain", dg__report_chain (&target->link));
    }
    if (target != NULL)
        add (lines, "File system", file_system_text (target));
    add (lines, "Processor", processor_text (view));
    add (lines, "Direct", direct_text (view));
    add (lines, "Data", data_text (view));
    add (lines, "Backend", dg__report_backends (view));
    add (lines, "Flush", flush_text (view));
    add (lines, "Written", written_text (view));
    add (lines, "Temperature", temperature_text (view));
    add_findings (lines, view);
    add (lines, "Comment", g_strdup (view->comment));
    return lines;
}
