/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user chose for a measurement, with its ranges: one struct for window, command line and
 * settings; one table for command line, man page and completion. */
#pragma once

#include "app/core/profile.h"
#include "engine/link.h"
#include "engine/targets.h"

G_BEGIN_DECLS

typedef struct {
    DgProfile *profile;     /* (owned) its tests are the rows measured */
    gint only_test;         /* -1 = all, else only this one of the profile's tests */
    gboolean directions[3]; /* by DgDirection; default read and write */
    guint mix_read_percent; /* 1 to 99; 70 */
    guint runs;             /* 1 to 9, 0 = auto */
    guint64 size_bytes;     /* 1 MiB to 16 TiB as asked; rounded by dg_options_rounded_size () */
    guint64 duration_ns;    /* 1 to 60 s */
    guint64 warmup_ns;      /* 0 to 60 s */
    guint64 interval_ns;    /* 0 to 600 s */
    gboolean duration_set, interval_set; /* by the user: then the profile's own do not apply */
    DgData data;
    gboolean statistic_best;
    gboolean include_flush, no_cow, write_through;
    DgBackendId backend;
    gchar *comment; /* (owned) (nullable) */
    guint64 seed;   /* 0 = a fixed default */
} DgOptions;

void dg_options_init (DgOptions *options); /* the defaults (end of DESIGN section 4) */
void dg_options_clear (DgOptions *options);
void dg_options_copy (const DgOptions *from, DgOptions *to); /* `to` uninitialised */
void dg_options_like_cdm (DgOptions *options); /* 5 runs, 5 s, interval 5 s, best of runs */
void dg_options_set_profile (
    DgOptions *options,
    const DgProfile *profile); /* and its duration and interval unless set by the user */

/* Parsing, each with a DG_APP_ERROR_USAGE that names the option, the value and the range. */
gboolean dg_parse_size (const gchar *text, guint64 *ret_bytes,
                        GError **error); /* "64MiB", "1GiB", "1GB", "512k"?: see .c */
gboolean
dg_parse_seconds (const gchar *text, gdouble min_s, gdouble max_s, guint64 *ret_ns,
                  GError **error); /* decimals allowed; nan, inf, empty, trailing text refused */
gboolean dg_parse_count (const gchar *text, guint min, guint max, guint *ret_value, GError **error);

/* Every range and what they imply together: queue x threads <= 4096; queue x threads x block <= min
 * (1 GiB, a quarter of free memory). */
gboolean dg_options_check (const DgOptions *options, GError **error);

/* size rounded down to a multiple of 1 MiB and of threads x block of every test; 0 if nothing is
 * left. */
guint64 dg_options_rounded_size (const DgOptions *options);

/* The engine's plan for them: all reads in row order, all writes, all mixes. (transfer full), freed
 * with dg_options_plan_free. */
DgPlan *dg_options_make_plan (const DgOptions *options, const gchar *folder);
void dg_options_plan_free (DgPlan *plan);

/* Step i of the plan is this test in this direction. */
void dg_options_step (const DgOptions *options, guint step, guint *ret_test,
                      DgDirection *ret_direction);
guint dg_options_n_steps (const DgOptions *options);

typedef enum {
    DG_PREPARING_KNOWN,    /* as this drive was prepared before */
    DG_PREPARING_AT_LEAST, /* as fast as its link: few drives are */
    DG_PREPARING_UNKNOWN   /* not in time_ns */
} DgPreparing;

typedef struct {
    guint64 time_ns;       /* about; DG_DOC_UNKNOWN "until prepared" */
    DgPreparing preparing; /* what of it is in time_ns */
    guint64 written_bytes; /* up to; DG_DOC_UNKNOWN */
} DgEstimate;

/* The link that a target's bytes all go over; NULL when there is none, or several drives share
 * them. (transfer none) */
const DgLink *dg_options_link_of (const DgTargetList *list, guint target);

/* Preparing a smaller file is over too soon for its rate to bound what the tests write. */
#define DG_OPTIONS_TELLING_BYTES (64 * 1024 * 1024)

/* From the plan and this drive's last result (nullable) or its link (nullable), else the time only;
 * DESIGN section 4.12. prepare_bytes_per_s: 0 = not yet known. */
struct _DgDocument;
void dg_options_estimate (const DgOptions *options, const struct _DgDocument *last,
                          const DgLink *link, gdouble prepare_bytes_per_s,
                          DgEstimate *ret_estimate);

/* The one option table. */
typedef struct {
    const gchar *name;     /* "profile" */
    gchar letter;          /* 0 */
    const gchar *argument; /* "ID"; NULL = a switch */
    const gchar *help;     /* N_() */
    const gchar *choices;  /* "median best"; NULL */
    guint commands;        /* DG_COMMAND_* bits */
} DgOptionRow;

enum {
    DG_COMMAND_LIST = 1,
    DG_COMMAND_RUN = 2,
    DG_COMMAND_SHOW = 4,
    DG_COMMAND_FIO = 8
};
const DgOptionRow *dg_option_table (guint *ret_count);

G_END_DECLS
