/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each finding is seen where a result is looked at: in the saved file, the text, the Markdown, the
 * BBCode and the card. (In the window: tests/gui/test-findings-shown.c.) */
#include "app/report/card-private.h"
#include "app/report/report-escape.h"
#include "app/report/report.h"
#include "tests/app/finding-cases.h"

#include <glib/gstdio.h>
#include <string.h>

static gchar *
unfolded (const gchar *text)
{
    g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
    g_autoptr (GString) all = g_string_new (NULL);
    for (guint i = 0; words[i] != NULL; i++)
        if (words[i][0] != '\0')
            g_string_append_printf (all, "%s ", words[i]);
    return g_strdup (all->str);
}

/* Lines may be folded anywhere between words. */
static void
assert_contains (const gchar *where, const gchar *text, const gchar *part)
{
    g_autofree gchar *all = unfolded (text), *wanted = unfolded (part);
    if (strstr (all, wanted) == NULL)
        g_error ("not in the %s: %s", where, part);
}

static void
look_at_file (const DgDocument *document, const DgDocFinding *finding)
{
    g_autoptr (GError) error = NULL;
    g_autofree gchar *path = NULL;
    gint fd = g_file_open_tmp ("drivegauge-XXXXXX.json", &path, &error);
    g_assert_no_error (error);
    g_close (fd, NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    dg_document_save (document, file, TRUE, &error);
    g_assert_no_error (error);
    g_autoptr (DgDocument) again = dg_document_load (file, &error);
    g_assert_no_error (error);
    const DgDocView *view = dg_document_view (again);
    g_assert_cmpuint (view->n_findings, ==, 1);
    g_assert_cmpstr (view->findings[0].id, ==, finding->id);
    g_assert_cmpstr (view->findings[0].text, ==, finding->text);
    g_assert_cmpint (view->findings[0].severity, ==, finding->severity);
    g_assert_true (json_equal (view->findings[0].values, finding->values));
    g_file_delete (file, NULL, NULL);
}

static void
look_at_card (const DgDocView *view, const DgDocFinding *finding)
{
    g_autofree gchar *title = NULL, *sentence = NULL;
    dg_finding_describe (view, finding, &title, &sentence);
    DgCardOptions options = { .look = DG_LOOK_LIGHT, .scale = 1, .unit = DG_UNIT_MB };
    DgCard card = { 0 };
    dg__card_init (&card, view, &options);
    guint n_found = 0;
    for (guint i = 0; i < card.findings->len; i++) {
        const DgCardFinding *shown = &g_array_index (card.findings, DgCardFinding, i);
        if (!g_str_has_prefix (shown->text, title))
            continue;
        n_found++;
        g_assert_true (g_str_has_suffix (shown->text, sentence));
        g_assert_cmpint (shown->sign, ==, dg_sign_of (finding->severity));
        g_assert_cmpfloat (shown->height, >=, 22);
        g_assert_cmpfloat (shown->height, <=, 3 * 22 + 8);
    }
    g_assert_cmpuint (n_found, ==, 1);
    g_assert_cmpfloat (card.findings_y, >, 0);
    dg__card_done (&card);
}

static void
test_shown (gconstpointer data)
{
    g_autoptr (DgDocument) document = finding_case_document (data);
    const DgDocView *view = dg_document_view (document);
    g_assert_cmpuint (view->n_findings, ==, 1);
    const DgDocFinding *finding = &view->findings[0];
    g_autofree gchar *text = dg_report_text (view), *markdown = dg_report_markdown (view),
                     *bbcode = dg_report_bbcode (view);
    g_autofree gchar *in_markdown = dg__escape_markdown (finding->text),
                     *in_bbcode = dg__escape_bbcode (finding->text);
    assert_contains ("text", text, finding->text);
    assert_contains ("Markdown", markdown, in_markdown);
    assert_contains ("BBCode", bbcode, in_bbcode);
    look_at_file (document, finding);
    look_at_card (view, finding);
}

/* Those that need no link, all of them. */
static void
test_all (void)
{
    static const gchar *const ids[] = {
        "not-direct",       "unstable",          "was-asleep",     "cache-ended", "busy-drive",
        "cpu-limited",      "queue-not-reached", "kernel-threads", "too-few-ios", "fragmented",
        "misaligned",       "sub-sector",        "zero-data",      "compressed",  "copy-on-write",
        "encrypted",        "network-target",    "memory-target",  "fuse-target", "nearly-full",
        "fallback-backend", "io-errors",         "also-running",   "suspended",   "on-battery",
    };
    for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
        guint n = 0;
        for (guint k = 0; k < n_finding_cases; k++)
            n += strcmp (finding_cases[k].id, ids[i]) == 0;
        if (n == 0)
            g_error ("no case shows %s", ids[i]);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < n_finding_cases; i++) {
        if (finding_cases[i].id[0] == '\0')
            continue;
        g_autofree gchar *name = g_strdup_printf ("/shown/%s/%u", finding_cases[i].id, i);
        g_test_add_data_func (name, &finding_cases[i], test_shown);
    }
    g_test_add_func ("/shown/all", test_all);
    return g_test_run ();
}
