/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engine-internal: what worker.c (life) and worker-loop.c (the measured loop) share. */
#pragma once

#include "engine/data.h"
#include "engine/thread.h"
#include "engine/worker.h"

/* More I/Os a call save system calls but make the first wait for the last. Sequential I/Os go one
 * by one: the block layer merges what comes in one call into larger requests than the test names.
 */
#define DG_CHUNK_SEQUENTIAL  1u
#define DG_CHUNK_RANDOM      4u
#define DG_CHUNK_RANDOM_FAST 16u
#define DG_FAST_TARGET_IOPS  500000u

/* So many places of each class, or twice what is in flight, make a group: of 1 MiB of random writes
 * some take the same class, and none may find the same place. */
#define DG_GROUP_DEPTH  8u
#define DG_GROUP_ROUNDS 128u

/* From this block size on a lone write is prepared ahead: below, a second call costs more. */
#define DG_AHEAD_BYTES 65536u

#define DG_UNSET_NS UINT64_MAX

struct DgWorker {
    DgWorkerCounters counters; /* lines of its own, read by others */

    /* ---- used in each round, by the worker alone ---- */
    _Alignas(64) DgWorkerControl *control;
    DgQueue *queue; /* (owned) */
    int (*exchange) (DgQueue *queue, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                     DgCompletion *ret_completions, uint32_t max);
    DgIo *ios;                   /* (owned) one a slot */
    DgIo **list;                 /* (owned) what the next call hands over */
    DgCompletion *completions;   /* (owned) */
    _Atomic uint64_t *submit_ns; /* (owned) a slot's first submission; 0 = free. Read by
                                    dg__worker_oldest_submit_ns () */
    uint32_t *free_slots; /* (owned) a ring: first freed, first used, so that all slots take part
                             and the pool is gone through in full */
    uint32_t free_head, n_free, free_mask;
    uint32_t queue_depth, chunk;
    uint64_t block_bytes, base_bytes, n_blocks, next_block, sequence;
    uint32_t block_shift, read_percent;
    bool is_stamped, is_draining, is_settled /* the window has begun */, is_window_over;
    uint64_t t0_ns;        /* DG_UNSET_NS until this worker has come past it */
    uint64_t edge_ages_ns; /* the sum of the ages that it last judged an edge by */
    DgRandom random;
    DgFlowCount
        flow[2]; /* counted; a pure test uses [0], a mix has reads in [0] and writes in [1] */
    uint64_t run;
    /* Write data. A place is one block in this worker's part of the pool. A block of the file takes
     * only places that stand in their MiB of the pool where it stands in its MiB of the file (its
     * class): so no two blocks of one MiB of the file hold the same bytes, however they were
     * written. Where the target is fast the pool is gone through group by group, each many times
     * over: the lines that the stamps go to are then in the caches. */
    unsigned char *pool;  /* (nullable) */
    uint32_t *place_next; /* (owned) a class's next place */
    uint16_t *place_slot; /* (owned) the slot that a place was last used by */
    uint32_t n_places, class_mask, group_first, group_places;
    uint64_t group_end; /* the next group begins with the write of this number */
    bool is_ahead;      /* the next block is prepared while one is under way */
    bool has_ahead;     /* it is, in `ahead` */
    DgIo ahead;

    /* ---- rarely ---- */
    const DgBackend *backend;
    unsigned char *slots; /* (owned) (nullable) where reads go */
    uint64_t slots_bytes;
    uint32_t *again; /* (owned) slots of which a part is still to be moved */
    uint32_t n_again;
    uint8_t *cycles; /* (owned) completions a slot, up to 2 */
    uint32_t n_cycled;
    uint64_t stretch_ns, stretch_ios; /* see time_stretch () */
    double best_iops;
    uint64_t go_ns, cpu_t0_ns, cpu_ns;
    uint64_t unfinished, oldest_unfinished_ns;
    DgRunError errors[DG_MAX_RUN_ERRORS];
    uint32_t n_errors;
    int open_error;
    DgErrorDetail open_detail;
    bool is_lost; /* the system may still write into its buffers; set before is_ended */

    DgHistogram *histograms; /* (owned) flow[0], and in a mix flow[1] and their sum */
    DgThread *thread;        /* (owned) */
    DgWorkerSetup setup;
    _Atomic uint64_t kernel_cpu_ns;
    atomic_flag is_asking_kernel_cpu;
};

/* From GO to the end of the drain. In the worker's thread. */
void dg__worker_loop (DgWorker *worker);
