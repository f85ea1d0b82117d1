/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdlib.h>

static gchar *scratch_folder;

static inline void
remove_scratch_folder (void)
{
    g_autofree gchar *command = g_strdup_printf ("rm -rf '%s'", scratch_folder);
    g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
    g_clear_pointer (&scratch_folder, g_free);
}

/* Settings and results of the test's own, before anything reads the user's; gone when it ends. */
static inline void
use_scratch_folders (void)
{
    scratch_folder = g_dir_make_tmp ("drivegauge-gui-test-XXXXXX", NULL);
    g_assert_nonnull (scratch_folder);
    g_setenv ("XDG_CONFIG_HOME", scratch_folder, TRUE);
    g_setenv ("XDG_DATA_HOME", scratch_folder, TRUE);
    g_setenv ("XDG_CACHE_HOME", scratch_folder, TRUE);
    atexit (remove_scratch_folder);
}
