/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: the time of day is shifted by as many seconds as stand in the file $CLOCK_SHIFT_FILE,
 * which may change at any time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long
shift (void)
{
    const char *path = getenv ("CLOCK_SHIFT_FILE");
    FILE *file = path ? fopen (path, "re") : NULL;
    long seconds = 0;
    if (file && fscanf (file, "%ld", &seconds) != 1)
        seconds = 0;
    if (file)
        fclose (file);
    return seconds;
}

int
clock_gettime (clockid_t clock, struct timespec *ret_time)
{
    static int (*real) (clockid_t, struct timespec *);
    if (!real)
        real = (int (*) (clockid_t, struct timespec *)) dlsym (RTLD_NEXT, "clock_gettime");
    int code = real (clock, ret_time);
    if (code == 0 && clock == CLOCK_REALTIME)
        ret_time->tv_sec += shift ();
    return code;
}

int
gettimeofday (struct timeval *restrict ret_time, void *restrict zone)
{
    struct timespec now;
    clock_gettime (CLOCK_REALTIME, &now);
    ret_time->tv_sec = now.tv_sec;
    ret_time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t
time (time_t *ret_time)
{
    struct timespec now;
    clock_gettime (CLOCK_REALTIME, &now);
    if (ret_time)
        *ret_time = now.tv_sec;
    return now.tv_sec;
}
