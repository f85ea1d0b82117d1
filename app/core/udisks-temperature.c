/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two calls: SmartUpdate () makes UDisks2 ask the drive, GetAll () hands over what it knows then. A
 * refused update leaves the older figure, which counts while it is fresh enough.
 * http://storaged.org/doc/udisks2-api/latest/gdbus-org.freedesktop.UDisks2.Drive.Ata.html and
 * ...NVMe.Controller.html: temperatures in kelvin, SmartUpdated in seconds since 1970. */
#include "app/core/udisks-private.h"

#include <math.h>

#define CALL_MS       2000
#define FRESH_S       15
#define KELVIN        273.15
#define LEAST_CELSIUS -60.0
#define MOST_CELSIUS  200.0

static const gchar *const interfaces[] = { "org.freedesktop.UDisks2.Drive.Ata",
                                           "org.freedesktop.UDisks2.NVMe.Controller" };

typedef struct {
    GDBusConnection *bus;
    gchar *path;
    const gchar *interface;
} Asking;

static void
asking_free (gpointer data)
{
    Asking *asking = data;
    g_object_unref (asking->bus);
    g_free (asking->path);
    g_free (asking);
}

static gdouble
kelvin_of (GVariant *properties)
{
    gdouble exact = 0;
    guint16 whole = 0;

    if (g_variant_lookup (properties, "SmartTemperature", "d", &exact))
        return exact;
    return g_variant_lookup (properties, "SmartTemperature", "q", &whole) ? whole : 0;
}

static void
properties_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GTask) task = user_data;
    GError *error = NULL;
    guint64 updated_s = 0;
    gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
    g_autoptr (GVariant) reply =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

    if (reply == NULL) {
        g_task_return_error (task, error);
        return;
    }
    g_autoptr (GVariant) properties = g_variant_get_child_value (reply, 0);
    gdouble celsius = kelvin_of (properties) - KELVIN;
    g_variant_lookup (properties, "SmartUpdated", "t", &updated_s);
    gboolean is_fresh =
        updated_s <= (guint64) now_s + FRESH_S && updated_s + FRESH_S >= (guint64) now_s;
    if (!is_fresh || !(celsius > LEAST_CELSIUS && celsius < MOST_CELSIUS)) {
        g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no fresh temperature");
        return;
    }
    g_task_return_pointer (task, g_memdup2 (&celsius, sizeof celsius), g_free);
}

static void
updated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GTask) task = user_data;
    Asking *asking = g_task_get_task_data (task);
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) reply =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

    /* Nobody answers: nobody will answer a second question. */
    if (reply == NULL
        && (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
            || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))) {
        g_task_return_error (task, g_steal_pointer (&error));
        return;
    }
    g_dbus_connection_call (asking->bus, DG_UDISKS_BUS_NAME, asking->path,
                            "org.freedesktop.DBus.Properties", "GetAll",
                            g_variant_new ("(s)", asking->interface), G_VARIANT_TYPE ("(a{sv})"),
                            G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS, g_task_get_cancellable (task),
                            properties_cb, g_object_ref (task));
}

void
dg_udisks_read_temperature_async (DgUdisks *self, const gchar *kernel_name,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
    g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
    g_autoptr (GDBusObject) drive = dg__udisks_find_drive (self, kernel_name);
    const gchar *interface = NULL;

    g_task_set_source_tag (task, dg_udisks_read_temperature_async);
    for (guint i = 0; drive != NULL && i < G_N_ELEMENTS (interfaces) && interface == NULL; i++) {
        g_autoptr (GDBusInterface) found = g_dbus_object_get_interface (drive, interfaces[i]);
        if (found != NULL)
            interface = interfaces[i];
    }
    if (interface == NULL) {
        g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no sensor");
        return;
    }
    Asking *asking = g_new0 (Asking, 1);
    asking->bus = dg__udisks_dup_bus (self);
    asking->path = g_strdup (g_dbus_object_get_object_path (drive));
    asking->interface = interface;
    g_task_set_task_data (task, asking, asking_free);
    /* A sleeping disk stays asleep, and nobody is asked for a password. */
    GVariant *options =
        g_variant_new_parsed ("({'nowakeup': <true>, 'auth.no_user_interaction': <true>},)");
    g_dbus_connection_call (asking->bus, DG_UDISKS_BUS_NAME, asking->path, interface, "SmartUpdate",
                            options, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS, cancellable,
                            updated_cb, g_steal_pointer (&task));
}

gboolean
dg_udisks_read_temperature_finish (DgUdisks *self, GAsyncResult *result, gdouble *ret_celsius)
{
    g_autofree gdouble *celsius = g_task_propagate_pointer (G_TASK (result), NULL);

    if (celsius == NULL)
        return FALSE;
    *ret_celsius = *celsius;
    return TRUE;
}
