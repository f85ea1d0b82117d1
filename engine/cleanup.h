/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For signal handlers. */
#pragma once

/* Removes the visible names of all test files in use (DESIGN section 5), for a program that is about to die. Async-signal-safe: no lock, no
 * memory, errno kept. Their runs may go on; the space comes free when the last descriptor is closed. Any thread. */
void dg_test_files_remove_all (void);
