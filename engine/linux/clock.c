/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define NS_PER_S 1000000000u
#define OFF_NS                                                                                     \
    50000000u /* between stamp and clock: more than a small error of the rate makes in a day */

/* (nullable) changed only while no engine thread runs but those of runs given up */
static const DgFakeClock *_Atomic fake_clock;

/* ns = base_ns + ((tsc - base_tsc) * multiplier >> 32); a multiplier of 0 means that stamps are not
 * made from the TSC: there is none to trust, or the clock is a fake one. So a stamp costs one test
 * whatever the clock. `real_multiplier` is what calibration found. */
static struct {
    _Atomic uint64_t multiplier, base_tsc, base_ns;
    uint64_t real_multiplier;
} scale;

#define GET(field)        atomic_load_explicit (&(field), memory_order_relaxed)
#define SET(field, value) atomic_store_explicit (&(field), (value), memory_order_relaxed)

static uint64_t
read_clock_ns (clockid_t id)
{
    struct timespec t;
    if (clock_gettime (id, &t) != 0)
        return UINT64_MAX;
    return (uint64_t) t.tv_sec * NS_PER_S + (uint64_t) t.tv_nsec;
}

void
dg__clock_set_fake (const DgFakeClock *fake)
{
    fake_clock = fake;
    SET (scale.multiplier, fake != NULL ? 0 : scale.real_multiplier);
}

const DgFakeClock *
dg__clock_fake (void)
{
    return fake_clock;
}

uint64_t
dg__clock_ns (void)
{
    return fake_clock != NULL ? fake_clock->now_ns () : read_clock_ns (CLOCK_MONOTONIC);
}

uint64_t
dg__clock_boot_ns (void)
{
    if (fake_clock != NULL)
        return fake_clock->boot_ns ();
    uint64_t ns = read_clock_ns (CLOCK_BOOTTIME);
    return ns != UINT64_MAX ? ns : dg__clock_ns ();
}

uint64_t
dg__clock_thread_cpu_ns (void)
{
    return read_clock_ns (CLOCK_THREAD_CPUTIME_ID);
}

void
dg__sleep_until_ns (uint64_t when_ns)
{
    if (fake_clock != NULL) {
        fake_clock->sleep_until_ns (when_ns);
        return;
    }
    struct timespec t = { (time_t) (when_ns / NS_PER_S), (long) (when_ns % NS_PER_S) };
    while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

#if defined(__x86_64__)

static size_t
read_text (const char *path, char *text, size_t size)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    size_t length = 0;
    ssize_t n;
    while (length + 1 < size && (n = read (fd, text + length, size - 1 - length)) > 0)
        length += (size_t) n;
    close (fd);
    text[length] = '\0';
    return length;
}

/* Is `word` one of the words of the first "flags" line? */
static bool
has_flag (const char *cpuinfo, const char *word)
{
    const char *line = strstr (cpuinfo, "\nflags");
    if (line == NULL)
        return false;
    const char *end = strchr (line + 1, '\n');
    size_t length = strlen (word);
    for (const char *at = line; (at = strstr (at, word)) != NULL && (end == NULL || at < end);
         at += length)
        if (at[-1] == ' ' && (at[length] == ' ' || at[length] == '\n' || at[length] == '\0'))
            return true;
    return false;
}

/* Only where the kernel itself keeps time by it. */
static bool
tsc_is_clock_source (void)
{
    char source[32];
    return read_text ("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
                      sizeof source)
               > 0
           && strcmp (source, "tsc\n") == 0;
}

/* The processor promises that it runs at one rate and never stops. */
static bool
tsc_is_promised (void)
{
    char cpuinfo[8192]; /* the first processor's lines are enough */
    return read_text ("/proc/cpuinfo", cpuinfo, sizeof cpuinfo) > 0
           && has_flag (cpuinfo, "constant_tsc") && has_flag (cpuinfo, "nonstop_tsc");
}

/* A pair of readings as close together as a few tries give: an interruption between them would tilt
 * the scale. */
static void
read_pair (uint64_t *ret_tsc, uint64_t *ret_ns)
{
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t before = __rdtsc ();
        uint64_t ns = read_clock_ns (CLOCK_MONOTONIC);
        uint64_t after = __rdtsc ();
        if (after - before < narrowest) {
            narrowest = after - before;
            *ret_tsc = before + (after - before) / 2;
            *ret_ns = ns;
        }
    }
}

/* The multiplier over a pause in which the processor may sleep; 0 when the readings make no sense.
 */
static uint64_t
measure_multiplier (uint64_t pause_ns)
{
    uint64_t tsc_a = 0, ns_a = 0, tsc_b = 0, ns_b = 0;
    read_pair (&tsc_a, &ns_a);
    clock_nanosleep (CLOCK_MONOTONIC, 0, &(struct timespec){ 0, (long) pause_ns }, NULL);
    read_pair (&tsc_b, &ns_b);
    if (tsc_b <= tsc_a || ns_b <= ns_a)
        return 0;
    SET (scale.base_tsc, tsc_b);
    SET (scale.base_ns, ns_b);
    return (uint64_t) (((unsigned __int128) (ns_b - ns_a) << 32) / (tsc_b - tsc_a));
}

static void
calibrate (void)
{
    if (!tsc_is_clock_source ())
        return;
    uint64_t multiplier = 0;
    if (tsc_is_promised ()) {
        multiplier = measure_multiplier (20000000);
    } else {
        /* A virtual machine may not pass the promise on. Then two pauses must give the same rate to
         * 20 ppm. */
        uint64_t first = measure_multiplier (10000000);
        multiplier = measure_multiplier (10000000);
        uint64_t apart = first > multiplier ? first - multiplier : multiplier - first;
        if (apart > multiplier / 50000)
            return;
    }
    scale.real_multiplier = multiplier;
    if (fake_clock == NULL)
        SET (scale.multiplier, multiplier);
}

/* Suspend to RAM stops the TSC or sets it to anything; its rate stays. */
static bool
is_off (void)
{
    uint64_t clock = dg__clock_ns (), stamp = dg__stamp_ns ();
    return (clock > stamp ? clock - stamp : stamp - clock) > OFF_NS;
}

void
dg__stamp_init (void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_calibrated;
    pthread_mutex_lock (&lock);
    if (!is_calibrated || (GET (scale.multiplier) != 0 && is_off ()))
        calibrate ();
    is_calibrated = true;
    pthread_mutex_unlock (&lock);
}

uint64_t
dg__stamp_ns (void)
{
    uint64_t multiplier = GET (scale.multiplier);
    if (__builtin_expect (multiplier != 0, 1))
        return GET (scale.base_ns)
               + (uint64_t) (((unsigned __int128) (__rdtsc () - GET (scale.base_tsc)) * multiplier)
                             >> 32);
    return fake_clock != NULL ? fake_clock->stamp_ns () : dg__clock_ns ();
}

#else

void
dg__stamp_init (void)
{
}

uint64_t
dg__stamp_ns (void)
{
    return fake_clock != NULL ? fake_clock->stamp_ns () : dg__clock_ns ();
}

#endif
