/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/commands.h"
#include "app/cli/message.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

static const struct {
    guint command;
    const gchar *usage, *summary;
} commands[] = {
    { DG_COMMAND_LIST, "list [--json]", N_ ("List the drives and where on them can be measured") },
      { DG_COMMAND_RUN, "run TARGET [OPTION…]",
        N_ ("Measure the drive on which the folder TARGET lies") },
        { DG_COMMAND_SHOW, "show RESULT [OPTION…]",
          N_ ("Show a saved result, a file or the id of one in the library") },
          { DG_COMMAND_FIO, "fio TARGET [OPTION…]",
            N_ ("Print the fio commands that do the same work") },
        };

/* Padded by characters: an ellipsis is one, and three bytes. */
static void
append_command (GString *text, const gchar *usage, const gchar *summary)
{
    g_string_append_printf (text, "  %s %s", DG_PROGRAM, usage);
    for (glong n = g_utf8_strlen (usage, -1); n < 24; n++)
        g_string_append_c (text, ' ');
    g_string_append_printf (text, "%s\n", summary);
}

static void
append_program (GString *text)
{
    g_string_append (text, _ ("Drive Gauge tells what a drive can really do, and why."));
    g_string_append_printf (text, "\n\n%s\n", _ ("Usage:"));
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        append_command (text, commands[i].usage, _ (commands[i].summary));
    g_string_append_printf (text, "  %s COMMAND --help\n  %s --version\n\n", DG_PROGRAM,
                            DG_PROGRAM);
    g_string_append (text, _ ("Exit status: 0 everything was measured; 1 a part failed or was stopped; 2 the command line is wrong; "
                              "3 something that it names cannot be used."));
    g_string_append_c (text, '\n');
}

static void
append_options (GString *text, guint command)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    g_string_append_printf (text, "\n%s\n", _ ("Options:"));
    for (guint i = 0; i < n; i++) {
        if ((rows[i].commands & command) == 0)
            continue;
        g_autofree gchar *letter =
            rows[i].letter != 0 ? g_strdup_printf ("-%c, ", rows[i].letter) : g_strdup ("");
        g_autofree gchar *name = g_strdup_printf ("%s--%s%s%s", letter, rows[i].name,
                                                  rows[i].argument != NULL ? " " : "",
                                                  rows[i].argument != NULL ? rows[i].argument : "");
        g_string_append_printf (text, "  %-20s  %s\n", name, _ (rows[i].help));
    }
    if ((command & (DG_COMMAND_RUN | DG_COMMAND_SHOW)) != 0) {
        g_string_append_c (text, '\n');
        g_string_append (
            text, _ ("FILE “-” is standard output, once. Without it the text report goes there."));
        g_string_append_c (text, '\n');
    }
}

int
dg_command_help (guint command)
{
    GString *text = g_string_new (NULL);

    if (command == 0)
        append_program (text);
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
        if (commands[i].command != command)
            continue;
        g_string_append_printf (text, "%s %s %s\n%s.\n",
                                _ ("Usage:"), DG_PROGRAM, commands[i].usage,
                                   _ (commands[i].summary));
        append_options (text, command);
    }
    /* Converted to the terminal's own encoding, unlike results. */
    g_autofree gchar *local = dg_message_to_locale (text->str);
    int status = dg_message_output (local, strlen (local)) ? 0 : 3;
    g_string_free (text, TRUE);
    return status;
}
