/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/arguments.h"

#include "app/core/app-error.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
    const DgOptionRow *row;
    const gchar *value; /* (nullable) points into the caller's words */
} Given;

struct _DgArguments {
    GArray *given; /* of Given */
    GPtrArray *words;
};

const gchar *
dg_command_name (guint command)
{
    switch (command) {
    case DG_COMMAND_LIST:
        return "list";
    case DG_COMMAND_RUN:
        return "run";
    case DG_COMMAND_SHOW:
        return "show";
    case DG_COMMAND_FIO:
        return "fio";
    default:
        return "";
    }
}

static const DgOptionRow *
find_row (guint command, const gchar *name, gsize length)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    for (guint i = 0; i < n; i++)
        if ((rows[i].commands & command) != 0 && strlen (rows[i].name) == length
            && strncmp (rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

static const DgOptionRow *
find_letter (guint command, const gchar *word)
{
    guint n;
    const DgOptionRow *rows = dg_option_table (&n);

    for (guint i = 0; i < n; i++)
        if ((rows[i].commands & command) != 0 && rows[i].letter != 0 && rows[i].letter == word[1]
            && word[2] == '\0')
            return &rows[i];
    return NULL;
}

static gboolean
fail (GError **error, const gchar *format, const gchar *word, guint command)
{
    g_autofree gchar *shown = dg_text_sanitize (word);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE, format, shown, dg_command_name (command));
#pragma GCC diagnostic pop
    return FALSE;
}

/* Takes words[*index], an option, and its value; leaves *index at the last word used. */
static gboolean
take_option (DgArguments *self, guint command, const gchar *const *words, guint *index,
             GError **error)
{
    const gchar *word = words[*index];
    gboolean is_long = word[1] == '-';
    const gchar *equals = is_long ? strchr (word, '=') : NULL;
    gsize length = equals != NULL ? (gsize) (equals - word) : strlen (word);
    const DgOptionRow *row =
        is_long ? find_row (command, word + 2, length - 2) : find_letter (command, word);
    Given given = { .row = row };

    if (row == NULL)
        return fail (error, /* Translators: an option, then a command */
                     _ ("Unknown option “%s”. “drivegauge-cli %s --help” lists the options."), word,
                        command);
    if (row->argument == NULL && equals != NULL)
        return fail (error, _ ("“%s”: this option takes no value. See “drivegauge-cli %s --help”."),
                               word, command);
    if (row->argument != NULL) {
        given.value = equals != NULL ? equals + 1 : words[*index + 1];
        /* The next option is no value; "--name=--value" gives one that looks like it. */
        if (given.value == NULL || (equals == NULL && g_str_has_prefix (given.value, "--")))
            return fail (error, _ ("The value of “%s” is missing. See “drivegauge-cli %s --help”."),
                                   word, command);
        if (equals == NULL)
            (*index)++;
    }
    g_array_append_val (self->given, given);
    return TRUE;
}

DgArguments *
dg_arguments_new (guint command, const gchar *const *words, GError **error)
{
    g_autoptr (DgArguments) self = g_new0 (DgArguments, 1);
    gboolean only_words = FALSE;

    self->given = g_array_new (FALSE, FALSE, sizeof (Given));
    self->words = g_ptr_array_new ();
    for (guint i = 0; words[i] != NULL; i++) {
        if (!only_words && strcmp (words[i], "--") == 0)
            only_words = TRUE;
        else if (only_words || words[i][0] != '-' || words[i][1] == '\0')
            g_ptr_array_add (self->words, (gpointer) words[i]);
        else if (!take_option (self, command, words, &i, error))
            return NULL;
    }
    return g_steal_pointer (&self);
}

void
dg_arguments_free (DgArguments *self)
{
    if (self == NULL)
        return;
    g_array_unref (self->given);
    g_ptr_array_unref (self->words);
    g_free (self);
}

GPtrArray *
dg_arguments_get_all (const DgArguments *self, const gchar *name)
{
    GPtrArray *values = g_ptr_array_new ();

    for (guint i = 0; i < self->given->len; i++) {
        const Given *given = &g_array_index (self->given, Given, i);
        if (strcmp (given->row->name, name) == 0)
            g_ptr_array_add (values, (gpointer) given->value);
    }
    return values;
}

gboolean
dg_arguments_has (const DgArguments *self, const gchar *name)
{
    g_autoptr (GPtrArray) values = dg_arguments_get_all (self, name);

    return values->len > 0;
}

const gchar *
dg_arguments_get (const DgArguments *self, const gchar *name)
{
    g_autoptr (GPtrArray) values = dg_arguments_get_all (self, name);

    return values->len > 0 ? values->pdata[values->len - 1] : NULL;
}

const GPtrArray *
dg_arguments_words (const DgArguments *self)
{
    return self->words;
}

gint
dg_arguments_choice (const gchar *name, const gchar *value, const gchar *const *words,
                     GError **error)
{
    for (gint i = 0; words[i] != NULL; i++)
        if (strcmp (words[i], value) == 0)
            return i;
    g_autofree gchar *shown = dg_text_sanitize (value);
    g_autofree gchar *all = g_strjoinv (", ", (gchar **) words);
    g_set_error (
        error, DG_APP_ERROR,
        DG_APP_ERROR_USAGE, /* Translators: an option's name, what was given, what can be given */
        _ ("--%s: “%s” is unknown. Take one of these: %s."), name, shown, all);
    return -1;
}
