/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of widgets and of the session need alike. */
#pragma once

#include "app/gui/session-private.h"
#include "tests/gui/scratch.h"

static inline DgDocument *
load_sample (void)
{
    g_autofree gchar *path =
        g_test_build_filename (G_TEST_DIST, "..", "app", "documents", "t7.json", NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autoptr (GError) error = NULL;
    DgDocument *document = dg_document_load (file, &error);
    g_assert_no_error (error);
    return document;
}

static inline void
spin (guint ms)
{
    gint64 end = g_get_monotonic_time () + ms * 1000;
    while (g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
}

static inline void
wait_for_targets (DgSession *session)
{
    gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
    while (!dg_session_get_targets (session) && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
    g_assert_nonnull (dg_session_get_targets (session));
}
