/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/null/null.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "engine/clock.h"
#include "engine/thread.h"

/* A thread that waits for a moment. On that thread's stack. */
typedef struct Sleeper {
    struct Sleeper *next;
    uint64_t when_ns;
    bool is_awake;
} Sleeper;

/* One a plan run. A world whose threads will never run again stays behind: they sleep in it. */
typedef struct World {
    struct World *next;
    DgLock *lock;
    const DgNullScript *script;
    uint32_t next_event;
    uint32_t n_threads, n_asleep; /* of the engine */
    bool is_held;
    Sleeper *sleepers;
    _Atomic uint64_t now_ns, suspended_ns, jumped_ns;
} World;

static _Atomic (World *) current;
static World *abandoned;
static _Thread_local World *mine;

static World *
my_world (void)
{
    if (mine == NULL)
        mine = atomic_load (&current);
    return mine;
}

/* With the lock held: goes to the next moment at which somebody wants to go on, if nobody has
 * anything to do before. */
static void
advance (World *world)
{
    while (!world->is_held && world->n_threads > 0 && world->n_asleep == world->n_threads) {
        uint64_t next = UINT64_MAX;
        for (const Sleeper *s = world->sleepers; s != NULL; s = s->next)
            if (s->when_ns < next)
                next = s->when_ns;
        const DgNullEvent *event = NULL;
        if (world->next_event < world->script->n_events) {
            event = &world->script->events[world->next_event];
            if (event->when_ns > next)
                event = NULL;
            else
                next = event->when_ns;
        }
        if (next == UINT64_MAX)
            return;
        if (next > atomic_load (&world->now_ns))
            atomic_store (&world->now_ns, next);
        if (event != NULL) {
            world->next_event++;
            event->call (event->data);
            continue;
        }
        for (Sleeper **s = &world->sleepers; *s != NULL;) {
            if ((*s)->when_ns > next) {
                s = &(*s)->next;
                continue;
            }
            (*s)->is_awake = true;
            *s = (*s)->next;
            world->n_asleep--;
        }
        dg__lock_signal (world->lock);
    }
}

static uint64_t
now_ns (void)
{
    return atomic_load (&my_world ()->now_ns);
}

static uint64_t
boot_ns (void)
{
    return now_ns () + atomic_load (&my_world ()->suspended_ns);
}

static void
sleep_until_ns (uint64_t when_ns)
{
    World *world = my_world ();
    if (when_ns <= atomic_load (&world->now_ns))
        return;
    dg__lock (world->lock);
    Sleeper self = { world->sleepers, when_ns, false };
    world->sleepers = &self;
    world->n_asleep++;
    advance (world);
    while (!self.is_awake)
        dg__lock_wait_until (world->lock, dg__lock_clock_ns () + 1000000000u);
    dg__unlock (world->lock);
}

static void
thread_starts (void)
{
    World *world = atomic_load (&current);
    dg__lock (world->lock);
    world->n_threads++;
    dg__unlock (world->lock);
}

static void
thread_ends (void)
{
    World *world = my_world ();
    dg__lock (world->lock);
    world->n_threads--;
    advance (world);
    dg__unlock (world->lock);
}

static uint64_t
stamp_ns (void)
{
    return now_ns () + atomic_load (&my_world ()->jumped_ns);
}

static const DgFakeClock fake = { now_ns,         boot_ns,       stamp_ns,
                                  sleep_until_ns, thread_starts, thread_ends };

int
dg__null_clock_begin (const DgNullScript *script)
{
    World *world = calloc (1, sizeof *world);
    if (world == NULL || (world->lock = dg__lock_new ()) == NULL) {
        free (world);
        return DG_ERROR_NO_MEMORY;
    }
    world->script = script;
    world->is_held = script->starts_held;
    atomic_store (&world->now_ns, DG_NULL_START_NS);
    atomic_store (&current, world);
    mine = NULL;
    dg__clock_set_fake (&fake);
    return DG_OK;
}

void
dg__null_clock_end (void)
{
    World *world = atomic_load (&current);
    dg__clock_set_fake (NULL);
    atomic_store (&current, NULL);
    mine = NULL;
    dg__lock (world->lock);
    bool is_empty = world->n_threads == 0;
    dg__unlock (world->lock);
    if (is_empty) {
        dg__lock_free (world->lock);
        free (world);
    } else {
        world->next = abandoned;
        abandoned = world;
    }
}

void
dg__null_clock_go (void)
{
    World *world = atomic_load (&current);
    dg__lock (world->lock);
    world->is_held = false;
    advance (world);
    dg__unlock (world->lock);
}

void
dg__null_clock_suspend (uint64_t ns)
{
    atomic_fetch_add (&atomic_load (&current)->suspended_ns, ns);
}

void
dg__null_clock_stand (uint64_t ns)
{
    atomic_fetch_add (&atomic_load (&current)->now_ns, ns);
}

void
dg__null_clock_jump (int64_t ns)
{
    atomic_fetch_add (&atomic_load (&current)->jumped_ns, (uint64_t) ns);
}
