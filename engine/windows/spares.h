/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: handles to a test file that were opened while it still had its name,
 * for queues on a file system that opens nothing without one. A handle is lent to one queue at a
 * time, with the completion port that it is bound to for good. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

typedef struct DgSpares DgSpares;

typedef struct {
    HANDLE file;
    HANDLE port; /* (nullable) made by the first queue that had it */
} DgSpare;

/* Takes `n` handles to the file of `kept`, overlapped ones or not, over into a list that
 * dg__spares_take () finds. NULL when there is no memory: then the handles stay the caller's. */
DgSpares *dg__spares_new (HANDLE kept, bool is_overlapped, const HANDLE *files, uint32_t n);

/* One for a queue, of the list whose file `kept` is; NULL when there is no such list, or none of
 * that kind left. Any thread. */
DgSpares *dg__spares_take (HANDLE kept, bool is_overlapped, DgSpare *ret_spare);

/* Back into the list, or closed when the list is. Nothing may be under way on it. Any thread. */
void dg__spares_give_back (DgSpares *spares, DgSpare spare);

/* Closes what is not lent; the list goes with the last one that comes back. NULL-safe. */
void dg__spares_close (DgSpares *spares);
