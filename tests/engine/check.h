/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few lines of test tool: cases in a table, one TAP line each. */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED true
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

typedef struct {
    const char *name;
    void (*main) (void);
} Case;

static unsigned check_failures;

#define CHECK(claim)                                                                               \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            check_failures++;                                                                      \
            printf ("# %s:%d: not true: %s\n", __FILE__, __LINE__, #claim);                        \
        }                                                                                          \
    } while (0)

#define CHECK_U64(is, should)                                                                      \
    do {                                                                                           \
        uint64_t is_ = (uint64_t) (is), should_ = (uint64_t) (should);                             \
        if (is_ != should_) {                                                                      \
            check_failures++;                                                                      \
            printf ("# %s:%d: %s is %" PRIu64 ", not %" PRIu64 "\n", __FILE__, __LINE__, #is, is_, \
                    should_);                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_NEAR(is, should, by)                                                                 \
    do {                                                                                           \
        double is_ = (double) (is), should_ = (double) (should);                                   \
        if (!(fabs (is_ - should_) <= (double) (by))) {                                            \
            check_failures++;                                                                      \
            printf ("# %s:%d: %s is %.9g, not %.9g +- %.3g\n", __FILE__, __LINE__, #is, is_,       \
                    should_, (double) (by));                                                       \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(is, should)                                                                     \
    do {                                                                                           \
        const char *is_ = (is), *should_ = (should);                                               \
        if (is_ == NULL || strcmp (is_, should_) != 0) {                                           \
            check_failures++;                                                                      \
            printf ("# %s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #is,                \
                    is_ == NULL ? "(null)" : is_, should_);                                        \
        }                                                                                          \
    } while (0)

/* With an argument: only the cases whose name contains it. */
__attribute__ ((unused)) static int
run_cases (const Case *cases, unsigned n, int argc, char **argv)
{
    unsigned failed = 0;
    setvbuf (stdout, NULL, _IOLBF, 0);
    printf ("1..%u\n", n);
    for (unsigned i = 0; i < n; i++) {
        if (argc > 1 && strstr (cases[i].name, argv[1]) == NULL)
            continue;
        check_failures = 0;
        cases[i].main ();
        printf ("%s %u - %s\n", check_failures == 0 ? "ok" : "not ok", i + 1, cases[i].name);
        failed += check_failures != 0;
    }
    return failed != 0;
}
