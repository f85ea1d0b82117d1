/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/backends.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/result.h"

#define MAX_OWNERS 256u

static bool
read_task_file (int directory, const char *task, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf (path, sizeof path, "%.20s/%s", task, name);
    int fd = openat (directory, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read (fd, text, size - 1);
    close (fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return true;
}

/* schedstat's first number is ns on the CPU; a kernel that does not count them says 0, or has no
 * such file: then it is utime and stime, fields 14 and 15 of stat, in ticks (proc(5)). */
static bool
task_cpu_ns (int directory, const char *task, uint64_t *ret_ns)
{
    char text[512];
    if (read_task_file (directory, task, "schedstat", text, sizeof text)
        && (*ret_ns = strtoull (text, NULL, 10)) != 0)
        return true;
    if (!read_task_file (directory, task, "stat", text, sizeof text))
        return false;
    const char *after_name = strrchr (text, ')');
    unsigned long long user, system;
    if (after_name == NULL
        || sscanf (after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
                   &system)
               != 2)
        return false;
    *ret_ns = (user + system) * (1000000000u / (uint64_t) sysconf (_SC_CLK_TCK));
    return true;
}

/* The owner that the task's name tells; 0 = it is no helper. */
static int
owner_of (int directory, const char *task)
{
    char name[32];
    int owner = 0, end = 0;
    if (task[0] == '.' || !read_task_file (directory, task, "comm", name, sizeof name)
        || sscanf (name, DG_HELPER_NAME "%d%n", &owner, &end) != 1 || name[end] != '\n')
        return 0;
    return owner;
}

/* The owners of all helpers there are now, each once. How many; more than `max` if they are. */
static uint32_t
all_owners (int *ret_owners, uint32_t max)
{
    DIR *tasks = opendir ("/proc/self/task");
    uint32_t n = 0;
    struct dirent *entry;
    while (tasks != NULL && n <= max && (entry = readdir (tasks)) != NULL) {
        int owner = owner_of (dirfd (tasks), entry->d_name);
        bool is_known = owner == 0;
        for (uint32_t i = 0; i < n && i < max; i++)
            is_known |= ret_owners[i] == owner;
        if (!is_known && n++ < max)
            ret_owners[n - 1] = owner;
    }
    if (tasks != NULL)
        closedir (tasks);
    return n;
}

/* In a PID namespace, as in a container or a Flatpak, a thread cannot learn the number that it has
 * outside, and helpers have that in their names. So one is made, and the name that is new tells it:
 * one thread after the other. */
static int
new_owner (bool (*make) (void *data), void *data)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int before[MAX_OWNERS], after[MAX_OWNERS], owner = 0;
    pthread_mutex_lock (&lock);
    uint32_t n_before = all_owners (before, MAX_OWNERS), n_new = 0,
             n_after = make (data) ? all_owners (after, MAX_OWNERS) : 0;
    pthread_mutex_unlock (&lock);
    if (n_before > MAX_OWNERS || n_after > MAX_OWNERS)
        return 0;
    for (uint32_t i = 0; i < n_after; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < n_before; k++)
            is_new &= after[i] != before[k];
        n_new += is_new;
        if (is_new)
            owner = after[i];
    }
    return n_new == 1 ? owner : 0;
}

int
dg__helper_owner (bool (*make) (void *data), void *data)
{
    /* the first PID namespace has the same number everywhere (the kernel's PROC_PID_INIT_INO) */
    struct stat namespace;
    bool is_first = stat ("/proc/self/ns/pid", &namespace) == 0 && namespace.st_ino == 0xeffffffcu;
    return is_first ? (int) gettid () : new_owner (make, data);
}

static void
remember (DgHelperTasks *helpers, int id, uint64_t cpu_ns)
{
    for (uint32_t i = 0; i < helpers->n_tasks; i++)
        if (helpers->tasks[i].id == id) {
            if (cpu_ns < helpers->tasks[i].cpu_ns)
                helpers->earlier_ns += helpers->tasks[i].cpu_ns;
            helpers->tasks[i].cpu_ns = cpu_ns;
            return;
        }
    uint32_t at = helpers->n_tasks;
    if (at == DG_MAX_HELPER_TASKS) { /* the longest known is the likeliest to be gone */
        helpers->earlier_ns += helpers->tasks[0].cpu_ns;
        memmove (&helpers->tasks[0], &helpers->tasks[1],
                 (DG_MAX_HELPER_TASKS - 1) * sizeof helpers->tasks[0]);
        at--;
    } else {
        helpers->n_tasks++;
    }
    helpers->tasks[at].id = id;
    helpers->tasks[at].cpu_ns = cpu_ns;
}

uint64_t
dg__helper_tasks_cpu_ns (DgHelperTasks *helpers)
{
    DIR *tasks = helpers->owner != 0 ? opendir ("/proc/self/task") : NULL;
    if (tasks == NULL)
        return DG_UNKNOWN_U64;
    struct dirent *entry;
    uint64_t cpu_ns;
    while ((entry = readdir (tasks)) != NULL)
        if (owner_of (dirfd (tasks), entry->d_name) == helpers->owner
            && task_cpu_ns (dirfd (tasks), entry->d_name, &cpu_ns))
            remember (helpers, atoi (entry->d_name), cpu_ns);
    closedir (tasks);
    uint64_t sum = helpers->earlier_ns;
    for (uint32_t i = 0; i < helpers->n_tasks; i++)
        sum += helpers->tasks[i].cpu_ns;
    return sum;
}
