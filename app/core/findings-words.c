/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all sentences are made of. The same words serve the window, in the user's language, and the
 * file, in English. */
#include "app/core/findings-private.h"

#include <math.h>

const gchar *
dg_word (const DgWording *w, const gchar *message)
{
    return w->translate ? gettext (message) : message;
}

const gchar *
dg_words (const DgWording *w, const gchar *one, const gchar *many, gulong n)
{
    return w->translate ? ngettext (one, many, n) : (n == 1 ? one : many);
}

guint64
dg_word_u64 (const DgWording *w, const gchar *key)
{
    json_t *value = json_object_get (w->finding->values, key);
    if (json_is_real (value) && json_real_value (value) >= 0.0 && json_real_value (value) < 9e18)
        return (guint64) json_real_value (value);
    return json_is_integer (value) && json_integer_value (value) >= 0
               ? (guint64) json_integer_value (value)
               : DG_DOC_UNKNOWN;
}

gdouble
dg_word_real (const DgWording *w, const gchar *key)
{
    json_t *value = json_object_get (w->finding->values, key);
    return json_is_number (value) ? json_number_value (value) : NAN;
}

const gchar *
dg_word_value (const DgWording *w, const gchar *key)
{
    const gchar *raw = json_string_value (json_object_get (w->finding->values, key));
    if (raw == NULL)
        return NULL;
    gchar *clean = dg_text_sanitize (raw);
    g_ptr_array_add (w->owned, clean);
    return clean;
}

static gboolean
is_known (json_t *value, const gchar *key)
{
    if (json_is_string (value))
        return json_string_value (value)[0] != '\0';
    return json_is_number (value) && fabs (json_number_value (value)) < 9e18
           && (json_number_value (value) >= 0.0 || g_str_has_suffix (key, "_celsius"));
}

gboolean
dg_word_has (const DgWording *w, const gchar *key, ...)
{
    va_list keys;
    gboolean has_all = TRUE;
    va_start (keys, key);
    for (; key != NULL && has_all; key = va_arg (keys, const gchar *))
        has_all = is_known (json_object_get (w->finding->values, key), key);
    va_end (keys);
    return has_all;
}

gchar *
dg_word_test (const DgWording *w)
{
    if (w->finding->test < 0 || (guint) w->finding->test >= w->view->n_tests
        || w->view->tests[w->finding->test].name == NULL)
        return g_strdup (dg_word (w, N_ ("a test")));
    const DgDocTest *test = &w->view->tests[w->finding->test];
    const gchar *name = test->name;
    switch (test->direction) {
    case DG_DIRECTION_READ:
        /* translators: %s is the name of a test such as "SEQ1M Q8T1" */
        return g_strdup_printf (dg_word (w, N_ ("%s read")), name);
    case DG_DIRECTION_WRITE:
        return g_strdup_printf (dg_word (w, N_ ("%s write")), name);
    default:
        return g_strdup_printf (dg_word (w, N_ ("%s mix")), name);
    }
}

gchar *
dg_word_percent (const DgWording *w, gdouble percent)
{
    if (!(percent >= 0.0) || percent > 1e9)
        return g_strdup ("—");
    g_autofree gchar *whole = dg_number_count ((guint64) (percent + 0.5), w->purpose);
    /* translators: a percentage; %s is a number */
    return g_strdup_printf (dg_word (w, N_ ("%s %%")), whole);
}

gchar *
dg_word_rate (const DgWording *w, gdouble bytes_per_s)
{
    return dg_number_rate_and_unit (bytes_per_s, DG_UNIT_MB, w->purpose);
}
