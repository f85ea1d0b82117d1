/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bus of our own with a UDisks2 of our own, and one without. */
#include "app/core/udisks.h"

#include <math.h>
#include <stdlib.h>

#define OBJECT_MANAGER                                                                             \
    "<node><interface name='org.freedesktop.DBus.ObjectManager'>"                                  \
    "<method name='GetManagedObjects'><arg type='a{oa{sa{sv}}}' direction='out'/></method>"        \
    "</interface></node>"

static const gchar *const objects =
    "{ objectpath '/org/freedesktop/UDisks2/block_devices/sda1': {"
    "    'org.freedesktop.UDisks2.Block': {"
    "      'Device': <b'/dev/sda1'>, 'IdLabel': <'KEEP\\u202e<b>'>, 'IdUUID': <'1234-ABCD'>,"
    "      'Drive': <objectpath '/org/freedesktop/UDisks2/drives/T7'> } },"
    "  objectpath '/org/freedesktop/UDisks2/block_devices/sdb': {"
    "    'org.freedesktop.UDisks2.Block': { 'Device': <b'/dev/sdb'>, 'IdLabel': <''>, 'IdUUID': "
    "<uint32 5>,"
    "      'Drive': <objectpath '/'> } },"
    "  objectpath '/org/freedesktop/UDisks2/drives/T7': {"
    "    'org.freedesktop.UDisks2.Drive': { 'Model': <'Portable SSD T7'>, 'Vendor': <'Samsung'>, "
    "'Media': <''>,"
    "      'ConnectionBus': <'usb'> },"
    "    'org.freedesktop.UDisks2.Drive.Ata': { 'SmartTemperature': <310.15> } } }";

static void
call_cb (GDBusConnection *bus, const gchar *sender, const gchar *path, const gchar *interface,
         const gchar *method, GVariant *parameters, GDBusMethodInvocation *invocation,
         gpointer user_data)
{
    g_autoptr (GError) error = NULL;
    GVariant *value =
        g_variant_parse (G_VARIANT_TYPE ("a{oa{sa{sv}}}"), objects, NULL, NULL, &error);

    g_assert_no_error (error);
    g_dbus_method_invocation_return_value (invocation, g_variant_new_tuple (&value, 1));
    g_variant_unref (value);
}

static void
stop_cb (gpointer user_data)
{
    *(gboolean *) user_data = TRUE;
}

static gboolean
timeout_cb (gpointer user_data)
{
    stop_cb (user_data);
    return G_SOURCE_REMOVE;
}

/* Until the signal comes; FALSE after half a second or five. */
static gboolean
wait_for_change (DgUdisks *udisks, guint most_ms)
{
    gboolean is_changed = FALSE, is_over = FALSE;
    gulong handler =
        g_signal_connect_swapped (udisks, "changed", G_CALLBACK (stop_cb), &is_changed);
    guint source = g_timeout_add (most_ms, timeout_cb, &is_over);

    while (!is_changed && !is_over)
        g_main_context_iteration (NULL, TRUE);
    g_signal_handler_disconnect (udisks, handler);
    if (!is_over)
        g_source_remove (source);
    return is_changed;
}

static void
test_without (void)
{
    g_autoptr (DgUdisks) udisks = dg_udisks_new ();
    DgUdisksBlock block;

    g_assert_false (dg_udisks_lookup (udisks, "sda1", &block));
    wait_for_change (udisks, 300);
    g_assert_false (dg_udisks_lookup (udisks, "sda1", &block));
}

/* Gone before the bus has answered: nothing may be touched afterwards. */
static void
test_gone_early (void)
{
    for (guint i = 0; i < 3; i++) {
        DgUdisks *udisks = dg_udisks_new ();
        for (guint k = 0; k < i; k++)
            g_main_context_iteration (NULL, FALSE);
        g_object_run_dispose (G_OBJECT (udisks));
        g_object_unref (udisks);
    }
    gboolean is_over = FALSE;
    g_timeout_add (200, timeout_cb, &is_over);
    while (!is_over)
        g_main_context_iteration (NULL, TRUE);
}

/* Only what the list does not know. */
static void
check_fill (DgUdisks *udisks)
{
    DgDrive drives[2] = { { .name = "sda1" }, { .name = "sdb", .model = "Known" } };
    DgTarget targets[2] = { { .mount_device = "sda1" },
                            { .mount_device = "sda1", .label = "Mine", .uuid = "5-6" } };
    DgTargetList list = { .drives = drives, .n_drives = 2, .targets = targets, .n_targets = 2 };

    dg_udisks_fill (NULL, &list);
    g_assert_null (targets[0].label);
    dg_udisks_fill (udisks, &list);
    g_assert_cmpstr (targets[0].label, ==, "KEEP�<b>");
    g_assert_cmpstr (targets[0].uuid, ==, "1234-ABCD");
    g_assert_cmpstr (targets[1].label, ==, "Mine");
    g_assert_cmpstr (targets[1].uuid, ==, "5-6");
    g_assert_cmpstr (drives[0].model, ==, "Portable SSD T7");
    g_assert_cmpstr (drives[0].vendor, ==, "Samsung");
    g_assert_true (drives[0].is_external);
    g_assert_cmpstr (drives[1].model, ==, "Known");
    g_assert_false (drives[1].is_external);
    free (targets[0].label);
    free (targets[0].uuid);
    free (drives[0].model);
    free (drives[0].vendor);
}

static void
test_lookup (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GDBusConnection) service = g_dbus_connection_new_for_address_sync (
        g_getenv ("DBUS_SYSTEM_BUS_ADDRESS"),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
        NULL, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (OBJECT_MANAGER, &error);
    g_assert_no_error (error);
    const GDBusInterfaceVTable table = { .method_call = call_cb };
    g_dbus_connection_register_object (service, "/org/freedesktop/UDisks2", info->interfaces[0],
                                       &table, NULL, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (GVariant) owned = g_dbus_connection_call_sync (
        service, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "RequestName", g_variant_new ("(su)", "org.freedesktop.UDisks2", 0), NULL,
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    g_assert_no_error (error);
    guint32 answer = 0;
    g_variant_get (owned, "(u)", &answer);
    g_assert_cmpuint (answer, ==, 1); /* the name is ours */

    g_autoptr (DgUdisks) udisks = dg_udisks_new ();
    DgUdisksBlock block;
    g_assert_true (wait_for_change (udisks, 5000));
    g_assert_true (dg_udisks_lookup (udisks, "sda1", &block));
    g_assert_cmpstr (block.label, ==, "KEEP�<b>");
    g_assert_cmpstr (block.uuid, ==, "1234-ABCD");
    g_assert_cmpstr (block.drive_model, ==, "Portable SSD T7");
    g_assert_cmpstr (block.drive_vendor, ==, "Samsung");
    g_assert_null (block.media);
    g_assert_cmpstr (block.connection_bus, ==, "usb");
    g_assert_cmpfloat_with_epsilon (block.celsius, 37, 0.001);
    dg_udisks_block_clear (&block);

    /* Nothing to tell, and a value of another type than it should be. */
    g_assert_true (dg_udisks_lookup (udisks, "sdb", &block));
    g_assert_null (block.label);
    g_assert_null (block.uuid);
    g_assert_null (block.drive_model);
    g_assert_true (isnan (block.celsius));
    dg_udisks_block_clear (&block);
    g_assert_false (dg_udisks_lookup (udisks, "sda", &block));
    check_fill (udisks);

    /* It goes away: so does all that it told. */
    g_dbus_connection_close_sync (service, NULL, NULL);
    while (dg_udisks_lookup (udisks, "sda1", &block)) {
        dg_udisks_block_clear (&block);
        g_assert_true (wait_for_change (udisks, 5000));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_autofree gchar *daemon = g_find_program_in_path ("dbus-daemon");
    if (daemon == NULL) {
        g_print ("1..0 # SKIP dbus-daemon is not installed\n");
        return 0;
    }
    g_autoptr (GTestDBus) bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (bus);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
    g_test_add_func ("/udisks/without", test_without);
    g_test_add_func ("/udisks/gone-early", test_gone_early);
    g_test_add_func ("/udisks/lookup", test_lookup);
    int status = g_test_run ();
    g_test_dbus_stop (bus);
    return status;
}
