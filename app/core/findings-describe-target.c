/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences about file system, drive, host and plan. */
#include "app/core/findings-private.h"

static const gchar *
filesystem (const DgWording *w)
{
    const gchar *name = dg_word_value (w, "filesystem");
    return name == NULL ? dg_word (w, N_ ("this file system")) : name;
}

gchar *
dg_sentence_memory_target (const DgWording *w)
{
    /* translators: %s is a file system */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s keeps its files in the computer’s memory, so no drive was measured. Choose a folder on a drive.")),
                                     filesystem (w));
}

gchar *
dg_sentence_network_target (const DgWording *w)
{
    return g_strdup_printf (
        dg_word (w,
                 N_ ("%s is reached over a network, so the figures are those of network, server and caches together. Measure on the server for the drive alone.")),
                 filesystem (w));
}

gchar *
dg_sentence_fuse_target (const DgWording *w)
{
    return g_strdup_printf (
        dg_word (w,
                 N_ ("%s is served by a program (FUSE), which may be slower than the drive. Use a file system of the kernel for the drive’s own speed.")),
                 filesystem (w));
}

gchar *
dg_sentence_compressed (const DgWording *w)
{
    return g_strdup_printf (
        dg_word (w,
                 N_ ("%s compresses what is written. Random data, which cannot be compressed, gives the drive’s own speed; your files may be faster.")),
                 filesystem (w));
}

gchar *
dg_sentence_copy_on_write (const DgWording *w)
{
    /* Only Btrfs can leave it out for one file. */
    if (g_strcmp0 (dg_word_value (w, "filesystem"), "btrfs") != 0)
        return g_strdup_printf (dg_word (w,
                                         N_ ("%s writes changed data to a new place each time, which makes random writes slower.")),
                                         filesystem (w));
    return g_strdup_printf (
        dg_word (w,
                 N_ ("%s writes changed data to a new place each time, which makes random writes slower. Choose “no copy on write” to measure without it.")),
                 filesystem (w));
}

gchar *
dg_sentence_encrypted (const DgWording *w)
{
    return g_strdup (
        dg_word (w, N_ ("the drive is encrypted by software, so the processor takes part in every figure. Compare only with results that are encrypted too.")));
}

gchar *
dg_sentence_zero_data (const DgWording *w)
{
    return g_strdup (dg_word (
        w, N_ ("some drives and file systems compress them or do not store them at all. Compare only with other results made with zeros, or choose random data.")));
}

gchar *
dg_sentence_nearly_full (const DgWording *w)
{
    g_autofree gchar *percent = dg_word_percent (w, dg_word_real (w, "used_percent"));
    g_autofree gchar *left = dg_number_gib (dg_word_u64 (w, "free_bytes"), w->purpose);
    if (!dg_word_has (w, "used_percent", "free_bytes", NULL))
        return g_strdup (dg_word (w, N_ ("little of the file system is free, and full drives write more slowly. Make room and measure again.")));
    /* translators: a percentage and an amount of data */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s of the file system is used (%s free), and full drives write more slowly. Make room and measure again.")),
                                     percent, left);
}

gchar *
dg_sentence_fragmented (const DgWording *w)
{
    g_autofree gchar *extents = dg_number_count (dg_word_u64 (w, "extents"), w->purpose);
    g_autofree gchar *size = dg_number_file_size (dg_word_u64 (w, "size_bytes"), w->purpose);
    if (!dg_word_has (w, "size_bytes", "extents", NULL))
        return g_strdup (dg_word (w, N_ ("the test file lies in many pieces, which slows a hard disk down. Make room or choose another folder.")));
    /* translators: an amount of data and a whole number */
    return g_strdup_printf (dg_word (w,
                                     N_ ("the test file of %s lies in %s pieces, which slows a hard disk down. Make room or choose another folder.")),
                                     size, extents);
}

gchar *
dg_sentence_misaligned (const DgWording *w)
{
    guint64 alignment = dg_word_u64 (w, "alignment_bytes");
    g_autofree gchar *wanted = dg_number_count (alignment, w->purpose);
    if (!dg_word_has (w, "alignment_bytes", NULL))
        return g_strdup (dg_word (
            w,
            N_ ("the partition does not begin where a block of the drive begins, so small writes touch two of them. Partition the drive anew to mend it; that erases it.")));
    /* translators: %s is a whole number */
    return g_strdup_printf (dg_word (
        w,
        N_ ("the partition does not begin at a multiple of %s bytes, so small writes touch two of the drive’s blocks. Partition the drive anew to mend it; that erases it.")),
        wanted);
}

gchar *
dg_sentence_sub_sector (const DgWording *w)
{
    g_autofree gchar *test = dg_word_test (w);
    g_autofree gchar *block = dg_number_count (dg_word_u64 (w, "block_bytes"), w->purpose);
    g_autofree gchar *physical =
        dg_number_count (dg_word_u64 (w, "physical_block_bytes"), w->purpose);
    if (!dg_word_has (w, "block_bytes", "physical_block_bytes", NULL))
        /* translators: %s is a test */
        return g_strdup_printf (dg_word (w,
                                         N_ ("%s uses blocks that are smaller than what the drive writes at a time. Choose larger blocks.")),
                                         test);
    /* translators: a test and two whole numbers */
    return g_strdup_printf (dg_word (w,
                                     N_ ("%s uses blocks of %s bytes, but the drive writes %s at a time. Choose blocks of at least that size.")),
                                     test, block, physical);
}

gchar *
dg_sentence_also_running (const DgWording *w)
{
    return g_strdup (
        dg_word (w, N_ ("another Drive Gauge measured this drive at the same time, so both results are too low. Measure again, one after the other.")));
}

gchar *
dg_sentence_on_battery (const DgWording *w)
{
    return g_strdup (dg_word (w, N_ ("the computer ran on its battery, which may slow drive and processor down. Plug in the charger and measure again.")));
}
