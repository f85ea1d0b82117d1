/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measured loop: refill a few slots, stamp, one call that submits and waits, stamp, reap all.
 * What is rare stands in functions of its own. */
#include "engine/worker-private.h"

#include "engine/clock.h"

#define LIKELY(x)   __builtin_expect (!!(x), 1)
#define UNLIKELY(x) __builtin_expect (!!(x), 0)
#define COLD        __attribute__ ((noinline, cold))
#define INLINE      inline __attribute__ ((always_inline))

#define GET(field)        atomic_load_explicit (&(field), memory_order_relaxed)
#define SET(field, value) atomic_store_explicit (&(field), (value), memory_order_relaxed)
#define ADD(field, value) SET (field, GET (field) + (value)) /* one writer */

/* ---- errors and partial transfers ---- */

static void
record_error (DgWorker *w, const char *operation, uint64_t offset, uint64_t length, int os_code)
{
    ADD (w->counters.failed_ios, 1);
    w->is_draining = true;
    for (uint32_t i = 0; i < w->n_errors; i++)
        if (w->errors[i].operation == operation && w->errors[i].os_code == os_code) {
            w->errors[i].count++;
            return;
        }
    if (w->n_errors == DG_MAX_RUN_ERRORS) {
        w->errors[w->n_errors - 1].count++;
        return;
    }
    w->errors[w->n_errors++] = (DgRunError){ operation, offset, length, os_code, 1 };
}

static INLINE void
release_slot (DgWorker *w, uint32_t slot)
{
    SET (w->submit_ns[slot], 0);
    w->free_slots[(w->free_head + w->n_free) & w->free_mask] = slot;
    w->n_free++;
}

/* A slot that has moved a part stands as before again, for the next block. */
static INLINE void
make_whole (const DgWorker *w, DgIo *io)
{
    io->buffer -= w->block_bytes - io->length_bytes;
    io->length_bytes = (uint32_t) w->block_bytes;
}

/* Anything but a whole block at once. True when that was the block's last part. */
static COLD bool
complete_part (DgWorker *w, const DgCompletion *completion)
{
    DgIo *io = &w->ios[completion->slot];
    if (completion->result <= 0 || (uint32_t) completion->result > io->length_bytes) {
        const char *operation = io->is_write ? "write" : "read";
        if (completion->result != DG_IO_CANCELLED)
            record_error (w, operation, io->offset_bytes, io->length_bytes,
                          completion->result < 0 ? -completion->result : 0);
        make_whole (w, io);
        release_slot (w, completion->slot);
        return false;
    }

    uint32_t moved = (uint32_t) completion->result;
    if (io->is_write)
        ADD (w->counters.all_written_bytes, moved);
    else
        ADD (w->counters.all_read_bytes, moved);
    if (moved < io->length_bytes) {
        io->offset_bytes += moved;
        io->buffer += moved;
        io->length_bytes -= moved;
        w->again[w->n_again++] = completion->slot;
        return false;
    }
    make_whole (w, io);
    return true;
}

/* Half a block is nothing that counts: at the end it is let be. */
static COLD void
drop_parts (DgWorker *w)
{
    for (uint32_t i = 0; i < w->n_again; i++) {
        make_whole (w, &w->ios[w->again[i]]);
        release_slot (w, w->again[i]);
    }
    w->n_again = 0;
}

/* ---- the window ---- */

#define T1_SHARE 50u     /* of the window: see engine/worker.h */
#define LOOK_NS  100000u /* nobody can do much in that time */

static void
count_unfinished (DgWorker *w, uint64_t t1)
{
    for (uint32_t i = 0; i < w->queue_depth; i++) {
        uint64_t since = GET (w->submit_ns[i]);
        if (since == 0 || since > t1)
            continue;
        w->unfinished++;
        if (t1 - since > w->oldest_unfinished_ns)
            w->oldest_unfinished_ns = t1 - since;
    }
}

/* The thread's own, and that of threads of its queue. */
static uint64_t
cpu_so_far (const DgWorker *w)
{
    uint64_t cpu = dg__clock_thread_cpu_ns ();
    if (cpu == UINT64_MAX || w->backend->helper_cpu_ns == NULL)
        return cpu;
    return cpu + w->backend->helper_cpu_ns (w->queue);
}

/* How fast the target answers, from the ramp. A lone worker takes its quickest stretch: others'
 * load on the processors is not the target's doing. */
static double
target_iops (const DgWorker *w, uint64_t now)
{
    if (w->setup.stream->threads == 1)
        return w->best_iops;
    uint64_t elapsed = now - w->go_ns;
    return elapsed > 0 ? (double) GET (w->counters.all_ios) * 1e9 / (double) elapsed
                             * w->setup.stream->threads
                       : 0.0;
}

/* The sum of the ages at `now` of what is in flight. */
static uint64_t
ages (const DgWorker *w, uint64_t now)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < w->queue_depth; i++) {
        uint64_t since = GET (w->submit_ns[i]);
        if (since != 0 && since < now)
            sum += now - since;
    }
    return sum;
}

/* Notes the sum of the ages over all workers, where these completions are over at `now`; returns
 * the number of slots, or 0 when looking took so long that others may have gone on meanwhile. */
static uint64_t
look_at_queue (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    const DgWorkerControl *control = w->control;
    uint64_t sum = 0, slots = 0;
    for (uint32_t i = 0; i < control->n_workers; i++) {
        sum += ages (control->workers[i], now);
        slots += control->workers[i]->queue_depth;
    }
    for (uint32_t i = 0; i < n; i++)
        sum -= now - GET (w->submit_ns[completions[i].slot]);
    w->edge_ages_ns = sum;
    uint64_t most_ns = control->t0_age_ns / 8 > LOOK_NS ? control->t0_age_ns / 8 : LOOK_NS;
    return dg__stamp_ns () - now <= most_ns ? slots : 0;
}

/* Whether a window may begin with these completions: see engine/worker.h. */
static bool
may_begin (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    const DgWorkerControl *control = w->control;
    if (control->t0_age_ns == UINT64_MAX)
        return true;
    uint64_t slots = look_at_queue (w, completions, n, now), ios = 0;
    if (now - w->go_ns >= control->t0_latest_ns)
        return true;
    for (uint32_t i = 0; i < control->n_workers; i++)
        ios += GET (control->workers[i]->counters.all_ios);
    uint64_t mean_ns = ios > 0 ? (now - w->go_ns) * slots / ios : 0;
    uint64_t most = mean_ns / 2 > control->t0_age_ns ? mean_ns / 2 : control->t0_age_ns;
    return slots > 0 && w->edge_ages_ns <= slots * most;
}

/* Whether it may end with them. */
static bool
may_end (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    DgWorkerControl *control = w->control;
    if (control->t0_age_ns == UINT64_MAX
        || atomic_load_explicit (&control->phase, memory_order_acquire) != DG_WORKER_GO
        || now >= GET (control->t1_latest_ns))
        return true;
    uint64_t slots = look_at_queue (w, completions, n, now), at_end = w->edge_ages_ns,
             at_start = atomic_load_explicit (&control->t0_ages_ns, memory_order_acquire);
    uint64_t apart = at_end > at_start ? at_end - at_start : at_start - at_end;
    if (at_start != DG_UNSET_NS && slots > 0 && apart <= slots * ((now - w->t0_ns) / T1_SHARE))
        return true;
    uint64_t unset = DG_UNSET_NS;
    atomic_compare_exchange_strong (&control->t1_latest_ns, &unset, now + control->t1_wait_ns);
    return false;
}

/* The edge, or while there is none its word >= DG_EDGE_OPEN. If there is none yet these
 * completions, at `now`, are it or move on the moment from which it is looked for: of two workers
 * that judge differently the later one's stamp decides. */
static uint64_t
find_edge (DgWorker *w, _Atomic uint64_t *edge,
           bool (*may_be) (DgWorker *, const DgCompletion *, uint32_t, uint64_t),
           const DgCompletion *completions, uint32_t n, uint64_t now)
{
    uint64_t at = atomic_load (edge);
    while (at >= DG_EDGE_OPEN && now >= at - DG_EDGE_OPEN) {
        uint64_t to = may_be (w, completions, n, now) ? now : DG_EDGE_OPEN + now + 1;
        if (!atomic_compare_exchange_strong (edge, &at, to))
            continue;
        if (to == now && edge == &w->control->t0_ns)
            atomic_store_explicit (&w->control->t0_ages_ns, w->edge_ages_ns, memory_order_release);
        return to;
    }
    return at;
}

/* True when there is a t0. */
static bool
find_t0 (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    DgWorkerControl *control = w->control;
    if (atomic_load (&control->t0_ns) >= DG_EDGE_OPEN
        && atomic_load_explicit (&control->phase, memory_order_acquire) != DG_WORKER_GO)
        return false;
    uint64_t t0 = find_edge (w, &control->t0_ns, may_begin, completions, n, now);
    if (t0 >= DG_EDGE_OPEN)
        return false;
    w->t0_ns = t0;
    return true;
}

/* With the next write. */
static void
begin_groups (DgWorker *w)
{
    uint64_t n_classes = w->class_mask + 1, in_flight = 2 * w->queue_depth / n_classes,
             n = n_classes * (in_flight > DG_GROUP_DEPTH ? in_flight : DG_GROUP_DEPTH);
    w->group_places = n < w->n_places ? (uint32_t) n : w->n_places;
    w->group_end = w->sequence;
}

static void
begin_window (DgWorker *w, uint64_t now)
{
    w->is_settled = true;
    if (w->chunk == DG_CHUNK_RANDOM && target_iops (w, now) > DG_FAST_TARGET_IOPS) {
        w->chunk = DG_CHUNK_RANDOM_FAST;
        if (w->pool != NULL)
            begin_groups (w);
    }
    w->cpu_t0_ns = cpu_so_far (w);
}

static void
end_window (DgWorker *w)
{
    w->is_window_over = true;
    w->is_draining = true;
    uint64_t cpu = cpu_so_far (w);
    w->cpu_ns =
        cpu == UINT64_MAX || w->cpu_t0_ns == UINT64_MAX ? DG_UNKNOWN_U64 : cpu - w->cpu_t0_ns;
}

/* A stamp that is not plainly inside: does it count? */
static COLD bool
is_counted_at_edge (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    if (w->is_window_over)
        return false;
    if (w->t0_ns == DG_UNSET_NS) {
        if (!find_t0 (w, completions, n, now))
            return false;
        begin_window (w, now);
    }
    if (now <= w->t0_ns)
        return false;

    uint64_t t1 = atomic_load_explicit (&w->control->t1_ns, memory_order_acquire);
    if (t1 >= DG_EDGE_OPEN && now >= GET (w->control->t1_from_ns))
        t1 = find_edge (w, &w->control->t1_ns, may_end, completions, n, now);
    if (now > t1) {
        count_unfinished (w, t1); /* these completions, too, were under way at t1 */
        end_window (w);
        return false;
    }
    if (now == t1)
        end_window (w); /* what is then left of the slots is counted after this round */
    return true;
}

/* ---- the ramp ---- */

/* Stretches long enough that what piled up in the queue while the worker did not run weighs little.
 */
#define STRETCH_QUEUES 16u

static void
time_stretch (DgWorker *w, uint32_t n, uint64_t now)
{
    w->stretch_ios += n;
    if (w->stretch_ns != 0 && w->stretch_ios < STRETCH_QUEUES * w->queue_depth)
        return;
    if (w->stretch_ns != 0 && now > w->stretch_ns) {
        double iops = (double) w->stretch_ios * 1e9 / (double) (now - w->stretch_ns);
        if (iops > w->best_iops)
            w->best_iops = iops;
    }
    w->stretch_ns = now;
    w->stretch_ios = 0;
}

static COLD void
settle (DgWorker *w, const DgCompletion *completions, uint32_t n, uint64_t now)
{
    time_stretch (w, n, now);
    if (GET (w->counters.first_io_ns) == 0)
        SET (w->counters.first_io_ns, now - GET (w->submit_ns[completions[0].slot]));
    if (w->n_cycled == w->queue_depth)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (w->cycles[completions[i].slot] < 2 && ++w->cycles[completions[i].slot] == 2)
            w->n_cycled++;
    SET (w->counters.slots_cycled, w->n_cycled);
}

/* ---- the loop ---- */

static INLINE uint64_t
next_offset (DgWorker *w, bool is_random)
{
    if (is_random) {
        uint64_t block =
            (uint64_t) (((unsigned __int128) dg__random_next (&w->random) * w->n_blocks) >> 64);
        return w->base_bytes + (block << w->block_shift);
    }
    uint64_t block = w->next_block;
    w->next_block = block + 1 == w->n_blocks ? 0 : block + 1;
    return w->base_bytes + (block << w->block_shift);
}

/* Whether another slot's I/O may still be under way from that place. */
static INLINE bool
is_taken (const DgWorker *w, uint32_t place, const unsigned char *at, uint32_t slot)
{
    uint32_t user = w->place_slot[place];
    return (uintptr_t) w->ios[user].buffer - (uintptr_t) at < w->block_bytes && user != slot;
}

/* Another one of the class, or, when there is none, any: there are more places than slots. */
static COLD uint32_t
other_place (const DgWorker *w, uint32_t place, uint32_t slot)
{
    for (uint32_t step = w->class_mask + 1, n = 0; n < 2 * w->n_places; n++) {
        if (n == w->n_places / step)
            step = 1;
        place += step;
        if (place >= w->n_places)
            place = step == 1 ? 0 : place & w->class_mask;
        if (!is_taken (w, place, w->pool + ((uint64_t) place << w->block_shift), slot))
            break;
    }
    return place;
}

/* The last one may hold places of the one before. */
static COLD void
begin_group (DgWorker *w)
{
    uint32_t last = w->n_places - w->group_places, next = w->group_first + w->group_places;
    w->group_first = w->group_first == last ? 0 : next < last ? next : last;
    w->group_end += (uint64_t) w->group_places * DG_GROUP_ROUNDS;
}

static INLINE void
place_write (DgWorker *w, DgIo *io)
{
    uint32_t class = (uint32_t) (io->offset_bytes >> w->block_shift) & w->class_mask;
    uint32_t place = w->place_next[class];
    if (UNLIKELY (place - w->group_first >= w->group_places))
        place = w->group_first + class;
    unsigned char *at = w->pool + ((uint64_t) place << w->block_shift);
    if (UNLIKELY (is_taken (w, place, at, io->slot))) {
        place = other_place (w, place, io->slot);
        at = w->pool + ((uint64_t) place << w->block_shift);
    }
    w->place_slot[place] = (uint16_t) io->slot;
    w->place_next[class] = (place | w->class_mask) + 1 + class; /* even if it was another class's */
    io->buffer = at;
}

static INLINE void
prepare (DgWorker *w, DgIo *io, bool is_random, DgDirection direction)
{
    io->offset_bytes = next_offset (w, is_random);
    if (direction == DG_DIRECTION_MIX) {
        uint64_t percent = ((dg__random_next (&w->random) >> 32) * 100) >> 32;
        io->is_write = percent >= w->read_percent;
        if (!io->is_write)
            io->buffer = w->slots + ((uint64_t) io->slot << w->block_shift);
    }
    if (direction == DG_DIRECTION_WRITE || (direction == DG_DIRECTION_MIX && io->is_write))
        place_write (w, io);
}

/* All of a call at the end: the processor has a third less to wait for than with each block's
 * stamps after its place. */
static INLINE void
stamp_writes (DgWorker *w, DgIo *const *ios, uint32_t n, DgDirection direction)
{
    if (!w->is_stamped)
        return;
    uint64_t block_bytes = w->block_bytes, run = w->run, sequence = w->sequence;
    for (uint32_t i = 0; i < n; i++)
        if (direction == DG_DIRECTION_WRITE || ios[i]->is_write)
            dg__stamp_sectors (ios[i]->buffer, block_bytes, run, ios[i]->offset_bytes, sequence++);
    w->sequence = sequence;
}

/* At depth 1 the drive would wait while a large block gets its stamps (13 us a MiB): they are put
 * in while the block before is under way. */
static COLD int
exchange_ahead (DgWorker *w, uint32_t n)
{
    int got = w->exchange (w->queue, w->list, n, 0, w->completions, 1);
    if (got != 0)
        return got;
    if (!w->has_ahead) {
        DgIo *ahead = &w->ahead;
        ahead->offset_bytes = next_offset (w, w->setup.stream->access == DG_ACCESS_RANDOM);
        place_write (w, ahead);
        stamp_writes (w, &ahead, 1, DG_DIRECTION_WRITE);
        w->has_ahead = true;
    }
    return w->exchange (w->queue, w->list, 0, 1, w->completions, 1);
}

static COLD DgIo *
take_ahead (DgWorker *w, uint32_t slot)
{
    DgIo *io = &w->ios[slot];
    io->offset_bytes = w->ahead.offset_bytes;
    io->buffer = w->ahead.buffer;
    w->has_ahead = false;
    return io;
}

static INLINE void
count_latency (DgFlowCount *flow, uint64_t ns)
{
    uint64_t *bucket = &flow->histogram->counts[dg_histogram_index (ns)];
    __atomic_store_n (bucket, *bucket + 1, __ATOMIC_RELAXED);
    flow->ios++;
    flow->sum_ns += ns;
    if (ns < flow->min_ns)
        flow->min_ns = ns;
    if (ns > flow->max_ns)
        flow->max_ns = ns;
}

static INLINE void
loop (DgWorker *w, bool is_random, DgDirection direction)
{
    /* Locals, since the compiler must take each store for one that may change the worker. */
    DgIo *const slots = w->ios, **const list = w->list;
    DgCompletion *const completions = w->completions;
    _Atomic uint64_t *const submit_ns = w->submit_ns;
    uint32_t *const free_slots = w->free_slots;
    const uint32_t free_mask = w->free_mask, depth = w->queue_depth;
    const uint64_t block_bytes = w->block_bytes;

    for (;;) {
        uint32_t n = 0, n_old = 0;
        if (UNLIKELY (GET (w->control->phase) != DG_WORKER_GO))
            w->is_draining = true;
        if (UNLIKELY (w->n_again > 0)) {
            if (w->is_draining)
                drop_parts (w);
            for (; n < w->n_again; n++)
                list[n] = &slots[w->again[n]];
            n_old = n;
            w->n_again = 0;
        }
        if (LIKELY (!w->is_draining)) {
            uint32_t fresh = w->n_free < w->chunk ? w->n_free : w->chunk, head = w->free_head;
            w->free_head = head + fresh;
            w->n_free -= fresh;
            uint32_t n_ready = n; /* have their data already */
            if (direction == DG_DIRECTION_WRITE && UNLIKELY (w->has_ahead) && fresh > 0) {
                list[n++] = take_ahead (w, free_slots[head++ & free_mask]);
                n_ready = n;
                fresh--;
            }
            if (direction != DG_DIRECTION_READ && UNLIKELY (w->sequence >= w->group_end))
                begin_group (w);
            for (; fresh > 0; fresh--) {
                DgIo *io = &slots[free_slots[head++ & free_mask]];
                prepare (w, io, is_random, direction);
                list[n++] = io;
            }
            if (direction != DG_DIRECTION_READ)
                stamp_writes (w, list + n_ready, n - n_ready, direction);
            uint64_t stamp = dg__stamp_ns ();
            for (uint32_t i = n_old; i < n; i++)
                SET (submit_ns[list[i]->slot], stamp);
        }
        if (UNLIKELY (w->n_free == depth))
            return;

        uint32_t wait_for = w->n_free == 0 || w->is_draining;
        int got = direction == DG_DIRECTION_WRITE && UNLIKELY (w->is_ahead) && !w->is_draining
                      ? exchange_ahead (w, n)
                      : w->exchange (w->queue, list, n, wait_for, completions, depth);
        if (got <= 0) {
            if (UNLIKELY (got < 0)) {
                record_error (w, "submit", 0, 0, -got);
                return;
            }
            continue;
        }

        uint64_t now = dg__stamp_ns ();
        bool is_counted = LIKELY (now > w->t0_ns && now < GET (w->control->t1_from_ns)
                                  && now <= GET (w->control->t1_ns))
                          || is_counted_at_edge (w, completions, (uint32_t) got, now);
        if (UNLIKELY (!w->is_settled))
            settle (w, completions, (uint32_t) got, now);

        uint64_t ios = 0, written_ios = 0, parted_bytes[2] = { 0, 0 };
        uint32_t free_tail = w->free_head + w->n_free;
        for (int i = 0; i < got; i++) {
            const DgCompletion *completion = &completions[i];
            bool is_write = direction == DG_DIRECTION_MIX ? slots[completion->slot].is_write
                                                          : direction == DG_DIRECTION_WRITE;
            if (UNLIKELY ((uint64_t) completion->result != block_bytes)) {
                w->n_free = free_tail - w->free_head;
                bool is_whole = complete_part (w, completion);
                free_tail = w->free_head + w->n_free;
                if (!is_whole)
                    continue;
                parted_bytes[is_write] += block_bytes; /* complete_part () has added them up */
            }
            uint64_t latency = now - GET (submit_ns[completion->slot]);
            SET (submit_ns[completion->slot], 0);
            free_slots[free_tail++ & free_mask] = completion->slot;
            ios++;
            if (direction == DG_DIRECTION_MIX)
                written_ios += is_write;
            if (is_counted)
                count_latency (&w->flow[direction == DG_DIRECTION_MIX && is_write], latency);
        }

        w->n_free = free_tail - w->free_head;
        ADD (w->counters.all_ios, ios);
        if (direction == DG_DIRECTION_WRITE)
            written_ios = ios;
        if (direction != DG_DIRECTION_WRITE)
            ADD (w->counters.all_read_bytes,
                 ((ios - written_ios) << w->block_shift) - parted_bytes[0]);
        if (direction != DG_DIRECTION_READ)
            ADD (w->counters.all_written_bytes, (written_ios << w->block_shift) - parted_bytes[1]);
        if (is_counted) {
            ADD (w->counters.ios, ios);
            ADD (w->counters.bytes, ios << w->block_shift);
            if (UNLIKELY (w->is_window_over))
                count_unfinished (w, now);
        }
    }
}

void
dg__worker_loop (DgWorker *w)
{
    w->go_ns = dg__stamp_ns ();
    bool is_random = w->setup.stream->access == DG_ACCESS_RANDOM;
    if (w->read_percent == 100) {
        if (is_random)
            loop (w, true, DG_DIRECTION_READ);
        else
            loop (w, false, DG_DIRECTION_READ);
    } else if (w->read_percent == 0) {
        if (is_random)
            loop (w, true, DG_DIRECTION_WRITE);
        else
            loop (w, false, DG_DIRECTION_WRITE);
    } else {
        if (is_random)
            loop (w, true, DG_DIRECTION_MIX);
        else
            loop (w, false, DG_DIRECTION_MIX);
    }
}
