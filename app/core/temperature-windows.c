/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IOCTL_STORAGE_QUERY_PROPERTY with StorageDeviceTemperatureProperty, which needs no rights on the
 * drive (winioctl.h, Windows 10). */
#include "app/core/temperature-windows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <windows.h>
#include <winioctl.h>

#define NOT_REPORTED ((SHORT) 0x8000) /* STORAGE_TEMPERATURE_VALUE_NOT_REPORTED */

/* STORAGE_TEMPERATURE_INFO and STORAGE_TEMPERATURE_DATA_DESCRIPTOR, which older headers lack. Whole
 * degrees Celsius. */
typedef struct {
    WORD Index;
    SHORT Temperature, OverThreshold, UnderThreshold;
    BOOLEAN OverThresholdChangable, UnderThresholdChangable, EventGenerated, Reserved0;
    DWORD Reserved1;
} TemperatureInfo;

typedef struct {
    DWORD Version, Size;
    SHORT CriticalTemperature, WarningTemperature;
    WORD InfoCount;
    BYTE Reserved0[2];
    DWORD Reserved1[2];
    TemperatureInfo Info[16];
} TemperatureDescriptor;

static gdouble
to_celsius (SHORT value)
{
    return value == NOT_REPORTED || value < -60 || value > 200 ? NAN : (gdouble) value;
}

gboolean
dg__temperature_of_answer (gconstpointer answer, gsize size, DgTemperature *ret_temperature)
{
    TemperatureDescriptor descriptor = { 0 };
    memcpy (&descriptor, answer, MIN (size, sizeof descriptor));
    if (size < offsetof (TemperatureDescriptor, Info) + sizeof (TemperatureInfo)
        || descriptor.InfoCount == 0)
        return FALSE;
    gdouble celsius = to_celsius (descriptor.Info[0].Temperature),
            limit = to_celsius (descriptor.WarningTemperature);
    if (isnan (celsius))
        return FALSE;
    if (isnan (limit) || limit <= 0.0)
        limit = to_celsius (descriptor.CriticalTemperature);
    ret_temperature->sensor = g_strdup ("drive");
    ret_temperature->celsius = celsius;
    ret_temperature->limit_celsius = limit > 0.0 ? limit : NAN;
    return TRUE;
}

gboolean
dg_temperature_read (const gchar *sysfs, const gchar *name, DgTemperature *ret_temperature)
{
    STORAGE_PROPERTY_QUERY query = { .PropertyId = StorageDeviceTemperatureProperty,
                                     .QueryType = PropertyStandardQuery };
    TemperatureDescriptor descriptor = { 0 };
    DWORD size = 0;
    if (name == NULL || !g_str_has_prefix (name, "PhysicalDrive"))
        return FALSE;
    g_autofree gchar *path = g_strconcat ("\\\\.\\", name, NULL);
    g_autofree gunichar2 *wide = g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
    HANDLE drive = wide == NULL
                       ? INVALID_HANDLE_VALUE
                       : CreateFileW ((const wchar_t *) wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      NULL, OPEN_EXISTING, 0, NULL);
    if (drive == INVALID_HANDLE_VALUE)
        return FALSE;
    BOOL is_answered = DeviceIoControl (drive, IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof query,
                                        &descriptor, sizeof descriptor, &size, NULL);
    CloseHandle (drive);
    return is_answered && dg__temperature_of_answer (&descriptor, size, ret_temperature);
}

void
dg_temperature_clear (DgTemperature *temperature)
{
    g_clear_pointer (&temperature->sensor, g_free);
}
