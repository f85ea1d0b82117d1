/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings about what the drive hangs on. Nothing is said where the link's table has no row. */
#include "app/core/findings-private.h"

#include <math.h>

#define ABOVE_FACTOR 1.02 /* of the rate after coding */
#define LIMIT_FACTOR 0.93 /* of the practical low */

/* What one direction of the link carried: most links carry both at once. */
static gdouble
carried_bytes_per_s (const DgDocRun *run)
{
    if (run->read_bytes == DG_DOC_UNKNOWN || run->write_bytes == DG_DOC_UNKNOWN
        || run->elapsed_ns == 0 || run->elapsed_ns == DG_DOC_UNKNOWN)
        return run->bandwidth_bytes_per_s;
    return (gdouble) MAX (run->read_bytes, run->write_bytes) * 1e9 / (gdouble) run->elapsed_ns;
}

static void
find_above_link (DgFindings *self, guint target, const DgDocLink *link)
{
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    gdouble greatest = 0.0;
    gint worst = -1;
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        const DgDocRun *run = dg_findings_shown (test);
        if (run == NULL || dg_findings_target_of (self->view, test) != target)
            continue;
        gdouble rate = carried_bytes_per_s (run);
        if (!(rate > ABOVE_FACTOR * (gdouble) link->after_coding_bytes_per_s))
            continue;
        g_array_append_val (tests, i);
        if (rate > greatest) {
            greatest = rate;
            worst = (gint) i;
        }
    }
    if (worst < 0) {
        g_array_unref (tests);
        return;
    }
    json_t *values = json_pack ("{s:f, s:I}", "bytes_per_s", greatest, "after_coding_bytes_per_s",
                                (json_int_t) link->after_coding_bytes_per_s);
    dg_findings_add (self, "above-link", DG_SEVERITY_WARNING, (gint) target, worst, tests, values);
}

static void
find_link_is_limit (DgFindings *self, guint target, const DgDocLink *link)
{
    gint fastest = -1;
    gdouble greatest = 0.0;
    GArray *tests = g_array_new (FALSE, FALSE, sizeof (guint));
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        const DgDocRun *run = dg_findings_shown (test);
        if (run == NULL || dg_findings_target_of (self->view, test) != target)
            continue;
        gdouble rate = carried_bytes_per_s (run);
        if (!(rate >= LIMIT_FACTOR * (gdouble) link->practical_low_bytes_per_s))
            continue;
        if (link->after_coding_bytes_per_s != DG_DOC_UNKNOWN
            && rate > ABOVE_FACTOR * (gdouble) link->after_coding_bytes_per_s)
            continue;
        g_array_append_val (tests, i);
        if (rate > greatest) {
            greatest = rate;
            fastest = (gint) i;
        }
    }
    if (fastest < 0) {
        g_array_unref (tests);
        return;
    }
    guint64 ceiling = link->ceiling_bytes_per_s == DG_DOC_UNKNOWN ? link->practical_low_bytes_per_s
                                                                  : link->ceiling_bytes_per_s;
    static const gchar *const directions[] = {
        [DG_DIRECTION_READ] = "read", [DG_DIRECTION_WRITE] = "write", [DG_DIRECTION_MIX] = "mix"
    };
    json_t *values =
        json_pack ("{s:s, s:f, s:I}", "direction", directions[self->view->tests[fastest].direction],
                   "bytes_per_s", greatest, "ceiling_bytes_per_s", (json_int_t) ceiling);
    dg_findings_add (self, "link-is-limit", DG_SEVERITY_INFO, (gint) target, fastest, tests,
                     values);
}

/* The first of the slowest segments, counted from the drive; NULL when no segment's speed is known.
 */
static const DgDocNode *
narrowest_node (const DgDocLink *link)
{
    const DgDocNode *narrowest = NULL;
    for (guint i = 0; i < link->n_path; i++) {
        const DgDocNode *node = &link->path[i];
        if (node->up_bits_per_s != DG_DOC_UNKNOWN
            && (narrowest == NULL || node->up_bits_per_s < narrowest->up_bits_per_s))
            narrowest = node;
    }
    return narrowest;
}

/* Where the narrow segment ends: the station whose port holds the drive back. */
static const DgDocNode *
node_above (const DgDocLink *link, const DgDocNode *node)
{
    guint next = (guint) (node - link->path) + 1;
    return next < link->n_path ? &link->path[next] : NULL;
}

static void
set_text (json_t *object, const gchar *key, const gchar *text)
{
    json_object_set_new (object, key, text == NULL ? json_null () : json_string (text));
}

static void
set_u64 (json_t *object, const gchar *key, guint64 value)
{
    json_object_set_new (object, key,
                         value > G_MAXINT64 ? json_null () : json_integer ((json_int_t) value));
}

static void
find_narrow (DgFindings *self, guint target, const DgDocLink *link)
{
    const DgDocNode *narrowest = narrowest_node (link);
    guint64 now = link->speed_bits_per_s;
    if (narrowest != NULL && narrowest->up_bits_per_s < now)
        now = narrowest->up_bits_per_s;
    gboolean is_usb = g_strcmp0 (link->kind, "usb") == 0;
    guint64 best = link->best_bits_per_s;
    if (!is_usb && best == DG_DOC_UNKNOWN && link->n_path > 0
        && link->path[0].up_max_bits_per_s != DG_DOC_UNKNOWN)
        best = link->path[0].up_max_bits_per_s;
    if (now == DG_DOC_UNKNOWN || best == DG_DOC_UNKNOWN || best <= now)
        return;
    const DgDocNode *place = narrowest == NULL ? NULL : node_above (link, narrowest);
    /* Inside a USB enclosure the drive's own link to the bridge may be the narrowest: no port makes
     * that faster. */
    if (is_usb && place != NULL && narrowest == link->path
        && g_strcmp0 (place->kind, "bridge") == 0)
        return;
    json_t *values = json_object ();
    set_u64 (values, "best_bits_per_s", best);
    set_u64 (values, "bits_per_s", now);
    set_text (values, "best_name", link->best_name);
    set_text (values, "link_name", link->short_name != NULL ? link->short_name : link->name);
    set_text (values, "segment_name", narrowest == NULL ? NULL : narrowest->up_name);
    set_text (values, "place_kind", place == NULL ? NULL : place->kind);
    set_text (values, "place_name", place == NULL ? NULL : place->name);
    set_u64 (values, "practical_low_bytes_per_s", link->practical_low_bytes_per_s);
    set_u64 (values, "ceiling_bytes_per_s", link->ceiling_bytes_per_s);
    dg_findings_add (self, is_usb ? "slow-port" : "narrow-link", DG_SEVERITY_WARNING, (gint) target,
                     -1, NULL, values);
}

static void
find_shared_hub (DgFindings *self, guint target, const DgDocLink *link)
{
    for (guint i = 0; i < link->n_path; i++) {
        const DgDocNode *node = &link->path[i];
        if (node->other_drives == 0 || g_strcmp0 (node->kind, "hub") != 0)
            continue;
        json_t *values = json_object ();
        set_text (values, "hub", node->name);
        set_u64 (values, "other_drives", node->other_drives);
        dg_findings_add (self, "shared-hub", DG_SEVERITY_INFO, (gint) target, -1, NULL, values);
        return;
    }
}

void
dg_findings_make_link (DgFindings *self)
{
    for (guint i = 0; i < self->view->n_targets; i++) {
        const DgDocLink *link = &self->view->targets[i].link;
        if (!self->view->targets[i].has_link)
            continue;
        if (link->after_coding_bytes_per_s != DG_DOC_UNKNOWN)
            find_above_link (self, i, link);
        if (link->practical_low_bytes_per_s != DG_DOC_UNKNOWN)
            find_link_is_limit (self, i, link);
        find_narrow (self, i, link);
        find_shared_hub (self, i, link);
        /* At USB 2 speed one command at a time is how every drive does it. */
        if (g_strcmp0 (link->kind, "usb") == 0 && g_strcmp0 (link->protocol, "bot") == 0
            && link->speed_bits_per_s != DG_DOC_UNKNOWN && link->speed_bits_per_s >= 5000000000u)
            dg_findings_add (self, "bot-not-uas", DG_SEVERITY_INFO, (gint) i, -1, NULL,
                             json_object ());
    }
}
