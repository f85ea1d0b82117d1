/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: making the test file, and taking its name away while it is in use. */
#pragma once

#include "engine/windows/test-file-private.h"

/* What that asks of the system; tests bring other answers, for no system gives them all. */
typedef struct {
    /* The name goes, and the file stays for those who have it open. False: neither; or
     * `*ret_is_harmed`, and nothing is sure any more. */
    bool (*unlink) (HANDLE file, const wchar_t *path, bool *ret_is_harmed);
    /* One more handle to the file of a handle, shared with all. INVALID_HANDLE_VALUE on failure. */
    HANDLE (*reopen) (HANDLE file, DWORD access, DWORD flags);
} DgNameCalls;

extern const DgNameCalls dg__name_calls;

/* Makes the empty file in `folder`, uncompressed, and takes its name away in the best way that is
 * seen to work, or else keeps it; tells by result.name_visible and file->path. Codes and detail as
 * dg__test_file_create (). */
int dg__test_file_make (const DgNameCalls *calls, DgTestFile *file, const wchar_t *folder,
                        const DgPlanTarget *target, const DgPlan *plan, DgErrorDetail *ret_detail);

/* dg__test_file_create () with other answers. */
int dg__test_file_create_by (const DgNameCalls *calls, const DgPlanTarget *target,
                             const DgPlan *plan, DgTestFile **ret_file, DgErrorDetail *ret_detail);
