/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/windows/ask.h"
#include "engine/error.h"
#include "engine/thread.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const DgWinQueries *q;
    DgWinAsk *ask; /* (owned) by the thread while it runs */
    wchar_t mount[MAX_PATH];
    int bitlocker;
    DgLock *lock;
    bool is_answered, is_done, is_left; /* left: nobody waits any more, the thread frees all */
} Job;

DgWinAsk *
dg__win_ask_new (const wchar_t *mount, const wchar_t *volume, const wchar_t *path)
{
    DgWinAsk *ask = calloc (1, sizeof *ask);
    if (ask == NULL)
        return NULL;
    ask->bitlocker = -1;
    if (mount != NULL)
        wcscpy (ask->mount, mount);
    if (volume != NULL)
        wcscpy (ask->volume, volume);
    if (path != NULL && (ask->path = wcsdup (path)) == NULL) {
        free (ask);
        return NULL;
    }
    return ask;
}

void
dg__win_ask_free (DgWinAsk *ask)
{
    if (ask == NULL)
        return;
    free (ask->path);
    free (ask);
}

static bool
lies_on (const DgWinQueries *q, const wchar_t *folder, const wchar_t *mount)
{
    wchar_t its_mount[MAX_PATH], volume[64];
    bool is_folder;
    return q->locate (q, folder, its_mount, volume, &is_folder) == 0
           && _wcsicmp (its_mount, mount) == 0;
}

static void
find_folder (const DgWinQueries *q, DgWinAsk *ask)
{
    wchar_t folder[MAX_PATH];
    for (uint32_t i = 0; i < DG_WIN_FOLDERS; i++) {
        if (i == 0)
            wcscpy (folder, ask->mount);
        else if (!q->user_folder (q, i - 1, folder) || !lies_on (q, folder, ask->mount))
            continue;
        ask->is_home |= i == 1;
        if (ask->folder[0] == L'\0' && q->can_write (q, folder))
            wcscpy (ask->folder, folder);
    }
}

static void
answer (const DgWinQueries *q, DgWinAsk *ask)
{
    if (ask->path != NULL) {
        ask->os_code = q->locate (q, ask->path, ask->mount, ask->volume, &ask->is_folder);
        if (ask->os_code != 0)
            return;
        ask->can_write = ask->is_folder && q->can_write (q, ask->path);
    }
    ask->has_information = q->information (q, ask->mount, &ask->information);
    find_folder (q, ask);
}

static void
job_free (Job *job)
{
    dg__lock_free (job->lock);
    dg__win_ask_free (job->ask);
    free (job);
}

static void
job_main (void *data)
{
    Job *job = data;
    answer (job->q, job->ask);
    wcscpy (job->mount, job->ask->mount);
    bool is_local = job->ask->has_information && job->ask->information.drive_type != DRIVE_REMOTE;
    dg__lock (job->lock);
    job->is_answered = true; /* from here on the one who asked may take `ask` */
    dg__lock_signal (job->lock);
    dg__unlock (job->lock);

    int bitlocker = is_local ? job->q->bitlocker (job->q, job->mount) : -1;
    dg__lock (job->lock);
    job->bitlocker = bitlocker;
    job->is_done = true;
    bool is_left = job->is_left;
    dg__lock_signal (job->lock);
    dg__unlock (job->lock);
    if (is_left)
        job_free (job);
}

static Job *
job_start (const DgWinQueries *q, DgWinAsk *ask)
{
    DgThread *thread;
    Job *job = calloc (1, sizeof *job);
    if (job == NULL || (job->lock = dg__lock_new ()) == NULL) {
        free (job);
        return NULL;
    }
    job->q = q;
    job->bitlocker = -1;
    job->ask = dg__win_ask_new (ask->mount, ask->volume, ask->path);
    if (job->ask == NULL || dg__thread_start (&thread, "dg-ask", job_main, job) != DG_OK) {
        job_free (job);
        return NULL;
    }
    dg__thread_detach (thread);
    return job;
}

static void
job_finish (Job *job, DgWinAsk **ask, uint64_t until_ns)
{
    dg__lock (job->lock);
    while (!job->is_done && dg__lock_clock_ns () < until_ns)
        dg__lock_wait_until (job->lock, until_ns);
    if (job->is_answered) {
        dg__win_ask_free (*ask);
        *ask = job->ask;
        (*ask)->is_answered = true;
        (*ask)->bitlocker = job->bitlocker;
        job->ask = NULL;
    }
    job->is_left = !job->is_done;
    bool is_left = job->is_left;
    dg__unlock (job->lock);
    if (!is_left)
        job_free (job);
}

bool
dg__win_ask_all (const DgWinQueries *q, DgWinAsk **asks, uint32_t n)
{
    Job **jobs = calloc (n == 0 ? 1 : n, sizeof *jobs);
    bool is_started = jobs != NULL;
    for (uint32_t i = 0; is_started && i < n; i++)
        is_started = (jobs[i] = job_start (q, asks[i])) != NULL;
    uint64_t until_ns = dg__lock_clock_ns () + DG_WIN_ANSWER_NS;
    for (uint32_t i = 0; jobs != NULL && i < n; i++)
        if (jobs[i] != NULL)
            job_finish (jobs[i], &asks[i], until_ns);
    free (jobs);
    return is_started;
}
