/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands. Each gives the exit status (DESIGN section 7): 0 all measured, 1 part of it failed
 * or was stopped, 2 the command line is wrong, 3 something it names cannot be used. */
#pragma once

#include "app/cli/arguments.h"

#include "engine/engine.h"

G_BEGIN_DECLS

int dg_command_list (const DgArguments *arguments);
int dg_command_run (const DgArguments *arguments);
int dg_command_show (const DgArguments *arguments);
int dg_command_fio (const DgArguments *arguments);

/* Help to standard output; 0 or 3. `command` 0: of the program. */
int dg_command_help (guint command);

/* The one word that a command needs; NULL with a message (then the status is 2). `what`: how its
 * usage line names it. */
const gchar *dg_command_only_word (const DgArguments *arguments, guint command, const gchar *what);

/* The target that a folder lies on, checked; NULL with an error. */
DgTargetList *dg_command_find_target (const gchar *folder, GError **error);

G_END_DECLS
