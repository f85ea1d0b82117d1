/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The written reports against the files in reports/. After a wanted change:
 *     DG_UPDATE_REPORTS=1 meson test -C build report
 * writes them again; look at the difference before it is committed. */
#include "tests/app/report-sample.h"

#include "app/report/report.h"

#include <locale.h>
#include <string.h>

typedef gchar *(*ReportFunc) (const DgDocView *view);

static const struct {
    const gchar *extension;
    ReportFunc make;
} formats[] = { { "txt", dg_report_text },
                { "md", dg_report_markdown },
                { "bbcode", dg_report_bbcode },
                { "csv", dg_report_csv } };

static DgDocument *
load (const gchar *name)
{
    g_autoptr (GError) error = NULL;
    json_t *root = report_sample_new (name);
    g_assert_nonnull (root);
    DgDocument *document = dg_document_new_from_json (root, &error);
    json_decref (root);
    g_assert_no_error (error);
    return document;
}

static void
test_golden (gconstpointer data)
{
    const gchar *name = data;
    g_autoptr (DgDocument) document = load (name);
    /* A table of every run is long: one with all its columns full is enough, one with none. */
    gboolean with_csv = strcmp (name, "usb") == 0 || strcmp (name, "unknown") == 0;
    for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
        if (strcmp (formats[i].extension, "csv") == 0 && !with_csv)
            continue;
        g_autofree gchar *report = formats[i].make (dg_document_view (document));
        g_autofree gchar *base = g_strdup_printf ("%s.%s", name, formats[i].extension);
        g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "reports", base, NULL);
        g_autofree gchar *expected = NULL;
        g_assert_true (g_utf8_validate (report, -1, NULL));
        if (g_getenv ("DG_UPDATE_REPORTS") != NULL)
            g_assert_true (g_file_set_contents (path, report, -1, NULL));
        g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
        g_assert_cmpstr (report, ==, expected);
    }
}

/* What is written does not depend on the user's language. */
static void
test_locale (void)
{
    static const gchar *const locales[] = { "de_DE.UTF-8", "ru_RU.UTF-8", "fr_FR.UTF-8", NULL };
    g_autoptr (DgDocument) document = load ("usb");
    g_autofree gchar *before = dg_report_text (dg_document_view (document));
    g_autofree gchar *before_csv = dg_report_csv (dg_document_view (document));
    for (guint i = 0; locales[i] != NULL; i++) {
        if (setlocale (LC_ALL, locales[i]) == NULL)
            continue;
        g_autofree gchar *after = dg_report_text (dg_document_view (document));
        g_autofree gchar *after_csv = dg_report_csv (dg_document_view (document));
        setlocale (LC_ALL, "C.UTF-8");
        g_assert_cmpstr (before, ==, after);
        g_assert_cmpstr (before_csv, ==, after_csv);
        return;
    }
    g_test_skip ("no locale with a decimal comma is installed");
}

/* ---- CSV read back by the rules of RFC 4180 ---- */

static GPtrArray *
parse_csv (const gchar *text)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
    const gchar *p = text;
    while (*p != '\0') {
        GPtrArray *row = g_ptr_array_new_with_free_func (g_free);
        for (;;) {
            GString *cell = g_string_new (NULL);
            if (*p == '"') {
                p++;
                while (*p != '"' || p[1] == '"') {
                    g_assert_cmpint (*p, !=, '\0');
                    p += *p == '"' ? 1 : 0;
                    g_string_append_c (cell, *p++);
                }
                p++;
            } else
                while (*p != ',' && *p != '\r') {
                    g_assert_cmpint (*p, !=, '\0');
                    g_assert_cmpint (*p, !=, '"');
                    g_string_append_c (cell, *p++);
                }
            g_ptr_array_add (row, g_string_free (cell, FALSE));
            if (*p != ',')
                break;
            p++;
        }
        g_assert_true (g_str_has_prefix (p, "\r\n"));
        p += 2;
        g_ptr_array_add (rows, row);
    }
    return rows;
}

static const gchar *
cell_of (GPtrArray *rows, guint line, const gchar *column)
{
    GPtrArray *head = rows->pdata[0], *row = rows->pdata[line];
    for (guint i = 0; i < head->len; i++)
        if (strcmp (head->pdata[i], column) == 0)
            return row->pdata[i];
    g_assert_not_reached ();
}

static void
test_csv (gconstpointer data)
{
    g_autoptr (DgDocument) document = load (data);
    const DgDocView *view = dg_document_view (document);
    g_autofree gchar *csv = dg_report_csv (view);
    g_autoptr (GPtrArray) rows = parse_csv (csv);
    guint line = 1;
    for (guint i = 0; i < rows->len; i++)
        g_assert_cmpuint (((GPtrArray *) rows->pdata[i])->len, ==,
                          ((GPtrArray *) rows->pdata[0])->len);
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        for (guint k = 0; k < test->n_runs; k++, line++) {
            g_assert_cmpuint (line, <, rows->len);
            if (test->name != NULL)
                g_assert_cmpstr (cell_of (rows, line, "test"), ==, test->name);
            g_assert_cmpfloat_with_epsilon (
                g_ascii_strtod (cell_of (rows, line, "bandwidth_bytes_per_s"), NULL),
                test->runs[k].bandwidth_bytes_per_s == test->runs[k].bandwidth_bytes_per_s
                    ? test->runs[k].bandwidth_bytes_per_s
                    : 0,
                1);
            g_assert_cmpstr (cell_of (rows, line, "shown"), ==,
                             (gint) k == test->shown ? "1" : "0");
        }
        line += test->n_runs == 0 ? 1 : 0;
    }
    g_assert_cmpuint (line, ==, rows->len);
    /* No cell of text may be taken for a formula. */
    for (guint i = 1; i < rows->len; i++)
        for (guint k = 0; k < ((GPtrArray *) rows->pdata[i])->len; k++) {
            const gchar *cell = ((GPtrArray *) rows->pdata[i])->pdata[k];
            g_assert_true (*cell == '\0' || strchr ("=+-@\t\r", *cell) == NULL);
        }
}

/* ---- hostile strings ---- */

static guint
count (const gchar *text, const gchar *what)
{
    guint n = 0;
    for (const gchar *p = strstr (text, what); p != NULL; p = strstr (p + 1, what))
        n++;
    return n;
}

static void
test_hostile_markdown (void)
{
    g_autoptr (DgDocument) document = load ("hostile");
    g_autofree gchar *markdown = dg_report_markdown (dg_document_view (document));
    g_auto (GStrv) lines = g_strsplit (markdown, "\n", -1);
    guint tables = 0;
    for (guint i = 0; lines[i] != NULL; i++) {
        guint bars = 0, columns = 0;
        for (const gchar *p = lines[i]; *p != '\0'; p++) {
            g_assert_true ((guchar) *p >= ' ');
            if (*p == '\\')
                p++;
            else if (*p == '|')
                bars++;
            else
                g_assert_null (strchr ("<>`*_~", *p));
        }
        if (lines[i][0] == '|')
            columns = bars;
        g_assert_true (bars == columns);
        g_assert_true (columns == 0 || columns == 8 || columns == 3);
        tables += columns == 8 ? 1 : 0;
    }
    g_assert_cmpuint (tables, ==, 2 * 6); /* two tables of head, rule and four tests */
    g_assert_cmpuint (count (markdown, "http://"), ==, 0);
    g_assert_cmpuint (count (markdown, "https://"), ==, 1);
    g_assert_cmpuint (count (markdown, "www."), ==, 0);
}

static void
test_hostile_bbcode (void)
{
    g_autoptr (DgDocument) document = load ("hostile");
    g_autofree gchar *bbcode = dg_report_bbcode (dg_document_view (document));
    g_assert_cmpuint (count (bbcode, "[code]"), ==, 1);
    g_assert_cmpuint (count (bbcode, "[/code]"), ==, 1);
    g_assert_cmpuint (count (bbcode, "[url="), ==, 1);
    g_assert_cmpuint (count (bbcode, "[/url]"), ==, 1);
    g_assert_cmpuint (count (bbcode, "[img"), ==, 0);
    g_assert_cmpuint (count (bbcode, "[b]"), ==, count (bbcode, "[/b]"));
    g_assert_cmpuint (count (bbcode, "[b]bold"), ==, 0);
    g_assert_cmpuint (count (bbcode, "http://"), ==, 0);
}

/* Label and file system may be told, a path below the mount may not; one line stays one line. */
static void
test_private (gconstpointer data)
{
    g_autoptr (DgDocument) document = load (data);
    for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
        g_autofree gchar *report = formats[i].make (dg_document_view (document));
        g_assert_null (strstr (report, "secret"));
        g_assert_null (strstr (report, "/run/media"));
        g_assert_null (strstr (report, "0123456789abcdef"));
        for (const gchar *p = report; *p != '\0'; p++)
            g_assert_true ((guchar) *p >= ' ' || *p == '\n'
                           || (*p == '\r' && p[1] == '\n' && i == 3));
    }
}

static void
test_file_name (void)
{
    g_autoptr (DgDocument) usb = load ("usb");
    g_autofree gchar *plain = dg_report_file_name (dg_document_view (usb));
    g_assert_cmpstr (plain, ==, "Drive Gauge Samsung T7 Shield 2025-11-30 1432");

    g_autoptr (DgDocument) hostile = load ("hostile");
    g_autofree gchar *evil = dg_report_file_name (dg_document_view (hostile));
    g_assert_true (g_str_has_prefix (evil, "Drive Gauge "));
    g_assert_true (g_str_has_suffix (evil, " 2025-11-30 1432"));
    g_assert_null (strpbrk (evil, "/\\:*?\"<>|'`$&;\n\r\t"));
    g_assert_null (strstr (evil, ".."));

    g_autoptr (DgDocument) russian = load ("russian");
    g_autofree gchar *letters = dg_report_file_name (dg_document_view (russian));
    g_assert_nonnull (strstr (letters, "Накопитель"));
    g_assert_cmpint (g_utf8_strlen (letters, -1), <=, 12 + 60 + 16);

    g_autoptr (DgDocument) unknown = load ("unknown");
    g_autofree gchar *bare = dg_report_file_name (dg_document_view (unknown));
    g_assert_cmpstr (bare, ==, "Drive Gauge 2025-11-30 1432 UTC");
}

static void
test_lines (void)
{
    g_autoptr (DgDocument) document = load ("mix");
    g_autofree gchar *text = dg_report_text (dg_document_view (document));
    g_assert_nonnull (
        strstr (text, "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]\n"));
    g_assert_nonnull (strstr (text, "\n[Mix] Read 70%/Write 30%\n"));
    g_assert_nonnull (strstr (
        text, "\n  SEQ    1MiB (Q=  8, T= 1):  1036.400 MB/s [    988.4 IOPS] <  8093.99 us>"));
    g_autoptr (DgDocument) broken = load ("broken");
    g_autofree gchar *dashes = dg_report_text (dg_document_view (broken));
    g_assert_nonnull (strstr (dashes,
                              "  RND    4KiB (Q= 32, T= 1):         — MB/s [        — "
                              "IOPS] <        — us>  not run: the run was stopped before\n"));
}

/* I/Os under way at the end are not counted; they are told of when they are older than all that
 * are. */
static void
test_left_older (void)
{
    json_t *root = report_sample_new ("usb");
    json_t *run = json_array_get (
        json_object_get (json_array_get (json_object_get (root, "tests"), 0), "runs"), 0);
    json_object_set_new (run, "unfinished", json_integer (5));
    json_t *max = json_object_get (json_object_get (run, "latency"), "max_ns");
    for (gint older = 0; older < 2; older++) {
        json_object_set_new (run, "oldest_unfinished_ns",
                             json_integer (json_integer_value (max) + older * 800000000));
        g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
        g_autofree gchar *text = dg_report_text (dg_document_view (document));
        g_assert_true ((strstr (text, " us  5 under way at the end, for up to 817 ms\n") != NULL)
                       == (older == 1));
        g_assert_true ((strstr (text, "under way") != NULL) == (older == 1));
    }
    json_decref (root);
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    const gchar *const *names = report_sample_names ();
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree gchar *golden = g_strdup_printf ("/report/golden/%s", names[i]);
        g_autofree gchar *csv = g_strdup_printf ("/report/csv/%s", names[i]);
        g_autofree gchar *private_path = g_strdup_printf ("/report/private/%s", names[i]);
        g_test_add_data_func (golden, names[i], test_golden);
        g_test_add_data_func (csv, names[i], test_csv);
        g_test_add_data_func (private_path, names[i], test_private);
    }
    g_test_add_func ("/report/locale", test_locale);
    g_test_add_func ("/report/lines", test_lines);
    g_test_add_func ("/report/left-older", test_left_older);
    g_test_add_func ("/report/hostile/markdown", test_hostile_markdown);
    g_test_add_func ("/report/hostile/bbcode", test_hostile_bbcode);
    g_test_add_func ("/report/file-name", test_file_name);
    return g_test_run ();
}
