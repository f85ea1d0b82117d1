/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tests/app/report-sample.h"

#define MS 1000000ll

typedef struct {
    const gchar *name;
    guint64 block;
    guint queue, threads;
    gdouble rate[3], spread[3], p50_us[3], p99_us[3]; /* by direction; MB/s and percent */
    guint early[3];                                   /* runs that were not used */
    guint runs[3];                                    /* used */
} SampleTest;

typedef struct {
    const gchar *name, *profile;
    const SampleTest *tests;
    guint n_tests;
    gboolean directions[3];
    gint64 clock_ns;
    guint32 noise;
    json_t *tests_array;
} Sample;

/* A drive on USB 3.2 Gen 2, one on USB 2.0, one on PCIe: four tests each. */
extern const SampleTest report_sample_usb[4], report_sample_slow[4], report_sample_nvme[4];

json_t *report_sample_build (Sample *sample);
json_t *report_sample_usb_link (gdouble gbit, const gchar *name, const gchar *short_name,
                                const gchar *up_name, gdouble ceiling_mb);
