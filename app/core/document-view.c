/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plain structures made from a document's tree. Required keys are checked here; everything else
 * may be missing or of any type. */
#include "app/core/app-error.h"
#include "app/core/document-private.h"
#include "app/core/numbers.h"

#include <glib/gi18n.h>
#include <math.h>

gboolean
dg_document_refuse_key (const gchar *key, GError **error)
{
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID,
                 /* translators: %s is the name of a key in a file */
                 _ ("This result is damaged: “%s” is missing or not as it should be. Open another one, or measure again."),
                    key);
    return FALSE;
}

static void
parse_drive (GPtrArray *owned, json_t *object, DgDocDrive *drive)
{
    drive->name = dg_json_text (owned, object, "name");
    drive->model = dg_json_text (owned, object, "model");
    drive->vendor = dg_json_text (owned, object, "vendor");
    drive->firmware = dg_json_text (owned, object, "firmware");
    drive->size_bytes = dg_json_u64 (object, "size_bytes");
    drive->rotational = dg_json_truth (object, "rotational");
    drive->removable = dg_json_truth (object, "removable");
    drive->identity = dg_json_text (owned, object, "identity");
    drive->logical_block_bytes = dg_json_u64 (object, "logical_block_bytes");
    drive->physical_block_bytes = dg_json_u64 (object, "physical_block_bytes");
    drive->write_cache = dg_json_text (owned, object, "write_cache");
    drive->scheduler = dg_json_text (owned, object, "scheduler");
    drive->queue_limit = dg_json_u64 (object, "queue_limit");
    drive->encrypted = dg_json_truth (object, "encrypted");
}

static void
parse_link (GPtrArray *owned, json_t *object, DgDocLink *link)
{
    link->kind = dg_json_text (owned, object, "kind");
    link->name = dg_json_text (owned, object, "name");
    link->short_name = dg_json_text (owned, object, "short_name");
    link->protocol = dg_json_text (owned, object, "protocol");
    link->speed_bits_per_s = dg_json_u64 (object, "speed_bits_per_s");
    link->after_coding_bytes_per_s = dg_json_u64 (object, "after_coding_bytes_per_s");
    link->practical_low_bytes_per_s = dg_json_u64 (object, "practical_low_bytes_per_s");
    link->ceiling_bytes_per_s = dg_json_u64 (object, "ceiling_bytes_per_s");
    json_t *best = json_object_get (object, "best_possible");
    link->best_name = dg_json_text (owned, best, "name");
    link->best_bits_per_s = dg_json_u64 (best, "speed_bits_per_s");
    link->uas_offered = dg_json_truth (object, "uas_offered");

    json_t *path = json_object_get (object, "path");
    link->n_path = dg_json_array_size (object, "path");
    link->path = dg_json_new (owned, link->n_path, sizeof *link->path);
    for (guint i = 0; i < link->n_path; i++) {
        json_t *node = json_array_get (path, i);
        link->path[i].kind = dg_json_text (owned, node, "kind");
        link->path[i].name = dg_json_text (owned, node, "name");
        link->path[i].up_bits_per_s = dg_json_u64 (node, "up_bits_per_s");
        link->path[i].up_name = dg_json_text (owned, node, "up_name");
        link->path[i].up_max_bits_per_s = dg_json_u64 (node, "up_max_bits_per_s");
        link->path[i].up_max_name = dg_json_text (owned, node, "up_max_name");
        guint64 others = dg_json_u64 (node, "other_drives");
        link->path[i].other_drives = others == DG_DOC_UNKNOWN ? 0 : others;
        link->path[i].is_narrowest = dg_json_truth (node, "narrowest") == 1;
    }
}

static void
parse_target (GPtrArray *owned, json_t *object, DgDocTarget *target)
{
    target->path = dg_json_text (owned, object, "path");
    target->label = dg_json_text (owned, object, "label");
    target->mount = dg_json_text (owned, object, "mount");
    target->filesystem = dg_json_text (owned, object, "filesystem");
    target->options = dg_json_text (owned, object, "options");
    target->size_bytes = dg_json_u64 (object, "size_bytes");
    target->free_bytes = dg_json_u64 (object, "free_bytes");
    target->partition_start_bytes = dg_json_u64 (object, "partition_start_bytes");
    target->filesystem_kind = dg_json_text (owned, object, "filesystem_kind");
    target->filesystem_uuid = dg_json_text (owned, object, "filesystem_uuid");
    target->compressed = dg_json_truth (object, "compressed");
    target->copy_on_write = dg_json_truth (object, "copy_on_write");
    target->encrypted = dg_json_truth (object, "encrypted");
    target->also_running = dg_json_truth (object, "also_running");

    json_t *layers = json_object_get (object, "layers");
    guint n = dg_json_array_size (object, "layers"), kept = 0;
    target->layers = dg_json_new (owned, n + 1, sizeof *target->layers);
    for (guint i = 0; i < n; i++) {
        gchar *layer = dg_text_sanitize (json_string_value (json_array_get (layers, i)));
        if (layer == NULL)
            continue;
        g_ptr_array_add (owned, layer);
        target->layers[kept++] = layer;
    }

    json_t *drive = json_object_get (object, "drive"), *link = json_object_get (object, "link"),
           *file = json_object_get (object, "file");
    target->has_drive = json_is_object (drive);
    target->has_link = json_is_object (link);
    parse_drive (owned, drive, &target->drive);
    parse_link (owned, link, &target->link);
    target->file_size_bytes = dg_json_u64 (file, "size_bytes");
    target->file_extents = dg_json_u64 (file, "extents");
    target->file_prepare_ns = dg_json_u64 (file, "prepare_ns");
    target->file_prepare_bytes_per_s = dg_json_double (file, "prepare_bytes_per_s");
    target->file_direct = dg_json_truth (file, "direct");
    target->file_name_visible = dg_json_truth (file, "name_visible");
    target->file_no_cow = dg_json_truth (file, "no_cow");
    target->file_compressed = dg_json_truth (file, "compressed");
    target->file_physical_block_bytes = dg_json_u64 (file, "physical_block_bytes");
    target->file_leftovers_removed = dg_json_u64 (file, "leftovers_removed");
    target->file_missing_bytes = dg_json_u64 (file, "missing_bytes");
}

static void
parse_plan (GPtrArray *owned, json_t *plan, DgDocView *view)
{
    json_t *profile = json_object_get (plan, "profile");
    view->profile_id = dg_json_text (owned, profile, "id");
    view->profile_version = dg_json_u64 (profile, "version");
    view->statistic_best =
        g_strcmp0 (json_string_value (json_object_get (plan, "statistic")), "best") == 0;
    guint64 runs = dg_json_u64 (plan, "runs");
    view->runs = runs == DG_DOC_UNKNOWN ? 0 : runs;
    view->warmup_ns = dg_json_u64 (plan, "warmup_ns");
    view->duration_ns = dg_json_u64 (plan, "duration_ns");
    view->interval_ns = dg_json_u64 (plan, "interval_ns");
    view->size_bytes = dg_json_u64 (plan, "size_bytes");
    view->seed = dg_json_u64 (plan, "seed");
    view->mix_read_percent = dg_json_u64 (plan, "mix_read_percent");
    view->backend = dg_json_text (owned, plan, "backend");
    view->data = dg_json_text (owned, plan, "data");
    view->include_flush = dg_json_truth (plan, "include_flush") == 1;
    view->no_cow = dg_json_truth (plan, "no_cow") == 1;
    view->write_through = dg_json_truth (plan, "write_through") == 1;
    json_t *directions = json_object_get (plan, "directions");
    for (guint i = 0; i < dg_json_array_size (plan, "directions"); i++) {
        const gchar *text = json_string_value (json_array_get (directions, i));
        view->has_direction[DG_DIRECTION_READ] |= g_strcmp0 (text, "read") == 0;
        view->has_direction[DG_DIRECTION_WRITE] |= g_strcmp0 (text, "write") == 0;
        view->has_direction[DG_DIRECTION_MIX] |= g_strcmp0 (text, "mix") == 0;
    }
}

static void
parse_temperatures (GPtrArray *owned, json_t *root, DgDocView *view)
{
    json_t *array = json_object_get (root, "temperatures");
    guint n = dg_json_array_size (root, "temperatures");
    view->temperatures = dg_json_new (owned, n, sizeof *view->temperatures);
    for (guint i = 0; i < n; i++) {
        json_t *object = json_array_get (array, i);
        guint64 target = dg_json_u64 (object, "target");
        gdouble celsius = dg_json_double (object, "celsius");
        if (target >= view->n_targets || isnan (celsius))
            continue;
        DgDocTemperature *temperature = &view->temperatures[view->n_temperatures++];
        temperature->at_ns = dg_json_u64 (object, "at_ns");
        temperature->target = (guint) target;
        temperature->sensor = dg_json_text (owned, object, "sensor");
        temperature->celsius = celsius;
        temperature->limit_celsius = dg_json_double (object, "limit_celsius");
    }
}

void
dg_document_make_comment_view (DgDocument *self)
{
    g_clear_pointer (&self->view.comment, g_free);
    const gchar *raw = json_string_value (json_object_get (self->root, "comment"));
    if (raw != NULL && raw[0] != '\0')
        self->view.comment = dg_text_sanitize (raw);
}

static gint
index_or_none (json_t *object, const gchar *key, guint n)
{
    guint64 value = dg_json_u64 (object, key);
    return value < n ? (gint) value : -1;
}

void
dg_document_make_findings_view (DgDocument *self)
{
    DgDocView *view = &self->view;
    g_ptr_array_set_size (self->findings, 0);
    view->n_findings = 0;
    json_t *array = json_object_get (self->root, "findings");
    guint n = dg_json_array_size (self->root, "findings");
    view->findings = dg_json_new (self->findings, n, sizeof *view->findings);
    for (guint i = 0; i < n; i++) {
        json_t *object = json_array_get (array, i);
        gchar *id = dg_json_text (self->findings, object, "id");
        if (id == NULL)
            continue;
        DgDocFinding *finding = &view->findings[view->n_findings++];
        const gchar *severity = json_string_value (json_object_get (object, "severity"));
        finding->id = id;
        finding->severity = g_strcmp0 (severity, "invalid") == 0   ? DG_SEVERITY_INVALID
                            : g_strcmp0 (severity, "warning") == 0 ? DG_SEVERITY_WARNING
                                                                   : DG_SEVERITY_INFO;
        finding->target = index_or_none (object, "target", view->n_targets);
        finding->test = index_or_none (object, "test", view->n_tests);
        json_t *values = json_object_get (object, "values");
        finding->values = json_is_object (values) ? values : NULL;
        finding->text = dg_json_text (self->findings, object, "text");
        if (finding->text == NULL)
            finding->text = id;
    }
}

static gboolean
parse_head (DgDocument *self, GError **error)
{
    json_t *root = self->root;
    const gchar *format = json_string_value (json_object_get (root, "format"));
    if (!json_is_object (root) || g_strcmp0 (format, "drivegauge-result") != 0) {
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_INVALID,
                     _ ("This is not a Drive Gauge result. Choose a file that Drive Gauge has saved as JSON."));
        return FALSE;
    }
    json_t *version = json_object_get (root, "version");
    if (!json_is_integer (version) || json_integer_value (version) < 1)
        return dg_document_refuse_key ("version", error);
    if (json_integer_value (version) > 1) {
        g_autofree gchar *number =
            g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) json_integer_value (version));
        g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_DOCUMENT_NEWER,
                     /* translators: %s is a whole number */
                     _ ("This result was saved by a newer Drive Gauge (format version %s; this program reads version 1). Update Drive Gauge to open it."),
                        number);
        return FALSE;
    }
    return TRUE;
}

static gboolean
is_array_of_objects (json_t *array)
{
    if (!json_is_array (array))
        return FALSE;
    for (gsize i = 0; i < json_array_size (array); i++)
        if (!json_is_object (json_array_get (array, i)))
            return FALSE;
    return TRUE;
}

static gboolean
parse_state (const gchar *text, DgDocState *ret_state)
{
    static const struct {
        const gchar *name;
        DgDocState state;
    } names[] = { { "done", DG_DOC_DONE },
                  { "stopped", DG_DOC_STOPPED },
                  { "failed", DG_DOC_FAILED },
                  { "abandoned", DG_DOC_ABANDONED },
                  { "running", DG_DOC_RUNNING } };
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        if (g_strcmp0 (text, names[i].name) == 0) {
            *ret_state = names[i].state;
            return TRUE;
        }
    return FALSE;
}

static gboolean
parse_required (DgDocument *self, GError **error)
{
    json_t *root = self->root;
    DgDocView *view = &self->view;
    static const gchar *const objects[] = { "program", "host", "plan" };
    static const gchar *const arrays[] = { "targets", "tests" };

    view->id = dg_json_text (self->owned, root, "id");
    view->started = dg_json_text (self->owned, root, "started");
    view->state = dg_json_text (self->owned, root, "state");
    view->origin = dg_json_text (self->owned, root, "origin");
    if (view->id == NULL || !g_uuid_string_is_valid (view->id))
        return dg_document_refuse_key ("id", error);
    g_autoptr (GDateTime) started =
        view->started == NULL ? NULL : g_date_time_new_from_iso8601 (view->started, NULL);
    if (started == NULL)
        return dg_document_refuse_key ("started", error);
    if (!parse_state (view->state, &view->state_code))
        return dg_document_refuse_key ("state", error);
    if (view->origin == NULL)
        return dg_document_refuse_key ("origin", error);
    for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
        if (!json_is_object (json_object_get (root, objects[i])))
            return dg_document_refuse_key (objects[i], error);
    for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
        if (!is_array_of_objects (json_object_get (root, arrays[i])))
            return dg_document_refuse_key (arrays[i], error);
    return TRUE;
}

gboolean
dg_document_make_view (DgDocument *self, GError **error)
{
    json_t *root = self->root;
    DgDocView *view = &self->view;
    GPtrArray *owned = self->owned;
    if (!parse_head (self, error) || !parse_required (self, error))
        return FALSE;

    json_t *program = json_object_get (root, "program"), *host = json_object_get (root, "host");
    view->program_name = dg_json_text (owned, program, "name");
    view->program_version = dg_json_text (owned, program, "version");
    view->os = dg_json_text (owned, host, "os");
    view->kernel = dg_json_text (owned, host, "kernel");
    view->cpu = dg_json_text (owned, host, "cpu");
    view->cpus = dg_json_u64 (host, "cpus");
    view->memory_bytes = dg_json_u64 (host, "memory_bytes");
    view->on_battery = dg_json_truth (host, "on_battery");

    json_t *targets = json_object_get (root, "targets"), *tests = json_object_get (root, "tests");
    view->n_targets = dg_json_array_size (root, "targets");
    view->targets = dg_json_new (owned, view->n_targets, sizeof *view->targets);
    for (guint i = 0; i < view->n_targets; i++)
        parse_target (owned, json_array_get (targets, i), &view->targets[i]);
    parse_plan (owned, json_object_get (root, "plan"), view);
    view->n_tests = dg_json_array_size (root, "tests");
    view->tests = dg_json_new (owned, view->n_tests, sizeof *view->tests);
    for (guint i = 0; i < view->n_tests; i++)
        dg_document_parse_test (owned, json_array_get (tests, i), &view->tests[i]);
    view->bytes_written = dg_json_u64 (root, "bytes_written");
    view->bytes_read = dg_json_u64 (root, "bytes_read");
    parse_temperatures (owned, root, view);
    dg_document_make_comment_view (self);
    dg_document_make_findings_view (self);
    return TRUE;
}
