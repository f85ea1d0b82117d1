/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one GError domain of the program. Messages are translated whole sentences: what, where, why, what to do. */
#pragma once

#include "engine/error.h"

#include <glib.h>

G_BEGIN_DECLS

#define DG_APP_ERROR (dg_app_error_quark ())
GQuark dg_app_error_quark (void);

typedef enum {
    DG_APP_ERROR_USAGE,               /* a value out of its range, an unknown profile, test, backend: exit status 2 */
    DG_APP_ERROR_TARGET,              /* the target cannot be used: exit status 3, as all below */
    DG_APP_ERROR_SPACE,
    DG_APP_ERROR_BACKEND,
    DG_APP_ERROR_OUTPUT,
    DG_APP_ERROR_DOCUMENT_INVALID,
    DG_APP_ERROR_DOCUMENT_NEWER,
    DG_APP_ERROR_DOCUMENT_TOO_LARGE,
    DG_APP_ERROR_ENGINE,
} DgAppErrorCode;

/* Sets `error` from an engine code. `subject`: the path or drive it is about, shown sanitized. */
void dg_app_error_set (GError **error, int engine_code, const DgErrorDetail *detail, const gchar *subject);

/* 2 or 3. */
int dg_app_error_exit_status (const GError *error);

G_END_DECLS
