/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/wanted-target.h"

#include "app/core/settings.h"

void
dg_wanted_target_clear (DgWantedTarget *wanted)
{
    g_free (wanted->key);
    g_free (wanted->mount);
    g_free (wanted->folder);
    g_free (wanted->title);
    *wanted = (DgWantedTarget){ 0 };
}

static const gchar *
key_of (const DgTarget *target)
{
    return target->uuid && *target->uuid ? target->uuid : target->mount;
}

void
dg_wanted_target_set (DgWantedTarget *wanted, const DgTargetSet *set, guint index,
                      gboolean with_folder)
{
    const DgTarget *target = &set->list->targets[index];
    dg_wanted_target_clear (wanted);
    wanted->key = g_strdup (key_of (target));
    wanted->mount = g_strdup (target->mount);
    wanted->folder = with_folder ? g_strdup (target->folder) : NULL;
    wanted->title = dg_target_set_dup_title (set, index);
}

void
dg_wanted_target_load (DgWantedTarget *wanted)
{
    const DgSettings *settings = dg_settings_get ();
    dg_wanted_target_clear (wanted);
    wanted->key = g_strdup (settings->target_uuid);
    wanted->folder = g_strdup (settings->target_folder);
    wanted->title = dg_text_sanitize (settings->target_name);
    wanted->is_of_last_time = TRUE;
}

void
dg_wanted_target_store (const DgWantedTarget *wanted)
{
    DgSettings *settings = dg_settings_get ();
    g_free (settings->target_uuid);
    g_free (settings->target_folder);
    g_free (settings->target_name);
    settings->target_uuid = g_strdup (wanted->key);
    settings->target_folder = g_strdup (wanted->folder);
    settings->target_name = g_strdup (wanted->title);
    dg_settings_changed ();
}

gboolean
dg_wanted_target_is (const DgWantedTarget *wanted, const DgTarget *target)
{
    return wanted->key && target->mount && g_strcmp0 (wanted->key, key_of (target)) == 0;
}

gint
dg_wanted_target_find (const DgWantedTarget *wanted, const DgTargetSet *set)
{
    gint found = -1;
    for (guint i = 0; i < set->list->n_targets; i++) {
        const DgTarget *target = &set->list->targets[i];
        if (!dg_wanted_target_is (wanted, target))
            continue;
        if (g_strcmp0 (wanted->mount, target->mount) == 0)
            return (gint) i;
        if (found < 0)
            found = (gint) i;
    }
    return found;
}
