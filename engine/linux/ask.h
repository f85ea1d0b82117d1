/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to file systems that may never be answered: asked in threads of their own, all at once,
 * with a time limit. A thread that does not come back is left behind with its own copy of the
 * question; that mount is then not asked again as long as the thread is away and the line in
 * mountinfo is the same. Any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    DG__ASK_LIST_MS = 1000, /* all questions of a list together: nobody named that mount */
    DG__ASK_FIND_MS = 2000, /* the one mount that somebody wants */
    DG__ASK_MAX_PATHS = 16
};

typedef struct {
    /* The question. Strings are copied. */
    const char *paths[DG__ASK_MAX_PATHS]; /* the first that is a folder is asked statfs; the first
                                             that can be written to is used */
    uint32_t n_paths;
    uint64_t line_hash; /* of the mount; 0 = do not remember */
    const char *device; /* (nullable) a block device to be asked for label and uuid, if this user
                           may read it */
    uint32_t device_major, device_minor;
    bool want_real_path; /* paths[0] is resolved first */

    /* The answer. */
    bool is_answered; /* false: nothing below holds */
    int os_code;      /* of statfs (or realpath, or no path being a folder); 0 = the figures hold */
    int folder;       /* index in paths, -1 = none can be written to */
    int folder_os_code; /* why the first folder cannot be written to */
    int first_folder;   /* index of the first path that is a folder, -1 */
    uint64_t f_type, size_bytes, free_bytes;
    uint32_t block_bytes;
    bool is_read_only;  /* the mount says so */
    char *label, *uuid; /* (owned) (nullable) */
    char *real_path;    /* (owned) (nullable) */
} DgAsk;

/* The moment `ms` from now, for dg__ask_all (). */
int64_t dg__ask_end (uint32_t ms);

/* Fills the answers; returns when all have been answered or the end has come. DG_ERROR_NO_MEMORY
 * also where no thread can be started. */
int dg__ask_all (DgAsk *asks, uint32_t n, int64_t end);

void dg__ask_done (DgAsk *ask);
