/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A failed check is told and counted; the test goes on. */
#pragma once

#include <stdio.h>

extern unsigned check_failures;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf (stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                       \
            fprintf (stderr, __VA_ARGS__);                                                         \
            fputc ('\n', stderr);                                                                  \
        }                                                                                          \
    } while (0)
