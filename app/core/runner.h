/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as an object: the only place that starts an engine run. Lives on the main thread; the
 * document is made as the tests end. */
#pragma once

#include "app/core/document.h"
#include "app/core/options.h"
#include "app/core/udisks.h"

G_BEGIN_DECLS

#define DG_TYPE_RUNNER (dg_runner_get_type ())
G_DECLARE_FINAL_TYPE (DgRunner, dg_runner, DG, RUNNER, GObject)

/* One a process at a time is usual, several are allowed.
 * Signals (main thread): "document-changed" when the test file is prepared and when a test has
 * ended (dg_runner_get_document () is new then). */
DgRunner *dg_runner_new (void);

/* Where temperatures come from, at start and end of a run, when the drive has no sensor in sysfs.
 * (nullable) Keeps a reference. */
void dg_runner_set_udisks (DgRunner *self, DgUdisks *udisks);

/* Starts. `list` and `target` (an index into it): copied, what is known of the target. `previous`
 * (nullable): a document whose other tests are copied into the new one (a row alone, nothing else
 * changed). The future's document always comes from _finish; an error only when the target could
 * not be used at all (nothing was measured). It has been saved in the library already when
 * use_library; see dg_runner_get_save_problem (). */
void dg_runner_run_async (DgRunner *self, const DgOptions *options, const DgTargetList *list,
                          guint target, DgDocument *previous, gboolean use_library,
                          GAsyncReadyCallback callback, gpointer user_data);
DgDocument *dg_runner_run_finish (DgRunner *self, GAsyncResult *result,
                                  GError **error); /* (transfer full) */

/* (nullable) Why the last document could not be saved in the library: a sentence to show. (transfer
 * none) */
const gchar *dg_runner_get_save_problem (DgRunner *self);

void dg_runner_stop (DgRunner *self);
gboolean dg_runner_is_running (DgRunner *self);

/* The document so far; NULL before the target is prepared. (transfer none) */
DgDocument *dg_runner_get_document (DgRunner *self);

typedef struct {
    DgSnapshot engine;
    guint test; /* index into the profile's tests */
    DgDirection direction;
    guint step, n_steps; /* 0-based, all */
    gdouble fraction;    /* 0 to 1 of the expected time */
    guint64 offset_ns;   /* of the engine's clock from the document's `started` */
    guint64 left_ns;     /* DG_DOC_UNKNOWN */
    guint64 written_bytes, written_expected_bytes; /* expected: DG_DOC_UNKNOWN */
    guint64 prepare_left_ns;  /* while preparing: DG_DOC_UNKNOWN until its rate is known */
    gboolean prepare_is_slow; /* preparing will take over 60 s: offer a smaller size */
    gdouble celsius;          /* NAN */
} DgProgress;

/* Pulled by the caller ten times a second. Cheap, never blocks. */
void dg_runner_get_progress (DgRunner *self, DgProgress *ret_progress);

/* Live samples of the present pass, bytes per 100 ms; (transfer full) array of guint64. */
GArray *dg_runner_get_live_samples (DgRunner *self, gboolean *ret_is_warmup);

G_END_DECLS
