/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the tests of a document were measured: a row alone goes on with a document long after its
 * other tests. */
#include "app/core/document.h"

#define PAUSE_NS                                                                                   \
    (60 * G_GUINT64_CONSTANT (1000000000)) /* beside interval and flush: another go                \
                                            */

static guint64
plus (guint64 a, guint64 b)
{
    return a == DG_DOC_UNKNOWN || b == DG_DOC_UNKNOWN || a > G_MAXUINT64 - 1 - b ? DG_DOC_UNKNOWN
                                                                                 : a + b;
}

static guint64
begin_ns (const DgDocTest *test)
{
    if (test->warmup_started_ns != DG_DOC_UNKNOWN)
        return test->warmup_started_ns;
    return test->n_runs > 0 ? test->runs[0].started_ns : DG_DOC_UNKNOWN;
}

/* With its flush; DG_DOC_UNKNOWN if it has no run. */
static guint64
end_ns (const DgDocTest *test)
{
    guint64 end = DG_DOC_UNKNOWN;
    for (guint i = 0; i < test->n_runs; i++) {
        guint64 run = plus (test->runs[i].started_ns, test->runs[i].elapsed_ns);
        if (run != DG_DOC_UNKNOWN && (end == DG_DOC_UNKNOWN || run > end))
            end = run;
    }
    guint64 flushed = plus (end, test->flush_ns);
    return flushed != DG_DOC_UNKNOWN ? flushed : end;
}

gboolean
dg_document_counts_flush (const DgDocView *view)
{
    return view->include_flush || (view->n_targets > 0 && view->targets[0].file_direct == 0);
}

gboolean
dg_document_left_older (const DgDocRun *run)
{
    return run->unfinished != DG_DOC_UNKNOWN && run->unfinished > 0
           && run->oldest_unfinished_ns != DG_DOC_UNKNOWN && run->max_ns != DG_DOC_UNKNOWN
           && run->oldest_unfinished_ns > run->max_ns;
}

gboolean
dg_document_is_another_go (const DgDocView *view, guint test, guint64 *end_before_ns)
{
    guint64 begin = begin_ns (&view->tests[test]), before = *end_before_ns;
    guint64 end = end_ns (&view->tests[test]);
    guint64 pause =
        view->interval_ns == DG_DOC_UNKNOWN ? PAUSE_NS : plus (view->interval_ns, PAUSE_NS);
    guint64 due = plus (before, pause);
    if (end != DG_DOC_UNKNOWN)
        *end_before_ns = end;
    return begin != DG_DOC_UNKNOWN && due != DG_DOC_UNKNOWN && begin > due;
}

guint64
dg_document_measured_ns (const DgDocView *view)
{
    guint64 sum = 0;
    for (guint i = 0; i < view->n_tests; i++) {
        const DgDocTest *test = &view->tests[i];
        guint64 more = plus (sum, test->warmup_elapsed_ns);
        sum = more != DG_DOC_UNKNOWN ? more : sum;
        for (guint k = 0; k < test->n_runs; k++) {
            more = plus (sum, test->runs[k].elapsed_ns);
            sum = more != DG_DOC_UNKNOWN ? more : sum;
        }
    }
    return sum;
}
