/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What data looks like to a drive that would save work. */
#pragma once

#include <stdint.h>

/* How many of the 512-byte sectors of `data` are equal to an earlier one. */
uint64_t sectors_repeated (const unsigned char *data, uint64_t bytes);

