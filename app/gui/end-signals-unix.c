/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/end-signals.h"

#include <glib-unix.h>
#include <signal.h>

static gboolean
ended_cb (gpointer data)
{
    dg_application_end (data);
    return G_SOURCE_CONTINUE;
}

void
dg_end_signals_watch (DgApplication *application)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
        struct sigaction before;
        /* nohup and its like stay respected */
        if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            g_unix_signal_add (numbers[i], ended_cb, application);
    }
}
