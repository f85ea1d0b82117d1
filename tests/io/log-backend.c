/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/io/log-backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/data.h"

LogScript script;
LogSeen seen;

struct DgQueue {
    uint32_t worker, n_under_way, depth;
    uint64_t block_bytes;
    uint64_t answers, calls;
    bool has_failed;
    uint64_t next_ns;
    uint64_t next_offset[512];
    struct {
        const DgIo *io;
        uint64_t hash;
    } under_way[512];
    DgRandom random;
    const unsigned char *memory[2];
    size_t memory_bytes[2];
};

static uint64_t
hash_of (const unsigned char *data, uint64_t bytes)
{
    uint64_t hash = 14695981039346656037u;
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word;
        memcpy (&word, data + i, 8);
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

static int
log_open (const DgQueueSetup *setup, DgQueue **ret_queue, DgErrorDetail *ret_detail)
{
    if (script.open_error != DG_OK) {
        *ret_detail = (DgErrorDetail){ .operation = "log_open", .os_code = EPERM };
        return script.open_error;
    }
    DgQueue *q = calloc (1, sizeof *q);
    q->worker = setup->worker;
    q->depth = setup->queue_depth;
    q->block_bytes = setup->block_bytes;
    dg__random_seed (&q->random, 5, setup->worker);
    for (int i = 0; i < 2; i++) {
        q->memory[i] = setup->memory[i];
        q->memory_bytes[i] = setup->memory_bytes[i];
    }
    for (int i = 0; i < 512; i++)
        q->next_offset[i] = UINT64_MAX;
    *ret_queue = q;
    return DG_OK;
}

static void
log_close (DgQueue *q)
{
    free (q);
}

/* Where the I/O's data may be: a read has its slot's own block, which ends with what is still to be
 * moved. */
static bool
has_right_buffer (const DgQueue *q, const DgIo *io)
{
    const unsigned char *memory = q->memory[io->is_write], *end = io->buffer + io->length_bytes;
    return io->is_write ? io->buffer >= memory && end <= memory + q->memory_bytes[1]
                        : end == memory + (io->slot + 1) * q->block_bytes;
}

static void
take (DgQueue *q, const DgIo *io)
{
    seen.strays += !has_right_buffer (q, io);
    bool is_continued = q->next_offset[io->slot] != UINT64_MAX;
    if (is_continued && q->next_offset[io->slot] != io->offset_bytes)
        seen.strays++;
    if (q->has_failed)
        seen.sent_after_failure++;
    if (seen.n_sent[q->worker] < MAX_SENT)
        seen.sent[q->worker][seen.n_sent[q->worker]++] =
            (Sent){ io->offset_bytes, io->length_bytes, io->is_write, is_continued };
    if (script.keeps_data && io->is_write && seen.data_bytes + io->length_bytes <= seen.data_size) {
        memcpy (seen.data + seen.data_bytes, io->buffer, io->length_bytes);
        seen.data_bytes += io->length_bytes;
    }
    q->under_way[q->n_under_way].io = io;
    q->under_way[q->n_under_way++].hash = io->is_write ? hash_of (io->buffer, io->length_bytes) : 0;
}

/* Answers one of what is under way, by lot: completions come out of order. */
static DgCompletion
answer (DgQueue *q)
{
    uint32_t which = (uint32_t) (dg__random_next (&q->random) % q->n_under_way);
    const DgIo *io = q->under_way[which].io;
    if (io->is_write && hash_of (io->buffer, io->length_bytes) != q->under_way[which].hash)
        seen.changed_in_flight++;
    q->under_way[which] = q->under_way[--q->n_under_way];

    q->answers++;
    q->next_offset[io->slot] = UINT64_MAX;
    if (script.fail_at != 0 && q->answers >= script.fail_at) {
        q->has_failed = true;
        return (DgCompletion){ io->slot, script.fail_code };
    }
    uint32_t moved = io->length_bytes;
    if (script.short_every != 0 && q->answers % script.short_every == 0 && moved > 512) {
        moved = moved / 1024 * 512;
        q->next_offset[io->slot] = io->offset_bytes + moved;
    }
    seen.moved += moved;
    return (DgCompletion){ io->slot, (int32_t) moved };
}

/* A drive that has room for few, behind a system call that waits for room. */
static int
narrow_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
                 DgCompletion *ret_completions, uint32_t max)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n || done < min_complete;) {
        if (i < n && q->n_under_way < script.room) {
            take (q, ios[i++]);
            continue;
        }
        if (q->next_ns < dg__clock_ns ())
            q->next_ns = dg__clock_ns ();
        q->next_ns += script.each_ns;
        dg__sleep_until_ns (q->next_ns);
        if (done == max)
            return -ENXIO;
        ret_completions[done++] = answer (q);
    }
    return (int) done;
}

static int
log_exchange (DgQueue *q, DgIo *const *ios, uint32_t n, uint32_t min_complete,
              DgCompletion *ret_completions, uint32_t max)
{
    if (script.room > 0)
        return narrow_exchange (q, ios, n, min_complete, ret_completions, max);
    for (uint32_t i = 0; i < n; i++)
        take (q, ios[i]);
    if (n > seen.most_in_a_call)
        seen.most_in_a_call = n;
    seen.empty_calls += n == 0 && min_complete > 0;
    q->calls++;
    if (script.break_at != 0 && q->calls >= script.break_at)
        return -ENXIO;
    if (script.answer_ns > 0)
        dg__sleep_until_ns (dg__clock_ns () + script.answer_ns);
    uint32_t done = 0, wanted = min_complete;
    if (script.at_once_every != 0 && q->calls % script.at_once_every == 0 && wanted == 0)
        wanted = 1;
    if (script.idle_every != 0 && q->calls % script.idle_every == 0)
        wanted = 0;
    while ((done < wanted || script.answers_all) && done < max && q->n_under_way > 0)
        ret_completions[done++] = answer (q);
    return (int) done;
}

const DgBackend log_backend = {
    .id = DG_BACKEND_NULL, .open = log_open, .exchange = log_exchange, .close = log_close
};
