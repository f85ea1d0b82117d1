/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: which backend a step runs on (DESIGN section 4.13). A pure function, so that
 * each row of the rule can be tested. */
#pragma once

#include "engine/plan.h"
#include "engine/result.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    DgBackendId asked;
    uint32_t queue_depth; /* the greatest of the step's streams */
    bool writes;          /* a stream of the step writes with a queue deeper than 1 */
    int nowait;           /* as dg__test_file_nowait (); 0 if any target says so */
    uint32_t available; /* bit 1 << id: in this build, its probe was good and no queue of this step
                           failed to open */
} DgBackendQuestion;

typedef struct {
    DgBackendId id;  /* DG_BACKEND_AUTO: the step cannot be run */
    DgReason reason; /* why this one, or why none */
} DgBackendAnswer;

DgBackendAnswer dg__backend_choose (const DgBackendQuestion *question);
