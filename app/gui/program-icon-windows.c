/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The toolkit looks for the icon in the program's file by a path in the code page, so it finds none
 * where the folder has another name: from the loaded program instead. */
#include "app/gui/program-icon.h"

#include <gdk/win32/gdkwin32.h>

static void
set_icon (HWND handle, int class_index, WPARAM kind, int metric)
{
    int size = GetSystemMetrics (metric);
    HANDLE icon = LoadImageW (GetModuleHandleW (NULL), MAKEINTRESOURCEW (1), IMAGE_ICON, size, size,
                              LR_SHARED);
    if (icon == NULL)
        return;
    SetClassLongPtrW (handle, class_index, (LONG_PTR) icon); /* windows and dialogs to come */
    SendMessageW (handle, WM_SETICON, kind, (LPARAM) icon);
}

void
dg_program_icon_set (GtkWindow *window)
{
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
    if (surface == NULL || !GDK_IS_WIN32_SURFACE (surface))
        return;
    HWND handle = gdk_win32_surface_get_handle (surface);
    set_icon (handle, GCLP_HICON, ICON_BIG, SM_CXICON);
    set_icon (handle, GCLP_HICONSM, ICON_SMALL, SM_CXSMICON);
}
