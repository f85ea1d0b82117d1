/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of test files: after a signal, and after runs that were killed (DESIGN section 5). */
#pragma once

#include <stdint.h>

/* Removes the visible names of all test files in use, but for those on a drive that does not answer any more, for a program that is about to die. Async-signal-safe: no lock, no memory, errno kept.
 * Their runs may go on; the space comes free when the last descriptor is closed. Any thread. */
void dg_test_files_remove_all (void);

/* From now on the signals that would end the process, and that it neither handles nor ignores at this moment, first remove those names and then end it as
 * they would have. SIGXFSZ is ignored: a write past the user's limit fails like one to a full disk, and a result is not lost with the program. To be called
 * at the start of a program, after its own handlers are set. Windows deletes on close; there it lets the errors of drives come back as errors instead of
 * asking people in a dialog. */
void dg_test_files_guard_signals (void);

/* Deletes what killed runs left in `folder`: files named `drivegauge-test-*.tmp` that nobody has locked. Returns how many; 0 on any error, too. A run does
 * so by itself; this is for the start of a program. May block as long as the file system does not answer. Any thread. */
uint64_t dg_test_files_remove_leftovers (const char *folder);
