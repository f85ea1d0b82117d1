/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by document.c, document-view.c, document-test.c and document-save.c only. */
#pragma once

#include "app/core/document.h"

G_BEGIN_DECLS

struct _DgDocument {
    gatomicrefcount references;
    json_t *root;     /* (owned) the truth */
    DgDocView view;   /* made from root */
    GPtrArray *owned; /* of everything that the view points to, but the findings and the comment */
    GPtrArray *findings; /* of what the view's findings point to */
};

#define DG_DOCUMENT_MAX_BYTES   (64u * 1024u * 1024u)
#define DG_DOCUMENT_MAX_ENTRIES 1000000u /* of one array or object */
#define DG_DOCUMENT_MAX_VALUES                                                                     \
    4000000u /* of the whole document: what a machine with little memory still takes */
#define DG_DOCUMENT_MAX_DEPTH 64u

/* Refuses what is too large, too deep or has too many entries, before any of it is built in memory.
 */
gboolean dg_document_scan (const gchar *text, gsize length, GError **error);

/* Fills self->view from self->root; `self` stays unusable on an error. */
gboolean dg_document_make_view (DgDocument *self, GError **error);
gboolean dg_document_refuse_key (const gchar *key,
                                 GError **error); /* sets the error, returns FALSE */
void dg_document_make_findings_view (DgDocument *self);
void dg_document_make_comment_view (DgDocument *self);

/* As dg_document_save (), of a text made before. Any thread. */
gboolean dg_document_write_text (const gchar *text, GFile *file, GError **error);

void dg_document_parse_test (GPtrArray *owned, json_t *object, DgDocTest *test);

/* Reading a tree of which nothing is certain: NULL and wrong types give "unknown". Memory goes into
 * `owned`. */
gpointer dg_json_new (GPtrArray *owned, gsize n, gsize size); /* zeroed; NULL for n = 0 */
gchar *dg_json_text (GPtrArray *owned, json_t *object,
                     const gchar *key);                 /* sanitized, NULL = unknown */
guint64 dg_json_u64 (json_t *object, const gchar *key); /* DG_DOC_UNKNOWN */
guint64 dg_json_u64_value (json_t *value);
gdouble dg_json_double (json_t *object, const gchar *key); /* NAN */
gint dg_json_truth (json_t *object, const gchar *key);     /* 1, 0, -1 */
guint dg_json_array_size (json_t *object, const gchar *key);

G_END_DECLS

/* What the system said, without the names of files that GLib puts before it, as the user did not
 * choose those. (transfer none), as long as `problem` lives. */
const gchar *dg__document_problem (const GError *problem);
