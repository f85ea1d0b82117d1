/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/linux/label.h"

/* How long the present threads may be stuck before more are started, so that a few threads serve
 * hundreds of healthy mounts. */
enum {
    STUCK_MS = 5,
    FIRST_THREADS = 4,
    MAX_THREADS = 1024,
    STACK_BYTES = 256 << 10
};

typedef enum {
    JOB_WAITING,
    JOB_RUNNING,
    JOB_DONE,
    JOB_LEFT, /* its time is over: whoever runs it must clean up */
} JobState;

typedef struct {
    DgAsk ask; /* own copies of everything */
    JobState state;
} Job;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Job *jobs;
    uint32_t n, next, n_done;
    uint32_t n_users; /* threads + the caller; the last one frees */
} Batch;

/* Mounts whose thread is away. */
static pthread_mutex_t lost_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t lost[256];
static uint32_t n_lost;

static bool
lost_find (uint64_t hash, bool remove)
{
    bool found = false;

    pthread_mutex_lock (&lost_lock);
    for (uint32_t i = 0; i < n_lost && !found; i++)
        if (lost[i] == hash) {
            found = true;
            if (remove)
                lost[i] = lost[--n_lost];
        }
    pthread_mutex_unlock (&lost_lock);
    return found;
}

static void
lost_add (uint64_t hash)
{
    pthread_mutex_lock (&lost_lock);
    if (hash && n_lost < sizeof lost / sizeof *lost)
        lost[n_lost++] = hash;
    pthread_mutex_unlock (&lost_lock);
}

static int64_t
now_ms (void)
{
    struct timespec now;

    clock_gettime (CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
answer_space (DgAsk *ask, const char *path)
{
    struct statfs fs;

    if (statfs (path, &fs) != 0) {
        ask->os_code = errno;
        return;
    }
    uint64_t unit = fs.f_frsize > 0  ? (uint64_t) fs.f_frsize
                    : fs.f_bsize > 0 ? (uint64_t) fs.f_bsize
                                     : 0;
    ask->f_type = (uint32_t) fs.f_type;
    if (unit && fs.f_blocks < UINT64_MAX / unit) {
        ask->size_bytes = fs.f_blocks * unit;
        ask->free_bytes = fs.f_bavail < fs.f_blocks    ? fs.f_bavail * unit
                          : fs.f_bavail == fs.f_blocks ? ask->size_bytes
                                                       : 0;
    }
    ask->block_bytes = unit <= UINT32_MAX ? (uint32_t) unit : 0;
    ask->is_read_only = (fs.f_flags & ST_RDONLY) != 0;
}

static void
answer (DgAsk *ask)
{
    char real[PATH_MAX];
    struct stat st;

    ask->folder = ask->first_folder = -1;
    ask->os_code = ENOENT;
    if (ask->want_real_path && ask->n_paths > 0) {
        if (!realpath (ask->paths[0], real)) {
            ask->os_code = errno;
            return;
        }
        ask->real_path = strdup (real);
    }
    for (uint32_t i = 0; i < ask->n_paths; i++) {
        int code = stat (ask->paths[i], &st) != 0 ? errno : S_ISDIR (st.st_mode) ? 0 : ENOTDIR;
        if (code == 0 && ask->first_folder < 0) {
            ask->first_folder = (int) i;
            ask->os_code = 0;
            answer_space (ask, ask->paths[i]);
        } else if (code != 0 && i == 0) {
            ask->os_code = code;
        }
        if (code == 0 && faccessat (AT_FDCWD, ask->paths[i], W_OK | X_OK, AT_EACCESS) != 0)
            code = errno;
        if (code == 0) {
            ask->folder = (int) i;
            break;
        }
        if (ask->folder_os_code == 0)
            ask->folder_os_code = code;
    }
    if (ask->device)
        dg__label_read (ask->device, ask->device_major, ask->device_minor, &ask->label, &ask->uuid);
}

void
dg__ask_done (DgAsk *ask)
{
    free (ask->label);
    free (ask->uuid);
    free (ask->real_path);
    ask->label = ask->uuid = ask->real_path = NULL;
}

static void
job_done (Job *job)
{
    for (uint32_t i = 0; i < job->ask.n_paths; i++)
        free ((char *) job->ask.paths[i]);
    free ((char *) job->ask.device);
    dg__ask_done (&job->ask);
}

/* With the lock held; gives it up. */
static void
batch_unref (Batch *batch)
{
    bool is_last = --batch->n_users == 0;

    pthread_mutex_unlock (&batch->lock);
    if (!is_last)
        return;
    for (uint32_t i = 0; i < batch->n; i++)
        job_done (&batch->jobs[i]);
    pthread_mutex_destroy (&batch->lock);
    pthread_cond_destroy (&batch->changed);
    free (batch->jobs);
    free (batch);
}

static void *
thread_main (void *data)
{
    Batch *batch = data;

    pthread_mutex_lock (&batch->lock);
    while (batch->next < batch->n) {
        Job *job = &batch->jobs[batch->next++];
        if (job->state != JOB_WAITING)
            continue;
        job->state = JOB_RUNNING;
        pthread_mutex_unlock (&batch->lock);
        answer (&job->ask);
        pthread_mutex_lock (&batch->lock);
        if (job->state == JOB_LEFT)
            lost_find (job->ask.line_hash, true);
        else
            batch->n_done++;
        job->state = JOB_DONE;
        if (batch->n_done == batch->n)
            pthread_cond_signal (&batch->changed);
    }
    batch_unref (batch);
    return NULL;
}

/* With the lock held. Signals belong to the program's own threads. */
static bool
start_thread (Batch *batch)
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, old;
    bool is_started;

    if (pthread_attr_init (&attr) != 0)
        return false;
    sigfillset (&all);
    pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize (&attr, STACK_BYTES);
    pthread_sigmask (SIG_BLOCK, &all, &old);
    is_started = pthread_create (&thread, &attr, thread_main, batch) == 0;
    pthread_sigmask (SIG_SETMASK, &old, NULL);
    pthread_attr_destroy (&attr);
    batch->n_users += is_started;
    return is_started;
}

static Batch *
batch_new (const DgAsk *asks, uint32_t n)
{
    Batch *batch = calloc (1, sizeof *batch);
    pthread_condattr_t attr;

    if (!batch || !(batch->jobs = calloc (n, sizeof *batch->jobs))) {
        free (batch);
        return NULL;
    }
    pthread_mutex_init (&batch->lock, NULL);
    pthread_condattr_init (&attr);
    pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
    pthread_cond_init (&batch->changed, &attr);
    pthread_condattr_destroy (&attr);
    batch->n = n;
    batch->n_users = 1;
    for (uint32_t i = 0; i < n; i++) {
        DgAsk *ask = &batch->jobs[i].ask;
        *ask = asks[i];
        ask->n_paths = 0;
        ask->label = ask->uuid = ask->real_path = NULL;
        ask->device = asks[i].device ? strdup (asks[i].device) : NULL;
        for (uint32_t k = 0; k < asks[i].n_paths; k++)
            if (!(ask->paths[ask->n_paths++] = strdup (asks[i].paths[k]))) {
                pthread_mutex_lock (&batch->lock);
                batch_unref (batch);
                return NULL;
            }
        if (ask->line_hash && lost_find (ask->line_hash, false)) {
            batch->jobs[i].state = JOB_DONE;
            batch->jobs[i].ask.is_answered = false;
            batch->n_done++;
        } else {
            ask->is_answered = true;
        }
    }
    return batch;
}

/* With the lock held, when the time is over. */
static void
leave_running_ones (Batch *batch)
{
    for (uint32_t i = 0; i < batch->n; i++) {
        if (batch->jobs[i].state != JOB_RUNNING)
            continue;
        batch->jobs[i].state = JOB_LEFT;
        lost_add (batch->jobs[i].ask.line_hash);
    }
}

static void
wait_until (Batch *batch, int64_t ms)
{
    struct timespec at = { ms / 1000, ms % 1000 * 1000000 };

    pthread_cond_timedwait (&batch->changed, &batch->lock, &at);
}

int64_t
dg__ask_end (uint32_t ms)
{
    return now_ms () + ms;
}

int
dg__ask_all (DgAsk *asks, uint32_t n, int64_t end)
{
    Batch *batch;
    uint32_t n_threads = 0, was_done = UINT32_MAX;

    if (n == 0)
        return 0;
    batch = batch_new (asks, n);
    if (!batch)
        return DG_ERROR_NO_MEMORY;
    pthread_mutex_lock (&batch->lock);
    while (batch->n_done < n) {
        int64_t now = now_ms ();
        if (batch->next < n && (n_threads == 0 || was_done == batch->n_done)) {
            uint32_t wanted = n_threads ? n_threads : FIRST_THREADS;
            while (wanted-- > 0 && n_threads < MAX_THREADS && n_threads < n && start_thread (batch))
                n_threads++;
            if (n_threads == 0)
                break;
        }
        if (now >= end)
            break;
        was_done = batch->n_done;
        wait_until (batch, batch->next < n && now + STUCK_MS < end ? now + STUCK_MS : end);
    }
    bool is_asked = n_threads > 0 || batch->n_done == n;
    leave_running_ones (batch);
    batch->next = n;
    for (uint32_t i = 0; i < n; i++) {
        DgAsk *own = &batch->jobs[i].ask;
        DgAsk result = asks[i];
        result.is_answered = batch->jobs[i].state == JOB_DONE && own->is_answered;
        if (result.is_answered) {
            const char *const *paths = asks[i].paths;
            uint32_t n_paths = asks[i].n_paths;
            result = *own;
            memcpy (result.paths, paths, sizeof result.paths);
            result.n_paths = n_paths;
            result.device = asks[i].device;
            own->label = own->uuid = own->real_path = NULL;
        }
        asks[i] = result;
    }
    batch_unref (batch);
    return is_asked ? 0 : DG_ERROR_NO_MEMORY;
}
