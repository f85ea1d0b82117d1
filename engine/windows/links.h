/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal, Windows: drives and what they hang on. */
#pragma once

#include "engine/targets.h"
#include "engine/windows/queries.h"

/* Reads the disk behind a device interface and its chain up to the host controller. `instance` is
 * its device instance id, "" when unknown. False when it does not even tell its own descriptor, or
 * there is no memory; then `drive` owns nothing. *ret_policy: "quick removal", "better performance"
 * (static), or NULL when it cannot be removed or does not tell. */
bool dg__win_drive_read (const DgWinQueries *q, uint32_t number, const wchar_t *device,
                         const wchar_t *instance, DgDrive *ret_drive, const char **ret_policy);

/* links.c: never NULL unless there is no memory. `bus_type`: STORAGE_BUS_TYPE. */
DgLink *dg__win_link_read (const DgWinQueries *q, const wchar_t *instance, int bus_type,
                           DgDrive *drive);

/* Of drives whose chains meet in the same hub or bridge. `instances[i]` belongs to drive i. */
void dg__win_links_count_neighbours (const DgWinQueries *q, DgDrive *drives,
                                     wchar_t *const *instances, uint32_t n);

/* Device instances from the disk (not included) up, at most `most`; how many. */
uint32_t dg__win_chain (const DgWinQueries *q, const wchar_t *instance,
                        wchar_t (*ret_chain)[DG_WIN_TEXT], uint32_t most);
