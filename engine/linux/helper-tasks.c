/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/linux/backends.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* schedstat's first number is ns on the CPU; a kernel without it has utime and stime, fields 14 and
 * 15 of stat, in ticks (proc(5)). */
static uint64_t
task_cpu_ns (int directory, const char *task)
{
    char text[512];
    if (read_task_file (directory, task, "schedstat", text, sizeof text))
        return strtoull (text, NULL, 10);
    if (!read_task_file (directory, task, "stat", text, sizeof text))
        return 0;
    const char *after_name = strrchr (text, ')');
    unsigned long long user, system;
    if (after_name == NULL
        || sscanf (after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
                   &system)
               != 2)
        return 0;
    return (user + system) * (1000000000u / (uint64_t) sysconf (_SC_CLK_TCK));
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
dg__helper_tasks_cpu_ns (DgHelperTasks *helpers, const char *prefix, int thread_id)
{
    char wanted[32], name[32];
    snprintf (wanted, sizeof wanted, "%s%d\n", prefix, thread_id);
    DIR *tasks = opendir ("/proc/self/task");
    if (tasks != NULL) {
        struct dirent *entry;
        while ((entry = readdir (tasks)) != NULL)
            if (entry->d_name[0] != '.'
                && read_task_file (dirfd (tasks), entry->d_name, "comm", name, sizeof name)
                && strcmp (name, wanted) == 0)
                remember (helpers, atoi (entry->d_name),
                          task_cpu_ns (dirfd (tasks), entry->d_name));
        closedir (tasks);
    }
    uint64_t sum = helpers->earlier_ns;
    for (uint32_t i = 0; i < helpers->n_tasks; i++)
        sum += helpers->tasks[i].cpu_ns;
    return sum;
}
