/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/spares.h"

#include <stdlib.h>

struct DgSpares {
    DgSpares *next; /* in `lists` */
    HANDLE kept;
    bool is_overlapped, is_closed;
    uint32_t n_here, n_lent;
    DgSpare here[];
};

/* Queues are opened and closed by workers, all at once. */
static SRWLOCK lock = SRWLOCK_INIT;
static DgSpares *lists;

DgSpares *
dg__spares_new (HANDLE kept, bool is_overlapped, const HANDLE *files, uint32_t n)
{
    DgSpares *spares = calloc (1, sizeof *spares + n * sizeof *spares->here);
    if (spares == NULL)
        return NULL;
    spares->kept = kept;
    spares->is_overlapped = is_overlapped;
    spares->n_here = n;
    for (uint32_t i = 0; i < n; i++)
        spares->here[i].file = files[i];
    AcquireSRWLockExclusive (&lock);
    spares->next = lists;
    lists = spares;
    ReleaseSRWLockExclusive (&lock);
    return spares;
}

DgSpares *
dg__spares_take (HANDLE kept, bool is_overlapped, DgSpare *ret_spare)
{
    AcquireSRWLockExclusive (&lock);
    DgSpares *spares = lists;
    while (spares != NULL && (spares->kept != kept || spares->is_overlapped != is_overlapped))
        spares = spares->next;
    if (spares != NULL && spares->n_here == 0)
        spares = NULL;
    if (spares != NULL) {
        *ret_spare = spares->here[--spares->n_here];
        spares->n_lent++;
    }
    ReleaseSRWLockExclusive (&lock);
    return spares;
}

static void
close_one (DgSpare spare)
{
    CloseHandle (spare.file);
    if (spare.port != NULL)
        CloseHandle (spare.port);
}

void
dg__spares_give_back (DgSpares *spares, DgSpare spare)
{
    AcquireSRWLockExclusive (&lock);
    bool is_closed = spares->is_closed;
    spares->n_lent--;
    bool is_last = is_closed && spares->n_lent == 0;
    if (!is_closed)
        spares->here[spares->n_here++] = spare;
    ReleaseSRWLockExclusive (&lock);
    if (is_closed)
        close_one (spare);
    if (is_last)
        free (spares);
}

void
dg__spares_close (DgSpares *spares)
{
    if (spares == NULL)
        return;
    AcquireSRWLockExclusive (&lock);
    for (DgSpares **at = &lists; *at != NULL; at = &(*at)->next)
        if (*at == spares) {
            *at = spares->next;
            break;
        }
    spares->is_closed = true;
    bool is_last = spares->n_lent == 0;
    uint32_t n = spares->n_here;
    spares->n_here = 0;
    for (uint32_t i = 0; i < n; i++)
        close_one (spares->here[i]);
    ReleaseSRWLockExclusive (&lock);
    if (is_last)
        free (spares);
}
