/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest documents that show a finding each, and those just below its threshold. */
#pragma once

#include "app/core/document.h"
#include "app/core/findings.h"

typedef struct {
    const gchar *id; /* one id, "" for none */
    const gchar *severity;
    guint n_runs;
    const gchar *changes[8];
} FindingCase;

extern const FindingCase finding_cases[];
extern const guint n_finding_cases;

json_t *parse (const gchar *text);
json_t *make_base (guint n_runs);

/* "tests.0.direction = 'write'" */
void edit (json_t *root, const gchar *change);

/* With its findings. (transfer full) */
DgDocument *make_document (json_t *root);
DgDocument *finding_case_document (const FindingCase *c);
