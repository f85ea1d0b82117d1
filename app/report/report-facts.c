/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/report-private.h"

#include "app/core/numbers.h"
#include "engine/reason.h"

#include <math.h>
#include <string.h>

const DgDocTarget *
dg__report_target (const DgDocView *view)
{
    return view->n_targets > 0 ? &view->targets[0] : NULL;
}

static gboolean
is_text (const gchar *text)
{
    return text != NULL && *text != '\0';
}

static gchar *
model_name (const DgDocDrive *drive)
{
    if (!is_text (drive->model))
        return is_text (drive->vendor) ? g_strdup (drive->vendor) : NULL;
    g_autofree gchar *model = g_ascii_strdown (drive->model, -1);
    g_autofree gchar *vendor = is_text (drive->vendor) ? g_ascii_strdown (drive->vendor, -1) : NULL;
    /* "ATA" and "USB" stand for a bus where the vendor should be. */
    static const gchar *const buses[] = { "ata", "usb", "nvme", "generic", NULL };
    if (vendor == NULL || g_str_has_prefix (model, vendor) || g_strv_contains (buses, vendor))
        return g_strdup (drive->model);
    return g_strdup_printf ("%s %s", drive->vendor, drive->model);
}

gchar *
dg__report_drive (const DgDocView *view, gboolean *ret_has_model)
{
    const DgDocTarget *target = dg__report_target (view);
    if (ret_has_model != NULL)
        *ret_has_model = FALSE;
    if (target == NULL)
        return NULL;
    gchar *model = target->has_drive ? model_name (&target->drive) : NULL;
    if (model != NULL) {
        if (ret_has_model != NULL)
            *ret_has_model = TRUE;
        return model;
    }
    if (is_text (target->label))
        return g_strdup (target->label);
    /* A virtual drive tells no model: "vda" says more than "ext4". */
    if (target->has_drive && is_text (target->drive.name))
        return g_strdup (target->drive.name);
    if (is_text (target->filesystem))
        return g_strdup (dg__report_file_system_title (target->filesystem));
    return target->has_link && is_text (target->link.kind) ? g_strdup (target->link.kind) : NULL;
}

const gchar *
dg__report_file_system_title (const gchar *file_system)
{
    static const struct {
        const gchar *name, *title;
    } titles[] = { { "exfat", "exFAT" }, { "vfat", "FAT" },   { "msdos", "FAT" },
                   { "ntfs", "NTFS" },   { "ntfs3", "NTFS" }, { "btrfs", "Btrfs" },
                   { "xfs", "XFS" },     { "f2fs", "F2FS" },  { "zfs", "ZFS" },
                   { "nfs", "NFS" },     { "nfs4", "NFS" },   { "refs", "ReFS" } };
    for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
        if (g_ascii_strcasecmp (file_system, titles[i].name) == 0)
            return titles[i].title;
    return file_system;
}

guint64
dg__report_size_bytes (const DgDocView *view)
{
    const DgDocTarget *target = dg__report_target (view);
    if (target == NULL)
        return DG_DOC_UNKNOWN;
    guint64 size = target->has_drive ? target->drive.size_bytes : DG_DOC_UNKNOWN;
    return size != DG_DOC_UNKNOWN && size != 0 ? size : target->size_bytes;
}

/* The date as it stands in the text, or the time alone; NULL. */
static gchar *
date_of (const gchar *rfc3339, gchar date_separator, gboolean with_date, gboolean with_seconds)
{
    guint year, month, day, hour, minute, second;
    if (rfc3339 == NULL
        || sscanf (rfc3339, "%4u-%2u-%2u%*[Tt ]%2u:%2u:%2u", &year, &month, &day, &hour, &minute,
                   &second)
               != 6)
        return NULL;
    GString *date = g_string_new (NULL);
    if (with_date)
        g_string_append_printf (date, "%04u%c%02u%c%02u ", year, date_separator, month,
                                date_separator, day);
    g_string_append_printf (date, "%02u:%02u", hour, minute);
    if (with_seconds)
        g_string_append_printf (date, ":%02u", second);
    if (g_str_has_suffix (rfc3339, "Z") || g_str_has_suffix (rfc3339, "z"))
        g_string_append (date, " UTC");
    return g_string_free (date, FALSE);
}

gchar *
dg__report_date (const DgDocView *view, gchar date_separator, gboolean with_seconds)
{
    return date_of (view->started, date_separator, TRUE, with_seconds);
}

#define MOST_DATES 4

gchar *
dg__report_dates (const DgDocView *view, gchar date_separator, gboolean with_seconds)
{
    g_autofree gchar *first = dg__report_date (view, date_separator, with_seconds);
    GString *later = g_string_new (NULL);
    guint64 end_ns = DG_DOC_UNKNOWN;
    guint n = 0;
    for (guint i = 0; first != NULL && i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        if (!dg_document_is_another_go (view, i, &end_ns) || test->started == NULL)
            continue;
        gboolean is_same_day = strncmp (test->started, view->started, 10) == 0;
        g_autofree gchar *date =
            date_of (test->started, date_separator, !is_same_day, with_seconds);
        if (date == NULL)
            continue;
        if (n < MOST_DATES)
            g_string_append_printf (later, "%s%s: %s", n > 0 ? ", " : "",
                                    test->name != NULL ? test->name : "?", date);
        else if (n == MOST_DATES)
            g_string_append (later, ", …");
        n++;
    }
    gchar *all = n == 0 ? g_steal_pointer (&first) : g_strdup_printf ("%s (%s)", first, later->str);
    g_string_free (later, TRUE);
    return all;
}

const DgDocRun *
dg__report_shown (const DgDocTest *test)
{
    return test->shown >= 0 && (guint) test->shown < test->n_runs ? &test->runs[test->shown] : NULL;
}

gboolean
dg__report_is_speed (const DgDocTest *test)
{
    return g_strcmp0 (test->kind, "speed") == 0;
}

gboolean
dg__report_has_direction (const DgDocView *view, DgDirection direction)
{
    for (guint i = 0; i < view->n_tests; i++)
        if (view->tests[i].direction == direction && dg__report_is_speed (&view->tests[i]))
            return TRUE;
    return FALSE;
}

guint64
dg__report_mix_percent (const DgDocView *view)
{
    if (view->mix_read_percent != DG_DOC_UNKNOWN)
        return view->mix_read_percent;
    for (guint i = 0; i < view->n_tests; i++)
        if (view->tests[i].direction == DG_DIRECTION_MIX)
            return view->tests[i].read_percent;
    return DG_DOC_UNKNOWN;
}

const gchar *
dg__report_direct (const DgDocView *view, const gchar **ret_reason)
{
    const gchar *worst = NULL, *reason = NULL;
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            const DgDocRun *run = &view->tests[i].runs[k];
            if (g_strcmp0 (run->direct, "refuted") == 0) {
                *ret_reason = run->direct_reason;
                return "refuted";
            }
            gboolean is_proved = g_strcmp0 (run->direct, "proved") == 0;
            if (worst == NULL)
                worst = "proved";
            if (!is_proved && strcmp (worst, "proved") == 0) {
                worst = "unknown";
                reason = run->direct_reason;
            }
        }
    *ret_reason = reason;
    return worst;
}

const gchar *
dg__report_reason (const gchar *reason)
{
    static const struct {
        const gchar *reason, *text;
    } texts[] = {
        { DG_REASON_BELOW_LOGICAL_BLOCK, "its block is smaller than the drive’s" },
        { DG_REASON_THREADS_CANNOT_QUEUE_WRITES, "the backend threads cannot queue writes" },
        { DG_REASON_STOPPED_BEFORE, "the run was stopped before" },
        { DG_REASON_FAILED_BEFORE, "the drive failed before" },
        { DG_REASON_BACKEND_MISSING, "its backend is missing" },
        { DG_REASON_FILE_TOO_SMALL, "the test file is too small" },
        { DG_REASON_CACHE_GREW, "the page cache grew" },
        { DG_REASON_DIRTIED, "writing went through the page cache" },
        { DG_REASON_DEVICE_SAW_LESS, "the device moved less than was asked for" },
        { DG_REASON_REFUSED_O_DIRECT, "the file system refused it" },
        { DG_REASON_MEMORY, "the file system is in memory" },
        { DG_REASON_LOOP_CACHES, "the loop device caches" },
        { DG_REASON_NETWORK, "a network file system" },
        { DG_REASON_FUSE, "a file system served by a program" },
        { DG_REASON_OVERLAY, "an overlay" },
        { DG_REASON_ZFS, "ZFS has a cache of its own" },
        { DG_REASON_9P, "a file system of the host (9p)" },
        { DG_REASON_NO_MEANS, "this system has no way to tell" },
        { DG_REASON_TOO_FEW, "too little was moved to tell" },
    };
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        if (g_strcmp0 (reason, texts[i].reason) == 0)
            return texts[i].text;
    return reason;
}

static const gchar *
state_word (DgDocState state)
{
    switch (state) {
    case DG_DOC_STOPPED:
        return "stopped";
    case DG_DOC_FAILED:
        return "failed";
    case DG_DOC_NOT_RUN:
        return "not run";
    case DG_DOC_ABANDONED:
        return "abandoned";
    case DG_DOC_DONE:
    case DG_DOC_RUNNING:
        break;
    }
    return NULL;
}

gchar *
dg__report_state (const DgDocTest *test)
{
    const gchar *state = state_word (test->state);
    const gchar *reason = dg__report_reason (test->reason);
    if (state == NULL)
        return NULL;
    return reason != NULL ? g_strdup_printf ("%s: %s", state, reason) : g_strdup (state);
}

gchar *
dg__report_backends (const DgDocView *view)
{
    GString *names = g_string_new (NULL);
    g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            const DgDocRun *run = &view->tests[i].runs[k];
            if (!is_text (run->backend) || !g_hash_table_add (known, run->backend))
                continue;
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", run->backend);
        }
    return g_string_free (names, names->len == 0);
}

/* The one with most values; the first of those that have as many. */
static const gchar *
busiest_sensor (const DgDocView *view)
{
    g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
    const gchar *best = NULL;
    guint best_count = 0;
    for (guint turn = 0; turn < 2; turn++)
        for (guint i = 0; i < view->n_temperatures; i++) {
            const gchar *sensor = view->temperatures[i].sensor;
            if (view->temperatures[i].target != 0 || sensor == NULL)
                continue;
            guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, sensor));
            if (turn == 0) {
                g_hash_table_insert (counts, (gpointer) sensor, GUINT_TO_POINTER (count + 1));
            } else if (count > best_count) {
                best = sensor;
                best_count = count;
            }
        }
    return best;
}

gboolean
dg__report_temperatures (const DgDocView *view, DgTemperatureSpan *ret_span)
{
    DgTemperatureSpan span = { NAN, NAN, NAN, NAN, NAN, busiest_sensor (view) };
    for (guint i = 0; i < view->n_temperatures; i++) {
        const DgDocTemperature *t = &view->temperatures[i];
        if (t->target != 0 || g_strcmp0 (t->sensor, span.sensor) != 0 || !isfinite (t->celsius))
            continue;
        if (!isfinite (span.start))
            span.start = t->celsius;
        span.end = t->celsius;
        span.lowest = fmin (span.lowest, t->celsius);
        span.highest = fmax (span.highest, t->celsius);
        if (isfinite (t->limit_celsius))
            span.limit = t->limit_celsius;
    }
    if (!isfinite (span.start))
        return FALSE;
    *ret_span = span;
    return TRUE;
}

gchar *
dg__report_chain (const DgDocLink *link)
{
    if (link->n_path < 2)
        return NULL;
    GString *chain = g_string_new (NULL);
    for (guint i = 0; i < link->n_path; i++) {
        const DgDocNode *node = &link->path[i];
        g_string_append (chain, is_text (node->name)   ? node->name
                                : is_text (node->kind) ? node->kind
                                                       : "?");
        if (is_text (node->name) && is_text (node->kind) && strcmp (node->kind, "drive") != 0
            && strcmp (node->kind, "port") != 0)
            g_string_append_printf (chain, " %s", node->kind);
        gboolean is_last = i + 1 == link->n_path;
        if (is_last && node->up_bits_per_s == DG_DOC_UNKNOWN)
            break;
        g_autofree gchar *rate = dg_number_line_rate (node->up_bits_per_s, DG_FOR_FILE);
        const gchar *speed = is_text (node->up_name) ? node->up_name : rate;
        g_string_append_printf (chain, " =[%s%s]= ", strcmp (speed, "—") == 0 ? "?" : speed,
                                node->is_narrowest ? ", narrowest" : "");
        if (is_last)
            g_string_append (chain, "computer");
    }
    return g_string_free (chain, FALSE);
}

const gchar *
dg__report_severity (DgSeverity severity)
{
    return severity == DG_SEVERITY_INVALID   ? "invalid"
           : severity == DG_SEVERITY_WARNING ? "warning"
                                             : "info";
}
