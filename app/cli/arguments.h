/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line taken apart by the one option table (app/core/options.h). */
#pragma once

#include "app/core/options.h"

G_BEGIN_DECLS

typedef struct _DgArguments DgArguments;

/* `words`: what follows the command, NULL-terminated. Errors: DG_APP_ERROR_USAGE. */
DgArguments *dg_arguments_new (guint command, const gchar *const *words, GError **error);
void dg_arguments_free (DgArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DgArguments, dg_arguments_free)

gboolean dg_arguments_has (const DgArguments *arguments, const gchar *name);
/* The last one given; NULL if it was not. (transfer none) */
const gchar *dg_arguments_get (const DgArguments *arguments, const gchar *name);
/* All given values of an option. (transfer container) */
GPtrArray *dg_arguments_get_all (const DgArguments *arguments, const gchar *name);
/* What is no option. (transfer none) */
const GPtrArray *dg_arguments_words (const DgArguments *arguments);

/* A choice by its word: its index in the NULL-terminated `words`, -1 with an error naming all of
 * them. */
gint dg_arguments_choice (const gchar *name, const gchar *value, const gchar *const *words,
                          GError **error);

/* The measurement that was asked for, all ranges checked. `ret_options` uninitialised, only set on
 * success. */
gboolean dg_arguments_make_options (const DgArguments *arguments, DgOptions *ret_options,
                                    GError **error);

const gchar *dg_command_name (guint command); /* static */

G_END_DECLS
