/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings from the course of a test over time: its runs' samples one after the other, without
 * warm-up, pauses and the incomplete last sample of each run. */
#include "app/core/findings-private.h"

#include <math.h>

#define SLOWED_FACTOR 0.8 /* last quarter of the first */
#define RISE_CELSIUS  5.0
#define STEP_FACTOR   0.7  /* after the step of before it */
#define LEVEL_FACTOR  0.45 /* ups and downs after the step, of the step */
#define LEAST_SAMPLES 15u
#define BEFORE_LEAST  5u /* samples before the step */
/* Samples after it: one second of lower speed is the least that is believed. */
#define AFTER_LEAST 10u
#define PIECE       3u /* single samples of a slow drive are too coarse */
#define LONG_PIECE  5u
#define NEAR_NS     2000000000u /* a temperature so long before a test still tells of it */
/* A sensor is read once a second: a reading so long after a moment still tells of it. */
#define LATE_NS 1000000000u

typedef struct {
    GArray *rates; /* of gdouble, bytes/s */
    GArray *bytes; /* of guint64, completed before each sample, warm-up included */
    GArray *times; /* of guint64, ns, the beginning of each sample */
    guint64 begin_ns, end_ns;
} Course;

static void
course_clear (Course *course)
{
    g_array_unref (course->rates);
    g_array_unref (course->bytes);
    g_array_unref (course->times);
}

static void
course_make (const DgDocTest *test, Course *ret_course)
{
    ret_course->rates = g_array_new (FALSE, FALSE, sizeof (gdouble));
    ret_course->bytes = g_array_new (FALSE, FALSE, sizeof (guint64));
    ret_course->times = g_array_new (FALSE, FALSE, sizeof (guint64));
    ret_course->begin_ns = G_MAXUINT64;
    ret_course->end_ns = 0;
    guint64 total = 0;
    for (guint i = 0; i < test->n_warmup_samples; i++)
        total += test->warmup_samples[i];
    for (guint k = 0; k < test->n_runs; k++) {
        const DgDocRun *run = &test->runs[k];
        if (run->n_samples == 0 || run->sample_step_ns == 0 || run->elapsed_ns == DG_DOC_UNKNOWN
            || run->started_ns == DG_DOC_UNKNOWN)
            continue;
        if (run->n_errors > 0) /* what a drive does before it fails tells nothing of its speed */
            continue;
        guint64 whole = MIN ((guint64) run->n_samples, run->elapsed_ns / run->sample_step_ns);
        for (guint i = 0; i < run->n_samples; i++) {
            if (i < whole) {
                gdouble rate = (gdouble) run->samples[i] * 1e9 / (gdouble) run->sample_step_ns;
                g_array_append_val (ret_course->rates, rate);
                guint64 at = run->started_ns + i * run->sample_step_ns;
                g_array_append_val (ret_course->bytes, total);
                g_array_append_val (ret_course->times, at);
            }
            total += run->samples[i];
        }
        ret_course->begin_ns = MIN (ret_course->begin_ns, run->started_ns);
        ret_course->end_ns = MAX (ret_course->end_ns, run->started_ns + run->elapsed_ns);
    }
}

static gdouble
mean (const GArray *rates, guint from, guint to)
{
    gdouble sum = 0.0;
    for (guint i = from; i < to; i++)
        sum += g_array_index (rates, gdouble, i);
    return to > from ? sum / (gdouble) (to - from) : NAN;
}

static gint
compare_rates (gconstpointer a, gconstpointer b)
{
    gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;
    return (x > y) - (x < y);
}

static gdouble
median (const GArray *rates, guint from, guint to)
{
    g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), to - from);
    g_array_append_vals (sorted, &g_array_index (rates, gdouble, from), to - from);
    g_array_sort (sorted, compare_rates);
    return (g_array_index (sorted, gdouble, (to - from - 1) / 2)
            + g_array_index (sorted, gdouble, (to - from) / 2))
           / 2.0;
}

/* ---- heat ---- */

typedef struct {
    gdouble from, to, limit; /* degrees Celsius; limit: NAN unless it was reached */
} Heat;

/* Was a limit reached by `until_ns`, or, without one, did the drive warm up during the test? */
static gboolean
was_hot (const DgDocView *view, guint target, const Course *course, guint64 until_ns,
         Heat *ret_heat)
{
    Heat heat = { NAN, NAN, NAN };
    for (guint i = 0; i < view->n_temperatures; i++) {
        const DgDocTemperature *t = &view->temperatures[i];
        if (t->target != target || t->at_ns == DG_DOC_UNKNOWN
            || t->at_ns + NEAR_NS < course->begin_ns || t->at_ns > until_ns + LATE_NS)
            continue;
        if (isnan (heat.from))
            heat.from = t->celsius;
        if (isnan (heat.to) || t->celsius > heat.to)
            heat.to = t->celsius;
        if (!isnan (t->limit_celsius) && t->celsius >= t->limit_celsius)
            heat.limit = t->limit_celsius;
    }
    if (isnan (heat.from) || (isnan (heat.limit) && !(heat.to - heat.from >= RISE_CELSIUS)))
        return FALSE;
    *ret_heat = heat;
    return TRUE;
}

static json_t *
judge_throttled (const DgDocView *view, const DgDocTest *test, const Course *course,
                 gdouble *ret_strength, gboolean *ret_is_at_limit)
{
    guint n = course->rates->len, quarter = n / 4;
    Heat heat;
    if (n < LEAST_SAMPLES)
        return NULL;
    gdouble first = median (course->rates, 0, quarter),
            last = median (course->rates, n - quarter, n);
    if (!(last < SLOWED_FACTOR * first) || dg_findings_was_disturbed (view, test)
        || !was_hot (view, dg_findings_target_of (view, test), course, course->end_ns, &heat))
        return NULL;
    *ret_is_at_limit = !isnan (heat.limit);
    *ret_strength = first / MAX (last, 1.0);
    json_t *values =
        json_pack ("{s:f, s:f, s:f, s:f}", "first_bytes_per_s", first, "last_bytes_per_s", last,
                   "from_celsius", heat.from, "to_celsius", heat.to);
    json_object_set_new (values, "limit_celsius",
                         isnan (heat.limit) ? json_null () : json_real (heat.limit));
    return values;
}

/* ---- cache ---- */

/* The border that parts the course into two level pieces best (least squares): maximises n1 m1² +
 * n2 m2². */
static guint
find_step (const GArray *rates)
{
    gdouble total = 0.0, before = 0.0, best = -1.0;
    guint n = rates->len, border = 0;
    for (guint i = 0; i < n; i++)
        total += g_array_index (rates, gdouble, i);
    for (guint i = 1; i < n; i++) {
        before += g_array_index (rates, gdouble, i - 1);
        gdouble after = total - before;
        gdouble score = before * before / (gdouble) i + after * after / (gdouble) (n - i);
        if (score > best) {
            best = score;
            border = i;
        }
    }
    return border;
}

/* No piece after the border comes back up, none before it was already down; and what comes after
 * is level: its own ups and downs are smaller than the step. */
static gboolean
is_one_step (const GArray *rates, guint border, gdouble before, gdouble after)
{
    gdouble middle = (before + after) / 2.0, least = INFINITY, most = 0.0;
    for (guint i = 0; i + PIECE <= border; i++)
        if (mean (rates, i, i + PIECE) < middle)
            return FALSE;
    for (guint i = border; i + PIECE <= rates->len; i++)
        if (mean (rates, i, i + PIECE) > middle)
            return FALSE;
    for (guint i = border; i + LONG_PIECE <= rates->len; i++) {
        least = MIN (least, mean (rates, i, i + LONG_PIECE));
        most = MAX (most, mean (rates, i, i + LONG_PIECE));
    }
    return most - least <= LEVEL_FACTOR * (before - after);
}

/* Did a limit explain the step? A flash drive that fills its cache warms up, too: that alone does
 * not. */
static gboolean
was_at_limit (const DgDocView *view, const DgDocTest *test, const Course *course, guint border)
{
    Heat heat;
    return was_hot (view, dg_findings_target_of (view, test), course,
                    g_array_index (course->times, guint64, border), &heat)
           && !isnan (heat.limit);
}

static json_t *
judge_cache (const DgDocView *view, const DgDocTest *test, const Course *course,
             gdouble *ret_strength)
{
    guint n = course->rates->len;
    if (test->direction != DG_DIRECTION_WRITE || n < BEFORE_LEAST + AFTER_LEAST
        || dg_findings_was_disturbed (view, test))
        return NULL;
    guint border = find_step (course->rates);
    if (border < BEFORE_LEAST || n - border < AFTER_LEAST)
        return NULL;
    gdouble before = median (course->rates, 0, border), after = median (course->rates, border, n);
    /* Of a slow drive whose samples hold one transfer or two the mean is the better middle. */
    gdouble mean_before = mean (course->rates, 0, border),
            mean_after = mean (course->rates, border, n);
    if (!(after <= STEP_FACTOR * before) || !(mean_after <= STEP_FACTOR * mean_before)
        || !is_one_step (course->rates, border, mean_before, mean_after)
        || was_at_limit (view, test, course, border))
        return NULL;
    before = mean_before;
    after = mean_after;
    *ret_strength = before / MAX (after, 1.0);
    return json_pack (
        "{s:f, s:f, s:I}", "before_bytes_per_s", before, "after_bytes_per_s", after,
        "written_bytes",
        (json_int_t) MIN (g_array_index (course->bytes, guint64, border), G_MAXINT64));
}

/* ---- both ---- */

#define AT_LIMIT_FIRST   1e12 /* what is certain is named before what is likely */
#define SEQUENTIAL_FIRST 1e12 /* as copies are */

typedef struct {
    GArray *tests;
    json_t *values;
    gdouble strongest;
    gint worst;
} Found;

static void
take (Found *found, guint test, json_t *values, gdouble strength)
{
    g_array_append_val (found->tests, test);
    if (found->values != NULL && strength <= found->strongest) {
        json_decref (values);
        return;
    }
    json_decref (found->values);
    found->values = values;
    found->strongest = strength;
    found->worst = (gint) test;
}

static void
hand_over (DgFindings *self, const gchar *id, DgSeverity severity, Found *found)
{
    if (found->values == NULL) {
        g_array_unref (found->tests);
        return;
    }
    gint target = (gint) dg_findings_target_of (self->view, &self->view->tests[found->worst]);
    dg_findings_add (self, id, severity, target, found->worst, found->tests, found->values);
}

void
dg_findings_make_course (DgFindings *self)
{
    Found throttled = { g_array_new (FALSE, FALSE, sizeof (guint)), NULL, 0.0, -1 };
    Found cache = { g_array_new (FALSE, FALSE, sizeof (guint)), NULL, 0.0, -1 };
    for (guint i = 0; i < self->view->n_tests; i++) {
        const DgDocTest *test = &self->view->tests[i];
        Course course;
        gdouble heat_strength = 0.0, cache_strength = 0.0;
        gboolean is_at_limit = FALSE;
        course_make (test, &course);
        json_t *heat = judge_throttled (self->view, test, &course, &heat_strength, &is_at_limit);
        json_t *step = judge_cache (self->view, test, &course, &cache_strength);
        /* One clean step down before any limit was reached is the cache; warmth goes with it. */
        if (step != NULL) {
            if (test->access == DG_ACCESS_SEQUENTIAL)
                cache_strength += SEQUENTIAL_FIRST;
            take (&cache, i, step, cache_strength);
            json_decref (heat);
        } else if (heat != NULL) {
            take (&throttled, i, heat,
                  is_at_limit ? heat_strength + AT_LIMIT_FIRST : heat_strength);
        }
        course_clear (&course);
    }
    hand_over (self, "throttled", DG_SEVERITY_WARNING, &throttled);
    hand_over (self, "cache-ended", DG_SEVERITY_WARNING, &cache);
}
