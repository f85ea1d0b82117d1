/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings, Personalisation, Colours, "app mode"; and high contrast. */
#include "app/gui/desktop-scheme.h"

#include <windows.h>

#define KEY   L"Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"
#define VALUE L"AppsUseLightTheme"

/* Shared by the watch and the thread of the system that waits for the key. */
typedef struct {
    gint references;
    HKEY key;
    HANDLE event;           /* set when the key has changed */
    DgDesktopScheme *owner; /* (nullable) only looked at in the main thread */
} Shared;

struct DgDesktopScheme {
    DgDesktopSchemeFunc func;
    gpointer data;
    HANDLE wait;    /* (nullable) */
    Shared *shared; /* (owned) a reference */
};

static void
shared_unref (gpointer data)
{
    Shared *shared = data;
    if (!g_atomic_int_dec_and_test (&shared->references))
        return;
    if (shared->key != NULL)
        RegCloseKey (shared->key);
    if (shared->event != NULL)
        CloseHandle (shared->event);
    g_free (shared);
}

static void
tell (DgDesktopScheme *self)
{
    DWORD is_light, size = sizeof is_light;
    HIGHCONTRASTW contrast = { .cbSize = sizeof contrast };
    DgDesktopLook look = DG_DESKTOP_NO_PREFERENCE;
    if (RegGetValueW (HKEY_CURRENT_USER, KEY, VALUE, RRF_RT_REG_DWORD, NULL, &is_light, &size)
        == ERROR_SUCCESS)
        look = is_light != 0 ? DG_DESKTOP_LIGHT : DG_DESKTOP_DARK;
    gboolean is_high = SystemParametersInfoW (SPI_GETHIGHCONTRAST, sizeof contrast, &contrast, 0)
                       && (contrast.dwFlags & HCF_HIGHCONTRASTON) != 0;
    self->func (look, is_high, self->data);
}

/* One change is told, then it must be asked for again. */
static gboolean
ask_for_change (Shared *shared)
{
    return RegNotifyChangeKeyValue (shared->key, FALSE, REG_NOTIFY_CHANGE_LAST_SET, shared->event,
                                    TRUE)
           == ERROR_SUCCESS;
}

static gboolean
changed_cb (gpointer data)
{
    Shared *shared = data;
    if (shared->owner != NULL) {
        ask_for_change (shared);
        tell (shared->owner);
    }
    return G_SOURCE_REMOVE;
}

static void CALLBACK
event_cb (void *data, BOOLEAN is_timeout)
{
    Shared *shared = data;
    g_atomic_int_inc (&shared->references);
    g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, changed_cb, shared, shared_unref);
}

DgDesktopScheme *
dg_desktop_scheme_watch (DgDesktopSchemeFunc func, gpointer data)
{
    DgDesktopScheme *self = g_new0 (DgDesktopScheme, 1);
    self->func = func;
    self->data = data;
    self->shared = g_new0 (Shared, 1);
    self->shared->references = 1;
    self->shared->owner = self;
    self->shared->event = CreateEventW (NULL, FALSE, FALSE, NULL);
    if (RegOpenKeyExW (HKEY_CURRENT_USER, KEY, 0, KEY_NOTIFY | KEY_READ, &self->shared->key)
        != ERROR_SUCCESS)
        self->shared->key = NULL;
    if (self->shared->key != NULL && self->shared->event != NULL && ask_for_change (self->shared)
        && !RegisterWaitForSingleObject (&self->wait, self->shared->event, event_cb, self->shared,
                                         INFINITE, WT_EXECUTEDEFAULT))
        self->wait = NULL;
    tell (self);
    return self;
}

void
dg_desktop_scheme_free (DgDesktopScheme *self)
{
    if (self == NULL)
        return;
    self->shared->owner = NULL;
    if (self->wait != NULL)
        UnregisterWaitEx (self->wait, INVALID_HANDLE_VALUE); /* returns when no callback runs */
    shared_unref (self->shared);
    g_free (self);
}
