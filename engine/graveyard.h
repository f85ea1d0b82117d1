/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: where everything goes that the kernel may still write into. It is never freed:
 * the one allowed leak. */
#pragma once

/* Keeps `thing` reachable until the process ends. Never fails. Any thread. */
void dg__graveyard_bury (void *thing);

/* How many lie there. Any thread. */
unsigned dg__graveyard_count (void);
