/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by runner*.c only. */
#pragma once

#include "app/core/document-build.h"
#include "app/core/drive-lock.h"
#include "app/core/runner.h"
#include "app/core/udisks.h"

G_BEGIN_DECLS

struct _DgRunner {
    GObject parent_instance;

    GTask *task; /* (owned) NULL when idle, as all that follows */
    DgPlanRun *run;
    DgPlan *plan;
    DgOptions options; /* valid while `plan` is set */
    DgBuilder *builder;
    DgDriveLock *lock;
    gchar *drive; /* (nullable) kernel name of the whole drive, while it has a sensor in sysfs */
    gchar *asked_drive; /* (nullable) the same, while UDisks2 is asked instead */
    GCancellable *asking;
    gchar *subject; /* for sentences: the folder */
    gboolean use_library;
    guint tick_id;
    gint64 started_us; /* monotonic, when the engine's clock began */

    DgUdisks *udisks;     /* (nullable) kept */
    DgDocument *document; /* (nullable) kept after the end */
    gchar *save_problem;  /* (nullable) kept after the end */
    DgDocument *last;     /* (nullable) this drive's last result, for the estimate */
    guint64 ceiling_bytes_per_s, low_bytes_per_s, after_coding_bytes_per_s;
    guint steps_taken; /* results already in the builder */
    guint runs_seen;   /* of those steps */
    gboolean has_file;
    gdouble prepare_bytes_per_s; /* measured; 0 = not yet */
    gdouble fraction;            /* the greatest shown */
    gboolean lock_was_shared;

    gboolean is_reading_temperature;
    gint64 temperature_us;      /* monotonic, of the last reading begun */
    gint64 final_us;            /* monotonic, when the engine had ended; 0 */
    gdouble celsius;            /* NAN */
    gboolean is_left_finishing; /* the last run ended while a flush or removal was in the kernel */
};

/* runner.c: lets go of all that belongs to one run. */
void dg_runner_forget (DgRunner *self);

/* runner-start.c: FALSE with `error` when it cannot begin; nothing is held then. */
gboolean dg_runner_start (DgRunner *self, const DgOptions *options, const DgTargetList *list,
                          const DgTarget *target, DgDocument *previous, GError **error);

/* runner-temperature.c: begins a reading when one is due. `is_forced`: at the start and the end. */
void dg_runner_ask_temperature (DgRunner *self); /* UDisks2, when sysfs has no sensor */
void dg_runner_udisks_changed (DgRunner *self);
void dg_runner_sample_temperature (DgRunner *self, const DgSnapshot *snapshot, gboolean is_forced);

/* runner-last.c: looks for the drive's last result; self->last is set when it has been found. */
void dg_runner_find_last (DgRunner *self, const DgDrive *drive);

/* runner-progress.c */
void dg_runner_estimate_progress (DgRunner *self, const DgSnapshot *snapshot, DgProgress *progress);

G_END_DECLS
