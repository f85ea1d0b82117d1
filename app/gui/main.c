/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"
#include "app/gui/application.h"
#include "app/gui/end-signals.h"
#include "engine/engine.h"

int
main (int argc, char **argv)
{
    dg_locale_init (GETTEXT_PACKAGE, DG_LOCALEDIR);

    g_autoptr (DgApplication) application = dg_application_new ();
    dg_end_signals_watch (application);
    dg_test_files_guard_signals ();
    return g_application_run (G_APPLICATION (application), argc, argv);
}
