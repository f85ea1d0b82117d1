/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/cli/outputs.h"

#include "app/cli/message.h"
#include "app/cli/output-file.h"
#include "app/core/app-error.h"
#include "app/core/line-ends.h"
#include "app/core/numbers.h"
#include "app/report/card.h"
#include "app/report/report.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

typedef enum {
    KIND_JSON,
    KIND_TEXT,
    KIND_MARKDOWN,
    KIND_BBCODE,
    KIND_CSV,
    KIND_PNG,
    N_KINDS
} Kind;

static const gchar *const kind_names[N_KINDS] = {
    "json", "text", "markdown", "bbcode", "csv", "png"
};

struct _DgOutputs {
    gchar *paths[N_KINDS]; /* (nullable) NULL = not asked for; "-" */
    guint scale;
    gboolean is_dark, with_identity;
};

static gboolean
refuse (GError **error, const gchar *format, const gchar *a, const gchar *b)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    g_set_error (error, DG_APP_ERROR, DG_APP_ERROR_USAGE, format, a, b);
#pragma GCC diagnostic pop
    return FALSE;
}

/* Two outputs into one file, standard output included, would overwrite each other. */
static gboolean
check_twice (const DgOutputs *self, Kind kind, GError **error)
{
    for (guint k = 0; k < kind; k++) {
        if (self->paths[k] == NULL || strcmp (self->paths[k], self->paths[kind]) != 0)
            continue;
        if (strcmp (self->paths[k], "-") == 0)
            return refuse (
                error,
                _ ("--%s and --%s cannot both go to standard output. Give one of them a file."),
                   kind_names[k], kind_names[kind]);
        return refuse (error,
                       _ ("--%s and --%s cannot both go into the same file. Give them two names."),
                          kind_names[k], kind_names[kind]);
    }
    return TRUE;
}

DgOutputs *
dg_outputs_new (const DgArguments *arguments, GError **error)
{
    g_autoptr (DgOutputs) self = g_new0 (DgOutputs, 1);
    const gchar *scale = dg_arguments_get (arguments, "scale");

    self->scale = 1;
    self->is_dark = dg_arguments_has (arguments, "dark");
    self->with_identity = !dg_arguments_has (arguments, "no-identity");
    if (scale != NULL && !dg_parse_count (scale, 1, 4, &self->scale, error)) {
        g_prefix_error (error, "--scale: ");
        return NULL;
    }
    for (guint kind = 0; kind < N_KINDS; kind++) {
        g_autoptr (GPtrArray) given = dg_arguments_get_all (arguments, kind_names[kind]);
        if (given->len == 0)
            continue;
        const gchar *path = given->pdata[given->len - 1];
        if (given->len > 1) {
            refuse (error, _ ("--%s is given more than once. Give it once."), kind_names[kind],
                              "");
            return NULL;
        }
        if (path[0] == '\0') {
            refuse (error,
                    _ ("--%s names no file. Give a file's name, or - for standard output."),
                       kind_names[kind], "");
            return NULL;
        }
        self->paths[kind] =
            strcmp (path, "-") == 0 ? g_strdup (path) : dg_output_file_resolve (path);
        if (!check_twice (self, kind, error))
            return NULL;
    }
    return g_steal_pointer (&self);
}

void
dg_outputs_free (DgOutputs *self)
{
    if (self == NULL)
        return;
    for (guint kind = 0; kind < N_KINDS; kind++)
        g_free (self->paths[kind]);
    g_free (self);
}

gboolean
dg_outputs_check (const DgOutputs *self, GError **error)
{
    for (guint kind = 0; kind < N_KINDS; kind++) {
        if (self->paths[kind] == NULL || strcmp (self->paths[kind], "-") == 0)
            continue;
        if (!dg_output_file_check (self->paths[kind], error)) {
            g_prefix_error (error, "--%s: ", kind_names[kind]);
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- writing ---- */

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
    g_byte_array_append (closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static GBytes *
make_picture (const DgOutputs *self, const DgDocView *view)
{
    DgCardOptions options = { .look = self->is_dark ? DG_LOOK_DARK : DG_LOOK_LIGHT,
                              .scale = self->scale,
                              .unit = DG_UNIT_MB };
    GByteArray *bytes = g_byte_array_new ();
    cairo_surface_t *surface = dg_card_render (view, &options);
    cairo_status_t status = cairo_surface_status (surface);

    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream (surface, append_cb, bytes);
    cairo_surface_destroy (surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return g_byte_array_free_to_bytes (bytes);
    dg_message (_ ("The picture could not be drawn (%s). Try a smaller --scale."),
                   cairo_status_to_string (status));
    g_byte_array_unref (bytes);
    return NULL;
}

static GBytes *
make (const DgOutputs *self, Kind kind, const DgDocument *document)
{
    const DgDocView *view = dg_document_view (document);
    gchar *text = NULL;

    switch (kind) {
    case KIND_JSON:
        text = dg_document_to_text (document, self->with_identity);
        break;
    case KIND_TEXT:
        text = dg_report_text (view);
        break;
    case KIND_MARKDOWN:
        text = dg_report_markdown (view);
        break;
    case KIND_BBCODE:
        text = dg_report_bbcode (view);
        break;
    case KIND_CSV:
        text = dg_report_csv (view);
        break;
    case KIND_PNG:
        return make_picture (self, view);
    case N_KINDS:
        break;
    }
    return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

/* CSV has its own rule for the ends of lines, JSON needs none. */
static gboolean
is_plain_text (Kind kind)
{
    return kind == KIND_TEXT || kind == KIND_MARKDOWN || kind == KIND_BBCODE;
}

static gboolean
write_one (const DgOutputs *self, Kind kind, const gchar *path, const DgDocument *document)
{
    g_autoptr (GBytes) bytes = make (self, kind, document);
    g_autoptr (GError) error = NULL;
    gsize size;

    if (bytes == NULL)
        return FALSE;
    gconstpointer data = g_bytes_get_data (bytes, &size);
    if (strcmp (path, "-") == 0)
        return dg_message_output (data, size);
    g_autoptr (GBytes) text = is_plain_text (kind) ? dg_line_ends_for_file (bytes) : NULL;
    if (text != NULL)
        data = g_bytes_get_data (text, &size);
    if (dg_output_file_write (path, data, size, &error))
        return TRUE;
    dg_message ("--%s: %s", kind_names[kind], error->message);
    return FALSE;
}

gboolean
dg_outputs_write (const DgOutputs *self, const DgDocument *document)
{
    gboolean is_output_used = FALSE, is_well = TRUE;

    /* Files first: a closed pipe must not cost them. */
    for (guint kind = 0; kind < N_KINDS; kind++)
        if (self->paths[kind] != NULL && strcmp (self->paths[kind], "-") != 0)
            is_well = write_one (self, (Kind) kind, self->paths[kind], document) && is_well;
    for (guint kind = 0; kind < N_KINDS; kind++)
        if (g_strcmp0 (self->paths[kind], "-") == 0) {
            is_output_used = TRUE;
            is_well = write_one (self, (Kind) kind, "-", document) && is_well;
        }
    if (!is_output_used)
        is_well = write_one (self, KIND_TEXT, "-", document) && is_well;
    return is_well;
}
