/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/commands.h"
#include "app/cli/message.h"
#include "app/cli/patience.h"
#include "app/cli/platform.h"
#include "app/core/settings.h"
#include "app/core/locale-dir.h"
#include "app/core/numbers.h"
#include "config.h"
#include "engine/engine.h"

#include <glib/gi18n.h>
#include <string.h>

static const struct {
    guint command;
    int (*function) (const DgArguments *arguments);
} commands[] = {
    { DG_COMMAND_LIST, dg_command_list },
    { DG_COMMAND_RUN, dg_command_run },
    { DG_COMMAND_SHOW, dg_command_show },
    { DG_COMMAND_FIO, dg_command_fio },
};

typedef struct {
    guint i;
    const DgArguments *arguments;
} Call;

static int
call_command (gpointer data)
{
    const Call *call = data;

    return commands[call->i].function (call->arguments);
}

static int
run_command (guint i, const gchar *const *words)
{
    GError *error = NULL;
    g_autoptr (DgArguments) arguments = NULL;

    if (commands[i].command != DG_COMMAND_RUN)
        dg_platform_end_at_signals (
            dg_message_line (_ ("Stopped by a signal before it was done.")));
    arguments = dg_arguments_new (commands[i].command, words, &error);
    if (arguments == NULL)
        return dg_message_error (error);
    if (dg_arguments_has (arguments, "help"))
        return dg_command_help (commands[i].command);
    if (commands[i].command == DG_COMMAND_RUN) /* it waits for parts of it itself */
        return dg_command_run (arguments);
    Call call = { i, arguments };
    return dg_patience_call (call_command, &call);
}

static int
run_words (const gchar *const *words)
{
    const gchar *first = words[0];

    if (first == NULL) {
        dg_message (_ ("The command is missing. “drivegauge-cli --help” lists the commands."));
        return 2;
    }
    if (strcmp (first, "--help") == 0 || strcmp (first, "-h") == 0 || strcmp (first, "help") == 0)
        return dg_command_help (0);
    if (strcmp (first, "--version") == 0)
        return dg_message_output ("drivegauge-cli " DG_VERSION "\n",
                                  strlen ("drivegauge-cli " DG_VERSION "\n"))
                   ? 0
                   : 3;
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        if (strcmp (first, dg_command_name (commands[i].command)) == 0)
            return run_command (i, words + 1);
    g_autofree gchar *shown = dg_text_sanitize (first);
    dg_message (_ ("Unknown command “%s”. “drivegauge-cli --help” lists the commands."), shown);
    return 2;
}

int
main (int argc, char **argv)
{
    dg_platform_init ();
    dg_test_files_guard_signals ();
    dg_locale_init (GETTEXT_PACKAGE, DG_LOCALEDIR);

    g_auto (GStrv) words = dg_platform_arguments (argc, argv);
    int status = run_words ((const gchar *const *) words + (words[0] != NULL ? 1 : 0));
    g_autofree gchar *problem = dg_settings_take_problem ();
    if (problem != NULL)
        dg_message ("%s", problem);
    return status;
}

const gchar *
dg_command_only_word (const DgArguments *arguments, guint command, const gchar *what)
{
    const GPtrArray *words = dg_arguments_words (arguments);

    if (words->len == 1 && ((const gchar *) words->pdata[0])[0] != '\0')
        return words->pdata[0];
    if (words->len <= 1) {
        dg_message (
            _ ("%s is missing: “drivegauge-cli %s %s …”. “drivegauge-cli %s --help” tells more."),
               what, dg_command_name (command), what, dg_command_name (command));
        return NULL;
    }
    g_autofree gchar *shown = dg_text_sanitize (words->pdata[1]);
    dg_message (_ ("“%s” is one word too many: %s takes one %s. Quote names with spaces."), shown,
                   dg_command_name (command), what);
    return NULL;
}
