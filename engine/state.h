/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: the states of a plan run and the moves between them. */
#pragma once

#include "engine/result.h"

#include <stdbool.h>

/* Whether a plan run in `from` may go to `to`. A state may not go to itself. Any thread. */
bool dg__state_may (DgState from, DgState to);

/* DONE, STOPPED, FAILED or ABANDONED. Any thread. */
bool dg__state_is_final (DgState state);
