/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences about what the runs showed. */
#include "app/core/findings-private.h"

#include <math.h>
#include <string.h>

gchar *
dg_sentence_not_direct (const DgWording *w)
{
    const gchar *reason = dg_word_value (w, "reason");
    reason = reason == NULL ? "" : reason;
    if (strcmp (reason, DG_REASON_REFUSED_O_DIRECT) == 0)
        return g_strdup (dg_word (
            w, N_ ("this file system refuses direct access, so the system’s cache took part. Choose a folder on another file system for the drive’s own speed.")));
    if (strcmp (reason, DG_REASON_CACHE_GREW) == 0)
        return g_strdup (dg_word (
            w,
            N_ ("the data went through the system’s cache although direct access was asked for, so these figures are not the drive’s own. Choose a folder on another file system.")));
    if (strcmp (reason, DG_REASON_DIRTIED) == 0)
        return g_strdup (dg_word (
            w, N_ ("the file system put what was written into the system’s cache first, so these figures are not the drive’s own. On btrfs, choose “no copy on write”.")));
    if (strcmp (reason, DG_REASON_DEVICE_SAW_LESS) == 0)
        return g_strdup (
            dg_word (w, N_ ("the drive itself moved less data than was measured, so something in between answered. Choose a folder on another file system.")));
    if (strcmp (reason, DG_REASON_MEMORY) == 0)
        return g_strdup (dg_word (
            w, N_ ("no drive took part, all of it stayed in memory. Choose a folder on a drive.")));
    return g_strdup (dg_word (w, N_ ("the system’s cache took part, so these figures are not the drive’s own. Choose a folder on another file system.")));
}

gchar *
dg_sentence_unstable (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *spread = dg_number_spread (dg_word_real (w, "spread_percent"), w->purpose);
    if (!dg_word_has (w, "spread_percent", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("the runs of %s differ too much. Measure again with more runs when the computer is idle.")),
                                         test);
    if (json_is_true (json_object_get (w->finding->values, "auto")))
        /* translators: a test and a spread such as "±4.2 %" */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s did not settle in nine runs; their spread is %s. Measure again when the computer is idle and the drive cool.")),
                     test, spread);
    return g_strdup_printf (dg_word (w,
                                     N_ ("the runs of %s differ by %s. Measure again with more runs when the computer is idle.")),
                                     test, spread);
}

gchar *
dg_sentence_was_asleep (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *time = dg_number_duration (dg_word_u64 (w, "first_io_ns"), w->purpose);
    if (!dg_word_has (w, "first_io_ns", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("the drive took long to answer first in %s; that is not counted. Nothing needs to be done.")),
                                         test);
    /* translators: a duration and a test */
    return g_strdup_printf (dg_word (w,
                                     N_ ("the drive needed %s to answer first in %s; that is not counted. Nothing needs to be done.")),
                                     time, test);
}

/* Without a limit of the sensor reached, heat is likely but not proved. */
gboolean
dg_word_is_at_limit (const DgWording *w)
{
    return !isnan (dg_word_real (w, "limit_celsius"));
}

gchar *
dg_sentence_throttled (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *first = dg_word_rate (w, dg_word_real (w, "first_bytes_per_s"));
    g_autofree gchar *last = dg_word_rate (w, dg_word_real (w, "last_bytes_per_s"));
    g_autofree gchar *hot = dg_number_celsius (dg_word_real (w, "to_celsius"), w->purpose);
    gboolean is_at_limit = dg_word_is_at_limit (w);
    if (!dg_word_has (w, "first_bytes_per_s", "last_bytes_per_s", "to_celsius", NULL)
        || (!is_at_limit && !dg_word_has (w, "from_celsius", NULL)))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("%s became slower while the drive became warmer. Let it cool down or give it air, then measure again.")),
                                         test);
    if (!is_at_limit) {
        g_autofree gchar *cool = dg_number_celsius (dg_word_real (w, "from_celsius"), w->purpose);
        /* translators: a test, two rates and two temperatures */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s fell from %s to %s while the drive warmed from %s to %s. Let it cool down or give it air, and see whether it falls again.")),
                     test, first, last, cool, hot);
    }
    /* translators: a test, two rates and a temperature */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s fell from %s to %s as the drive reached %s. Let it cool down or give it air, then measure again.")),
                                     test, first, last, hot);
}

gchar *
dg_sentence_cache_ended (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *before = dg_word_rate (w, dg_word_real (w, "before_bytes_per_s"));
    g_autofree gchar *after = dg_word_rate (w, dg_word_real (w, "after_bytes_per_s"));
    g_autofree gchar *written = dg_number_gib (dg_word_u64 (w, "written_bytes"), w->purpose);
    if (!dg_word_has (w, "before_bytes_per_s", "after_bytes_per_s", "written_bytes", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (
            dg_word (w, N_ ("%s became slower and stayed so: expect less for long copies.")), test);
    /* What filled the cache before this test is not in it: no figure of the cache's size. */
    if (w->finding->test >= 0 && (guint) w->finding->test < w->view->n_tests
        && w->view->tests[w->finding->test].access != DG_ACCESS_SEQUENTIAL)
        /* translators: a test, two rates and an amount of data */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s fell from %s to %s after %s of this test; small writes stay that slow until the drive has emptied its cache.")),
                     test, before, after, written);
    /* translators: a test, two rates and an amount of data */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s fell from %s to %s after %s of this test: expect the lower figure for long copies.")),
                                     test, before, after, written);
}

gchar *
dg_sentence_busy_drive (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *rate = dg_word_rate (w, dg_word_real (w, "foreign_bytes_per_s"));
    if (!dg_word_has (w, "foreign_bytes_per_s", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (
            w,
            N_ ("something else used this drive during %s. Close what uses it and measure again.")),
            test);
    /* translators: a rate and a test */
    return g_strdup_printf (dg_word (w,
                                     N_ ("something else moved %s on this drive during %s. Close what uses it and measure again.")),
                                     rate, test);
}

gchar *
dg_sentence_cpu_limited (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *percent = dg_word_percent (w, dg_word_real (w, "percent"));
    if (!dg_word_has (w, "percent", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("%s kept it busy, so the drive may be faster. Close other programs, or use more threads.")),
                                         test);
    /* translators: a test and a percentage */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s kept it %s busy, so the drive may be faster. Close other programs, or use more threads.")),
                                     test, percent);
}

gchar *
dg_sentence_queue_not_reached (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *asked = dg_number_count (dg_word_u64 (w, "asked"), w->purpose);
    g_autofree gchar *reached = dg_number_count (dg_word_u64 (w, "reached"), w->purpose);
    if (!dg_word_has (w, "asked", "reached", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s should keep more commands waiting at the drive than were seen there. A driver or file "
                        "system in between queues less: try another backend or file system.")),
                     test);
    /* translators: a test and two whole numbers */
    return g_strdup_printf (
        dg_word (w,
                 N_ ("%s should keep %s commands waiting at the drive; the most seen was %s. A driver or file "
                    "system in between queues less: try another backend or file system.")),
                 test, asked, reached);
}

gchar *
dg_sentence_kernel_threads (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *percent = dg_word_percent (w, dg_word_real (w, "percent"));
    if (!dg_word_has (w, "percent", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("helper tasks of the kernel did much of the work in %s, which adds latency. Try the backend “libaio” or “threads”.")),
                     test);
    /* translators: a percentage and a test */
    return g_strdup_printf (
        dg_word (w,
                 N_ ("helper tasks of the kernel did %s of the work in %s, which adds latency. Try the backend “libaio” or “threads”.")),
                 percent, test);
}

gchar *
dg_sentence_too_few_ios (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    guint64 ios = dg_word_u64 (w, "ios"), asked = dg_word_u64 (w, "asked");
    gulong n = (gulong) MIN (ios, G_MAXUINT);
    gdouble share = dg_word_real (w, "percent");
    if (share > 100.0)
        /* translators: %s is a test */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("a stall before the time measured in %s weighs too much in its latencies. Measure longer, or when the computer is less busy.")),
                     test);
    if (dg_word_has (w, "percent", NULL) && asked == 1) {
        g_autofree gchar *rest = dg_word_percent (w, 100.0 - share);
        /* translators: a test and a percentage */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("in %s the drive waited for the computer %s of the time. Close other programs, or try another backend.")),
                     test, rest);
    }
    if (dg_word_has (w, "percent", "asked", NULL)) {
        g_autofree gchar *percent = dg_word_percent (w, share);
        g_autofree gchar *all = dg_number_count (asked, w->purpose);
        /* translators: a percentage, a whole number and a test */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("on average only %s of the %s transfers of %s were under way, since the computer was busy or the system holds them back. "
                            "Close other programs, or try another backend.")),
                     percent, all, test);
    }
    if (!dg_word_has (w, "ios", NULL) || ios >= DG_ENOUGH_IOS)
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("too few transfers of %s were counted or under way. Measure longer, or when the computer is less busy.")),
                                         test);
    /* translators: a test and a number */
    return g_strdup_printf (dg_words (w,
                                      "only %2$lu transfer was counted in %1$s, too few for "
                                      "percentiles. Measure longer, or with smaller blocks.",
                                      "only %2$lu transfers were counted in %1$s, too few for "
                                      "percentiles. Measure longer, or with smaller blocks.",
                                      n),
                            test, n);
}

gchar *
dg_sentence_fallback_backend (const DgWording *w)
{
    const gchar *backend = dg_word_value (w, "backend"), *reason = dg_word_value (w, "reason");
    if (!dg_word_has (w, "backend", NULL))
        return g_strdup (
            dg_word (w, N_ ("this system does not allow io_uring, so another backend was used. The figures hold, but each transfer costs more processor time.")));
    if (g_strcmp0 (reason, DG_REASON_LIBAIO_REFUSED) == 0)
        /* translators: %s is the name of a backend */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("this system allows neither io_uring nor libaio, so “%s” was used and deep queues may be slower. Allow io_uring to get the full speed.")),
                     backend);
    return g_strdup_printf (
        dg_word (w,
                 N_ ("this system does not allow io_uring, so “%s” was used. The figures hold, but each transfer costs more processor time.")),
                 backend);
}

gchar *
dg_sentence_io_errors (const DgWording *w)
{
    guint64 offset = dg_word_u64 (w, "offset_bytes");
    g_autofree gchar *failed = dg_number_count (dg_word_u64 (w, "failed"), w->purpose);
    g_autofree gchar *transfers = dg_number_count (dg_word_u64 (w, "transfers"), w->purpose);
    g_autofree gchar *place = offset == DG_DOC_UNKNOWN ? NULL : dg_number_gib (offset, w->purpose);
    const gchar *error = dg_word_value (w, "error");
    if (w->translate)
        error = dg_text_of_error (error);
    if (!dg_word_has (w, "failed", "transfers", NULL))
        return g_strdup (
            dg_word (w, N_ ("some transfers failed. Copy your data before you go on.")));
    /* Where each write goes to a new place (btrfs) a full drive shows while measuring only. */
    if (g_strcmp0 (dg_word_value (w, "cause"), "no-space") == 0)
        /* translators: two whole numbers */
        return g_strdup_printf (
            dg_word (w,
                     N_ ("%s of %s transfers failed: the file system had no room left. Free some space, or choose a smaller size.")),
                     failed, transfers);
    if (!dg_word_has (w, "error", NULL))
        /* translators: two whole numbers */
        return g_strdup_printf (
            dg_word (w, N_ ("%s of %s transfers failed. Copy your data before you go on.")), failed,
                     transfers);
    if (place == NULL)
        /* translators: two whole numbers and the system's message */
        return g_strdup_printf (
            dg_word (w, N_ ("%s of %s transfers failed (%s). Copy your data before you go on.")),
                     failed, transfers, error);
    /* translators: two whole numbers, the system's message, a place in the file such as "312 MiB"
     */
    return g_strdup_printf (dg_word (
        w,
        N_ ("%s of %s transfers failed (%s), the first at %s. Copy your data before you go on.")),
        failed, transfers, error, place);
}

gchar *
dg_sentence_suspended (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *time = dg_number_duration (dg_word_u64 (w, "suspended_ns"), w->purpose);
    if (!dg_word_has (w, "suspended_ns", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (
            w, N_ ("the computer slept during %s; that run does not count and was repeated.")),
            test);
    /* translators: a duration and a test */
    return g_strdup_printf (dg_word (w,
                                     N_ ("the computer slept or the program stood still for %s during %s; that run does not count and was repeated.")),
                                     time, test);
}
