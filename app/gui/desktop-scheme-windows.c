/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings, Personalisation, Colours, "app mode"; and high contrast. Both are told by the registry,
 * whose keys can be waited for. */
#include "app/gui/desktop-scheme.h"

#include <windows.h>

#define LOOK_KEY     L"Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"
#define LOOK_VALUE   L"AppsUseLightTheme"
#define CONTRAST_KEY L"Control Panel\\Accessibility\\HighContrast"

/* A wait for one key, shared by the watch and the thread of the system that waits. */
typedef struct {
    gint references;
    const wchar_t *path;
    gsize length;           /* of the part of `path` that exists: the key that is waited for */
    HKEY key;               /* (nullable) */
    HANDLE event;           /* (nullable) set when the key has changed */
    DgDesktopScheme *owner; /* (nullable) only looked at in the main thread */
} Shared;

struct DgDesktopScheme {
    DgDesktopSchemeFunc func;
    gpointer data;
    Shared *shared[2]; /* (owned) a reference each */
    HANDLE waits[2];   /* (nullable) */
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

static gboolean
is_high_contrast (void)
{
    HIGHCONTRASTW contrast = { .cbSize = sizeof contrast };
    return SystemParametersInfoW (SPI_GETHIGHCONTRAST, sizeof contrast, &contrast, 0)
           && (contrast.dwFlags & HCF_HIGHCONTRASTON) != 0;
}

static void
tell (DgDesktopScheme *self)
{
    DWORD is_light, size = sizeof is_light;
    DgDesktopLook look = DG_DESKTOP_NO_PREFERENCE;
    if (RegGetValueW (HKEY_CURRENT_USER, LOOK_KEY, LOOK_VALUE, RRF_RT_REG_DWORD, NULL, &is_light,
                      &size)
        == ERROR_SUCCESS)
        look = is_light != 0 ? DG_DESKTOP_LIGHT : DG_DESKTOP_DARK;
    self->func (look, is_high_contrast (), self->data);
}

/* The key, or as long as there is none the nearest above it: it may be made while we run. */
static void
open_nearest (Shared *shared)
{
    gsize length = wcslen (shared->path);
    while (length > shared->length) {
        g_autofree wchar_t *path = g_memdup2 (shared->path, (length + 1) * sizeof *path);
        HKEY key;
        path[length] = L'\0';
        if (RegOpenKeyExW (HKEY_CURRENT_USER, path, 0, KEY_NOTIFY, &key) == ERROR_SUCCESS) {
            HKEY before = shared->key;
            shared->key = key;
            shared->length = length;
            /* Sets the event once more, which does no harm. */
            if (before != NULL)
                RegCloseKey (before);
            return;
        }
        while (length > 0 && path[length] != L'\\')
            length--;
    }
}

/* One change is told, then it must be asked for again. */
static gboolean
ask_for_change (Shared *shared)
{
    for (;;) {
        open_nearest (shared);
        gsize length = shared->length;
        DWORD what =
            shared->path[length] != L'\0' ? REG_NOTIFY_CHANGE_NAME : REG_NOTIFY_CHANGE_LAST_SET;
        if (shared->key == NULL
            || RegNotifyChangeKeyValue (shared->key, FALSE, what, shared->event, TRUE)
                   != ERROR_SUCCESS)
            return FALSE;
        /* One made since it was looked for. */
        open_nearest (shared);
        if (shared->length == length)
            return TRUE;
    }
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
    /* Not g_main_context_invoke(): it may call from here. */
    g_idle_add_full (G_PRIORITY_DEFAULT, changed_cb, shared, shared_unref);
}

static Shared *
shared_new (DgDesktopScheme *owner, const wchar_t *path)
{
    Shared *shared = g_new0 (Shared, 1);
    shared->references = 1;
    shared->path = path;
    shared->owner = owner;
    shared->event = CreateEventW (NULL, FALSE, FALSE, NULL);
    return shared;
}

DgDesktopScheme *
dg_desktop_scheme_watch (DgDesktopSchemeFunc func, gpointer data)
{
    DgDesktopScheme *self = g_new0 (DgDesktopScheme, 1);
    self->func = func;
    self->data = data;
    self->shared[0] = shared_new (self, LOOK_KEY);
    self->shared[1] = shared_new (self, CONTRAST_KEY);
    for (guint i = 0; i < G_N_ELEMENTS (self->shared); i++)
        if (self->shared[i]->event != NULL && ask_for_change (self->shared[i])
            && !RegisterWaitForSingleObject (&self->waits[i], self->shared[i]->event, event_cb,
                                             self->shared[i], INFINITE, WT_EXECUTEDEFAULT))
            self->waits[i] = NULL;
    tell (self);
    return self;
}

void
dg_desktop_scheme_free (DgDesktopScheme *self)
{
    if (self == NULL)
        return;
    for (guint i = 0; i < G_N_ELEMENTS (self->shared); i++) {
        self->shared[i]->owner = NULL;
        if (self->waits[i] != NULL) /* returns when no callback runs */
            UnregisterWaitEx (self->waits[i], INVALID_HANDLE_VALUE);
        shared_unref (self->shared[i]);
    }
    g_free (self);
}
