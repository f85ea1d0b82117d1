/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to be measured: targets, steps, settings. A plan is copied before the start and never changed by it. */
#pragma once

#include "engine/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { DG_ACCESS_SEQUENTIAL, DG_ACCESS_RANDOM } DgAccess;
typedef enum { DG_DATA_RANDOM, DG_DATA_ZERO } DgData;
typedef enum { DG_DIRECTION_READ, DG_DIRECTION_WRITE, DG_DIRECTION_MIX } DgDirection;

typedef enum {
    DG_BACKEND_AUTO,
    DG_BACKEND_IO_URING,
    DG_BACKEND_LIBAIO,
    DG_BACKEND_THREADS,
    DG_BACKEND_OVERLAPPED, /* Windows */
    DG_BACKEND_NULL,       /* no drive: for tests, see engine/null/null.h */
} DgBackendId;

/* "auto", "io_uring", "libaio", "threads", "overlapped", "null": static. */
const char *dg_backend_id_name (DgBackendId id);

/* DG_OK when this build has the backend and this system lets it be used (always for DG_BACKEND_AUTO), else DG_ERROR_NOT_SUPPORTED; then *ret_detail (not
 * nullable) says what the system refused, or names the backend with os_code 0 when this build lacks it. Any thread. */
int dg_backend_check (DgBackendId id, DgErrorDetail *ret_detail);

/* A folder on a mounted file system in which the engine makes, fills and removes its own test file; or, for tests and
 * benchmarks only, something already open. */
typedef struct {
    const char *folder;      /* (nullable) UTF-8; NULL when `handle` is used */
    uint64_t file_bytes;     /* size of the test file, or of the part of `handle` to use */
    intptr_t handle;         /* -1, or a descriptor (HANDLE) opened by the caller and owned by him; never written beyond file_bytes.
                                No preparation, no directness check by file system: used as it is */
    /* What the caller knows of the file system (from engine/targets.h); 0/false when unknown. */
    uint64_t reserve_bytes;  /* free space that must stay free; 0 = the engine's rule (DESIGN section 5) */
} DgPlanTarget;

/* One flow of I/O. `threads` workers serve it; a worker serves exactly one stream. */
typedef struct {
    uint32_t target;         /* index into DgPlan.targets */
    uint64_t region_start_bytes; /* multiple of the block */
    uint64_t region_bytes;   /* 0 = the whole file */
    DgAccess access;
    uint64_t block_bytes;    /* power of two, 512 B to 64 MiB */
    uint32_t queue_depth;    /* 1 to 512, a thread */
    uint32_t threads;        /* 1 to 64 */
    uint32_t read_percent;   /* 100 = read, 0 = write, between = mix */
    DgData data;
} DgStream;

typedef enum { DG_STOP_TIME, DG_STOP_BYTES, DG_STOP_FULL } DgStopKind;

/* One or more streams started together behind one barrier. */
typedef struct {
    const DgStream *streams;
    uint32_t n_streams;
    uint32_t group;          /* steps of one sweep share a group */
    DgStopKind stop;
    uint64_t stop_bytes;     /* DG_STOP_BYTES */
} DgStep;

typedef struct {
    const DgPlanTarget *targets;
    uint32_t n_targets;
    const DgStep *steps;     /* in the order executed */
    uint32_t n_steps;

    uint32_t runs;           /* 1 to 9, or 0 = auto (DESIGN section 4.9) */
    uint64_t warmup_ns;      /* 0 = none */
    uint64_t duration_ns;    /* of a run; 1 ms to a day */
    uint64_t interval_ns;    /* before the first and between steps */
    DgBackendId backend;
    uint64_t seed;
    bool include_flush;      /* the flush after a write run counts into its time */
    bool no_cow;             /* btrfs: FS_NOCOW_FL on the empty file */
    bool write_through;      /* O_DSYNC / FILE_FLAG_WRITE_THROUGH */
    const struct DgNullScript *null_script; /* (nullable) DG_BACKEND_NULL only; not copied, must outlive the run */
} DgPlan;

/* DG_OK, or DG_ERROR_INVALID when the plan contradicts itself (no step, an index out of range, a block that is no power of two
 * or larger than its region, a queue or thread count of 0, a duration below 1 ms, one or a warm-up or interval above a day, runs above 9, DG_STOP_FULL, which no target can do). Any thread. */
int dg_plan_check (const DgPlan *plan);
