/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test as a cell: it says what the findings say, and no more. */
#include "app/report/draw-private.h"
#include "tests/app/finding-cases.h"

#include <math.h>
#include <string.h>

static const DgDrawStyle style = { .for_file = TRUE, .unit = DG_UNIT_MB };

static gboolean
has_finding (const DgDocView *view, const gchar *id)
{
    for (guint i = 0; i < view->n_findings; i++)
        if (g_strcmp0 (view->findings[i].id, id) == 0)
            return TRUE;
    return FALSE;
}

/* A mix of `reads` and `writes` bytes in two seconds, in each of its runs. */
static json_t *
make_mix (guint64 reads, guint64 writes)
{
    json_t *root = make_base (3);
    edit (root, "tests.0.direction = 'mix'");
    edit (root, "tests.0.read_percent = 50");
    edit (root, "plan.mix_read_percent = 50");
    for (guint i = 0; i < 3; i++) {
        g_autofree gchar *rate =
            g_strdup_printf ("tests.0.runs.%u.bandwidth_bytes_per_s = %" G_GUINT64_FORMAT ".0", i,
                             (reads + writes) / 2);
        g_autofree gchar *read = g_strdup_printf (
            "tests.0.runs.%u.read = {'bytes': %" G_GUINT64_FORMAT ", 'ios': 1}", i, reads);
        g_autofree gchar *write = g_strdup_printf (
            "tests.0.runs.%u.write = {'bytes': %" G_GUINT64_FORMAT ", 'ios': 1}", i, writes);
        edit (root, rate);
        edit (root, read);
        edit (root, write);
    }
    return root;
}

/* The link's rates are those of one direction, and a mix uses both. */
static void
test_mix (void)
{
    static const struct {
        guint64 reads, writes; /* in two seconds, MB */
        const gchar *change;
        gboolean is_above;
        gdouble ceiling; /* of both directions together, MB/s */
    } cases[] = {
        { 3200, 3200, NULL, FALSE, 4200 }, /* 2424 MB/s each way */
        { 4800, 1200, NULL, FALSE, 2625 },
        { 5000, 3000, NULL, TRUE, 3360 },
        /* one way at a time: the bytes of both share the link */
        { 3200, 3200, "targets.0.link.kind = 'sata'", TRUE, 2100 },
        { 3200, 3200, "targets.0.link.kind = 'sd'", TRUE, 2100 },
        { 3200, 3200, "targets.0.link.protocol = 'bot'", TRUE, 2100 },
        { 2000, 2000, "targets.0.link.kind = 'sata'", FALSE, 2100 },
    };
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        json_t *root = make_mix (cases[i].reads * 1000000, cases[i].writes * 1000000);
        if (cases[i].change != NULL)
            edit (root, cases[i].change);
        g_autoptr (DgDocument) document = make_document (root);
        const DgDocView *view = dg_document_view (document);
        DgCell cell;
        g_test_message ("%u", i);
        dg_cell_from_test (&cell, view, 0, DG_DIRECTION_MIX, NULL, &style);
        g_assert_cmpint (has_finding (view, "above-link"), ==, cases[i].is_above);
        g_assert_cmpint (cell.is_above_link, ==, cases[i].is_above);
        g_assert_cmpint (cell.beside_is_warning, ==, cases[i].is_above);
        g_assert_cmpint (strstr (cell.beside, "cache") != NULL, ==, cases[i].is_above);
        g_assert_cmpfloat_with_epsilon (cell.ceiling, cases[i].ceiling * 1e6, 1e3);
        dg_cell_clear (&cell);
        /* not measured yet: as planned */
        dg_cell_from_test (&cell, view, -1, DG_DIRECTION_MIX, NULL, &style);
        g_assert_cmpfloat_with_epsilon (cell.ceiling, cases[i].change == NULL ? 4200e6 : 2100e6,
                                        1e3);
        dg_cell_clear (&cell);
        json_decref (root);
    }
}

/* However far the runs lie apart, the whisker's ends are within the cell: with a link's ceiling and
 * without one. */
static void
test_whisker (void)
{
    static const gchar *const links[] = { NULL, "targets.0.link = null" };
    for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
        json_t *root = make_base (3);
        for (guint k = 0; k < 3; k++) {
            g_autofree gchar *rate = g_strdup_printf (
                "tests.0.runs.%u.bandwidth_bytes_per_s = %u000000.0", k, 1900 + 600 * (k / 2));
            edit (root, rate);
        }
        if (links[i] != NULL)
            edit (root, links[i]);
        g_autoptr (DgDocument) document = make_document (root);
        const DgDocView *view = dg_document_view (document);
        DgCell cell;
        dg_cell_from_test (&cell, view, 0, view->tests[0].direction, NULL, &style);
        g_assert_cmpfloat (cell.value, ==, 1900e6);
        g_assert_cmpfloat (cell.fastest, ==, 2500e6);
        g_assert_cmpfloat (cell.fastest, <=, cell.scale_max * 0.9701);
        dg_cell_clear (&cell);
        json_decref (root);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/cells/mix", test_mix);
    g_test_add_func ("/cells/whisker", test_whisker);
    return g_test_run ();
}
