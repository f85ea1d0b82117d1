/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/state.h"

#define TO(state) (1u << DG_STATE_##state)

/* Each row: where a state may go. PREPARING ends in DONE when no step could be run; DRAINING leads
 * on to the next pass or to the end. */
static const unsigned moves[] = {
    [DG_STATE_IDLE] = TO (PREPARING),
    [DG_STATE_PREPARING] =
        TO (WARMING) | TO (MEASURING) | TO (DONE) | TO (STOPPED) | TO (FAILED) | TO (ABANDONED),
    [DG_STATE_WARMING] = TO (DRAINING),
    [DG_STATE_MEASURING] = TO (DRAINING),
    [DG_STATE_DRAINING] =
        TO (WARMING) | TO (MEASURING) | TO (DONE) | TO (STOPPED) | TO (FAILED) | TO (ABANDONED),
    [DG_STATE_DONE] = 0,
    [DG_STATE_STOPPED] = 0,
    [DG_STATE_FAILED] = 0,
    [DG_STATE_ABANDONED] = 0,
};

bool
dg__state_may (DgState from, DgState to)
{
    if (from > DG_STATE_ABANDONED || to > DG_STATE_ABANDONED)
        return false;
    return (moves[from] & (1u << to)) != 0;
}

bool
dg__state_is_final (DgState state)
{
    return state >= DG_STATE_DONE;
}
