/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that could not be recorded, built after real ones of their kind. */
#pragma once

#include "tests/engine/tree.h"

typedef struct {
    const char *name;
    void (*build) (Tree *tree);
} Built;

extern const Built built[];
extern const unsigned n_built;
