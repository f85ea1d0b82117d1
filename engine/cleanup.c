/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/cleanup.h"
#include "engine/test-file.h"

uint64_t
dg_test_files_remove_leftovers (const char *folder)
{
    return folder == NULL ? 0 : dg__test_file_remove_leftovers (folder);
}
