/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/test-spec.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define KIB 1024u
#define MIB (1024u * 1024u)

static const gchar *
skip_space (const gchar *p)
{
    while (g_ascii_isspace (*p))
        p++;
    return p;
}

#define LARGE 999999999u /* out of each range, in whatever unit; and nothing overflows */

static gboolean
take_number (const gchar **p, guint *ret_value)
{
    guint64 value = 0;

    if (!g_ascii_isdigit (**p))
        return FALSE;
    for (; g_ascii_isdigit (**p); (*p)++)
        value = MIN (value * 10 + (guint64) (**p - '0'), LARGE);
    *ret_value = (guint) value;
    return TRUE;
}

static gboolean
take_word (const gchar **p, const gchar *word)
{
    gsize n = strlen (word);

    if (g_ascii_strncasecmp (*p, word, n) != 0)
        return FALSE;
    *p += n;
    return TRUE;
}

static gboolean
take_block (const gchar **p, guint64 *ret_bytes)
{
    guint number;
    guint64 unit = 1;

    if (!take_number (p, &number))
        return FALSE;
    if (take_word (p, "K"))
        unit = KIB;
    else if (take_word (p, "M"))
        unit = MIB;
    if (unit != 1)
        take_word (p, "iB");
    *ret_bytes = number * unit;
    return TRUE;
}

static gboolean
fail (GError **error, const gchar *text, const gchar *reason)
{
    g_autofree gchar *shown = dg_text_sanitize (text);

    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE,
                 /* Translators: “%s” is what the user typed, then the reason; the names of tests
                    stay as they are */
                 _ ("“%s” is not a test: %s. Write it like “SEQ1M Q8T1” or “RND4K Q32T16”."), shown,
                    reason);
    return FALSE;
}

gboolean
dg_test_spec_parse (const gchar *text, DgTestSpec *ret_spec, GError **error)
{
    DgTestSpec spec;
    const gchar *p = skip_space (text != NULL ? text : "");

    if (take_word (&p, "SEQ"))
        spec.access = DG_ACCESS_SEQUENTIAL;
    else if (take_word (&p, "RND"))
        spec.access = DG_ACCESS_RANDOM;
    else
        return fail (error, text, _ ("it does not begin with SEQ (sequential) or RND (random)"));

    if (!take_block (&p, &spec.block_bytes))
        return fail (error, text, _ ("the block size is missing"));
    if (spec.block_bytes < 512 || spec.block_bytes > 64u * MIB
        || (spec.block_bytes & (spec.block_bytes - 1)) != 0)
        return fail (error, text,
                     _ ("the block size has to be a power of two from 512 (bytes) to 64M"));
    p = skip_space (p);
    if (!take_word (&p, "Q") || !take_number (&p, &spec.queue_depth))
        return fail (error, text, _ ("the queue depth is missing"));
    if (spec.queue_depth < 1 || spec.queue_depth > 512)
        return fail (error, text, _ ("the queue depth has to be from 1 to 512"));
    p = skip_space (p);
    if (!take_word (&p, "T") || !take_number (&p, &spec.threads))
        return fail (error, text, _ ("the number of threads is missing"));
    if (spec.threads < 1 || spec.threads > 64)
        return fail (error, text, _ ("the number of threads has to be from 1 to 64"));
    if (spec.queue_depth * spec.threads > 4096)
        return fail (error, text, _ ("queue depth times threads has to be 4096 at most"));
    if (*skip_space (p) != '\0')
        return fail (error, text, _ ("there is something behind it"));

    *ret_spec = spec;
    return TRUE;
}

gchar *
dg_test_spec_dup_short (const DgTestSpec *spec)
{
    const gchar *access = spec->access == DG_ACCESS_RANDOM ? "RND" : "SEQ";
    guint64 block = spec->block_bytes;

    if (block % MIB == 0)
        return g_strdup_printf ("%s%" G_GUINT64_FORMAT "M", access, block / MIB);
    if (block % KIB == 0)
        return g_strdup_printf ("%s%" G_GUINT64_FORMAT "K", access, block / KIB);
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT, access, block);
}

gchar *
dg_test_spec_dup_queue (const DgTestSpec *spec)
{
    return g_strdup_printf ("Q%uT%u", spec->queue_depth, spec->threads);
}

gchar *
dg_test_spec_dup_name (const DgTestSpec *spec)
{
    g_autofree gchar *first = dg_test_spec_dup_short (spec);
    g_autofree gchar *queue = dg_test_spec_dup_queue (spec);

    return g_strconcat (first, " ", queue, NULL);
}

gboolean
dg_test_spec_equal (const DgTestSpec *a, const DgTestSpec *b)
{
    return a->access == b->access && a->block_bytes == b->block_bytes
           && a->queue_depth == b->queue_depth && a->threads == b->threads;
}
