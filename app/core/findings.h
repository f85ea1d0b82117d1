/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pure functions from the document alone: what a result's validity or its limit is. Thresholds:
 * DESIGN section 6. */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

/* A new JSON array of findings for the view, ordered: invalid, what limits, doubts, info. (transfer
 * full) */
json_t *dg_findings_make (const DgDocView *view);

/* For people: the bold first words and the plain sentence that follows, translated, from id and
 * values; unknown ids show the document's own text. (transfer full) */
void dg_finding_describe (const DgDocView *view, const DgDocFinding *finding, gchar **ret_title,
                          gchar **ret_sentence);

/* Is it one of the findings that dg_findings_make () may make? */
gboolean dg_findings_is_known (const gchar *id);

/* Does it speak of this test? A finding names the test that shows it best in `test` and all of them
 * in values.tests. */
gboolean dg_findings_concerns (const DgDocFinding *finding, gint test);

/* The part of a run's bandwidth that the busier direction of the link carried, 0.5 to 1: 1 for
 * reads and writes, and for mixes on links that move one direction at a time. Without a run (NULL)
 * as `read_percent` (of a mix, DG_DOC_UNKNOWN else) says. The link's rates are those of one
 * direction.
 */
gdouble dg_findings_carried_part (const DgDocLink *link, const DgDocRun *run, guint64 read_percent);

/* TRUE when `direct` is "proved" in all runs: the tick "Direct I/O proven". */
gboolean dg_findings_direct_proved (const DgDocView *view);
void dg_findings_describe_proof (const DgDocView *view, gchar **ret_title, gchar **ret_sentence);

/* TRUE when something was run, nothing was refuted, and at least one run could not be proved: what
 * is said in the tick's place. `ret_reason` (nullable) is of the first such run, a word of
 * engine/reason.h or NULL; it belongs to the view. */
gboolean dg_findings_direct_unproved (const DgDocView *view, const gchar **ret_reason);
void dg_findings_describe_doubt (const DgDocView *view, gchar **ret_title, gchar **ret_sentence);

G_END_DECLS
