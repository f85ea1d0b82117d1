/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A worker on a backend that keeps a log and answers as the script says. */
#include "tests/io/check.h"
#include "tests/io/files.h"
#include "tests/io/log-backend.h"
#include "tests/io/sectors.h"
#include "tests/io/worker-driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/data.h"

#define MIB ((uint64_t) 1 << 20)

unsigned check_failures;

static DriverSetup
begin (DgStream stream)
{
    memset (&script, 0, sizeof script);
    script.answer_ns = 10000;
    seen.data_bytes = 0;
    seen.most_in_a_call = 0;
    seen.sent_after_failure = seen.moved = seen.changed_in_flight = seen.strays = 0;
    seen.empty_calls = 0;
    for (uint32_t i = 0; i < DRIVER_MAX_WORKERS; i++)
        seen.n_sent[i] = 0;
    return (DriverSetup){ .file = -1,
                          .file_bytes = 64 * MIB,
                          .backend = &log_backend,
                          .stream = stream,
                          .ramp_ns = 2000000,
                          .window_ns = 20000000,
                          .min_ios = 200,
                          .seed = 42,
                          .run = 3 };
}

static void
check_sane (const Driver *d, const DriverSetup *setup)
{
    CHECK (seen.strays == 0, "%llu", (unsigned long long) seen.strays);
    CHECK (seen.changed_in_flight == 0, "%llu", (unsigned long long) seen.changed_in_flight);
    uint64_t block = setup->stream.block_bytes, sum = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        const DgFlowCount *total = &d->results[i].total;
        CHECK (dg_histogram_total (total->histogram) == total->ios, "worker %u", i);
        CHECK (total->bytes == total->ios * block, "worker %u", i);
        CHECK (total->ios == 0
                   || ((total->min_ns > 0 || script.answer_ns == 0) /* no system call */
                       && total->min_ns * total->ios <= total->sum_ns
                       && total->max_ns * total->ios >= total->sum_ns),
               "worker %u: %llu I/Os, %llu ns together, %llu to %llu", i,
               (unsigned long long) total->ios, (unsigned long long) total->sum_ns,
               (unsigned long long) total->min_ns, (unsigned long long) total->max_ns);
        CHECK (atomic_load (&dg__worker_counters (d->workers[i])->ios) == total->ios, "worker %u",
               i);
        CHECK (atomic_load (&dg__worker_counters (d->workers[i])->bytes) == total->bytes,
               "worker %u", i);
        sum += total->ios;
        for (uint64_t k = 0; k < seen.n_sent[i]; k++) {
            const Sent *sent = &seen.sent[i][k];
            CHECK (sent->is_continued || sent->offset % block == 0, "offset %llu",
                   (unsigned long long) sent->offset);
            CHECK (sent->offset + sent->length <= setup->file_bytes, "offset %llu",
                   (unsigned long long) sent->offset);
        }
    }
    CHECK (sum == d->ios && d->ios <= d->all_ios, "%llu", (unsigned long long) sum);
    CHECK (d->all_read_bytes + d->all_written_bytes == seen.moved, "%llu + %llu != %llu",
           (unsigned long long) d->all_read_bytes, (unsigned long long) d->all_written_bytes,
           (unsigned long long) seen.moved);
}

/* Little's law, exactly: a slot's I/Os do not overlap, and none counted began more than the
 * greatest latency before t0. */
static void
check_slots_overlap (const Driver *d, const DriverSetup *setup)
{
    for (uint32_t i = 0; i < d->n; i++) {
        const DgFlowCount *total = &d->results[i].total;
        double span = (double) (d->t1_ns - d->t0_ns);
        double busy = (double) total->sum_ns / setup->stream.queue_depth;
        CHECK (busy <= span + (double) total->max_ns, "worker %u: %f of %f ns", i, busy, span);
        CHECK (busy >= 0.3 * span, "worker %u: its slots stood idle: %f of %f ns", i, busy, span);
    }
}

/* ---- the tests ---- */

static void
test_window (void)
{
    DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_RANDOM,
                                           .block_bytes = 4096,
                                           .queue_depth = 8,
                                           .threads = 3,
                                           .read_percent = 100 });
    Driver d;
    CHECK (driver_run (&d, &setup), "start");
    check_sane (&d, &setup);
    CHECK (d.ios > 100 && d.failed_ios == 0, "%llu", (unsigned long long) d.ios);
    CHECK (d.t1_ns - d.t0_ns >= setup.window_ns, "%llu", (unsigned long long) (d.t1_ns - d.t0_ns));
    CHECK (d.all_ios > d.ios, "the ramp is not counted");
    uint64_t unfinished = 0;
    for (uint32_t i = 0; i < d.n; i++) {
        const DgWorkerCounters *counters = dg__worker_counters (d.workers[i]);
        CHECK (counters->slots_cycled == 8 && counters->first_io_ns > 0, "worker %u", i);
        CHECK (dg__worker_oldest_submit_ns (d.workers[i], NULL) == 0,
               "nothing is in flight at the end");
        CHECK (d.results[i].unfinished <= 8 && d.results[i].cpu_ns < d.t1_ns - d.t0_ns, "worker %u",
               i);
        unfinished += d.results[i].unfinished;
    }
    CHECK (unfinished >= 3, "every queue was full at t1: %llu", (unsigned long long) unfinished);
    check_slots_overlap (&d, &setup);
    driver_done (&d);
}

/* A latency begins right before the call that hands the I/O over, though that call may wait for
 * room. Where the drive has no room for more, fewer are under way than asked for, and the depth
 * says so. */
static void
test_held_back (void)
{
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t depth = k == 2 ? 32 : 8;
        DriverSetup setup =
            begin ((DgStream){ .access = k == 2 ? DG_ACCESS_RANDOM : DG_ACCESS_SEQUENTIAL,
                               .block_bytes = 4096,
                               .queue_depth = depth,
                               .threads = 1,
                               .read_percent = 100 });
        script.room = k == 0 ? 512 : 2;
        script.each_ns = 1000000;
        setup.window_ns = 400000000;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        double share = (double) d.sum_ns / (double) (d.t1_ns - d.t0_ns) / depth,
               mean_ms = (double) d.sum_ns / (double) d.ios / 1e6;
        if (k == 0) {
            CHECK (share >= 0.9 && share <= 1.1, "%.3f of %u", share, depth);
            CHECK (mean_ms >= 0.9 * depth, "mean latency %.2f ms", mean_ms);
        } else { /* what the drive has, and what waits in the call: 1, or at random 4 */
            double most = script.room + (k == 2 ? 4 : 1) + 0.5;
            CHECK (share * depth >= script.room * 0.9 && share * depth <= most, "%.3f of %u", share,
                   depth);
            CHECK (mean_ms >= script.room * 0.9, "mean latency %.2f ms", mean_ms);
        }
        CHECK (dg__worker_oldest_submit_ns (d.workers[0], NULL) == 0,
               "nothing is under way at the end");
        driver_done (&d);
    }
}

/* How many a call hands over: the first of many would wait for the last. At random four, 16 to a
 * drive that does over 500 000 a second; of a sequence one, since the system makes one request of
 * neighbours that come together, and the drive would not see the blocks that the test names. */
static void
test_chunks (void)
{
    static const struct {
        DgAccess access;
        uint32_t block_bytes, answer_ns, most;
    } cases[] = {
        { DG_ACCESS_RANDOM, 4096, 200000, 4 },
        { DG_ACCESS_SEQUENTIAL, 131072, 200000, 1 },
        { DG_ACCESS_SEQUENTIAL, 4096, 0, 1 },
        { DG_ACCESS_RANDOM, 4096, 0, 16 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DriverSetup setup = begin ((DgStream){ .access = cases[i].access,
                                               .block_bytes = cases[i].block_bytes,
                                               .queue_depth = 32,
                                               .threads = 1,
                                               .read_percent = 100 });
        script.answer_ns = cases[i].answer_ns;
        script.answers_all = true;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        double iops = (double) d.ios * 1e9 / (double) (d.t1_ns - d.t0_ns);
        uint32_t most = seen.most_in_a_call;
        /* It is the drive at its best that decides, and a checked program may be too slow. */
        bool may_be_slow = cases[i].most == 16 && iops < 1e6;
        CHECK (most == cases[i].most || (may_be_slow && most == 4),
               "case %zu: %u in a call at %.0f a second", i, most, iops);
        driver_done (&d);
    }
}

static void
test_data (void)
{
    DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_RANDOM,
                                           .block_bytes = 4096,
                                           .queue_depth = 32,
                                           .threads = 1,
                                           .read_percent = 0 });
    script.answer_ns = 0;
    script.keeps_data = true;
    setup.pool_bytes = 64 * MIB;
    Driver d;
    /* A slow machine, or a sanitizer, needs longer for as much. */
    for (setup.window_ns = 60000000;; setup.window_ns *= 4) {
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        if (seen.data_bytes >= 6 * MIB || setup.window_ns > 2000000000)
            break;
        driver_done (&d);
        seen.data_bytes = 0;
        seen.moved = seen.n_sent[0] = 0;
    }
    CHECK (seen.data_bytes >= 6 * MIB, "%llu bytes", (unsigned long long) seen.data_bytes);
    uint64_t repeated = sectors_repeated (seen.data, seen.data_bytes);
    CHECK (repeated == 0, "%llu sectors are equal to another", (unsigned long long) repeated);
    for (uint64_t at = 0; at + MIB <= seen.data_bytes && at < 6 * MIB; at += MIB) {
        uint64_t small = files_xz_bytes (seen.data + at, MIB);
        CHECK (small >= MIB / 100 * 99, "MiB %llu shrinks to %llu", (unsigned long long) (at / MIB),
               (unsigned long long) small);
    }
    driver_done (&d);

    setup = begin ((DgStream){ .access = DG_ACCESS_SEQUENTIAL,
                               .block_bytes = 65536,
                               .queue_depth = 4,
                               .threads = 1,
                               .read_percent = 0,
                               .data = DG_DATA_ZERO });
    script.keeps_data = true;
    CHECK (driver_run (&d, &setup), "start");
    check_sane (&d, &setup);
    uint64_t not_zero = 0;
    for (uint64_t i = 0; i < seen.data_bytes; i++)
        not_zero += seen.data[i] != 0;
    CHECK (seen.data_bytes > MIB && not_zero == 0, "%llu of %llu bytes",
           (unsigned long long) not_zero, (unsigned long long) seen.data_bytes);
    driver_done (&d);
}

static void
test_parts (void)
{
    for (uint32_t percent = 0; percent <= 100; percent += 50) {
        DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_RANDOM,
                                               .block_bytes = 16384,
                                               .queue_depth = 4,
                                               .threads = 2,
                                               .read_percent = percent });
        script.short_every = 3;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        uint64_t continued = 0;
        for (uint64_t k = 0; k < seen.n_sent[0]; k++)
            continued += seen.sent[0][k].is_continued;
        CHECK (continued > 20 && d.ios > 20, "%llu", (unsigned long long) continued);
        CHECK (d.failed_ios == 0, "%llu", (unsigned long long) d.failed_ios);
        driver_done (&d);
    }
}

static void
test_errors (void)
{
    static const int codes[] = { -EIO, -ENOSPC, 0 };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_RANDOM,
                                               .block_bytes = 4096,
                                               .queue_depth = 8,
                                               .threads = 1,
                                               .read_percent = codes[i] == -ENOSPC ? 0 : 100 });
        script.fail_at = 50;
        script.fail_code = codes[i];
        setup.window_ns = 20000000000;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        const DgWorkerResult *result = &d.results[0];
        CHECK (d.t1_ns >= DG_EDGE_OPEN, "the worker ended by itself");
        CHECK (d.all_ios == 49, "%llu", (unsigned long long) d.all_ios);
        CHECK (result->n_errors == 1, "%u", result->n_errors);
        CHECK (result->errors[0].os_code == -codes[i], "%d", result->errors[0].os_code);
        CHECK (strcmp (result->errors[0].operation, codes[i] == -ENOSPC ? "write" : "read") == 0,
               "%s", result->errors[0].operation);
        CHECK (result->errors[0].length_bytes == 4096 && result->errors[0].offset_bytes % 4096 == 0,
               "first one's place");
        CHECK (result->errors[0].count == d.failed_ios && d.failed_ios == 8,
               "what was in flight failed too: %llu", (unsigned long long) d.failed_ios);
        CHECK (seen.sent_after_failure == 0, "%llu", (unsigned long long) seen.sent_after_failure);
        driver_done (&d);
    }

    DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_RANDOM,
                                           .block_bytes = 4096,
                                           .queue_depth = 4,
                                           .threads = 1,
                                           .read_percent = 100 });
    script.break_at = 30;
    setup.window_ns = 20000000000;
    Driver d;
    CHECK (driver_run (&d, &setup), "start");
    CHECK (d.results[0].n_errors == 1 && d.results[0].errors[0].os_code == ENXIO,
           "a broken queue is told");
    driver_done (&d);

    setup = begin (setup.stream);
    script.open_error = DG_ERROR_NOT_SUPPORTED;
    CHECK (driver_run (&d, &setup), "start");
    CHECK (d.results[0].open_error == DG_ERROR_NOT_SUPPORTED
               && d.results[0].open_detail.os_code == EPERM,
           "%d", d.results[0].open_error);
    CHECK (d.all_ios == 0, "%llu", (unsigned long long) d.all_ios);
    driver_done (&d);
}

static void
test_sequential (void)
{
    DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_SEQUENTIAL,
                                           .block_bytes = 65536,
                                           .queue_depth = 4,
                                           .threads = 3,
                                           .read_percent = 100 });
    setup.sequence_start_bytes = 5 * 65536;
    Driver d;
    CHECK (driver_run (&d, &setup), "start");
    check_sane (&d, &setup);
    uint64_t part = 64 * MIB / 3 / 65536, touched = 0;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t n = seen.n_sent[i];
        CHECK (n > 10, "worker %u", i);
        for (uint64_t k = 0; k < n; k++)
            CHECK (seen.sent[i][k].offset == (part * i + (5 + k) % part) * 65536,
                   "worker %u, %llu-th", i, (unsigned long long) k);
        CHECK (d.results[i].sequence_end_bytes == (5 + n) % part * 65536, "worker %u", i);
        touched += (n < part ? n : part) * 65536;
    }
    CHECK (d.touched_bytes == touched, "%llu, not %llu", (unsigned long long) d.touched_bytes,
           (unsigned long long) touched);
    driver_done (&d);
}

/* A lone large write is prepared while the one before is under way: in order all the same, each
 * block once, from memory that nothing is under way from. */
static void
test_ahead (void)
{
    static const struct {
        uint32_t block_bytes, short_every, at_once_every, idle_every;
        uint64_t fail_at, break_at;
        DgData data;
        bool is_ahead;
    } cases[] = {
        { 65536, 0, 0, 0, 0, 0, DG_DATA_RANDOM, true },
        { 1048576, 0, 0, 0, 0, 0, DG_DATA_RANDOM, true },
        { 131072, 3, 0, 0, 0, 0, DG_DATA_RANDOM, true },
        { 131072, 0, 3, 5, 0, 0, DG_DATA_RANDOM, true },
        { 131072, 4, 3, 7, 0, 0, DG_DATA_RANDOM, true },
        { 131072, 0, 0, 0, 30, 0, DG_DATA_RANDOM, true },
        { 131072, 0, 0, 0, 0, 40, DG_DATA_RANDOM, true }, /* in the call that waits, */
        { 131072, 0, 0, 0, 0, 41, DG_DATA_RANDOM, true }, /* in the one that hands over */
        { 65536, 0, 0, 0, 0, 0, DG_DATA_ZERO, false },
        { 32768, 0, 0, 0, 0, 0, DG_DATA_RANDOM, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DriverSetup setup = begin ((DgStream){ .access = DG_ACCESS_SEQUENTIAL,
                                               .block_bytes = cases[i].block_bytes,
                                               .queue_depth = 1,
                                               .threads = 1,
                                               .read_percent = 0,
                                               .data = cases[i].data });
        uint64_t block = cases[i].block_bytes, n_blocks = setup.file_bytes / block;
        bool is_cut = cases[i].fail_at + cases[i].break_at > 0;
        script.short_every = cases[i].short_every;
        script.at_once_every = cases[i].at_once_every;
        script.idle_every = cases[i].idle_every;
        script.fail_at = cases[i].fail_at;
        script.fail_code = -EIO;
        script.break_at = cases[i].break_at;
        script.keeps_data = cases[i].data == DG_DATA_RANDOM;
        setup.pool_bytes = 32 * MIB;
        setup.sequence_start_bytes = 3 * block;
        setup.min_ios = 40;
        setup.window_ns = is_cut ? 20000000000 : 5000000;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        uint64_t sent = 0;
        for (uint64_t k = 0; k < seen.n_sent[0]; k++) {
            if (seen.sent[0][k].is_continued)
                continue;
            CHECK (seen.sent[0][k].offset == (3 + sent) % n_blocks * block, "case %zu, %llu-th", i,
                   (unsigned long long) k);
            sent++;
        }
        CHECK (d.results[0].sequence_end_bytes == (3 + sent) % n_blocks * block,
               "case %zu: the next pass goes on where this ended", i);
        CHECK (d.results[0].n_errors == is_cut, "case %zu: %u", i, d.results[0].n_errors);
        CHECK (is_cut || d.results[0].total.ios >= 40, "case %zu", i);
        CHECK ((seen.empty_calls > sent / 2) == cases[i].is_ahead, "case %zu: %llu of %llu", i,
               (unsigned long long) seen.empty_calls, (unsigned long long) sent);
        CHECK (cases[i].short_every != 0 || sectors_repeated (seen.data, seen.data_bytes) == 0,
               "case %zu: equal sectors", i);
        driver_done (&d);
    }
}

static void
test_random (void)
{
    DgStream stream = { .access = DG_ACCESS_RANDOM,
                        .block_bytes = 4096,
                        .queue_depth = 4,
                        .threads = 2,
                        .read_percent = 70 };
    uint64_t first[3] = { 0 }, second[2] = { 0 };
    for (int round = 0; round < 3; round++) {
        DriverSetup setup = begin (stream);
        script.answer_ns = 0;
        setup.min_ios = 600;
        setup.file_bytes = 16 * MIB;
        setup.run = round == 2 ? 4 : 3;
        Driver d;
        CHECK (driver_run (&d, &setup), "start");
        check_sane (&d, &setup);
        CHECK (seen.n_sent[0] >= 64 && seen.n_sent[1] >= 64, "enough");
        for (int k = 0; k < 64; k++) {
            first[round] =
                first[round] * 31 + seen.sent[0][k].offset * 2 + seen.sent[0][k].is_write;
            if (round < 2)
                second[round] =
                    second[round] * 31 + seen.sent[1][k].offset * 2 + seen.sent[1][k].is_write;
        }

        uint8_t *is_touched = calloc (4096, 1);
        uint64_t n = 0, touched = 0, reads = 0;
        for (uint32_t i = 0; i < 2; i++)
            for (uint64_t k = 0; k < seen.n_sent[i]; k++, n++) {
                touched += !is_touched[seen.sent[i][k].offset / 4096];
                is_touched[seen.sent[i][k].offset / 4096] = 1;
                reads += !seen.sent[i][k].is_write;
            }
        free (is_touched);
        if (n < 2 * MAX_SENT) {
            double error = (double) d.touched_bytes / 4096 - (double) touched;
            CHECK (error > -150 && error < 150, "touched %llu, estimated %llu",
                   (unsigned long long) touched, (unsigned long long) d.touched_bytes / 4096);
        }
        double share = (double) reads / (double) n;
        CHECK (n > 1000 && share > 0.66 && share < 0.74, "%f of %llu are reads", share,
               (unsigned long long) n);
        for (uint32_t i = 0; i < 2; i++) {
            const DgWorkerResult *result = &d.results[i];
            CHECK (result->read.ios + result->write.ios == result->total.ios
                       && result->read.sum_ns + result->write.sum_ns == result->total.sum_ns,
                   "worker %u", i);
            CHECK (dg_histogram_total (result->read.histogram) == result->read.ios, "worker %u", i);
        }
        driver_done (&d);
    }
    CHECK (first[0] == first[1] && second[0] == second[1], "the same seed and run send the same");
    CHECK (first[0] != second[0], "two threads send something else");
    CHECK (first[0] != first[2], "another run sends something else");
}

int
main (void)
{
    for (uint32_t i = 0; i < 3; i++)
        seen.sent[i] = calloc (MAX_SENT, sizeof (Sent));
    seen.data_size = 16 * MIB;
    seen.data = calloc (1, seen.data_size);
    test_window ();
    test_held_back ();
    test_chunks ();
    test_data ();
    test_parts ();
    test_errors ();
    test_sequential ();
    test_ahead ();
    test_random ();
    for (uint32_t i = 0; i < 3; i++)
        free (seen.sent[i]);
    free (seen.data);
    return check_failures > 0;
}
