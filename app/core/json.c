/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/document-private.h"

#include "app/core/numbers.h"

#include <math.h>

gpointer
dg_json_new (GPtrArray *owned, gsize n, gsize size)
{
    if (n == 0)
        return NULL;
    gpointer memory = g_malloc0_n (n, size);
    g_ptr_array_add (owned, memory);
    return memory;
}

gchar *
dg_json_text (GPtrArray *owned, json_t *object, const gchar *key)
{
    const gchar *raw = json_string_value (json_object_get (object, key));
    if (raw == NULL)
        return NULL;
    gchar *text = dg_text_sanitize (raw);
    g_ptr_array_add (owned, text);
    return text;
}

guint64
dg_json_u64_value (json_t *value)
{
    if (json_is_integer (value) && json_integer_value (value) >= 0)
        return (guint64) json_integer_value (value);
    if (json_is_real (value)) {
        gdouble real = json_real_value (value);
        if (real >= 0.0 && real < 9007199254740992.0 && floor (real) == real)
            return (guint64) real;
    }
    return DG_DOC_UNKNOWN;
}

guint64
dg_json_u64 (json_t *object, const gchar *key)
{
    return dg_json_u64_value (json_object_get (object, key));
}

gdouble
dg_json_double (json_t *object, const gchar *key)
{
    json_t *value = json_object_get (object, key);
    return json_is_number (value) && isfinite (json_number_value (value))
               ? json_number_value (value)
               : NAN;
}

gint
dg_json_truth (json_t *object, const gchar *key)
{
    json_t *value = json_object_get (object, key);
    return json_is_boolean (value) ? (json_is_true (value) ? 1 : 0) : -1;
}

guint
dg_json_array_size (json_t *object, const gchar *key)
{
    return (guint) json_array_size (json_object_get (object, key));
}
