/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/host.h"

#include "app/core/numbers.h"

#include <string.h>
#include <sys/utsname.h>

static gchar *
read_file (const gchar *root, const gchar *path)
{
    g_autofree gchar *full = g_build_filename (root == NULL ? "/" : root, path, NULL);
    gchar *content = NULL;
    return g_file_get_contents (full, &content, NULL, NULL) ? g_strchomp (content) : NULL;
}

/* The value of the first line `key`, `separator`, value. */
static gchar *
find_value (const gchar *text, const gchar *key, gchar separator)
{
    g_auto (GStrv) lines = g_strsplit (text == NULL ? "" : text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        gchar *end = strchr (lines[i], separator);
        if (end == NULL)
            continue;
        *end = '\0';
        if (strcmp (g_strstrip (lines[i]), key) == 0)
            return g_strdup (g_strstrip (end + 1));
    }
    return NULL;
}

/* os-release(5): PRETTY_NAME, shell quoted. Inside a sandbox the host's own stands in /run/host. */
static gchar *
read_os (const gchar *root)
{
    static const gchar *const paths[] = { "run/host/os-release", "etc/os-release",
                                          "usr/lib/os-release" };
    for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
        g_autofree gchar *content = read_file (root, paths[i]);
        g_autofree gchar *quoted = find_value (content, "PRETTY_NAME", '=');
        if (quoted == NULL)
            continue;
        g_autofree gchar *plain = g_shell_unquote (quoted, NULL);
        return dg_text_sanitize (plain == NULL ? quoted : plain);
    }
    return g_strdup ("Linux");
}

static gchar *
read_cpu (const gchar *root)
{
    g_autofree gchar *content = read_file (root, "proc/cpuinfo");
    static const gchar *const keys[] = { "model name", "Hardware", "Model" };
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
        g_autofree gchar *value = find_value (content, keys[i], ':');
        if (value != NULL && value[0] != '\0')
            return dg_text_sanitize (value);
    }
    return NULL;
}

static guint64
read_memory (const gchar *root)
{
    g_autofree gchar *content = read_file (root, "proc/meminfo");
    g_autofree gchar *value = find_value (content, "MemTotal", ':');
    return value == NULL ? 0 : g_ascii_strtoull (value, NULL, 10) * 1024u;
}

/* Documentation/ABI/testing/sysfs-class-power: a battery that is discharging while no mains supply
 * is online. The battery of a mouse or a headset has the scope "Device". */
static gint
read_on_battery (const gchar *root)
{
    g_autofree gchar *folder =
        g_build_filename (root == NULL ? "/" : root, "sys/class/power_supply", NULL);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    if (dir == NULL)
        return -1;
    gboolean mains_online = FALSE, discharging = FALSE;
    const gchar *name;
    while ((name = g_dir_read_name (dir)) != NULL) {
        g_autofree gchar *base = g_build_filename ("sys/class/power_supply", name, NULL);
        g_autofree gchar *type_path = g_build_filename (base, "type", NULL);
        g_autofree gchar *status_path = g_build_filename (base, "status", NULL);
        g_autofree gchar *online_path = g_build_filename (base, "online", NULL);
        g_autofree gchar *scope_path = g_build_filename (base, "scope", NULL);
        g_autofree gchar *type = read_file (root, type_path);
        g_autofree gchar *status = read_file (root, status_path);
        g_autofree gchar *online = read_file (root, online_path);
        g_autofree gchar *scope = read_file (root, scope_path);
        if (g_strcmp0 (scope, "Device") == 0)
            continue;
        if (g_strcmp0 (type, "Battery") == 0)
            discharging |= g_strcmp0 (status, "Discharging") == 0;
        else
            mains_online |= g_strcmp0 (online, "1") == 0;
    }
    return discharging && !mains_online ? 1 : 0;
}

void
dg_host_read (const gchar *root, DgHost *ret_host)
{
    struct utsname names;
    ret_host->os = read_os (root);
    ret_host->kernel = uname (&names) == 0 ? dg_text_sanitize (names.release) : NULL;
    ret_host->cpu = read_cpu (root);
    ret_host->cpus = g_get_num_processors ();
    ret_host->memory_bytes = read_memory (root);
    ret_host->on_battery = read_on_battery (root);
}

void
dg_host_clear (DgHost *host)
{
    g_clear_pointer (&host->os, g_free);
    g_clear_pointer (&host->kernel, g_free);
    g_clear_pointer (&host->cpu, g_free);
}
