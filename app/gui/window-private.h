/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between window.c and window-actions.c. */
#pragma once

#include "app/gui/speed-page.h"
#include "app/gui/target-chooser.h"
#include "app/gui/window.h"

struct _DgWindow {
    GtkApplicationWindow parent_instance;

    DgSession *session;
    DgTargetChooser *target_chooser;
    DgSpeedPage *speed_page;
    GtkMenuButton *copy_button, *save_button, *menu_button;
    guint inhibit_cookie;
    gboolean is_closing;
};

void dg__window_add_actions (DgWindow *self);
void dg__window_class_add_shortcuts (GtkWidgetClass *klass);
