/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"
#include "app/gui/application.h"
#include "app/gui/end-signals.h"
#include "engine/engine.h"

#include <glib/gi18n.h>
#include <locale.h>

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "");
    g_autofree gchar *locale_dir = dg_locale_dir (DG_LOCALEDIR);
    bindtextdomain (GETTEXT_PACKAGE, locale_dir);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);

    g_autoptr (DgApplication) application = dg_application_new ();
    dg_end_signals_watch (application);
    dg_test_files_guard_signals ();
    return g_application_run (G_APPLICATION (application), argc, argv);
}
