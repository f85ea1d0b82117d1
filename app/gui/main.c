/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/core/locale-dir.h"
#include "app/gui/application.h"
#include "app/gui/end-signals.h"
#include "engine/engine.h"

#include <glib/gi18n.h>
#include <locale.h>

/* The uninstalled program is told by this variable where its translations are. */
#define LOCALEDIR_VARIABLE "DRIVEGAUGE_LOCALEDIR"

int
main (int argc, char **argv)
{
    const gchar *locale_dir = g_getenv (LOCALEDIR_VARIABLE);
    setlocale (LC_ALL, "");
    g_autofree gchar *installed = dg_locale_dir (DG_LOCALEDIR);
    bindtextdomain (GETTEXT_PACKAGE, locale_dir && *locale_dir ? locale_dir : installed);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);

    g_autoptr (DgApplication) application = dg_application_new ();
    dg_end_signals_watch (application);
    dg_test_files_guard_signals ();
    return g_application_run (G_APPLICATION (application), argc, argv);
}
