/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the drive's own sensor says. One implementation a platform. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    gchar *sensor; /* (owned) "nvme", "drivetemp" */
    gdouble celsius;
    gdouble limit_celsius; /* where the drive warns; NAN = unknown */
} DgTemperature;

/* The sensor of the whole drive `name` ("nvme0n1", "sda"). FALSE if it has none that can be read.
 * `sysfs`: (nullable) "/sys". Reading may send the drive a command and so take as long as the drive
 * does: any thread but the main one. */
gboolean dg_temperature_read (const gchar *sysfs, const gchar *name,
                              DgTemperature *ret_temperature);
void dg_temperature_clear (DgTemperature *temperature);

G_END_DECLS
