/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between POSIX and Windows in the tests of app/core. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

#ifdef G_OS_WIN32
#define TEST_IO_ERROR 1117                  /* ERROR_IO_DEVICE */
#define TEST_LIST_US  (10 * G_USEC_PER_SEC) /* Wine asks its server for each file */
#else
#include <errno.h>
#define TEST_IO_ERROR EIO
#define TEST_LIST_US  (G_USEC_PER_SEC / 2)
#endif

/* Is it for its owner alone? On Windows the rights come from the folder above, the user's own, and
 * no mode of the file shows them. */
static inline void
assert_private (const gchar *path, guint mode)
{
    GStatBuf status;
    g_assert_cmpint (g_stat (path, &status), ==, 0);
#ifndef G_OS_WIN32
    g_assert_cmpint (status.st_mode & 0777, ==, mode);
#endif
}
