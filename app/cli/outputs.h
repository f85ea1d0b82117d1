/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a result is written to: files, and standard output once. */
#pragma once

#include "app/cli/arguments.h"
#include "app/core/document.h"

G_BEGIN_DECLS

typedef struct _DgOutputs DgOutputs;

/* Errors: DG_APP_ERROR_USAGE. */
DgOutputs *dg_outputs_new (const DgArguments *arguments, GError **error);
void dg_outputs_free (DgOutputs *outputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgOutputs, dg_outputs_free)

/* Before measuring: each can be written, without changing anything that is there.
 * DG_APP_ERROR_OUTPUT. */
gboolean dg_outputs_check (const DgOutputs *outputs, GError **error);

/* All of them, also after one failed; FALSE with a message for each that did. Files: beside and
 * renamed, new ones 0600. */
gboolean dg_outputs_write (const DgOutputs *outputs, const DgDocument *document);

G_END_DECLS
