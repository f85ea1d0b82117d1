/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/plan-menus.h"

#include <glib/gi18n.h>

#define MIB (G_GUINT64_CONSTANT (1) << 20)

static const guint64 sizes_mib[] = { 64, 256, 1024, 4096, 16384, 65536 };
static const gchar *const unit_ids[] = { "mb", "gb", "mib", "iops", "us" };

const gchar *
dg_plan_menu_label (DgPlanMenu menu)
{
    switch (menu) {
    case DG_PLAN_PROFILE:
        return _ ("_Profile");
    case DG_PLAN_RUNS:
        return _ ("_Runs");
    case DG_PLAN_SIZE:
        return _ ("Si_ze");
    case DG_PLAN_UNIT:
        return _ ("_Unit");
    default:
        return _ ("_Mix");
    }
}

static void
append (GMenu *menu, const gchar *label, const gchar *action, const gchar *target)
{
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, action, target ? "s" : NULL, target);
    g_menu_append_item (menu, item);
}

/* In a menu one underscore marks a key. */
static void
append_title (GMenu *menu, const gchar *title, const gchar *action, const gchar *target)
{
    g_auto (GStrv) parts = g_strsplit (title, "_", -1);
    g_autofree gchar *label = g_strjoinv ("__", parts);
    append (menu, label, action, target);
}

static GMenu *
append_section (GMenu *menu)
{
    g_autoptr (GMenu) section = g_menu_new ();
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
    return section; /* kept by the menu */
}

static void
fill_profiles (GMenu *menu)
{
    guint n;
    const DgProfile *const *builtin = dg_profiles_builtin (&n);
    g_autoptr (GPtrArray) own = dg_profiles_load_own ();
    GMenu *section = append_section (menu);
    for (guint i = 0; i < n; i++)
        append (section, builtin[i]->title, "win.profile", builtin[i]->id);
    if (own->len > 0)
        section = append_section (menu);
    for (guint i = 0; i < own->len; i++) {
        const DgProfile *profile = g_ptr_array_index (own, i);
        append_title (section, profile->title, "win.profile", profile->id);
    }
    section = append_section (menu);
    append (section, _ ("With a mix of reads and writes"), "win.with-mix", NULL);
    section = append_section (menu);
    append (section, _ ("Queues and threads…"), "win.queues", NULL);
    append (section, _ ("Measuring…"), "win.measuring", NULL);
}

static void
fill_runs (GMenu *menu)
{
    append (menu, _ ("auto: until three agree"), "win.runs", "0");
    for (guint i = 1; i <= 9; i++) {
        g_autofree gchar *text = g_strdup_printf ("%u", i);
        append (menu, text, "win.runs", text);
    }
}

static void
fill_sizes (GMenu *menu)
{
    GMenu *section = append_section (menu);
    for (guint i = 0; i < G_N_ELEMENTS (sizes_mib); i++) {
        g_autofree gchar *label = dg_number_file_size (sizes_mib[i] * MIB, DG_FOR_WINDOW);
        g_autofree gchar *target = g_strdup_printf ("%" G_GUINT64_FORMAT, sizes_mib[i] * MIB);
        append (section, label, "win.size", target);
    }
    section = append_section (menu);
    append (section, _ ("Another size…"), "win.other-size", NULL);
}

static void
fill_mix (GMenu *menu)
{
    GMenu *section = append_section (menu);
    for (guint read = 90; read >= 10; read -= 10) {
        g_autofree gchar *target = g_strdup_printf ("%u", read);
        /* Translators: percent of reads and of writes in a mix. */
        g_autofree gchar *label = g_strdup_printf (_ ("%u %% read, %u %% write"), read, 100 - read);
        append (section, label, "win.mix", target);
    }
    section = append_section (menu);
    append (section, _ ("No mix"), "win.no-mix", NULL);
}

GMenuModel *
dg_plan_menu_new (DgPlanMenu which)
{
    GMenu *menu = g_menu_new ();
    switch (which) {
    case DG_PLAN_PROFILE:
        fill_profiles (menu);
        break;
    case DG_PLAN_RUNS:
        fill_runs (menu);
        break;
    case DG_PLAN_SIZE:
        fill_sizes (menu);
        break;
    case DG_PLAN_UNIT:
        for (guint i = 0; i < G_N_ELEMENTS (unit_ids); i++)
            append (menu, dg_unit_name ((DgUnit) i), "win.unit", unit_ids[i]);
        break;
    default:
        fill_mix (menu);
    }
    return G_MENU_MODEL (menu);
}

gchar *
dg_plan_menu_dup_value (DgPlanMenu menu, DgSession *session)
{
    const DgOptions *options = dg_session_get_options (session);
    switch (menu) {
    case DG_PLAN_PROFILE:
        if (options->directions[DG_DIRECTION_MIX])
            /* Translators: %s is the name of a profile, measured with a mix of reads and writes
             * too. */
            return g_strdup_printf (_ ("%s + mix"), options->profile->title);
        return g_strdup (options->profile->title);
    case DG_PLAN_RUNS:
        return options->runs ? g_strdup_printf ("%u", options->runs) : g_strdup (_ ("auto"));
    case DG_PLAN_SIZE:
        return dg_number_file_size (options->size_bytes, DG_FOR_WINDOW);
    case DG_PLAN_UNIT:
        return g_strdup (dg_unit_name (dg_session_get_unit (session)));
    default:
        /* Translators: the percentage of reads in a mix. */
        return g_strdup_printf (_ ("%u %% read"), options->mix_read_percent);
    }
}

gboolean
dg_plan_menu_is_shown (DgPlanMenu menu, DgSession *session)
{
    return menu != DG_PLAN_MIX || dg_session_get_options (session)->directions[DG_DIRECTION_MIX];
}

/* ---- actions ---- */

static void
profile_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    DgSession *session = data;
    DgOptions *options = dg_session_get_options (session);
    g_autoptr (DgProfile) profile = dg_profile_find (g_variant_get_string (value, NULL));
    if (!profile)
        return;
    dg_options_set_profile (options, profile);
    dg_session_options_changed (session);
}

static void
runs_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    guint64 runs;
    if (!g_ascii_string_to_unsigned (g_variant_get_string (value, NULL), 10, 0, 9, &runs, NULL))
        return;
    dg_session_get_options (data)->runs = (guint) runs;
    dg_session_options_changed (data);
}

static void
size_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    guint64 bytes;
    if (!g_ascii_string_to_unsigned (g_variant_get_string (value, NULL), 10, MIB, MIB << 24, &bytes,
                                     NULL))
        return;
    dg_session_get_options (data)->size_bytes = bytes;
    dg_session_options_changed (data);
}

static void
unit_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    for (guint i = 0; i < G_N_ELEMENTS (unit_ids); i++)
        if (g_str_equal (unit_ids[i], g_variant_get_string (value, NULL)))
            dg_session_set_unit (data, (DgUnit) i);
}

static void
mix_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    guint64 read;
    if (!g_ascii_string_to_unsigned (g_variant_get_string (value, NULL), 10, 1, 99, &read, NULL))
        return;
    dg_session_get_options (data)->mix_read_percent = (guint) read;
    dg_session_options_changed (data);
}

static void
with_mix_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    DgOptions *options = dg_session_get_options (data);
    options->directions[DG_DIRECTION_MIX] = g_variant_get_boolean (value);
    /* A plan without any direction is none. */
    if (!options->directions[DG_DIRECTION_MIX] && !options->directions[DG_DIRECTION_READ]
        && !options->directions[DG_DIRECTION_WRITE])
        options->directions[DG_DIRECTION_READ] = TRUE;
    dg_session_options_changed (data);
}

/* A command, not the state "with-mix" upside down: that would be ticked while there is a mix. */
static void
no_mix_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
    g_autoptr (GVariant) off = g_variant_ref_sink (g_variant_new_boolean (FALSE));
    with_mix_cb (NULL, off, data);
}

static void
directions_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    DgOptions *options = dg_session_get_options (data);
    const gchar *which = g_variant_get_string (value, NULL);
    options->directions[DG_DIRECTION_READ] = !g_str_equal (which, "write");
    options->directions[DG_DIRECTION_WRITE] = !g_str_equal (which, "read");
    dg_session_options_changed (data);
}

static void
data_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    dg_session_get_options (data)->data =
        g_str_equal (g_variant_get_string (value, NULL), "zero") ? DG_DATA_ZERO : DG_DATA_RANDOM;
    dg_session_options_changed (data);
}

static void
like_cdm_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    dg_options_like_cdm (dg_session_get_options (data));
    dg_session_options_changed (data);
}

static void
defaults_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
    DgOptions *options = dg_session_get_options (data);
    dg_options_clear (options);
    dg_options_init (options);
    dg_session_options_changed (data);
}

static void
set_state (GActionMap *map, const gchar *name, GVariant *state)
{
    g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), state);
}

static void
session_cb (DgSession *session, GActionMap *map)
{
    static const gchar *const names[] = { "profile", "runs",       "size", "mix",      "with-mix",
                                          "no-mix",  "directions", "data", "like-cdm", "defaults" };
    const DgOptions *options = dg_session_get_options (session);
    g_autofree gchar *runs = g_strdup_printf ("%u", options->runs);
    g_autofree gchar *size = g_strdup_printf ("%" G_GUINT64_FORMAT, options->size_bytes);
    g_autofree gchar *mix = g_strdup_printf ("%u", options->mix_read_percent);
    set_state (map, "profile", g_variant_new_string (options->profile->id));
    set_state (map, "runs", g_variant_new_string (runs));
    set_state (map, "size", g_variant_new_string (size));
    set_state (map, "mix", g_variant_new_string (mix));
    set_state (map, "unit", g_variant_new_string (unit_ids[dg_session_get_unit (session)]));
    set_state (map, "with-mix", g_variant_new_boolean (options->directions[DG_DIRECTION_MIX]));
    set_state (map, "directions",
               g_variant_new_string (!options->directions[DG_DIRECTION_WRITE]  ? "read"
                                     : !options->directions[DG_DIRECTION_READ] ? "write"
                                                                               : "both"));
    set_state (map, "data",
               g_variant_new_string (options->data == DG_DATA_ZERO ? "zero" : "random"));
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, names[i])),
                                     !dg_session_is_running (session));
}

void
dg_plan_menus_add_actions (GActionMap *map, DgSession *session)
{
    static const GActionEntry entries[] = {
        { "profile", NULL, "s", "'default'", profile_cb, { 0 } },
        { "runs", NULL, "s", "'0'", runs_cb, { 0 } },
        { "size", NULL, "s", "'0'", size_cb, { 0 } },
        { "unit", NULL, "s", "'mb'", unit_cb, { 0 } },
        { "mix", NULL, "s", "'70'", mix_cb, { 0 } },
        { "with-mix", NULL, NULL, "false", with_mix_cb, { 0 } },
        { "no-mix", no_mix_cb, NULL, NULL, NULL, { 0 } },
        { "directions", NULL, "s", "'both'", directions_cb, { 0 } },
        { "data", NULL, "s", "'random'", data_cb, { 0 } },
        { "like-cdm", like_cdm_cb, NULL, NULL, NULL, { 0 } },
        { "defaults", defaults_cb, NULL, NULL, NULL, { 0 } },
    };
    g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), session);
    g_signal_connect_object (session, "options-changed", G_CALLBACK (session_cb), map, 0);
    g_signal_connect_object (session, "running-changed", G_CALLBACK (session_cb), map, 0);
    session_cb (session, map);
}
