/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/gui/end-signals.h"

/* A program with a window gets WM_CLOSE and WM_ENDSESSION there, which the toolkit turns into a
 * close request. */
void
dg_end_signals_watch (DgApplication *application)
{
}
