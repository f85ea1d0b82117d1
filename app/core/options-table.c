/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table behind the command line, its --help, the man page and the completion. GLib only: a
 * program of the build reads it, too. */
#include "app/core/options.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#define PLAN    (DG_COMMAND_RUN | DG_COMMAND_FIO)
#define OUTPUTS (DG_COMMAND_RUN | DG_COMMAND_SHOW)
#define ALL     (DG_COMMAND_LIST | DG_COMMAND_RUN | DG_COMMAND_SHOW | DG_COMMAND_FIO)

#define BACKENDS "auto io_uring libaio threads overlapped"

/* clang-format off */
static const DgOptionRow table[] = {
    { "json", 0, NULL, N_ ("Print the list as JSON"), NULL, DG_COMMAND_LIST },
    { "profile", 0, "ID", N_ ("The tests of this profile (default: default)"), "default nvme flash peak peak-nvme real-world demo", PLAN },
    { "test", 0, "TEST", N_ ("This test instead of the profile's, like “SEQ1M Q8T1”; may be given several times"), NULL, PLAN },
    { "directions", 0, "LIST", N_ ("What to measure, separated by commas (default: read,write)"), "read write mix read,write read,write,mix", PLAN },
    { "read-only", 0, NULL, N_ ("Measure reading only"), NULL, PLAN },
    { "write-only", 0, NULL, N_ ("Measure writing only"), NULL, PLAN },
    { "mix", 0, "PERCENT", N_ ("Measure a mix, too, with this percentage of reads, 1 to 99"), "90 80 70 60 50 40 30 20 10", PLAN },
    { "runs", 0, "N", N_ ("Runs of each test, 1 to 9, or auto: until three agree (default: auto)"), "auto 1 3 5 9", PLAN },
    { "size", 0, "SIZE", N_ ("Size of the test file, like 64MiB, 1GiB or 1GB; 1 MiB to 16 TiB (default: 1GiB)"), "64MiB 256MiB 1GiB 4GiB 16GiB 64GiB", PLAN },
    { "duration", 0, "SECONDS", N_ ("Measuring time of a run, 1 to 60 (default: 2)"), NULL, PLAN },
    { "warmup", 0, "SECONDS", N_ ("Time before each test that is not counted, 0 to 60 (default: 0.5)"), NULL, PLAN },
    { "interval", 0, "SECONDS", N_ ("Pause before each test, 0 to 600 (default: 1)"), NULL, PLAN },
    { "data", 0, "KIND", N_ ("What is written: random or zero (default: random)"), "random zero", PLAN },
    { "statistic", 0, "KIND", N_ ("Which run is shown: median or best (default: median)"), "median best", PLAN },
    { "include-flush", 0, NULL, N_ ("Count the flush after writing into its time"), NULL, PLAN },
    { "no-cow", 0, NULL, N_ ("Switch copy-on-write off for the test file (btrfs)"), NULL, PLAN },
    { "write-through", 0, NULL, N_ ("Each write has to reach the medium before it counts"), NULL, PLAN },
    { "like-cdm", 0, NULL, N_ ("As CrystalDiskMark: 5 runs of 5 seconds, 5 seconds between tests, the best run is shown"), NULL, PLAN },
    { "backend", 0, "NAME", N_ ("How I/O is handed to the system: auto, io_uring, libaio, threads or overlapped (default: auto)"), BACKENDS, PLAN },
    { "comment", 0, "TEXT", N_ ("A comment kept in the result"), NULL, DG_COMMAND_RUN },
    { "no-library", 0, NULL, N_ ("Do not keep the result in the library"), NULL, DG_COMMAND_RUN },
    { "no-identity", 0, NULL, N_ ("Leave out of the JSON output what identifies drive and computer"), NULL, OUTPUTS },
    { "json", 0, "FILE", N_ ("Write the result as JSON"), NULL, OUTPUTS },
    { "text", 0, "FILE", N_ ("Write the text report"), NULL, OUTPUTS },
    { "markdown", 0, "FILE", N_ ("Write a Markdown table"), NULL, OUTPUTS },
    { "bbcode", 0, "FILE", N_ ("Write a BBCode table"), NULL, OUTPUTS },
    { "csv", 0, "FILE", N_ ("Write a CSV table of all runs"), NULL, OUTPUTS },
    { "png", 0, "FILE", N_ ("Write the result as a picture"), NULL, OUTPUTS },
    { "scale", 0, "N", N_ ("Scale of the picture, 1 to 4 (default: 1)"), "1 2 3 4", OUTPUTS },
    { "dark", 0, NULL, N_ ("A dark picture"), NULL, OUTPUTS },
    { "help", 'h', NULL, N_ ("Show this help"), NULL, ALL },
};
/* clang-format on */

const DgOptionRow *
dg_option_table (guint *ret_count)
{
    *ret_count = G_N_ELEMENTS (table);
    return table;
}
