/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as the system has them, for tests that run on each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    FILES_NEW,    /* read and write; must not exist */
    FILES_DIRECT, /* read and write, past the page cache where there is that */
    FILES_READ_ONLY
} FilesMode;

/* -1 on failure. */
intptr_t files_open (const char *path, FilesMode mode);
void files_close (intptr_t file); /* -1: nothing */

/* A path for a new file in $DG_TEST_FOLDER or a folder that lies on a drive. */
bool files_place (char *ret_path, unsigned size, const char *name);

/* Bytes, or a negative number. */
int64_t files_read (intptr_t file, void *bytes, uint64_t size, uint64_t offset);
int64_t files_write (intptr_t file, const void *bytes, uint64_t size, uint64_t offset);
bool files_flush (intptr_t file);
uint64_t files_size (intptr_t file);
void files_remove (const char *path);

/* In use, as a test file whose run goes on: -1 on failure. */
intptr_t files_open_used (const char *path);

/* What lies on the drive for it. */
uint64_t files_allocated_bytes (intptr_t file);

bool files_make_folder (const char *path);
bool files_remove_folder (const char *path); /* an empty one */
unsigned files_count (const char *folder);   /* names in it */

/* Of the file system, with all that was written or deleted taken into account. */
uint64_t files_free_bytes (const char *folder);

/* A file that takes no byte, -1 where there is none. */
intptr_t files_open_full (void);

/* A file that keeps who reads from it waiting until it is given something at its other end; false
 * where there is none. */
bool files_open_silent (intptr_t *ret_file, intptr_t *ret_other_end);
bool files_answer (intptr_t other_end, const void *bytes, uint64_t size);

/* A file that can be made to answer "later" to whoever does not wait; -1 where there is none. */
intptr_t files_open_later (uint64_t bytes);
void files_say_later (intptr_t file, bool says_later);

/* What `xz -6` makes of it, each MiB for itself; UINT64_MAX where there is no xz. */
uint64_t files_xz_bytes (const unsigned char *data, uint64_t bytes);

/* The codes of a backend that is asked for an odd offset, to write what is only for reading, and
 * when there is no room. */
extern const int files_code_odd, files_code_read_only, files_code_full;
