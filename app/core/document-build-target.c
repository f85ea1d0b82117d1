/* SPDX-License-Identifier: GPL-3.0-or-later */
/* targets[] and plan of a new document. */
#include "app/core/document-build.h"

#include "app/core/identity.h"
#include "app/core/numbers.h"

#include <math.h>

void
dg_build_u64 (json_t *object, const gchar *key, guint64 value)
{
    json_object_set_new (object, key,
                         value > G_MAXINT64 ? json_null () : json_integer ((json_int_t) value));
}

void
dg_build_real (json_t *object, const gchar *key, gdouble value)
{
    json_object_set_new (object, key, isfinite (value) ? json_real (value) : json_null ());
}

void
dg_build_text (json_t *object, const gchar *key, const gchar *text)
{
    g_autofree gchar *clean = dg_text_sanitize (text);
    json_object_set_new (object, key,
                         clean == NULL || clean[0] == '\0' ? json_null () : json_string (clean));
}

void
dg_build_truth (json_t *object, const gchar *key, gint truth)
{
    json_object_set_new (object, key, truth < 0 ? json_null () : json_boolean (truth));
}

gchar *
dg_build_time (GDateTime *time)
{
    g_autofree gchar *second = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
    g_autofree gchar *zone = g_date_time_format (time, "%:z");
    return g_strdup_printf ("%s.%03d%s", second, g_date_time_get_microsecond (time) / 1000, zone);
}

/* 0 is "unknown" in the engine's lists. */
static void
build_known (json_t *object, const gchar *key, guint64 value)
{
    dg_build_u64 (object, key, value == 0 ? DG_DOC_UNKNOWN : value);
}

static json_t *
build_drive (const DgDrive *drive)
{
    g_autofree gchar *identity = dg_identity_dup (drive->model, drive->serial);
    json_t *object = json_object ();
    dg_build_text (object, "name", drive->name);
    dg_build_text (object, "model", drive->model);
    dg_build_text (object, "vendor", drive->vendor);
    dg_build_text (object, "firmware", drive->firmware);
    build_known (object, "size_bytes", drive->size_bytes);
    dg_build_truth (object, "rotational", drive->rotational);
    dg_build_truth (object, "removable", drive->removable);
    dg_build_text (object, "identity", identity);
    build_known (object, "logical_block_bytes", drive->logical_block_bytes);
    build_known (object, "physical_block_bytes", drive->physical_block_bytes);
    dg_build_text (object, "write_cache", drive->write_cache);
    dg_build_text (object, "scheduler", drive->scheduler);
    build_known (object, "queue_limit", drive->queue_limit);
    dg_build_truth (object, "encrypted", drive->is_encrypted);
    dg_build_truth (object, "virtual", drive->is_virtual);
    return object;
}

static json_t *
build_node (const DgLinkNode *node)
{
    static const gchar *const kinds[] = { [DG_NODE_DRIVE] = "drive",
                                          [DG_NODE_BRIDGE] = "bridge",
                                          [DG_NODE_HUB] = "hub",
                                          [DG_NODE_PORT] = "port",
                                          [DG_NODE_CONTROLLER] = "controller" };
    json_t *object = json_object ();
    dg_build_text (object, "kind", kinds[node->kind]);
    dg_build_text (object, "name", node->name);
    build_known (object, "up_bits_per_s", node->up_bits_per_s);
    build_known (object, "up_max_bits_per_s", node->up_max_bits_per_s);
    dg_build_text (object, "up_name", node->up_name);
    dg_build_text (object, "up_max_name", node->up_max_name);
    dg_build_u64 (object, "other_drives", node->other_drives);
    dg_build_truth (object, "narrowest", node->is_narrowest);
    return object;
}

static json_t *
build_link (const DgLink *link)
{
    static const gchar *const kinds[] = {
        [DG_LINK_UNKNOWN] = NULL,    [DG_LINK_USB] = "usb",        [DG_LINK_SATA] = "sata",
        [DG_LINK_PCIE] = "pcie",     [DG_LINK_SD] = "sd",          [DG_LINK_MMC] = "mmc",
        [DG_LINK_VIRTIO] = "virtio", [DG_LINK_VIRTUAL] = "virtual"
    };
    if (link == NULL || (link->kind == DG_LINK_UNKNOWN && link->n_path == 0))
        return json_null ();
    json_t *object = json_object (), *path = json_array (), *best = json_null ();
    dg_build_text (object, "kind", kinds[link->kind]);
    dg_build_text (object, "name", link->name);
    dg_build_text (object, "short_name", link->short_name);
    dg_build_text (object, "protocol", link->protocol);
    build_known (object, "speed_bits_per_s", link->speed_bits_per_s);
    build_known (object, "narrowest_bits_per_s", link->narrowest_bits_per_s);
    build_known (object, "lanes", link->lanes);
    dg_build_truth (object, "uas_offered", link->kind == DG_LINK_USB ? link->is_uas_offered : -1);
    for (guint i = 0; i < link->n_path; i++)
        json_array_append_new (path, build_node (&link->path[i]));
    json_object_set_new (object, "path", path);
    build_known (object, "after_coding_bytes_per_s", link->after_coding_bytes_per_s);
    build_known (object, "practical_low_bytes_per_s", link->practical_low_bytes_per_s);
    build_known (object, "ceiling_bytes_per_s", link->ceiling_bytes_per_s);
    if (link->best_bits_per_s > 0) {
        best = json_object ();
        dg_build_text (best, "name", link->best_name);
        dg_build_u64 (best, "speed_bits_per_s", link->best_bits_per_s);
    }
    json_object_set_new (object, "best_possible", best);
    return object;
}

static const gchar *
fs_kind_name (DgFsKind kind)
{
    static const gchar *const names[] = {
        [DG_FS_DISK] = "disk", [DG_FS_MEMORY] = "memory",   [DG_FS_NETWORK] = "network",
        [DG_FS_FUSE] = "fuse", [DG_FS_OVERLAY] = "overlay", [DG_FS_9P] = "9p",
        [DG_FS_ZFS] = "zfs",   [DG_FS_PSEUDO] = "pseudo"
    };
    return names[kind];
}

json_t *
dg_build_target (const DgTargetList *list, guint index)
{
    const DgTarget *target = &list->targets[index];
    json_t *object = json_object (), *layers = json_array ();
    dg_build_text (object, "path", target->folder);
    dg_build_text (object, "label", target->label);
    dg_build_text (object, "mount", target->mount);
    dg_build_text (object, "filesystem", target->filesystem);
    dg_build_text (object, "filesystem_kind", fs_kind_name (target->fs_kind));
    dg_build_text (object, "filesystem_uuid", target->uuid);
    dg_build_text (object, "options", target->options);
    build_known (object, "size_bytes", target->size_bytes);
    dg_build_u64 (object, "free_bytes",
                  target->size_bytes == 0 ? DG_DOC_UNKNOWN : target->free_bytes);
    for (guint i = 0; i < target->n_layers; i++) {
        g_autofree gchar *layer = dg_text_sanitize (target->layers[i]);
        json_array_append_new (layers, json_string (layer));
    }
    json_object_set_new (object, "layers", layers);
    dg_build_u64 (object, "partition_start_bytes", target->partition_start_bytes);
    dg_build_truth (object, "compressed", target->is_compressed);
    dg_build_truth (object, "copy_on_write", target->is_copy_on_write);
    dg_build_truth (object, "encrypted", target->is_encrypted);
    json_object_set_new (object, "also_running", json_null ());
    const DgDrive *drive = target->n_drives > 0 && target->drives[0] < list->n_drives
                               ? &list->drives[target->drives[0]]
                               : NULL;
    json_object_set_new (object, "drive", drive == NULL ? json_null () : build_drive (drive));
    /* Over several drives no single link tells what can be expected. */
    json_object_set_new (object, "link",
                         drive == NULL || target->n_drives > 1 ? json_null ()
                                                               : build_link (drive->link));
    /* A file system over several drives: `drive` is the first, and all of them are named here. */
    if (target->n_drives > 1) {
        json_t *names = json_array ();
        for (guint i = 0; i < target->n_drives; i++) {
            g_autofree gchar *name = target->drives[i] < list->n_drives
                                         ? dg_text_sanitize (list->drives[target->drives[i]].name)
                                         : NULL;
            if (name != NULL)
                json_array_append_new (names, json_string (name));
        }
        json_object_set_new (object, "drives", names);
    }
    json_object_set_new (object, "file", json_null ());
    return object;
}

gchar *
dg_build_conditions_of (json_t *target)
{
    /* What measuring itself changes, and what only names things. */
    static const gchar *const passing[] = { "free_bytes", "also_running", "file", "label" };
    json_t *kept = json_deep_copy (target), *drive = json_object_get (kept, "drive");
    for (guint i = 0; i < G_N_ELEMENTS (passing); i++)
        json_object_del (kept, passing[i]);
    /* Plugged in again, a drive gets the next free name. */
    if (json_is_string (json_object_get (drive, "identity")))
        json_object_del (drive, "name");
    char *text = json_dumps (kept, JSON_COMPACT | JSON_SORT_KEYS);
    gchar *conditions = g_strdup (text);
    free (text);
    json_decref (kept);
    return conditions;
}

gchar *
dg_build_conditions (const DgTargetList *list, guint index)
{
    json_t *target = dg_build_target (list, index);
    gchar *conditions = dg_build_conditions_of (target);
    json_decref (target);
    return conditions;
}

json_t *
dg_build_file (const DgFileResult *file)
{
    json_t *object = json_object ();
    dg_build_u64 (object, "size_bytes", file->size_bytes);
    dg_build_u64 (object, "extents", file->extents);
    build_known (object, "prepare_ns", file->prepare_ns);
    dg_build_real (object, "prepare_bytes_per_s",
                   file->prepare_ns == 0
                       ? NAN
                       : (gdouble) file->prepare_bytes * 1e9 / (gdouble) file->prepare_ns);
    dg_build_truth (object, "name_visible", file->name_visible);
    dg_build_u64 (object, "missing_bytes",
                  file->missing_bytes == 0 && file->extents == DG_UNKNOWN_U64
                      ? DG_DOC_UNKNOWN
                      : file->missing_bytes);
    dg_build_u64 (object, "leftovers_removed", file->leftovers_removed);
    dg_build_truth (object, "direct", file->is_direct);
    dg_build_text (object, "direct_reason", file->direct_reason);
    dg_build_truth (object, "no_cow", file->is_nocow);
    dg_build_truth (object, "compressed", file->is_compressed);
    dg_build_truth (object, "encoded", file->is_encoded);
    build_known (object, "alignment_bytes", file->alignment_bytes);
    dg_build_u64 (object, "logical_block_bytes", file->logical_block_bytes);
    dg_build_u64 (object, "physical_block_bytes", file->physical_block_bytes);
    return object;
}

json_t *
dg_build_plan (const DgOptions *options, const DgPlan *plan)
{
    json_t *object = json_object (), *profile = json_object (), *directions = json_array ();
    static const gchar *const names[] = {
        [DG_DIRECTION_READ] = "read", [DG_DIRECTION_WRITE] = "write", [DG_DIRECTION_MIX] = "mix"
    };
    dg_build_text (profile, "id", options->profile->id);
    dg_build_u64 (profile, "version", options->profile->version);
    json_object_set_new (object, "profile", profile);
    dg_build_text (object, "statistic", options->statistic_best ? "best" : "median");
    json_object_set_new (object, "runs",
                         plan->runs == 0 ? json_string ("auto") : json_integer (plan->runs));
    dg_build_u64 (object, "warmup_ns", plan->warmup_ns);
    dg_build_u64 (object, "duration_ns", plan->duration_ns);
    dg_build_u64 (object, "interval_ns", plan->interval_ns);
    dg_build_u64 (object, "size_bytes", plan->targets[0].file_bytes);
    dg_build_text (object, "backend", dg_backend_id_name (plan->backend));
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        if (options->directions[i])
            json_array_append_new (directions, json_string (names[i]));
    json_object_set_new (object, "directions", directions);
    dg_build_u64 (object, "mix_read_percent",
                  options->directions[DG_DIRECTION_MIX] ? options->mix_read_percent
                                                        : DG_DOC_UNKNOWN);
    dg_build_text (object, "data", options->data == DG_DATA_ZERO ? "zero" : "random");
    dg_build_u64 (object, "seed", plan->seed);
    dg_build_truth (object, "include_flush", plan->include_flush);
    dg_build_truth (object, "no_cow", plan->no_cow);
    dg_build_truth (object, "write_through", plan->write_through);
    return object;
}
