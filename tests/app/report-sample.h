/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result documents for the tests of reports and pictures: the same at each run, with what a real
 * run leaves (samples, warm-up, runs, temperature, findings). */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Names of all samples, NULL at the end. */
const gchar *const *report_sample_names (void);

/* (transfer full) */
json_t *report_sample_new (const gchar *name);
