/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands on the drive after write tests, through the whole engine: nothing in it that a drive
 * could compress or store once (DESIGN section 4.5). */
#include "engine/engine.h"
#include "tests/io/check.h"
#include "tests/io/files.h"
#include "tests/io/sectors.h"

#include <stdio.h>
#include <stdlib.h>

#define MIB ((uint64_t) 1 << 20)

unsigned check_failures;

static const DgStream sequential = {
    .access = DG_ACCESS_SEQUENTIAL, .block_bytes = 1 << 20, .queue_depth = 8, .threads = 1
};
/* prepared while the one before is under way */
static const DgStream lone = {
    .access = DG_ACCESS_SEQUENTIAL, .block_bytes = 1 << 20, .queue_depth = 1, .threads = 1
};
static const DgStream small = {
    .access = DG_ACCESS_RANDOM, .block_bytes = 4096, .queue_depth = 32, .threads = 1
};
static const DgStream small_many = {
    .access = DG_ACCESS_RANDOM, .block_bytes = 4096, .queue_depth = 8, .threads = 16
};
/* The pool is 64 MiB: its places come again in a larger file. */
#define FILE_BYTES  (128 * MIB)
#define WRITE_BYTES (160 * MIB)
#define LOOK_STEP   (13 * MIB) /* where not every MiB goes through xz, one of so many does */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_CHECKED true
#else
#define IS_CHECKED false
#endif

static void
write_all (intptr_t file, const DgStream *const *streams, uint32_t n, uint64_t seed, uint64_t bytes)
{
    DgPlanTarget target = { .handle = file, .file_bytes = FILE_BYTES };
    DgStep steps[4];
    for (uint32_t i = 0; i < n; i++)
        steps[i] = (DgStep){
            .streams = streams[i], .n_streams = 1, .stop = DG_STOP_BYTES, .stop_bytes = bytes
        };
    DgPlan plan = { .targets = &target,
                    .n_targets = 1,
                    .steps = steps,
                    .n_steps = n,
                    .runs = 1,
                    .duration_ns = 1000000000,
                    .seed = seed };
    DgPlanRun *run;
    DgErrorDetail detail = { 0 };
    if (dg_plan_run_start (&plan, &run, &detail) != DG_OK) {
        CHECK (false, "the plan run does not start");
        return;
    }
    while (!dg_plan_run_wait (run, UINT64_MAX))
        ;
    CHECK (dg_plan_run_result (run)->state == DG_STATE_DONE, "state");
    for (uint32_t i = 0; i < n; i++) {
        const DgStepResult *step = dg_plan_run_step (run, i);
        /* more than one only where the program stood still meanwhile */
        CHECK (step->n_runs >= 1 && step->runs[step->n_runs - 1].total.bytes >= bytes, "step %u",
               i);
    }
    dg_plan_run_free (run);
}

static void
check_file (intptr_t file, const char *what, bool has_xz, bool looks_at_all)
{
    unsigned char *data = malloc (FILE_BYTES);
    CHECK (files_read (file, data, FILE_BYTES, 0) == (int64_t) FILE_BYTES, "read back");
    uint64_t repeated = sectors_repeated (data, FILE_BYTES);
    CHECK (repeated == 0, "%s: %llu sectors stand there twice", what,
           (unsigned long long) repeated);
    /* One percent is asked for. That not even one block of 4 KiB stands there twice is what is
     * done, and does not depend on luck. A MiB that does not shrink grows by 84 bytes. */
    if (has_xz && looks_at_all) {
        uint64_t xz = files_xz_bytes (data, FILE_BYTES);
        CHECK (xz != UINT64_MAX && xz > FILE_BYTES + FILE_BYTES / MIB * 84 - 2048,
               "%s: all shrinks to %llu", what, (unsigned long long) xz);
        printf ("%s: %llu bytes by xz\n", what, (unsigned long long) xz);
        has_xz = false;
    }
    for (uint64_t at = FILE_BYTES % LOOK_STEP; has_xz && at < FILE_BYTES; at += LOOK_STEP) {
        uint64_t xz = files_xz_bytes (data + at, MIB);
        CHECK (xz > MIB - 2048, "%s: MiB %llu shrinks to %llu", what,
               (unsigned long long) (at / MIB), (unsigned long long) xz);
    }
    free (data);
}

int
main (void)
{
    char path[512];
    static unsigned char zeros[4096];
    intptr_t plain =
        files_place (path, sizeof path, "drivegauge-data") ? files_open (path, FILES_NEW) : -1;
    if (plain == -1
        || files_write (plain, zeros, sizeof zeros, FILE_BYTES - sizeof zeros)
               != (int64_t) sizeof zeros) {
        fprintf (stderr, "no file can be made: set DG_TEST_FOLDER\n");
        return 77;
    }
    intptr_t direct = files_open (path, FILES_DIRECT), file = direct != -1 ? direct : plain;
    bool has_xz = files_xz_bytes (zeros, sizeof zeros) != UINT64_MAX;
    if (!has_xz)
        fprintf (stderr, "there is no xz: only repeated sectors are looked for\n");

    /* memcheck lets one thread run at a time: many that are never idle leave the coordinator none
     */
    DgStream many = small_many;
    uint64_t many_bytes = WRITE_BYTES;
    bool is_checked = IS_CHECKED;
    if (getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL) {
        is_checked = true;
        many.threads = 2;
        many_bytes = 4 * MIB;
    }
    bool is_long = getenv ("DRIVEGAUGE_LONG_TESTS") != NULL;
    write_all (file, (const DgStream *const[]){ &sequential, &small }, 2, 1, WRITE_BYTES);
    check_file (plain, "SEQ1M Q8T1, RND4K Q32T1", has_xz, is_long || !is_checked);
    write_all (file, (const DgStream *const[]){ &many }, 1, 2, many_bytes);
    check_file (plain, "then RND4K Q8T16", has_xz, is_long);
    write_all (file, (const DgStream *const[]){ &lone }, 1, 3, WRITE_BYTES);
    check_file (plain, "then SEQ1M Q1T1", has_xz, is_long);

    files_close (direct);
    files_close (plain);
    files_remove (path);
    return check_failures > 0;
}
