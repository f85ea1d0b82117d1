/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the desktop wants to look like, where GTK does not know it. One implementation a platform.
 */
#pragma once

#include <glib.h>

typedef enum {
    DG_DESKTOP_NO_PREFERENCE,
    DG_DESKTOP_DARK,
    DG_DESKTOP_LIGHT
} DgDesktopLook;

typedef struct DgDesktopScheme DgDesktopScheme;

/* Called in the main thread, also while the watch is made. */
typedef void (*DgDesktopSchemeFunc) (DgDesktopLook look, gboolean high_contrast, gpointer data);

DgDesktopScheme *dg_desktop_scheme_watch (DgDesktopSchemeFunc func, gpointer data);

/* `func` is not called again. NULL-safe. */
void dg_desktop_scheme_free (DgDesktopScheme *self);
