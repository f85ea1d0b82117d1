/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small reads below sysfs, proc and run: attributes, links, text made safe. Nothing here fails
 * loudly: what cannot be read is unknown. Attributes are opened without blocking, so that a tree
 * made of FIFOs or sockets cannot hold anybody up. Any thread. */
#pragma once

#include "engine/targets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DG__PATH_SIZE = 4096
};

/* DgRoots with every member set. */
typedef struct {
    const char *sysfs, *proc, *run, *dev, *sandbox_info;
} DgSys;

DgSys dg__sys_init (const DgRoots *roots);

/* printf into a path buffer of DG__PATH_SIZE; false (and an empty string) if it does not fit. */
bool dg__path (char *ret_path, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Up to size - 1 bytes of the file, NUL-terminated; the number of bytes, or -1 (and an empty
 * string) if it cannot be read. */
long dg__read_file (const char *path, char *ret_text, size_t size);

/* The whole file, at most `limit` bytes, NUL-terminated. (owned) (nullable). `ret_size` may be
 * NULL. */
char *dg__read_all (const char *path, size_t limit, size_t *ret_size);

/* An attribute without the white space around it; false (and an empty string) if it is missing,
 * unreadable or empty. */
bool dg__attr (const char *folder, const char *name, char *ret_text, size_t size);

/* The same as valid UTF-8. (owned) (nullable) */
char *dg__attr_dup (const char *folder, const char *name);

/* A decimal number; `fallback` if there is none. Text behind the number is an error, except white
 * space. */
uint64_t dg__attr_u64 (const char *folder, const char *name, uint64_t fallback);

/* The names in a folder, sorted, without those that begin with a dot; NULL-terminated. Read until
 * two readings agree: the kernel (6.1) now and then leaves out a name while another goes away.
 * (owned) (nullable): NULL if it cannot be read. */
char **dg__names (const char *folder);

void dg__names_free (char **names);

/* The last component of where folder/name points to. */
bool dg__link_name (const char *folder, const char *name, char *ret_text, size_t size);

/* realpath of folder/name into a buffer of DG__PATH_SIZE. */
bool dg__real_path (const char *folder, const char *name, char *ret_path);

/* Cuts the last component off. False if there is nothing left above `root`. */
bool dg__parent_path (char *path, const char *root);

/* Points into path. */
const char *dg__base_name (const char *path);

/* `length` bytes of text, trimmed, invalid UTF-8 replaced by U+FFFD. NULL for empty text. (owned)
 * (nullable) */
char *dg__text_dup (const char *text, size_t length);

bool dg__has_prefix (const char *text, const char *prefix);

/* printf, as valid UTF-8. (owned) (nullable) */
char *dg__format (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
