/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/document-build.h"

#include "app/core/document-private.h"
#include "app/core/host.h"
#include "app/core/numbers.h"

#include "config.h"

struct _DgBuilder {
    json_t *head;         /* (owned) everything but tests[], state and findings */
    json_t *target;       /* (borrowed from head) */
    json_t *copied;       /* (owned) tests of the previous document */
    json_t *done;         /* (owned) tests of ended steps */
    json_t *temperatures; /* (borrowed from head) */
    const gchar *state;
    gchar *id;
    const DgPlan *plan; /* (borrowed: outlives the builder) */
    gboolean statistic_best;
    GDateTime *at;     /* when the engine's clock began */
    guint64 offset_ns; /* of `at` from the document's `started` */
    guint64 bytes_written_before, bytes_read_before;
    /* Of the copied tests: what was true of them stays true of the document. */
    gboolean was_also_running;
    guint64 extents_before; /* DG_DOC_UNKNOWN */
    guint n_done;
};

static json_t *
build_host (void)
{
    DgHost host;
    dg_host_read (NULL, &host);
    json_t *object = json_object ();
    dg_build_text (object, "os", host.os);
    dg_build_text (object, "kernel", host.kernel);
    dg_build_text (object, "cpu", host.cpu);
    dg_build_u64 (object, "cpus", host.cpus);
    dg_build_u64 (object, "memory_bytes",
                  host.memory_bytes == 0 ? DG_DOC_UNKNOWN : host.memory_bytes);
    dg_build_truth (object, "on_battery", host.on_battery);
    dg_host_clear (&host);
    return object;
}

/* Is one of the plan's steps this test? Then it is measured anew. */
static gboolean
is_in_plan (const DgPlan *plan, json_t *test)
{
    for (guint i = 0; i < plan->n_steps; i++) {
        json_t *ours = dg_build_test_not_run (plan, i, NULL);
        gboolean equal = json_equal (json_object_get (ours, "name"), json_object_get (test, "name"))
                         && json_equal (json_object_get (ours, "direction"),
                                        json_object_get (test, "direction"));
        json_decref (ours);
        if (equal)
            return TRUE;
    }
    return FALSE;
}

/* The greatest offset that anything in the previous document has: a clock that was set back must
 * not make the new tests overlap the old. */
static guint64
end_of (const DgDocView *view)
{
    guint64 end = 0;
    for (guint i = 0; i < view->n_tests; i++)
        for (guint k = 0; k < view->tests[i].n_runs; k++) {
            const DgDocRun *run = &view->tests[i].runs[k];
            if (run->started_ns != DG_DOC_UNKNOWN && run->elapsed_ns != DG_DOC_UNKNOWN
                && run->started_ns < G_MAXINT64 / 2 && run->elapsed_ns < G_MAXINT64 / 2)
                end = MAX (end, run->started_ns + run->elapsed_ns);
        }
    return end;
}

static gboolean
is_of_this_target (DgBuilder *self, DgDocument *previous)
{
    json_t *targets = json_object_get (dg_document_json (previous), "targets");
    g_autofree gchar *now = dg_build_conditions_of (self->target);
    g_autofree gchar *then = dg_build_conditions_of (json_array_get (targets, 0));
    return g_strcmp0 (now, then) == 0;
}

/* A finding about the whole document rests on the worst that any of its tests was measured under.
 */
static void
take_conditions (DgBuilder *self, const DgDocView *view)
{
    const DgDocTarget *before = &view->targets[0];
    guint64 free_now = dg_json_u64 (self->target, "free_bytes");
    self->was_also_running = before->also_running == 1;
    self->extents_before = before->file_extents;
    if (before->free_bytes != DG_DOC_UNKNOWN && before->free_bytes < free_now)
        dg_build_u64 (self->target, "free_bytes", before->free_bytes);
    if (view->on_battery == 1)
        dg_build_truth (json_object_get (self->head, "host"), "on_battery", TRUE);
}

static void
take_previous (DgBuilder *self, DgDocument *previous)
{
    const DgDocView *view = dg_document_view (previous);
    json_t *root = dg_document_json (previous), *tests = json_object_get (root, "tests"),
           *temperatures = json_object_get (root, "temperatures");
    for (gsize i = 0; i < json_array_size (tests); i++) {
        json_t *test = json_array_get (tests, i);
        const gchar *state = json_string_value (json_object_get (test, "state"));
        if (g_strcmp0 (state, "running") != 0 && !is_in_plan (self->plan, test))
            json_array_append_new (self->copied, json_deep_copy (test));
    }
    if (json_array_size (self->copied) == 0)
        return;
    take_conditions (self, view);
    for (gsize i = 0; i < json_array_size (temperatures); i++)
        json_array_append_new (self->temperatures,
                               json_deep_copy (json_array_get (temperatures, i)));
    g_autoptr (GDateTime) started = g_date_time_new_from_iso8601 (view->started, NULL);
    GTimeSpan span = started == NULL ? 0 : g_date_time_difference (self->at, started);
    self->offset_ns = MAX ((guint64) MAX (span, 0) * 1000u, end_of (view));
    json_object_set_new (self->head, "started", json_string (view->started));
    self->bytes_written_before = view->bytes_written == DG_DOC_UNKNOWN ? 0 : view->bytes_written;
    self->bytes_read_before = view->bytes_read == DG_DOC_UNKNOWN ? 0 : view->bytes_read;
    if (!json_is_null (json_object_get (root, "comment"))
        && json_object_get (self->head, "comment") == NULL && view->comment != NULL)
        json_object_set_new (self->head, "comment", json_string (view->comment));
}

DgBuilder *
dg_builder_new (const DgOptions *options, const DgPlan *plan, const DgTargetList *list,
                guint target, DgDocument *previous)
{
    DgBuilder *self = g_new0 (DgBuilder, 1);
    self->plan = plan;
    self->statistic_best = options->statistic_best;
    self->id = g_uuid_string_random ();
    self->at = g_date_time_new_now_local ();
    self->state = "running";
    self->extents_before = DG_DOC_UNKNOWN;
    self->copied = json_array ();
    self->done = json_array ();
    self->target = dg_build_target (list, target);
    self->temperatures = json_array ();

    g_autofree gchar *started = dg_build_time (self->at);
    json_t *head = self->head = json_object ();
    dg_build_text (head, "format", "drivegauge-result");
    json_object_set_new (head, "version", json_integer (1));
    dg_build_text (head, "id", self->id);
    dg_build_text (head, "started", started);
    dg_build_text (head, "state", self->state);
    dg_build_text (head, "origin", "measured");
    json_object_set_new (head, "program",
                         json_pack ("{s:s, s:s}", "name", "Drive Gauge", "version", DG_VERSION));
    json_object_set_new (head, "host", build_host ());
    json_object_set_new (head, "targets", json_pack ("[o]", self->target));
    json_object_set_new (head, "plan", dg_build_plan (options, plan));
    json_object_set_new (head, "tests", json_array ());
    json_object_set_new (head, "bytes_written", json_null ());
    json_object_set_new (head, "bytes_read", json_null ());
    json_object_set_new (head, "temperatures", self->temperatures);
    json_object_set_new (head, "findings", json_array ());
    dg_builder_set_comment (self, options->comment);
    if (previous != NULL && is_of_this_target (self, previous))
        take_previous (self, previous);
    return self;
}

void
dg_builder_free (DgBuilder *self)
{
    if (self == NULL)
        return;
    json_decref (self->head);
    json_decref (self->copied);
    json_decref (self->done);
    g_date_time_unref (self->at);
    g_free (self->id);
    g_free (self);
}

const gchar *
dg_builder_id (const DgBuilder *self)
{
    return self->id;
}

guint64
dg_builder_offset_ns (const DgBuilder *self)
{
    return self->offset_ns;
}

void
dg_builder_set_also_running (DgBuilder *self, gboolean also_running)
{
    dg_build_truth (self->target, "also_running", also_running || self->was_also_running);
}

void
dg_builder_set_comment (DgBuilder *self, const gchar *comment)
{
    g_autofree gchar *clean = dg_text_sanitize (comment);
    if (clean == NULL || clean[0] == '\0')
        json_object_del (self->head, "comment");
    else
        json_object_set_new (self->head, "comment", json_string (clean));
}

void
dg_builder_set_file (DgBuilder *self, const DgFileResult *file)
{
    json_t *object = dg_build_file (file);
    /* The copied tests' file has gone; a worse one than this is not forgotten with it. */
    if (self->extents_before != DG_DOC_UNKNOWN && file->extents != DG_UNKNOWN_U64
        && self->extents_before > file->extents)
        dg_build_u64 (object, "extents", self->extents_before);
    json_object_set_new (self->target, "file", object);
}

void
dg_builder_add_temperature (DgBuilder *self, const gchar *sensor, guint64 at_ns, gdouble celsius,
                            gdouble limit_celsius)
{
    json_t *object = json_object ();
    json_object_set_new (object, "target", json_integer (0));
    dg_build_text (object, "sensor", sensor);
    dg_build_u64 (object, "at_ns", self->offset_ns + at_ns);
    dg_build_real (object, "celsius", celsius);
    dg_build_real (object, "limit_celsius", limit_celsius);
    json_array_append_new (self->temperatures, object);
}

void
dg_builder_add_step (DgBuilder *self, guint index, const DgStepResult *step)
{
    json_array_append_new (self->done, dg_build_test (self->plan, index, self->statistic_best,
                                                      self->at, self->offset_ns, step));
    self->n_done = index + 1;
}

void
dg_builder_finish (DgBuilder *self, const DgPlanResult *result)
{
    self->state = result->state == DG_STATE_DONE      ? "done"
                  : result->state == DG_STATE_STOPPED ? "stopped"
                  : result->state == DG_STATE_FAILED  ? "failed"
                                                      : "abandoned";
    const gchar *reason =
        result->state == DG_STATE_FAILED ? DG_REASON_FAILED_BEFORE : DG_REASON_STOPPED_BEFORE;
    for (; self->n_done < self->plan->n_steps; self->n_done++)
        json_array_append_new (self->done,
                               dg_build_test_not_run (self->plan, self->n_done, reason));
    if (result->bytes_written != DG_UNKNOWN_U64)
        dg_build_u64 (self->head, "bytes_written",
                      self->bytes_written_before + result->bytes_written);
    if (result->bytes_read != DG_UNKNOWN_U64)
        dg_build_u64 (self->head, "bytes_read", self->bytes_read_before + result->bytes_read);
    if (result->state == DG_STATE_ABANDONED)
        dg_build_u64 (self->head, "abandoned_age_ns", result->abandoned_age_ns);
}

/* The parts are shared with the builder, so what may still change is copied. */
DgDocument *
dg_builder_make (DgBuilder *self)
{
    json_t *root = json_copy (self->head), *tests = json_array ();
    json_array_extend (tests, self->copied);
    json_array_extend (tests, self->done);
    json_object_set_new (root, "tests", tests);
    json_object_set_new (root, "state", json_string (self->state));
    json_object_set_new (root, "targets", json_deep_copy (json_object_get (self->head, "targets")));
    json_object_set_new (root, "temperatures", json_copy (self->temperatures));
    DgDocument *document = dg_document_new_from_json (root, NULL);
    json_decref (root);
    g_assert (document != NULL);
    dg_document_renew_findings (document);
    return document;
}
