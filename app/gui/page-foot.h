/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines beside the comment: when, how long, how much; while running what the machine does.
 * (transfer full) Main thread. */
#pragma once

#include "app/gui/session.h"

G_BEGIN_DECLS

gchar *dg_page_foot_dup_text (DgSession *session, gboolean is_narrow);
/* "Saved result: T7 Shield, exFAT, 30 November 2026 14:32" */
gchar *dg_page_foot_dup_saved_text (DgSession *session);

/* "Today 14:32" or a date, in the user's time zone; "" when it cannot be read. */
gchar *dg_page_foot_dup_when (const gchar *rfc3339);
gchar *dg_page_foot_dup_date (GDateTime *when);

G_END_DECLS
