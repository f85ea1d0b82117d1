/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result document (format "drivegauge-result", version 1; data/result.schema.json). The JSON
 * tree is the truth: unknown keys are kept when a document is saved again. Everything else reads
 * the plain structures below, made from the tree once. Unknown numbers are DG_DOC_UNKNOWN or NAN,
 * unknown strings NULL, unknown truths -1. All strings are sanitized for showing (valid UTF-8, no
 * control or bidi characters, at most 256 characters) but not escaped for any markup. */
#pragma once

#include "engine/engine.h"

#include <gio/gio.h>
#include <jansson.h>

G_BEGIN_DECLS

#define DG_DOC_UNKNOWN G_MAXUINT64

typedef struct _DgDocument DgDocument; /* reference-counted; immutable but for the comment and the
                                          findings; main thread or one owner */

typedef struct {
    gchar *kind;           /* "drive", "bridge", "hub", "port", "controller" */
    gchar *name;           /* (nullable) */
    guint64 up_bits_per_s; /* DG_DOC_UNKNOWN */
    gchar *up_name;        /* (nullable) */
    guint64 up_max_bits_per_s;
    gchar *up_max_name; /* (nullable) */
    guint64 other_drives;
    gboolean is_narrowest;
} DgDocNode;

typedef struct {
    gchar *kind, *name, *short_name, *protocol; /* (nullable) */
    guint64 speed_bits_per_s;
    DgDocNode *path;
    guint n_path;
    guint64 after_coding_bytes_per_s, practical_low_bytes_per_s, ceiling_bytes_per_s;
    gchar *best_name; /* (nullable) */
    guint64 best_bits_per_s;
    gint uas_offered; /* by the USB drive's descriptors, whatever is used */
} DgDocLink;

typedef struct {
    gchar *name, *model, *vendor, *firmware; /* (nullable) */
    guint64 size_bytes;
    gint rotational, removable;
    gchar *identity; /* (nullable) 32 hex digits */
    guint64 logical_block_bytes, physical_block_bytes;
    gchar *write_cache, *scheduler; /* (nullable) */
    guint64 queue_limit;
    gint encrypted;
} DgDocDrive;

typedef struct {
    gchar *path, *label, *mount, *filesystem, *options; /* (nullable) */
    guint64 size_bytes, free_bytes;
    gchar **layers;
    guint64 partition_start_bytes;
    gchar *filesystem_kind; /* (nullable) "disk", "memory", "network", "fuse", "overlay", "9p",
                               "zfs" */
    gchar *filesystem_uuid; /* (nullable) */
    gint compressed, copy_on_write, encrypted;
    gint also_running;
    gboolean has_drive, has_link;
    DgDocDrive drive;
    DgDocLink link;
    guint64 file_size_bytes, file_extents, file_prepare_ns;
    gdouble file_prepare_bytes_per_s;
    gint file_direct, file_name_visible, file_no_cow, file_compressed;
    guint64 file_physical_block_bytes;
    guint64 file_leftovers_removed; /* files of killed runs that were deleted first */
    guint64 file_missing_bytes;     /* of the file, that are not on the drive though written */
} DgDocTarget;

typedef struct {
    gchar *operation, *text;
    guint64 offset_bytes, length_bytes, count;
    gint os_code;
} DgDocError;

typedef struct {
    guint64 started_ns, bytes, ios, elapsed_ns;
    gdouble bandwidth_bytes_per_s, iops;
    gdouble latency_mean_ns;
    guint64 min_ns, p50_ns, p95_ns, p99_ns, p99_9_ns, max_ns;
    guint64 read_bytes, write_bytes, read_ios, write_ios; /* mixes; DG_DOC_UNKNOWN */
    gdouble read_latency_mean_ns, write_latency_mean_ns;
    guint64 *samples; /* bytes per sample_step_ns */
    guint n_samples;
    guint64 sample_step_ns;
    gchar *backend, *backend_reason, *direct,
        *direct_reason; /* direct: "proved", "refuted", "unknown" */
    gdouble queue_depth_engine, queue_depth_device;
    guint64 inflight_max, cpu_ns, kernel_worker_cpu_ns, run_wait_ns, first_io_ns, suspended_ns;
    guint64 device_bytes, foreign_bytes, touched_bytes, unfinished, oldest_unfinished_ns;
    gboolean used;
    gint complete; /* -1 = not said */
    DgDocError *errors;
    guint n_errors;
} DgDocRun;

typedef enum {
    DG_DOC_DONE,
    DG_DOC_STOPPED,
    DG_DOC_FAILED,
    DG_DOC_NOT_RUN,
    DG_DOC_ABANDONED,
    DG_DOC_RUNNING /* never saved: the window's present test */
} DgDocState;

typedef struct {
    gchar *kind, *name; /* "speed"; "SEQ1M Q8T1" */
    DgDirection direction;
    DgDocState state;
    gchar *reason;  /* (nullable) */
    gchar *started; /* (nullable) RFC 3339 */
    guint64 warmup_started_ns, warmup_elapsed_ns;
    guint64 *warmup_samples;
    guint n_warmup_samples;
    guint64 flush_ns;
    guint64 block_size_bytes, queue_depth, threads;
    DgAccess access;
    guint64 read_percent;
    DgDocRun *runs;
    guint n_runs;
    gint shown;             /* index into runs, -1 = none */
    gdouble spread_percent; /* NAN */
    gboolean shown_best;
} DgDocTest;

typedef struct {
    guint64 at_ns;
    guint target;
    gchar *sensor;
    gdouble celsius, limit_celsius; /* NAN */
} DgDocTemperature;

typedef enum {
    DG_SEVERITY_INFO,
    DG_SEVERITY_WARNING,
    DG_SEVERITY_INVALID
} DgSeverity;

typedef struct {
    gchar *id;
    DgSeverity severity;
    gint target, test; /* -1 = none */
    json_t *values;    /* (borrowed from the tree) object */
    gchar *text;       /* English */
} DgDocFinding;

typedef struct {
    gchar *id, *started, *state, *origin;
    DgDocState state_code;
    gchar *program_name, *program_version;
    gchar *os, *kernel, *cpu; /* (nullable) */
    guint64 cpus, memory_bytes;
    gint on_battery;
    DgDocTarget *targets;
    guint n_targets;
    /* plan */
    gchar *profile_id;
    guint64 profile_version;
    gboolean statistic_best;
    guint64 runs; /* 0 = auto */
    guint64 warmup_ns, duration_ns, interval_ns, size_bytes, seed,
        mix_read_percent; /* mix: DG_DOC_UNKNOWN = none */
    gchar *backend, *data;
    gboolean include_flush, no_cow, write_through;
    gboolean has_direction[3]; /* by DgDirection */
    DgDocTest
        *tests; /* in the order executed; `kind` other than "speed": only its name is known here */
    guint n_tests;
    guint64 bytes_written, bytes_read;
    DgDocTemperature *temperatures;
    guint n_temperatures;
    DgDocFinding *findings;
    guint n_findings;
    gchar *comment; /* (nullable) */
} DgDocView;

/* Checks the format and makes the view. Takes a reference of `root`. Errors:
 * DG_APP_ERROR_DOCUMENT_* (core/app-error.h). Never crashes on any tree. */
DgDocument *dg_document_new_from_json (json_t *root, GError **error);

/* Documents above 64 MiB, nested deeper than 64 or with arrays above 10⁶ entries are refused before
 * or while parsing. Blocking. */
DgDocument *dg_document_load (GFile *file, GError **error);
DgDocument *dg_document_new_from_bytes (GBytes *bytes, GError **error);

DgDocument *dg_document_ref (DgDocument *document);
void dg_document_unref (DgDocument *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgDocument, dg_document_unref)

const DgDocView *dg_document_view (const DgDocument *document); /* (transfer none) */
json_t *dg_document_json (const DgDocument *document);          /* (transfer none) */

/* Was this test measured a good while after those before it: a row alone, later than the rest?
 * Asked for all tests in order; `end_before_ns` begins as DG_DOC_UNKNOWN. */
gboolean dg_document_is_another_go (const DgDocView *view, guint test, guint64 *end_before_ns);
/* Whether a write's time has its flush in it: as was asked for, or because it went through the
 * system's cache. */
gboolean dg_document_counts_flush (const DgDocView *view);
/* Whether something under way at the run's end was older than the slowest counted: figures do not
 * tell of it. */
gboolean dg_document_left_older (const DgDocRun *run);
/* All warm-ups and runs together, whenever they were. */
guint64 dg_document_measured_ns (const DgDocView *view);

/* New text for `comment`, sanitized; NULL or "" removes it. */
void dg_document_set_comment (DgDocument *document, const gchar *comment);

/* Makes the findings again from the document alone, replacing the known ones. */
void dg_document_renew_findings (DgDocument *document);

/* UTF-8 JSON, indented, C locale, ending in a newline. Without identity: identity, path, mount and
 * host details that name the machine are left out. */
gchar *dg_document_to_text (const DgDocument *document, gboolean with_identity);

/* Written beside and renamed, mode 0600. Blocking. */
gboolean dg_document_save (const DgDocument *document, GFile *file, gboolean with_identity,
                           GError **error);

G_END_DECLS
