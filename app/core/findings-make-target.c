/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings about the file system, the drive, the host and the plan. */
#include "app/core/findings-private.h"

#include <string.h>

#define EXTENT_BYTES    (8u << 20) /* an extent for each 8 MiB is no fragmentation */
#define FULL_PERCENT    90.0
#define ALIGNMENT_BYTES 4096u

/* Documents of this program say what kind of file system it is; for others its name tells. */
static gboolean
is_kind (const DgDocTarget *target, const gchar *kind, const gchar *const *names)
{
    if (target->filesystem_kind != NULL)
        return strcmp (target->filesystem_kind, kind) == 0;
    return target->filesystem != NULL && g_strv_contains (names, target->filesystem);
}

static gboolean
is_fuse (const DgDocTarget *target)
{
    static const gchar *const names[] = { "fuse", "fuseblk", "exfat-fuse", "ntfs-3g", NULL };
    return is_kind (target, "fuse", names)
           || (target->filesystem_kind == NULL && target->filesystem != NULL
               && g_str_has_prefix (target->filesystem, "fuse."));
}

/* Is the option there, alone or with a value? */
static gboolean
has_option (const gchar *options, const gchar *name)
{
    g_auto (GStrv) parts = g_strsplit (options == NULL ? "" : options, ",", -1);
    gsize length = strlen (name);
    for (guint i = 0; parts[i] != NULL; i++)
        if (g_str_has_prefix (parts[i], name)
            && (parts[i][length] == '\0' || parts[i][length] == '='))
            return TRUE;
    return FALSE;
}

static gboolean
is_compressed (const DgDocTarget *target)
{
    if (target->compressed == 1 || target->file_compressed == 1)
        return TRUE;
    return target->compressed < 0
           && (has_option (target->options, "compress")
               || has_option (target->options, "compress-force"));
}

static gboolean
is_copy_on_write (const DgDocTarget *target)
{
    static const gchar *const names[] = { "btrfs", "bcachefs", "zfs", NULL };
    if (target->file_no_cow == 1)
        return FALSE;
    if (target->copy_on_write >= 0)
        return target->copy_on_write == 1;
    return target->filesystem != NULL && g_strv_contains (names, target->filesystem)
           && !has_option (target->options, "nodatacow");
}

static gboolean
is_encrypted (const DgDocTarget *target)
{
    if (target->encrypted == 1 || target->drive.encrypted == 1)
        return TRUE;
    for (guint i = 0; target->layers[i] != NULL; i++)
        if (g_str_has_prefix (target->layers[i], "crypt"))
            return TRUE;
    return FALSE;
}

static void
add (DgFindings *self, const gchar *id, DgSeverity severity, guint target, json_t *values)
{
    dg_findings_add (self, id, severity, (gint) target, -1, NULL, values);
}

static json_t *
name_of (const DgDocTarget *target)
{
    return json_pack ("{s:s?}", "filesystem", target->filesystem);
}

static void
find_kinds (DgFindings *self, guint i, const DgDocTarget *target)
{
    static const gchar *const memory[] = { "tmpfs", "ramfs", NULL };
    static const gchar *const network[] = { "nfs", "nfs4",       "cifs",  "smb3", "ceph",
                                            "afs", "fuse.sshfs", "davfs", NULL };
    if (is_kind (target, "memory", memory))
        add (self, "memory-target", DG_SEVERITY_INVALID, i, name_of (target));
    if (is_kind (target, "network", network))
        add (self, "network-target", DG_SEVERITY_WARNING, i, name_of (target));
    else if (is_fuse (target))
        add (self, "fuse-target", DG_SEVERITY_WARNING, i, name_of (target));
    if (is_compressed (target))
        add (self, "compressed", DG_SEVERITY_INFO, i, name_of (target));
    if (is_copy_on_write (target))
        add (self, "copy-on-write", DG_SEVERITY_INFO, i, name_of (target));
    if (is_encrypted (target))
        add (self, "encrypted", DG_SEVERITY_INFO, i, json_object ());
}

static void
find_space (DgFindings *self, guint i, const DgDocTarget *target)
{
    if (target->size_bytes != DG_DOC_UNKNOWN && target->size_bytes > 0
        && target->free_bytes <= target->size_bytes) {
        gdouble used = (gdouble) (target->size_bytes - target->free_bytes) * 100.0
                       / (gdouble) target->size_bytes;
        if (used > FULL_PERCENT)
            add (self, "nearly-full", DG_SEVERITY_WARNING, i,
                 json_pack ("{s:f, s:I}", "used_percent", used, "free_bytes",
                            (json_int_t) target->free_bytes));
    }
    /* One extent is whole, however small the file. */
    if (target->file_extents != DG_DOC_UNKNOWN && target->file_size_bytes != DG_DOC_UNKNOWN
        && target->file_extents > 1
        && target->file_extents > target->file_size_bytes / EXTENT_BYTES)
        add (self, "fragmented", DG_SEVERITY_WARNING, i,
             json_pack ("{s:I, s:I}", "extents",
                        (json_int_t) MIN (target->file_extents, G_MAXINT64), "size_bytes",
                        (json_int_t) MIN (target->file_size_bytes, G_MAXINT64)));
}

static guint64
physical_block (const DgDocTarget *target)
{
    return target->drive.physical_block_bytes != DG_DOC_UNKNOWN ? target->drive.physical_block_bytes
                                                                : target->file_physical_block_bytes;
}

static void
find_alignment (DgFindings *self, guint i, const DgDocTarget *target)
{
    guint64 physical = physical_block (target);
    guint64 wanted = physical == DG_DOC_UNKNOWN ? ALIGNMENT_BYTES : MAX (physical, ALIGNMENT_BYTES);
    if (target->partition_start_bytes != DG_DOC_UNKNOWN
        && target->partition_start_bytes % wanted != 0)
        add (self, "misaligned", DG_SEVERITY_WARNING, i,
             json_pack ("{s:I, s:I}", "partition_start_bytes",
                        (json_int_t) MIN (target->partition_start_bytes, G_MAXINT64),
                        "alignment_bytes", (json_int_t) wanted));
    if (physical == DG_DOC_UNKNOWN)
        return;
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    gint smallest = -1;
    for (guint t = 0; t < self->view->n_tests; t++) {
        const DgDocTest *test = &self->view->tests[t];
        if (test->n_runs == 0 || dg_findings_target_of (self->view, test) != i
            || test->block_size_bytes >= physical)
            continue;
        g_array_append_val (tests, t);
        if (smallest < 0 || test->block_size_bytes < self->view->tests[smallest].block_size_bytes)
            smallest = (gint) t;
    }
    if (smallest < 0) {
        g_array_unref (tests);
        return;
    }
    json_t *values = json_pack ("{s:I, s:I}", "block_bytes",
                                (json_int_t) self->view->tests[smallest].block_size_bytes,
                                "physical_block_bytes", (json_int_t) physical);
    dg_findings_add (self, "sub-sector", DG_SEVERITY_WARNING, (gint) i, smallest, tests, values);
}

void
dg_findings_make_target (DgFindings *self)
{
    const DgDocView *view = self->view;
    for (guint i = 0; i < view->n_targets; i++) {
        const DgDocTarget *target = &view->targets[i];
        find_kinds (self, i, target);
        find_space (self, i, target);
        find_alignment (self, i, target);
        if (target->also_running == 1)
            add (self, "also-running", DG_SEVERITY_WARNING, i, json_object ());
    }
    if (g_strcmp0 (view->data, "zero") == 0)
        dg_findings_add (self, "zero-data", DG_SEVERITY_WARNING, -1, -1, NULL, json_object ());
    if (view->on_battery == 1)
        dg_findings_add (self, "on-battery", DG_SEVERITY_INFO, -1, -1, NULL, json_object ());
}
