/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with an NVMe drive behind a switch and a USB drive behind a hub, for tests: Wine has no
 * drives. Its answers are built by the structures' documentation, and as hubs are known to give
 * them; none was recorded on a real machine. */
#pragma once

#include "engine/windows/queries.h"

#include <winioctl.h>

/* What a test changes. */
typedef struct {
    const wchar_t *usb_driver;
    ULONG usb_flags, usb_old_speed, usb_lane_speed, usb_lanes_less_one;
    bool has_plus, is_locked, is_full, is_slow, is_shell_slow;
    bool is_cut_off; /* the list of a volume's drives */
    bool is_hard_disk, is_better_performance;
    int cache_enabled, cache_type; /* WRITE_CACHE_ENABLE, WRITE_CACHE_TYPE */
    bool is_usb3_socket;           /* its USB 3 half is port 6 of the same hub, or of another one */
    bool is_other_hub;
    uint32_t nvme_width;
    STORAGE_BUS_TYPE inner_bus; /* of the other disk; 0 = NVMe */
    const wchar_t *inner_driver;
} FakeSystem;

extern FakeSystem fake_system;

/* As it is at first, and how to ask it. */
DgWinQueries fake_system_new (void);
