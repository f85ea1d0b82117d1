/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the written reports and the card say alike. English, C locale. */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

/* The first target; NULL when there is none. */
const DgDocTarget *dg__report_target (const DgDocView *view);

/* "Samsung T7 Shield" (vendor only where the model does not begin with it), else the label, else
 * the file system, else the link's kind, else NULL. (transfer full) */
gchar *dg__report_drive (const DgDocView *view, gboolean *ret_has_model);
/* As people write it: "exFAT" for "exfat"; others as they are. (transfer none) */
const gchar *dg__report_file_system_title (const gchar *file_system);
/* The size of the drive, else of the file system; DG_DOC_UNKNOWN. */
guint64 dg__report_size_bytes (const DgDocView *view);

/* "2025-11-30 14:32:07" with `date_separator` for the dashes, as written in the document; NULL.
 * (transfer full) */
gchar *dg__report_date (const DgDocView *view, gchar date_separator, gboolean with_seconds);

/* The same, and when later tests of it were measured: "2025-11-30 10:00 (RND4K Q1T1: 14:00)"; NULL.
 * (transfer full) Test names are untrusted. */
gchar *dg__report_dates (const DgDocView *view, gchar date_separator, gboolean with_seconds);

/* The run that a test shows; NULL. */
const DgDocRun *dg__report_shown (const DgDocTest *test);
gboolean dg__report_is_speed (const DgDocTest *test);
gboolean dg__report_has_direction (const DgDocView *view, DgDirection direction);
/* Read percent of the mix tests, DG_DOC_UNKNOWN. */
guint64 dg__report_mix_percent (const DgDocView *view);

/* "proved", "refuted", "unknown" of all runs together, or NULL when nothing was run; `ret_reason`
 * (transfer none) (nullable). */
const gchar *dg__report_direct (const DgDocView *view, const gchar **ret_reason);
/* A reason of a test or of directness as English words; one that is not known is returned as it is.
 * NULL-safe. */
const gchar *dg__report_reason (const gchar *reason);
/* "not run: the drive failed before"; NULL where a test was measured to its end. (transfer full) */
gchar *dg__report_state (const DgDocTest *test);
/* "io_uring" or "io_uring, threads"; NULL. (transfer full) */
gchar *dg__report_backends (const DgDocView *view);

typedef struct {
    gdouble start, end, lowest, highest, limit; /* degrees Celsius; NAN */
    const gchar *sensor; /* (transfer none) (nullable) the one with most values */
} DgTemperatureSpan;

/* FALSE when none is known. Of the first target. */
gboolean dg__report_temperatures (const DgDocView *view, DgTemperatureSpan *ret_span);

/* "T7 Shield = PCIe 3.0 ×2 = ASM2362 = 10 Gb/s (narrowest) = ..."; NULL. (transfer full) */
gchar *dg__report_chain (const DgDocLink *link);

typedef struct {
    const gchar *label; /* static, "File system" */
    gchar *value;       /* (owned) untrusted: escape it */
} DgReportLine;

/* Profile, Test, Time, Date, OS; then Drive, Link, File system and so on: the array's first
 * `ret_n_known` lines are those of the well-known layout. (transfer full) */
GArray *dg__report_lines (const DgDocView *view, guint *ret_n_known);

/* The blocks of results as in the text report, from "[Read]" on. Test names pass `escape`
 * (nullable). */
void dg__report_append_results (GString *out, const DgDocView *view,
                                gchar *(*escape) (const gchar *text));

/* "info", "warning", "invalid". */
const gchar *dg__report_severity (DgSeverity severity);

G_END_DECLS
