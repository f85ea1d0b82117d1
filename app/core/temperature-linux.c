/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documentation/hwmon/sysfs-interface and drivetemp of the kernel: millidegrees in tempN_input;
 * temp1 is the drive's composite figure. */
#include "app/core/temperature.h"

#include <math.h>
#include <string.h>

static gdouble
read_millidegrees (const gchar *folder, const gchar *name)
{
    g_autofree gchar *path = g_build_filename (folder, name, NULL);
    g_autofree gchar *text = NULL;
    gchar *end;
    if (!g_file_get_contents (path, &text, NULL, NULL))
        return NAN;
    gint64 value = g_ascii_strtoll (text, &end, 10);
    /* Drives without a limit say 0, minus 273 degrees or more than 200. */
    return end == text || value <= -60000 || value > 200000 ? NAN : (gdouble) value / 1000.0;
}

static gboolean
read_sensor (const gchar *folder, DgTemperature *ret_temperature)
{
    g_autofree gchar *path = g_build_filename (folder, "name", NULL);
    g_autofree gchar *name = NULL;
    if (!g_file_get_contents (path, &name, NULL, NULL))
        return FALSE;
    g_strchomp (name);
    if (strcmp (name, "nvme") != 0 && strcmp (name, "drivetemp") != 0)
        return FALSE;
    gdouble celsius = read_millidegrees (folder, "temp1_input");
    if (isnan (celsius))
        return FALSE;
    gdouble limit = read_millidegrees (folder, "temp1_max");
    if (isnan (limit) || limit <= 0.0)
        limit = read_millidegrees (folder, "temp1_crit");
    ret_temperature->sensor = g_steal_pointer (&name);
    ret_temperature->celsius = celsius;
    ret_temperature->limit_celsius = limit > 0.0 ? limit : NAN;
    return TRUE;
}

/* Looks for hwmonN in `folder`, and one level down in `hwmon` and in the controllers of an NVMe
 * subsystem. */
static gboolean
search (const gchar *folder, guint depth, DgTemperature *ret_temperature)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const gchar *name;
    if (dir == NULL)
        return FALSE;
    while ((name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *path = g_build_filename (folder, name, NULL);
        gboolean is_group = strcmp (name, "hwmon") == 0
                            || (g_str_has_prefix (name, "nvme") && strchr (name + 4, 'n') == NULL);
        if (g_str_has_prefix (name, "hwmon") && !is_group && read_sensor (path, ret_temperature))
            return TRUE;
        if (is_group && depth < 2 && search (path, depth + 1, ret_temperature))
            return TRUE;
    }
    return FALSE;
}

gboolean
dg_temperature_read (const gchar *sysfs, const gchar *name, DgTemperature *ret_temperature)
{
    if (name == NULL || name[0] == '\0' || name[0] == '.' || strchr (name, '/') != NULL)
        return FALSE;
    g_autofree gchar *folder =
        g_build_filename (sysfs == NULL ? "/sys" : sysfs, "block", name, "device", NULL);
    return search (folder, 0, ret_temperature);
}

void
dg_temperature_clear (DgTemperature *temperature)
{
    g_clear_pointer (&temperature->sensor, g_free);
}
