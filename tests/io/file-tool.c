/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes, fills, passes over and deletes a test file as a run does, and prints what the engine says
 * of it as `key value` lines.
 *
 *   file-tool FOLDER BYTES [no-cow] [write-through] [zero] [hold] [stop MS]
 *
 * stop: asks the preparation to stop after so long and prints how long it took to answer. hold:
 * prints `ready` once prepared, then waits for the end of standard input. Exit 0, or 1 with an
 * `error` line. */
#include "engine/engine.h"
#include "engine/test-file.h"
#include "engine/clock.h"
#include "engine/data.h"
#include "engine/linux/counters.h"
#include "engine/linux/fs-type.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/vfs.h>
#include <unistd.h>

#define BLOCK_BYTES 65536u

static const char *const verdicts[] = { "unknown", "proved", "refuted" };

static void
print_known (const char *key, uint64_t value)
{
    if (value == DG_UNKNOWN_U64)
        printf ("%s unknown\n", key);
    else
        printf ("%s %" PRIu64 "\n", key, value);
}

static int
fail (int error, const DgErrorDetail *detail)
{
    char text[128] = "";
    dg_error_os_text (detail->os_code, text, sizeof text);
    printf ("error %d\noperation %s\noffset %" PRIu64 "\nos_code %d\ntext %s\nneeded %" PRIu64
            "\navailable %" PRIu64 "\n",
            error, detail->operation == NULL ? "-" : detail->operation, detail->offset_bytes,
            detail->os_code, text, detail->needed_bytes, detail->available_bytes);
    return 1;
}

/* Reads or overwrites the file once from start to end. */
static uint64_t
pass (DgTestFile *file, uint64_t size, bool is_write, unsigned char *block)
{
    uint64_t done = 0;
    int fd = (int) dg__test_file_handle (file);
    for (uint64_t at = 0; at + BLOCK_BYTES <= size; at += BLOCK_BYTES) {
        if (is_write)
            dg__stamp_sectors (block, BLOCK_BYTES, 7, at, at);
        ssize_t n = is_write ? pwrite (fd, block, BLOCK_BYTES, (off_t) at)
                             : pread (fd, block, BLOCK_BYTES, (off_t) at);
        if (n < 0) {
            printf ("%s_errno %m\n", is_write ? "write" : "read");
            return done;
        }
        done += (uint64_t) n;
    }
    return done;
}

static void
judge (DgTestFile *file, uint64_t size, bool is_write, unsigned char *block)
{
    DgCacheState before, after;
    DgReason reason = NULL;
    dg__test_file_drop_cache (file);
    dg__test_file_cache_state (file, &before);
    uint64_t bytes = pass (file, size, is_write, block);
    dg__test_file_cache_state (file, &after);
    DgDirectness direct = dg__test_file_judge (file, &before, &after, is_write ? 0 : bytes,
                                               is_write ? bytes : 0, bytes, &reason);
    const char *name = is_write ? "write" : "read";
    printf ("%s %s %s\n", name, verdicts[direct], reason == NULL ? "-" : reason);
    printf ("%s_bytes %" PRIu64 "\n", name, bytes);
    printf ("%s_resident_growth %" PRId64 "\n", name,
            (int64_t) (after.resident_bytes - before.resident_bytes));
    if (before.device_read_bytes != DG_UNKNOWN_U64)
        printf ("%s_device_bytes %" PRIu64 "\n", name,
                is_write ? after.device_written_bytes - before.device_written_bytes
                         : after.device_read_bytes - before.device_read_bytes);
}

static void
print_result (DgTestFile *file)
{
    const DgFileResult *r = dg__test_file_result (file);
    DgDriveCounters drives;
    printf ("size %" PRIu64 "\nvisible %d\nleftovers %" PRIu64
            "\ndirect %d %s\nnocow %d\ncompressed %d\nencoded %d\nalignment %" PRIu64 "\n",
            r->size_bytes, r->name_visible, r->leftovers_removed, r->is_direct,
            r->direct_reason == NULL ? "-" : r->direct_reason, r->is_nocow, r->is_compressed,
            r->is_encoded, r->alignment_bytes);
    print_known ("extents", r->extents);
    print_known ("logical", r->logical_block_bytes);
    print_known ("physical", r->physical_block_bytes);
    printf ("prepared %" PRIu64 "\nmissing %" PRIu64 "\nprobe %" PRIu64 "\nrate_mb_s %.0f\n",
            r->prepare_bytes, r->missing_bytes, r->probe_bytes,
            r->prepare_ns == 0 ? 0.0 : (double) r->prepare_bytes * 1e3 / (double) r->prepare_ns);
    dg__test_file_drive_counters (file, &drives);
    printf ("counters %d\n", drives.written_bytes != DG_UNKNOWN_U64);
    const char *path = dg__test_file_path (file);
    printf ("path %s\n", path == NULL ? "-" : path);
}

/* The whole drives below the folder, by name. */
static void
print_drives (const char *folder)
{
    DgFileMount mount;
    DgDevices devices, drives = { .n = 0 };
    struct statfs fs;
    int fd = open (folder, O_RDONLY | O_DIRECTORY);
    if (fd >= 0 && fstatfs (fd, &fs) == 0 && dg__file_mount (NULL, fd, &mount)) {
        dg__file_mount_devices (NULL, fd, &mount, dg__fs_is_btrfs ((uint64_t) fs.f_type), &devices);
        dg__devices_below (NULL, &devices, &drives);
    }
    for (uint32_t i = 0; i < drives.n; i++) {
        char link[64], path[PATH_MAX];
        snprintf (link, sizeof link, "/sys/dev/block/%u:%u", drives.at[i].major,
                  drives.at[i].minor);
        if (realpath (link, path) != NULL)
            printf ("drive %s\n", strrchr (path, '/') + 1);
    }
    close (fd);
}

typedef struct {
    DgPrepareProgress progress;
    uint64_t after_ms, asked_ns;
} Stop;

static void *
stop_later (void *data)
{
    Stop *stop = data;
    dg__sleep_until_ns (dg__clock_ns () + stop->after_ms * 1000000);
    stop->asked_ns = dg__clock_ns ();
    atomic_store (&stop->progress.stop, true);
    return NULL;
}

int
main (int argc, char **argv)
{
    if (argc < 3)
        return 2;
    DgPlanTarget target = { .folder = argv[1],
                            .file_bytes = strtoull (argv[2], NULL, 10),
                            .handle = -1 };
    DgPlan plan = { .seed = 42 };
    DgData data = DG_DATA_RANDOM;
    bool hold = false;
    static Stop stop;
    for (int i = 3; i < argc; i++) {
        plan.no_cow |= strcmp (argv[i], "no-cow") == 0;
        plan.write_through |= strcmp (argv[i], "write-through") == 0;
        hold |= strcmp (argv[i], "hold") == 0;
        if (strcmp (argv[i], "stop") == 0 && i + 1 < argc)
            stop.after_ms = strtoull (argv[i + 1], NULL, 10);
        if (strcmp (argv[i], "zero") == 0)
            data = DG_DATA_ZERO;
    }
    setvbuf (stdout, NULL, _IOLBF, 0);
    dg_test_files_guard_signals ();
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    pthread_t thread;
    int error = dg__test_file_create (&target, &plan, &file, &detail);
    if (error != DG_OK)
        return fail (error, &detail);
    if (stop.after_ms > 0 && pthread_create (&thread, NULL, stop_later, &stop) != 0)
        return 1;
    error = dg__test_file_prepare (file, data, plan.seed, &stop.progress, &detail);
    if (stop.after_ms > 0) {
        uint64_t now = dg__clock_ns ();
        pthread_join (thread, NULL);
        printf ("answered_ms %" PRIu64 "\n",
                error == DG_ERROR_STOPPED ? (now - stop.asked_ns) / 1000000 : 0);
        printf ("prepared_so_far %" PRIu64 "\n", stop.progress.prepared_bytes);
    }
    if (error == DG_OK) {
        uint64_t memory_bytes;
        unsigned char *block = dg__memory_new (BLOCK_BYTES, &memory_bytes);
        if (block == NULL)
            return 1;
        print_result (file);
        print_drives (argv[1]);
        judge (file, target.file_bytes, false, block);
        judge (file, target.file_bytes, true, block);
        uint64_t read_ns;
        printf ("nowait %d\n", dg__test_file_nowait (file, 4096, &read_ns));
        dg__memory_free (block, memory_bytes);
        error = dg__test_file_flush (file, &detail);
    }
    if (error == DG_OK && hold) {
        printf ("ready\n");
        while (getchar () != EOF)
            ;
    }
    dg__test_file_close (file);
    return error == DG_OK ? 0 : fail (error, &detail);
}
