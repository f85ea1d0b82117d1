/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is asked to end by a signal stops its run first. One implementation a platform.
 * Main thread. */
#pragma once

#include "app/gui/application.h"

G_BEGIN_DECLS

void dg_end_signals_watch (DgApplication *application);

G_END_DECLS
