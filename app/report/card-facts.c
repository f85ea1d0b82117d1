/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/card-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "app/core/findings.h"
#include "app/core/profile.h"
#include "app/core/test-spec.h"

#define MOST_ROWS     64 /* a picture has an end */
#define MOST_FINDINGS 4

/* ---- rows ---- */

static void
add_row (DgCard *card, const gchar *name, const DgProfileRow *row)
{
    DgCardRow made = { .tests = { -1, -1, -1 } };
    gboolean has_any = FALSE;
    if (card->rows->len >= MOST_ROWS)
        return;
    for (guint d = 0; d < 3; d++) {
        made.tests[d] = dg_view_find_test (card->view, name, (DgDirection) d);
        has_any |= made.tests[d] >= 0;
    }
    if (!has_any)
        return;
    made.name = g_strdup (name != NULL ? name : "—");
    if (row != NULL) {
        made.row = *row;
        made.has_unit = row->has_unit;
    }
    g_array_append_val (card->rows, made);
}

/* The built-in profile that the document names, if it still is what it was then. */
static const DgProfile *
profile_of (const DgDocView *view)
{
    guint n;
    const DgProfile *const *all = dg_profiles_builtin (&n);
    for (guint i = 0; i < n; i++)
        if (g_strcmp0 (all[i]->id, view->profile_id) == 0)
            return view->profile_version == all[i]->version ? all[i] : NULL;
    return NULL;
}

static gboolean
has_row (const DgCard *card, const gchar *name)
{
    for (guint i = 0; i < card->rows->len; i++)
        if (g_strcmp0 (g_array_index (card->rows, DgCardRow, i).name, name != NULL ? name : "—")
            == 0)
            return TRUE;
    return FALSE;
}

void
dg__card_add_rows (DgCard *card)
{
    const DgDocView *view = card->view;
    const DgProfile *profile = profile_of (view);
    for (guint i = 0; profile != NULL && i < profile->n_rows; i++) {
        const DgProfileRow *row = &profile->rows[i];
        if (row->test >= profile->n_tests)
            continue;
        g_autofree gchar *name = dg_test_spec_dup_name (&profile->tests[row->test]);
        add_row (card, name, row);
    }
    card->is_demo = profile != NULL && profile->is_demo && card->rows->len == 1;
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        if (!dg__report_is_speed (test))
            continue;
        card->directions[test->direction] = TRUE;
        if (card->rows->len < MOST_ROWS && !has_row (card, test->name)) {
            add_row (card, test->name, NULL);
            card->is_demo = FALSE;
        }
    }
    for (guint d = 0; d < 3; d++)
        card->n_directions += card->directions[d] ? 1 : 0;
}

/* ---- findings ---- */

const DgTextLook dg__card_finding_look = {
    .px = 17, .weight = PANGO_WEIGHT_NORMAL, .color = DG_COLOR_FG, .max_lines = 3
};

static void
add_finding (DgCard *card, DgSign sign, const gchar *title, const gchar *sentence,
             gdouble text_width)
{
    DgCardFinding made = { .sign = sign };
    gboolean has_title = title != NULL && *title != '\0';
    gboolean has_sentence = sentence != NULL && *sentence != '\0';
    if (!has_title && !has_sentence)
        return;
    made.text = g_strconcat (has_title ? title : "", has_title && has_sentence ? " " : "",
                             has_sentence ? sentence : "", NULL);
    made.bold_bytes = has_title ? (guint) strlen (title) : 0;
    DgTextLook look = dg__card_finding_look;
    look.max_width = text_width;
    look.bold_bytes = made.bold_bytes;
    /* One line is 22 high whatever the font. */
    gint lines = pango_layout_get_line_count (dg__text_layout (&card->style, made.text, &look));
    gdouble natural = ceil (dg__text_height (&card->style, made.text, &look));
    made.height = lines <= 1 ? 22 : MAX (22 * lines, natural);
    g_array_append_val (card->findings, made);
}

static gdouble
lines_height (const DgCard *card)
{
    gdouble height = 0;
    for (guint i = 0; i < card->findings->len; i++)
        height += g_array_index (card->findings, DgCardFinding, i).height;
    return height;
}

void
dg__card_add_findings (DgCard *card, gdouble text_width)
{
    const DgDocView *view = card->view;
    /* "1 more" would take the line of the one it stands for. */
    guint n = view->n_findings, shown = n <= MOST_FINDINGS + 1 ? n : MOST_FINDINGS;
    for (guint i = 0; i < shown; i++) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        dg_finding_describe (view, &view->findings[i], &title, &sentence);
        add_finding (card, dg_sign_of (view->findings[i].severity), title, sentence, text_width);
    }
    if (n > shown) {
        guint more = n - shown;
        g_autofree gchar *title = g_strdup_printf (ngettext ("%u more:", "%u more:", more), more);
        add_finding (card, DG_SIGN_INFO, title, _ ("they stand in the text report."), text_width);
    }
    gboolean is_proved = dg_findings_direct_proved (view);
    if (n < 2 && lines_height (card) <= 22
        && (is_proved || dg_findings_direct_unproved (view, NULL))) {
        g_autofree gchar *title = NULL, *sentence = NULL;
        if (is_proved)
            dg_findings_describe_proof (view, &title, &sentence);
        else
            dg_findings_describe_doubt (view, &title, &sentence);
        add_finding (card, is_proved ? DG_SIGN_PROOF : DG_SIGN_INFO, title, sentence, text_width);
    }
}

/* ---- conditions ---- */

static void
add (DgCard *card, const gchar *label, gchar *value /* (transfer full) (nullable) */)
{
    DgCardCondition made = { label, value };
    if (value != NULL && *value != '\0')
        g_array_append_val (card->conditions, made);
    else
        g_free (value);
}

static gchar *
file_system (const DgDocTarget *target)
{
    if (target == NULL || target->filesystem == NULL)
        return NULL;
    GString *text = g_string_new (dg__report_file_system_title (target->filesystem));
    if (target->size_bytes != DG_DOC_UNKNOWN && target->size_bytes > 0
        && target->free_bytes != DG_DOC_UNKNOWN) {
        guint percent = (guint) (100.0 * (gdouble) MIN (target->free_bytes, target->size_bytes)
                                     / (gdouble) target->size_bytes
                                 + 0.5);
        g_string_append (text, ", ");
        /* Translators: free space of a file system in percent */
        g_string_append_printf (text, _ ("%u\u202f%% free"), percent);
    }
    return g_string_free (text, FALSE);
}

static gchar *
direct (const DgDocView *view)
{
    const gchar *reason = NULL, *state = dg__report_direct (view, &reason);
    if (state == NULL)
        return NULL;
    if (strcmp (state, "proved") == 0)
        return g_strdup (C_ ("direct I/O", "proven"));
    return g_strdup (strcmp (state, "refuted") == 0       ? C_ ("direct I/O", "no: refuted")
                                                          : C_ ("direct I/O", "cannot be told"));
}

static gchar *
test_file (const DgDocView *view, DgNumberFor purpose)
{
    const DgDocTarget *target = dg__report_target (view);
    guint64 size = target != NULL && target->file_size_bytes != DG_DOC_UNKNOWN
                       ? target->file_size_bytes
                       : view->size_bytes;
    if (size == DG_DOC_UNKNOWN)
        return NULL;
    g_autofree gchar *text = dg_number_file_size (size, purpose);
    gboolean is_written = target != NULL && target->file_prepare_ns != DG_DOC_UNKNOWN;
    /* Translators: size of the test file */
    return is_written ? g_strdup_printf (_ ("%s, fully written first"), text)
                      : g_steal_pointer (&text);
}

static gchar *
data (const DgDocView *view)
{
    if (g_strcmp0 (view->data, "random") == 0)
        return g_strdup (C_ ("test data", "random, unique"));
    if (g_strcmp0 (view->data, "zero") == 0)
        return g_strdup (C_ ("test data", "zeros only"));
    return g_strdup (view->data);
}

static gchar *
runs (const DgDocView *view, DgNumberFor purpose)
{
    if (view->duration_ns == DG_DOC_UNKNOWN)
        return NULL;
    g_autofree gchar *duration = dg_number_duration (view->duration_ns, purpose);
    if (view->runs == 0)
        /* Translators: from 3 to 9 runs of so many seconds each */
        return g_strdup_printf (_ ("auto, 3–9 of %s"), duration);
    /* Translators: number of runs and the length of each */
    return g_strdup_printf (_ ("%u × %s"), (guint) MIN (view->runs, 99), duration);
}

/* Names of processors carry words that tell nothing. */
static gchar *
processor (const gchar *cpu)
{
    static const gchar *const idle[] = { "(R)",  "(TM)",       "(tm)",
                                         " CPU", " Processor", " with Radeon Graphics",
                                         NULL };
    g_autofree gchar *name = g_strdup (cpu);
    gchar *end = strstr (name, " @ ");
    if (end != NULL)
        *end = '\0';
    end = strstr (name, "-Core");
    if (end != NULL) {
        while (end > name && *end != ' ')
            end--;
        *end = '\0';
    }
    for (guint i = 0; idle[i] != NULL; i++) {
        g_auto (GStrv) parts = g_strsplit (name, idle[i], -1);
        g_free (name);
        name = g_strjoinv ("", parts);
    }
    return g_strstrip (g_steal_pointer (&name));
}

/* "Debian 12": the release's other name has no room in a picture. */
static gchar *
short_system (const gchar *os)
{
    g_auto (GStrv) parts = g_strsplit (os, " GNU/Linux", 2);
    gchar *name = g_strjoinv ("", parts);
    gchar *bracket = g_str_has_suffix (name, ")") ? strstr (name, " (") : NULL;
    if (bracket != NULL && bracket > name)
        *bracket = '\0';
    return name;
}

static gchar *
system_and_processor (const DgDocView *view)
{
    g_autofree gchar *os = view->os != NULL ? short_system (view->os) : g_strdup (view->kernel);
    GString *text = g_string_new (os != NULL ? os : "");
    if (view->cpu != NULL) {
        g_autofree gchar *name = processor (view->cpu);
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", name);
    }
    return g_string_free (text, FALSE);
}

static gchar *
temperature (const DgDocView *view, DgNumberFor purpose)
{
    DgTemperatureSpan span;
    if (!dg__report_temperatures (view, &span))
        return NULL;
    return dg_number_celsius_range (span.lowest, span.highest, purpose);
}

static gchar *
bytes_text (guint64 bytes, DgNumberFor purpose)
{
    return bytes == DG_DOC_UNKNOWN ? NULL : dg_number_gib (bytes, purpose);
}

static gchar *
program (const DgDocView *view)
{
    if (view->origin != NULL && strcmp (view->origin, "measured") != 0)
        return g_strdup (view->origin);
    const gchar *name = view->program_name != NULL ? view->program_name : "Drive Gauge";
    return view->program_version != NULL ? g_strdup_printf ("%s %s", name, view->program_version)
                                         : g_strdup (name);
}

/* "virtio": known by its name alone, it has no chain. */
static gchar *
link_name (const DgDocTarget *target)
{
    if (target == NULL || !target->has_link)
        return NULL;
    return g_strdup (target->link.name != NULL ? target->link.name : target->link.kind);
}

static gchar *
state (const DgDocView *view)
{
    switch (view->state_code) {
    case DG_DOC_STOPPED:
        return g_strdup (C_ ("state of a result", "stopped before the end"));
    case DG_DOC_FAILED:
        return g_strdup (C_ ("state of a result", "failed"));
    case DG_DOC_ABANDONED:
        return g_strdup (C_ ("state of a result", "given up: no answer"));
    default:
        return NULL;
    }
}

void
dg__card_add_conditions (DgCard *card)
{
    const DgDocView *view = card->view;
    DgNumberFor purpose = dg__number_for (&card->style);
    add (card, _ ("File system"), file_system (dg__report_target (view)));
    add (card, _ ("Direct I/O"), direct (view));
    add (card, _ ("Backend"), dg__report_backends (view));
    add (card, _ ("Date"), dg__report_dates (view, '-', FALSE));
    add (card, _ ("Test file"), test_file (view, purpose));
    add (card, _ ("Data"), data (view));
    add (card, _ ("Runs"), runs (view, purpose));
    add (card, _ ("Program"), program (view));
    add (card, _ ("System"), system_and_processor (view));
    add (card, _ ("Written"), bytes_text (view->bytes_written, purpose));
    /* Translators: how much was, beside "Written" */
    add (card, C_ ("bytes", "Read"), bytes_text (view->bytes_read, purpose));
    add (card, _ ("Temperature"), temperature (view, purpose));
    if (!card->has_chain)
        add (card, _ ("Link"), link_name (dg__report_target (view)));
    /* Only where they are not the usual. */
    add (card, _ ("State"), state (view));
    if (dg_document_counts_flush (view))
        add (card, _ ("Flush"), g_strdup (C_ ("flush", "in the time of writes")));
    if (view->write_through)
        add (card, _ ("Writes"), g_strdup (C_ ("writes", "each to the medium")));
    if (view->no_cow)
        add (card, _ ("Copy on write"), g_strdup (C_ ("copy on write", "off")));
}
