/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines whose file systems do not lie on one drive's partition. */
#pragma once

#include "tests/engine/links-built.h"

extern const Built stacks[];
extern const unsigned n_stacks;
