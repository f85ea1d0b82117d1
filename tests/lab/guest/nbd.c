/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab-nbd: a drive of known latency, served over NBD on a Unix socket to QEMU.
 * usage: lab-nbd SOCKET SIZE READ_NS WRITE_NS TAIL_EVERY TAIL_NS [FILE|null]
 * Each request is answered at (arrival + latency); every TAIL_EVERY-th one at
 * (arrival + TAIL_NS). 64 worker threads, so queue depth up to 64 runs in parallel. */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int s;
static uint64_t size, rns, wns, tail_every, tail_ns, count;
static char *mem; /* NULL: keeps nothing, reads zeroes */
static pthread_mutex_t rx = PTHREAD_MUTEX_INITIALIZER, tx = PTHREAD_MUTEX_INITIALIZER;

static void
get (void *p, size_t n)
{
    for (char *c = p; n;) {
        ssize_t r = read (s, c, n);
        if (r <= 0) {
            if (r < 0 && errno == EINTR)
                continue;
            exit (0);
        }
        c += r;
        n -= (size_t) r;
    }
}
static void
put (const void *p, size_t n)
{
    for (const char *c = p; n;) {
        ssize_t r = write (s, c, n);
        if (r <= 0) {
            if (r < 0 && errno == EINTR)
                continue;
            exit (0);
        }
        c += r;
        n -= (size_t) r;
    }
}
static void
put32 (uint32_t v)
{
    v = htobe32 (v);
    put (&v, 4);
}
static void
put64 (uint64_t v)
{
    v = htobe64 (v);
    put (&v, 8);
}
static void
put16 (uint16_t v)
{
    v = htobe16 (v);
    put (&v, 2);
}

struct __attribute__ ((packed)) req {
    uint32_t magic;
    uint16_t flags, type;
    uint64_t handle, off;
    uint32_t len;
};
struct __attribute__ ((packed)) rep {
    uint32_t magic, err;
    uint64_t handle;
};

static void *
worker (void *arg)
{
    char *buf = malloc (32 << 20);
    (void) arg;
    prctl (PR_SET_TIMERSLACK, 1UL);
    for (;;) {
        struct req q;
        struct timespec t;
        pthread_mutex_lock (&rx);
        get (&q, sizeof q);
        clock_gettime (CLOCK_MONOTONIC, &t);
        uint64_t off = be64toh (q.off);
        uint32_t len = be32toh (q.len);
        int type = be16toh (q.type);
        if (type == 1)
            get (buf, len);
        uint64_t n = ++count;
        pthread_mutex_unlock (&rx);
        if (type == 2)
            exit (0);
        uint64_t ns = type == 0 ? rns : type == 1 ? wns : 0;
        if (type <= 1 && tail_every && n % tail_every == 0)
            ns = tail_ns;
        struct rep r = { htobe32 (0x67446698), 0, q.handle };
        if (type <= 1 && (off > size || len > size - off))
            r.err = htobe32 (EINVAL);
        else if (type == 0) {
            if (mem)
                memcpy (buf, mem + off, len);
            else
                memset (buf, 0, len);
        } else if (type == 1 && mem)
            memcpy (mem + off, buf, len);
        if (ns) {
            t.tv_nsec += (long) (ns % 1000000000);
            t.tv_sec += (time_t) (ns / 1000000000);
            if (t.tv_nsec >= 1000000000) {
                t.tv_nsec -= 1000000000;
                t.tv_sec++;
            }
            while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
            }
        }
        pthread_mutex_lock (&tx);
        put (&r, sizeof r);
        if (type == 0 && !r.err)
            put (buf, len);
        pthread_mutex_unlock (&tx);
    }
}

int
main (int c, char **v)
{
    if (c < 7)
        return 2;
    size = strtoull (v[2], 0, 0);
    rns = strtoull (v[3], 0, 0);
    wns = strtoull (v[4], 0, 0);
    tail_every = strtoull (v[5], 0, 0);
    tail_ns = strtoull (v[6], 0, 0);
    if (c < 8 || strcmp (v[7], "null")) {
        int f = c > 7 ? open (v[7], O_RDWR | O_CREAT, 0600) : -1;
        if (f >= 0 && ftruncate (f, (off_t) size))
            return 1;
        mem = mmap (0, size, PROT_READ | PROT_WRITE,
                    f >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, f, 0);
        if (mem == MAP_FAILED)
            return 1;
    }
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    strncpy (a.sun_path, v[1], sizeof a.sun_path - 1);
    int l = socket (AF_UNIX, SOCK_STREAM, 0);
    if (bind (l, (void *) &a, sizeof a) || listen (l, 1)) {
        perror (v[1]);
        return 1;
    }
    s = accept (l, 0, 0);
    put ("NBDMAGIC", 8);
    put ("IHAVEOPT", 8);
    put16 (3); /* fixed newstyle, no zeroes */
    uint32_t cf;
    get (&cf, 4);
    for (;;) {
        char m[8], name[4096];
        uint32_t opt, len;
        get (m, 8);
        get (&opt, 4);
        get (&len, 4);
        opt = be32toh (opt);
        len = be32toh (len);
        if (len > sizeof name)
            exit (1);
        get (name, len);
        const uint16_t fl = 1 | 4 | 8 | 32; /* flags, flush, FUA, trim */
        if (opt == 1) {
            put64 (size);
            put16 (fl);
            break;
        }
        if (opt == 6 || opt == 7) { /* INFO, GO */
            put64 (0x3e889045565a9ULL);
            put32 (opt);
            put32 (3);
            put32 (12);
            put16 (0);
            put64 (size);
            put16 (fl);
            put64 (0x3e889045565a9ULL);
            put32 (opt);
            put32 (1);
            put32 (0);
            if (opt == 7)
                break;
        } else {
            put64 (0x3e889045565a9ULL);
            put32 (opt);
            put32 (0x80000001);
            put32 (0);
            if (opt == 2)
                exit (0);
        }
    }
    for (int i = 0; i < 64; i++) {
        pthread_t t;
        pthread_create (&t, 0, worker, 0);
    }
    pause ();
}
