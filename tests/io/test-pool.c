/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in the pool random writes take their data from: on a target that is no faster than a drive
 * and on one that is. */
#include "tests/io/check.h"
#include "tests/io/worker-driver.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/data.h"

#define MIB        ((uint64_t) 1 << 20)
#define BLOCK      4096u
#define CLASSES    (MIB / BLOCK)
#define PLACES     (32 * CLASSES)
#define MAX_WRITES 2000000u
/* The loop's, for 4K: a group has eight places of each class and is used 128 times over. */
#define GROUP        (8 * CLASSES)
#define GROUP_WRITES (128 * GROUP) /* there are four groups */

unsigned check_failures;

struct DgQueue {
    const unsigned char *pool;
    uint64_t places;
    DgIo *under_way[512];
    uint32_t n_under_way;
    bool is_used[PLACES + 1]; /* by a slot's last block; it may be through */
    uint64_t slot_place[512];
    DgRandom random;
};

static uint32_t held;    /* so many stay under way while others come */
static uint64_t call_ns; /* each takes that long */
static uint16_t *places; /* by number: the place of each write */
static uint64_t n_writes, n_elsewhere, n_misplaced, n_shared;

static int
open_pool (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    (void) ret_detail;
    *ret_queue = calloc (1, sizeof **ret_queue);
    (*ret_queue)->pool = setup->memory[1];
    (*ret_queue)->places = setup->memory_bytes[1] / BLOCK;
    for (int i = 0; i < 512; i++)
        (*ret_queue)->slot_place[i] = PLACES; /* none */
    dg__random_seed (&(*ret_queue)->random, 7, 0);
    return DG_OK;
}

static bool
has_free (const DgQueue *queue, uint64_t class)
{
    uint64_t place = class;
    while (place < queue->places && queue->is_used[place])
        place += CLASSES;
    return place < queue->places;
}

static DgCompletion
complete (DgQueue *queue, uint32_t which)
{
    DgIo *io = queue->under_way[which];
    queue->under_way[which] = queue->under_way[--queue->n_under_way];
    return (DgCompletion){ io->slot, BLOCK };
}

static int
exchange_pool (DgQueue *queue, DgIo *const *ios, uint32_t n, uint32_t min_complete,
               DgCompletion *ret_completions, uint32_t max)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t place = (uint64_t) (ios[i]->buffer - queue->pool) / BLOCK,
                 class = ios[i]->offset_bytes / BLOCK % CLASSES;
        queue->is_used[queue->slot_place[ios[i]->slot]] = false;
        n_elsewhere += place % CLASSES != class;
        n_misplaced += place % CLASSES != class && has_free (queue, class);
        n_shared += queue->is_used[place];
        queue->is_used[place] = true;
        queue->slot_place[ios[i]->slot] = place;
        queue->under_way[queue->n_under_way++] = ios[i];
        if (n_writes < MAX_WRITES)
            places[n_writes++] = (uint16_t) place;
    }
    while (done < max && queue->n_under_way > (done < min_complete || n == 0 ? 0 : held))
        ret_completions[done++] = complete (
            queue, held > 0 ? (uint32_t) (dg__random_next (&queue->random) % queue->n_under_way)
                            : queue->n_under_way - 1);
    if (call_ns > 0)
        dg__sleep_until_ns (dg__clock_ns () + call_ns);
    return (int) done;
}

static void
close_pool (DgQueue *queue)
{
    free (queue);
}

static const DgBackend pool_backend = {
    .id = DG_BACKEND_NULL, .open = open_pool, .exchange = exchange_pool, .close = close_pool
};

/* How many places writes [from, to) took, and how many of them took one that stood among the last
 * 256, which is 1 MiB as sent. */
static uint32_t
look (uint64_t from, uint64_t to, uint64_t *ret_repeated)
{
    static uint64_t last[PLACES];
    memset (last, 0, sizeof last);
    uint32_t n = 0;
    *ret_repeated = 0;
    for (uint64_t i = from; i < to; i++) {
        uint64_t *mine = &last[places[i]];
        n += *mine == 0;
        *ret_repeated += *mine != 0 && i + 1 - *mine < CLASSES;
        *mine = i + 1;
    }
    return n;
}

static double
write_some (uint32_t depth, uint64_t n_places, uint64_t ios)
{
    DriverSetup setup = { .file = -1,
                          .file_bytes = 64 * MIB,
                          .backend = &pool_backend,
                          .stream = { .access = DG_ACCESS_RANDOM,
                                      .block_bytes = BLOCK,
                                      .queue_depth = depth,
                                      .threads = 1 },
                          .ramp_ns = 2000000,
                          .window_ns = 1000000,
                          .min_ios = ios,
                          .seed = 42,
                          .run = 3,
                          .pool_bytes = n_places * BLOCK };
    n_writes = n_elsewhere = n_misplaced = n_shared = 0;
    Driver d;
    CHECK (driver_run (&d, &setup), "start");
    double iops = (double) d.ios * 1e9 / (double) (d.t1_ns - d.t0_ns);
    CHECK (n_misplaced == 0, "%llu blocks stand elsewhere in their MiB, and need not",
           (unsigned long long) n_misplaced);
    CHECK (n_shared == 0, "%llu blocks have a place where one is still under way",
           (unsigned long long) n_shared);
    driver_done (&d);
    return iops;
}

int
main (void)
{
    places = calloc (MAX_WRITES, sizeof *places);

    /* 4 a call, 60 us or more each. The classes are drawn by lot: of a class with 16 places some
     * have been taken twice when others have not been taken. */
    call_ns = 60000;
    write_some (32, PLACES, 4 * PLACES);
    CHECK (n_elsewhere == 0, "%llu", (unsigned long long) n_elsewhere);
    uint64_t repeated;
    uint32_t n = look (0, 4 * PLACES, &repeated);
    CHECK (n == PLACES, "a drive: %u of %u places", n, (unsigned) PLACES);
    CHECK (repeated == 0, "a drive: %llu places again within 1 MiB", (unsigned long long) repeated);

    bool is_slow = getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL;
    call_ns = 0;
    double iops =
        write_some (32, PLACES, is_slow ? GROUP_WRITES / 2 : 4 * GROUP_WRITES + GROUP_WRITES / 2);
    n = look (0, n_writes, &repeated);
    CHECK (n == PLACES || is_slow, "a fast target: %u of %u places", n, (unsigned) PLACES);
    CHECK (repeated <= n_writes / 10000, "a fast target: %llu places again within 1 MiB",
           (unsigned long long) repeated);
    n = look (n_writes - GROUP_WRITES / 4, n_writes, &repeated);
    printf ("%.0f a second, %llu writes, the last %u of them from %u places\n", iops,
            (unsigned long long) n_writes, (unsigned) (GROUP_WRITES / 4), n);
    /* One group's, or the end of one and the begin of the next. A checked program may be too slow.
     */
    CHECK (n <= 2 * GROUP || iops < 1e6 || is_slow, "a fast target: %u places at once", n);
    CHECK (n_elsewhere == 0, "%llu", (unsigned long long) n_elsewhere);

    /* Two places of each class, and nearly as many blocks under way as there are classes. */
    held = CLASSES - 20;
    write_some (CLASSES, 2 * CLASSES, 50000);
    CHECK (n_elsewhere > 100, "%llu blocks found no place of their class",
           (unsigned long long) n_elsewhere);
    free (places);
    return check_failures > 0;
}
