/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: paths are UTF-8 at the engine's face and UTF-16 for the system. */
#pragma once

#include <stdbool.h>
#include <wchar.h>

/* Absolute and normal, with the prefix that lifts the limit of 260 characters (\\?\, \\?\UNC\).
 * NULL when it is no valid UTF-8, no path, or there is no memory; free () it. */
wchar_t *dg__wide_path (const char *path);

/* A name in a folder of dg__wide_path (), behind whose prefix each backslash is taken as it
 * stands: there is one between them, whether the folder ends with one or not. NULL when there is no
 * memory; free () it. */
wchar_t *dg__wide_join (const wchar_t *folder, const wchar_t *name);

/* NULL when there is no memory; free () it. What is no valid UTF-16 becomes U+FFFD. */
char *dg__utf8_of (const wchar_t *text);

/* As people write it: without the prefix of dg__wide_path (). Volume names (\\?\Volume{…}) keep it.
 * Into the same memory. */
void dg__strip_prefix (wchar_t *path);
