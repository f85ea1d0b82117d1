/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/options.h"

#define MIB            G_GUINT64_CONSTANT (1048576)
#define SECOND_NS      G_GUINT64_CONSTANT (1000000000)
#define DURATION_NS    (2 * SECOND_NS)
#define WARMUP_NS      (SECOND_NS / 2)
#define INTERVAL_NS    (1 * SECOND_NS)
#define CDM_SECONDS_NS (5 * SECOND_NS)
/* Any constant will do: the same random offsets each time make two results comparable. */
#define DEFAULT_SEED G_GUINT64_CONSTANT (0x6472697665676175)

void
dg_options_init (DgOptions *options)
{
    *options = (DgOptions){
        .profile = dg_profile_find ("default"),
        .only_test = -1,
        .directions = { [DG_DIRECTION_READ] = TRUE, [DG_DIRECTION_WRITE] = TRUE },
        .mix_read_percent = 70,
        .runs = 0,
        .size_bytes = 1024 * MIB,
        .duration_ns = DURATION_NS,
        .warmup_ns = WARMUP_NS,
        .interval_ns = INTERVAL_NS,
        .data = DG_DATA_RANDOM,
        .backend = DG_BACKEND_AUTO,
    };
}

void
dg_options_clear (DgOptions *options)
{
    g_clear_pointer (&options->profile, dg_profile_free);
    g_clear_pointer (&options->comment, g_free);
}

void
dg_options_copy (const DgOptions *from, DgOptions *to)
{
    *to = *from;
    to->profile = dg_profile_copy (from->profile);
    to->comment = g_strdup (from->comment);
}

void
dg_options_like_cdm (DgOptions *options)
{
    options->runs = 5;
    options->duration_ns = CDM_SECONDS_NS;
    options->interval_ns = CDM_SECONDS_NS;
    options->duration_set = TRUE;
    options->interval_set = TRUE;
    options->statistic_best = TRUE;
}

void
dg_options_set_profile (DgOptions *options, const DgProfile *profile)
{
    DgProfile *copy = dg_profile_copy (profile);

    dg_profile_free (options->profile);
    options->profile = copy;
    options->only_test = -1;
    if (!options->duration_set)
        options->duration_ns = copy->duration_ns != 0 ? copy->duration_ns : DURATION_NS;
    if (!options->interval_set)
        options->interval_ns = copy->interval_ns != 0 ? copy->interval_ns : INTERVAL_NS;
}

static guint64
greatest_common_divisor (guint64 a, guint64 b)
{
    while (b != 0) {
        guint64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

guint64
dg_options_rounded_size (const DgOptions *options)
{
    guint64 multiple = MIB;

    /* Of all tests, also when one is measured alone: its figures stand beside the others'. */
    for (guint i = 0; i < options->profile->n_tests; i++) {
        const DgTestSpec *test = &options->profile->tests[i];
        guint64 part = test->threads * test->block_bytes;
        guint64 factor = part / greatest_common_divisor (multiple, part);
        if (multiple > options->size_bytes / factor)
            return 0;
        multiple *= factor;
    }
    return options->size_bytes / multiple * multiple;
}

guint
dg_options_n_steps (const DgOptions *options)
{
    guint tests = options->only_test >= 0 ? 1 : options->profile->n_tests;
    guint steps = 0;

    for (guint d = 0; d < G_N_ELEMENTS (options->directions); d++)
        steps += options->directions[d] ? tests : 0;
    return steps;
}

void
dg_options_step (const DgOptions *options, guint step, guint *ret_test, DgDirection *ret_direction)
{
    guint tests = options->only_test >= 0 ? 1 : options->profile->n_tests;

    g_return_if_fail (step < dg_options_n_steps (options));
    for (guint d = 0; d < G_N_ELEMENTS (options->directions); d++) {
        if (!options->directions[d])
            continue;
        if (step < tests) {
            *ret_test = options->only_test >= 0 ? (guint) options->only_test : step;
            *ret_direction = (DgDirection) d;
            return;
        }
        step -= tests;
    }
}

static guint
read_percent (const DgOptions *options, DgDirection direction)
{
    switch (direction) {
    case DG_DIRECTION_READ:
        return 100;
    case DG_DIRECTION_WRITE:
        return 0;
    case DG_DIRECTION_MIX:
        break;
    }
    return options->mix_read_percent;
}

DgPlan *
dg_options_make_plan (const DgOptions *options, const gchar *folder)
{
    guint n = dg_options_n_steps (options);
    DgPlan *plan = g_new0 (DgPlan, 1);
    DgPlanTarget *target = g_new0 (DgPlanTarget, 1);
    DgStream *streams = g_new0 (DgStream, MAX (n, 1));
    DgStep *steps = g_new0 (DgStep, MAX (n, 1));

    target->folder = g_strdup (folder);
    target->file_bytes = dg_options_rounded_size (options);
    target->handle = -1;
    for (guint i = 0; i < n; i++) {
        guint test = 0;
        DgDirection direction = DG_DIRECTION_READ;
        dg_options_step (options, i, &test, &direction);
        const DgTestSpec *spec = &options->profile->tests[test];
        streams[i] = (DgStream){
            .access = spec->access,
            .block_bytes = spec->block_bytes,
            .queue_depth = spec->queue_depth,
            .threads = spec->threads,
            .read_percent = read_percent (options, direction),
            .data = options->data,
        };
        steps[i] =
            (DgStep){ .streams = &streams[i], .n_streams = 1, .group = i, .stop = DG_STOP_TIME };
    }

    *plan = (DgPlan){
        .targets = target,
        .n_targets = 1,
        .steps = steps,
        .n_steps = n,
        .runs = options->runs,
        .warmup_ns = options->warmup_ns,
        .duration_ns = options->duration_ns,
        .interval_ns = options->interval_ns,
        .backend = options->backend,
        .seed = options->seed != 0 ? options->seed : DEFAULT_SEED,
        .include_flush = options->include_flush,
        .no_cow = options->no_cow,
        .write_through = options->write_through,
    };
    return plan;
}

void
dg_options_plan_free (DgPlan *plan)
{
    if (plan == NULL)
        return;
    g_free ((gchar *) plan->targets[0].folder);
    g_free ((DgPlanTarget *) plan->targets);
    g_free ((DgStream *) plan->steps[0].streams); /* the first of one array of all */
    g_free ((DgStep *) plan->steps);
    g_free (plan);
}
