/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the test file owes on Linux besides tests/io/test-file.c: descriptors, signals, limits, the
 * page cache. On a real file system: DG_TEST_FOLDER, else the current folder. */
#include "tests/engine/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/data.h"
#include "engine/engine.h"
#include "engine/linux/fs-type.h"
#include "engine/linux/test-file-private.h"

#define MIB ((uint64_t) 1 << 20)

static char folder[512];

/* ---- helpers ---- */

static int
make (uint64_t bytes, const DgPlan *plan, DgTestFile **ret_file, DgErrorDetail *ret_detail)
{
    DgPlan plain = { .seed = 1 };
    DgPlanTarget target = { .folder = folder, .file_bytes = bytes, .handle = -1 };
    *ret_file = NULL;
    return dg__test_file_create (&target, plan == NULL ? &plain : plan, ret_file, ret_detail);
}

static DgTestFile *
make_prepared (uint64_t bytes, DgData data)
{
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    DgPrepareProgress progress = { 0 };
    CHECK (make (bytes, NULL, &file, &detail) == DG_OK);
    if (file != NULL)
        CHECK (dg__test_file_prepare (file, data, 1, &progress, &detail) == DG_OK);
    return file;
}

static unsigned
count_entries (void)
{
    unsigned n = 0;
    DIR *dir = opendir (folder);
    for (struct dirent *e; dir != NULL && (e = readdir (dir)) != NULL;)
        n += e->d_name[0] != '.';
    closedir (dir);
    return n;
}

static void
in_folder (char *ret_path, const char *name)
{
    snprintf (ret_path, 1024, "%s/%s", folder, name);
}

/* ---- cases ---- */

static void
nobody_elses (void)
{
    struct stat st;
    DgTestFile *file = make_prepared (1 * MIB, DG_DATA_RANDOM);
    if (file == NULL)
        return;
    CHECK (fstat ((int) dg__test_file_handle (file), &st) == 0);
    CHECK_U64 (st.st_mode & 07777, 0600);
    dg__test_file_close (file);
}

static void
expect_refused (const char *where, int code)
{
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = { .folder = where, .file_bytes = MIB, .handle = -1 };
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    int error = dg__test_file_create (&target, &plan, &file, &detail);
    if (error != code)
        printf ("# %s: %d instead of %d\n", where, error, code);
    CHECK (error == code);
    CHECK (file == NULL && detail.operation != NULL);
    dg__test_file_close (file);
}

static void
refused_places (void)
{
    char path[1024];
    in_folder (path, "fifo");
    mkfifo (path, 0600);
    expect_refused (path, DG_ERROR_NOT_DIRECTORY);
    unlink (path);
    expect_refused ("/dev/null", DG_ERROR_NOT_DIRECTORY);
    expect_refused ("/proc", DG_ERROR_NOT_A_DISK);
    expect_refused ("/sys", DG_ERROR_NOT_A_DISK);
    expect_refused ("/dev", DG_ERROR_NOT_A_DISK);
    if (geteuid () != 0) {
        in_folder (path, "closed");
        mkdir (path, 0500);
        expect_refused (path, DG_ERROR_NOT_PERMITTED);
        rmdir (path);
    }
}

/* Past the process's own limit the kernel would kill us with SIGXFSZ. */
static void
file_size_limit (void)
{
    pid_t child = fork ();
    if (child == 0) {
        DgTestFile *file;
        DgErrorDetail detail;
        setrlimit (RLIMIT_FSIZE, &(struct rlimit){ 4 * MIB, 4 * MIB });
        _exit (make (8 * MIB, NULL, &file, &detail) == DG_ERROR_FILE_TOO_LARGE ? 0 : 1);
    }
    int status = -1;
    waitpid (child, &status, 0);
    CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

static int
touch (const char *name)
{
    char path[1024];
    in_folder (path, name);
    return open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}

/* Links and pipes that have such a name. */
static void
leftovers_that_are_no_files (void)
{
    char path[1024], target[1024];
    close (touch ("valuable"));
    in_folder (target, "valuable");
    in_folder (path, "drivegauge-test-00000000000000f1.tmp");
    CHECK (symlink (target, path) == 0);
    in_folder (path, "drivegauge-test-00000000000000f3.tmp");
    CHECK (mkfifo (path, 0600) == 0);
    CHECK_U64 (dg_test_files_remove_leftovers (folder), 0);
    CHECK_U64 (count_entries (), 3);
    CHECK (access (target, F_OK) == 0);

    static const char *const names[] = { "valuable", "drivegauge-test-00000000000000f1.tmp",
                                         "drivegauge-test-00000000000000f3.tmp" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        in_folder (path, names[i]);
        CHECK (remove (path) == 0);
    }
}

static void
names_removed_by_a_handler (void)
{
    int dir = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char name[DG_TEST_NAME_BYTES], other[DG_TEST_NAME_BYTES];
    CHECK (dg__test_name_new (name) && dg__test_name_new (other) && strcmp (name, other) != 0);
    close (touch (name));
    close (touch (other));
    pid_t child = fork ();
    if (child == 0) {
        setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        signal (SIGTERM, SIG_IGN); /* what is ignored stays so */
        signal (SIGQUIT, SIG_DFL); /* whatever the tests were started with */
        dg_test_files_guard_signals ();
        dg__test_name_unregister (
            dg__test_name_register (dir, other)); /* closed again: not touched */
        if (dg__test_name_register (dir, name) < 0)
            _exit (1);
        raise (SIGTERM);
        if (faccessat (dir, name, F_OK, 0) != 0)
            _exit (2);
        raise (SIGQUIT);
        _exit (3);
    }
    int status = -1;
    waitpid (child, &status, 0);
    CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGQUIT);
    CHECK (faccessat (dir, name, F_OK, 0) != 0);
    CHECK (unlinkat (dir, other, 0) == 0);
    close (dir);
}

static void
cache_seen_by_both_means (void)
{
    char path[1024];
    int fd = touch ("cached");
    uint64_t size = 4 * MIB;
    char *bytes = calloc (1, size);
    bytes[5] = 1;
    CHECK (pwrite (fd, bytes, size, 0) == (ssize_t) size);
    CHECK (fdatasync (fd) == 0);
    uint64_t by_cachestat = dg__test_file_resident_by_cachestat (fd, 4096);
    CHECK_U64 (dg__test_file_resident_by_mincore (fd, size, 4096), size);
    CHECK (by_cachestat == size || by_cachestat == DG_UNKNOWN_U64);
    CHECK (posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
    struct statfs fs;
    CHECK (fstatfs (fd, &fs) == 0);
    /* memcheck itself reads from each file that is mapped */
    if (dg__fs_kind_from_magic ((uint64_t) fs.f_type) == DG_FS_DISK
        && getenv ("DRIVEGAUGE_UNDER_VALGRIND") == NULL) {
        CHECK_U64 (dg__test_file_resident_by_mincore (fd, size, 4096), 0);
        CHECK_U64 (dg__test_file_resident_bytes (fd, size, 4096), 0);
    }
    free (bytes);
    close (fd);
    in_folder (path, "cached");
    unlink (path);
}

/* One who reads through the page cache is caught, whatever the descriptor says. */
static void
buffered_reads_are_refuted (void)
{
    DgTestFile *file = make_prepared (8 * MIB, DG_DATA_RANDOM);
    if (file == NULL)
        return;
    DgCacheState before, after;
    DgReason reason = NULL;
    char *bytes = malloc (8 * MIB);
    dg__test_file_drop_cache (file);
    dg__test_file_cache_state (file, &before);
    CHECK (pread (file->fd, bytes, 8 * MIB, 0) == (ssize_t) (8 * MIB));
    dg__test_file_cache_state (file, &after);
    CHECK (dg__test_file_judge (file, &before, &after, 8 * MIB, 0, 8 * MIB, &reason)
           == DG_DIRECT_REFUTED);
    if (file->kind == DG_FS_DISK && file->result.is_direct)
        CHECK_TEXT (reason, DG_REASON_CACHE_GREW);
    free (bytes);
    dg__test_file_close (file);
}

static void
write_through_and_flags (void)
{
    DgPlan plan = { .seed = 1, .write_through = true };
    DgTestFile *file;
    DgErrorDetail detail = { 0 };
    CHECK (make (MIB, &plan, &file, &detail) == DG_OK);
    if (file == NULL)
        return;
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DSYNC) != 0);
    CHECK ((fcntl (file->direct_fd, F_GETFL) & O_DSYNC) == 0);
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFD) & FD_CLOEXEC) != 0);
    bool is_direct = (fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DIRECT) != 0;
    CHECK (is_direct == file->result.is_direct);
    dg__test_file_set_buffered (file);
    CHECK ((fcntl ((int) dg__test_file_handle (file), F_GETFL) & O_DIRECT) == 0);
    CHECK (!dg__test_file_result (file)->is_direct
           && dg__test_file_result (file)->direct_reason != NULL);
    DgErrorDetail untouched = { .os_code = 77 };
    CHECK (dg__test_file_flush (file, &untouched) == DG_OK && untouched.os_code == 77);
    dg__test_file_close (file);
}

/* A device, which is no file. */
static void
callers_own_device (void)
{
    DgPlan plan = { .seed = 1 };
    DgPlanTarget target = { .file_bytes = MIB, .handle = open ("/dev/null", O_RDWR) };
    DgTestFile *file = NULL;
    DgErrorDetail detail = { 0 };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
    CHECK (!dg__test_file_result (file)->is_direct);
    uint64_t read_ns;
    CHECK (dg__test_file_nowait (file, 4096, &read_ns) != -2);
    CHECK (dg__test_file_flush (file, &detail) == DG_OK);
    dg__test_file_close (file);
    CHECK (close ((int) target.handle) == 0); /* still open: it is the caller's */
}

/* What the NOWAIT probe writes is written, too. */
static void
nowait_probe_counts (void)
{
    DgStream streams[2] = {
        { .block_bytes = 4096, .queue_depth = 1, .threads = 1, .read_percent = 100 },
        { .block_bytes = 65536, .queue_depth = 2, .threads = 1, .read_percent = 100 }
    };
    DgStep steps[2] = { { .streams = &streams[0], .n_streams = 1 },
                        { .streams = &streams[1], .n_streams = 1 } };
    DgPlanTarget target = { .folder = folder, .file_bytes = MIB, .handle = -1 };
    DgPlan plan = { .targets = &target,
                    .n_targets = 1,
                    .steps = steps,
                    .n_steps = 2,
                    .runs = 1,
                    .duration_ns = 1000000,
                    .seed = 1 };
    DgErrorDetail detail = { 0 };
    DgTestFile *file = NULL;
    DgPrepareProgress progress = { 0 };
    CHECK (dg__test_file_create (&target, &plan, &file, &detail) == DG_OK);
    CHECK (dg__test_file_prepare (file, DG_DATA_RANDOM, 1, &progress, &detail) == DG_OK);
    uint64_t probed = 0;
    unsigned char *block = aligned_alloc (4096, 4096);
    for (int i = 0; i < 2; i++) {
        uint64_t before = dg__test_file_result (file)->probe_bytes, first, now = 0;
        int fd = (int) dg__test_file_handle (file);
        CHECK (pread (fd, block, 4096, 0) == 4096);
        memcpy (&first, block + 8, sizeof first);
        uint64_t read_ns;
        int can = dg__test_file_nowait (file, streams[i].block_bytes, &read_ns);
        CHECK (read_ns < 60 * UINT64_C (1000000000));
        CHECK (pread (fd, block, 4096, 0) == 4096);
        memcpy (&now, block + 8, sizeof now);
        uint64_t wrote = dg__test_file_result (file)->probe_bytes - before;
        CHECK_U64 (wrote, now != first ? streams[i].block_bytes : 0);
        CHECK (can == 1 || wrote == 0);
        probed += wrote;
    }
    free (block);
    dg__test_file_close (file);

    DgPlanRun *run;
    CHECK (dg_plan_run_start (&plan, &run, &detail) == DG_OK);
    CHECK (dg_plan_run_wait (run, UINT64_C (60000000000)));
    const DgPlanResult *result = dg_plan_run_result (run);
    CHECK_U64 (result->state, DG_STATE_DONE);
    CHECK_U64 (result->bytes_written,
               result->files[0].prepare_bytes + result->files[0].probe_bytes + probed);
    dg_plan_run_free (run);
}

static const Case cases[] = {
    { "nobody else may read it", nobody_elses },
    { "places that are refused", refused_places },
    { "the process's own file size limit", file_size_limit },
    { "leftovers that are no files", leftovers_that_are_no_files },
    { "names removed in a signal handler", names_removed_by_a_handler },
    { "the page cache by cachestat and by mincore", cache_seen_by_both_means },
    { "buffered reads are refuted", buffered_reads_are_refuted },
    { "write-through, flags, buffered mode", write_through_and_flags },
    { "the caller's own device", callers_own_device },
    { "the NOWAIT probe counts", nowait_probe_counts },
};

int
main (int argc, char **argv)
{
    const char *base = getenv ("DG_TEST_FOLDER");
    snprintf (folder, sizeof folder, "%s/drivegauge-file-test.XXXXXX", base == NULL ? "." : base);
    if (mkdtemp (folder) == NULL) {
        printf ("1..0 # SKIP no folder to write in: set DG_TEST_FOLDER\n");
        return 0;
    }
    int failed = run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
    if (rmdir (folder) != 0) {
        printf ("# something is left in %s\n", folder);
        failed = 1;
    }
    return failed;
}
