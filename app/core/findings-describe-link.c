/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences about the link. */
#include "app/core/findings-private.h"

#include <math.h>

gchar *
dg_sentence_above_link (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *rate = dg_word_rate (w, dg_word_real (w, "bytes_per_s"));
    g_autofree gchar *most = dg_word_rate (w, dg_word_real (w, "after_coding_bytes_per_s"));
    if (!dg_word_has (w, "bytes_per_s", "after_coding_bytes_per_s", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s gave more than the link can carry: a cache answered, not the drive. Choose a larger test size.")),
                     test);
    /* translators: a test and two rates */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s gave %s, but the link carries at most %s: a cache answered, not the drive. Choose a larger test size.")),
                                     test, rate, most);
}

/* "10 Gb/s" */
static gchar *
line_rate (const DgWording *w, const gchar *key)
{
    return dg_number_line_rate (dg_word_u64 (w, key), w->purpose);
}

/* What the figures will be: "expect 33 to 43 MB/s"; NULL when the table has no row. */
static gchar *
expectation (const DgWording *w)
{
    gdouble low = dg_word_real (w, "practical_low_bytes_per_s"),
            high = dg_word_real (w, "ceiling_bytes_per_s");
    if (isnan (low) || isnan (high))
        return NULL;
    g_autofree gchar *from = dg_number_rate (round (low / 1e6) * 1e6, DG_UNIT_MB, w->purpose);
    g_autofree gchar *to = dg_word_rate (w, round (high / 1e6) * 1e6);
    /* Whole MB/s are enough for an expectation. */
    if (low < 1e9 && high < 1e9)
        return g_strdup_printf (dg_word (w, N_ ("%.0f to %.0f MB/s")), low / 1e6, high / 1e6);
    /* translators: two rates, the second with its unit */
    return g_strdup_printf (dg_word (w, N_ ("%s to %s")), from, to);
}

static gchar *
slow_usb_2 (const DgWording *w, const gchar *best, const gchar *expected, const gchar *hub)
{
    if (hub != NULL && expected != NULL)
        /* translators: a line rate, the name of a hub, a range of rates */
        return g_strdup_printf (dg_word (w,
                                         N_ ("this drive can do %s but reaches hub %s with USB 2 only: expect %s. Try another port, cable or hub.")),
                                         best, hub, expected);
    if (expected != NULL)
        /* translators: a line rate and a range of rates */
        return g_strdup_printf (dg_word (w,
                                         N_ ("this drive can do %s but is plugged into a USB 2 port: expect %s. Try another port or cable.")),
                                         best, expected);
    return g_strdup_printf (dg_word (
        w,
        N_ ("this drive can do %s but is plugged into a USB 2 port. Try another port or cable.")),
        best);
}

/* Takes `sentence`. */
static gchar *
with_expectation (const DgWording *w, gchar *sentence)
{
    g_autofree gchar *expected = expectation (w);
    if (expected == NULL)
        return sentence;
    /* translators: a range of rates; follows a sentence about a link that is slower than it could
     * be */
    g_autofree gchar *more = g_strdup_printf (dg_word (w, N_ ("As it is, expect %s.")), expected);
    gchar *both = g_strdup_printf ("%s %s", sentence, more);
    g_free (sentence);
    return both;
}

gchar *
dg_sentence_slow_port (const DgWording *w)
{
    g_autofree gchar *best = line_rate (w, "best_bits_per_s");
    g_autofree gchar *now = line_rate (w, "bits_per_s");
    g_autofree gchar *expected = expectation (w);
    gboolean at_hub = g_strcmp0 (dg_word_value (w, "place_kind"), "hub") == 0;
    const gchar *hub = at_hub ? dg_word_value (w, "place_name") : NULL;
    if (!dg_word_has (w, "best_bits_per_s", "bits_per_s", NULL))
        return with_expectation (
            w, g_strdup (dg_word (w, N_ ("this drive can do more than the port that it is plugged into. Try another port, cable or hub."))));
    if (dg_word_u64 (w, "bits_per_s") <= 480000000u)
        return slow_usb_2 (w, best, expected, hub);
    if (hub != NULL)
        /* translators: two line rates, the name of a hub, and the first line rate again */
        return with_expectation (
            w,
            g_strdup_printf (dg_word (w,
                                      N_ ("this drive can do %s but runs at %s through hub %s. Plug it straight into a %s port to see its own speed.")),
                                      best, now, hub, best));
    /* translators: two line rates, then the first again */
    return with_expectation (
        w, g_strdup_printf (dg_word (w,
                                     N_ ("this drive can do %s but runs at %s. Plug it into a %s port to see its own speed.")),
                                     best, now, best));
}

gchar *
dg_sentence_bot_not_uas (const DgWording *w)
{
    return g_strdup (
        dg_word (w, N_ ("this drive offers UAS, but the system speaks the old protocol (BOT) with it, so deep queues cannot help it. A newer kernel or firmware of the enclosure may bring UAS back.")));
}

gchar *
dg_sentence_narrow_link (const DgWording *w)
{
    g_autofree gchar *best_rate = line_rate (w, "best_bits_per_s");
    g_autofree gchar *now_rate = line_rate (w, "bits_per_s");
    const gchar *best = dg_word_value (w, "best_name"), *now = dg_word_value (w, "segment_name"),
                *place = dg_word_value (w, "place_name");
    if ((best == NULL && !dg_word_has (w, "best_bits_per_s", NULL))
        || (now == NULL && !dg_word_has (w, "bits_per_s", NULL)))
        return with_expectation (
            w, g_strdup (dg_word (w, N_ ("this drive can do more than what it is connected with. Try another slot or port."))));
    best = best == NULL ? best_rate : best;
    now = now == NULL ? now_rate : now;
    if (json_is_true (json_object_get (w->finding->values, "behind_place"))) {
        gboolean is_controller = g_strcmp0 (dg_word_value (w, "place_kind"), "controller") == 0;
        g_autofree gchar *what = place == NULL
            ? g_strdup (is_controller            ? dg_word (w, N_ ("its controller"))
                                                 : dg_word (w, N_ ("a bridge in between")))
                                      : is_controller
                        ? g_strdup_printf (dg_word (w, N_ ("its controller (%s)")), place)
                        : g_strdup (place);
        /* translators: a speed, the name of a bridge or controller ("its controller"), another
         * speed */
        return with_expectation (
            w,
            g_strdup_printf (dg_word (
                w, N_ ("this drive can do %s, but %s hangs on %s only. Try another slot or port.")),
                best, what, now));
    }
    if (place != NULL)
        /* translators: a speed, the name of a bridge or controller, another speed */
        return with_expectation (
            w,
            g_strdup_printf (dg_word (
                w, N_ ("this drive can do %s, but %s gives it only %s. Try another slot or port.")),
                best, place, now));
    return with_expectation (
        w,
        g_strdup_printf (dg_word (
            w,
            N_ ("this drive can do %s but is connected with %s only. Try another slot or port.")),
            best, now));
}

gchar *
dg_sentence_link_is_limit (const DgWording *w)
{
    gdouble reached = dg_word_real (w, "bytes_per_s");
    gdouble ceiling = MAX (dg_word_real (w, "ceiling_bytes_per_s"), reached);
    g_autofree gchar *percent = dg_word_percent (w, reached * 100.0 / ceiling);
    g_autofree gchar *rate = dg_word_rate (w, ceiling);
    const gchar *direction = dg_word_value (w, "direction");
    if (!dg_word_has (w, "bytes_per_s", "ceiling_bytes_per_s", "direction", NULL))
        return g_strdup (dg_word (
            w, N_ ("It carried about as much as it can; the drive itself may be faster.")));
    if (g_strcmp0 (direction, "read") == 0)
        /* translators: a percentage and a rate */
        return g_strdup_printf (dg_word (w,
                                         N_ ("Reading reached %s of the %s that it carries at best; the drive itself may be faster.")),
                                         percent, rate);
    if (g_strcmp0 (direction, "write") == 0)
        return g_strdup_printf (dg_word (w,
                                         N_ ("Writing reached %s of the %s that it carries at best; the drive itself may be faster.")),
                                         percent, rate);
    return g_strdup_printf (dg_word (w,
                                     N_ ("Mixed transfers reached %s of the %s that it carries at best; the drive itself may be faster.")),
                                     percent, rate);
}

gchar *
dg_sentence_shared_hub (const DgWording *w)
{
    guint64 others = dg_word_u64 (w, "other_drives");
    gulong n = (gulong) MIN (others, G_MAXUINT);
    const gchar *hub = dg_word_value (w, "hub");
    if (!dg_word_has (w, "other_drives", NULL))
        return g_strdup (dg_word (w, N_ ("other drives hang on the same hub and share its speed. Unplug them or leave them idle while measuring.")));
    if (hub == NULL)
        return g_strdup_printf (dg_words (w,
                                          "%lu other drive hangs on the same hub and shares its "
                                          "speed. Unplug it or leave it idle while measuring.",
                                          "%lu other drives hang on the same hub and share its "
                                          "speed. Unplug them or leave them idle while measuring.",
                                          n),
                                n);
    /* translators: a number and the name of a hub */
    return g_strdup_printf (dg_words (w,
                                      "%lu other drive hangs on hub %s and shares its speed. "
                                      "Unplug it or leave it idle while measuring.",
                                      "%lu other drives hang on hub %s and share its speed. Unplug "
                                      "them or leave them idle while measuring.",
                                      n),
                            n, hub);
}
