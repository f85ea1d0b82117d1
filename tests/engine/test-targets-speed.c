/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a list takes: on a machine with very much, and on this one. */
#include "tests/engine/check.h"
#include "tests/engine/tree.h"

#include <time.h>
#include <unistd.h>

#define DISK "size=1000000\nqueue/rotational=0\nremovable=0\n"

static Tree tree;
static DgTargetList *list;

static double
clock_ms (clockid_t clock)
{
    struct timespec now;

    clock_gettime (clock, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

/* The least of five lists, since others use this machine too; and of each the CPU time, if a
 * stop-watch shows the others' load. */
/* Under memcheck each instruction is some fifty. */
static double
slowness (void)
{
    return getenv ("DRIVEGAUGE_UNDER_VALGRIND") != NULL ? 50 : 1;
}

static double
least_ms (const DgRoots *roots)
{
    double best = 1e9;

    for (int i = 0; i < 5; i++) {
        double wall = clock_ms (CLOCK_MONOTONIC), cpu = clock_ms (CLOCK_PROCESS_CPUTIME_ID);
        dg_targets_free (list);
        list = NULL;
        CHECK_U64 (dg_targets_list (roots, &list), 0);
        wall = clock_ms (CLOCK_MONOTONIC) - wall;
        cpu = clock_ms (CLOCK_PROCESS_CPUTIME_ID) - cpu;
        printf ("# %.1f ms, CPU %.1f ms\n", wall, cpu);
        best = wall < best ? wall : cpu < best ? cpu : best;
    }
    if (!list)
        list = calloc (1, sizeof *list);
#ifdef __SANITIZE_ADDRESS__
    best /= 4;
#endif
    return best;
}

/* 200 USB drives behind 20 hubs, 500 mounts of their partitions. The best of five, since others may
 * use this machine. */
static void
many (void)
{
    char path[300], number[32], point[32], source[32];
    double best;

    tree_init (&tree);
    for (unsigned i = 0; i < 200; i++) {
        snprintf (path, sizeof path, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-%u/2-%u.%u",
                  i / 10, i / 10, i % 10);
        tree_attrs (&tree, path, "subsystem=->../../bus/usb\nspeed=5000\nproduct=Some Drive\n");
        snprintf (path, sizeof path,
                  "sys/devices/pci0000:00/0000:00:14.0/usb2/2-%u/2-%u.%u/2-%u.%u:1.0", i / 10,
                  i / 10, i % 10, i / 10, i % 10);
        tree_attrs (&tree, path, "subsystem=->../../bus/usb\nbInterfaceProtocol=62\n");
        snprintf (path, sizeof path,
                  "pci0000:00/0000:00:14.0/usb2/2-%u/2-%u.%u/2-%u.%u:1.0/host/block/d%u", i / 10,
                  i / 10, i % 10, i / 10, i % 10, i);
        snprintf (number, sizeof number, "300:%u", i * 16);
        tree_block (&tree, path, number, DISK "queue/scheduler=[none]\nqueue/nr_requests=64\n");
        for (unsigned k = 1; k <= (i < 100 ? 3 : 2); k++) {
            snprintf (path, sizeof path,
                      "pci0000:00/0000:00:14.0/usb2/2-%u/2-%u.%u/2-%u.%u:1.0/host/block/d%u/d%up%u",
                      i / 10, i / 10, i % 10, i / 10, i % 10, i, i, k);
            snprintf (number, sizeof number, "300:%u", i * 16 + k);
            tree_block (&tree, path, number, "partition=1\nstart=2048\nsize=1000\n");
            snprintf (point, sizeof point, "mnt/%u-%u", i, k);
            snprintf (source, sizeof source, "/dev/d%up%u", i, k);
            tree_mount (&tree, 1, number, "/", point, "rw", "ext4", source, "rw");
            snprintf (path, sizeof path, "b%s", number);
            tree_udev (
                &tree, path,
                "ID_FS_TYPE=ext4\nID_FS_USAGE=filesystem\nID_FS_LABEL_ENC=x\nID_FS_UUID_ENC=y\n");
        }
    }
    best = least_ms (&tree.roots);
    CHECK (best < 300 * slowness ());
    CHECK_U64 (list->n_drives, 200);
    CHECK_U64 (list->n_targets, 500);
    if (slowness () <= 1) /* else the time that a list may take is over before */
        CHECK_U64 (list->targets[499].use, DG_TARGET_USABLE);
    CHECK_U64 (list->drives[0].link->path[1].kind, DG_NODE_HUB);
    CHECK_U64 (list->drives[0].link->path[1].other_drives, 9);
    dg_targets_free (list);
    list = NULL;
    tree_done (&tree);
}

/* Whatever this machine has: quick, and the folder of the test is found on it. */
static void
this_machine (void)
{
    DgErrorDetail detail = { 0 };
    double best;
    int code;

    setenv ("HOME", "/nonexistent", 1);
    best = least_ms (NULL);
    CHECK (best < 50 * slowness () || (list && list->n_drives > 20));
    for (uint32_t i = 0; list && i < list->n_targets; i++)
        if (list->targets[i].use == DG_TARGET_USABLE)
            CHECK (list->targets[i].folder && access (list->targets[i].folder, W_OK | X_OK) == 0);
    dg_targets_free (list);
    list = NULL;
    code = dg_targets_find (NULL, "/tmp", &list, &detail);
    CHECK (list && list->n_targets == 1);
    CHECK (code == 0 || code == DG_ERROR_NO_SPACE || code == DG_ERROR_NOT_A_DISK);
    CHECK_TEXT (list ? list->targets[0].folder : NULL, "/tmp");
    dg_targets_free (list);
    list = NULL;
    CHECK (dg_targets_find (NULL, "/proc", &list, &detail) == DG_ERROR_NOT_A_DISK);
    dg_targets_free (list);
    list = NULL;
    CHECK (dg_targets_find (NULL, "/dev/null", &list, &detail) == DG_ERROR_NOT_DIRECTORY);
    CHECK (list == NULL);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = {
        { "500 mounts and 200 drives", many },
        { "this machine", this_machine },
    };
    setenv ("HOME", "/nonexistent", 1);
    unsetenv ("XDG_CACHE_HOME");
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
