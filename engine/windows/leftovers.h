/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: the names of test files, and which handles delete one. */
#pragma once

#include <stdbool.h>
#include <windows.h>

#define DG_TEST_NAME_CHARS 64u

/* A fresh `drivegauge-test-<16 hex digits>.tmp`. False when the system has no random numbers. */
bool dg__test_name_new (wchar_t ret_name[DG_TEST_NAME_CHARS]);

/* Puts a handle with the right to delete in the list that dg_test_files_remove_all () goes through.
 * Returns its place, -1 when the list is full; then the file goes when the handle is closed, as
 * always. */
int dg__test_file_register (HANDLE file);
void dg__test_file_unregister (int place);

/* Asks for the name to go when this handle is closed, whoever else has the file open. False where
 * the file system does not do that. */
bool dg__test_file_posix_delete (HANDLE file);

/* The name goes with the handle where the file system can do that (POSIX delete), else when the
 * last handle is closed. */
void dg__test_file_delete (HANDLE file);
