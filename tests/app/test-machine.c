/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read of the machine: host, battery, temperature, identity, and the lock a drive. From
 * trees made here; on Windows there are none, and tests/windows/test-host.c asks the system. */
#include "app/core/drive-lock.h"
#include "app/core/host.h"
#include "app/core/identity.h"
#include "app/core/temperature.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static gchar *home;

static void
remove_tree (const gchar *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    const gchar *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *child = g_build_filename (path, name, NULL);
        if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
            remove_tree (child);
        else
            g_unlink (child);
    }
    g_rmdir (path);
}

#ifndef G_OS_WIN32

static gchar *
new_root (void)
{
    gchar *root = g_build_filename (home, "root", NULL);
    remove_tree (root);
    g_assert_cmpint (g_mkdir (root, 0700), ==, 0);
    return root;
}

static void
put (const gchar *root, const gchar *path, const gchar *content)
{
    g_autofree gchar *full = g_build_filename (root, path, NULL);
    g_autofree gchar *folder = g_path_get_dirname (full);
    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    g_assert_true (g_file_set_contents (full, content, -1, NULL));
}

static void
test_host (void)
{
    g_autofree gchar *root = new_root ();
    DgHost host;
    put (root, "etc/os-release",
         "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    put (root, "proc/cpuinfo",
         "processor\t: 0\nmodel name\t: AMD Ryzen 7 7700 8-Core Processor\nprocessor\t: 1\nmodel "
         "name\t: other\n");
    put (root, "proc/meminfo", "MemTotal:       32716320 kB\nMemFree: 1 kB\n");
    dg_host_read (root, &host);
    g_assert_cmpstr (host.os, ==, "Debian GNU/Linux 12 (bookworm)");
    g_assert_cmpstr (host.cpu, ==, "AMD Ryzen 7 7700 8-Core Processor");
    g_assert_cmpuint (host.memory_bytes, ==, G_GUINT64_CONSTANT (32716320) * 1024);
    g_assert_cmpuint (host.cpus, >=, 1);
    g_assert_nonnull (host.kernel);
    g_assert_cmpint (host.on_battery, ==, -1);
    dg_host_clear (&host);

    /* A sandbox's own os-release is not the host's. */
    put (root, "run/host/os-release", "PRETTY_NAME='Fedora Linux 41'\n");
    dg_host_read (root, &host);
    g_assert_cmpstr (host.os, ==, "Fedora Linux 41");
    dg_host_clear (&host);
}

static gint
battery (const gchar *root)
{
    DgHost host;
    dg_host_read (root, &host);
    gint on_battery = host.on_battery;
    dg_host_clear (&host);
    return on_battery;
}

static void
test_battery (void)
{
    g_autofree gchar *root = new_root ();
    put (root, "sys/class/power_supply/BAT0/type", "Battery\n");
    put (root, "sys/class/power_supply/BAT0/status", "Discharging\n");
    g_assert_cmpint (battery (root), ==, 1);
    put (root, "sys/class/power_supply/AC/type", "Mains\n");
    put (root, "sys/class/power_supply/AC/online", "0\n");
    g_assert_cmpint (battery (root), ==, 1);
    put (root, "sys/class/power_supply/AC/online", "1\n");
    g_assert_cmpint (battery (root), ==, 0);
    put (root, "sys/class/power_supply/BAT0/status", "Charging\n");
    put (root, "sys/class/power_supply/AC/online", "0\n");
    g_assert_cmpint (battery (root), ==, 0);
    /* A mouse's battery does not run the computer. */
    put (root, "sys/class/power_supply/hidpp_battery_0/type", "Battery\n");
    put (root, "sys/class/power_supply/hidpp_battery_0/status", "Discharging\n");
    put (root, "sys/class/power_supply/hidpp_battery_0/scope", "Device\n");
    g_assert_cmpint (battery (root), ==, 0);
}

static void
test_temperature (void)
{
    g_autofree gchar *root = new_root ();
    DgTemperature temperature = { 0 };
    put (root, "block/sda/device/model", "X");
    g_assert_false (dg_temperature_read (root, "sda", &temperature));

    put (root, "block/sda/device/hwmon/hwmon4/name", "drivetemp\n");
    put (root, "block/sda/device/hwmon/hwmon4/temp1_input", "34000\n");
    put (root, "block/sda/device/hwmon/hwmon4/temp1_max", "60000\n");
    put (root, "block/sda/device/hwmon/hwmon4/temp1_crit", "70000\n");
    g_assert_true (dg_temperature_read (root, "sda", &temperature));
    g_assert_cmpstr (temperature.sensor, ==, "drivetemp");
    g_assert_cmpfloat (temperature.celsius, ==, 34.0);
    g_assert_cmpfloat (temperature.limit_celsius, ==, 60.0);
    dg_temperature_clear (&temperature);

    put (root, "block/nvme0n1/device/hwmon2/name", "nvme\n");
    put (root, "block/nvme0n1/device/hwmon2/temp1_input", "51850\n");
    put (root, "block/nvme0n1/device/hwmon2/temp1_max", "-273150\n");
    put (root, "block/nvme0n1/device/hwmon2/temp1_crit", "84850\n");
    g_assert_true (dg_temperature_read (root, "nvme0n1", &temperature));
    g_assert_cmpfloat_with_epsilon (temperature.celsius, 51.85, 1e-9);
    g_assert_cmpfloat_with_epsilon (temperature.limit_celsius, 84.85, 1e-9);
    dg_temperature_clear (&temperature);

    /* Under a subsystem of several paths, and without any limit. */
    put (root, "block/nvme1n1/device/nvme1/hwmon7/name", "nvme\n");
    put (root, "block/nvme1n1/device/nvme1/hwmon7/temp1_input", "40000\n");
    g_assert_true (dg_temperature_read (root, "nvme1n1", &temperature));
    g_assert_true (isnan (temperature.limit_celsius));
    dg_temperature_clear (&temperature);

    put (root, "block/sdb/device/hwmon/hwmon1/name", "something\n");
    put (root, "block/sdb/device/hwmon/hwmon1/temp1_input", "40000\n");
    g_assert_false (dg_temperature_read (root, "sdb", &temperature));
    put (root, "block/sdc/device/hwmon/hwmon1/name", "drivetemp\n");
    put (root, "block/sdc/device/hwmon/hwmon1/temp1_input", "cold\n");
    g_assert_false (dg_temperature_read (root, "sdc", &temperature));
    g_assert_false (dg_temperature_read (root, "../sda", &temperature));
}

#endif

static void
test_identity (void)
{
    g_autofree gchar *one = dg_identity_dup ("Model", "123"),
                     *same = dg_identity_dup ("Model", "123"),
                     *other = dg_identity_dup ("Model", "124");
    g_autofree gchar *joined = dg_identity_dup ("Model1", "23"),
                     *nameless = dg_identity_dup (NULL, "123");
    g_assert_cmpuint (strlen (one), ==, 32);
    g_assert_cmpstr (one, ==, same);
    g_assert_cmpstr (one, !=, other);
    g_assert_cmpstr (one, !=, joined);
    g_assert_nonnull (nameless);
    g_assert_null (dg_identity_dup ("Model", NULL));
    g_assert_null (dg_identity_dup ("Model", ""));
}

static void
test_lock (void)
{
    g_autofree gchar *runtime = g_build_filename (home, "run", NULL);
    g_mkdir (runtime, 0700);
    g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
    DgDriveLock *one = dg_drive_lock_take ("dg-test-no-drive"),
                *elsewhere = dg_drive_lock_take ("dg-test-elsewhere");
    g_assert_nonnull (one);
    g_assert_false (dg_drive_lock_was_shared (one));
    g_assert_false (dg_drive_lock_was_shared (elsewhere));
    DgDriveLock *other = dg_drive_lock_take ("dg-test-no-drive");
    g_assert_true (dg_drive_lock_was_shared (other));
    g_assert_true (dg_drive_lock_was_shared (one));
    dg_drive_lock_release (other);
    /* It was, and that is remembered; a new one is alone again. */
    g_assert_true (dg_drive_lock_was_shared (one));
    dg_drive_lock_release (one);
    one = dg_drive_lock_take ("dg-test-no-drive");
    g_assert_false (dg_drive_lock_was_shared (one));
    dg_drive_lock_release (one);
    dg_drive_lock_release (elsewhere);

    /* A name is never a path, and a folder that cannot be had harms nothing. */
    DgDriveLock *odd = dg_drive_lock_take ("../../../tmp/x");
    g_assert_nonnull (odd);
    dg_drive_lock_release (odd);
    g_autofree gchar *nowhere = g_build_filename (home, "nowhere", "run", NULL);
    g_setenv ("XDG_RUNTIME_DIR", nowhere, TRUE);
    DgDriveLock *fallback = dg_drive_lock_take ("dg-test-no-drive");
    g_assert_nonnull (fallback);
    dg_drive_lock_release (fallback);
    dg_drive_lock_release (NULL);
    g_assert_false (dg_drive_lock_was_shared (NULL));
}

#ifndef G_OS_WIN32

/* One lock a drive, whoever takes it: here this user's folder is another one the second time, as
 * another user's would be. */
static void
test_lock_of_users (void)
{
    g_autoptr (GDir) dir = g_dir_open ("/sys/block", 0, NULL);
    g_autofree gchar *name = NULL, *other_folder = g_build_filename (home, "other", NULL);
    const gchar *entry;
    while (dir != NULL && name == NULL && (entry = g_dir_read_name (dir)) != NULL)
        if (g_str_has_prefix (entry, "loop") || g_str_has_prefix (entry, "ram"))
            name = g_strdup (entry);
    if (name == NULL) {
        g_test_skip ("no drive that nobody measures");
        return;
    }
    DgDriveLock *one = dg_drive_lock_take (name);
    g_mkdir (other_folder, 0700);
    g_setenv ("XDG_RUNTIME_DIR", other_folder, TRUE);
    DgDriveLock *other = dg_drive_lock_take (name);
    g_assert_true (dg_drive_lock_was_shared (other));
    g_assert_true (dg_drive_lock_was_shared (one));
    dg_drive_lock_release (one);
    dg_drive_lock_release (other);
    g_autoptr (GDir) left = g_dir_open (other_folder, 0, NULL);
    g_assert_null (g_dir_read_name (left));
}

#endif

int
main (int argc, char **argv)
{
    home = g_dir_make_tmp ("dg-machine-XXXXXX", NULL);
    g_setenv ("TMPDIR", home, TRUE);
    g_test_init (&argc, &argv, NULL);
#ifndef G_OS_WIN32
    g_test_add_func ("/machine/host", test_host);
    g_test_add_func ("/machine/battery", test_battery);
    g_test_add_func ("/machine/temperature", test_temperature);
#endif
    g_test_add_func ("/machine/identity", test_identity);
    g_test_add_func ("/machine/lock", test_lock);
#ifndef G_OS_WIN32
    g_test_add_func ("/machine/lock-of-users", test_lock_of_users);
#endif
    int status = g_test_run ();
    remove_tree (home);
    g_free (home);
    return status;
}
