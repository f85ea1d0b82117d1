/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light and dark as the system's: the watch tells what the registry says, and each change of it
 * while it goes on, the key's own making included. What was set before is put back. */
#include "app/gui/desktop-scheme.h"

#include <windows.h>

#define KEY   L"Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"
#define VALUE L"AppsUseLightTheme"

typedef struct {
    guint n;
    DgDesktopLook look;
    gboolean has_contrast;
} Told;

static void
told_cb (DgDesktopLook look, gboolean high_contrast, gpointer data)
{
    Told *told = data;
    told->n++;
    told->look = look;
    told->has_contrast = high_contrast;
}

static void
set_light (DWORD is_light)
{
    g_assert_cmpint (
        RegSetKeyValueW (HKEY_CURRENT_USER, KEY, VALUE, REG_DWORD, &is_light, sizeof is_light), ==,
        ERROR_SUCCESS);
}

static gboolean
over_cb (gpointer data)
{
    *(gboolean *) data = TRUE;
    return G_SOURCE_REMOVE;
}

static gboolean
tick_cb (gpointer data)
{
    return G_SOURCE_CONTINUE;
}

static gboolean
is_told (const Told *told, DgDesktopLook look)
{
    gboolean is_over = FALSE;
    guint over = g_timeout_add (10000, over_cb, &is_over), tick = g_timeout_add (20, tick_cb, NULL);
    while (told->look != look && !is_over)
        g_main_context_iteration (NULL, TRUE);
    if (!is_over)
        g_source_remove (over);
    g_source_remove (tick);
    return told->look == look;
}

static void
test_change (void)
{
    Told told = { 0 };
    set_light (1);
    DgDesktopScheme *scheme = dg_desktop_scheme_watch (told_cb, &told);
    g_assert_cmpuint (told.n, >=, 1); /* while it is made */
    g_assert_cmpint (told.look, ==, DG_DESKTOP_LIGHT);
    g_assert_false (told.has_contrast);
    for (guint i = 0; i < 3; i++) {
        set_light (0);
        g_assert_true (is_told (&told, DG_DESKTOP_DARK));
        set_light (1);
        g_assert_true (is_told (&told, DG_DESKTOP_LIGHT));
    }
    RegDeleteKeyValueW (HKEY_CURRENT_USER, KEY, VALUE);
    g_assert_true (is_told (&told, DG_DESKTOP_NO_PREFERENCE));
    dg_desktop_scheme_free (scheme);
    guint n = told.n;
    set_light (0);
    g_usleep (300000);
    while (g_main_context_iteration (NULL, FALSE)) {
    }
    g_assert_cmpuint (told.n, ==, n);
}

/* A system that has never been asked for its colours has no such key yet. */
static void
test_new_key (void)
{
    Told told = { 0 };
    RegDeleteTreeW (HKEY_CURRENT_USER, KEY);
    RegDeleteKeyW (HKEY_CURRENT_USER, KEY);
    DgDesktopScheme *scheme = dg_desktop_scheme_watch (told_cb, &told);
    g_assert_cmpint (told.look, ==, DG_DESKTOP_NO_PREFERENCE);
    set_light (0);
    g_assert_true (is_told (&told, DG_DESKTOP_DARK));
    set_light (1);
    g_assert_true (is_told (&told, DG_DESKTOP_LIGHT));
    dg_desktop_scheme_free (scheme);
    dg_desktop_scheme_free (NULL);
}

int
main (int argc, char **argv)
{
    DWORD before, size = sizeof before;
    gboolean was_set =
        RegGetValueW (HKEY_CURRENT_USER, KEY, VALUE, RRF_RT_REG_DWORD, NULL, &before, &size)
        == ERROR_SUCCESS;
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/scheme/change", test_change);
    /* The key holds the user's other colours, too: it is only deleted where it is Wine's. */
    if (GetProcAddress (GetModuleHandleW (L"ntdll.dll"), "wine_get_version") != NULL)
        g_test_add_func ("/scheme/new-key", test_new_key);
    int status = g_test_run ();
    if (was_set)
        set_light (before);
    else
        RegDeleteKeyValueW (HKEY_CURRENT_USER, KEY, VALUE);
    return status;
}
