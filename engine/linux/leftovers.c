/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/leftovers.h"
#include "engine/cleanup.h"
#include "engine/test-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX     "drivegauge-test-"
#define SUFFIX     ".tmp"
#define N_DIGITS   16u
#define MAX_PLACES 64u

enum {
    PLACE_FREE,
    PLACE_CHANGING,
    PLACE_USED
};

/* Static and fixed, so that a signal handler can walk it at any moment. */
static struct {
    _Atomic int state;
    int folder_fd;
    char name[DG_TEST_NAME_BYTES];
} places[MAX_PLACES];

bool
dg__test_name_new (char ret_name[DG_TEST_NAME_BYTES])
{
    uint64_t number;
    if (getrandom (&number, sizeof number, 0) != (ssize_t) sizeof number)
        return false;
    snprintf (ret_name, DG_TEST_NAME_BYTES, PREFIX "%016llx" SUFFIX, (unsigned long long) number);
    return true;
}

static bool
is_test_name (const char *name)
{
    const size_t prefix = sizeof PREFIX - 1, suffix = sizeof SUFFIX - 1;
    return strlen (name) == prefix + N_DIGITS + suffix && strncmp (name, PREFIX, prefix) == 0
           && strspn (name + prefix, "0123456789abcdef") == N_DIGITS
           && strcmp (name + prefix + N_DIGITS, SUFFIX) == 0;
}

int
dg__test_name_register (int folder_fd, const char *name)
{
    for (unsigned i = 0; i < MAX_PLACES; i++) {
        int expected = PLACE_FREE;
        if (!atomic_compare_exchange_strong (&places[i].state, &expected, PLACE_CHANGING))
            continue;
        places[i].folder_fd = folder_fd;
        snprintf (places[i].name, sizeof places[i].name, "%s", name);
        atomic_store_explicit (&places[i].state, PLACE_USED, memory_order_release);
        return (int) i;
    }
    return -1;
}

void
dg__test_name_unregister (int place)
{
    if (place >= 0)
        atomic_store_explicit (&places[place].state, PLACE_FREE, memory_order_release);
}

void
dg_test_files_remove_all (void)
{
    int saved = errno;
    for (unsigned i = 0; i < MAX_PLACES; i++)
        if (atomic_load_explicit (&places[i].state, memory_order_acquire) == PLACE_USED)
            unlinkat (places[i].folder_fd, places[i].name, 0);
    errno = saved;
}

static void
last_signal_cb (int number)
{
    dg_test_files_remove_all ();
    raise (number); /* the default has been put back: this ends it */
}

static void
guard (int number)
{
    struct sigaction action;
    if (sigaction (number, NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0
        || action.sa_handler != SIG_DFL)
        return;
    action = (struct sigaction){ .sa_handler = last_signal_cb,
                                 .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK };
    sigemptyset (&action.sa_mask);
    sigaction (number, &action, NULL);
}

void
dg_test_files_guard_signals (void)
{
    static const int numbers[] = { SIGHUP,    SIGINT,  SIGQUIT,  SIGILL,  SIGABRT, SIGBUS,  SIGFPE,
                                   SIGUSR1,   SIGSEGV, SIGUSR2,  SIGPIPE, SIGALRM, SIGTERM, SIGXCPU,
                                   SIGVTALRM, SIGPROF, SIGSYS,   SIGTRAP, /* how GLib ends a program
                                                                             without memory */
                                   SIGIO,     SIGPWR,  SIGSTKFLT };
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        guard (numbers[i]);
    struct sigaction action;
    if (sigaction (SIGXFSZ, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
        signal (SIGXFSZ, SIG_IGN);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        guard (number);
}

bool
dg__test_name_is (int folder_fd, const char *name, int fd)
{
    struct stat by_name, by_fd;
    return fstatat (folder_fd, name, &by_name, AT_SYMLINK_NOFOLLOW) == 0 && fstat (fd, &by_fd) == 0
           && by_name.st_dev == by_fd.st_dev && by_name.st_ino == by_fd.st_ino;
}

/* The lock is held while the name goes: a run that has just made the file and waits for its lock
 * then sees that the name is gone, and makes another. */
static bool
remove_if_free (int folder_fd, const char *name)
{
    int fd = openat (folder_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    bool removed = fstat (fd, &st) == 0 && S_ISREG (st.st_mode)
                   && flock (fd, LOCK_EX | LOCK_NB) == 0 && dg__test_name_is (folder_fd, name, fd)
                   && unlinkat (folder_fd, name, 0) == 0;
    close (fd);
    return removed;
}

uint64_t
dg__test_file_remove_leftovers (const char *folder)
{
    int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir (fd);
    if (dir == NULL) {
        if (fd >= 0)
            close (fd);
        return 0;
    }
    uint64_t removed = 0;
    for (struct dirent *entry; (entry = readdir (dir)) != NULL;)
        if (is_test_name (entry->d_name) && remove_if_free (fd, entry->d_name))
            removed++;
    closedir (dir);
    return removed;
}
