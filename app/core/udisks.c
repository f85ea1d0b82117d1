/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of bus, interfaces and properties: http://storaged.org/doc/udisks2-api/latest/ */
#include "app/core/udisks-private.h"

#include "app/core/numbers.h"

#include <math.h>
#include <string.h>

#define OBJECT_PATH "/org/freedesktop/UDisks2"
#define BLOCK       "org.freedesktop.UDisks2.Block"
#define DRIVE       "org.freedesktop.UDisks2.Drive"
#define DRIVE_ATA   "org.freedesktop.UDisks2.Drive.Ata"
#define KELVIN      273.15

struct _DgUdisks {
    GObject parent_instance;
    GCancellable *cancellable;
    GDBusObjectManager
        *manager; /* (nullable) until it has answered, and for ever without UDisks2 */
};

G_DEFINE_FINAL_TYPE (DgUdisks, dg_udisks, G_TYPE_OBJECT)

enum {
    CHANGED,
    N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
changed_cb (DgUdisks *self)
{
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
manager_new_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GError) error = NULL;
    GDBusObjectManager *manager = g_dbus_object_manager_client_new_finish (result, &error);

    /* After a cancel the object may be gone: it is not touched before this is known. */
    if (manager == NULL)
        return;
    DgUdisks *self = DG_UDISKS (user_data);
    self->manager = manager;
    g_signal_connect_swapped (manager, "object-added", G_CALLBACK (changed_cb), self);
    g_signal_connect_swapped (manager, "object-removed", G_CALLBACK (changed_cb), self);
    g_signal_connect_swapped (manager, "interface-added", G_CALLBACK (changed_cb), self);
    g_signal_connect_swapped (manager, "interface-removed", G_CALLBACK (changed_cb), self);
    g_signal_connect_swapped (manager, "interface-proxy-properties-changed",
                              G_CALLBACK (changed_cb), self);
    g_signal_connect_swapped (manager, "notify::name-owner", G_CALLBACK (changed_cb), self);
    changed_cb (self);
}

static void
bus_get_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, NULL);
    g_autoptr (DgUdisks) self = DG_UDISKS (user_data); /* the reference that the call held */

    if (bus == NULL || g_cancellable_is_cancelled (self->cancellable))
        return;
    /* Not started for us: what is not running is not needed. */
    g_dbus_object_manager_client_new (bus, G_DBUS_OBJECT_MANAGER_CLIENT_FLAGS_DO_NOT_AUTO_START,
                                      DG_UDISKS_BUS_NAME, OBJECT_PATH, NULL, NULL, NULL,
                                      self->cancellable, manager_new_cb, self);
}

static void
dg_udisks_dispose (GObject *object)
{
    DgUdisks *self = DG_UDISKS (object);

    g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
    if (self->manager != NULL)
        g_signal_handlers_disconnect_by_data (self->manager, self);
    g_clear_object (&self->manager);
    G_OBJECT_CLASS (dg_udisks_parent_class)->dispose (object);
}

static void
dg_udisks_class_init (DgUdisksClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = dg_udisks_dispose;
    signals[CHANGED] = g_signal_new ("changed", DG_TYPE_UDISKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);
}

static void
dg_udisks_init (DgUdisks *self)
{
    self->cancellable = g_cancellable_new ();
}

DgUdisks *
dg_udisks_new (void)
{
    DgUdisks *self = g_object_new (DG_TYPE_UDISKS, NULL);

    g_bus_get (G_BUS_TYPE_SYSTEM, self->cancellable, bus_get_cb, g_object_ref (self));
    return self;
}

/* ---- looking up ---- */

static GVariant *
get_property (GDBusObject *object, const gchar *interface_name, const gchar *property,
              const GVariantType *type)
{
    g_autoptr (GDBusInterface) interface = g_dbus_object_get_interface (object, interface_name);

    if (interface == NULL)
        return NULL;
    GVariant *value = g_dbus_proxy_get_cached_property (G_DBUS_PROXY (interface), property);
    if (value != NULL && !g_variant_is_of_type (value, type))
        g_clear_pointer (&value, g_variant_unref);
    return value;
}

static gchar *
get_text (GDBusObject *object, const gchar *interface_name, const gchar *property)
{
    g_autoptr (GVariant) value =
        get_property (object, interface_name, property, G_VARIANT_TYPE_STRING);

    if (value == NULL || g_variant_get_string (value, NULL)[0] == '\0')
        return NULL;
    return dg_text_sanitize (g_variant_get_string (value, NULL));
}

/* SmartTemperature is in kelvin; 0 = not known. */
static gdouble
get_celsius (GDBusObject *drive)
{
    g_autoptr (GVariant) value =
        get_property (drive, DRIVE_ATA, "SmartTemperature", G_VARIANT_TYPE_DOUBLE);

    return value != NULL && g_variant_get_double (value) > 0 ? g_variant_get_double (value) - KELVIN
                                                             : NAN;
}

static gboolean
is_block (GDBusObject *object, const gchar *kernel_name)
{
    g_autoptr (GVariant) device = get_property (object, BLOCK, "Device", G_VARIANT_TYPE_BYTESTRING);

    if (device == NULL)
        return FALSE;
    const gchar *path = g_variant_get_bytestring (device);
    const gchar *slash = strrchr (path, '/');
    return strcmp (slash != NULL ? slash + 1 : path, kernel_name) == 0;
}

/* (transfer full) (nullable) */
static GDBusObject *
find_block (DgUdisks *self, const gchar *kernel_name)
{
    GDBusObject *found = NULL;

    if (self->manager == NULL || kernel_name == NULL)
        return NULL;
    GList *objects = g_dbus_object_manager_get_objects (self->manager);
    for (GList *l = objects; l != NULL && found == NULL; l = l->next)
        if (is_block (l->data, kernel_name))
            found = g_object_ref (l->data);
    g_list_free_full (objects, g_object_unref);
    return found;
}

static GDBusObject *
drive_of (DgUdisks *self, GDBusObject *block)
{
    g_autoptr (GVariant) path = get_property (block, BLOCK, "Drive", G_VARIANT_TYPE_OBJECT_PATH);

    return path != NULL
               ? g_dbus_object_manager_get_object (self->manager, g_variant_get_string (path, NULL))
               : NULL;
}

GDBusObject *
dg__udisks_find_drive (DgUdisks *self, const gchar *kernel_name)
{
    g_autoptr (GDBusObject) block = find_block (self, kernel_name);

    return block != NULL ? drive_of (self, block) : NULL;
}

GDBusConnection *
dg__udisks_dup_bus (DgUdisks *self)
{
    if (self->manager == NULL)
        return NULL;
    return g_object_ref (
        g_dbus_object_manager_client_get_connection (G_DBUS_OBJECT_MANAGER_CLIENT (self->manager)));
}

gboolean
dg_udisks_lookup (DgUdisks *self, const gchar *kernel_name, DgUdisksBlock *ret_block)
{
    g_autoptr (GDBusObject) object = find_block (self, kernel_name);

    if (object == NULL)
        return FALSE;
    *ret_block = (DgUdisksBlock){
        .label = get_text (object, BLOCK, "IdLabel"),
        .uuid = get_text (object, BLOCK, "IdUUID"),
        .celsius = NAN,
    };
    g_autoptr (GDBusObject) drive = drive_of (self, object);
    if (drive == NULL)
        return TRUE;
    ret_block->drive_model = get_text (drive, DRIVE, "Model");
    ret_block->drive_vendor = get_text (drive, DRIVE, "Vendor");
    ret_block->media = get_text (drive, DRIVE, "Media");
    ret_block->connection_bus = get_text (drive, DRIVE, "ConnectionBus");
    ret_block->celsius = get_celsius (drive);
    return TRUE;
}

void
dg_udisks_block_clear (DgUdisksBlock *block)
{
    g_clear_pointer (&block->label, g_free);
    g_clear_pointer (&block->uuid, g_free);
    g_clear_pointer (&block->drive_model, g_free);
    g_clear_pointer (&block->drive_vendor, g_free);
    g_clear_pointer (&block->media, g_free);
    g_clear_pointer (&block->connection_bus, g_free);
}
