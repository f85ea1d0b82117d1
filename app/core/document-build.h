/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a document from what was chosen and what the engine measured. Nothing is rounded here; each
 * rate is made once, by engine/result.h. Main thread. */
#pragma once

#include "app/core/document.h"
#include "app/core/options.h"

G_BEGIN_DECLS

typedef struct _DgBuilder DgBuilder;

/* Everything is copied. `plan` as made from `options`; `target`: index into the list; `previous`
 * (nullable): a document whose other tests stand in the new one, which then keeps its `started`, so
 * that every offset in it stays true. They are left out when the target, its port or anything else
 * of dg_build_conditions () has changed since. */
DgBuilder *dg_builder_new (const DgOptions *options, const DgPlan *plan, const DgTargetList *list,
                           guint target, DgDocument *previous);
void dg_builder_free (DgBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgBuilder, dg_builder_free)

/* What the figures of a target hang on: file system, drive, port and everything in between, as a
 * text that stays equal as long as figures may stand side by side in one document. (transfer full)
 */
gchar *dg_build_conditions (const DgTargetList *list, guint target);
gchar *dg_build_conditions_of (json_t *target); /* of a document's */

const gchar *dg_builder_id (const DgBuilder *builder);
/* When the engine's clock began, counted from the document's `started`: that of the previous one
 * where its tests stand in this. */
guint64 dg_builder_offset_ns (const DgBuilder *builder);
void dg_builder_set_also_running (DgBuilder *builder, gboolean also_running);
void dg_builder_set_comment (DgBuilder *builder, const gchar *comment);
void dg_builder_set_file (DgBuilder *builder, const DgFileResult *file);
void dg_builder_add_temperature (DgBuilder *builder, const gchar *sensor, guint64 at_ns,
                                 gdouble celsius, gdouble limit_celsius);

/* Step `index` has ended; given once. */
void dg_builder_add_step (DgBuilder *builder, guint index, const DgStepResult *step);
/* The end of it: totals; steps that were never begun are listed as not run. */
void dg_builder_finish (DgBuilder *builder, const DgPlanResult *result);

/* A document of what there is by now, with its findings. (transfer full) */
DgDocument *dg_builder_make (DgBuilder *builder);

/* ---- for document-build*.c ---- */
json_t *dg_build_target (const DgTargetList *list, guint target);
json_t *dg_build_file (const DgFileResult *file);
json_t *dg_build_plan (const DgOptions *options, const DgPlan *plan);
/* `at`: the moment from which the engine's times count; `offset_ns`: the same, counted from the
 * document's `started`. */
json_t *dg_build_test (const DgPlan *plan, guint index, gboolean statistic_best, GDateTime *at,
                       guint64 offset_ns, const DgStepResult *step);
json_t *dg_build_test_not_run (const DgPlan *plan, guint index, const gchar *reason);

/* Unknown (UINT64_MAX, NAN, NULL, -1) becomes null. */
void dg_build_u64 (json_t *object, const gchar *key, guint64 value);
void dg_build_real (json_t *object, const gchar *key, gdouble value);
void dg_build_text (json_t *object, const gchar *key, const gchar *text);
void dg_build_truth (json_t *object, const gchar *key, gint truth);
gchar *dg_build_time (GDateTime *time); /* RFC 3339 with milliseconds; (transfer full) */

G_END_DECLS
