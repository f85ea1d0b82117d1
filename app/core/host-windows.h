/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a Windows is called. For host-windows.c and its test. */
#pragma once

#include <glib.h>

typedef struct {
    guint major, minor, build; /* RtlGetVersion */
    gboolean is_server;
    guint registry_build; /* 0 = unknown */
    const gchar *product; /* (nullable) ProductName of the registry, "Windows 10 Pro" */
    const gchar *display; /* (nullable) DisplayVersion or ReleaseId, "23H2" */
} DgWindowsVersion;

/* "Windows 11 Pro 23H2 (build 22631)": the name by version and build (Windows 11 begins at build
 * 22000), edition and display version where the registry speaks of the same Windows. Any thread.
 * (transfer full) */
gchar *dg__windows_name (const DgWindowsVersion *version);
