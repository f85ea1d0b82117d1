/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/commands.h"
#include "app/cli/message.h"
#include "app/cli/outputs.h"
#include "app/core/library.h"
#include "app/core/numbers.h"

#include <string.h>

/* A file, else the id of a result in the library. */
static GFile *
find_result (const gchar *word)
{
    GFile *file = g_file_new_for_path (word);

    if (g_file_query_exists (file, NULL))
        return file;
    GFile *saved = dg_library_file (word);
    if (saved == NULL)
        return file;
    g_object_unref (file);
    return saved;
}

int
dg_command_show (const DgArguments *arguments)
{
    GError *error = NULL;
    const gchar *word = dg_command_only_word (arguments, DG_COMMAND_SHOW, "RESULT");

    if (word == NULL)
        return 2;
    g_autoptr (DgOutputs) outputs = dg_outputs_new (arguments, &error);
    if (outputs == NULL || !dg_outputs_check (outputs, &error))
        return dg_message_error (error);
    g_autoptr (GFile) file = find_result (word);
    g_autoptr (DgDocument) document = dg_document_load (file, &error);
    if (document == NULL) {
        /* What could not be opened is named by the sentence itself. */
        g_autofree gchar *name = g_file_get_parse_name (file);
        g_autofree gchar *shown = dg_text_sanitize (name);
        if (strstr (error->message, shown) == NULL)
            g_prefix_error (&error, "%s: ", shown);
        return dg_message_error (error);
    }
    return dg_outputs_write (outputs, document) ? 0 : 3;
}
