/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/commands.h"
#include "app/cli/message.h"
#include "app/core/app-error.h"
#include "app/core/document-build.h"
#include "app/core/numbers.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

/* Saved in scripts that read the JSON: never change a word. */
static const gchar *
reason_word (DgTargetUse use)
{
    switch (use) {
    case DG_TARGET_USABLE:
        return NULL;
    case DG_TARGET_NOT_MOUNTED:
        return "not-mounted";
    case DG_TARGET_READ_ONLY:
        return "read-only";
    case DG_TARGET_NO_PERMISSION:
        return "no-permission";
    case DG_TARGET_NO_ANSWER:
        return "no-answer";
    case DG_TARGET_NOT_A_DISK:
        return "not-a-disk";
    case DG_TARGET_FULL:
        return "full";
    }
    return "unknown";
}

static const gchar *
reason_sentence (DgTargetUse use, gboolean in_sandbox)
{
    if (use == DG_TARGET_NOT_MOUNTED && in_sandbox)
        return _ ("It is not mounted, or hidden by the sandbox. Name a folder on it.");
    switch (use) {
    case DG_TARGET_USABLE:
        break;
    case DG_TARGET_NOT_MOUNTED:
        return _ ("Nothing on it is mounted. Mount a file system of it first.");
    case DG_TARGET_READ_ONLY:
        return _ ("It is mounted read-only. Mount it writable.");
    case DG_TARGET_NO_PERMISSION:
        return _ ("You may not write here. Choose a folder of yours on it.");
    case DG_TARGET_NO_ANSWER:
        return _ ("It does not answer. Check the drive or the network.");
    case DG_TARGET_NOT_A_DISK:
        return _ ("This is no drive.");
    case DG_TARGET_FULL:
        return _ ("It is full. Make room first.");
    }
    return "";
}

/* What has no mount is there for its drive only; what the system made up is no target at all. */
static gboolean
is_shown (const DgTarget *target)
{
    return target->mount != NULL && target->fs_kind != DG_FS_PSEUDO;
}

static gboolean
is_on_drive (const DgTarget *target, guint32 drive)
{
    for (guint32 i = 0; i < target->n_drives; i++)
        if (target->drives[i] == drive)
            return TRUE;
    return FALSE;
}

/* ---- JSON ---- */

static json_t *
text_or_null (const gchar *text)
{
    g_autofree gchar *clean = dg_text_sanitize (text);

    return clean != NULL ? json_string (clean) : json_null ();
}

static json_t *
make_target (const DgTargetList *list, guint32 t)
{
    const DgTarget *target = &list->targets[t];
    json_t *object = dg_build_target (list, t);

    json_object_set_new (object, "folder", text_or_null (target->folder));
    json_object_set_new (object, "usable", json_boolean (target->use == DG_TARGET_USABLE));
    json_object_set_new (object, "reason", text_or_null (reason_word (target->use)));
    return object;
}

static json_t *
make_entry (json_t *drive /* (transfer full) */, json_t *link /* (transfer full) */,
            json_t *targets /* (transfer full) */)
{
    gboolean is_usable = FALSE;
    const gchar *reason = "not-mounted";
    gsize i;
    json_t *target;

    json_array_foreach (targets, i, target)
    {
        is_usable = is_usable || json_is_true (json_object_get (target, "usable"));
        if (i == 0)
            reason = json_string_value (json_object_get (target, "reason"));
    }
    json_t *entry = json_object ();
    json_object_set_new (entry, "drive", drive);
    json_object_set_new (entry, "link", link);
    json_object_set_new (entry, "usable", json_boolean (is_usable));
    json_object_set_new (entry, "reason", is_usable ? json_null () : text_or_null (reason));
    json_object_set_new (entry, "targets", targets);
    return entry;
}

/* Also of a drive that no target of its own has: the second one of a RAID. */
static json_t *
make_drive_entry (const DgTargetList *list, guint32 d)
{
    DgTarget lone = { .drives = &d,
                      .n_drives = 1,
                      .use = DG_TARGET_NOT_MOUNTED,
                      .partition_start_bytes = UINT64_MAX };
    DgTargetList lone_list = *list;
    lone_list.targets = &lone;
    lone_list.n_targets = 1;
    json_t *shell = dg_build_target (&lone_list, 0);
    json_t *targets = json_array ();

    for (guint32 t = 0; t < list->n_targets; t++)
        if (is_shown (&list->targets[t]) && is_on_drive (&list->targets[t], d))
            json_array_append_new (targets, make_target (list, t));
    json_t *entry = make_entry (json_incref (json_object_get (shell, "drive")),
                                json_incref (json_object_get (shell, "link")), targets);
    json_decref (shell);
    return entry;
}

static int
print_json (const DgTargetList *list)
{
    json_t *root = json_object (), *entries = json_array ();

    for (guint32 d = 0; d < list->n_drives; d++)
        json_array_append_new (entries, make_drive_entry (list, d));
    for (guint32 t = 0; t < list->n_targets; t++)
        if (is_shown (&list->targets[t]) && list->targets[t].n_drives == 0) {
            json_t *targets = json_array ();
            json_array_append_new (targets, make_target (list, t));
            json_array_append_new (entries, make_entry (json_null (), json_null (), targets));
        }
    json_object_set_new (root, "drives", entries);

    gchar *text = json_dumps (root, JSON_INDENT (2));
    json_decref (root);
    if (text == NULL) {
        dg_message (_ ("There is too little memory for the list. Close other programs."));
        return 3;
    }
    g_autofree gchar *line = g_strconcat (text, "\n", NULL);
    free (text);
    return dg_message_output (line, strlen (line)) ? 0 : 3;
}

/* ---- for people ---- */

enum {
    COLUMN_FOLDER,
    COLUMN_TYPE,
    COLUMN_SIZE,
    COLUMN_FREE,
    COLUMN_DRIVE,
    N_COLUMNS
};

static gchar *
drive_text (const DgTargetList *list, const DgTarget *target)
{
    if (target->n_drives == 0)
        return dg_text_sanitize (target->source != NULL ? target->source : "—");
    const DgDrive *drive = &list->drives[target->drives[0]];
    g_autofree gchar *model = dg_text_sanitize (drive->model);
    g_autofree gchar *size =
        drive->size_bytes != 0 ? dg_number_size (drive->size_bytes, DG_FOR_FILE) : g_strdup ("");
    g_autofree gchar *link =
        dg_text_sanitize (drive->link == NULL         ? NULL
                          : drive->link->name != NULL ? drive->link->name
                                                      : drive->link->short_name);
    GString *text = g_string_new (drive->name);

    for (guint i = 0; i < 3; i++) {
        const gchar *part = i == 0 ? model : i == 1 ? size : link;
        if (part != NULL && part[0] != '\0')
            g_string_append_printf (text, "  %s", part);
    }
    return g_string_free (text, FALSE);
}

static void
fill_row (const DgTargetList *list, const DgTarget *target, gchar *cells[N_COLUMNS])
{
    const gchar *folder = target->folder != NULL ? target->folder : target->mount;
    gboolean has_size = target->size_bytes != 0;

    cells[COLUMN_FOLDER] = dg_text_sanitize (folder != NULL ? folder : "—");
    cells[COLUMN_TYPE] = dg_text_sanitize (target->filesystem != NULL ? target->filesystem : "—");
    cells[COLUMN_SIZE] =
        has_size ? dg_number_size (target->size_bytes, DG_FOR_FILE) : g_strdup ("—");
    cells[COLUMN_FREE] =
        has_size ? dg_number_size (target->free_bytes, DG_FOR_FILE) : g_strdup ("—");
    cells[COLUMN_DRIVE] = drive_text (list, target);
}

static void
append_padded (GString *text, const gchar *cell, glong width, gboolean to_the_right)
{
    glong gap = MAX (width - g_utf8_strlen (cell, -1), 0);

    for (glong i = 0; to_the_right && i < gap; i++)
        g_string_append_c (text, ' ');
    g_string_append (text, cell);
    for (glong i = 0; !to_the_right && i < gap; i++)
        g_string_append_c (text, ' ');
}

static void
append_row (GString *text, gchar *const cells[N_COLUMNS], const glong widths[N_COLUMNS])
{
    for (guint c = 0; c < N_COLUMNS - 1; c++) {
        append_padded (text, cells[c], widths[c], c == COLUMN_SIZE || c == COLUMN_FREE);
        g_string_append (text, "  ");
    }
    g_string_append (text, cells[N_COLUMNS - 1]);
    g_string_append_c (text, '\n');
}

static int
print_table (const DgTargetList *list)
{
    gchar *titles[N_COLUMNS] = { _ ("FOLDER"), _ ("FILE SYSTEM"), _ ("SIZE"), _ ("FREE"),
                                                                                 _ ("DRIVE") };
    g_autofree gchar *(*rows)[N_COLUMNS] = g_malloc0_n (MAX (list->n_targets, 1), sizeof *rows);
    glong widths[N_COLUMNS];
    GString *text = g_string_new (NULL);

    for (guint c = 0; c < N_COLUMNS; c++)
        widths[c] = g_utf8_strlen (titles[c], -1);
    for (guint32 t = 0; t < list->n_targets; t++) {
        if (list->targets[t].fs_kind == DG_FS_PSEUDO && list->targets[t].mount != NULL)
            continue;
        fill_row (list, &list->targets[t], rows[t]);
        for (guint c = 0; c < N_COLUMNS; c++)
            widths[c] = MAX (widths[c], MIN (g_utf8_strlen (rows[t][c], -1), 48));
    }
    append_row (text, titles, widths);
    for (guint32 t = 0; t < list->n_targets; t++) {
        if (rows[t][0] == NULL)
            continue;
        append_row (text, rows[t], widths);
        if (list->targets[t].use != DG_TARGET_USABLE)
            g_string_append_printf (text, "    %s\n",
                                    reason_sentence (list->targets[t].use, list->in_sandbox));
        for (guint c = 0; c < N_COLUMNS; c++)
            g_free (rows[t][c]);
    }
    g_autofree gchar *local = dg_message_to_locale (text->str);
    int status = dg_message_output (local, strlen (local)) ? 0 : 3;
    g_string_free (text, TRUE);
    return status;
}

int
dg_command_list (const DgArguments *arguments)
{
    const GPtrArray *words = dg_arguments_words (arguments);
    DgTargetList *list = NULL;
    GError *error = NULL;

    if (words->len > 0) {
        g_autofree gchar *shown = dg_text_sanitize (words->pdata[0]);
        dg_message (_ ("“%s” is one word too many: list takes none."), shown);
        return 2;
    }
    int code = dg_targets_list (NULL, &list);
    if (code != DG_OK) {
        dg_app_error_set (&error, code, NULL, _ ("the list of drives"));
        return dg_message_error (error);
    }
    int status = dg_arguments_has (arguments, "json") ? print_json (list) : print_table (list);
    dg_targets_free (list);
    return status;
}
