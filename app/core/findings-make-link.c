/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings about what the drive hangs on. Nothing is said where the link's table has no row. */
#include "app/core/findings-private.h"

#include <math.h>

#define ABOVE_FACTOR 1.02 /* of the rate after coding */
#define LIMIT_FACTOR 0.93 /* of the practical low */

/* SATA, memory cards, USB 2 and BOT: data moves one way or the other. */
static gboolean
is_one_way (const DgDocLink *link)
{
    static const gchar *const kinds[] = { "sata", "sd", "mmc", NULL };
    if (link->kind != NULL && g_strv_contains (kinds, link->kind))
        return TRUE;
    return g_strcmp0 (link->kind, "usb") == 0
           && (g_strcmp0 (link->protocol, "bot") == 0 || link->speed_bits_per_s <= 480000000u);
}

gdouble
dg_findings_carried_part (const DgDocLink *link, const DgDocRun *run, guint64 read_percent)
{
    gdouble reads = 0.0, writes = 0.0;
    if (run == NULL && read_percent <= 100) {
        reads = (gdouble) read_percent;
        writes = 100.0 - reads;
    } else if (run != NULL && run->read_bytes != DG_DOC_UNKNOWN
               && run->write_bytes != DG_DOC_UNKNOWN) {
        reads = (gdouble) run->read_bytes;
        writes = (gdouble) run->write_bytes;
    }
    return reads + writes > 0.0 && !is_one_way (link) ? MAX (reads, writes) / (reads + writes)
                                                      : 1.0;
}

static gdouble
carried_bytes_per_s (const DgDocLink *link, const DgDocRun *run)
{
    return run->bandwidth_bytes_per_s * dg_findings_carried_part (link, run, DG_DOC_UNKNOWN);
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
        gdouble rate = carried_bytes_per_s (link, run);
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
        gdouble rate = carried_bytes_per_s (link, run);
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
 * What is left after coding counts where the document tells, else the line rate. */
static const DgDocNode *
narrowest_node (const DgDocLink *link)
{
    const DgDocNode *least = NULL;
    for (guint i = 0; i < link->n_path; i++) {
        const DgDocNode *node = &link->path[i];
        if (node->up_bits_per_s == DG_DOC_UNKNOWN)
            continue;
        if (node->is_narrowest)
            return node;
        if (least == NULL || node->up_bits_per_s < least->up_bits_per_s)
            least = node;
    }
    return least;
}

/* The segment that the link is named after. In a USB enclosure that is the bridge's: the drive's
 * own one ends inside. */
static const DgDocNode *
own_node (const DgDocLink *link)
{
    gboolean is_in_enclosure = g_strcmp0 (link->kind, "usb") == 0 && link->n_path > 1
                               && g_strcmp0 (link->path[1].kind, "bridge") == 0;
    for (guint i = is_in_enclosure ? 1 : 0; i < link->n_path; i++)
        if (link->path[i].up_bits_per_s != DG_DOC_UNKNOWN)
            return &link->path[i];
    return NULL;
}

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

/* `place`: the station that holds the drive back (nullable), by the port that it offers or, with
 * `is_behind`, by what it hangs on itself. */
static void
add_narrow (DgFindings *self, guint target, const gchar *id, const DgDocLink *link, guint64 best,
            const gchar *best_name, guint64 now, const DgDocNode *narrowest, const DgDocNode *place,
            gboolean is_behind)
{
    json_t *values = json_object ();
    set_u64 (values, "best_bits_per_s", best);
    set_u64 (values, "bits_per_s", now);
    set_text (values, "best_name", best_name);
    set_text (values, "link_name", link->short_name != NULL ? link->short_name : link->name);
    set_text (values, "segment_name", narrowest == NULL ? NULL : narrowest->up_name);
    set_text (values, "place_kind", place == NULL ? NULL : place->kind);
    set_text (values, "place_name", place == NULL ? NULL : place->name);
    json_object_set_new (values, "behind_place", json_boolean (is_behind));
    set_u64 (values, "practical_low_bytes_per_s", link->practical_low_bytes_per_s);
    set_u64 (values, "ceiling_bytes_per_s", link->ceiling_bytes_per_s);
    dg_findings_add (self, id, DG_SEVERITY_WARNING, (gint) target, -1, NULL, values);
}

/* The drive's own segment is slower than drive and host could do. */
static void
find_slow_segment (DgFindings *self, guint target, const DgDocLink *link, const DgDocNode *own)
{
    gboolean is_usb = g_strcmp0 (link->kind, "usb") == 0;
    guint64 now = own != NULL && own->up_bits_per_s < link->speed_bits_per_s
                      ? own->up_bits_per_s
                      : link->speed_bits_per_s;
    guint64 best = link->best_bits_per_s;
    const gchar *best_name = link->best_name;
    if (!is_usb && best == DG_DOC_UNKNOWN && own != NULL) {
        best = own->up_max_bits_per_s;
        best_name = own->up_max_name;
    }
    if (now == DG_DOC_UNKNOWN || best == DG_DOC_UNKNOWN || best <= now)
        return;
    const DgDocNode *place = own == NULL ? NULL : node_above (link, own);
    /* Every root port and controller is above its drive: only what stands between is worth naming.
     */
    if (!is_usb && place != NULL && g_strcmp0 (place->kind, "bridge") != 0)
        place = NULL;
    add_narrow (self, target, is_usb ? "slow-port" : "narrow-link", link, best, best_name, now, own,
                place, FALSE);
}

static void
find_narrow (DgFindings *self, guint target, const DgDocLink *link)
{
    const DgDocNode *narrowest = narrowest_node (link), *own = own_node (link);
    if (narrowest == NULL || own == NULL || narrowest == own) {
        find_slow_segment (self, target, link, own);
        return;
    }
    /* Inside a USB enclosure the drive's own link to the bridge may be the narrowest: no port makes
     * that faster. */
    if (narrowest < own)
        return;
    guint64 best = own->up_bits_per_s;
    const gchar *best_name = link->short_name != NULL ? link->short_name : own->up_name;
    if (link->best_bits_per_s != DG_DOC_UNKNOWN && link->best_bits_per_s > best) {
        best = link->best_bits_per_s;
        best_name = link->best_name;
    }
    add_narrow (self, target, g_strcmp0 (narrowest->kind, "hub") == 0 ? "slow-port" : "narrow-link",
                link, best, best_name, narrowest->up_bits_per_s, narrowest, narrowest, TRUE);
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
        /* At USB 2 speed deep queues would not help much. */
        if (g_strcmp0 (link->kind, "usb") == 0 && g_strcmp0 (link->protocol, "bot") == 0
            && link->uas_offered == 1 && link->speed_bits_per_s != DG_DOC_UNKNOWN
            && link->speed_bits_per_s >= 5000000000u)
            dg_findings_add (self, "bot-not-uas", DG_SEVERITY_INFO, (gint) i, -1, NULL,
                             json_object ());
    }
}
