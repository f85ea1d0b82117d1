/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run while building: prints the man pages and the completion of bash from the option table, so
 * that they never disagree with the program. make-docs man-cli | man-window | completion */
#include "app/core/options.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

static const struct {
    guint command;
    const gchar *name, *word, *text;
} commands[] = {
    { DG_COMMAND_LIST, "list", NULL,
      "List the drives, the file systems on them and the folder that would be used; with the "
      "reason where something cannot be measured." },
    { DG_COMMAND_RUN, "run", "TARGET",
      "Measure the drive on which the folder TARGET lies. The test file is made in that folder and "
      "removed at the end, also after a stop or an error. "
      "The result is kept in the library; the text report is printed." },
    { DG_COMMAND_SHOW, "show", "RESULT",
      "Show a saved result: a file, or the id of one in the library." },
    { DG_COMMAND_FIO, "fio", "TARGET",
      "Print the command lines with which fio does the same work. Nothing is run." },
};

/* Text for roff: minus signs, backslashes, and no line that begins with a control character. */
static void
put_roff (const gchar *text)
{
    if (*text == '.' || *text == '\'')
        fputs ("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '-')
            fputs ("\\-", stdout);
        else if (*text == '\\')
            fputs ("\\e", stdout);
        else
            putchar (*text);
    }
}

static void
put_line (const gchar *text)
{
    put_roff (text);
    putchar ('\n');
}

static void
put_paragraph (const gchar *text)
{
    puts (".PP");
    put_line (text);
}

static void
put_head (const gchar *name, const gchar *summary)
{
    printf (".TH %s 1 \"\" \"Drive Gauge %s\" \"User Commands\"\n.SH NAME\n", name, DG_VERSION);
    put_roff (name);
    fputs (" \\- ", stdout);
    put_line (summary);
}

static void
put_pairs (const gchar *const (*pairs)[2], guint n)
{
    for (guint i = 0; i < n; i++) {
        fputs (".TP\n.B ", stdout);
        put_line (pairs[i][0]);
        put_line (pairs[i][1]);
    }
}

static void
put_option (const DgOptionRow *row)
{
    gboolean is_first = TRUE;

    fputs (".TP\n\\fB", stdout);
    if (row->letter != 0)
        printf ("\\-%c\\fR, \\fB", row->letter);
    fputs ("\\-\\-", stdout);
    put_roff (row->name);
    fputs ("\\fR", stdout);
    if (row->argument != NULL)
        printf (" \\fI%s\\fR", row->argument);
    fputs ("\n", stdout);
    put_roff (row->help);
    fputs (". (", stdout);
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
        if ((row->commands & commands[i].command) == 0)
            continue;
        printf ("%s%s", is_first ? "" : ", ", commands[i].name);
        is_first = FALSE;
    }
    puts (")");
}

static void
put_man_cli (void)
{
    static const gchar *const status[][2] = {
        { "0", "Everything was measured." },
        { "1", "A part failed or was stopped, or a signal ended it cleanly: every output that was "
               "asked for has been written." },
        { "2", "The command line is wrong: unknown command, option, profile, test or backend, a "
               "value out of its range, a size that rounds down to nothing." },
        { "3", "Something that it names cannot be used: the target, a backend that this build or "
               "system lacks, an output, a result." },
    };
    static const gchar *const examples[][2] = {
        { "drivegauge-cli list", "What can be measured." },
        { "drivegauge-cli run /media/me/SSD --png ssd.png --scale 2",
          "Measure with the default profile, keep a picture." },
        { "drivegauge-cli run . --test 'RND4K Q1T1' --read-only --json -",
          "One test, the result as JSON on standard output." },
        { "drivegauge-cli show ssd.json --markdown -", "A saved result as a table for a forum." },
    };
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    put_head ("drivegauge-cli", "measure drives on the command line");
    puts (".SH SYNOPSIS");
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
        printf ("%s.B drivegauge\\-cli %s\n", i > 0 ? ".br\n" : "", commands[i].name);
        if (commands[i].word != NULL)
            printf (".I %s\n", commands[i].word);
        puts ("[OPTION...]");
    }
    puts (".br\n.B drivegauge\\-cli \\-\\-version");
    puts (".SH DESCRIPTION");
    put_line ("Drive Gauge tells what a drive can really do, and why. It writes only into a test "
              "file of its own, needs no special rights and no display.");
    puts (".SH COMMANDS");
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
        printf (".TP\n.BI \"%s \" %s\n", commands[i].name,
                commands[i].word != NULL ? commands[i].word : "");
        put_line (commands[i].text);
    }
    puts (".SH OPTIONS");
    put_line ("In brackets stand the commands that take the option. FILE \"-\" is standard output, "
              "once; without it the text report goes there.");
    for (guint i = 0; i < n; i++)
        put_option (&rows[i]);
    puts (".SH EXIT STATUS");
    put_pairs (status, G_N_ELEMENTS (status));
    puts (".SH SIGNALS");
    put_line ("INT, TERM, HUP and PIPE stop a measurement: within two seconds what was measured is "
              "written and the test file removed. "
              "One that is ignored at the start stays ignored.");
    puts (".SH FILES");
    fputs (".TP\n.I $XDG_CONFIG_HOME/drivegauge/settings.ini\nSettings and profiles of one's own.\n"
           ".TP\n.I $XDG_DATA_HOME/drivegauge/results\nThe library of results.\n",
           stdout);
    puts (".SH EXAMPLES");
    put_pairs (examples, G_N_ELEMENTS (examples));
    puts (".SH SEE ALSO\n.BR drivegauge (1),\n.BR fio (1)");
}

static void
put_man_window (void)
{
    static const gchar *const keys[][2] = {
        { "F5, Ctrl+R", "Start, stop." },
        { "Ctrl+C", "Copy the result as a picture." },
        { "Ctrl+Shift+C", "Copy the result as text." },
        { "Ctrl+S", "Save the picture." },
        { "Ctrl+T", "Save the text." },
        { "Ctrl+Q", "Queues and threads." },
        { "Ctrl+,", "How it is measured: runs, times, sizes." },
        { "Ctrl+O", "Open a saved result." },
        { "Ctrl+H", "Recent results." },
        { "Ctrl+W", "Close the window; a run is stopped and saved first." },
        { "Left, Right", "In the chart: the sample before, the sample after." },
        { "T", "In the chart: its numbers as a table." },
    };

    static const gchar *const options[][2] = {
        { "--open", "Ask for a saved result and show it." },
        { "--version", "Show the version." },
        { "-h, --help", "Show a short help." },
    };

    put_head ("drivegauge", "measure drives in a window");
    puts (".SH SYNOPSIS\n.B drivegauge\n[\\fB\\-\\-open\\fR | \\fIFOLDER\\fR | "
          "\\fIRESULT\\fR]\n.SH DESCRIPTION");
    put_line ("Drive Gauge tells what a drive can really do, and why. One click on All rates a "
              "drive; the number is true, and where it is not the drive's own "
              "speed (a slow port, a cache, heat, a busy system) the program says so in plain "
              "words. The drive that FOLDER lies on is chosen; a saved RESULT is shown in the same "
              "window, and with --open one is asked for.");
    put_paragraph ("It writes only into a test file of its own and needs no special rights.");
    puts (".SH OPTIONS");
    put_pairs (options, G_N_ELEMENTS (options));
    puts (".SH KEYS");
    put_pairs (keys, G_N_ELEMENTS (keys));
    puts (".SH FILES");
    fputs (".TP\n.I $XDG_CONFIG_HOME/drivegauge/settings.ini\nSettings and profiles of one's own.\n"
           ".TP\n.I $XDG_DATA_HOME/drivegauge/results\nThe library of results.\n",
           stdout);
    puts (".SH SEE ALSO\n.BR drivegauge\\-cli (1)");
}

/* ---- completion ---- */

static void
put_words (guint command)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    for (guint i = 0; i < n; i++)
        if ((rows[i].commands & command) != 0)
            printf (" --%s", rows[i].name);
}

static void
put_values (guint command)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    for (guint i = 0; i < n; i++) {
        if ((rows[i].commands & command) == 0 || rows[i].argument == NULL)
            continue;
        if (rows[i].choices != NULL)
            printf ("        *,--%s) words='%s' ;;\n", rows[i].name, rows[i].choices);
        else if (strcmp (rows[i].argument, "FILE") == 0)
            printf ("        *,--%s) files=1 ;;\n", rows[i].name);
        else
            printf ("        *,--%s) return ;;\n", rows[i].name);
    }
}

static void
put_completion (void)
{
    puts ("# bash completion for drivegauge-cli");
    puts ("_drivegauge_cli ()\n{");
    puts ("    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]} words= files= folders=");
    puts ("    COMPREPLY=()");
    /* --option=value: bash makes three words of it */
    puts ("    if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then "
          "before=${COMP_WORDS[COMP_CWORD-2]}; fi");
    printf ("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='");
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        printf ("%s ", commands[i].name);
    puts ("--help --version'\n    else\n        case $command,$before in");
    put_values (DG_COMMAND_RUN | DG_COMMAND_SHOW | DG_COMMAND_FIO);
    puts ("        *)\n            case $command in");
    for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
        printf ("            %s) words='", commands[i].name);
        put_words (commands[i].command);
        printf ("'%s ;;\n", commands[i].word == NULL                   ? ""
                            : strcmp (commands[i].word, "TARGET") == 0 ? " folders=1"
                                                                       : " files=1");
    }
    puts ("            esac ;;\n        esac\n    fi");
    puts ("    case $word in\n    -*) files= folders= ;;\n    *) if [ -n \"$folders$files\" ]; "
          "then words=; fi ;;\n    esac");
    puts ("    if [ -n \"$words\" ]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
          "\"$word\"); fi");
    puts ("    if [ -n \"$folders\" ]; then compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY "
          "< <(compgen -d -- \"$word\"); fi");
    puts ("    if [ -n \"$files\" ]; then compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < "
          "<(compgen -f -- \"$word\"); fi");
    puts ("}\ncomplete -F _drivegauge_cli drivegauge-cli");
}

int
main (int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    if (strcmp (what, "man-cli") == 0)
        put_man_cli ();
    else if (strcmp (what, "man-window") == 0)
        put_man_window ();
    else if (strcmp (what, "completion") == 0)
        put_completion ();
    else
        return 2;
    return fflush (stdout) == 0 ? 0 : 1;
}
