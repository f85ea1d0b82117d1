/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: questions that a file system may leave unanswered are asked by threads
 * of their own, all at once. */
#pragma once

#include "engine/windows/queries.h"

#define DG_WIN_ANSWER_NS UINT64_C (2000000000)
#define DG_WIN_FOLDERS   4u

typedef struct {
    /* The question: a mount point, or a path whose mount point is to be found first. */
    wchar_t mount[MAX_PATH], volume[64];
    wchar_t *path; /* (owned) (nullable) */

    /* The answer. */
    bool is_answered;     /* within DG_WIN_ANSWER_NS */
    DWORD os_code;        /* of finding the path, or 0 */
    bool is_folder;       /* the path is one */
    bool has_information; /* false: no medium, locked, … */
    DgWinVolume information;
    int bitlocker;            /* 1, 0, -1 = unknown, or not told in time */
    wchar_t folder[MAX_PATH]; /* the first on it that can be written to; "" = none. With a path: not
                                 asked */
    bool can_write;           /* with a path: there */
    bool is_home;             /* the user's home lies on it */
} DgWinAsk;

/* A fresh question, NULL when there is no memory. `path` is copied. */
DgWinAsk *dg__win_ask_new (const wchar_t *mount, const wchar_t *volume, const wchar_t *path);

/* Asks them all. Those without an answer are replaced by copies of their questions: what their
 * threads still use stays behind. False when there is no memory or no thread. */
bool dg__win_ask_all (const DgWinQueries *q, DgWinAsk **asks, uint32_t n);

/* NULL-safe. */
void dg__win_ask_free (DgWinAsk *ask);
