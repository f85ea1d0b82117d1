/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Linux: test files that have a name while they are in use, and what is left of
 * them. */
#pragma once

#include <stdbool.h>

#define DG_TEST_NAME_BYTES 64u

/* A fresh `drivegauge-test-<16 hex digits>.tmp`. False when the system has no random numbers. */
bool dg__test_name_new (char ret_name[DG_TEST_NAME_BYTES]);

/* Puts a name in the list that dg_test_files_remove_all () removes; `folder_fd` stays the caller's
 * and must stay open until it is taken off. Returns its place, -1 when the list is full. */
int dg__test_name_register (int folder_fd, const char *name);
void dg__test_name_unregister (int place);

/* True if `fd` is what `name` in the folder stands for. */
bool dg__test_name_is (int folder_fd, const char *name, int fd);
