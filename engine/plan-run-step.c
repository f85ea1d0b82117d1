/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step carried out: warm-up, runs, flush. */
#include "engine/plan-run-pass.h"

#include <stdlib.h>

#include "engine/clock.h"

static DgPassEnd
fail (DgStepRun *s, int error, const char *operation)
{
    s->open_error = error;
    s->open_detail = (DgErrorDetail){ .operation = operation };
    return DG_PASS_SYSTEM;
}

/* A call on the file did not end because of a stop, or never began. */
static DgPassEnd
not_carried_out (DgStepRun *s)
{
    return s->run->task.thread != NULL || dg__run_is_stopped (s->run)
               ? DG_PASS_STOPPED
               : fail (s, DG_ERROR_SYSTEM, "pthread_create");
}

static void
judge (DgStepRun *s, const DgCacheState *before, DgRunResult *run)
{
    DgPlanRun *r = s->run;
    run->direct = DG_DIRECT_PROVED;
    for (uint32_t t = 0; t < r->plan->n_targets; t++) {
        if (!s->targets[t])
            continue;
        DgCacheState after;
        DgReason reason = NULL;
        r->ops->cache_state (r->targets[t].file, &after);
        const DgMoved *moved = &s->moved[t];
        DgDirectness direct =
            r->ops->judge (r->targets[t].file, &before[t], &after, moved->read_bytes,
                           moved->written_bytes, moved->touched_bytes, &reason);
        bool is_worse = direct == DG_DIRECT_REFUTED
                        || (direct == DG_DIRECT_UNKNOWN && run->direct == DG_DIRECT_PROVED);
        if (is_worse && run->direct != DG_DIRECT_REFUTED) {
            run->direct = direct;
            run->direct_reason = reason;
        }
    }
}

/* One pass with all that stands around it. `run` NULL: a warm-up. */
static DgPassEnd
pass_with_cache (DgStepRun *s, DgRunResult *run)
{
    DgPlanRun *r = s->run;
    if (dg__run_task (r, DG_FILE_DROP, s->targets) != DG_OK)
        return not_carried_out (s);
    if (dg__run_is_stopped (r))
        return DG_PASS_STOPPED;
    DgCacheState *before = calloc (r->plan->n_targets, sizeof *before);
    if (before == NULL)
        return fail (s, DG_ERROR_NO_MEMORY, "malloc");
    for (uint32_t t = 0; t < r->plan->n_targets; t++)
        if (s->targets[t])
            r->ops->cache_state (r->targets[t].file, &before[t]);
    DgPassEnd end = dg__pass (s, run);
    bool is_over = end != DG_PASS_ABANDONED && end != DG_PASS_UNDRAINED;
    if (run != NULL && is_over && run->elapsed_ns > 0)
        judge (s, before, run);
    free (before);
    return end;
}

static DgPassEnd
pass (DgStepRun *s, DgRunResult *run)
{
    DgPassEnd end;
    do
        end = pass_with_cache (s, run);
    while (end == DG_PASS_NO_QUEUE && dg__step_fall_back (s));
    return end;
}

/* The flush after a write run or step; its time, untouched when it failed or a stop did not let it
 * end, and for how much of it the machine slept or the program stood still. */
static DgPassEnd
flush (DgStepRun *s, DgRunResult *run, uint64_t *ret_ns, uint64_t *ret_away_ns)
{
    DgPlanRun *r = s->run;
    DgAway away;
    dg__away_begin (r, &away);
    if (dg__run_task (r, DG_FILE_FLUSH, s->targets) != DG_OK)
        return not_carried_out (s);
    *ret_away_ns = dg__away_ns (r, &away);
    if (r->task.error == DG_OK) {
        *ret_ns = r->task.elapsed_ns;
        return DG_PASS_DONE;
    }
    if (run->n_errors < DG_MAX_RUN_ERRORS) {
        const DgErrorDetail *detail = &r->task.detail;
        run->errors[run->n_errors++] = (DgRunError){ detail->operation, detail->offset_bytes,
                                                     detail->length_bytes, detail->os_code, 1 };
    }
    return DG_PASS_DONE;
}

/* Why the pass could not begin. */
static void
add_open_error (const DgStepRun *s, DgRunResult *run)
{
    run->errors[run->n_errors++] =
        (DgRunError){ s->open_detail.operation, 0, 0, s->open_detail.os_code, 1 };
}

/* Nothing is measured on a drive that failed in the warm-up. What failed stands in a run, where it
 * is looked for. */
static void
keep_warm_up (DgStepRun *s)
{
    DgRunResult *run = &s->result->runs[s->result->n_runs++];
    *run = s->warmup;
    run->started_ns = s->result->warmup_started_ns;
    run->backend = s->backend->id;
    run->backend_reason = s->backend_reason;
    run->first_io_ns = s->first_io_ns;
}

/* One run into the next free place. */
static DgPassEnd
one_run (DgStepRun *s)
{
    DgStepResult *result = s->result;
    DgRunResult *run = &result->runs[result->n_runs];
    if (dg__step_allocate_run (s, run) != DG_OK)
        return fail (s, DG_ERROR_NO_MEMORY, "malloc");
    s->run->now.run = result->n_runs;
    DgPassEnd end = pass (s, run);
    run->backend = s->backend->id;
    run->backend_reason = s->backend_reason;
    if (s->run->plan->warmup_ns > 0 && result->n_runs == 0)
        run->first_io_ns = s->first_io_ns;
    if (end == DG_PASS_NO_QUEUE || end == DG_PASS_SYSTEM) {
        add_open_error (s, run);
        run->n_samples = 0;
        result->n_runs++;
        return end;
    }
    /* a stop in the ramp leaves nothing to keep; a pass that ended by itself is kept, whatever came
     * of it */
    bool has_begun = end == DG_PASS_DONE || run->elapsed_ns > 0 || run->n_errors > 0;
    if (end == DG_PASS_DONE && s->has_writes && run->is_complete
        && (s->is_buffered || s->run->plan->include_flush)) {
        uint64_t flush_ns = DG_UNKNOWN_U64, away_ns = 0;
        end = flush (s, run, &flush_ns, &away_ns);
        run->suspended_ns += away_ns;
        if (flush_ns == DG_UNKNOWN_U64) {
            run->is_complete = false;
        } else {
            run->elapsed_ns += flush_ns;
            result->flush_ns = flush_ns;
        }
    }
    if (has_begun)
        result->n_runs++;
    else
        run->n_samples = 0;
    run->is_used = dg__rule_is_good (run);
    s->run->now.runs_done = result->n_runs;
    dg__run_publish (s->run);
    return end;
}

static DgPassEnd
all_runs (DgStepRun *s)
{
    DgStepResult *result = s->result;
    uint32_t wanted = s->run->plan->runs;
    bool has_repeated = false;
    for (;;) {
        DgPassEnd end = one_run (s);
        if (end != DG_PASS_DONE)
            return end;
        const DgRunResult *last = &result->runs[result->n_runs - 1];
        bool is_suspended =
            last->n_errors == 0
            && (s->has_jumped || (last->suspended_ns >= DG_RUN_SUSPENDED_NS && last->is_complete));
        if (!dg__rule_is_good (last) && (!is_suspended || has_repeated))
            return DG_PASS_DONE;
        has_repeated |= is_suspended;
        if (dg__rule_has_enough (result, wanted) || result->n_runs == DG_MAX_RUNS)
            return DG_PASS_DONE;
    }
}

static DgPassEnd
passes (DgStepRun *s)
{
    DgPassEnd end = s->run->plan->warmup_ns > 0 ? pass (s, NULL) : DG_PASS_DONE;
    if (end == DG_PASS_NO_QUEUE || end == DG_PASS_SYSTEM)
        add_open_error (s, &s->warmup);
    if (s->warmup.n_errors > 0) {
        keep_warm_up (s);
        return end;
    }
    if (end == DG_PASS_DONE)
        end = all_runs (s);
    if (end == DG_PASS_DONE && s->has_writes && s->result->flush_ns == DG_UNKNOWN_U64
        && s->result->n_runs > 0) {
        uint64_t away_ns = 0;
        end = flush (s, &s->result->runs[s->result->n_runs - 1], &s->result->flush_ns, &away_ns);
        if (away_ns >= DG_RUN_SUSPENDED_NS)
            s->result->flush_ns = DG_UNKNOWN_U64;
    }
    return end;
}

/* The last run shows that nothing more can come from this target. */
static bool
is_gone (DgStepRun *s)
{
    const DgStepResult *result = s->result;
    if (result->n_runs == 0)
        return false;
    const DgRunResult *last = &result->runs[result->n_runs - 1];
    for (uint32_t i = 0; i < last->n_errors; i++) {
        const DgRunError *error = &last->errors[i];
        if (error->os_code == 0 || dg_error_from_os (error->os_code) != DG_ERROR_GONE)
            continue;
        s->run->result.error = DG_ERROR_GONE;
        s->run->result.detail = (DgErrorDetail){
            error->operation, error->offset_bytes, error->length_bytes, error->os_code, 0, 0
        };
        return true;
    }
    return false;
}

static DgGo
close_step (DgStepRun *s, DgPassEnd end)
{
    DgStepResult *result = s->result;
    dg__rule_apply (result, s->run->plan->runs);
    switch (end) {
    case DG_PASS_STOPPED:
        result->state = DG_STEP_STOPPED;
        return DG_GO_STOPPED;
    case DG_PASS_UNDRAINED:
        result->state = DG_STEP_STOPPED;
        return DG_GO_UNDRAINED;
    case DG_PASS_ABANDONED:
        result->state = DG_STEP_FAILED;
        return DG_GO_ABANDONED;
    case DG_PASS_SYSTEM:
        result->state = DG_STEP_FAILED;
        s->run->result.error = s->open_error;
        s->run->result.detail = s->open_detail;
        return DG_GO_GONE;
    case DG_PASS_NO_QUEUE:
        result->state = DG_STEP_FAILED;
        return DG_GO_ON;
    case DG_PASS_DONE:
        break;
    }
    const DgRunResult *last = &result->runs[result->n_runs - 1];
    bool is_failed = last->n_errors > 0 || !last->is_complete;
    result->state = is_failed ? DG_STEP_FAILED : DG_STEP_DONE;
    return is_failed && is_gone (s) ? DG_GO_GONE : DG_GO_ON;
}

DgGo
dg__run_step (DgPlanRun *run, uint32_t index)
{
    DgStepResult *result = &run->steps[index];
    DgStepRun *s = calloc (1, sizeof *s);
    if (s == NULL || (s->targets = calloc (run->plan->n_targets, sizeof *s->targets)) == NULL) {
        free (s);
        run->result.error = DG_ERROR_NO_MEMORY;
        return DG_GO_GONE;
    }
    s->run = run;
    s->index = index;
    s->step = &run->plan->steps[index];
    s->result = result;
    s->first_io_ns = DG_UNKNOWN_U64;
    dg__run_result_init (&s->warmup);
    result->started_ns = dg__run_now_ns (run);
    DgGo go = DG_GO_ON;
    result->reason = dg__step_fit (s, &go);
    if (result->reason != NULL || go != DG_GO_ON) {
        result->state = go == DG_GO_ON ? DG_STEP_NOT_RUN : DG_STEP_STOPPED;
        dg__step_free (s);
        return go;
    }
    int error = dg__step_allocate (s);
    if (error != DG_OK) {
        result->state = DG_STEP_FAILED;
        run->result.error = error;
        go = DG_GO_GONE;
    } else {
        go = close_step (s, passes (s));
    }
    if (go == DG_GO_ABANDONED || go == DG_GO_UNDRAINED)
        run->undrained = s; /* its workers still use it */
    else
        dg__step_free (s);
    return go;
}
