/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines for people on standard error, and what goes to standard output. */
#pragma once

#include "app/core/numbers.h"

#include <glib.h>

G_BEGIN_DECLS

#define DG_PROGRAM "drivegauge-cli"

/* "drivegauge-cli: <text>". Takes a progress line that is on the screen away first. */
void dg_message (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* Prints the error, takes it, and gives the exit status that belongs to it: 2 or 3. */
int dg_message_error (GError *error);

/* One line that is overwritten by the next; NULL takes it away. Only where standard error is a
 * terminal. */
void dg_message_progress (const gchar *text);

/* For the terminal, in its own encoding, as well as that can be done; (transfer full). */
gchar *dg_message_to_locale (const gchar *text);

/* The line that dg_message() prints, in the terminal's encoding; (transfer full). */
gchar *dg_message_line (const gchar *text);

/* How numbers are written in messages: with the window's fine spaces where the terminal has them.
 */
DgNumberFor dg_message_numbers (void);

/* All of it to standard output, as it is; FALSE with a message when that fails. */
gboolean dg_message_output (const void *bytes, gsize size);

G_END_DECLS
