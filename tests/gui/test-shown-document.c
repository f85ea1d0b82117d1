/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session behind the window: which document is on show, and whether its figures are still those
 * of the chosen target and plan. */
#include "app/core/identity.h"
#include "app/core/library.h"
#include "app/gui/page-foot.h"
#include "app/gui/plan-menus.h"
#include "app/report/drawing.h"
#include "tests/gui/sample.h"

#include <gtk/gtk.h>

static void
test_saved_document (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    g_autoptr (DgDocument) document = load_sample ();
    wait_for_targets (session);
    dg_session_show_saved (session, document, FALSE);
    g_assert_true (dg_session_is_saved (session));
    g_assert_false (dg_session_is_earlier (session));
    g_assert_true (dg_session_get_document (session) == document);
    /* a foreign file is not changed */
    g_assert_false (dg_session_can_comment (session));
    gboolean columns[3];
    dg_session_get_columns (session, columns);
    g_assert_true (columns[0] && columns[1] && !columns[2]);
    g_assert_cmpuint (dg_session_get_profile (session)->n_tests, ==, 4);
    dg_session_close_saved (session);
    g_assert_null (dg_session_get_document (session));
}

/* Tests of kinds that a later version knows are named, never drawn as figures of speed; and a test
 * that another program gave another name has its cell. */
static void
test_unknown_kind (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    g_autoptr (DgDocument) sample = load_sample ();
    json_t *root = json_deep_copy (dg_document_json (sample));
    json_t *tests = json_object_get (root, "tests");
    json_array_append_new (tests, json_pack ("{s:s, s:s, s:s, s:n, s:n}", "kind", "sweep", "name",
                                             "Blocks 4K to 1M", "state", "done", "block_size_bytes",
                                             "queue_depth"));
    json_object_set_new (json_array_get (tests, 0), "name", json_string ("Read of another kind"));
    g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
    const DgDocView *view = dg_document_view (document);
    wait_for_targets (session);
    dg_session_show_saved (session, document, FALSE);
    const DgProfile *profile = dg_session_get_profile (session);
    g_assert_cmpuint (profile->n_rows, ==, 4);
    gboolean columns[3];
    dg_session_get_columns (session, columns);
    g_assert_false (columns[DG_DIRECTION_MIX]);
    g_autofree gchar *text = dg_page_foot_dup_saved_text (session);
    g_assert_nonnull (strstr (text, "Blocks 4K to 1M"));
    g_assert_null (strstr (text, "rows are shown"));
    const DgTestSpec spec = { view->tests[0].access, view->tests[0].block_size_bytes,
                              (guint) view->tests[0].queue_depth, (guint) view->tests[0].threads };
    g_assert_cmpint (dg_view_find_spec (view, &spec, view->tests[0].direction), ==, 0);
    json_decref (root);
}

static void
test_earlier (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    DgOptions *options = dg_session_get_options (session);
    wait_for_targets (session);
    session->document = load_sample ();
    dg_options_copy (options, &session->used);
    session->has_used = TRUE;
    session->used_target = dg__session_dup_target_key (session);
    session->used_conditions = dg__session_dup_conditions (session);
    g_assert_false (dg_session_is_earlier (session));

    guint64 size = options->size_bytes;
    options->size_bytes = size * 2;
    g_assert_true (dg_session_is_earlier (session));
    options->size_bytes = size;
    g_assert_false (dg_session_is_earlier (session));

    options->data = DG_DATA_ZERO;
    g_assert_true (dg_session_is_earlier (session));
    options->data = DG_DATA_RANDOM;

    /* the number of runs does not make the figures those of another plan */
    options->runs = options->runs == 5 ? 3 : 5;
    g_assert_false (dg_session_is_earlier (session));

    g_autoptr (DgProfile) demo = dg_profile_find ("demo");
    dg_options_set_profile (options, demo);
    g_assert_true (dg_session_is_earlier (session));
}

/* A target list of one file system on one drive, as long as the process lives. */
static DgTargetSet *
set_on_link (DgLink *link)
{
    DgTargetList *list = calloc (1, sizeof *list);
    list->drives = calloc (1, sizeof *list->drives);
    list->targets = calloc (1, sizeof *list->targets);
    list->n_drives = list->n_targets = 1;
    list->drives[0] = (DgDrive){ .name = strdup ("sdx"), .model = strdup ("Stick"), .link = link };
    list->targets[0] = (DgTarget){ .mount = strdup ("/media/u/STICK"),
                                   .folder = strdup ("/media/u/STICK"),
                                   .uuid = strdup ("1234-5678"),
                                   .n_drives = 1,
                                   .drives = calloc (1, sizeof (uint32_t)),
                                   .use = DG_TARGET_USABLE };
    return dg_target_set_new (list);
}

static DgLink *
new_link (guint64 bits_per_s)
{
    DgLink *link = calloc (1, sizeof *link);
    link->kind = DG_LINK_USB;
    link->speed_bits_per_s = link->narrowest_bits_per_s = bits_per_s;
    return link;
}

/* Pulled out and plugged into another port, its figures are no longer those of the target. */
static void
test_another_port (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    wait_for_targets (session);
    g_clear_pointer (&session->targets, dg_target_set_unref);
    g_clear_pointer (&session->own, dg_target_set_unref);
    session->targets = set_on_link (new_link (10000000000));
    session->target = 0;
    session->document = load_sample ();
    dg_options_copy (dg_session_get_options (session), &session->used);
    session->has_used = TRUE;
    session->used_target = dg__session_dup_target_key (session);
    session->used_conditions = dg__session_dup_conditions (session);
    g_assert_false (dg_session_is_earlier (session));
    g_assert_true (dg__session_is_of_target (session));

    g_clear_pointer (&session->targets, dg_target_set_unref);
    session->targets = set_on_link (new_link (480000000));
    g_assert_true (dg_session_is_earlier (session));
    g_assert_false (dg__session_is_of_target (session));

    g_clear_pointer (&session->targets, dg_target_set_unref);
    session->targets = set_on_link (new_link (10000000000));
    g_assert_false (dg_session_is_earlier (session));
    g_assert_true (dg__session_is_of_target (session));
}

/* The answer about a drive that is not chosen any more. */
static void
test_last_of_another (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    g_autoptr (DgDocument) sample = load_sample ();
    wait_for_targets (session);
    g_clear_pointer (&session->targets, dg_target_set_unref);
    session->targets = set_on_link (new_link (480000000));
    session->target = 0;
    session->targets->list->drives[0].serial = strdup ("4711");
    g_autofree gchar *identity = dg_identity_dup ("Stick", "4711");
    json_t *root = json_deep_copy (dg_document_json (sample));
    json_object_set_new (
        json_object_get (json_array_get (json_object_get (root, "targets"), 0), "drive"),
        "identity", json_string (identity));
    g_autoptr (DgDocument) document = dg_document_new_from_json (root, NULL);
    json_decref (root);
    g_assert_true (dg_library_save (document, NULL));

    dg__session_look_for_last (session);
    gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
    while (!session->last && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
    g_assert_nonnull (session->last);
    dg__session_look_for_last (session);
    while (session->last_timeout) /* it begins a moment later */
        g_main_context_iteration (NULL, TRUE);
    session->target = -1;
    dg__session_look_for_last (session);
    spin (500);
    g_assert_null (session->last);
    g_assert_true (dg_library_delete (dg_document_view (document)->id, NULL));
}

static void
count_cb (DgSession *session, guint *count)
{
    (*count)++;
}

/* (transfer full) (nullable) Of a menu's item, in whatever section. */
static gchar *
find_action (GMenuModel *menu, const gchar *label)
{
    for (gint i = 0; i < g_menu_model_get_n_items (menu); i++) {
        g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
        g_autofree gchar *own = NULL;
        gchar *action = section ? find_action (section, label) : NULL;
        if (action)
            return action;
        if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &own)
            && g_str_equal (own, label)
            && g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
            return action;
    }
    return NULL;
}

static gchar *
action_of (DgPlanMenu which, const gchar *label)
{
    g_autoptr (GMenuModel) menu = dg_plan_menu_new (which);
    return find_action (menu, label);
}

static void
test_actions (void)
{
    g_autoptr (DgSession) session = dg_session_new ();
    g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
    GActionGroup *group = G_ACTION_GROUP (actions);
    DgOptions *options = dg_session_get_options (session);
    guint changes = 0;
    dg_plan_menus_add_actions (G_ACTION_MAP (actions), session);
    g_signal_connect (session, "options-changed", G_CALLBACK (count_cb), &changes);

    g_action_group_activate_action (group, "runs", g_variant_new_string ("7"));
    g_assert_cmpuint (options->runs, ==, 7);
    g_action_group_activate_action (group, "runs", g_variant_new_string ("10"));
    g_assert_cmpuint (options->runs, ==, 7);
    g_action_group_activate_action (group, "size", g_variant_new_string ("268435456"));
    g_assert_cmpuint (options->size_bytes, ==, 268435456);
    g_action_group_activate_action (group, "profile", g_variant_new_string ("peak"));
    g_assert_cmpstr (options->profile->id, ==, "peak");
    g_action_group_activate_action (group, "with-mix", NULL);
    g_assert_true (options->directions[DG_DIRECTION_MIX]);
    g_autofree gchar *mixed = dg_plan_menu_dup_value (DG_PLAN_PROFILE, session);
    g_assert_cmpstr (mixed, ==, "Peak + mix");
    g_action_group_activate_action (group, "mix", g_variant_new_string ("30"));
    g_assert_cmpuint (options->mix_read_percent, ==, 30);
    /* "No mix" is no box that is ticked while there is one */
    g_autofree gchar *off = action_of (DG_PLAN_MIX, "No mix");
    g_assert_cmpstr (off, ==, "win.no-mix");
    g_assert_null (g_action_group_get_action_state (group, "no-mix"));
    g_action_group_activate_action (group, "no-mix", NULL);
    g_assert_false (options->directions[DG_DIRECTION_MIX]);
    g_action_group_activate_action (group, "with-mix", NULL);
    g_assert_true (options->directions[DG_DIRECTION_MIX]);
    g_action_group_activate_action (group, "directions", g_variant_new_string ("write"));
    g_assert_false (options->directions[DG_DIRECTION_READ]);
    g_action_group_activate_action (group, "like-cdm", NULL);
    g_assert_true (options->statistic_best);
    g_assert_cmpuint (options->runs, ==, 5);
    g_assert_cmpuint (options->duration_ns, ==, G_GUINT64_CONSTANT (5000000000));
    g_action_group_activate_action (group, "defaults", NULL);
    g_assert_cmpuint (options->runs, ==, 0);
    g_assert_false (options->directions[DG_DIRECTION_MIX]);
    g_assert_cmpuint (changes, >=, 8);

    g_autoptr (GVariant) state = g_action_group_get_action_state (group, "profile");
    g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "default");
}

int
main (int argc, char **argv)
{
    use_scratch_folders ();
    gtk_test_init (&argc, &argv, NULL);
    g_test_add_func ("/gui/session/saved", test_saved_document);
    g_test_add_func ("/gui/session/unknown-kind", test_unknown_kind);
    g_test_add_func ("/gui/session/earlier", test_earlier);
    g_test_add_func ("/gui/session/another-port", test_another_port);
    g_test_add_func ("/gui/session/last-of-another", test_last_of_another);
    g_test_add_func ("/gui/session/actions", test_actions);
    return g_test_run ();
}
