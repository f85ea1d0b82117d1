/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: measuring without a drive. The plan's script says how long each I/O takes and
 * how it ends; the clock is a fake one that jumps from one moment to the next as soon as every
 * thread of the engine waits for it, so a run of seconds takes milliseconds and its times are
 * exact. One plan run with a fake clock at a time in a process. */
#pragma once

#include "engine/backend.h"
#include "engine/test-file.h"

#include <stdbool.h>
#include <stdint.h>

#define DG_NULL_NEVER UINT64_MAX

typedef struct {
    uint32_t target; /* index of the file, in the order of creation */
    uint32_t pass;   /* 0-based pass (warm-up or run) over that file */
    uint32_t worker; /* index among the workers of the pass */
    uint64_t number; /* 0-based I/O of that worker in that pass; a continued short transfer counts
                        again */
    uint64_t now_ns;
    uint64_t offset_bytes;
    uint32_t length_bytes;
    bool is_write;
    const unsigned char *buffer;
} DgNullIo;

typedef struct {
    uint64_t latency_ns; /* 0 counts as 1; DG_NULL_NEVER: it does not come back */
    int32_t result;      /* bytes, or a negative errno */
} DgNullAnswer;

/* At `when_ns` of the fake clock `call` is called, in some thread of the engine; it must not sleep.
 */
typedef struct {
    uint64_t when_ns;
    void (*call) (void *data);
    void *data;
} DgNullEvent;

/* All zero: every I/O succeeds after 1 ns. Times are counted from DG_NULL_START_NS. */
typedef struct DgNullScript {
    uint64_t latency_ns;
    /* (nullable) Changes the answer prepared from latency_ns and the length. In the worker's
     * thread. */
    void (*answer) (const struct DgNullScript *script, const DgNullIo *io, DgNullAnswer *answer);
    void *data;
    bool real_time;            /* the system's clock */
    bool starts_held;          /* the fake clock stands until dg__null_clock_go () */
    const DgNullEvent *events; /* by rising when_ns */
    uint32_t n_events;
    int open_error;     /* DgError of opening a queue */
    bool gives_back;    /* I/Os that are cancelled come back at once */
    uint32_t breaks_at; /* from that call on (1 = the first) the first pass's queues are broken */
    bool is_lost;       /* what is then under way does not come back */

    /* the test file */
    uint64_t prepare_ns;
    int prepare_os_code; /* its end; 0 = good */
    bool prepare_ignores_stop;
    bool prepares_twice; /* it begins again when it was through */
    uint64_t flush_ns, close_ns;
    void (*closed) (const struct DgNullScript *script); /* (nullable) told when it is deleted */
    int flush_os_code;
    uint64_t logical_block_bytes; /* 0 = 512 */
    bool refuses_direct;          /* buffered mode */
    DgDirectness direct;
    bool is_mirror; /* several drives below one */
    uint64_t
        foreign_bytes; /* counted by the drive on top of ours, each time its counters are read */
} DgNullScript;

#define DG_NULL_START_NS 1000000000u

extern const DgBackend dg__backend_null;

/* The clock of a script. `begin` before the coordinator starts, `end` when its threads have ended
 * or will never run again. */
int dg__null_clock_begin (const DgNullScript *script);
void dg__null_clock_end (void);
void dg__null_clock_go (void);

/* The machine sleeps that long, seen by dg__clock_boot_ns () only. In an event. */
void dg__null_clock_suspend (uint64_t ns);

/* The program stands still that long, while drives go on. In an event. */
void dg__null_clock_stand (uint64_t ns);

/* The stamps jump, forwards or back, as a processor's counter may that slept. In an event. */
void dg__null_clock_jump (int64_t ns);

/* A test file that is none: as in engine/test-file.h. */
int dg__null_file_create (const DgPlanTarget *target, const DgPlan *plan, DgTestFile **ret_file,
                          DgErrorDetail *ret_detail);
int dg__null_file_prepare (DgTestFile *file, DgData data, uint64_t seed,
                           DgPrepareProgress *progress, DgErrorDetail *ret_detail);
const DgFileResult *dg__null_file_result (const DgTestFile *file);
intptr_t dg__null_file_handle (const DgTestFile *file);
const char *dg__null_file_path (const DgTestFile *file);
int dg__null_file_flush (DgTestFile *file, DgErrorDetail *ret_detail);
void dg__null_file_drop_cache (DgTestFile *file);
int dg__null_file_nowait (DgTestFile *file, uint64_t block_bytes, uint64_t *ret_read_ns);
void dg__null_file_close (DgTestFile *file);
void dg__null_file_leave (DgTestFile *file);
void dg__null_file_cache_state (DgTestFile *file, DgCacheState *ret_state);
DgDirectness dg__null_file_judge (DgTestFile *file, const DgCacheState *before,
                                  const DgCacheState *after, uint64_t bytes_read,
                                  uint64_t bytes_written, uint64_t touched_bytes,
                                  DgReason *ret_reason);
void dg__null_file_drive_counters (DgTestFile *file, DgDriveCounters *ret_counters);

/* For the backend: `handle` is the file. */
uint32_t dg__null_file_index (intptr_t handle);
uint32_t dg__null_file_pass (intptr_t handle);
void dg__null_file_count (intptr_t handle, uint64_t bytes, bool is_write);
