/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend that keeps a log of what it is given and answers as the script says. */
#pragma once

#include "tests/io/worker-driver.h"

typedef struct {
    uint64_t offset;
    uint32_t length;
    bool is_write, is_continued;
} Sent;

#define MAX_SENT 200000u

typedef struct {
    uint32_t answer_ns;   /* each call takes that long */
    uint32_t short_every; /* each n-th answer moves a part only */
    uint64_t fail_at;     /* the n-th answer (from 1) and each after fail */
    int fail_code;        /* negative; 0 = nothing was moved */
    uint64_t break_at;    /* the n-th call breaks the queue */
    int open_error;
    bool keeps_data;
    bool answers_all; /* what is under way comes back at once */
    uint32_t room; /* at most so many under way: who submits more is held in the call (0 = any) */
    uint32_t each_ns; /* with room: the drive does one after the other, each takes that long */
    uint32_t at_once_every; /* each n-th call has an answer though none was waited for */
    uint32_t idle_every;    /* each n-th call ends without one, as a signal may end it */
} LogScript;

typedef struct {
    Sent *sent[DRIVER_MAX_WORKERS];
    uint64_t n_sent[DRIVER_MAX_WORKERS];
    _Atomic uint64_t sent_after_failure, moved, changed_in_flight, strays, empty_calls;
    _Atomic uint32_t most_in_a_call;
    unsigned char *data;
    uint64_t data_bytes, data_size;
} LogSeen;

extern LogScript script;
extern LogSeen seen;
extern const DgBackend log_backend;
