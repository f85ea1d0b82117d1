/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by findings*.c only. */
#pragma once

#include "app/core/findings.h"
#include "app/core/numbers.h"

#include <glib/gi18n.h>

G_BEGIN_DECLS

#define DG_ENOUGH_IOS 100u /* for percentiles */

/* ---- making ---- */
typedef struct {
    const DgDocView *view;
    json_t *out;
} DgFindings;

/* One finding an id and target: `test` is the one that shows it best, `tests` (nullable, taken) the
 * indices of all. Takes `values`. */
void dg_findings_add (DgFindings *self, const gchar *id, DgSeverity severity, gint target,
                      gint test, GArray *tests, json_t *values);

void dg_findings_make_link (
    DgFindings *self); /* above-link slow-port bot-not-uas narrow-link link-is-limit shared-hub */
void dg_findings_make_runs (DgFindings *self); /* what the runs' counters tell */
void dg_findings_make_course (
    DgFindings *self); /* what their course over time tells: throttled cache-ended */
void dg_findings_make_target (DgFindings *self); /* file system, drive, host, plan */

/* The run whose figure a test shows, NULL if none. */
const DgDocRun *dg_findings_shown (const DgDocTest *test);
/* Was the drive busy with others in any run, or the processor the limit? Then a change of speed
 * tells nothing of the drive. */
gboolean dg_findings_was_disturbed (const DgDocView *view, const DgDocTest *test);
guint dg_findings_target_of (const DgDocView *view, const DgDocTest *test);

/* ---- describing ---- */
typedef struct {
    const DgDocView *view;
    const DgDocFinding *finding;
    gboolean translate; /* else English for the file */
    DgNumberFor purpose;
    GPtrArray *owned; /* of the texts of dg_word_value () */
} DgWording;

const gchar *dg_word (const DgWording *w, const gchar *message) G_GNUC_FORMAT (2);
const gchar *dg_words (const DgWording *w, const gchar *one, const gchar *many, gulong n)
    G_GNUC_FORMAT (2) G_GNUC_FORMAT (3);
guint64 dg_word_u64 (const DgWording *w, const gchar *key);
gdouble dg_word_real (const DgWording *w, const gchar *key);
/* Sanitized, for a document may say anything; lives as long as the wording. NULL */
const gchar *dg_word_value (const DgWording *w, const gchar *key);
/* Are all of these values known? Keys, then NULL. A sentence that names a value stands behind such
 * a question, and says the same without it if not. */
gboolean dg_word_has (const DgWording *w, const gchar *key, ...) G_GNUC_NULL_TERMINATED;
gchar *dg_word_test (const DgWording *w);          /* "RND4K Q32T1 write"; (transfer full) */
gboolean dg_word_is_at_limit (const DgWording *w); /* of a "throttled" */
gchar *dg_word_percent (const DgWording *w, gdouble percent);
gchar *dg_word_rate (const DgWording *w, gdouble bytes_per_s); /* with its unit */

/* The sentences; each (transfer full). */
gchar *dg_sentence_not_direct (const DgWording *w);
gchar *dg_sentence_above_link (const DgWording *w);
gchar *dg_sentence_slow_port (const DgWording *w);
gchar *dg_sentence_bot_not_uas (const DgWording *w);
gchar *dg_sentence_narrow_link (const DgWording *w);
gchar *dg_sentence_link_is_limit (const DgWording *w);
gchar *dg_sentence_shared_hub (const DgWording *w);
gchar *dg_sentence_unstable (const DgWording *w);
gchar *dg_sentence_was_asleep (const DgWording *w);
gchar *dg_sentence_throttled (const DgWording *w);
gchar *dg_sentence_cache_ended (const DgWording *w);
gchar *dg_sentence_busy_drive (const DgWording *w);
gchar *dg_sentence_cpu_limited (const DgWording *w);
gchar *dg_sentence_queue_not_reached (const DgWording *w);
gchar *dg_sentence_kernel_threads (const DgWording *w);
gchar *dg_sentence_too_few_ios (const DgWording *w);
gchar *dg_sentence_fragmented (const DgWording *w);
gchar *dg_sentence_misaligned (const DgWording *w);
gchar *dg_sentence_sub_sector (const DgWording *w);
gchar *dg_sentence_zero_data (const DgWording *w);
gchar *dg_sentence_compressed (const DgWording *w);
gchar *dg_sentence_copy_on_write (const DgWording *w);
gchar *dg_sentence_encrypted (const DgWording *w);
gchar *dg_sentence_network_target (const DgWording *w);
gchar *dg_sentence_memory_target (const DgWording *w);
gchar *dg_sentence_fuse_target (const DgWording *w);
gchar *dg_sentence_nearly_full (const DgWording *w);
gchar *dg_sentence_fallback_backend (const DgWording *w);
gchar *dg_sentence_io_errors (const DgWording *w);
gchar *dg_sentence_also_running (const DgWording *w);
gchar *dg_sentence_suspended (const DgWording *w);
gchar *dg_sentence_on_battery (const DgWording *w);

G_END_DECLS
